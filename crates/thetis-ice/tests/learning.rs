//! Learned interpolants and invariants are right, and hypotheses agree with their points.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::rc::Rc;

use thetis_base::Run;
use thetis_expr::smtlib::{Declared, Dialect, parse_term, print_term};
use thetis_expr::{ExprId, Sort, Store};
use thetis_ice::{
    Data, DecisionTree, Hints, IceChains, IceConfig, IceHorn, Label, Learner, LearnerKind, PairAnswer, Pairs,
    Point, SplitStrategy, SupportVectors, is_consistent, split,
};
use thetis_solver::{
    Answer, Chain, HornAnswer, HornClause, HornSolver, HornSystem, Interpolator, SolverFactory, Step,
};
use thetis_z3::Z3Factory;

const LEARNERS: [LearnerKind; 3] = [LearnerKind::Svm, LearnerKind::Tree, LearnerKind::Auto];

fn store() -> Store {
    let store = Store::new();
    for name in ["x", "y", "z", "n", "m", "input"] {
        store.declare(name, Sort::Int);
    }
    store.declare("p", Sort::Bool);
    store
}

fn term(store: &Store, text: &str) -> ExprId {
    parse_term(store, text, &Declared).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn is_unsat(store: &Store, formula: ExprId) -> bool {
    let mut solver = Z3Factory::default().start(&Run::unlimited()).unwrap();
    matches!(solver.check(store, &[formula]).unwrap(), Answer::Unsat)
}

fn assert_interpolant(store: &Store, a: ExprId, b: ExprId, formula: ExprId) {
    let text = print_term(store, formula, Dialect::Thetis);
    assert!(is_unsat(store, store.and(a, store.not(formula))), "{text}");
    assert!(is_unsat(store, store.and(b, formula)), "{text}");
    let (of_a, of_b) = (store.vars_of([a]), store.vars_of([b]));
    assert!(store.vars_of([formula]).iter().all(|var| of_a.contains(var) && of_b.contains(var)), "{text}");
}

fn pairs(learner: LearnerKind, initial: u32) -> Pairs {
    Pairs::new(IceConfig { learner, initial, ..IceConfig::default() }, Rc::new(Z3Factory::default()))
}

#[test]
fn the_example_of_the_literature_is_learned() {
    for learner in [LearnerKind::Svm, LearnerKind::Tree] {
        let store = store();
        let (a, b) = (term(&store, "(and (> y z) (>= z x))"), term(&store, "(>= x y)"));
        let answer = pairs(learner, 20).interpolate(&store, a, b, &Run::unlimited()).unwrap();
        let PairAnswer::Interpolant(formula) = answer else { panic!("{answer:?}") };
        let expected = term(&store, "(> y x)");
        assert!(
            is_unsat(&store, store.xor(formula, expected)),
            "{}",
            print_term(&store, formula, Dialect::Thetis)
        );
    }
}

#[test]
fn small_pairs_have_interpolants() {
    for learner in LEARNERS {
        for (a, b) in [
            ("(< x 0)", "(> x 0)"),
            ("(and (< x 0) (> y 0))", "(> x y)"),
            ("(or (= x 1) (= x 3))", "(or (= x 2) (> x 4))"),
            ("(and p (= x 3))", "(or (not p) (> x 7))"),
            ("(= x y)", "(or (< x y) (> x y))"),
            ("(and (= x z) (= y z))", "(not (= x y))"),
            ("false", "(> x 0)"),
            ("(> x 0)", "(< y y)"),
        ] {
            let store = store();
            let (a, b) = (term(&store, a), term(&store, b));
            let answer = pairs(learner, 10).interpolate(&store, a, b, &Run::unlimited()).unwrap();
            let PairAnswer::Interpolant(formula) = answer else { panic!("{learner:?}: {answer:?}") };
            assert_interpolant(&store, a, b, formula);
        }
    }
}

#[test]
fn a_query_that_takes_too_long_ends_learning_unless_nobody_else_can_be_asked() {
    let store = store();
    let (a, b) = (term(&store, "(< x 0)"), term(&store, "(> x 0)"));
    let hasty =
        || Pairs::new(IceConfig { query_time: 0, ..IceConfig::default() }, Rc::new(Z3Factory::default()));
    let answer = hasty().interpolate(&store, a, b, &Run::unlimited()).unwrap();
    assert_eq!(answer, PairAnswer::Unknown("a query took longer than `ice.query-time`".into()));
    let answer = hasty().patient().interpolate(&store, a, b, &Run::unlimited()).unwrap();
    let PairAnswer::Interpolant(formula) = answer else { panic!("{answer:?}") };
    assert_interpolant(&store, a, b, formula);
}

#[test]
fn values_beyond_64_bits_matter_only_if_there_are_no_others() {
    let store = store();
    let b = term(&store, "(< x 0)");
    for (a, is_learned) in [
        ("(or (> x 9223372036854775807) (and (> x 1000) (< x 1003)))", true),
        ("(or (and (> x 1000) (< x 1003)) (> x 9223372036854775807))", true),
        ("(and (> (+ x y) 9223372036854775807) (> x 2000) (< y 5000000000000000000))", true),
        ("(> x 9223372036854775807)", false),
    ] {
        let a = term(&store, a);
        let answer = pairs(LearnerKind::Tree, 20).interpolate(&store, a, b, &Run::unlimited()).unwrap();
        match answer {
            PairAnswer::Interpolant(formula) if is_learned => assert_interpolant(&store, a, b, formula),
            PairAnswer::Unknown(reason) if !is_learned => {
                assert_eq!(reason, "a value is too large to learn from");
            }
            other => panic!("{}: {other:?}", print_term(&store, a, Dialect::Thetis)),
        }
    }
}

#[test]
fn satisfiable_pairs_are_found_out() {
    let store = store();
    let (a, b) = (term(&store, "(and (> x 0) (< x 9))"), term(&store, "(and (> x 5) (< x 20))"));
    for learner in LEARNERS {
        let answer = pairs(learner, 40).interpolate(&store, a, b, &Run::unlimited()).unwrap();
        assert_eq!(answer, PairAnswer::Satisfiable);
    }
}

#[test]
fn learners_agree_with_random_points() {
    let mut random = fastrand::Rng::with_seed(1);
    for round in 0..60 {
        let store = store();
        let vars = ["x", "y", "p"].map(|name| store.find_var(name).unwrap());
        let mut data = Data::new(&store, vec![vars.to_vec()]);
        for _ in 0..random.usize(1..40) {
            let values = vec![random.i64(-4..5), random.i64(-4..5), random.i64(0..2)];
            let label = if random.bool() { Label::Positive } else { Label::Negative };
            // A repeated point with another label is no data.
            if data.clone().add(Point { space: 0, values: values.clone() }, label).is_ok() {
                data.add(Point { space: 0, values }, label).unwrap();
            }
        }
        let learners: [Box<dyn Learner>; 2] =
            [Box::new(SupportVectors::default()), Box::new(DecisionTree::new(Hints::default()))];
        for mut learner in learners {
            let formulas = learner.learn(&store, &data, &Run::unlimited()).unwrap().unwrap();
            assert!(is_consistent(&store, &data, &formulas), "round {round}: {}", learner.name());
        }
    }
}

#[test]
fn trees_agree_with_implications() {
    let mut random = fastrand::Rng::with_seed(2);
    for _ in 0..60 {
        let store = store();
        let vars = ["x", "y"].map(|name| store.find_var(name).unwrap());
        let mut data = Data::new(&store, vec![vars.to_vec(), vec![vars[0]]]);
        let point = |random: &mut fastrand::Rng| match random.bool() {
            true => Point { space: 0, values: vec![random.i64(0..5), random.i64(0..5)] },
            false => Point { space: 1, values: vec![random.i64(0..5)] },
        };
        for _ in 0..30 {
            let mut larger = data.clone();
            let added = match random.u8(0..4) {
                0 => larger.add(point(&mut random), Label::Positive).map(|_| ()),
                1 => larger.add(point(&mut random), Label::Negative).map(|_| ()),
                _ => larger.add_implication(point(&mut random), point(&mut random)),
            };
            if added.is_ok() {
                data = larger;
            }
        }
        let formulas =
            DecisionTree::new(Hints::default()).learn(&store, &data, &Run::unlimited()).unwrap().unwrap();
        assert!(is_consistent(&store, &data, &formulas));
    }
}

/// A random conjunction of comparisons of linear terms.
fn random_formula(store: &Store, random: &mut fastrand::Rng, names: [&str; 2]) -> ExprId {
    let literals = (0..random.usize(1..4)).map(|_| {
        let [left, right] = names.map(|name| {
            store.mul(store.int(random.i64(-2..3)), store.var_expr(store.find_var(name).unwrap()))
        });
        let sum = store.add(left, right);
        store.le(sum, store.int(random.i64(-6..7)))
    });
    store.and_all(literals.collect::<Vec<_>>())
}

const STRATEGIES: [SplitStrategy; 3] = [SplitStrategy::Half, SplitStrategy::Core, SplitStrategy::Connected];

/// The parts of the split conjunction are equivalent to it together, and interpolated if they are contradictory.
fn assert_splits(store: &Store, a: ExprId, b: ExprId, strategy: SplitStrategy) {
    let mut solver = Z3Factory::default().start(&Run::unlimited()).unwrap();
    let found = split(store, &[a, b], strategy, &mut *solver, &Run::unlimited()).unwrap();
    assert!(is_unsat(store, store.xor(store.and(a, b), store.and(found.a, found.b))));
}

/// Whether a model of `formula` has the values of a point.
fn holds_at(store: &Store, data: &Data, point: usize, formula: ExprId) -> bool {
    let values = data.vars(0).iter().zip(&data.points()[point].values);
    let equations = values.map(|(var, value)| store.eq(store.var_expr(*var), store.int(*value)));
    !is_unsat(store, store.and(formula, store.and_all(equations)))
}

#[test]
fn random_unsatisfiable_pairs_have_verified_interpolants() {
    let mut random = fastrand::Rng::with_seed(3);
    let mut num_solved = 0;
    let mut num_pairs = 0;
    while num_pairs < 1000 {
        let store = store();
        let a = random_formula(&store, &mut random, ["x", "y"]);
        let b = random_formula(&store, &mut random, ["x", "y"]);
        if !is_unsat(&store, store.and(a, b)) {
            continue;
        }
        num_pairs += 1;
        let learner = LEARNERS[num_pairs % 3];
        let random_points = if num_pairs % 2 == 0 { 10 } else { 0 };
        let config = IceConfig {
            learner,
            initial: 20,
            random: random_points,
            max_iterations: 40,
            ..IceConfig::default()
        };
        let mut pairs = Pairs::new(config, Rc::new(Z3Factory::default()));
        let lesson = pairs.lesson(&store, a, b, &Run::unlimited()).unwrap();
        for (number, point) in lesson.data.points().iter().enumerate() {
            let side = match lesson.data.labels().get(number) {
                Some(Label::Positive) => a,
                Some(Label::Negative) => b,
                None => panic!("a point of two formulas should have a label"),
            };
            assert_eq!(point.values.len(), lesson.data.vars(0).len());
            assert!(holds_at(&store, &lesson.data, number, side), "pair {num_pairs}: the label of a point");
        }
        assert_splits(&store, a, b, STRATEGIES[num_pairs % 3]);
        match lesson.answer {
            PairAnswer::Interpolant(formula) => {
                num_solved += 1;
                assert_interpolant(&store, a, b, formula);
                assert!(is_consistent(&store, &lesson.data, &[formula]), "pair {num_pairs}");
            }
            PairAnswer::Satisfiable => panic!("an unsatisfiable pair should not be called satisfiable"),
            PairAnswer::Unknown(_) => {}
        }
    }
    assert!(num_solved >= 900, "{num_solved} of {num_pairs} were solved");
}

/// Random points around the known ones get the label that a query gives them, and the same seed gives the same points.
#[test]
fn random_points_are_examples() {
    let store = store();
    let (a, b) = (term(&store, "(and (< x 0) (> x (- 9)))"), term(&store, "(and (> x 3) (< x 12))"));
    let points = |random: u32, seed: u64| {
        let config = IceConfig { initial: 2, extreme: false, random, seed, ..IceConfig::default() };
        let mut pairs = Pairs::new(config, Rc::new(Z3Factory::default()));
        let lesson = pairs.lesson(&store, a, b, &Run::unlimited()).unwrap();
        assert!(matches!(lesson.answer, PairAnswer::Interpolant(_)));
        let values = lesson.data.points().iter().map(|point| point.values[0]).collect::<Vec<_>>();
        assert!(values.iter().all(|value| (-8..0).contains(value) || (4..12).contains(value)), "{values:?}");
        values
    };
    assert!(points(0, 1).len() < points(40, 1).len());
    assert_eq!(points(40, 1), points(40, 1));
    assert_ne!(points(40, 1), points(40, 2));
}

#[test]
fn splits_are_equivalent_to_the_whole() {
    let mut random = fastrand::Rng::with_seed(4);
    for round in 0..60 {
        let store = store();
        let parts: Vec<ExprId> = (0..4)
            .map(|_| match random.bool() {
                true => random_formula(&store, &mut random, ["x", "y"]),
                false => store.not(store.or(
                    store.not(random_formula(&store, &mut random, ["y", "z"])),
                    store.var("p", Sort::Bool),
                )),
            })
            .collect();
        let whole = store.and_all(parts.iter().copied());
        for strategy in STRATEGIES {
            let mut solver = Z3Factory::default().start(&Run::unlimited()).unwrap();
            let found = split(&store, &parts, strategy, &mut *solver, &Run::unlimited()).unwrap();
            assert!(is_unsat(&store, store.xor(whole, store.and(found.a, found.b))), "round {round}");
        }
    }
}

fn clause(
    store: &Store,
    body: Option<usize>,
    condition: &str,
    next: &[(&str, &str)],
    head: Option<usize>,
) -> HornClause {
    let next = next.iter().map(|(var, value)| (store.find_var(var).unwrap(), term(store, value))).collect();
    let inputs = vec![store.find_var("input").unwrap()];
    let step = Rc::new(Step { conjuncts: vec![term(store, condition)], next, inputs });
    HornClause { body, neighbours: Vec::new(), step, head }
}

/// The answer for a loop from `start` that makes `next` while `condition`, after which `wanted` should hold.
fn solve_loop(
    store: &Store,
    start: &str,
    condition: &str,
    next: &[(&str, &str)],
    wanted: &str,
) -> HornAnswer {
    let bad = format!("(and (not {condition}) (not {wanted}))");
    let system = HornSystem {
        num_relations: 1,
        clauses: vec![
            clause(store, None, start, &[], Some(0)),
            clause(store, Some(0), condition, next, Some(0)),
            clause(store, Some(0), &bad, &[], None),
        ],
    };
    solve(store, &system)
}

/// The answer for `system`, whose formulas are verified.
fn solve(store: &Store, system: &HornSystem) -> HornAnswer {
    let answer = IceHorn::new(IceConfig::default(), Rc::new(Z3Factory::default()))
        .solve(store, system, &Run::unlimited())
        .unwrap();
    if let HornAnswer::Solved(formulas) = &answer {
        for clause in &system.clauses {
            let before = clause.body.map_or(store.tru(), |body| formulas[body]);
            let after = clause.head.map_or(store.fals(), |head| formulas[head]);
            let claim = [before, clause.step.condition(store), store.not(clause.step.before(store, after))];
            assert!(is_unsat(store, store.and_all(claim)));
        }
    }
    answer
}

#[test]
fn invariants_of_loops_are_learned() {
    for (start, condition, next, wanted) in [
        ("(and (= x 0) (>= n 0))", "(< x n)", vec![("x", "(+ x 1)")], "(= x n)"),
        ("(and (= x 1) (= y 0))", "(< y 1000)", vec![("x", "(+ x y)"), ("y", "(+ y 1)")], "(>= x y)"),
        (
            "(and (= x 0) (= y 0) (= z 0))",
            "(< x n)",
            vec![("x", "(+ x 1)"), ("y", "(+ y 2)")],
            "(= y (* 2 x))",
        ),
        ("(= x 0)", "(< x n)", vec![("x", "(+ x 2)")], "(not (= x 7))"),
        ("(and (= x 0) p)", "(< x 10)", vec![("x", "(+ x 1)"), ("p", "(not p)")], "(= x 10)"),
    ] {
        let answer = solve_loop(&store(), start, condition, &next, wanted);
        assert!(matches!(answer, HornAnswer::Solved(_)), "{start} {wanted}: {answer:?}");
    }
}

/// An implication between points that have no label says which of several cuts to prefer.
#[test]
fn rounds_of_unknown_size_are_counted() {
    let store = store();
    let system = HornSystem {
        num_relations: 1,
        clauses: vec![
            clause(&store, None, "(and (= x 0) (= y 0))", &[], Some(0)),
            clause(
                &store,
                Some(0),
                "(and (< x 5000) (<= 1 input) (< input 5000))",
                &[("x", "(+ x input)"), ("y", "(+ y 1)")],
                Some(0),
            ),
            clause(&store, Some(0), "(and (>= x 5000) (> y 5000))", &[], None),
        ],
    };
    let answer = solve(&store, &system);
    assert!(matches!(answer, HornAnswer::Solved(_)), "{answer:?}");
}

/// The equation of the sum is not linear, and the formulas have products.
#[test]
fn sums_of_series_are_learned() {
    let answer = solve_loop(
        &store(),
        "(and (= x 1) (= y 0) (<= 1 n) (<= n 300))",
        "(<= x n)",
        &[("x", "(+ x 1)"), ("y", "(+ y x)")],
        "(= (* 2 y) (* n (+ n 1)))",
    );
    assert!(matches!(answer, HornAnswer::Solved(_)), "{answer:?}");
}

/// The counts of two loops are used up by a third one, where `x + y` is at least `n + m`.
#[test]
fn sums_of_more_than_two_variables_are_learned() {
    let store = store();
    let count = |from: usize, condition: &str| {
        clause(&store, Some(from), condition, &[("x", "(+ x 1)"), ("y", "(+ y 1)")], Some(from))
    };
    let system = HornSystem {
        num_relations: 3,
        clauses: vec![
            clause(&store, None, "(and (= x 0) (= y 0))", &[], Some(0)),
            count(0, "(< x n)"),
            clause(&store, Some(0), "(>= x n)", &[("x", "0")], Some(1)),
            count(1, "(< x m)"),
            clause(&store, Some(1), "(>= x m)", &[("x", "0")], Some(2)),
            clause(&store, Some(2), "(< x (+ n m))", &[("x", "(+ x 1)"), ("y", "(- y 1)")], Some(2)),
            clause(&store, Some(2), "(and (< x (+ n m)) (<= y 0))", &[], None),
        ],
    };
    let answer = solve(&store, &system);
    assert!(matches!(answer, HornAnswer::Solved(_)), "{answer:?}");
}

/// Bounds that are inductive together leave little to learn: no number may leave 32 bits in these loops.
#[test]
fn bounds_are_found_before_anything_is_learned() {
    let store = store();
    let count = |from: usize, condition: &str| {
        clause(&store, Some(from), condition, &[("x", "(+ x 1)"), ("y", "(+ y 1)")], Some(from))
    };
    let overflow = |from: usize, condition: &str| {
        let bad = format!("(and {condition} (or (>= x 2147483647) (>= y 2147483647)))");
        clause(&store, Some(from), &bad, &[], None)
    };
    let start = "(and (= x 0) (= y 0) (<= (- 1000) n) (< n 1000) (<= (- 1000) m) (< m 1000))";
    let system = HornSystem {
        num_relations: 3,
        clauses: vec![
            clause(&store, None, start, &[], Some(0)),
            count(0, "(< x n)"),
            overflow(0, "(< x n)"),
            clause(&store, Some(0), "(>= x n)", &[("x", "0")], Some(1)),
            count(1, "(< x m)"),
            overflow(1, "(< x m)"),
            clause(&store, Some(1), "(>= x m)", &[("x", "0")], Some(2)),
            clause(&store, Some(2), "(< x (+ n m))", &[("x", "(+ x 1)"), ("y", "(- y 1)")], Some(2)),
            overflow(2, "(< x (+ n m))"),
            clause(&store, Some(2), "(and (< x (+ n m)) (<= y 0))", &[], None),
        ],
    };
    let mut ice = IceHorn::new(IceConfig::default(), Rc::new(Z3Factory::default()));
    let answer = ice.solve(&store, &system, &Run::unlimited()).unwrap();
    assert!(matches!(answer, HornAnswer::Solved(_)), "{answer:?}");
    assert!(ice.stats().iterations <= 3, "{} hypotheses", ice.stats().iterations);
    assert!(matches!(solve(&store, &system), HornAnswer::Solved(_)), "the formulas are verified");
}

/// The same where the equation of the sum is needed to see that it stays in range.
#[test]
fn bounds_may_have_products() {
    let store = store();
    let system = HornSystem {
        num_relations: 1,
        clauses: vec![
            clause(&store, None, "(and (= x 1) (= y 0) (<= 1 n) (<= n 1000))", &[], Some(0)),
            clause(&store, Some(0), "(<= x n)", &[("x", "(+ x 1)"), ("y", "(+ y x)")], Some(0)),
            clause(&store, Some(0), "(and (<= x n) (> (+ x y) 2147483647))", &[], None),
            clause(&store, Some(0), "(and (> x n) (> (* 2 y) 2147483647))", &[], None),
            clause(&store, Some(0), "(and (> x n) (not (= (* 2 y) (* n (+ n 1)))))", &[], None),
        ],
    };
    let answer = solve(&store, &system);
    assert!(matches!(answer, HornAnswer::Solved(_)), "{answer:?}");
}

#[test]
fn wrong_claims_about_loops_are_contradictory() {
    let answer = solve_loop(&store(), "(= x 0)", "(< x 3)", &[("x", "(+ x 1)")], "(< x 3)");
    assert_eq!(answer, HornAnswer::Contradictory);
}

#[test]
fn chains_are_interpolated() {
    let store = store();
    let [x, y] = ["x", "y"].map(|name| store.find_var(name).unwrap());
    let step = |condition: &str, next: Vec<(&str, &str)>| {
        let next =
            next.iter().map(|(var, value)| (store.find_var(var).unwrap(), term(&store, value))).collect();
        Rc::new(Step { conjuncts: vec![term(&store, condition)], next, inputs: Vec::new() })
    };
    let chain = Chain::infeasible(
        &store,
        vec![
            step("true", vec![("x", "0"), ("y", "0")]),
            step("(< x 5)", vec![("x", "(+ x 1)"), ("y", "(+ y 1)")]),
            step("(not (= x y))", vec![]),
        ],
    );
    assert_eq!(chain.vars(&store), [x, y]);
    let mut ice = IceChains::new(IceConfig::default(), Rc::new(Z3Factory::default()));
    let formulas = ice.interpolate(&store, &chain, &Run::unlimited()).unwrap().unwrap();
    assert_eq!(formulas.len(), 4);
    assert!(is_unsat(&store, store.not(formulas[0])));
    for (step, pair) in chain.steps.iter().zip(formulas.windows(2)) {
        let claim = [pair[0], step.condition(&store), store.not(step.before(&store, pair[1]))];
        assert!(is_unsat(&store, store.and_all(claim)));
    }
    assert!(is_unsat(&store, formulas[3]));
}
