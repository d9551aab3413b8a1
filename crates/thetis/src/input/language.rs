//! What the language of an input supports beyond its formalism.

use std::collections::BTreeSet;

use thetis_base::{FileId, SourceMap};
use thetis_c::evidence::harness::{Harness, NoHarness};
use thetis_model::{Model, Reason, Task, Verdict};
use thetis_portfolio::PassesConfig;
use thetis_report::{Fact, TraceStep};

use crate::facts::place::Places;
use crate::failure::Failure;
use crate::input::project::Unit;
use crate::session::Session;

/// The language of a task. Everything is optional.
pub(crate) trait Language<M: Model> {
    /// Evidence in the witness format of the language.
    fn witnesses(&self) -> Option<&dyn Witnesses<M>> {
        None
    }

    /// The facts of an undecided run, in the witness format of the language.
    fn partial_witnesses(&self) -> Option<&dyn PartialWitnesses<M>> {
        None
    }

    /// Programs that make the compiled program take a run.
    fn harnesses(&self) -> Option<&dyn Harnesses<M>> {
        None
    }

    /// Tests that cover the behaviour of the model.
    fn tests(&self) -> Option<&dyn Tests<M>> {
        None
    }

    /// The model as text in the base language of this format.
    fn written(&self) -> Option<String> {
        None
    }

    /// A run as steps on the source.
    fn story(&self, _trace: &M::Trace, _sources: &SourceMap) -> Option<Vec<TraceStep>> {
        None
    }

    /// What happens on each edge of the model.
    fn labels(&self, _sources: &SourceMap) -> Option<Vec<String>> {
        None
    }

    /// The same run with inputs that are easier to read, if there is one.
    fn plainer(&self, _task: &Task<M>, _trace: &M::Trace) -> Option<M::Trace> {
        None
    }

    /// The invariants of a proof at source positions, in the source language.
    fn facts(&self, _task: &Task<M>, _proof: &M::Proof, _sources: &SourceMap) -> Option<Vec<Fact>> {
        None
    }

    /// What a proof covers and what it does not.
    fn scope(&self) -> Option<String> {
        None
    }

    /// The translation units of a C program.
    fn units(&self) -> &[Unit] {
        &[]
    }

    /// The texts of the model, if it has several.
    fn files(&self) -> &[FileId] {
        &[]
    }

    /// The source positions of the automaton's locations.
    fn places(&self, _sources: &SourceMap) -> Places {
        Places::new()
    }

    /// Answers about Horn clauses.
    fn clauses(&self) -> Option<&dyn ClauseAnswers<M>> {
        None
    }

    /// The facts of a proof about the model, in its language.
    fn invariants(&self, _task: &Task<M>, _proof: &M::Proof) -> Vec<String> {
        Vec::new()
    }

    /// Whether models can have annotations.
    fn has_annotations(&self) -> bool {
        false
    }

    /// The text of the model with the invariants of a proof as annotations.
    fn annotated(&self, _task: &Task<M>, _proof: &M::Proof, _sources: &SourceMap) -> Option<String> {
        None
    }

    /// The same input with its numbers as bit-vectors, if that is another translation and nobody has asked for this one.
    fn in_bit_vectors(&self, _sources: &SourceMap) -> Option<Translate<M>> {
        None
    }

    /// The part of the property that a run violates, if it has several.
    fn violated(&self, _trace: &M::Trace) -> Option<String> {
        None
    }
}

/// Makes an input again with another translation.
pub(crate) type Translate<M> = Box<dyn Fn() -> Option<(Task<M>, Box<dyn Language<M>>)>>;

/// Writes witnesses.
pub(crate) trait Witnesses<M: Model> {
    /// The evidence of a verdict; `None` if the format cannot express it.
    fn witness(
        &self,
        task: &Task<M>,
        verdict: &Verdict<M>,
        sources: &SourceMap,
    ) -> Result<Option<Witness>, String>;
}

/// Writes the facts of an undecided run.
pub(crate) trait PartialWitnesses<M: Model> {
    /// The invariants among `facts` that are inductive together, on the model after `passes`; the reason if there can be no witness.
    fn partial(
        &self,
        task: &Task<M>,
        facts: &[thetis_base::Fact],
        passes: &PassesConfig,
        sources: &SourceMap,
        session: &Session,
    ) -> Result<Witness, String>;
}

/// A witness as text.
pub(crate) struct Witness {
    pub(crate) text: String,
    /// What it leaves out, as a message.
    pub(crate) remark: Option<String>,
}

/// Writes harnesses.
pub(crate) trait Harnesses<M: Model> {
    /// The harness for a run, or why there is none.
    fn harness(&self, trace: &M::Trace, sources: &SourceMap) -> Result<Harness, NoHarness>;
}

/// Determines the goals of tests, and writes the tests.
pub(crate) trait Tests<M: Model> {
    /// Descriptions of the goals.
    fn goals(&self, sources: &SourceMap) -> Vec<String>;

    /// The task whose violations reach the goals that are left.
    fn search(&self, left: &BTreeSet<usize>) -> Task<M>;

    /// The run of the model that corresponds to a violation of [`Tests::search`], and the goals that it reaches.
    fn found(&self, left: &BTreeSet<usize>, trace: M::Trace) -> (M::Trace, BTreeSet<usize>);

    /// The test that takes a run to a goal: a C file.
    fn driver(&self, trace: &M::Trace, goal: &str, sources: &SourceMap) -> String;

    /// The inputs of a run, in order.
    fn inputs(&self, trace: &M::Trace, sources: &SourceMap) -> Vec<String>;

    /// What the tests are about.
    fn subject(&self) -> TestSubject;
}

/// What tests are about.
pub(crate) struct TestSubject {
    pub(crate) program: String,
    pub(crate) sha256: String,
    pub(crate) specification: String,
    pub(crate) bits: u64,
}

/// What an answer about Horn clauses should contain.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum ClauseDetail {
    /// Whether they are satisfiable.
    Verdict,
    /// Also a model, if there is one. If the proof has another form, a model is searched for.
    Model,
}

/// Translates a checked verdict back to the Horn clauses.
pub(crate) trait ClauseAnswers<M: Model> {
    /// The answer, after the evidence was checked on the clauses themselves; or why it is not accepted there.
    fn answer(
        &self,
        task: &Task<M>,
        verdict: &Verdict<M>,
        detail: ClauseDetail,
        sources: &SourceMap,
        session: &Session,
    ) -> Result<Result<String, Reason>, Failure>;
}

/// The language of a self-contained model.
pub(crate) struct Plain;

impl<M: Model> Language<M> for Plain {}
