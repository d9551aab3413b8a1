//! The pass `reduce`: structural reductions.
//!
//! Rules make the net smaller until none applies. The *exact* ones (see [`rules`]) keep the reachable markings, up to places
//! whose counts can be told from others, and so are right for every question. The others (see [`agglomerate`] and `cone` in
//! [`rules`]) keep only whether a marking with the target can be reached: Berthelot's agglomerations (1987), restricted to
//! places and transitions that the target does not see, and the cone of influence.
//!
//! First the target is rewritten over places alone: `fireable` and `deadlock` become conditions on token counts of the
//! original net, so that transitions may change freely afterwards, and a place that such a condition needs counts as seen.
//!
//! Each transition of the reduced net stands for a sequence of original ones, so a trace is lifted by writing the sequences one after
//! the other. The size of the state space is lifted if only exact rules were used; other proofs are not.

mod agglomerate;
mod rules;
mod target;
mod work;

use thetis_base::{IndexVec, Run, Stop};
use thetis_expr::Store;

use super::{Net, PetriProof, PetriProperty, PetriTrace, Question, TransitionId};
use crate::{Evidence, Lift, Pass, Passed, Task};
use work::Work;

/// The pass. By default it uses all rules.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Reduce {
    only: Option<&'static str>,
}

/// A rule: it changes the net where it can and says how often.
struct Rule {
    name: &'static str,
    kind: RuleKind,
    apply: fn(&mut Work) -> usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum RuleKind {
    /// The reachable markings stay the same.
    Exact,
    /// Whether the target can be reached stays the same.
    Target,
}

const RULES: [Rule; 8] = [
    Rule { name: "dead-transition", kind: RuleKind::Exact, apply: rules::dead_transition },
    Rule { name: "idle-transition", kind: RuleKind::Exact, apply: rules::idle_transition },
    Rule { name: "dominated-transition", kind: RuleKind::Exact, apply: rules::dominated_transition },
    Rule { name: "constant-place", kind: RuleKind::Exact, apply: rules::constant_place },
    Rule { name: "parallel-place", kind: RuleKind::Exact, apply: rules::parallel_place },
    Rule { name: "cone", kind: RuleKind::Target, apply: rules::cone },
    Rule { name: "post-agglomeration", kind: RuleKind::Target, apply: agglomerate::post },
    Rule { name: "pre-agglomeration", kind: RuleKind::Target, apply: agglomerate::pre },
];

impl Pass<Net> for Reduce {
    type Target = Net;

    fn name(&self) -> &'static str {
        "reduce"
    }

    fn apply(&self, task: Task<Net>, run: &Run) -> Result<Passed<Net, Net>, Stop> {
        self.reduce(&task, run).map(|(passed, _)| passed)
    }
}

/// How often each rule was applied, by name.
pub type RuleCounts = Vec<(&'static str, usize)>;

impl Reduce {
    /// A pass that uses one rule.
    pub fn only(rule: &'static str) -> Reduce {
        Reduce { only: Some(rule) }
    }

    /// The names of all rules.
    pub fn rules() -> impl Iterator<Item = &'static str> {
        RULES.iter().map(|rule| rule.name)
    }

    /// The reduced task with its lift, and what was done.
    pub fn reduce(&self, task: &Task<Net>, run: &Run) -> Result<(Passed<Net, Net>, RuleCounts), Stop> {
        let net = &task.model;
        let has_target = !matches!(task.property.question(), Question::StateSpace | Question::Explore);
        let is_used = |rule: &Rule| {
            (rule.kind == RuleKind::Exact || has_target) && self.only.is_none_or(|only| only == rule.name)
        };
        let mut work = Work::new(net, target::over_places(net, &task.property.target(net)));
        let mut counts: RuleCounts = RULES.iter().map(|rule| (rule.name, 0)).collect();
        let mut is_exact = true;
        loop {
            let mut is_changed = false;
            for (rule, (_, count)) in RULES.iter().zip(&mut counts).filter(|(rule, _)| is_used(rule)) {
                run.checkpoint()?;
                let times = (rule.apply)(&mut work);
                *count += times;
                is_changed |= times > 0;
                is_exact &= times == 0 || rule.kind == RuleKind::Exact;
            }
            if !is_changed {
                break;
            }
        }
        let (model, predicate, sequences) = work.finish(net);
        let question =
            if has_target { Question::Exists(predicate) } else { task.property.question().clone() };
        let property = PetriProperty::with_text(task.property.to_string(), question);
        let lift = Box::new(ReduceLift { sequences, is_exact });
        let task = Task { store: task.store.clone(), model, property };
        Ok((Passed { task, lift }, counts))
    }
}

struct ReduceLift {
    sequences: IndexVec<TransitionId, Vec<TransitionId>>,
    is_exact: bool,
}

impl Lift<Net, Net> for ReduceLift {
    fn trace(&self, trace: PetriTrace) -> PetriTrace {
        let firings = trace.firings.iter().flat_map(|transition| self.sequences[*transition].iter().copied());
        PetriTrace { firings: firings.collect() }
    }

    fn proof(&self, _task: &Task<Net>, _inner: &Store, proof: PetriProof) -> Evidence<PetriProof> {
        match proof {
            PetriProof::StateSpace { .. } if self.is_exact => Evidence::Given(proof),
            PetriProof::StateSpace { .. } | PetriProof::ReducedStateSpace => {
                Evidence::Missing("the markings were explored after structural reductions")
            }
            PetriProof::StateEquation(_) => {
                Evidence::Missing("the state equation was refuted after structural reductions")
            }
            PetriProof::Invariant(_) | PetriProof::KInductive { .. } => {
                Evidence::Missing("the induction is about the net after structural reductions")
            }
        }
    }
}
