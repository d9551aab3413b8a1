//! One unsatisfiable conjunction as two formulas.
//!
//! The conjuncts are put in an order and cut into a first part `A` and a second part `B`, whose conjunction is equivalent to the
//! whole. If one part is unsatisfiable alone the cut moves into it, by bisection, so that both parts become satisfiable if
//! some cut of the order allows that. Otherwise the interpolant is a constant.

use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};
use thetis_base::{Run, Stop};
use thetis_expr::{ExprId, Op, Store, VarId};
use thetis_solver::{Answer, CoreAnswer, CoreSolver};

/// How conjuncts are distributed.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SplitStrategy {
    /// The first half and the second half.
    Half,
    /// Between the halves of a core.
    #[default]
    Core,
    /// Where few variables are shared.
    Connected,
}

/// Two formulas whose conjunction is that of all conjuncts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Split {
    /// The first formula.
    pub a: ExprId,
    /// The second formula.
    pub b: ExprId,
}

/// Splits the conjunction of `formulas`; `solver` has no assertions.
pub fn split(
    store: &Store,
    formulas: &[ExprId],
    strategy: SplitStrategy,
    solver: &mut dyn CoreSolver,
    run: &Run,
) -> Result<Split, Stop> {
    let conjuncts = conjuncts_of(store, formulas);
    let (order, mut cut) = match strategy {
        SplitStrategy::Half => (conjuncts.clone(), conjuncts.len() / 2),
        SplitStrategy::Core => around_core(store, &conjuncts, solver)?,
        SplitStrategy::Connected => by_connection(store, &conjuncts),
    };
    let (mut least, mut greatest) = (0, order.len());
    while least < greatest {
        run.checkpoint()?;
        if is_unsatisfiable(store, &order[..cut], solver)? {
            greatest = cut - 1;
        } else if is_unsatisfiable(store, &order[cut..], solver)? {
            least = cut + 1;
        } else {
            break;
        }
        cut = (least + greatest) / 2;
    }
    let (a, b) = order.split_at(cut);
    Ok(Split { a: store.and_all(a.iter().copied()), b: store.and_all(b.iter().copied()) })
}

/// The conjuncts of the formulas, also those of negated disjunctions, each once.
fn conjuncts_of(store: &Store, formulas: &[ExprId]) -> Vec<ExprId> {
    let mut seen = FxHashSet::default();
    let mut conjuncts = Vec::new();
    let mut stack: Vec<ExprId> = formulas.iter().rev().copied().collect();
    while let Some(formula) = stack.pop() {
        let negated = (store.op(formula) == Op::Not).then(|| store.arg(formula, 0));
        match (store.op(formula), negated) {
            (Op::And, _) => stack.extend(store.args(formula).iter().rev()),
            (_, Some(inner)) if store.op(inner) == Op::Or => {
                stack.extend(store.args(inner).iter().rev().map(|arg| store.not(*arg)));
            }
            _ if formula == store.tru() => {}
            _ => {
                if seen.insert(formula) {
                    conjuncts.push(formula);
                }
            }
        }
    }
    conjuncts
}

/// The first half of a core, what is not in the core, and the second half; cut before the latter.
fn around_core(
    store: &Store,
    conjuncts: &[ExprId],
    solver: &mut dyn CoreSolver,
) -> Result<(Vec<ExprId>, usize), Stop> {
    let core = match solver.check_core(store, conjuncts)? {
        CoreAnswer::Unsat(core) => core,
        CoreAnswer::Sat(_) | CoreAnswer::Unknown(_) => Vec::new(),
    };
    let (first, second) = core.split_at(core.len() / 2);
    let mut order = first.to_vec();
    order.extend(conjuncts.iter().filter(|conjunct| !core.contains(conjunct)));
    let cut = if core.is_empty() { order.len() / 2 } else { order.len() };
    order.extend(second);
    Ok((order, cut))
}

/// The conjuncts in an order in which neighbours share variables, cut in the middle half where the fewest variables are
/// shared.
fn by_connection(store: &Store, conjuncts: &[ExprId]) -> (Vec<ExprId>, usize) {
    let vars: Vec<FxHashSet<VarId>> =
        conjuncts.iter().map(|conjunct| store.vars_of([*conjunct]).into_iter().collect()).collect();
    let mut pending: Vec<usize> = (0..conjuncts.len()).collect();
    let mut order = Vec::new();
    let mut reached: FxHashSet<VarId> = FxHashSet::default();
    while !pending.is_empty() {
        let new = |index: usize| vars[index].difference(&reached).count();
        let best = (0..pending.len()).min_by_key(|position| new(pending[*position])).unwrap_or(0);
        let index = pending.remove(best);
        reached.extend(&vars[index]);
        order.push(index);
    }
    let shared = |cut: usize| {
        let of = |part: &[usize]| {
            part.iter().flat_map(|index| vars[*index].iter().copied()).collect::<FxHashSet<_>>()
        };
        of(&order[..cut]).intersection(&of(&order[cut..])).count()
    };
    let cuts = order.len() / 4..=order.len() - order.len() / 4;
    let cut = cuts.min_by_key(|cut| shared(*cut)).unwrap_or(0);
    (order.iter().map(|index| conjuncts[*index]).collect(), cut)
}

fn is_unsatisfiable(store: &Store, conjuncts: &[ExprId], solver: &mut dyn CoreSolver) -> Result<bool, Stop> {
    Ok(matches!(solver.check(store, conjuncts)?, Answer::Unsat))
}
