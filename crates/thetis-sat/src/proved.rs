//! A SAT solver that need not be trusted: it reports that there is no model only after the
//! [checker](crate::ClausalChecker) has verified its proof.

use thetis_base::Run;

use crate::{BatSat, ClausalChecker, Lit, Sat, SatAnswer, Var};

/// [`BatSat`] with its proofs checked. Only the checker and the code that creates the clauses remain to be
/// trusted.
pub struct ProvedSat {
    solver: BatSat,
    checker: ClausalChecker,
}

impl ProvedSat {
    /// A solver without clauses.
    pub fn new(run: &Run) -> ProvedSat {
        ProvedSat { solver: BatSat::proving(run), checker: ClausalChecker::new() }
    }

    /// Follows what the solver has learned, up to the claim that the assumptions have no model.
    fn check(&mut self, assumptions: &[Lit]) -> SatAnswer {
        for step in self.solver.take_proof() {
            if self.solver.is_interrupted() {
                return SatAnswer::Interrupted;
            }
            if !self.checker.follow(&step) {
                return SatAnswer::Unproved;
            }
        }
        if self.checker.refutes(assumptions) { SatAnswer::Unsat } else { SatAnswer::Unproved }
    }
}

impl Sat for ProvedSat {
    fn new_var(&mut self) -> Var {
        self.solver.new_var()
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        // What was learned before follows from more clauses as well.
        self.checker.add_axiom(clause);
        self.solver.add_clause(clause);
    }

    fn solve(&mut self, assumptions: &[Lit]) -> SatAnswer {
        match self.solver.solve(assumptions) {
            SatAnswer::Unsat => self.check(assumptions),
            outcome => outcome,
        }
    }

    fn value(&self, literal: Lit) -> bool {
        self.solver.value(literal)
    }

    fn in_core(&self, assumption: Lit) -> bool {
        self.solver.in_core(assumption)
    }
}
