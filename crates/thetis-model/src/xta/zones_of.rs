//! Formulas over clocks as unions of zones.
//!
//! A formula is brought into disjunctive form. Each comparison must be a bound on a clock or on a difference of two clocks by a whole
//! number, and there must not be too many disjuncts; otherwise there are no zones.

use std::collections::BTreeMap;

use num_traits::{Signed, ToPrimitive, Zero};
use thetis_expr::{ExprId, Op, Rational, Sort, Store, Value, VarId};

use super::{ClockId, Difference, ZoneGroup};

/// How deeply a formula may nest.
const MAX_DEPTH: u32 = 200;

/// The most disjuncts.
const MAX_ZONES: usize = 256;

/// Which variables are clocks.
pub(super) struct ClockVars {
    pub(super) clocks: BTreeMap<VarId, ClockId>,
    /// A variable that is always zero.
    pub(super) zero: VarId,
}

/// A conjunction.
type Conjunction = Vec<Difference>;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Polarity {
    Positive,
    Negative,
}

/// The zones whose union is `formula`, each as constraints; `None` if there are none.
pub(super) fn zones_of(store: &Store, formula: ExprId, vars: &ClockVars) -> Option<Vec<Conjunction>> {
    disjuncts(store, formula, vars, Polarity::Positive, MAX_DEPTH)
}

fn disjuncts(
    store: &Store,
    formula: ExprId,
    vars: &ClockVars,
    polarity: Polarity,
    depth: u32,
) -> Option<Vec<Conjunction>> {
    let depth = depth.checked_sub(1)?;
    let args = store.args(formula);
    let part = |arg: &ExprId| disjuncts(store, *arg, vars, polarity, depth);
    let result = match (store.op(formula), polarity) {
        (Op::Const(_), _) => {
            let is_true = store.value(formula)? == Value::Bool(true);
            if is_true == (polarity == Polarity::Positive) { vec![Vec::new()] } else { Vec::new() }
        }
        (Op::Not, _) => {
            let flipped = match polarity {
                Polarity::Positive => Polarity::Negative,
                Polarity::Negative => Polarity::Positive,
            };
            return disjuncts(store, args[0], vars, flipped, depth);
        }
        (Op::And, Polarity::Positive) | (Op::Or, Polarity::Negative) => {
            let mut list = vec![Conjunction::new()];
            for arg in &args {
                let further = part(arg)?;
                if list.len() * further.len() > MAX_ZONES {
                    return None;
                }
                let joined =
                    list.iter().flat_map(|left| further.iter().map(|right| [&left[..], right].concat()));
                list = joined.collect();
            }
            list
        }
        (Op::Or, Polarity::Positive) | (Op::And, Polarity::Negative) => {
            let parts = args.iter().map(part).collect::<Option<Vec<_>>>()?;
            parts.concat()
        }
        (Op::Le | Op::Lt | Op::Eq, _) if store.sort(args[0]) == Sort::Real => {
            let bound = bound(store, args[0], args[1], vars)?;
            bound.compared(store.op(formula), polarity)
        }
        _ => return None,
    };
    (result.len() <= MAX_ZONES).then_some(result)
}

/// `left - right <= limit`, once `<=` is replaced by a comparison.
struct Bound {
    left: Option<ClockId>,
    right: Option<ClockId>,
    limit: i32,
}

impl Bound {
    fn compared(&self, op: Op, polarity: Polarity) -> Vec<Conjunction> {
        let upper =
            |is_strict: bool| Difference { left: self.left, right: self.right, limit: self.limit, is_strict };
        let lower = |is_strict: bool| upper(!is_strict).negated();
        match (op, polarity) {
            (Op::Le, Polarity::Positive) => vec![vec![upper(false)]],
            (Op::Lt, Polarity::Positive) => vec![vec![upper(true)]],
            (Op::Le, Polarity::Negative) => vec![vec![lower(true)]],
            (Op::Lt, Polarity::Negative) => vec![vec![lower(false)]],
            (_, Polarity::Positive) => vec![vec![upper(false), lower(false)]],
            (_, Polarity::Negative) => vec![vec![upper(true)], vec![lower(true)]],
        }
    }
}

/// The comparison of two terms as one of a difference of clocks with a whole number. The order of the sides is kept.
fn bound(store: &Store, left: ExprId, right: ExprId, vars: &ClockVars) -> Option<Bound> {
    let mut sum = Sum::default();
    sum.add(store, left, &Rational::from_integer(1.into()), vars, MAX_DEPTH)?;
    sum.add(store, right, &Rational::from_integer((-1).into()), vars, MAX_DEPTH)?;
    let terms: Vec<(ClockId, Rational)> =
        sum.clocks.into_iter().filter(|(_, factor)| !factor.is_zero()).collect();
    let (left, right, scale) = match terms.as_slice() {
        [] => (None, None, Rational::from_integer(1.into())),
        [(clock, factor)] if factor.is_positive() => (Some(*clock), None, factor.clone()),
        [(clock, factor)] => (None, Some(*clock), -factor),
        [(one, factor), (other, opposite)] if *factor == -opposite => match factor.is_positive() {
            true => (Some(*one), Some(*other), factor.clone()),
            false => (Some(*other), Some(*one), opposite.clone()),
        },
        _ => return None,
    };
    let limit = -sum.constant / scale;
    let limit = limit.is_integer().then(|| limit.to_integer().to_i32())??;
    Some(Bound { left, right, limit })
}

/// A sum of multiples of clocks and a number.
#[derive(Default)]
struct Sum {
    clocks: BTreeMap<ClockId, Rational>,
    constant: Rational,
}

impl Sum {
    fn add(
        &mut self,
        store: &Store,
        term: ExprId,
        factor: &Rational,
        vars: &ClockVars,
        depth: u32,
    ) -> Option<()> {
        let depth = depth.checked_sub(1)?;
        let args = store.args(term);
        match store.op(term) {
            Op::Const(_) => self.constant += factor * number(store, term)?,
            Op::Var(var) if var == vars.zero => {}
            Op::Var(var) => {
                *self.clocks.entry(*vars.clocks.get(&var)?).or_default() += factor;
            }
            Op::Neg => self.add(store, args[0], &-factor, vars, depth)?,
            Op::Add => {
                for arg in &args {
                    self.add(store, *arg, factor, vars, depth)?;
                }
            }
            Op::Sub => {
                self.add(store, args[0], factor, vars, depth)?;
                self.add(store, args[1], &-factor, vars, depth)?;
            }
            Op::Mul if args.len() == 2 => {
                let (number_at, term_at) = if store.is_literal(args[0]) { (0, 1) } else { (1, 0) };
                let factor = factor * number(store, args[number_at])?;
                self.add(store, args[term_at], &factor, vars, depth)?;
            }
            _ => return None,
        }
        Some(())
    }
}

fn number(store: &Store, term: ExprId) -> Option<Rational> {
    match store.value(term)? {
        Value::Real(number) => Some(number),
        _ => None,
    }
}

impl ZoneGroup {
    /// Adds the zone of all values that satisfy `constraints`, unless one of them compares zero with zero and is false.
    pub(super) fn push(&mut self, constraints: &[Difference]) {
        let size = self.clocks.len() + 1;
        let row = |clock: Option<ClockId>| {
            clock.map_or(0, |clock| self.clocks.iter().position(|own| *own == clock).map_or(0, |at| at + 1))
        };
        let mut cells = vec![ZoneGroup::UNBOUNDED; size * size];
        for one in constraints {
            let (left, right) = (row(one.left), row(one.right));
            let bound = 2 * one.limit + i32::from(!one.is_strict);
            if left == right && bound < 1 {
                return;
            }
            let cell = &mut cells[left * size + right];
            *cell = (*cell).min(bound);
        }
        self.zones.extend(cells);
    }
}
