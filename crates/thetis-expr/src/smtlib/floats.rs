//! Floating-point terms as SMT-LIB text.
//!
//! A rounding mode is part of the operator here and an argument in SMT-LIB. `(fp s e m)` with arguments that are not
//! literals is read as the float with the concatenated bits.

use std::fmt::Write;

use super::ParseError;
use super::functions::{Applied, Call};
use super::sexpr::Sexpr;
use super::sorts::index_of;
use crate::{Float, FloatSign, FloatSort, Op, RoundingMode, Sort, Store, Value};

/// Writes the function symbol of a float operator and its rounding mode.
pub(super) fn write_head(op: Op, sort: Sort, out: &mut String) {
    let width = sort.width().unwrap_or(0);
    let written = match (op, sort.float_format()) {
        (Op::FpFromUnsigned(_), Some(format)) => write_indexed(out, "to_fp_unsigned", format),
        (Op::FpFromBits | Op::FpFromFp(_) | Op::FpFromReal(_) | Op::FpFromSigned(_), Some(format)) => {
            write_indexed(out, "to_fp", format)
        }
        (Op::FpToSigned(_), _) => write!(out, "(_ fp.to_sbv {width})"),
        (Op::FpToUnsigned(_), _) => write!(out, "(_ fp.to_ubv {width})"),
        _ => write!(out, "fp.{}", name(op)),
    };
    written.expect("writing to a string should succeed");
    if let Some(mode) = op.rounding_mode() {
        out.push(' ');
        out.push_str(mode.name());
    }
}

fn write_indexed(out: &mut String, name: &str, format: FloatSort) -> std::fmt::Result {
    write!(out, "(_ {name} {} {})", format.exponent_bits(), format.significand_bits())
}

/// The symbol after `fp.` of an operator without indices.
fn name(op: Op) -> &'static str {
    use Op::*;
    match op {
        FpAdd(_) => "add",
        FpSub(_) => "sub",
        FpMul(_) => "mul",
        FpDiv(_) => "div",
        FpFma(_) => "fma",
        FpSqrt(_) => "sqrt",
        FpRem => "rem",
        FpRoundToIntegral(_) => "roundToIntegral",
        FpMin => "min",
        FpMax => "max",
        FpAbs => "abs",
        FpNeg => "neg",
        FpLe => "leq",
        FpLt => "lt",
        FpEq => "eq",
        FpIsNan => "isNaN",
        FpIsInfinite => "isInfinite",
        FpIsZero => "isZero",
        FpIsNormal => "isNormal",
        FpIsSubnormal => "isSubnormal",
        FpIsNegative => "isNegative",
        FpIsPositive => "isPositive",
        FpToReal => "to_real",
        _ => panic!("{op:?} should be an operator on floats without indices"),
    }
}

/// Writes a float literal.
pub(super) fn write_float(float: &Float, out: &mut String) {
    let written = if float.is_nan() {
        write_indexed(out, "NaN", float.sort())
    } else {
        let (sign, exponent, fraction) = float.fields();
        write!(out, "(fp #b{} #b{} #b{})", sign.binary(), exponent.binary(), fraction.binary())
    };
    written.expect("writing to a string should succeed");
}

/// The format of `(_ name e s)`, from its last two parts.
pub(super) fn format_of(exponent: Sexpr<'_>, significand: Sexpr<'_>) -> Result<FloatSort, ParseError> {
    FloatSort::new(index_of(exponent)?, index_of(significand)?).ok_or_else(|| {
        exponent.error("a float should have 2 to 20 bits of exponent and 2 to 65535 of significand")
    })
}

/// The constant `(_ name e s)`.
pub(super) fn constant(name: &str, format: FloatSort) -> Option<Float> {
    Some(match name {
        "+oo" => Float::infinity(format, FloatSign::Positive),
        "-oo" => Float::infinity(format, FloatSign::Negative),
        "+zero" => Float::zero(format, FloatSign::Positive),
        "-zero" => Float::zero(format, FloatSign::Negative),
        "NaN" => Float::nan(format),
        _ => return None,
    })
}

/// The parts of a template in which arguments of a term may be repeated.
pub(super) enum TextPart {
    Text(String),
    Arg(usize),
}

/// The text with the total meaning of an operator whose SMT-LIB meaning is open somewhere, as a template.
pub(super) fn guarded(store: &Store, op: Op, sort: Sort, arg: Sort) -> Option<Vec<TextPart>> {
    match op {
        Op::FpMin => Some(guarded_choice(sort, "min", "fp.isNegative", "-zero", "+zero")),
        Op::FpMax => Some(guarded_choice(sort, "max", "fp.isPositive", "+zero", "-zero")),
        Op::FpToReal => Some(template("(ite (or (fp.isNaN $0) (fp.isInfinite $0)) 0.0 (fp.to_real $0))")),
        Op::FpToSigned(mode) | Op::FpToUnsigned(mode) => {
            Some(template(&guarded_integer(store, op, mode, sort.width()?, arg.float_format()?)))
        }
        _ => None,
    }
}

fn guarded_choice(sort: Sort, name: &str, test: &str, yes: &str, no: &str) -> Vec<TextPart> {
    let format = sort.float_format().expect("the result should be a float");
    let indices = format!("{} {}", format.exponent_bits(), format.significand_bits());
    template(&format!(
        "(ite (and (fp.isZero $0) (fp.isZero $1)) \
         (ite (or ({test} $0) ({test} $1)) (_ {yes} {indices}) (_ {no} {indices})) (fp.{name} $0 $1))"
    ))
}

/// A conversion to a bit-vector of a number that, rounded to an integer, is within the range.
fn guarded_integer(store: &Store, op: Op, mode: RoundingMode, width: u32, format: FloatSort) -> String {
    let signed = matches!(op, Op::FpToSigned(_));
    let range = if signed { format.signed_range(width) } else { format.unsigned_range(width) };
    let (exponent, significand) = (range.format.exponent_bits(), range.format.significand_bits());
    let arg = match range.format == format {
        true => "$0".into(),
        false => format!("((_ to_fp {exponent} {significand}) RTZ $0)"),
    };
    let text = |float: Float| super::print_value(store, &Value::Float(float));
    let mut tests = vec!["(not (fp.isNaN ?r))".to_owned(), "(not (fp.isInfinite ?r))".to_owned()];
    tests.extend(range.least.map(|least| format!("(fp.leq {} ?r)", text(least))));
    tests.extend(range.limit.map(|limit| format!("(fp.lt ?r {})", text(limit))));
    let name = if signed { "fp.to_sbv" } else { "fp.to_ubv" };
    format!(
        "(let ((?r (fp.roundToIntegral {} {arg}))) (ite (and {}) ((_ {name} {width}) RTZ ?r) (_ bv0 {width})))",
        mode.name(),
        tests.join(" ")
    )
}

/// Splits a text at `$0` and `$1`.
pub(super) fn template(text: &str) -> Vec<TextPart> {
    let mut parts = Vec::new();
    for (index, piece) in text.split('$').enumerate() {
        let rest = match index {
            0 => piece,
            _ => {
                parts.push(TextPart::Arg(usize::from(piece.starts_with('1'))));
                &piece[1..]
            }
        };
        parts.push(TextPart::Text(rest.to_owned()));
    }
    parts
}

impl Call<'_> {
    /// Float functions without rounding mode and indices.
    pub(super) fn floats(&self) -> Option<Applied> {
        if self.head.name == "fp" {
            return Some(self.float_of_fields());
        }
        Some(match self.head.name.strip_prefix("fp.")? {
            "rem" => self.op(Op::FpRem),
            "min" => self.op(Op::FpMin),
            "max" => self.op(Op::FpMax),
            "abs" => self.op(Op::FpAbs),
            "neg" => self.op(Op::FpNeg),
            "leq" => self.chain(|call, left, right| call.binary(Op::FpLe, left, right)),
            "lt" => self.chain(|call, left, right| call.binary(Op::FpLt, left, right)),
            "geq" => self.chain(|call, left, right| call.binary(Op::FpLe, right, left)),
            "gt" => self.chain(|call, left, right| call.binary(Op::FpLt, right, left)),
            "eq" => self.chain(|call, left, right| call.binary(Op::FpEq, left, right)),
            "isNaN" => self.op(Op::FpIsNan),
            "isInfinite" => self.op(Op::FpIsInfinite),
            "isZero" => self.op(Op::FpIsZero),
            "isNormal" => self.op(Op::FpIsNormal),
            "isSubnormal" => self.op(Op::FpIsSubnormal),
            "isNegative" => self.op(Op::FpIsNegative),
            "isPositive" => self.op(Op::FpIsPositive),
            "to_real" => self.op(Op::FpToReal),
            _ => return None,
        })
    }

    /// Float functions whose first argument is a rounding mode.
    pub(super) fn rounded(&self, mode: RoundingMode) -> Option<Applied> {
        match self.head.indices[..] {
            [] => {}
            [width] => return self.rounded_to_bits(mode, width),
            [exponent, significand] => return self.rounded_to_float(mode, exponent, significand),
            _ => return None,
        }
        Some(match self.head.name.strip_prefix("fp.")? {
            "add" => self.op(Op::FpAdd(mode)),
            "sub" => self.op(Op::FpSub(mode)),
            "mul" => self.op(Op::FpMul(mode)),
            "div" => self.op(Op::FpDiv(mode)),
            "fma" => self.op(Op::FpFma(mode)),
            "sqrt" => self.op(Op::FpSqrt(mode)),
            "roundToIntegral" => self.op(Op::FpRoundToIntegral(mode)),
            _ => return None,
        })
    }

    fn rounded_to_bits(&self, mode: RoundingMode, width: u32) -> Option<Applied> {
        let op = match self.head.name {
            "fp.to_sbv" => Op::FpToSigned(mode),
            "fp.to_ubv" => Op::FpToUnsigned(mode),
            _ => return None,
        };
        let sort = super::functions::bits_sort(u64::from(width));
        Some(sort.and_then(|sort| self.app(op, Some(sort), self.args)))
    }

    fn rounded_to_float(&self, mode: RoundingMode, exponent: u32, significand: u32) -> Option<Applied> {
        let from = self.args.first().map(|arg| self.store.sort(*arg));
        let op = match (self.head.name, from) {
            ("to_fp_unsigned", _) => Op::FpFromUnsigned(mode),
            ("to_fp", Some(Sort::Float(_))) => Op::FpFromFp(mode),
            ("to_fp", Some(Sort::Real | Sort::Int)) => Op::FpFromReal(mode),
            ("to_fp", _) => Op::FpFromSigned(mode),
            _ => return None,
        };
        let sort = float_sort(exponent, significand);
        let args = if matches!(op, Op::FpFromReal(_)) { self.reals(self.args) } else { Ok(self.args.into()) };
        Some(sort.and_then(|sort| self.app(op, Some(sort), &args?)))
    }

    /// `((_ to_fp e s) bits)`.
    pub(super) fn float_of_bits(&self, exponent: u32, significand: u32) -> Applied {
        self.app(Op::FpFromBits, Some(float_sort(exponent, significand)?), self.args)
    }

    /// `(fp s e m)`.
    fn float_of_fields(&self) -> Applied {
        let width = |position: usize| self.args.get(position).and_then(|arg| self.store.sort(*arg).width());
        let (Some(1), Some(exponent), Some(fraction), 3) = (width(0), width(1), width(2), self.args.len())
        else {
            return Err("`fp` takes the bits of sign, exponent and significand".into());
        };
        let sort = float_sort(exponent, fraction + 1)?;
        self.app(Op::FpFromBits, Some(sort), &[self.left(Op::Concat)?])
    }
}

fn float_sort(exponent: u32, significand: u32) -> Result<Sort, String> {
    FloatSort::new(exponent, significand)
        .map(Sort::Float)
        .ok_or_else(|| format!("floats with {exponent} and {significand} bits are not supported"))
}
