//! Executing statements on courses instead of values.

use std::collections::BTreeMap;

use num_bigint::BigInt;
use num_traits::{One, Signed, ToPrimitive, Zero};
use rustc_hash::FxHashMap;
use thetis_expr::{ExprId, Op, Postorder, Sort, Store, Value, VarId, apply};

use super::course::{Course, Rounds};

/// The bits of the smallest machine word that counts as one.
const SMALLEST_WORD: u64 = 31;

/// The courses of all variables in the middle of a round, and for how many rounds all that was said about them is right.
pub(super) struct Courses<'c> {
    value_of: &'c dyn Fn(VarId) -> Option<Value>,
    /// The courses of variables at the start of the round; of others, a value that stays.
    guesses: &'c BTreeMap<VarId, Course>,
    assigned: BTreeMap<VarId, Course>,
    horizon: Rounds,
    /// For how many rounds no machine word wraps around.
    words: Rounds,
}

impl<'c> Courses<'c> {
    /// The courses at the start of a round.
    pub(super) fn new(
        value_of: &'c dyn Fn(VarId) -> Option<Value>,
        guesses: &'c BTreeMap<VarId, Course>,
    ) -> Courses<'c> {
        Courses { value_of, guesses, assigned: BTreeMap::new(), horizon: None, words: None }
    }

    /// What has been assigned so far.
    pub(super) fn assigned(&self) -> &BTreeMap<VarId, Course> {
        &self.assigned
    }

    /// For how many rounds all is right; there may be more than fit.
    pub(super) fn horizon(&self) -> u64 {
        self.horizon.as_ref().and_then(BigInt::to_u64).unwrap_or(u64::MAX)
    }

    /// Whether a machine word wraps around right after the last round that is foreseen.
    pub(super) fn ends_by_wrapping(&self) -> bool {
        self.words.is_some() && self.words == self.horizon
    }

    pub(super) fn assign(&mut self, store: &Store, var: VarId, term: ExprId) {
        let course = self.course(store, term);
        self.set(var, course);
    }

    /// Gives a variable a course.
    pub(super) fn set(&mut self, var: VarId, course: Course) {
        self.assigned.insert(var, course);
    }

    /// The truth of `formula`, if it is known and does not change up to the horizon.
    pub(super) fn truth(&mut self, store: &Store, formula: ExprId) -> Option<bool> {
        self.course(store, formula).as_truth()
    }

    /// The course of `term`.
    fn course(&mut self, store: &Store, term: ExprId) -> Course {
        let mut courses: FxHashMap<ExprId, Course> = FxHashMap::default();
        for part in Postorder::new(store, [term]) {
            let course = match store.op(part) {
                Op::Var(var) => self.variable(var),
                Op::Const(_) => Course::of(&store.value(part).expect("a constant should have a value")),
                _ => {
                    let terms = store.args(part);
                    let args: Vec<(&Course, Sort)> =
                        terms.iter().map(|arg| (&courses[arg], store.sort(*arg))).collect();
                    self.apply(store, part, &args).unwrap_or(Course::Unknown)
                }
            };
            courses.insert(part, course);
        }
        courses.remove(&term).expect("a term should have a course")
    }

    fn variable(&self, var: VarId) -> Course {
        let known = self.assigned.get(&var).or_else(|| self.guesses.get(&var)).cloned();
        known.unwrap_or_else(|| (self.value_of)(var).map_or(Course::Unknown, |value| Course::of(&value)))
    }

    /// The result of an operator; `None` if nobody knows.
    fn apply(&mut self, store: &Store, term: ExprId, args: &[(&Course, Sort)]) -> Option<Course> {
        let values: Option<Vec<Value>> = args.iter().map(|(course, sort)| course.constant(*sort)).collect();
        if let Some(values) = values {
            return Some(Course::of(&apply(store, term, &values.iter().collect::<Vec<_>>())));
        }
        let arg = |number: usize| args[number].0;
        match store.op(term) {
            Op::And => self.junction(args, false),
            Op::Or => self.junction(args, true),
            Op::Ite => Some(arg(if arg(0).as_truth()? { 1 } else { 2 }).clone()),
            Op::Eq => {
                let (truth, rounds) = arg(0).minus(arg(1)).is_zero()?;
                Some(self.limited(Course::truth(truth), rounds))
            }
            Op::Lt => self.less(arg(0), arg(1)),
            Op::Le => self.less(arg(0), &arg(1).plus_number(&BigInt::one())),
            Op::Neg => Some(arg(0).times(&-BigInt::one())),
            Op::Add => args[1..].iter().try_fold(arg(0).clone(), |sum, (next, _)| Some(sum.plus(next))),
            Op::Sub => Some(arg(0).minus(arg(1))),
            Op::Mul => args[1..].iter().try_fold(arg(0).clone(), |so_far, (next, _)| product(&so_far, next)),
            Op::IntDiv => self.quotient(arg(0), arg(1).as_number()?),
            Op::Mod => self.remainder(arg(0), arg(1).as_number()?),
            _ => self.apply_bits(store, term, args),
        }
    }

    /// The conjunction or disjunction of some truths, one of which is not known: it is known if one of them decides.
    fn junction(&self, args: &[(&Course, Sort)], deciding: bool) -> Option<Course> {
        let is_decided = args.iter().any(|(arg, _)| arg.as_truth() == Some(deciding));
        is_decided.then(|| Course::truth(deciding))
    }

    /// The result of an operator on bit-vectors, which are numbers below a power of two.
    fn apply_bits(&mut self, store: &Store, term: ExprId, args: &[(&Course, Sort)]) -> Option<Course> {
        let arg = |number: usize| args[number].0;
        let one = BigInt::one();
        let width_of_first = args[0].1.width().unwrap_or(0);
        let result = match store.op(term) {
            Op::BvNot => arg(0).times(&-&one).plus_number(&-one),
            Op::BvNeg => arg(0).times(&-one),
            Op::BvAdd => arg(0).plus(arg(1)),
            Op::BvSub => arg(0).minus(arg(1)),
            Op::BvMul => self.product_of_bits(args)?,
            Op::BvShl => arg(0).times(&power(arg(1))?),
            Op::BvLshr => self.quotient(arg(0), &power(arg(1))?)?,
            Op::BvUdiv => self.quotient(arg(0), arg(1).as_number()?)?,
            Op::BvUrem => self.remainder(arg(0), arg(1).as_number()?)?,
            Op::BvSdiv => {
                let (dividend, divisor) = self.not_negative(args)?;
                self.quotient(&dividend, &divisor)?
            }
            Op::BvSrem | Op::BvSmod => {
                let (dividend, divisor) = self.not_negative(args)?;
                self.remainder(&dividend, &divisor)?
            }
            Op::BvAnd => {
                let (number, mask) = masked(arg(0), arg(1)).or_else(|| masked(arg(1), arg(0)))?;
                self.remainder(number, &(mask + one))?
            }
            Op::BvUlt => return self.less(arg(0), arg(1)),
            Op::BvUle => return self.less(arg(0), &arg(1).plus_number(&one)),
            Op::BvSlt => {
                let (left, right) = (self.signed(args[0])?, self.signed(args[1])?);
                return self.less(&left, &right);
            }
            Op::BvSle => {
                let (left, right) = (self.signed(args[0])?, self.signed(args[1])?);
                return self.less(&left, &right.plus_number(&one));
            }
            Op::Concat => arg(0).times(&(one << args[1].1.width()?)).plus(arg(1)),
            Op::Extract(lowest) => self.quotient(arg(0), &(one << lowest))?,
            Op::ZeroExtend | Op::BvToInt | Op::IntToBv => arg(0).clone(),
            Op::SignExtend => self.signed((arg(0), Sort::bitvec(width_of_first)))?,
            _ => return None,
        };
        match store.sort(term) {
            Sort::BitVec(width) => self.remainder(&result, &(BigInt::one() << width.get())),
            _ => Some(result),
        }
    }

    /// A bit-vector in two's complement.
    fn signed(&mut self, (course, sort): (&Course, Sort)) -> Option<Course> {
        let half = BigInt::one() << (sort.width()? - 1);
        let shifted = self.remainder(&course.plus_number(&half), &(&half * 2))?;
        Some(shifted.plus_number(&-half))
    }

    /// The product of bit-vectors, before it wraps. A factor with the highest bit stands for a negative number: the product is
    /// the same, and changes less from round to round.
    fn product_of_bits(&mut self, args: &[(&Course, Sort)]) -> Option<Course> {
        let (left, right) = (self.signed(args[0])?, self.signed(args[1])?);
        product(&left, &right)
    }

    /// Two numbers whose signed quotient and remainder are those of numbers without sign.
    fn not_negative(&mut self, args: &[(&Course, Sort)]) -> Option<(Course, BigInt)> {
        let (dividend, divisor) = (self.signed(args[0])?, self.signed(args[1])?);
        let (is_negative, rounds) = dividend.is_negative()?;
        let divisor = divisor.as_number().filter(|divisor| divisor.is_positive() && !is_negative)?.clone();
        Some((self.limited(dividend, rounds), divisor))
    }

    fn less(&mut self, left: &Course, right: &Course) -> Option<Course> {
        let (truth, rounds) = left.minus(right).is_negative()?;
        Some(self.limited(Course::truth(truth), rounds))
    }

    fn quotient(&mut self, dividend: &Course, divisor: &BigInt) -> Option<Course> {
        let (quotient, _, rounds) =
            dividend.divide(Some(divisor).filter(|divisor| divisor.is_positive())?)?;
        Some(self.limited(quotient, rounds))
    }

    fn remainder(&mut self, dividend: &Course, divisor: &BigInt) -> Option<Course> {
        let (_, remainder, rounds) =
            dividend.divide(Some(divisor).filter(|divisor| divisor.is_positive())?)?;
        if divisor.bits() > SMALLEST_WORD {
            self.words = earlier(self.words.take(), rounds.clone());
        }
        Some(self.limited(remainder, rounds))
    }

    /// `course`, which is right for some rounds only.
    fn limited(&mut self, course: Course, rounds: Rounds) -> Course {
        self.horizon = earlier(self.horizon.take(), rounds);
        course
    }
}

fn earlier(left: Rounds, right: Rounds) -> Rounds {
    match (left, right) {
        (Some(left), Some(right)) => Some(left.min(right)),
        (left, right) => left.or(right),
    }
}

/// The product of two numbers one of which is always the same.
fn product(left: &Course, right: &Course) -> Option<Course> {
    match (left.as_number(), right.as_number()) {
        (Some(factor), _) => Some(right.times(factor)),
        (_, Some(factor)) => Some(left.times(factor)),
        _ => None,
    }
}

/// Two to the power of a number that is always the same and not too large.
fn power(exponent: &Course) -> Option<BigInt> {
    const MAX_WIDTH: u32 = 1 << 16;
    let exponent = exponent.as_number()?.to_u32().filter(|exponent| *exponent <= MAX_WIDTH)?;
    Some(BigInt::one() << exponent)
}

/// A number and a mask for its lowest bits.
fn masked<'c>(number: &'c Course, mask: &Course) -> Option<(&'c Course, BigInt)> {
    let mask = mask.as_number()?;
    let above: BigInt = mask + 1;
    (mask & above).is_zero().then(|| (number, mask.clone()))
}
