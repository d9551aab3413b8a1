//! Long lists in JSON that are written element by element, so that they are never in memory as a whole.

use std::cell::Cell;

use serde::{Serialize, Serializer};
use thetis_base::Run;

/// The elements that `elements` yields, written until the time for it is over.
pub(crate) struct Streamed<'a, F> {
    elements: F,
    patience: &'a Patience<'a>,
}

impl<'a, F> Streamed<'a, F> {
    pub(crate) fn new(patience: &'a Patience<'a>, elements: F) -> Streamed<'a, F> {
        Streamed { elements, patience }
    }
}

impl<F, I> Serialize for Streamed<'_, F>
where
    F: Fn() -> I,
    I: Iterator<Item: Serialize>,
{
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq((self.elements)().take_while(|_| self.patience.goes_on()))
    }
}

/// Whether there is still time to write.
pub struct Patience<'a> {
    run: Option<&'a Run>,
    num_asked: Cell<u32>,
    is_over: Cell<bool>,
}

impl<'a> Patience<'a> {
    /// As long as `run` may go on.
    pub fn of(run: &'a Run) -> Patience<'a> {
        Patience { run: Some(run), num_asked: Cell::new(0), is_over: Cell::new(false) }
    }

    /// For ever.
    pub fn endless() -> Patience<'static> {
        Patience { run: None, num_asked: Cell::new(0), is_over: Cell::new(false) }
    }

    /// Whether all of it was written so far.
    pub fn is_complete(&self) -> bool {
        !self.is_over.get()
    }

    fn goes_on(&self) -> bool {
        /// Checking the limits takes longer than writing an element.
        const ELEMENTS_PER_LOOK: u32 = 256;
        let num_asked = self.num_asked.get();
        self.num_asked.set(num_asked.wrapping_add(1));
        if num_asked.is_multiple_of(ELEMENTS_PER_LOOK)
            && self.run.is_some_and(|run| run.checkpoint().is_err())
        {
            self.is_over.set(true);
        }
        self.is_complete()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_end_with_their_run() {
        let run = Run::unlimited();
        let patience = Patience::of(&run);
        let written = |patience| serde_json::to_string(&Streamed::new(patience, || 1..=3)).unwrap();
        assert_eq!((written(&patience).as_str(), patience.is_complete()), ("[1,2,3]", true));
        run.cancel().request();
        let patience = Patience::of(&run);
        assert_eq!((written(&patience).as_str(), patience.is_complete()), ("[]", false));
        assert_eq!(written(&Patience::endless()), "[1,2,3]");
    }
}
