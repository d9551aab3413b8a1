//! Claims about SMT-LIB text, decided by Z3 alone.
//!
//! Nothing of `thetis-expr` takes part, so this is an independent judge of its constructors, simplifier and printer.

use thetis_solver::SolverError;

use crate::ffi::{Context, RawSolver, Satisfiable, SolverKind};

/// Whether two terms mean the same.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Equivalence {
    /// They do, for all values of the declared symbols.
    Proved,
    /// They do not; Z3's model that tells them apart.
    Refuted(String),
    /// Z3 gave up; its reason.
    Unknown(String),
}

/// Whether the SMT-LIB terms `left` and `right` are equal under `declarations`, which are SMT-LIB commands.
///
/// ```no_run
/// use thetis_z3::{Equivalence, prove_equivalent_smtlib};
/// let declarations = "(declare-const x (_ BitVec 8))";
/// let answer = prove_equivalent_smtlib(declarations, "(bvadd x x)", "(bvshl x #x01)");
/// assert_eq!(answer, Ok(Equivalence::Proved));
/// ```
pub fn prove_equivalent_smtlib(
    declarations: &str,
    left: &str,
    right: &str,
) -> Result<Equivalence, SolverError> {
    let mut solver = RawSolver::new(&Context::current()?, &SolverKind::Combined)?;
    solver.assert_script(&format!("{declarations}\n(assert (not (= {left}\n{right})))"))?;
    Ok(match solver.check(&[])? {
        Satisfiable::No => Equivalence::Proved,
        Satisfiable::Yes => Equivalence::Refuted(solver.model()?.to_string()),
        Satisfiable::Unknown(reason) => Equivalence::Unknown(reason),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(left: &str, right: &str) -> Equivalence {
        prove_equivalent_smtlib("(declare-const x (_ BitVec 8))", left, right).unwrap()
    }

    #[test]
    fn equal_terms_are_proved_and_others_refuted() {
        assert_eq!(check("(bvadd x x)", "(bvshl x #x01)"), Equivalence::Proved);
        assert!(matches!(check("(bvadd x x)", "x"), Equivalence::Refuted(_)));
        assert!(prove_equivalent_smtlib("", "unknown", "symbols").is_err());
    }
}
