//! What may hold at the locations of an automaton, from four sources.
//!
//! * **Ranges**: what the interval analysis says about each variable. It holds but need not be inductive: after a pass, the edges
//!   may need more to preserve it.
//! * **Equalities** between integers, which [`super::equalities`] finds: over the rational numbers, modulo powers of two, and of terms that
//!   are not linear. They hold together with the ranges.
//! * **Facts** of others: invariants for their locations, predicates and their negations for all.
//! * **Guesses**: the comparisons in the text of the model, their negations, and both without their strictness, for all locations. The
//!   condition of a loop or of an error is often an invariant except in one round: `i < n` gives `i <= n`. If there are few integers, also
//!   that one is at most another: a counter of rounds never exceeds a variable that grows by one or more in each round. Finally,
//!   comparisons that are weakened by what one round adds: a loop that runs while `i <= n` and adds one preserves `i <= n + 1`, and cells that
//!   keep what was written to them ([`super::written`]). With ranges, also remainders modulo what rounds add ([`super::strides`]).

use std::collections::{BTreeMap, BTreeSet};

use thetis_base::{Fact, Run, Share, Stop};
use thetis_expr::{ExprId, Op, Postorder, Sort, Store};
use thetis_model::Task;
use thetis_model::cfa::ranges::RangeMap;
use thetis_model::cfa::{Cfa, Graph, LocId, StmtKind, known_invariants, known_predicates};
use thetis_solver::SolverFactory;

use super::KindConfig;
use super::equalities::{self, Equations};
use super::strides::Strides;
use super::written;

/// A comparison with more nodes compares computations rather than values and is not used as a guess.
const MAX_GUESS: usize = 12;

/// How many guesses all locations together may have; each costs the evaluation of a term for each model.
const MAX_GUESSES: usize = 6000;

/// Up to how many integers are compared with each other.
const MAX_COMPARED: usize = 6;

/// A loop is unlikely to add more than this in each round.
const MAX_STEP: i64 = 64;

/// How many summands are looked at.
const MAX_STEPS: usize = 4;

/// The part of the time for one kind of equations.
const EQUATIONS_SHARE: u32 = 40;

/// The candidates that `config` asks for.
pub(super) fn of(
    task: &Task<Cfa>,
    config: &KindConfig,
    facts: &[Fact],
    solvers: &dyn SolverFactory,
    run: &Run,
) -> Result<BTreeMap<LocId, Vec<ExprId>>, Stop> {
    let mut candidates: BTreeMap<LocId, BTreeSet<ExprId>> = BTreeMap::new();
    let locations = places(&task.model);
    let ranges = if config.ranges { Some(RangeMap::new(task, run)?) } else { None };
    if let Some(ranges) = &ranges {
        for location in &locations {
            candidates.entry(*location).or_default().extend(ranges.facts(&task.store, *location));
        }
    }
    if config.equalities {
        for kind in [Equations::Linear, Equations::Modular, Equations::OfTerms] {
            for (location, equations) in equations(task, kind, &candidates, solvers, run)? {
                candidates.entry(location).or_default().extend(equations);
            }
        }
    }
    for (location, invariant) in known_invariants(task, facts) {
        candidates.entry(location).or_default().extend(task.store.conjuncts(invariant));
    }
    for (location, predicate) in known_predicates(task, facts) {
        let places = location.map_or_else(|| locations.clone(), |location| vec![location]);
        for place in places {
            candidates.entry(place).or_default().extend([predicate, task.store.not(predicate)]);
        }
    }
    if config.guesses {
        add_guesses(task, &locations, ranges.as_ref(), &mut candidates);
    }
    run.checkpoint()?;
    Ok(candidates.into_iter().map(|(at, formulas)| (at, formulas.into_iter().collect())).collect())
}

/// Adds the guesses to the candidates of all locations, unless there are too many.
fn add_guesses(
    task: &Task<Cfa>,
    locations: &[LocId],
    ranges: Option<&RangeMap>,
    candidates: &mut BTreeMap<LocId, BTreeSet<ExprId>>,
) {
    let mut num_guesses = 0;
    for guesses in [guesses(task), orders(task), one_round_later(task), written::candidates(task)] {
        num_guesses += guesses.len() * locations.len();
        if num_guesses > MAX_GUESSES {
            return;
        }
        for location in locations {
            candidates.entry(*location).or_default().extend(&guesses);
        }
    }
    let Some(ranges) = ranges else { return };
    let strides = Strides::new(task);
    for location in locations {
        let remainders = strides.candidates(&task.store, ranges, *location);
        num_guesses += remainders.len();
        if num_guesses > MAX_GUESSES {
            return;
        }
        candidates.entry(*location).or_default().extend(remainders);
    }
}

/// The equations that are found within their share of the time, so that equations that are hard to find do not
/// take time from the other candidates.
fn equations(
    task: &Task<Cfa>,
    kind: Equations,
    known: &BTreeMap<LocId, BTreeSet<ExprId>>,
    solvers: &dyn SolverFactory,
    run: &Run,
) -> Result<BTreeMap<LocId, Vec<ExprId>>, Stop> {
    let part = run.slice(Share::percent(EQUATIONS_SHARE));
    match equalities::find(task, kind, known, solvers, &part) {
        Err(Stop::OutOfTime) => run.checkpoint().map(|()| BTreeMap::new()),
        outcome => outcome,
    }
}

/// The locations on the way to errors. At the initial location variables are arbitrary.
fn places(cfa: &Cfa) -> Vec<LocId> {
    let graph = Graph::towards_errors(cfa);
    let order = graph.topological_order().iter().copied();
    order.filter(|location| *location != cfa.initial && !cfa.is_error(*location)).collect()
}

fn guesses(task: &Task<Cfa>) -> BTreeSet<ExprId> {
    comparisons(task).into_iter().flat_map(|comparison| variants(&task.store, comparison)).collect()
}

/// The comparisons in the text of the model.
fn comparisons(task: &Task<Cfa>) -> BTreeSet<ExprId> {
    let store = &task.store;
    let stmts = task.model.edges.iter().flat_map(|edge| edge.stmt.walk());
    let terms = stmts.filter_map(|stmt| match &stmt.kind {
        StmtKind::Assume(term) | StmtKind::Assign(_, term) => Some(*term),
        _ => None,
    });
    Postorder::new(store, terms).filter(|term| is_comparison(store, *term)).collect()
}

/// Comparisons of integers after one more round has added a number to one side.
fn one_round_later(task: &Task<Cfa>) -> BTreeSet<ExprId> {
    let store = &task.store;
    let offsets: BTreeSet<i64> = steps(task).into_iter().flat_map(|step| [step - 1, step]).collect();
    let offsets: Vec<ExprId> =
        offsets.into_iter().filter(|offset| *offset > 0).map(|offset| store.int(offset)).collect();
    let mut later = BTreeSet::new();
    for comparison in comparisons(task) {
        let (left, right) = (store.arg(comparison, 0), store.arg(comparison, 1));
        if matches!(store.op(comparison), Op::Le | Op::Lt) && store.sort(left) == Sort::Int {
            for offset in &offsets {
                later.insert(store.le(left, store.add(right, *offset)));
                later.insert(store.le(right, store.add(left, *offset)));
            }
        }
    }
    later
}

/// By how much assignments make variables greater or smaller, as positive numbers; one is always among them.
fn steps(task: &Task<Cfa>) -> BTreeSet<i64> {
    let store = &task.store;
    let mut steps = BTreeSet::from([1]);
    for stmt in task.model.edges.iter().flat_map(|edge| edge.stmt.walk()) {
        let StmtKind::Assign(var, term) = &stmt.kind else { continue };
        let sums = Postorder::new(store, [*term]).filter(|term| store.op(*term) == Op::Add);
        let of_var = sums.filter(|sum| store.args(*sum).iter().any(|arg| store.as_var(*arg) == Some(*var)));
        let added = of_var.flat_map(|sum| store.args(sum).to_vec()).filter_map(|arg| store.value(arg));
        let small = added.filter_map(|value| i64::try_from(value.as_int()?.magnitude()).ok());
        steps.extend(small.filter(|step| *step <= MAX_STEP));
    }
    steps.into_iter().take(MAX_STEPS).collect()
}

/// That an integer is at most another one.
fn orders(task: &Task<Cfa>) -> BTreeSet<ExprId> {
    let store = &task.store;
    let integers = task.model.vars.iter().filter(|var| store.var_sort(**var) == Sort::Int);
    let integers: Vec<ExprId> = integers.map(|var| store.var_expr(*var)).collect();
    if integers.len() > MAX_COMPARED {
        return BTreeSet::new();
    }
    let pairs = integers.iter().flat_map(|left| integers.iter().map(move |right| (*left, *right)));
    pairs.filter(|(left, right)| left != right).map(|(left, right)| store.le(left, right)).collect()
}

fn is_comparison(store: &Store, term: ExprId) -> bool {
    let compares = match store.op(term) {
        Op::Le | Op::Lt | Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle => true,
        Op::Eq => !matches!(store.sort(store.arg(term, 0)), Sort::Array(_)),
        _ => false,
    };
    compares && store.size(term) <= MAX_GUESS
}

/// The comparison, its negation, and both without their strictness.
fn variants(store: &Store, comparison: ExprId) -> Vec<ExprId> {
    let (left, right) = (store.arg(comparison, 0), store.arg(comparison, 1));
    let opposite = store.not(comparison);
    match store.op(comparison) {
        Op::Le | Op::Lt => vec![comparison, opposite, store.le(left, right), store.le(right, left)],
        Op::BvUle | Op::BvUlt => {
            vec![comparison, opposite, store.bv_ule(left, right), store.bv_ule(right, left)]
        }
        Op::BvSle | Op::BvSlt => {
            vec![comparison, opposite, store.bv_sle(left, right), store.bv_sle(right, left)]
        }
        Op::Eq if store.sort(left).is_numeric() => {
            vec![comparison, opposite, store.le(left, right), store.le(right, left)]
        }
        _ => vec![comparison, opposite],
    }
}
