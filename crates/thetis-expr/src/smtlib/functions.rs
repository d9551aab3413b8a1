//! The function symbols of the theories, applied to finished terms.

use num_bigint::BigInt;
use num_traits::One;
use smallvec::SmallVec;

use super::sorts::MAX_WIDTH;
use crate::store::Args;
use crate::{ExprId, Op, RoundingMode, Sort, Store, Value};

/// The largest number that folding may produce, so that no text makes us allocate without bound.
const MAX_NUMBER_BITS: u64 = 1 << 24;

/// A function symbol with its indices, or with its sort if it is qualified.
pub(super) struct Head<'a> {
    pub name: &'a str,
    pub indices: Vec<u32>,
    pub sort: Option<Sort>,
    /// The rounding mode that was the first argument; it is not among the arguments.
    pub mode: Option<RoundingMode>,
}

/// A function symbol and its arguments.
pub(super) struct Call<'a> {
    pub store: &'a Store,
    pub head: Head<'a>,
    pub args: &'a [ExprId],
}

pub(super) type Applied = Result<ExprId, String>;

impl Call<'_> {
    pub(super) fn apply(&self) -> Applied {
        if let Some(sort) = self.head.sort {
            return match self.head.name {
                "const" => self.app(Op::ConstArray, Some(sort), self.args),
                other => Err(format!("unknown qualified function `{other}`")),
            };
        }
        let applied = match self.head.indices[..] {
            _ if self.head.mode.is_some() => self.head.mode.and_then(|mode| self.rounded(mode)),
            [] => self.core().or_else(|| self.arithmetic()).or_else(|| self.bits()).or_else(|| self.floats()),
            [index] => self.indexed(index),
            [high, low] if self.head.name == "extract" => Some(self.extract(high, low)),
            [exponent, significand] if self.head.name == "to_fp" => {
                Some(self.float_of_bits(exponent, significand))
            }
            _ => None,
        };
        applied.unwrap_or_else(|| Err(format!("unknown function `{}`", self.head.name)))
    }

    fn core(&self) -> Option<Applied> {
        Some(match self.head.name {
            "not" => self.op(Op::Not),
            "and" => self.junction(Op::And),
            "or" => self.junction(Op::Or),
            "xor" => self.left(Op::Xor),
            "=>" | "implies" => self.implies(),
            "=" => self.chain(|call, left, right| call.binary(Op::Eq, left, right)),
            "distinct" => self.distinct(),
            "ite" | "if" => self.ite(),
            "select" => self.op(Op::Select),
            "store" => self.op(Op::Store),
            _ => return None,
        })
    }

    fn arithmetic(&self) -> Option<Applied> {
        Some(match self.head.name {
            "+" => self.numbers().and_then(|args| self.sum(Op::Add, &args)),
            "*" => self.numbers().and_then(|args| self.sum(Op::Mul, &args)),
            "-" if self.args.len() == 1 => self.op(Op::Neg),
            "-" => self.numbers().and_then(|args| self.fold(Op::Sub, &args)),
            "/" => self.reals(self.args).and_then(|args| self.fold(Op::RealDiv, &args)),
            "div" => self.left(Op::IntDiv),
            "mod" => self.op(Op::Mod),
            "abs" => self.abs(),
            "<=" => self.chain(|call, left, right| call.binary(Op::Le, left, right)),
            "<" => self.chain(|call, left, right| call.binary(Op::Lt, left, right)),
            ">=" => self.chain(|call, left, right| call.binary(Op::Le, right, left)),
            ">" => self.chain(|call, left, right| call.binary(Op::Lt, right, left)),
            "to_real" => self.op(Op::ToReal),
            "to_int" => self.op(Op::ToInt),
            "is_int" => self.is_int(),
            "bv2nat" | "bv2int" | "ubv_to_int" => self.op(Op::BvToInt),
            "sbv_to_int" => self.signed(),
            _ => return None,
        })
    }

    fn bits(&self) -> Option<Applied> {
        if self.head.name == "concat" {
            return Some(self.left(Op::Concat));
        }
        Some(match self.head.name.strip_prefix("bv")? {
            "not" => self.op(Op::BvNot),
            "neg" => self.op(Op::BvNeg),
            "and" => self.left(Op::BvAnd),
            "or" => self.left(Op::BvOr),
            "xor" => self.left(Op::BvXor),
            "nand" => self.op(Op::BvAnd).and_then(|term| self.unary(Op::BvNot, term)),
            "nor" => self.op(Op::BvOr).and_then(|term| self.unary(Op::BvNot, term)),
            "xnor" => self.op(Op::BvXor).and_then(|term| self.unary(Op::BvNot, term)),
            "add" => self.left(Op::BvAdd),
            "sub" => self.left(Op::BvSub),
            "mul" => self.left(Op::BvMul),
            "udiv" => self.op(Op::BvUdiv),
            "urem" => self.op(Op::BvUrem),
            "sdiv" => self.op(Op::BvSdiv),
            "srem" => self.op(Op::BvSrem),
            "smod" => self.op(Op::BvSmod),
            "shl" => self.op(Op::BvShl),
            "lshr" => self.op(Op::BvLshr),
            "ashr" => self.op(Op::BvAshr),
            "ult" => self.op(Op::BvUlt),
            "ule" => self.op(Op::BvUle),
            "ugt" => self.flipped(Op::BvUlt),
            "uge" => self.flipped(Op::BvUle),
            "slt" => self.op(Op::BvSlt),
            "sle" => self.op(Op::BvSle),
            "sgt" => self.flipped(Op::BvSlt),
            "sge" => self.flipped(Op::BvSle),
            "comp" => self.op(Op::Eq).and_then(|equal| self.bit(equal)),
            "redor" => self.reduce(0u32.into()).map(|none| self.store.bv_not(none)),
            "redand" => self.reduce(BigInt::from(-1)),
            _ => return None,
        })
    }

    fn indexed(&self, index: u32) -> Option<Applied> {
        Some(match self.head.name {
            "zero_extend" => self.extend(Op::ZeroExtend, index),
            "sign_extend" => self.extend(Op::SignExtend, index),
            "rotate_left" => self.rotate(|width| index % width),
            "rotate_right" => self.rotate(|width| width - index % width),
            "repeat" => self.repeat(index),
            "int2bv" | "int_to_bv" | "nat2bv" => {
                bits_sort(u64::from(index)).and_then(|sort| self.app(Op::IntToBv, Some(sort), self.args))
            }
            "divisible" => self.divisible(index),
            _ => return None,
        })
    }

    pub(super) fn app(&self, op: Op, target: Option<Sort>, args: &[ExprId]) -> Applied {
        self.check_size(args)?;
        if op == Op::Concat {
            let width: u64 = args.iter().filter_map(|arg| self.store.sort(*arg).width()).map(u64::from).sum();
            bits_sort(width)?;
        }
        self.store.app(op, target, args).map_err(|error| error.to_string())
    }

    fn check_size(&self, args: &[ExprId]) -> Result<(), String> {
        let bits = |arg: &ExprId| match self.store.value(*arg) {
            Some(Value::Int(number)) => number.bits(),
            Some(Value::Real(number)) => number.numer().bits() + number.denom().bits(),
            _ => 0,
        };
        let numeric = args.first().is_some_and(|arg| self.store.sort(*arg).is_numeric());
        match numeric && args.iter().map(bits).sum::<u64>() > MAX_NUMBER_BITS {
            true => Err("the number is too large".into()),
            false => Ok(()),
        }
    }

    pub(super) fn op(&self, op: Op) -> Applied {
        self.app(op, None, self.args)
    }

    fn unary(&self, op: Op, term: ExprId) -> Applied {
        self.app(op, None, &[term])
    }

    pub(super) fn binary(&self, op: Op, left: ExprId, right: ExprId) -> Applied {
        self.app(op, None, &[left, right])
    }

    fn flipped(&self, op: Op) -> Applied {
        match self.args {
            &[left, right] => self.binary(op, right, left),
            _ => self.op(op),
        }
    }

    /// A left-associative operator on two or more arguments.
    pub(super) fn left(&self, op: Op) -> Applied {
        self.fold(op, self.args)
    }

    fn fold(&self, op: Op, args: &[ExprId]) -> Applied {
        match args {
            [first, rest @ ..] if !rest.is_empty() => {
                rest.iter().try_fold(*first, |left, right| self.binary(op, left, *right))
            }
            _ => self.app(op, None, args),
        }
    }

    fn sum(&self, op: Op, args: &[ExprId]) -> Applied {
        match args {
            &[only] if self.store.sort(only).is_numeric() => Ok(only),
            _ => self.app(op, None, args),
        }
    }

    fn junction(&self, op: Op) -> Applied {
        match self.args {
            [] => Ok(self.store.boolean(op == Op::And)),
            &[only] if self.store.sort(only) == Sort::Bool => Ok(only),
            args => self.app(op, None, args),
        }
    }

    fn implies(&self) -> Applied {
        let Some((last, premises)) = self.args.split_last().filter(|(_, premises)| !premises.is_empty())
        else {
            return Err("`=>` takes two or more arguments".into());
        };
        premises.iter().rev().try_fold(*last, |conclusion, premise| {
            self.binary(Op::Or, self.unary(Op::Not, *premise)?, conclusion)
        })
    }

    /// A chainable operator: it holds between each two neighbours.
    pub(super) fn chain(&self, holds: impl Fn(&Self, ExprId, ExprId) -> Applied) -> Applied {
        let args = self.numbers()?;
        if args.len() < 2 {
            return Err(format!("`{}` takes two or more arguments", self.head.name));
        }
        let links: Result<Args, String> = args.windows(2).map(|pair| holds(self, pair[0], pair[1])).collect();
        Ok(self.store.and_all(links?))
    }

    fn distinct(&self) -> Applied {
        let args = self.numbers()?;
        if args.len() < 2 {
            return Err("`distinct` takes two or more arguments".into());
        }
        let mut different = Vec::new();
        for (position, left) in args.iter().enumerate() {
            for right in &args[position + 1..] {
                different.push(self.unary(Op::Not, self.binary(Op::Eq, *left, *right)?)?);
            }
        }
        Ok(self.store.and_all(different))
    }

    fn ite(&self) -> Applied {
        match self.args {
            &[condition, then, otherwise] => {
                let branches = self.mixed(&[then, otherwise])?;
                self.app(Op::Ite, None, &[condition, branches[0], branches[1]])
            }
            _ => self.op(Op::Ite),
        }
    }

    /// The arguments, integers converted if a real is among them.
    fn numbers(&self) -> Result<Args, String> {
        self.mixed(self.args)
    }

    fn mixed(&self, args: &[ExprId]) -> Result<Args, String> {
        let has = |sort| args.iter().any(|arg| self.store.sort(*arg) == sort);
        if has(Sort::Real) && has(Sort::Int) { self.reals(args) } else { Ok(args.into()) }
    }

    pub(super) fn reals(&self, args: &[ExprId]) -> Result<Args, String> {
        let convert = |arg: &ExprId| match self.store.sort(*arg) {
            Sort::Int => self.unary(Op::ToReal, *arg),
            _ => Ok(*arg),
        };
        args.iter().map(convert).collect()
    }

    fn abs(&self) -> Applied {
        let negated = self.op(Op::Neg)?;
        let number = self.args[0];
        let negative = self.store.lt(number, self.store.sub(number, number));
        self.app(Op::Ite, None, &[negative, negated, number])
    }

    fn is_int(&self) -> Applied {
        let whole = self.unary(Op::ToReal, self.op(Op::ToInt)?)?;
        self.binary(Op::Eq, self.args[0], whole)
    }

    fn divisible(&self, divisor: u32) -> Applied {
        let &[number] = self.args else { return Err("`divisible` takes one argument".into()) };
        if divisor == 0 {
            return Err("`divisible` takes a positive number".into());
        }
        let remainder = self.binary(Op::Mod, number, self.store.int(divisor))?;
        self.binary(Op::Eq, remainder, self.store.int(0))
    }

    fn bit(&self, formula: ExprId) -> Applied {
        self.app(Op::Ite, None, &[formula, self.store.bits(1, 1u32), self.store.bits(1, 0u32)])
    }

    /// One bit: whether the argument is `number`.
    fn reduce(&self, number: BigInt) -> Applied {
        let width = self.width()?;
        let literal = self.store.literal(Value::BitVec(crate::BitVec::from_int(width, &number)));
        self.bit(self.binary(Op::Eq, self.args[0], literal)?)
    }

    /// The value in two's complement.
    fn signed(&self) -> Applied {
        let width = self.width()?;
        let unsigned = self.op(Op::BvToInt)?;
        let negative = self.store.bv_slt(self.args[0], self.store.bits(width, 0u32));
        let shifted = self.binary(Op::Sub, unsigned, self.store.int(BigInt::one() << width))?;
        self.app(Op::Ite, None, &[negative, shifted, unsigned])
    }

    /// The width of the only argument.
    fn width(&self) -> Result<u32, String> {
        let width = match self.args {
            &[only] => self.store.sort(only).width(),
            _ => None,
        };
        width.ok_or_else(|| format!("`{}` takes one bit-vector", self.head.name))
    }

    fn extend(&self, op: Op, by: u32) -> Applied {
        let sort = bits_sort(u64::from(self.width()?) + u64::from(by))?;
        self.app(op, Some(sort), self.args)
    }

    fn extract(&self, high: u32, low: u32) -> Applied {
        if high < low || high >= self.width()? {
            return Err(format!("there are no bits {high} to {low}"));
        }
        self.app(Op::Extract(low), Some(Sort::bitvec(high - low + 1)), self.args)
    }

    /// Rotation to the left by `amount` of the width, which may be the width itself.
    fn rotate(&self, amount: impl Fn(u32) -> u32) -> Applied {
        let width = self.width()?;
        let amount = amount(width) % width;
        if amount == 0 {
            return Ok(self.args[0]);
        }
        let high = self.extract(width - amount - 1, 0)?;
        let low = self.extract(width - 1, width - amount)?;
        self.binary(Op::Concat, high, low)
    }

    /// Repetition by doubling, so that the term has logarithmically many nodes.
    fn repeat(&self, times: u32) -> Applied {
        bits_sort(u64::from(self.width()?) * u64::from(times))?;
        let mut doubled: SmallVec<[ExprId; 20]> = SmallVec::from_slice(self.args);
        let mut whole = None;
        for bit in 0..u32::BITS - times.leading_zeros() {
            let part = doubled[bit as usize];
            if times >> bit & 1 == 1 {
                whole = Some(whole.map_or(Ok(part), |low| self.binary(Op::Concat, part, low))?);
            }
            if times >> bit > 1 {
                doubled.push(self.binary(Op::Concat, part, part)?);
            }
        }
        whole.ok_or_else(|| "`repeat` takes a positive number".into())
    }
}

pub(super) fn bits_sort(width: u64) -> Result<Sort, String> {
    match u32::try_from(width) {
        Ok(width) if (1..=MAX_WIDTH).contains(&width) => Ok(Sort::bitvec(width)),
        _ => Err(format!("a bit-vector should have between 1 and {MAX_WIDTH} bits")),
    }
}
