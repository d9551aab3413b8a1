//! Another translation of the input, on which some stages of a portfolio are asked.

use std::cell::RefCell;
use std::rc::Rc;

use thetis_model::{Model, Task, Verdict};
use thetis_portfolio::portfolio::BitVectors;

use crate::input::Input;
use crate::input::language::Language;

/// Another translation, once it was made.
type Made<M> = Rc<RefCell<Option<(Rc<Task<M>>, Box<dyn Language<M>>)>>>;

/// The same input with its numbers as bit-vectors, made when a stage asks for it.
pub(crate) struct Translation<M: Model> {
    pub(crate) bit_vectors: Option<BitVectors<M>>,
    made: Made<M>,
}

impl<M: Model + 'static> Translation<M> {
    /// Of `input`, if its language has another one.
    pub(crate) fn of(input: &Input<M>) -> Translation<M> {
        let made: Made<M> = Rc::default();
        let bit_vectors = input.language.in_bit_vectors(&input.sources).map(|translate| {
            let made = Rc::clone(&made);
            BitVectors::new(move || {
                let (task, language) = translate()?;
                let task = Rc::new(task);
                *made.borrow_mut() = Some((Rc::clone(&task), language));
                Some(task)
            })
        });
        Translation { bit_vectors, made }
    }

    /// The input that the evidence of `verdict` is about, if it is this translation.
    pub(crate) fn answered(&self, input: &Input<M>, verdict: &Verdict<M>) -> Option<Input<M>> {
        let has_evidence = !matches!(verdict, Verdict::Unknown(_));
        self.bit_vectors.as_ref().filter(|bit_vectors| has_evidence && bit_vectors.has_answered())?;
        let (task, language) = self.made.take()?;
        let task = Rc::unwrap_or_clone(task);
        let (name, sha256) = (input.name.clone(), input.sha256.clone());
        Some(Input { task, sources: input.sources.clone(), file: input.file, name, sha256, language })
    }
}
