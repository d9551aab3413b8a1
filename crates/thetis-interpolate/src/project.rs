//! Model-based projection: removes variables from a conjunction of literals, around one model of it.
//!
//! For a variable that must be removed, the projection chooses a term over the others that can replace it: one that it
//! equals, or the bound that is tightest in the model. If the literals hold in the model with the term in place of the
//! variable, that conjunction is a part of the projection that contains the model: in every state that satisfies it,
//! the term is a value for the variable. So the choice of the term needs no proof, only an evaluation, and the value in
//! the model is always a last resort. This is the idea of Komuravelli, Gurfinkel and Chaki (*SMT-based model checking
//! for recursive programs*, 2014), with substitution in place of the test points for linear arithmetic; variables with
//! non-unit coefficients get their value.

use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};
use rustc_hash::FxHashSet;
use thetis_expr::simplify::Simplifier;
use thetis_expr::{EvalError, ExprId, Op, Replacer, Sort, Store, Value, VarId, evaluate};

use crate::eliminate::definition;
use crate::implicant::Point;
use crate::linear::Linear;

/// The result of a projection.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Projected {
    /// Literals without the variables that hold in the model and imply that the variables have values.
    pub literals: Vec<ExprId>,
    /// How many of the variables were replaced by their value in the model, which loses generality.
    pub num_fixed: usize,
}

/// Removes `vars` from `literals`, which hold at `point`.
///
/// # Errors
/// If a variable of the literals has no value.
pub fn project(
    store: &Store,
    vars: &[VarId],
    literals: &[ExprId],
    point: &Point,
) -> Result<Projected, EvalError> {
    let mut projection = Projection { store, point, simplifier: Simplifier::new() };
    let mut literals = literals.to_vec();
    let mut num_fixed = 0;
    let mut pending: Vec<VarId> = vars.to_vec();
    // A variable may get a term when another one has been removed.
    loop {
        let before = pending.len();
        let mut left = Vec::new();
        for var in pending {
            match projection.without(var, &literals)? {
                Some(fewer) => literals = fewer,
                None => left.push(var),
            }
        }
        pending = left;
        if pending.is_empty() {
            return Ok(Projected { literals, num_fixed });
        }
        if pending.len() == before {
            let var = pending.remove(0);
            literals = projection.fixed(var, &literals);
            num_fixed += 1;
        }
    }
}

struct Projection<'a> {
    store: &'a Store,
    point: &'a Point,
    simplifier: Simplifier,
}

impl Projection<'_> {
    /// The literals without `var`, if there is a term for it.
    fn without(&mut self, var: VarId, literals: &[ExprId]) -> Result<Option<Vec<ExprId>>, EvalError> {
        let store = self.store;
        let occurs = |literal: &ExprId| store.vars_of([*literal]).contains(&var);
        let (with, rest): (Vec<ExprId>, Vec<ExprId>) = literals.iter().partition(|literal| occurs(literal));
        if with.is_empty() {
            return Ok(Some(rest));
        }
        if let Some((_, term)) = definition(store, var, &with) {
            return Ok(Some(self.replaced(var, term, &with, rest)));
        }
        let limits: Option<Vec<Limit>> = with.iter().map(|literal| Limit::of(store, var, *literal)).collect();
        let Some(limits) = limits else { return Ok(None) };
        if is_one_sided(&limits) {
            return Ok(Some(rest));
        }
        for term in self.candidates(&limits)? {
            let fewer = self.replaced(var, term, &with, rest.clone());
            if self.all_hold(&fewer)? {
                return Ok(Some(fewer));
            }
        }
        Ok(None)
    }

    /// Candidate terms for a variable with `limits`: its bounds, and the neighbours of terms that it differs from;
    /// those that are largest in the model come first.
    fn candidates(&self, limits: &[Limit]) -> Result<Vec<ExprId>, EvalError> {
        let store = self.store;
        let one = store.int(1);
        let mut valued: Vec<(BigInt, ExprId)> = Vec::new();
        for limit in limits.iter().filter(|limit| limit.is_unit) {
            let terms = match limit.side {
                Side::Below | Side::Above => vec![limit.term],
                Side::Beside => vec![store.add(limit.term, one), store.sub(limit.term, one)],
            };
            for term in terms {
                if let Value::Int(value) = self.value(term)? {
                    valued.push((value, term));
                }
            }
        }
        valued.sort_by(|one, other| other.cmp(one));
        Ok(valued.into_iter().map(|(_, term)| term).collect())
    }

    /// The literals with `var` at its value in the model.
    fn fixed(&mut self, var: VarId, literals: &[ExprId]) -> Vec<ExprId> {
        let value = self.store.literal(self.point[&var].clone());
        self.replaced(var, value, literals, Vec::new())
    }

    /// `rest`, and `with` with `term` in place of `var`.
    fn replaced(&mut self, var: VarId, term: ExprId, with: &[ExprId], mut rest: Vec<ExprId>) -> Vec<ExprId> {
        let store = self.store;
        let mut replacer = Replacer::new(|_: &Store, other| (other == var).then_some(term));
        let mut seen: FxHashSet<ExprId> = rest.iter().copied().collect();
        for literal in with {
            let replaced = self.simplifier.simplify(store, replacer.apply(store, *literal));
            rest.extend(store.conjuncts(replaced).into_iter().filter(|part| seen.insert(*part)));
        }
        rest
    }

    fn all_hold(&self, literals: &[ExprId]) -> Result<bool, EvalError> {
        for literal in literals {
            if self.value(*literal)? != Value::Bool(true) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn value(&self, term: ExprId) -> Result<Value, EvalError> {
        evaluate(self.store, term, &|var: VarId| self.point.get(&var).cloned())
    }
}

/// The constraint of a literal on an integer variable.
struct Limit {
    side: Side,
    /// The bound, if the coefficient of the variable is 1 or -1.
    term: ExprId,
    is_unit: bool,
}

/// Where the variable is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    /// At most the bound.
    Below,
    /// At least the bound.
    Above,
    /// Different from it.
    Beside,
}

impl Limit {
    /// The constraint of `literal` on `var`; `None` if it is not a linear comparison of integers.
    fn of(store: &Store, var: VarId, literal: ExprId) -> Option<Limit> {
        if store.var_sort(var) != Sort::Int {
            return None;
        }
        let (comparison, is_negated) = match store.op(literal) {
            Op::Not => (store.arg(literal, 0), true),
            _ => (literal, false),
        };
        let op = store.op(comparison);
        if !matches!((op, is_negated), (Op::Le | Op::Lt, false) | (Op::Eq, true)) {
            return None;
        }
        let mut form = Linear::of(store, store.arg(comparison, 0), |_, _, _| None)?;
        form.add(&Linear::of(store, store.arg(comparison, 1), |_, _, _| None)?, &-BigInt::one());
        if op == Op::Lt {
            form.constant += 1;
        }
        // Now the literal says `form <= 0` or `form != 0`.
        let coefficient = form.coefficients.remove(&var)?;
        let is_unit = coefficient.abs().is_one();
        form.scale(&-coefficient.signum());
        let side = match op {
            Op::Eq => Side::Beside,
            _ if coefficient > BigInt::zero() => Side::Below,
            _ => Side::Above,
        };
        Some(Limit { side, term: form.term(store), is_unit })
    }
}

/// Whether a value far enough on one side satisfies all limits.
fn is_one_sided(limits: &[Limit]) -> bool {
    !(limits.iter().any(|limit| limit.side == Side::Below)
        && limits.iter().any(|limit| limit.side == Side::Above))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Projects `x` out and compares.
    fn check(store: &Store, x: VarId, literals: &[ExprId], point: &[(VarId, Value)], expected: &[ExprId]) {
        let point: Point = point.iter().cloned().collect();
        let mut found = project(store, &[x], literals, &point).unwrap().literals;
        let mut simplifier = Simplifier::new();
        let mut expected: Vec<ExprId> =
            expected.iter().map(|literal| simplifier.simplify(store, *literal)).collect();
        found.sort();
        expected.sort();
        let text = |all: &[ExprId]| -> Vec<String> {
            all.iter().map(|literal| thetis_expr::infix::print(store, *literal)).collect()
        };
        assert_eq!(text(&found), text(&expected));
    }

    #[test]
    fn integers_go_by_their_bounds() {
        let store = Store::new();
        let [x, y, z] = ["x", "y", "z"].map(|name| store.declare(name, Sort::Int));
        let [tx, ty, tz] = [x, y, z].map(|var| store.var_expr(var));
        let at = |a: i32, b: i32, c: i32| [(x, Value::int(a)), (y, Value::int(b)), (z, Value::int(c))];
        let between = [store.le(ty, tx), store.le(tx, tz)];
        check(&store, x, &between, &at(3, 1, 5), &[store.le(ty, tz)]);
        check(&store, x, &between[..1], &at(3, 1, 5), &[]);
        let equal = [store.eq(tx, store.add(ty, store.int(2))), store.lt(tx, tz)];
        check(&store, x, &equal, &at(3, 1, 5), &[store.lt(store.add(ty, store.int(2)), tz)]);
        let beside = [store.ne(tx, ty), store.ne(tx, tz)];
        check(&store, x, &beside, &at(3, 1, 5), &[]);
        let two = store.int(2);
        let scaled = [store.le(store.mul(two, tx), tz), store.le(ty, tx)];
        check(&store, x, &scaled, &at(2, 1, 5), &[store.le(store.mul(two, ty), tz)]);
    }

    #[test]
    fn what_has_no_term_keeps_its_value() {
        let store = Store::new();
        let [x, y] = ["x", "y"].map(|name| store.declare(name, Sort::bitvec(8)));
        let [tx, ty] = [x, y].map(|var| store.var_expr(var));
        let bits = |number: u8| Value::BitVec(thetis_expr::BitVec::new(8, number));
        let point = [(x, bits(3)), (y, bits(9))];
        check(&store, x, &[store.bv_ult(tx, ty)], &point, &[store.bv_ult(store.bits(8, 3u8), ty)]);
        check(&store, x, &[store.eq(tx, store.bv_add(ty, ty))], &[(x, bits(18)), (y, bits(9))], &[]);
    }
}
