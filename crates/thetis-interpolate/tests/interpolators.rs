//! Every interpolator on infeasible paths: all its results are correct.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod paths;

use std::collections::BTreeSet;
use std::rc::Rc;
use std::time::Duration;

use paths::{Numbers, paths};
use thetis_base::Run;
use thetis_expr::{ExprId, Sort, Store, Value, VarId, evaluate};
use thetis_ice::{IceChains, IceConfig};
use thetis_interpolate::{
    AtHeads, Clauses, Direction, Farkas, Feasibility, InOrder, Newton, Sees, Shortcuts, Unrolled, Vocabulary,
    slice, verify,
};
use thetis_solver::{Chain, CheckedFactory, CoreSolver, Eliminator, Interpolator, SolverFactory, Step};
use thetis_z3::{Z3Eliminator, Z3Factory, Z3Horn};

fn solver() -> Box<dyn CoreSolver> {
    let z3 = || Rc::new(Z3Factory::default());
    CheckedFactory::new(z3(), z3()).start(&Run::unlimited()).unwrap()
}

/// A solver for many small questions; what is built on its answers is verified by the other one.
fn quick() -> Box<dyn CoreSolver> {
    Z3Factory::default().start(&Run::unlimited()).unwrap()
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

/// How many of the paths over such numbers the interpolator solves; all results are verified.
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
fn learning_explains_most_paths_of_integers() {
    let config = IceConfig { max_iterations: 60, ..IceConfig::default() };
    let mut ice = IceChains::new(config, Rc::new(Z3Factory::default()));
    let solved = solved(&mut ice, Numbers::Integers, &[1, 2]);
    assert!(solved >= 10, "{solved} of 22");
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

/// Bounds of integers and bits of bit-vectors explain why a number is not another one.
#[test]
fn clauses_explain_small_numbers() {
    let (store, run) = (Store::new(), Run::unlimited());
    let int = store.declare("int", Sort::Int);
    let bits = store.declare("bits", Sort::bitvec(4));
    let (ti, tb) = (store.var_expr(int), store.var_expr(bits));
    let step = |conjuncts, next| Rc::new(Step { conjuncts, next, inputs: vec![] });
    let start = step(vec![], vec![(int, store.int(3)), (bits, store.bits(4, 3_u32))]);
    let round = step(
        vec![],
        vec![(int, store.add(ti, store.int(1))), (bits, store.bv_add(tb, store.bits(4, 1_u32)))],
    );
    for end in [store.eq(ti, store.int(7)), store.eq(tb, store.bits(4, 7_u32))] {
        let steps = vec![start.clone(), round.clone(), round.clone(), step(vec![end], vec![])];
        let chain = Chain { heads: vec![1, 2, 3], ..Chain::infeasible(&store, steps) };
        let formulas = Clauses::new(solver()).interpolate(&store, &chain, &run).unwrap().unwrap();
        assert!(verify(&store, &chain, &formulas, &mut *solver(), &run).unwrap());
    }
}

/// A counter of `width` bits that starts at zero and stops at `top`; after up to `rounds` steps it should be `wanted`.
fn counter(store: &Store, width: usize, top: usize, rounds: usize, wanted: usize) -> Chain {
    let bits: Vec<VarId> = (0..width).map(|at| store.declare(&format!("bit{at}"), Sort::Bool)).collect();
    let go = store.declare("go", Sort::Bool);
    let is = |number: usize| -> Vec<ExprId> {
        let bit = |(at, bit): (usize, &VarId)| {
            let bit = store.var_expr(*bit);
            if number >> at & 1 == 1 { bit } else { store.not(bit) }
        };
        bits.iter().enumerate().map(bit).collect()
    };
    let goes = store.and(store.var_expr(go), store.not(store.and_all(is(top))));
    let mut carry = goes;
    let mut next = Vec::new();
    for bit in &bits {
        next.push((*bit, store.xor(store.var_expr(*bit), carry)));
        carry = store.and(carry, store.var_expr(*bit));
    }
    let step = |conjuncts, next, inputs| Rc::new(Step { conjuncts, next, inputs });
    let round = step(vec![], next, vec![go]);
    let mut steps = vec![step(is(0), vec![], vec![])];
    steps.extend((0..rounds).map(|_| round.clone()));
    steps.push(step(is(wanted), vec![], vec![]));
    let heads = (1..steps.len()).collect();
    Chain { heads, ..Chain::infeasible(store, steps) }
}

#[test]
fn clauses_explain_longer_and_longer_paths_of_bits() {
    let (store, run) = (Store::new(), Run::unlimited());
    let mut clauses = Clauses::new(quick());
    // Up to nine rounds lead to nine at most, and more rounds not beyond the top.
    for (rounds, wanted) in (0..20).map(|rounds| (rounds, (rounds + 1).max(11))) {
        let chain = counter(&store, 5, 10, rounds, wanted);
        let formulas = clauses.interpolate(&store, &chain, &run).unwrap().unwrap();
        assert!(
            verify(&store, &chain, &formulas, &mut *solver(), &run).unwrap(),
            "{rounds} rounds to {wanted}"
        );
    }
    // Where rounds do not suffice for a number that more rounds reach.
    for rounds in 0..10 {
        let chain = counter(&store, 5, 10, rounds, 10);
        let formulas = clauses.interpolate(&store, &chain, &run).unwrap().unwrap();
        assert!(verify(&store, &chain, &formulas, &mut *solver(), &run).unwrap(), "{rounds} rounds to 10");
    }
    // A path that can be run has no interpolant.
    let feasible = counter(&store, 5, 10, 12, 7);
    assert_eq!(clauses.interpolate(&store, &feasible, &run).unwrap(), None);
}

/// Random steps over three truth values and an input, all different: the truth is known by enumeration.
#[test]
fn clauses_explain_exactly_the_infeasible_random_paths() {
    let (store, run) = (Store::new(), Run::unlimited());
    let vars: Vec<VarId> = ["p", "q", "r"].iter().map(|name| store.declare(name, Sort::Bool)).collect();
    let input = store.declare("i", Sort::Bool);
    let mut clauses = Clauses::new(quick());
    let (mut num_explained, mut num_feasible) = (0, 0);
    for seed in 0..150 {
        let mut random = Random(seed);
        let steps: Vec<Rc<Step>> =
            (0..2 + random.below(4)).map(|_| random.step(&store, &vars, input)).collect();
        // Some points are said to be heads of loops although the steps differ.
        let heads = (0..steps.len()).filter(|_| random.below(2) == 0).collect();
        let chain = Chain { heads, ..Chain::infeasible(&store, steps) };
        let is_feasible = runs(&store, &chain, &vars, input);
        let found = clauses.interpolate(&store, &chain, &run).unwrap();
        assert_eq!(found.is_none(), is_feasible, "seed {seed}");
        if let Some(formulas) = found {
            assert!(verify(&store, &chain, &formulas, &mut *solver(), &run).unwrap(), "seed {seed}");
            num_explained += 1;
        } else {
            num_feasible += 1;
        }
    }
    assert!(num_explained > 30 && num_feasible > 30, "{num_explained} explained, {num_feasible} feasible");
}

/// Whether the chain can be run, by following all states.
fn runs(store: &Store, chain: &Chain, vars: &[VarId], input: VarId) -> bool {
    let mut states: BTreeSet<Vec<bool>> =
        (0..8).map(|n| (0..3).map(|bit| n >> bit & 1 == 1).collect()).collect();
    for step in &chain.steps {
        let mut next = BTreeSet::new();
        for state in &states {
            for choice in [false, true] {
                let value = |term: ExprId, state: &[bool]| {
                    let lookup = |var: VarId| {
                        let at = vars.iter().position(|other| *other == var);
                        Some(Value::Bool(if var == input { choice } else { state[at?] }))
                    };
                    evaluate(store, term, &lookup).unwrap() == Value::Bool(true)
                };
                if step.conjuncts.iter().all(|conjunct| value(*conjunct, state)) {
                    let mut after = state.clone();
                    for (var, term) in &step.next {
                        let at = vars.iter().position(|other| other == var).unwrap();
                        after[at] = value(*term, state);
                    }
                    next.insert(after);
                }
            }
        }
        states = next;
    }
    !states.is_empty()
}

/// Numbers that look random (SplitMix64).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ mixed >> 31) % bound
    }

    fn formula(&mut self, store: &Store, atoms: &[ExprId], depth: u32) -> ExprId {
        if depth == 0 || self.below(4) == 0 {
            let atom = atoms[self.below(atoms.len() as u64) as usize];
            return if self.below(2) == 0 { atom } else { store.not(atom) };
        }
        let (left, right) = (self.formula(store, atoms, depth - 1), self.formula(store, atoms, depth - 1));
        match self.below(3) {
            0 => store.and(left, right),
            1 => store.or(left, right),
            _ => store.xor(left, right),
        }
    }

    fn step(&mut self, store: &Store, vars: &[VarId], input: VarId) -> Rc<Step> {
        let mut atoms: Vec<ExprId> = vars.iter().map(|var| store.var_expr(*var)).collect();
        atoms.push(store.var_expr(input));
        let conjuncts = (0..1 + self.below(2)).map(|_| self.formula(store, &atoms, 2)).collect();
        let mut next = Vec::new();
        for var in vars {
            if self.below(3) > 0 {
                next.push((*var, self.formula(store, &atoms, 2)));
            }
        }
        Rc::new(Step { conjuncts, next, inputs: vec![input] })
    }
}

/// What was written is read again, after a write elsewhere.
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

/// An interpolator whose formulas explain nothing.
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
    let all: Vec<(Box<dyn Interpolator>, Sees)> =
        vec![(Box::new(Wrong), Sees::Whole), (Box::new(Farkas::default()), Sees::Core)];
    let mut order = InOrder::new(all, solver());
    assert!(order.interpolate(&store, &chain, &run).unwrap().is_some());
    let mut reductions = 0;
    let reduce = || {
        reductions += 1;
        Ok(chain.clone())
    };
    assert!(order.interpolate_from(1, &store, &path.chain, reduce, &run).unwrap().is_some());
    assert_eq!(reductions, 1);
    let stats: Vec<_> = order.stats().map(|(name, s)| (name, s.asked, s.solved, s.rejected)).collect();
    assert_eq!(stats, [("wrong", 1, 0, 1), ("farkas", 2, 2, 0)]);
}
