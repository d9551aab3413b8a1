//! Horn clauses, solved by Z3's engine Spacer. A solution for the points of a chain is a sequence of interpolants, and
//! Spacer looks for general ones.
//!
//! Follows Komuravelli, Gurfinkel and Chaki, *SMT-Based Model Checking for Recursive Programs* (2014), for the engine.

use std::time::Duration;

use thetis_base::{Run, Stop};
use thetis_expr::{ExprId, Store};
use thetis_solver::{Chain, HornAnswer, HornScript, HornSolver, HornSystem, Interpolator, SolverError};

use crate::ffi::{Context, RawSolver};

/// Spacer as a solver of Horn clauses, and as the interpolator `horn`.
#[derive(Clone, Copy, Debug)]
pub struct Z3Horn {
    max_time: Duration,
    guidance: Guidance,
}

/// How Spacer generalises: from one lemma at a time, or from several that look alike.
#[derive(Clone, Copy, Debug)]
enum Guidance {
    Local,
    Global,
}

impl Default for Z3Horn {
    fn default() -> Self {
        Z3Horn::new(Duration::from_secs(3))
    }
}

impl Z3Horn {
    /// Gives up on clauses after `max_time`.
    pub fn new(max_time: Duration) -> Z3Horn {
        Z3Horn { max_time, guidance: Guidance::Local }
    }

    /// With global guidance, which finds the invariants of loops where Spacer would else list values.
    pub fn guided(self) -> Z3Horn {
        Z3Horn { guidance: Guidance::Global, ..self }
    }
}

impl Interpolator for Z3Horn {
    fn name(&self) -> &'static str {
        "horn"
    }

    fn interpolate(&mut self, store: &Store, chain: &Chain, run: &Run) -> Result<Option<Vec<ExprId>>, Stop> {
        Ok(match self.solve(store, &HornSystem::of_chain(store, chain), run)? {
            HornAnswer::Solved(formulas) => Some(formulas),
            HornAnswer::Contradictory | HornAnswer::Unknown(_) => None,
        })
    }
}

impl HornSolver for Z3Horn {
    fn solve(&mut self, store: &Store, system: &HornSystem, run: &Run) -> Result<HornAnswer, Stop> {
        run.checkpoint()?;
        let script = HornScript::new(store, system);
        let context = Context::current()?;
        let interrupter = context.interrupter();
        let registration = run.at_most(self.max_time).on_cancel(move || interrupter.interrupt());
        // Options outlive a reset.
        let guidance = match self.guidance {
            Guidance::Local => "(set-option :fp.spacer.global false)\n",
            Guidance::Global => GLOBAL_GUIDANCE,
        };
        let answer = context
            .evaluate_script(&format!("(reset)\n{SPACER_OPTIONS}{guidance}{}", script.text(store, system)));
        drop(registration);
        RawSolver::settle(&context)?;
        // What Z3 cannot read is an error; so is an interruption.
        let answer = match answer.as_deref().map(str::trim) {
            Ok("sat") => match script.read(store, &context.evaluate_script("(get-model)\n")?) {
                Some(formulas) => HornAnswer::Solved(formulas),
                None => HornAnswer::Unknown("the solution of the clauses cannot be read".into()),
            },
            Ok("unsat") => HornAnswer::Contradictory,
            Ok(other) => HornAnswer::Unknown(format!("Spacer says: {other}")),
            Err(error) => HornAnswer::Unknown(error.to_string()),
        };
        context.evaluate_script("(reset)\n")?;
        Ok(answer)
    }
}

/// The options with which Spacer solves Horn clauses so that its answers can be used: with its simplifications, relations
/// come back with quantifiers.
pub const SPACER_OPTIONS: &str = "(set-option :fp.engine spacer)\n(set-option :fp.xform.slice false)\n\
    (set-option :fp.xform.inline_linear false)\n(set-option :fp.xform.inline_eager false)\n";

/// The option by which Spacer generalises from several lemmas that look alike.
pub const GLOBAL_GUIDANCE: &str = "(set-option :fp.spacer.global true)\n";

/// What Z3 says to an SMT-LIB script. Scripts of one thread follow each other as in one file.
pub fn evaluate_script(script: &str) -> Result<String, SolverError> {
    Context::current()?.evaluate_script(script)
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use thetis_expr::Sort;
    use thetis_solver::{Answer, Solver, SolverFactory, Step};

    use super::*;
    use crate::Z3Factory;

    /// `x := 0; (x := x + 1)^rounds; [x < 0]`.
    fn counting(store: &Store, rounds: usize) -> Chain {
        let x = store.declare("x", Sort::Int);
        let term = store.var_expr(x);
        let step = |conjuncts, next| Rc::new(Step { conjuncts, next, inputs: Vec::new() });
        let mut steps = vec![step(vec![], vec![(x, store.int(0))])];
        steps.extend((0..rounds).map(|_| step(vec![], vec![(x, store.add(term, store.int(1)))])));
        steps.push(step(vec![store.lt(term, store.int(0))], vec![]));
        Chain::infeasible(store, steps)
    }

    #[test]
    fn a_counter_gets_one_formula_a_point() {
        let store = Store::new();
        let chain = counting(&store, 3);
        let formulas = Z3Horn::default().interpolate(&store, &chain, &Run::unlimited()).unwrap().unwrap();
        assert_eq!(formulas.len(), chain.steps.len() + 1);
        assert_eq!(formulas[0], store.tru());
        assert_eq!(formulas[formulas.len() - 1], store.fals());
        let x = store.find_var("x").unwrap();
        assert_eq!(store.vars_of([formulas[2]]), [x]);
    }

    #[test]
    fn a_chain_without_contradiction_has_no_interpolants() {
        let store = Store::new();
        let mut chain = counting(&store, 1);
        chain.steps.pop();
        assert_eq!(Z3Horn::default().interpolate(&store, &chain, &Run::unlimited()).unwrap(), None);
    }

    #[test]
    fn time_over_is_no_answer_and_leaves_the_solver_usable() {
        let store = Store::new();
        let mut horn = Z3Horn::new(Duration::from_millis(1));
        let run = Run::unlimited();
        let mut solver = Z3Factory::default().start(&run).unwrap();
        assert_eq!(horn.interpolate(&store, &counting(&store, 60), &run).unwrap(), None);
        solver.push().unwrap();
        assert!(matches!(solver.check(&store, &[]).unwrap(), Answer::Sat(_)));
        let chain = counting(&store, 2);
        assert!(Z3Horn::default().interpolate(&store, &chain, &Run::unlimited()).unwrap().is_some());
    }
}
