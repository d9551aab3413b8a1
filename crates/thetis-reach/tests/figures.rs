//! The worked examples of the source, as far as its text fixes them, with their vectors, sequences and verdicts.
//!
//! The nets were rebuilt from the text: it gives the initial and final markings, the solutions and T-invariants, and
//! the sequences that realise them.

use thetis_base::Run;
use thetis_engine::Engine;
use thetis_model::petri::{Net, Predicate, Relation, TransitionId};
use thetis_model::{Evidence, Task, Verdict};
use thetis_pnml::families::{distant, reach, reach_marking, small_net};
use thetis_reach::state_equation::{BetterMarkings, SearchOrder, SolutionId, SolutionSpace};
use thetis_reach::{StateEquation, StateEquationConfig};

/// The algorithm of the source, without what we add to it.
fn published() -> StateEquationConfig {
    StateEquationConfig {
        search: SearchOrder::Dfs,
        traps: false,
        siphons: false,
        ..StateEquationConfig::default()
    }
}

fn check(task: &Task<Net>, config: StateEquationConfig) -> (Verdict<Net>, StateEquation) {
    let mut engine = StateEquation::new(config, None);
    let verdict = engine.check(task, &Run::unlimited()).expect("an unlimited run should not stop");
    if let Verdict::Unsafe(Evidence::Given(trace)) = &verdict {
        let mut marking = task.model.initial_marking();
        for transition in trace.firings() {
            marking.fire(&task.model, transition).expect("a firing sequence should fire");
        }
        assert!(task.property.target(&task.model).holds(&task.model, &marking));
    }
    (verdict, engine)
}

/// Checks that the target is reached by a sequence of this solution vector, and gives the solution space.
fn reached(task: &Task<Net>, config: StateEquationConfig, vector: &[u64]) -> StateEquation {
    let (verdict, engine) = check(task, config);
    let Verdict::Unsafe(Evidence::Given(trace)) = verdict else { panic!("{verdict:?}") };
    let mut fired = vec![0; task.model.transitions().len()];
    trace.firings().for_each(|transition| fired[transition.index()] += 1);
    assert_eq!(fired, vector);
    engine
}

fn vectors(space: &SolutionSpace) -> Vec<Vec<u64>> {
    space.vectors().map(<[u64]>::to_vec).collect()
}

fn is_realisable(net: &Net, sequence: &[usize]) -> bool {
    let mut marking = net.initial_marking();
    sequence.iter().all(|t| marking.fire(net, TransitionId::from(*t)).is_ok())
}

#[test]
fn figure_1_1_water() {
    let net = small_net(&[4, 2, 0], &["2p0 p1 -> 2p2", "2p2 -> 2p0 p1"]);
    assert!(is_realisable(&net, &[0, 0]) && is_realisable(&net, &[0, 1]));
    assert!(!is_realisable(&net, &[1]) && !is_realisable(&net, &[0, 0, 0]));
    reached(&reach_marking(net.clone(), &[0, 0, 4]), published(), &[2, 0]);
    let (verdict, _) = check(&reach_marking(net, &[0, 0, 3]), published());
    assert!(matches!(verdict, Verdict::Safe(Evidence::Given(_))));
}

#[test]
fn figure_1_2_inhibitor_arc() {
    let net = small_net(&[1, 0, 0], &["!p0 -> p2", "p0 -> p1"]);
    assert!(!is_realisable(&net, &[0]) && is_realisable(&net, &[1, 0]));
    reached(&reach_marking(net.clone(), &[0, 1, 1]), published(), &[1, 1]);
    // Without emptying p0, t0 can never fire; the state equation does not see that.
    let (verdict, _) = check(&reach_marking(net, &[1, 0, 1]), published());
    assert!(matches!(verdict, Verdict::Unknown(_)), "{verdict:?}");
}

fn figure_1_3() -> Net {
    let t = ["p1 p2 -> 2p0 p2", "p1 -> p2", "2p2 -> 2p1", "p3 -> p1", "p1 -> p3"];
    small_net(&[0, 1, 0, 2], &t)
}

#[test]
fn figure_1_3_state_equation() {
    let net = figure_1_3();
    assert!(!is_realisable(&net, &[0]));
    assert!(is_realisable(&net, &[3, 3, 1, 1, 0, 2, 4, 4]));
    let (verdict, engine) = check(&reach_marking(net, &[2, 0, 0, 2]), published());
    assert!(matches!(verdict, Verdict::Unsafe(_)));
    assert_eq!(vectors(engine.solution_space())[0], [1, 0, 0, 0, 0]);
}

#[test]
fn figure_1_3_predicate() {
    let net = figure_1_3();
    let p0 = net.place_ids().next().unwrap();
    let task = reach(net, Predicate::place(p0, Relation::AtLeast, 1));
    let engine = reached(&task, published(), &[1, 1, 0, 1, 0]);
    assert_eq!(vectors(engine.solution_space()), [[1, 0, 0, 0, 0], [1, 1, 0, 1, 0]]);
    assert!(is_realisable(&task.model, &[3, 1, 0]));
}

#[test]
fn figure_1_5_jump_and_increment() {
    let jump = small_net(&[0, 0, 1, 0], &["p1 -> p0 p1", "p3 -> p0 p2", "p2 -> p3"]);
    let engine = reached(&reach_marking(jump, &[1, 0, 1, 0]), published(), &[0, 1, 1]);
    assert_eq!(vectors(engine.solution_space()), [[1, 0, 0], [0, 1, 1]]);
    let increment = small_net(&[0, 0, 1], &["p1 -> p0 p1", "p2 -> p1", "p1 -> p2"]);
    let engine = reached(&reach_marking(increment, &[1, 0, 1]), published(), &[1, 1, 1]);
    assert_eq!(vectors(engine.solution_space()), [[1, 0, 0], [1, 1, 1]]);
    let constraint = &engine.solution_space().increments(SolutionId::from(1usize))[0];
    assert_eq!((constraint.terms.as_slice(), constraint.bound), (&[(TransitionId::from(1usize), 1)][..], 1));
}

#[test]
fn figure_1_7_tree_of_partial_solutions() {
    // A third transition that can never fire keeps the vector (2, 1, 1) from being realised.
    let net = small_net(&[2, 1, 0, 0, 0], &["p0 -> p2", "p0 p1 -> p0 p3", "p4 -> p4 p2"]);
    let task = reach_marking(net, &[0, 0, 3, 1, 0]);
    let all = StateEquationConfig { stubborn_sets: false, merge_orders: false, ..published() };
    let sequences = |config| {
        let (verdict, engine) = check(&task, config);
        assert!(matches!(verdict, Verdict::Unknown(_)));
        assert_eq!(vectors(engine.solution_space())[0], [2, 1, 1]);
        let name = |t: TransitionId| t.index();
        let first = engine.solution_space().sequences(SolutionId::from(0usize));
        first.map(|sequence| sequence.into_iter().map(name).collect::<Vec<_>>()).collect::<Vec<_>>()
    };
    assert_eq!(sequences(all), [vec![0, 1, 0], vec![1, 0, 0], vec![0, 0]]);
    assert_eq!(sequences(published()).len(), 2, "two orders of the same firings are one");
}

fn figure_1_8() -> Task<Net> {
    let net =
        small_net(&[0, 0, 0, 2], &["p1 p2 -> p0 p1 p2", "p1 -> p2", "p2 -> p1", "p2 -> p3", "p3 -> p2"]);
    reach_marking(net, &[1, 0, 0, 2])
}

#[test]
fn figures_1_8_and_1_9_complex_example() {
    let engine = reached(&figure_1_8(), published(), &[1, 1, 1, 2, 2]);
    let space = engine.solution_space();
    let expected =
        [[1, 0, 0, 0, 0], [1, 1, 1, 0, 0], [1, 1, 1, 1, 1], [1, 1, 1, 2, 2]].map(|vector| vector.to_vec());
    assert_eq!(vectors(space), expected);
    assert!(space.num_skipped() >= 1, "partial solutions of the third vector");
    let of = |solution: usize| -> Vec<Vec<usize>> {
        let sequences = space.sequences(SolutionId::from(solution));
        sequences.map(|sequence| sequence.into_iter().map(|t| t.index()).collect()).collect()
    };
    assert_eq!((of(0), of(1)), (vec![vec![]], vec![vec![]]));
    assert!(of(2).contains(&vec![4, 3]) && of(2).contains(&vec![4, 2, 1, 3]), "{:?}", of(2));
    assert!(of(2).contains(&vec![4]) && of(2).contains(&vec![4, 2]), "the better intermediate markings");
    let dot = space.to_dot(&figure_1_8().model);
    assert!(dot.contains("sv3: t0 t1 t2 t3^2 t4^2") && dot.contains("style=dotted"), "{dot}");
}

#[test]
fn figure_1_8_by_every_order_of_search() {
    for search in [SearchOrder::Dfs, SearchOrder::Bfs, SearchOrder::Hybrid] {
        let (verdict, _) = check(&figure_1_8(), StateEquationConfig { search, ..published() });
        assert!(matches!(verdict, Verdict::Unsafe(_)), "{search:?}");
    }
}

#[test]
fn figure_1_10_inhibitor_arcs() {
    let net = small_net(&[0, 0, 0, 1], &["p1 !p3 -> p0 p1", "p2 -> p1", "p1 -> p2", "p3 -> p2", "p2 -> p3"]);
    assert!(is_realisable(&net, &[3, 1, 0, 2, 4]));
    let task = reach_marking(net, &[1, 0, 0, 1]);
    let engine = reached(&task, published(), &[1, 1, 1, 1, 1]);
    assert_eq!(vectors(engine.solution_space()), [[1, 0, 0, 0, 0], [1, 1, 1, 1, 1]]);
    assert_eq!(engine.solution_space().increments(SolutionId::from(1usize)).len(), 2);
}

#[test]
fn figure_1_11_needs_a_distant_invariant() {
    let task = distant(1);
    assert!(is_realisable(&task.model, &[3, 1, 0, 2, 4]));
    let without = StateEquationConfig { distant_invariants: false, ..published() };
    let (verdict, engine) = check(&task, without);
    assert!(matches!(verdict, Verdict::Unknown(_)), "{verdict:?}");
    assert_eq!(vectors(engine.solution_space()), [[1, 0, 0, 0, 0], [1, 1, 1, 0, 0]]);
    reached(&task, published(), &[1, 1, 1, 1, 1]);
}

#[test]
fn figure_1_12_distant_invariants_in_several_rounds() {
    let task = distant(3);
    assert!(is_realisable(&task.model, &[5, 5, 3, 3, 1, 1, 0, 2, 2, 4, 4, 6, 6]));
    let engine = reached(&task, published(), &[1, 2, 2, 2, 2, 2, 2]);
    let found = vectors(engine.solution_space());
    for expected in
        [[1, 0, 0, 0, 0, 0, 0], [1, 2, 2, 0, 0, 0, 0], [1, 2, 2, 1, 1, 0, 0], [1, 2, 2, 1, 1, 1, 1]]
    {
        assert!(found.contains(&expected.to_vec()), "{expected:?} in {found:?}");
    }
}

/// Moving one token into `p1` takes two of `p2`, of which the distant invariant lends one at a time.
fn figure_1_13a() -> Task<Net> {
    let net = small_net(&[0, 1, 0], &["2p1 -> p0 2p1", "2p2 -> p1", "p1 -> 2p2", "-> p2", "p2 ->"]);
    reach_marking(net, &[1, 1, 0])
}

/// The same with an order of firings in which lent tokens cannot be given back.
fn figure_1_13b() -> Task<Net> {
    let transitions = [
        "2p1 -> p0 2p1",
        "2p2 p5 -> p1 p5",
        "p1 -> 2p2",
        "p3 -> p2 p3",
        "p2 p4 -> p4",
        "p3 -> p4",
        "p4 -> p5",
    ];
    reach_marking(small_net(&[0, 1, 0, 1, 0, 0], &transitions), &[1, 1, 0, 0, 0, 1])
}

#[test]
fn figure_1_13_stays_inconclusive() {
    assert!(is_realisable(&figure_1_13a().model, &[3, 3, 1, 0, 2, 4, 4]));
    for task in [figure_1_13a(), figure_1_13b()] {
        let (verdict, _) = check(&task, published());
        assert!(matches!(verdict, Verdict::Unknown(_)), "{verdict:?}");
    }
}

#[test]
fn definition_1_10_decides_figure_1_13a_and_does_not_end_on_1_13b() {
    let generalised = StateEquationConfig { better_markings: BetterMarkings::Invariant, ..published() };
    let engine = reached(&figure_1_13a(), generalised.clone(), &[1, 1, 1, 2, 2]);
    assert!(vectors(engine.solution_space()).contains(&vec![1, 1, 1, 1, 1]), "one token at a time");
    // In the second net the lender is asked for again as long as the limit allows, and the answer is honest.
    let lent = |max_solutions: u32| {
        let config = StateEquationConfig { max_solutions, ..generalised.clone() };
        let (verdict, engine) = check(&figure_1_13b(), config);
        let Verdict::Unknown(reason) = verdict else { panic!("{verdict:?}") };
        assert!(reason.to_string().contains("limit of solution vectors"), "{reason}");
        vectors(engine.solution_space()).iter().map(|vector| vector[3]).max().unwrap()
    };
    let [few, some, many] = [15, 30, 60].map(lent);
    assert!(few < some && some < many, "{few} {some} {many}");
}

#[test]
fn inhibitors_in_turn() {
    // t0 and t1 are inhibited by the two places of one token, which has to move there and back.
    let net = small_net(&[1, 0, 0, 1, 0], &["p0 !p3 -> p1", "p1 !p4 -> p2", "p4 -> p3", "p3 -> p4"]);
    let goal = net.place_ids().nth(2).unwrap();
    reached(&reach(net, Predicate::place(goal, Relation::AtLeast, 1)), published(), &[1, 1, 1, 1]);
}
