//! A SAT solver with the interface for terms.

use thetis_base::Run;
use thetis_expr::{ExprId, Store, Value, VarId};
use thetis_solver::{
    Answer, CoreAnswer, CoreSolver, QueryLimit, Reason, Solver, SolverError, SolverFactory, Valuation,
    ValuationSource,
};

use crate::{BatSat, Encoder, Lit, NotBoolean, ProvedSat, Sat, SatAnswer};

/// Starts SAT solvers for Boolean terms. What is not Boolean is [`SolverError::Unsupported`].
///
/// Limits of single queries are not supported: a query ends with its run.
#[derive(Clone, Copy, Default, Debug)]
pub struct SatFactory;

impl SolverFactory for SatFactory {
    fn name(&self) -> &str {
        "batsat"
    }

    fn start(&self, run: &Run) -> Result<Box<dyn CoreSolver>, SolverError> {
        Ok(Box::new(SatSolver::on(BatSat::new(run))))
    }
}

/// As [`SatFactory`], but reports that there is no model only after the proof has been checked. Cores are not
/// checked.
#[derive(Clone, Copy, Default, Debug)]
pub struct ProvedSatFactory;

impl SolverFactory for ProvedSatFactory {
    fn name(&self) -> &str {
        "clausal"
    }

    fn start(&self, run: &Run) -> Result<Box<dyn CoreSolver>, SolverError> {
        Ok(Box::new(SatSolver::on(ProvedSat::new(run))))
    }
}

struct SatSolver<S> {
    sat: S,
    encoder: Encoder,
    /// For each open scope the literal under which its assertions hold.
    scopes: Vec<Lit>,
}

impl<S: Sat> SatSolver<S> {
    fn on(sat: S) -> SatSolver<S> {
        SatSolver { sat, encoder: Encoder::new(), scopes: Vec::new() }
    }

    fn literal(&mut self, store: &Store, formula: ExprId) -> Result<Lit, SolverError> {
        self.encoder.literal(store, formula, &mut self.sat).map_err(|NotBoolean(term)| {
            SolverError::Unsupported(format!("{:?} beyond Booleans", store.op(term)))
        })
    }

    fn ask(&mut self, store: &Store, assumptions: &[ExprId]) -> Result<(SatAnswer, Vec<Lit>), SolverError> {
        let given =
            assumptions.iter().map(|formula| self.literal(store, *formula)).collect::<Result<Vec<_>, _>>()?;
        let all: Vec<Lit> = self.scopes.iter().chain(&given).copied().collect();
        Ok((self.sat.solve(&all), given))
    }
}

impl<S: Sat> Solver for SatSolver<S> {
    fn push(&mut self) -> Result<(), SolverError> {
        let scope = self.sat.new_var().is(true);
        self.scopes.push(scope);
        Ok(())
    }

    fn pop(&mut self) -> Result<(), SolverError> {
        let scope = self.scopes.pop().expect("a scope should be open");
        self.sat.add_clause(&[!scope]);
        Ok(())
    }

    fn assert(&mut self, store: &Store, formula: ExprId) -> Result<(), SolverError> {
        for conjunct in store.conjuncts(formula) {
            let mut clause: Vec<Lit> = self.scopes.last().map(|scope| !*scope).into_iter().collect();
            for disjunct in store.disjuncts(conjunct) {
                clause.push(self.literal(store, disjunct)?);
            }
            self.sat.add_clause(&clause);
        }
        Ok(())
    }

    fn check(&mut self, store: &Store, assumptions: &[ExprId]) -> Result<Answer<'_>, SolverError> {
        Ok(match self.ask(store, assumptions)?.0 {
            SatAnswer::Sat => Answer::Sat(Valuation::new(Model { solver: self })),
            SatAnswer::Unsat => Answer::Unsat,
            SatAnswer::Interrupted => Answer::Unknown(Reason::Interrupted),
            SatAnswer::Unproved => return Err(unproved()),
        })
    }

    fn set_limit(&mut self, _: QueryLimit) {}
}

impl<S: Sat> CoreSolver for SatSolver<S> {
    fn check_core(&mut self, store: &Store, assumptions: &[ExprId]) -> Result<CoreAnswer<'_>, SolverError> {
        let (outcome, literals) = self.ask(store, assumptions)?;
        Ok(match outcome {
            SatAnswer::Sat => CoreAnswer::Sat(Valuation::new(Model { solver: self })),
            SatAnswer::Unsat => {
                let pairs = assumptions.iter().zip(literals);
                let core = pairs.filter(|(_, literal)| self.sat.in_core(*literal));
                CoreAnswer::Unsat(core.map(|(formula, _)| *formula).collect())
            }
            SatAnswer::Interrupted => CoreAnswer::Unknown(Reason::Interrupted),
            SatAnswer::Unproved => return Err(unproved()),
        })
    }
}

fn unproved() -> SolverError {
    SolverError::Wrong("a proof that does not hold".into())
}

/// Variables that no formula mentioned are false.
struct Model<'s, S> {
    solver: &'s SatSolver<S>,
}

impl<S: Sat> ValuationSource for Model<'_, S> {
    fn value(&self, _: &Store, var: VarId) -> Result<Value, SolverError> {
        let literal = self.solver.encoder.known_var(var);
        Ok(Value::Bool(literal.is_some_and(|literal| self.solver.sat.value(literal))))
    }
}
