//! The pipeline on known problems and on random ones against an enumeration.

use fastrand::Rng;
use thetis_base::Run;
use thetis_ilp::{IlpAnswer, IlpConfig, IlpSolver, Problem, Relation, Row};

use Relation::{AtLeast, AtMost, Equal};

fn problem(num_vars: usize, rows: &[(&[i64], Relation, i64)]) -> Problem {
    let mut problem = Problem::new(num_vars);
    for (coefficients, relation, bound) in rows {
        problem.add(Row::new((0u32..).zip(coefficients.iter().copied()), *relation, *bound));
    }
    problem
}

fn solve(problem: &Problem) -> IlpAnswer {
    let mut solver = IlpSolver::new(IlpConfig::default(), None);
    let outcome = solver.minimise(problem, &Run::unlimited()).expect("an unlimited run should not stop");
    match &outcome {
        IlpAnswer::Feasible(point) => assert!(problem.is_satisfied(point)),
        IlpAnswer::Infeasible(certificate) => assert!(certificate.verify(problem), "{certificate:?}"),
        IlpAnswer::Unknown(_) => {}
    }
    outcome
}

#[test]
fn the_smallest_sum_is_found() {
    let problem = problem(3, &[(&[1, 2, 3], AtLeast, 7), (&[1, 0, 0], AtLeast, 1), (&[0, 1, 1], AtMost, 5)]);
    assert!(matches!(solve(&problem), IlpAnswer::Feasible(point) if point.iter().sum::<u64>() == 3));
}

#[test]
fn parity_is_refuted() {
    let even: Vec<i64> = vec![2; 200];
    assert!(matches!(solve(&problem(200, &[(&even, Equal, 3)])), IlpAnswer::Infeasible(_)));
    // x + y = 2a + 1 and x = y: no row alone is wrong.
    let hidden = problem(3, &[(&[1, 1, -2], Equal, 1), (&[1, -1, 0], Equal, 0), (&[1, 0, 0], AtMost, 20)]);
    assert!(matches!(solve(&hidden), IlpAnswer::Infeasible(_)));
}

#[test]
fn large_coefficients_do_not_fool_it() {
    let big = 1_000_000_000;
    // Each problem misses a solution by one.
    let traps = [
        problem(2, &[(&[big, 1 - big], Equal, 0), (&[0, 1], AtLeast, 1), (&[0, 1], AtMost, big - 1)]),
        problem(1, &[(&[big], AtLeast, 1), (&[big], AtMost, big - 1)]),
        problem(2, &[(&[10_000_000, 1], Equal, 9_999_999), (&[0, 1], AtMost, 9_999_998)]),
        problem(2, &[(&[big, -big], AtLeast, 1), (&[big, -big], AtMost, big - 1)]),
        problem(2, &[(&[big + 1, -big], Equal, 1), (&[1, 0], AtMost, big - 1), (&[1, 0], AtLeast, 2)]),
    ];
    for trap in traps {
        assert!(!matches!(solve(&trap), IlpAnswer::Feasible(_)), "{trap:?}");
    }
    let feasible = problem(2, &[(&[10_000_000, 1], Equal, 9_999_999)]);
    assert_eq!(solve(&feasible), IlpAnswer::Feasible(vec![0, 9_999_999]));
}

#[test]
fn fixed_variables() {
    let mut problem = problem(2, &[(&[1, 1], AtLeast, 4)]);
    problem.add(Row::fixed(0, 1));
    assert_eq!(solve(&problem), IlpAnswer::Feasible(vec![1, 3]));
    problem.add(Row::at_most(1, 2));
    assert!(matches!(solve(&problem), IlpAnswer::Infeasible(_)));
}

/// The smallest sum of a point with entries up to `limit`.
fn enumerate(problem: &Problem, limit: u64) -> Option<u64> {
    let mut point = vec![0; problem.num_vars()];
    let mut best = None;
    loop {
        if problem.is_satisfied(&point) {
            let sum = point.iter().sum();
            best = Some(best.map_or(sum, |best: u64| best.min(sum)));
        }
        let Some(place) = point.iter().position(|value| *value < limit) else { return best };
        point[place] += 1;
        point[..place].fill(0);
    }
}

#[test]
fn random_problems_agree_with_enumeration() {
    let mut random = Rng::with_seed(2024);
    let (mut feasible, mut infeasible, mut unknown) = (0, 0, 0);
    for _ in 0..2_000 {
        let vars = 1 + random.usize(..4);
        let mut problem = Problem::new(vars);
        for _ in 0..1 + random.usize(..5) {
            let relation = [AtLeast, Equal, AtMost][random.usize(..3)];
            let terms: Vec<_> = (0..vars as u32).map(|var| (var, random.usize(..8) as i64 - 3)).collect();
            problem.add(Row::new(terms, relation, random.usize(..15) as i64 - 6));
        }
        let best = enumerate(&problem, 7);
        match solve(&problem) {
            IlpAnswer::Feasible(point) => {
                feasible += 1;
                assert!(best.is_none_or(|best| point.iter().sum::<u64>() <= best), "{problem:?}");
            }
            IlpAnswer::Infeasible(_) => {
                infeasible += 1;
                assert_eq!(best, None, "{problem:?}");
            }
            IlpAnswer::Unknown(_) => unknown += 1,
        }
    }
    assert!(feasible > 500 && infeasible > 500, "{feasible} feasible, {infeasible} infeasible");
    assert!(unknown <= 20, "{unknown} unknown");
}
