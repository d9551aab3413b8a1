//! An engine for automata that model only part of a program.
//!
//! Where a front end does not support a construct, it puts a *limit*: a location beyond which the automaton no longer models the
//! program. What happens after a limit is unknown, so `Safe` requires that no limit is reachable, and a run that ends at a limit
//! is not a violation. Other engines know only error locations. [`Limited`] asks such an engine whether an error location or a
//! limit is reachable. If the answer is a run to a limit, it asks again with the limits as dead ends, because a run that reaches
//! an error location without passing a limit is a violation. The first question may use all of the time, since the second is asked
//! only after it is answered.

use thetis_base::{Event, Run, Statistics, Stop};
use thetis_model::cfa::{Cfa, LimitsAsErrors};
use thetis_model::{Evidence, Reason, Task, Verdict};

use crate::{Engine, Through};

/// The engine. See the [module](self).
pub struct Limited<E> {
    engine: E,
}

impl<E> Limited<E> {
    /// `engine`, for tasks with limits and without.
    pub fn new(engine: E) -> Limited<E> {
        Limited { engine }
    }
}

impl<E: Engine<Cfa>> Engine<Cfa> for Limited<E> {
    fn check(&mut self, task: &Task<Cfa>, run: &Run) -> Result<Verdict<Cfa>, Stop> {
        if task.model.limits.is_empty() {
            return self.engine.check(task, run);
        }
        let verdict = Through::new(LimitsAsErrors, &mut self.engine).check(task, run)?;
        let limit = match &verdict {
            Verdict::Unsafe(Evidence::Given(trace)) => task.model.limit_of(trace),
            _ => None,
        };
        let Some(limit) = limit else { return Ok(verdict) };
        run.emit(Event::Note(format!("a run reaches a limit of the model: {limit}")));
        let mut without = task.clone();
        without.model.limits.clear();
        match self.engine.check(&without, run) {
            Ok(verdict @ Verdict::Unsafe(Evidence::Given(_))) => Ok(verdict),
            Err(Stop::Cancelled) => Err(Stop::Cancelled),
            _ => Ok(Verdict::Unknown(Reason::Incomplete(limit.to_owned()))),
        }
    }

    fn statistics(&self) -> Statistics {
        self.engine.statistics()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use thetis_expr::Store;
    use thetis_model::cfa::{CfaBuilder, CfaProperty, CfaStep, CfaTrace, EdgeId, Graph, Stmt};

    use super::*;

    /// Finds the first error location that the graph reaches.
    struct Walker;

    impl Engine<Cfa> for Walker {
        fn check(&mut self, task: &Task<Cfa>, _: &Run) -> Result<Verdict<Cfa>, Stop> {
            let cfa = &task.model;
            let mut edges = cfa.edges.iter_enumerated();
            Ok(match edges.find(|(_, edge)| cfa.is_error(edge.target)) {
                Some((edge, _)) => {
                    let step = CfaStep { edge, inputs: Vec::new(), choices: Vec::new() };
                    Verdict::Unsafe(Evidence::Given(CfaTrace::new(BTreeMap::new(), vec![step])))
                }
                None => Verdict::Safe(Evidence::Given(thetis_model::cfa::CfaProof::unwinding(
                    &Graph::new(cfa),
                    0,
                ))),
            })
        }

        fn statistics(&self) -> Statistics {
            Statistics::new("walker")
        }
    }

    /// Edges from the start to a limit, if wanted, and to a violation, if wanted.
    fn check(has_limit: bool, has_violation: bool) -> Verdict<Cfa> {
        let store = Store::new();
        let mut builder = CfaBuilder::new("limits");
        let [start, limit, bad] = ["start", "limit", "bad"].map(|name| builder.location(name, None));
        builder.initial(start);
        builder.limit(limit, "line 3: asm");
        builder.error(bad);
        for (is_there, target) in [(has_limit, limit), (has_violation, bad)] {
            if is_there {
                builder.edge(start, target, Stmt::skip(), None);
            }
        }
        let model = builder.build(&store).unwrap();
        let task = Task { store, model, property: CfaProperty::ErrorLocation };
        Limited::new(Walker).check(&task, &Run::unlimited()).unwrap()
    }

    #[test]
    fn limits_are_no_violations_and_no_proofs() {
        assert!(matches!(check(false, false), Verdict::Safe(_)));
        assert!(
            matches!(check(true, false), Verdict::Unknown(Reason::Incomplete(words)) if words.contains("asm"))
        );
        match check(true, true) {
            Verdict::Unsafe(Evidence::Given(trace)) => assert_eq!(trace.steps[0].edge, EdgeId::new(1)),
            other => panic!("{other:?}"),
        }
        assert!(matches!(check(false, true), Verdict::Unsafe(_)));
    }
}
