//! Quantifier elimination that uses a solver only for the hard cases.
//!
//! Most variables that interpolation must remove are easy: a conjunct determines their value, they are Boolean, or they
//! occur only in disequalities. Such variables are removed here, whatever their sort; this is essential for
//! bit-vectors, for which solvers have no useful elimination. The rest is left to another [`Eliminator`].

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use thetis_base::Run;
use thetis_expr::{ExprId, Op, Postorder, Replacer, Sort, Store, VarId};
use thetis_solver::{Eliminator, SolverError};

/// The largest formula in which a Boolean is replaced by both its values.
const MAX_EXPANDED: usize = 300;

/// How many conjuncts are simplified by the others.
const MAX_PROPAGATED: usize = 40;

/// The shortcuts, around an eliminator for everything else.
pub struct Shortcuts {
    inner: Rc<dyn Eliminator>,
}

impl Shortcuts {
    /// The shortcuts before `inner`.
    pub fn new(inner: Rc<dyn Eliminator>) -> Shortcuts {
        Shortcuts { inner }
    }
}

impl Eliminator for Shortcuts {
    fn exists(
        &self,
        store: &Store,
        vars: &[VarId],
        formula: ExprId,
        run: &Run,
    ) -> Result<Option<ExprId>, SolverError> {
        let mut conjuncts = flat_conjuncts(store, formula);
        let mut left: Vec<VarId> = Vec::new();
        let mut pending: Vec<VarId> = vars.to_vec();
        // A variable may become easy when another one has been removed.
        loop {
            let before = pending.len();
            for var in std::mem::take(&mut pending) {
                if !eliminate_one(store, var, &mut conjuncts) {
                    left.push(var);
                }
            }
            if left.is_empty() || left.len() == before {
                break;
            }
            pending = std::mem::take(&mut left);
        }
        if left.is_empty() {
            return Ok(Some(store.and_all(conjuncts)));
        }
        // Only conjuncts with the remaining variables go to the other eliminator.
        let occurs = |conjunct: &ExprId| store.vars_of([*conjunct]).iter().any(|var| left.contains(var));
        let (hard, easy): (Vec<ExprId>, Vec<ExprId>) = conjuncts.into_iter().partition(occurs);
        let rest = self.inner.exists(store, &left, store.and_all(hard), run)?;
        Ok(rest.map(|rest| store.and(rest, store.and_all(easy))))
    }
}

/// The conjuncts of a formula, where a negated disjunction counts as the conjunction that it is.
fn flat_conjuncts(store: &Store, formula: ExprId) -> Vec<ExprId> {
    let mut conjuncts = Vec::new();
    let mut pending = store.conjuncts(formula);
    pending.reverse();
    while let Some(part) = pending.pop() {
        if store.op(part) == Op::Not && store.op(store.arg(part, 0)) == Op::Or {
            let negated =
                store.args(store.arg(part, 0)).iter().map(|arg| store.not(*arg)).collect::<Vec<_>>();
            pending.extend(negated.into_iter().rev().flat_map(|arg| store.conjuncts(arg).into_iter().rev()));
        } else {
            conjuncts.push(part);
        }
    }
    conjuncts
}

/// Removes `var` from the conjunction if that is easy, or can be made so.
fn eliminate_one(store: &Store, var: VarId, conjuncts: &mut Vec<ExprId>) -> bool {
    if eliminate_easy(store, var, conjuncts) {
        return true;
    }
    let simpler = propagate(store, conjuncts);
    let is_simpler = simpler != *conjuncts;
    *conjuncts = simpler;
    is_simpler && eliminate_easy(store, var, conjuncts)
}

/// The conjunction with each conjunct simplified by the others: an occurrence of another conjunct becomes true, and
/// reads of written arrays are resolved where another conjunct decides whether the indices are equal.
fn propagate(store: &Store, conjuncts: &[ExprId]) -> Vec<ExprId> {
    let mut conjuncts = conjuncts.to_vec();
    for number in 0..conjuncts.len().min(MAX_PROPAGATED) {
        let others = conjuncts.iter().enumerate().filter(|(other, _)| *other != number);
        let facts: FxHashSet<ExprId> = others.map(|(_, fact)| *fact).collect();
        conjuncts[number] = simplify_by(store, conjuncts[number], &facts);
    }
    flat_conjuncts(store, store.and_all(conjuncts))
}

fn simplify_by(store: &Store, formula: ExprId, facts: &FxHashSet<ExprId>) -> ExprId {
    let mut done: FxHashMap<ExprId, ExprId> = FxHashMap::default();
    for part in Postorder::new(store, [formula]) {
        let args: Vec<ExprId> = store.args(part).iter().map(|arg| done[arg]).collect();
        let rebuilt = if args.is_empty() { part } else { store.rebuild(part, &args) };
        let simpler = if store.sort(rebuilt) != Sort::Bool {
            resolve_read(store, rebuilt, facts)
        } else if facts.contains(&rebuilt) {
            store.tru()
        } else if facts.contains(&store.not(rebuilt)) {
            store.fals()
        } else {
            rebuilt
        };
        done.insert(part, simpler);
    }
    done[&formula]
}

fn resolve_read(store: &Store, term: ExprId, facts: &FxHashSet<ExprId>) -> ExprId {
    let mut term = term;
    while store.op(term) == Op::Select && store.op(store.arg(term, 0)) == Op::Store {
        let (array, index) = (store.arg(term, 0), store.arg(term, 1));
        let is_same = store.eq(store.arg(array, 1), index);
        if facts.contains(&store.not(is_same)) {
            term = store.select(store.arg(array, 0), index);
        } else if facts.contains(&is_same) {
            return store.arg(array, 2);
        } else {
            break;
        }
    }
    term
}

/// Removes `var` from the conjunction if that is easy.
fn eliminate_easy(store: &Store, var: VarId, conjuncts: &mut Vec<ExprId>) -> bool {
    let (with, without): (Vec<ExprId>, Vec<ExprId>) =
        conjuncts.iter().copied().partition(|conjunct| store.vars_of([*conjunct]).contains(&var));
    if with.is_empty() {
        return true;
    }
    let rest = if let Some((number, value)) = definition(store, var, &with) {
        let mut others = with.clone();
        others.remove(number);
        let mut replacer = Replacer::new(|_: &Store, other| (other == var).then_some(value));
        others.into_iter().map(|other| replacer.apply(store, other)).collect()
    } else if with.iter().all(|conjunct| is_disequality(store, var, *conjunct, with.len())) {
        Vec::new()
    } else if let Some(expanded) = expand(store, var, &with) {
        vec![expanded]
    } else {
        return false;
    };
    let all = store.and_all(without.into_iter().chain(rest));
    *conjuncts = flat_conjuncts(store, all);
    true
}

/// A conjunct that determines `var`, with its term.
pub(crate) fn definition(store: &Store, var: VarId, conjuncts: &[ExprId]) -> Option<(usize, ExprId)> {
    conjuncts.iter().enumerate().find_map(|(number, conjunct)| {
        let value = match store.op(*conjunct) {
            Op::Eq => {
                let (left, right) = (store.arg(*conjunct, 0), store.arg(*conjunct, 1));
                solve(store, var, left, right).or_else(|| solve(store, var, right, left))
            }
            Op::Var(truth) if truth == var => Some(store.tru()),
            Op::Not if store.as_var(store.arg(*conjunct, 0)) == Some(var) => Some(store.fals()),
            _ => None,
        };
        value.map(|value| (number, value))
    })
}

/// The term that `var` equals if `side = other`, by inverting the operators around `var`.
fn solve(store: &Store, var: VarId, side: ExprId, other: ExprId) -> Option<ExprId> {
    let occurs = |term: ExprId| store.vars_of([term]).contains(&var);
    if occurs(other) {
        return None;
    }
    let (mut side, mut other) = (side, other);
    loop {
        if store.as_var(side) == Some(var) {
            return Some(other);
        }
        let args = store.args(side);
        let mut with = args.iter().enumerate().filter(|(_, arg)| occurs(**arg));
        let (position, inner) = with.next().map(|(position, arg)| (position, *arg))?;
        if with.next().is_some() {
            return None;
        }
        let others: Vec<ExprId> = args.iter().copied().filter(|arg| *arg != inner).collect();
        other = undo(store, side, position, &others, other)?;
        side = inner;
    }
}

/// The value that argument `position` of `side` has if `side` has the value `value`; `others` are the other arguments.
fn undo(store: &Store, side: ExprId, position: usize, others: &[ExprId], value: ExprId) -> Option<ExprId> {
    let first = others.first().copied();
    Some(match (store.op(side), position) {
        (Op::Add, _) => others.iter().fold(value, |value, other| store.sub(value, *other)),
        (Op::Sub, 0) => store.add(value, first?),
        (Op::Sub, _) => store.sub(first?, value),
        (Op::Neg, _) => store.neg(value),
        (Op::BvAdd, _) => others.iter().fold(value, |value, other| store.bv_sub(value, *other)),
        (Op::BvSub, 0) => store.bv_add(value, first?),
        (Op::BvSub, _) => store.bv_sub(first?, value),
        (Op::BvNeg, _) => store.bv_neg(value),
        (Op::BvNot, _) => store.bv_not(value),
        (Op::BvXor, _) => others.iter().fold(value, |value, other| store.bv_xor(value, *other)),
        (Op::Not, _) => store.not(value),
        _ => return None,
    })
}

/// Whether `conjunct` is a disequality of `var`, and the sort has enough values to satisfy this many disequalities.
fn is_disequality(store: &Store, var: VarId, conjunct: ExprId, how_many: usize) -> bool {
    let has_enough = match store.var_sort(var) {
        Sort::Int | Sort::Real => true,
        Sort::BitVec(width) => width.get() >= usize::BITS || how_many < 1 << width.get(),
        _ => false,
    };
    if !has_enough || store.op(conjunct) != Op::Not {
        return false;
    }
    let equation = store.arg(conjunct, 0);
    if store.op(equation) != Op::Eq {
        return false;
    }
    let (left, right) = (store.arg(equation, 0), store.arg(equation, 1));
    solve(store, var, left, right).or_else(|| solve(store, var, right, left)).is_some()
}

/// For a Boolean: one of its two values makes the conjunction true.
fn expand(store: &Store, var: VarId, conjuncts: &[ExprId]) -> Option<ExprId> {
    if store.var_sort(var) != Sort::Bool {
        return None;
    }
    let formula = store.and_all(conjuncts.iter().copied());
    if store.size(formula) > MAX_EXPANDED {
        return None;
    }
    let with = |value: ExprId| {
        Replacer::new(|_: &Store, other| (other == var).then_some(value)).apply(store, formula)
    };
    Some(store.or(with(store.tru()), with(store.fals())))
}

/// Which of `vars` occur in `formula`.
pub(crate) fn occurring(store: &Store, vars: &[VarId], formula: ExprId) -> Vec<VarId> {
    let found: FxHashSet<VarId> = store.vars_of([formula]).into_iter().collect();
    vars.iter().copied().filter(|var| found.contains(var)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An eliminator that must not be called.
    struct NoOne;

    impl Eliminator for NoOne {
        fn exists(&self, _: &Store, _: &[VarId], _: ExprId, _: &Run) -> Result<Option<ExprId>, SolverError> {
            Ok(None)
        }
    }

    fn check(store: &Store, vars: &[VarId], formula: ExprId, expected: Option<ExprId>) {
        let found = Shortcuts::new(Rc::new(NoOne)).exists(store, vars, formula, &Run::unlimited());
        assert_eq!(found, Ok(expected));
    }

    #[test]
    fn easy_variables_need_no_solver() {
        let store = Store::new();
        let bits = |name: &str| store.declare(name, Sort::bitvec(8));
        let (x, y, b) = (bits("x"), bits("y"), store.declare("b", Sort::Bool));
        let [tx, ty, tb] = [x, y, b].map(|var| store.var_expr(var));
        let seven = store.bits(8, 7u8);
        let below = store.bv_ult(ty, seven);
        // y = x + 7 and x < 7: x is y - 7.
        let formula = store.and(store.eq(ty, store.bv_add(tx, seven)), store.bv_ult(tx, seven));
        check(&store, &[x], formula, Some(store.bv_ult(store.bv_sub(ty, seven), seven)));
        check(&store, &[x], store.and(store.ne(tx, ty), below), Some(below));
        check(&store, &[b], store.or(store.and(tb, below), store.not(tb)), Some(store.tru()));
        check(&store, &[x], below, Some(below));
        check(&store, &[x], store.bv_ult(tx, ty), None);
    }

    #[test]
    fn reads_are_resolved_where_the_place_is_known() {
        let store = Store::new();
        let array = store.declare("array", store.array_sort(Sort::Int, Sort::Int));
        let [i, j] = ["i", "j"].map(|name| store.declare(name, Sort::Int));
        let [ta, ti, tj] = [array, i, j].map(|var| store.var_expr(var));
        let read = |array| store.eq(store.select(array, ti), store.int(7));
        let formula = store.and(store.ne(ti, tj), read(store.store(ta, tj, store.int(8))));
        check(&store, &[j], formula, Some(read(ta)));
    }

    #[test]
    fn a_truth_value_differs_from_at_most_one() {
        let store = Store::new();
        let x = store.declare("x", Sort::bitvec(1));
        let tx = store.var_expr(x);
        let neither = store.and(store.ne(tx, store.bits(1, 0u8)), store.ne(tx, store.bits(1, 1u8)));
        check(&store, &[x], neither, None);
    }
}
