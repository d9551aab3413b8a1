//! The back end BatSat, a relative of MiniSat in Rust.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use batsat::{Callbacks, Solver, SolverInterface, SolverOpts, clause, lbool};
use thetis_base::{OnCancel, Run};

use crate::{Lit, ProofStep, Sat, SatAnswer, Var};

/// A solver whose questions end when its run must stop.
pub struct BatSat {
    solver: Solver<Interrupt>,
    /// Reused for clauses on their way to the solver.
    buffer: Vec<batsat::Lit>,
    _on_cancel: Option<OnCancel>,
}

/// Looks at a flag that the watchdog of the run sets, and keeps the proof if one is wanted.
struct Interrupt {
    flag: Arc<AtomicBool>,
    proof: Option<Vec<ProofStep>>,
}

impl Callbacks for Interrupt {
    fn stop(&self) -> bool {
        self.flag.load(Ordering::Relaxed)
    }

    fn on_new_clause(&mut self, clause: &[batsat::Lit], _: clause::Kind) {
        if let Some(proof) = &mut self.proof {
            proof.push(ProofStep::Learned(clause.iter().copied().map(ours).collect()));
        }
    }

    fn on_delete_clause(&mut self, clause: &[batsat::Lit]) {
        if let Some(proof) = &mut self.proof {
            proof.push(ProofStep::Deleted(clause.iter().copied().map(ours).collect()));
        }
    }
}

impl BatSat {
    /// A solver without clauses.
    pub fn new(run: &Run) -> BatSat {
        let flag = Arc::new(AtomicBool::new(false));
        let shared = flag.clone();
        let on_cancel = run.on_cancel(move || shared.store(true, Ordering::Relaxed));
        BatSat::with_flag(flag, Some(on_cancel))
    }

    /// Another empty solver that is stopped together with this one, which must outlive it.
    #[must_use]
    pub fn sibling(&self) -> BatSat {
        BatSat::with_flag(self.solver.cb().flag.clone(), None)
    }

    /// A solver without clauses that keeps [what it learns](BatSat::take_proof).
    pub(crate) fn proving(run: &Run) -> BatSat {
        let mut solver = BatSat::new(run);
        solver.solver.cb_mut().proof = Some(Vec::new());
        solver
    }

    /// What was learned since the last call, in order.
    pub(crate) fn take_proof(&mut self) -> Vec<ProofStep> {
        self.solver.cb_mut().proof.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// Whether the run must stop.
    pub(crate) fn is_interrupted(&self) -> bool {
        self.solver.cb().stop()
    }

    fn with_flag(flag: Arc<AtomicBool>, on_cancel: Option<OnCancel>) -> BatSat {
        let solver = Solver::new(SolverOpts::default(), Interrupt { flag, proof: None });
        BatSat { solver, buffer: Vec::new(), _on_cancel: on_cancel }
    }
}

fn theirs(literal: Lit) -> batsat::Lit {
    batsat::Lit::new(batsat::Var::unsafe_from_idx(literal.var().0), literal.is_positive())
}

fn ours(literal: batsat::Lit) -> Lit {
    Var(literal.var().idx()).is(literal.sign())
}

impl Sat for BatSat {
    fn new_var(&mut self) -> Var {
        Var(self.solver.new_var_default().idx())
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        self.buffer.clear();
        self.buffer.extend(clause.iter().copied().map(theirs));
        self.solver.add_clause_reuse(&mut self.buffer);
    }

    fn solve(&mut self, assumptions: &[Lit]) -> SatAnswer {
        let assumptions: Vec<batsat::Lit> = assumptions.iter().copied().map(theirs).collect();
        let result = self.solver.solve_limited(&assumptions);
        if result == lbool::TRUE {
            SatAnswer::Sat
        } else if result == lbool::FALSE {
            SatAnswer::Unsat
        } else {
            SatAnswer::Interrupted
        }
    }

    fn value(&self, literal: Lit) -> bool {
        self.solver.value_lit(theirs(literal)) == lbool::TRUE
    }

    fn in_core(&self, assumption: Lit) -> bool {
        self.solver.unsat_core_contains_lit(theirs(!assumption))
    }
}
