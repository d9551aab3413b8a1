//! Evidence about Petri nets: places and transitions go by name, numbers are exact.

use std::collections::BTreeMap;

use serde::ser::SerializeStruct;
use serde::{Deserialize, Serialize, Serializer};
use thetis_model::Task;
use thetis_model::petri::{
    Net, PetriProof, PetriTrace, PlaceId, Refutation, Round, Row, StateEquationProof, Step, TransitionId,
};
use thetis_model::sts::Paths;

use super::predicate::{self, PredicateText};
use super::sts::PathsText;
use super::{CertificateError, Keepable, Program, error};
use crate::streamed::{Patience, Streamed};

/// A firing sequence.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TraceText {
    /// The transitions in the order of firing.
    firings: Vec<FiringText>,
}

/// A transition that fires once or several times in succession.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
enum FiringText {
    /// Once.
    Once(String),
    /// So many times.
    Times(String, u64),
}

/// A proof.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub enum ProofText {
    /// The state equation with traps and siphons has no solution.
    StateEquation(StateEquationText),
    /// Exploring all markings finds none that satisfies the target.
    StateSpace {
        /// How many markings there are.
        markings: u64,
    },
    /// Exploring along stubborn sets does not find the target.
    ReducedStateSpace,
    /// An inductive predicate that contradicts the target.
    Invariant(PredicateText),
    /// An induction over several markings.
    KInductive {
        /// The number of markings.
        k: u32,
        /// An inductive predicate that may be assumed of all markings.
        lemma: PredicateText,
        /// Which sequences of markings are looked at.
        paths: PathsText,
    },
}

/// The state equation contradicts the target.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StateEquationText {
    /// Traps with a token at the start.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    traps: Vec<Vec<String>>,
    /// Siphons without one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    siphons: Vec<Vec<String>>,
    /// Why the target cannot hold.
    refutation: RefutationText,
}

/// Why a case has no solution.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub enum RefutationText {
    /// None of the alternatives of an open choice has one.
    Cases {
        /// Which of the open choices.
        choice: usize,
        /// A refutation for each alternative.
        alternatives: Vec<RefutationText>,
    },
    /// There is none with few firings of a transition, and none with many.
    Branch {
        /// The transition.
        transition: String,
        /// The greatest number that counts as few.
        at: u64,
        /// With few.
        few: Box<RefutationText>,
        /// With many.
        many: Box<RefutationText>,
    },
    /// The rows contradict each other.
    Cuts(Vec<StepText>),
}

/// A row from earlier ones. Multipliers and divisors are decimal numbers of any size.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StepText {
    /// Rows with their multipliers.
    sum: Vec<(RowText, String)>,
    /// The divisor; missing: one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    divisor: Option<String>,
}

/// A row that a step may use.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub enum RowText {
    /// A constraint of the case.
    Target(usize),
    /// The tokens of a place are not negative.
    Place(String),
    /// A trap.
    Trap(usize),
    /// A siphon.
    Siphon(usize),
    /// A decision on the way from the root.
    Branch(usize),
    /// An earlier step.
    Step(usize),
}

impl Keepable for Net {
    type ProofText = ProofText;
    type TraceText = TraceText;

    fn program(_: &Task<Net>) -> Option<Program> {
        None
    }

    fn write_proof<S: Serializer>(
        task: &Task<Net>,
        proof: &PetriProof,
        _: &Patience<'_>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let proof = match proof {
            PetriProof::StateSpace { num_markings } => ProofText::StateSpace { markings: *num_markings },
            PetriProof::ReducedStateSpace => ProofText::ReducedStateSpace,
            PetriProof::Invariant(predicate) => {
                ProofText::Invariant(predicate::write(&task.model, predicate))
            }
            PetriProof::KInductive { k, lemma, paths } => ProofText::KInductive {
                k: *k,
                lemma: predicate::write(&task.model, lemma),
                paths: PathsText::from(*paths),
            },
            PetriProof::StateEquation(proof) => {
                ProofText::StateEquation(Writer(&task.model).state_equation(proof))
            }
        };
        proof.serialize(serializer)
    }

    fn write_trace<S: Serializer>(
        task: &Task<Net>,
        trace: &PetriTrace,
        patience: &Patience<'_>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let firing = |round: &Round| {
            let name = Writer(&task.model).transition(round.transition);
            if round.count == 1 { FiringText::Once(name) } else { FiringText::Times(name, round.count) }
        };
        let mut fields = serializer.serialize_struct("Trace", 1)?;
        fields.serialize_field("firings", &Streamed::new(patience, || trace.rounds.iter().map(firing)))?;
        fields.end()
    }

    fn read_proof(task: &Task<Net>, proof: &ProofText) -> Result<PetriProof, CertificateError> {
        Ok(match proof {
            ProofText::StateSpace { markings } => PetriProof::StateSpace { num_markings: *markings },
            ProofText::ReducedStateSpace => PetriProof::ReducedStateSpace,
            ProofText::Invariant(text) => {
                PetriProof::Invariant(predicate::read(&Reader::new(&task.model), text)?)
            }
            ProofText::KInductive { k, lemma, paths } => PetriProof::KInductive {
                k: *k,
                lemma: predicate::read(&Reader::new(&task.model), lemma)?,
                paths: Paths::from(*paths),
            },
            ProofText::StateEquation(proof) => {
                PetriProof::StateEquation(Reader::new(&task.model).state_equation(proof)?)
            }
        })
    }

    fn read_trace(task: &Task<Net>, trace: &TraceText) -> Result<PetriTrace, CertificateError> {
        let reader = Reader::new(&task.model);
        let round = |text: &FiringText| {
            let (name, count) = match text {
                FiringText::Once(name) => (name, 1),
                FiringText::Times(name, count) => (name, *count),
            };
            Ok(Round { transition: reader.transition(name)?, count })
        };
        trace.firings.iter().map(round).collect()
    }
}

pub(super) struct Writer<'n>(pub(super) &'n Net);

impl Writer<'_> {
    pub(super) fn place(&self, place: PlaceId) -> String {
        self.0.places()[place].name.clone()
    }

    pub(super) fn transition(&self, transition: TransitionId) -> String {
        self.0.transitions()[transition].name.clone()
    }

    fn state_equation(&self, proof: &StateEquationProof) -> StateEquationText {
        let sets = |sets: &[Vec<PlaceId>]| {
            let names = |set: &Vec<PlaceId>| set.iter().map(|place| self.place(*place)).collect();
            sets.iter().map(names).collect()
        };
        StateEquationText {
            traps: sets(&proof.traps),
            siphons: sets(&proof.siphons),
            refutation: self.refutation(&proof.refutation),
        }
    }

    fn refutation(&self, refutation: &Refutation) -> RefutationText {
        match refutation {
            Refutation::Cases { choice, alternatives } => RefutationText::Cases {
                choice: *choice,
                alternatives: alternatives.iter().map(|part| self.refutation(part)).collect(),
            },
            Refutation::Branch { transition, at, few, many } => RefutationText::Branch {
                transition: self.transition(*transition),
                at: *at,
                few: Box::new(self.refutation(few)),
                many: Box::new(self.refutation(many)),
            },
            Refutation::Cuts(steps) => {
                RefutationText::Cuts(steps.iter().map(|step| self.step(step)).collect())
            }
        }
    }

    fn step(&self, step: &Step) -> StepText {
        let sum = step.sum.iter().map(|(row, factor)| (self.row(*row), factor.to_string()));
        StepText { sum: sum.collect(), divisor: (step.divisor != 1).then(|| step.divisor.to_string()) }
    }

    fn row(&self, row: Row) -> RowText {
        match row {
            Row::Target(index) => RowText::Target(index),
            Row::Place(place) => RowText::Place(self.place(place)),
            Row::Trap(index) => RowText::Trap(index),
            Row::Siphon(index) => RowText::Siphon(index),
            Row::Branch(index) => RowText::Branch(index),
            Row::Step(index) => RowText::Step(index),
        }
    }
}

pub(super) struct Reader<'n> {
    places: BTreeMap<&'n str, PlaceId>,
    transitions: BTreeMap<&'n str, TransitionId>,
}

impl<'n> Reader<'n> {
    pub(super) fn new(net: &'n Net) -> Reader<'n> {
        let places = net.places().iter_enumerated().map(|(id, place)| (place.name.as_str(), id));
        let transitions = net.transitions().iter_enumerated().map(|(id, one)| (one.name.as_str(), id));
        Reader { places: places.collect(), transitions: transitions.collect() }
    }

    pub(super) fn place(&self, name: &str) -> Result<PlaceId, CertificateError> {
        match self.places.get(name) {
            Some(place) => Ok(*place),
            None => error(format!("the net has no place `{name}`")),
        }
    }

    pub(super) fn transition(&self, name: &str) -> Result<TransitionId, CertificateError> {
        match self.transitions.get(name) {
            Some(transition) => Ok(*transition),
            None => error(format!("the net has no transition `{name}`")),
        }
    }

    fn state_equation(&self, proof: &StateEquationText) -> Result<StateEquationProof, CertificateError> {
        let set = |names: &Vec<String>| names.iter().map(|name| self.place(name)).collect();
        Ok(StateEquationProof {
            traps: proof.traps.iter().map(set).collect::<Result<_, _>>()?,
            siphons: proof.siphons.iter().map(set).collect::<Result<_, _>>()?,
            refutation: self.refutation(&proof.refutation)?,
        })
    }

    /// Recursion is as deep as the text; the JSON parser has rejected texts that are nested too deeply.
    fn refutation(&self, refutation: &RefutationText) -> Result<Refutation, CertificateError> {
        Ok(match refutation {
            RefutationText::Cases { choice, alternatives } => Refutation::Cases {
                choice: *choice,
                alternatives: alternatives
                    .iter()
                    .map(|part| self.refutation(part))
                    .collect::<Result<_, _>>()?,
            },
            RefutationText::Branch { transition, at, few, many } => Refutation::Branch {
                transition: self.transition(transition)?,
                at: *at,
                few: Box::new(self.refutation(few)?),
                many: Box::new(self.refutation(many)?),
            },
            RefutationText::Cuts(steps) => {
                Refutation::Cuts(steps.iter().map(|step| self.step(step)).collect::<Result<_, _>>()?)
            }
        })
    }

    fn step(&self, step: &StepText) -> Result<Step, CertificateError> {
        let sum = step.sum.iter().map(|(row, factor)| Ok((self.row(row)?, number(factor)?)));
        let divisor = step.divisor.as_deref().map_or(Ok(1), number)?;
        Ok(Step { sum: sum.collect::<Result<_, _>>()?, divisor })
    }

    fn row(&self, row: &RowText) -> Result<Row, CertificateError> {
        Ok(match row {
            RowText::Target(index) => Row::Target(*index),
            RowText::Place(name) => Row::Place(self.place(name)?),
            RowText::Trap(index) => Row::Trap(*index),
            RowText::Siphon(index) => Row::Siphon(*index),
            RowText::Branch(index) => Row::Branch(*index),
            RowText::Step(index) => Row::Step(*index),
        })
    }
}

fn number(text: &str) -> Result<i128, CertificateError> {
    match text.parse() {
        Ok(number) => Ok(number),
        Err(_) => error(format!("`{text}` is not a number that the checker can calculate with")),
    }
}
