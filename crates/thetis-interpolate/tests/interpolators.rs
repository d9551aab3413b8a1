//! Every interpolator on infeasible paths: whatever it gives is right.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod paths;

use std::rc::Rc;
use std::time::Duration;

use paths::{Numbers, paths};
use thetis_base::Run;
use thetis_expr::{Sort, Store};
use thetis_interpolate::{
    AtHeads, Direction, Farkas, Feasibility, InOrder, Newton, Shortcuts, Unrolled, Vocabulary, slice, verify,
};
use thetis_solver::{Chain, CheckedFactory, CoreSolver, Eliminator, Interpolator, SolverFactory, Step};
use thetis_z3::{Z3Eliminator, Z3Factory, Z3Horn};

fn solver() -> Box<dyn CoreSolver> {
    let z3 = || Rc::new(Z3Factory::default());
    CheckedFactory::new(z3(), z3()).start(&Run::unlimited()).unwrap()
}

fn newton(direction: Direction, vocabulary: Vocabulary) -> Newton {
    let eliminator: Rc<dyn Eliminator> = Rc::new(Shortcuts::new(Rc::new(Z3Eliminator)));
    Newton::new(direction, vocabulary, solver(), eliminator)
}

fn horn() -> AtHeads<Z3Horn> {
    let filler = newton(Direction::Backward, Vocabulary::All);
    AtHeads::new(Z3Horn::new(Duration::from_secs(2)), solver(), filler)
}

/// The chain with the conditions that contradict each other.
fn minimal(store: &Store, chain: &Chain) -> Chain {
    let run = Run::unlimited();
    let unrolled = Unrolled::new(store, chain);
    match unrolled.check(store, &mut *solver(), |_| Ok(()), &run).unwrap() {
        Feasibility::Infeasible(core) => slice(store, chain, &core),
        _ => panic!("the path should be infeasible"),
    }
}

/// How many of the paths over such numbers the interpolator solves; all it gives is verified.
fn solved(interpolator: &mut dyn Interpolator, numbers: Numbers, parameters: &[u32]) -> usize {
    let (store, run) = (Store::new(), Run::unlimited());
    let mut solved = 0;
    for path in paths(&store, parameters).into_iter().filter(|path| path.numbers == numbers) {
        let chain = minimal(&store, &path.chain);
        let Some(formulas) = interpolator.interpolate(&store, &chain, &run).unwrap() else { continue };
        let name = interpolator.name();
        assert!(
            verify(&store, &path.chain, &formulas, &mut *solver(), &run).unwrap(),
            "{name}: {}",
            path.name
        );
        solved += 1;
    }
    solved
}

#[test]
fn weakest_preconditions_explain_every_path() {
    for numbers in [Numbers::Integers, Numbers::Bits] {
        assert_eq!(solved(&mut newton(Direction::Backward, Vocabulary::All), numbers, &[1, 3]), 22);
        assert_eq!(solved(&mut newton(Direction::Backward, Vocabulary::Live), numbers, &[2]), 11);
    }
}

#[test]
fn strongest_postconditions_explain_integers() {
    for vocabulary in [Vocabulary::All, Vocabulary::Live] {
        assert_eq!(solved(&mut newton(Direction::Forward, vocabulary), Numbers::Integers, &[2]), 11);
    }
}

#[test]
fn certificates_explain_linear_integers() {
    assert_eq!(solved(&mut Farkas::default(), Numbers::Integers, &[1, 2, 5]), 33);
}

#[test]
fn horn_clauses_explain_integers() {
    assert_eq!(solved(&mut horn(), Numbers::Integers, &[2]), 11);
}

/// What was written is read again, behind a write elsewhere.
#[test]
fn newton_explains_arrays() {
    let (store, run) = (Store::new(), Run::unlimited());
    let array = store.declare("array", store.array_sort(Sort::Int, Sort::Int));
    let [i, j, k] = ["i", "j", "k"].map(|name| store.declare(name, Sort::Int));
    let [ta, ti, tk] = [array, i, k].map(|var| store.var_expr(var));
    let step = |conjuncts, next, inputs| Rc::new(Step { conjuncts, next, inputs });
    let steps = vec![
        step(vec![], vec![(i, tk), (array, store.store(ta, tk, store.int(7)))], vec![k]),
        step(vec![store.ne(tk, ti)], vec![(j, tk), (array, store.store(ta, tk, store.int(8)))], vec![k]),
        step(vec![store.ne(store.select(ta, ti), store.int(7))], vec![], vec![]),
    ];
    let chain = minimal(&store, &Chain::infeasible(&store, steps));
    for vocabulary in [Vocabulary::All, Vocabulary::Live] {
        let mut newton = newton(Direction::Backward, vocabulary);
        let formulas = newton.interpolate(&store, &chain, &run).unwrap().unwrap();
        assert!(verify(&store, &chain, &formulas, &mut *solver(), &run).unwrap(), "{}", newton.name());
    }
}

/// Gives formulas that explain nothing.
struct Wrong;

impl Interpolator for Wrong {
    fn name(&self) -> &'static str {
        "wrong"
    }

    fn interpolate(
        &mut self,
        store: &Store,
        chain: &Chain,
        _: &Run,
    ) -> Result<Option<Vec<thetis_expr::ExprId>>, thetis_base::Stop> {
        Ok(Some(vec![store.tru(); chain.steps.len() + 1]))
    }
}

#[test]
fn what_is_wrong_is_left_to_the_next() {
    let (store, run) = (Store::new(), Run::unlimited());
    let path = &paths(&store, &[1])[0];
    let chain = minimal(&store, &path.chain);
    let all: Vec<Box<dyn Interpolator>> = vec![Box::new(Wrong), Box::new(Farkas::default())];
    let mut order = InOrder::new(all, solver());
    assert!(order.interpolate(&store, &chain, &run).unwrap().is_some());
    assert!(order.interpolate_from(1, &store, &chain, &run).unwrap().is_some());
    let stats: Vec<_> = order.stats().map(|(name, s)| (name, s.asked, s.solved, s.rejected)).collect();
    assert_eq!(stats, [("wrong", 1, 0, 1), ("farkas", 2, 2, 0)]);
}
