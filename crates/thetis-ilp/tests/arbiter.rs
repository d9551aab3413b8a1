//! The pipeline with a decision procedure as its last stage, and compared with one.

use std::rc::Rc;

use fastrand::Rng;
use thetis_base::Run;
use thetis_ilp::{Certificate, IlpAnswer, IlpConfig, IlpSolver, Problem, Relation, Row};
use thetis_z3::{Z3Config, Z3Factory};

fn with_arbiter(config: IlpConfig) -> IlpSolver {
    IlpSolver::new(config, Some(Rc::new(Z3Factory::new(Z3Config::default()))))
}

fn minimise(solver: &mut IlpSolver, problem: &Problem) -> IlpAnswer {
    solver.minimise(problem, &Run::unlimited()).expect("an unlimited run should not stop")
}

/// `x + y = 2z + 1` and `x = y`: an unbounded problem that no finite number of splits refutes.
#[test]
fn endless_splits_go_to_the_arbiter() {
    let mut problem = Problem::new(3);
    problem.add(Row::new([(0, 1), (1, 1), (2, -2)], Relation::Equal, 1));
    problem.add(Row::new([(0, 1), (1, -1)], Relation::Equal, 0));
    let config = IlpConfig { max_nodes: 100, max_leaves: 8, ..IlpConfig::default() };
    let outcome = minimise(&mut IlpSolver::new(config.clone(), None), &problem);
    assert!(matches!(outcome, IlpAnswer::Unknown(_)), "{outcome:?}");
    let outcome = minimise(&mut with_arbiter(config), &problem);
    let IlpAnswer::Infeasible(certificate) = outcome else { panic!("{outcome:?}") };
    assert!(matches!(certificate, Certificate::Solver { .. }) && !certificate.is_checkable());
}

/// The pipeline alone never contradicts the decision procedure, also with large coefficients.
#[test]
fn random_problems_agree_with_the_arbiter() {
    let mut random = Rng::with_seed(5);
    for round in 0..150 {
        let vars = 2 + random.usize(..4);
        let large = if round % 3 == 0 { 1_000_003 } else { 1 };
        let mut problem = Problem::new(vars);
        for _ in 0..2 + random.usize(..4) {
            let relation = [Relation::AtLeast, Relation::Equal, Relation::AtMost][random.usize(..3)];
            let factor = |random: &mut Rng| (random.usize(..9) as i64 - 4) * large + random.usize(..3) as i64;
            let terms: Vec<_> = (0..vars as u32).map(|var| (var, factor(&mut random))).collect();
            problem.add(Row::new(terms, relation, factor(&mut random)));
        }
        // Hardly any search of our own, so that the arbiter decides what the first relaxation leaves open.
        let alone = IlpConfig { max_nodes: 0, max_leaves: 0, max_table: 0, ..IlpConfig::default() };
        let (mine, theirs) = (
            minimise(&mut IlpSolver::new(IlpConfig::default(), None), &problem),
            minimise(&mut with_arbiter(alone), &problem),
        );
        match (&mine, &theirs) {
            (IlpAnswer::Feasible(_), IlpAnswer::Infeasible(_))
            | (IlpAnswer::Infeasible(_), IlpAnswer::Feasible(_)) => {
                panic!("{problem:?}: {mine:?} and {theirs:?}")
            }
            _ => {}
        }
    }
}
