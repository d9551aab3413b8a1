//! Removes remainders that have no effect from questions.
//!
//! Machine arithmetic is encoded with remainders modulo powers of two. Solvers handle remainders of products badly,
//! although the bounds of the variables alone usually show that nothing wraps around: with `1 <= n <= 1000`, the remainder
//! of `n * (n + 1)` modulo `2^32` is `n * (n + 1)`.
//!
//! A question is a conjunction, so a conjunct that bounds a variable by a number holds in every model. From these bounds
//! follow intervals of terms. Where the interval of a dividend lies within one period of the divisor `m`, from `k * m` to
//! below `(k + 1) * m`, the remainder is replaced by the dividend minus `k * m`.
//!
//! Why the new question has the same models: in a valuation that satisfies the bounds, replaced terms have the values
//! of their replacements, so both questions have the same truth value. In any other one a bound does not hold; bounds contain no
//! remainder, so they stand in both questions, and both are false.
//!
//! This is part of what has to be right, so it shares no code with the interval analysis of the engines.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::Signed;
use rustc_hash::FxHashMap;
use thetis_expr::{ExprId, Op, Postorder, Sort, Store, VarId};

/// Formulas with more nodes are left alone.
const MAX_SIZE: usize = 100_000;

/// `question`, which is a conjunction, with fewer remainders and the same models.
pub(super) fn without_idle_wraps(store: &Store, question: ExprId) -> ExprId {
    let terms: Vec<ExprId> = Postorder::new(store, [question]).take(MAX_SIZE + 1).collect();
    let has_remainder = terms.iter().any(|term| store.op(*term) == Op::Mod);
    if !has_remainder || terms.len() > MAX_SIZE {
        return question;
    }
    let bounds = bounds(store, question);
    if bounds.is_empty() {
        return question;
    }
    let mut done: FxHashMap<ExprId, Done> = FxHashMap::default();
    for term in terms {
        let outcome = replaced(store, term, &bounds, &done);
        done.insert(term, outcome);
    }
    done[&question].term
}

/// A term after replacement, and where its value lies if it is an integer.
struct Done {
    term: ExprId,
    interval: Interval,
}

/// Least and greatest value; `None` is no bound.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
struct Interval {
    low: Option<BigInt>,
    high: Option<BigInt>,
}

impl Interval {
    fn exactly(number: BigInt) -> Interval {
        Interval { low: Some(number.clone()), high: Some(number) }
    }

    fn add(&self, other: &Interval) -> Interval {
        let sum = |left: &Option<BigInt>, right: &Option<BigInt>| Some(left.as_ref()? + right.as_ref()?);
        Interval { low: sum(&self.low, &other.low), high: sum(&self.high, &other.high) }
    }

    fn negated(&self) -> Interval {
        let negated = |bound: &Option<BigInt>| bound.as_ref().map(|bound| -bound);
        Interval { low: negated(&self.high), high: negated(&self.low) }
    }

    /// All products, if both are bounded on both sides.
    fn mul(&self, other: &Interval) -> Interval {
        let products = || {
            let (low, high) = (self.low.as_ref()?, self.high.as_ref()?);
            let (other_low, other_high) = (other.low.as_ref()?, other.high.as_ref()?);
            Some([low * other_low, low * other_high, high * other_low, high * other_high])
        };
        let products = products().map(|products| products.into_iter());
        Interval { low: products.clone().and_then(Iterator::min), high: products.and_then(Iterator::max) }
    }

    /// The quotients by a positive number, rounded down.
    fn quotients(&self, divisor: &BigInt) -> Interval {
        let quotient = |bound: &Option<BigInt>| bound.as_ref().map(|bound| bound.div_floor(divisor));
        Interval { low: quotient(&self.low), high: quotient(&self.high) }
    }

    fn join(&self, other: &Interval) -> Interval {
        let both = |left: &Option<BigInt>, right: &Option<BigInt>| Some((left.clone()?, right.clone()?));
        Interval {
            low: both(&self.low, &other.low).map(|(left, right)| left.min(right)),
            high: both(&self.high, &other.high).map(|(left, right)| left.max(right)),
        }
    }

    fn at_least(&mut self, bound: BigInt) {
        self.low = Some(self.low.take().map_or(bound.clone(), |low| low.max(bound)));
    }

    fn at_most(&mut self, bound: BigInt) {
        self.high = Some(self.high.take().map_or(bound.clone(), |high| high.min(bound)));
    }
}

/// What the conjuncts of `question` say about single variables and numbers.
fn bounds(store: &Store, question: ExprId) -> FxHashMap<VarId, Interval> {
    let mut bounds: FxHashMap<VarId, Interval> = FxHashMap::default();
    let mut pending = vec![(question, true)];
    while let Some((formula, is_true)) = pending.pop() {
        match (store.op(formula), is_true) {
            (Op::Not, _) => pending.push((store.arg(formula, 0), !is_true)),
            (Op::And, true) | (Op::Or, false) => {
                pending.extend(store.args(formula).iter().map(|arg| (*arg, is_true)));
            }
            (Op::Le | Op::Lt | Op::Eq, _) => note_bound(store, formula, is_true, &mut bounds),
            _ => {}
        }
    }
    bounds
}

/// Notes that `comparison` is true or false, if it compares an integer variable with a number.
fn note_bound(store: &Store, comparison: ExprId, is_true: bool, bounds: &mut FxHashMap<VarId, Interval>) {
    let (left, right) = (store.arg(comparison, 0), store.arg(comparison, 1));
    let number = |term| store.value(term)?.as_int().cloned();
    let (var, number, var_is_left) = match (store.as_var(left), store.as_var(right)) {
        (Some(var), None) => (var, number(right), true),
        (None, Some(var)) => (var, number(left), false),
        _ => return,
    };
    let Some(number) = number else { return };
    let interval = bounds.entry(var).or_default();
    match (store.op(comparison), is_true, var_is_left) {
        (Op::Eq, true, _) => {
            interval.at_least(number.clone());
            interval.at_most(number);
        }
        (Op::Le, true, true) => interval.at_most(number),
        (Op::Le, true, false) => interval.at_least(number),
        (Op::Lt, true, true) => interval.at_most(number - 1),
        (Op::Lt, true, false) => interval.at_least(number + 1),
        (Op::Le, false, true) => interval.at_least(number + 1),
        (Op::Le, false, false) => interval.at_most(number - 1),
        (Op::Lt, false, true) => interval.at_least(number),
        (Op::Lt, false, false) => interval.at_most(number),
        _ => {}
    }
}

/// The term, whose arguments are done.
fn replaced(
    store: &Store,
    term: ExprId,
    bounds: &FxHashMap<VarId, Interval>,
    done: &FxHashMap<ExprId, Done>,
) -> Done {
    let args = store.args(term);
    let new_args: Vec<ExprId> = args.iter().map(|arg| done[arg].term).collect();
    let rebuilt = if new_args[..] == args[..] { term } else { store.rebuild(term, &new_args) };
    if store.sort(term) != Sort::Int {
        return Done { term: rebuilt, interval: Interval::default() };
    }
    let intervals: Vec<&Interval> = args.iter().map(|arg| &done[arg].interval).collect();
    if store.op(term) == Op::Mod
        && let Some(modulus) = positive(store, args[1])
    {
        return remainder(store, rebuilt, &done[&args[0]], &modulus);
    }
    Done { term: rebuilt, interval: interval(store, term, &intervals, bounds) }
}

/// The remainder of `dividend` by `modulus`, which is `whole` if it cannot be replaced.
fn remainder(store: &Store, whole: ExprId, dividend: &Done, modulus: &BigInt) -> Done {
    let periods = dividend.interval.quotients(modulus);
    match (&periods.low, &periods.high) {
        (Some(period), Some(last)) if period == last => {
            let offset = -(period * modulus);
            let term = store.add(dividend.term, store.int(offset.clone()));
            Done { term, interval: dividend.interval.add(&Interval::exactly(offset)) }
        }
        _ => Done { term: whole, interval: Interval { low: Some(BigInt::ZERO), high: Some(modulus - 1) } },
    }
}

/// Where the value of `term` lies, if its arguments lie in `args`.
fn interval(
    store: &Store,
    term: ExprId,
    args: &[&Interval],
    bounds: &FxHashMap<VarId, Interval>,
) -> Interval {
    if let Some(number) = store.value(term).and_then(|value| value.as_int().cloned()) {
        return Interval::exactly(number);
    }
    let fold = |combine: fn(&Interval, &Interval) -> Interval| {
        let (first, others) = args.split_first().expect("an operator should have arguments");
        others.iter().fold((*first).clone(), |all, next| combine(&all, next))
    };
    match store.op(term) {
        Op::Var(var) => bounds.get(&var).cloned().unwrap_or_default(),
        Op::Neg => args[0].negated(),
        Op::Add => fold(Interval::add),
        Op::Sub => fold(|left, right| left.add(&right.negated())),
        Op::Mul => fold(Interval::mul),
        Op::Ite => args[1].join(args[2]),
        Op::IntDiv => match positive(store, store.arg(term, 1)) {
            Some(divisor) => args[0].quotients(&divisor),
            None => Interval::default(),
        },
        _ => Interval::default(),
    }
}

/// The value of a literal that is positive.
fn positive(store: &Store, term: ExprId) -> Option<BigInt> {
    store.value(term)?.as_int().filter(|number| number.is_positive()).cloned()
}

#[cfg(test)]
mod tests {
    use thetis_expr::{Value, evaluate};

    use super::*;

    fn ints<const N: usize>(store: &Store, names: [&str; N]) -> [ExprId; N] {
        names.map(|name| store.var(name, Sort::Int))
    }

    /// `value` as a signed number of eight bits.
    fn wrapped(store: &Store, value: ExprId) -> ExprId {
        let shifted = store.add(value, store.int(128));
        store.add(store.modulo(shifted, store.int(256)), store.int(-128))
    }

    fn has_remainder(store: &Store, formula: ExprId) -> bool {
        Postorder::new(store, [formula]).any(|term| store.op(term) == Op::Mod)
    }

    #[test]
    fn what_bounds_exclude_is_left_out() {
        let store = Store::new();
        let [x, y] = ints(&store, ["x", "y"]);
        let within = |term, low: i64, high: i64| {
            store.and(store.le(store.int(low), term), store.le(term, store.int(high)))
        };
        let product = wrapped(&store, store.mul(x, y));
        let is_small = store.lt(product, store.int(5));
        for (premise, is_left_out) in [
            (store.and(within(x, 0, 11), within(y, -11, 11)), true),
            (store.and(within(x, 0, 12), within(y, -11, 11)), false),
            (store.and(within(x, 3, 3), store.eq(y, store.int(40))), true),
            (store.and(within(x, 10, 11), within(y, 20, 21)), true),
            (store.and(within(x, 0, 11), store.lt(y, store.int(10))), false),
            (store.and(within(x, 0, 11), store.not(within(y, 0, 11))), false),
            (store.not(store.or(store.lt(x, store.int(0)), store.lt(store.int(3), x))), false),
        ] {
            let question = store.and(premise, is_small);
            let new = without_idle_wraps(&store, question);
            assert_eq!(!has_remainder(&store, new), is_left_out);
        }
        let alternative = store.or(within(x, 0, 11), is_small);
        let question = store.and(within(y, 0, 11), alternative);
        assert_eq!(
            without_idle_wraps(&store, question),
            question,
            "bounds of one case say nothing about others"
        );
    }

    /// A random term over `vars`.
    fn term(store: &Store, vars: &[ExprId], depth: u32, random: &mut fastrand::Rng) -> ExprId {
        if depth == 0 {
            let number = store.int(random.i64(-6..7));
            return *random.choice(vars).filter(|_| random.u8(0..3) > 0).unwrap_or(&number);
        }
        let mut part = || term(store, vars, depth - 1, random);
        let (left, right) = (part(), part());
        match random.u8(0..9) {
            0 => store.add(left, right),
            1 => store.sub(left, right),
            2 => store.mul(left, right),
            3 => store.neg(left),
            4 => store.int_div(left, store.int(random.i64(1..5))),
            5 => store.ite(store.le(left, right), left, right),
            6 => store.modulo(left, store.int(random.i64(-3..9))),
            _ => store.modulo(left, store.int(random.i64(5..30))),
        }
    }

    #[test]
    fn random_questions_have_the_same_models() {
        let mut random = fastrand::Rng::with_seed(22);
        let mut num_changed = 0;
        for _ in 0..400 {
            let store = Store::new();
            let vars = ints(&store, ["x", "y"]);
            let mut bound = |var| {
                let (low, high) = (random.i64(-4..3), random.i64(-1..5));
                match random.u8(0..4) {
                    0 => store.eq(var, store.int(low)),
                    1 => store.not(store.or(store.lt(var, store.int(low)), store.le(store.int(high), var))),
                    2 => store.or(store.le(store.int(low), var), store.lt(var, store.int(high))),
                    _ => store.and(store.lt(store.int(low), var), store.le(var, store.int(high))),
                }
            };
            let bounds = store.and_all(vars.map(&mut bound));
            let [left, right] = [2, 3].map(|depth| term(&store, &vars, depth, &mut random));
            let compared = store.not(store.and(store.lt(left, right), store.le(right, store.int(9))));
            let question = store.and(bounds, compared);
            let new = without_idle_wraps(&store, question);
            num_changed += usize::from(new != question);
            for (x, y) in (-8i64..9).flat_map(|x| (-8i64..9).map(move |y| (x, y))) {
                let values =
                    |var: VarId| Some(Value::int(if store.var_expr(var) == vars[0] { x } else { y }));
                let truth = |formula| evaluate(&store, formula, &values);
                assert_eq!(truth(new), truth(question), "x = {x}, y = {y}");
            }
        }
        assert!(num_changed > 100, "{num_changed}");
    }
}
