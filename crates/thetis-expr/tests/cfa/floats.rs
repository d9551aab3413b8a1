//! The parts of the grammar about floats.

use num_bigint::BigUint;
use num_traits::Num;
use thetis_expr::{ExprId, Op, RoundingMode, Sort};

use super::Reader;

type Rounded = fn(RoundingMode) -> Op;

impl Reader<'_> {
    /// `[RNE]`.
    fn mode(&mut self) -> RoundingMode {
        self.expect("[");
        let mode = RoundingMode::from_name(&self.next()).expect("a rounding mode should be here");
        self.expect("]");
        mode
    }

    /// A rounded operator of the wanted level.
    pub(super) fn rounded(&mut self, words: &[(&str, Rounded)]) -> Option<Op> {
        let (_, op) = *words.iter().find(|(word, _)| *word == self.peek())?;
        self.next();
        Some(op(self.mode()))
    }

    pub(super) fn min_max(&mut self) -> ExprId {
        self.single(&[("fpmin", Op::FpMin), ("fpmax", Op::FpMax)], Self::or)
    }

    /// `[e,s]`.
    pub(super) fn format(&mut self) -> Sort {
        self.expect("[");
        let exponent = self.number();
        self.expect(",");
        let significand = self.number();
        self.expect("]");
        Sort::float(exponent, significand)
    }

    pub(super) fn float_prefix(&mut self) -> Option<ExprId> {
        let word = self.peek().to_owned();
        if !["fpabs", "fpneg", "fpisnan", "fpsqrt", "fproundtoint", "fptofp", "fpfrombv", "fptobv"]
            .contains(&&*word)
        {
            return None;
        }
        self.next();
        let (op, target) = match word.as_str() {
            "fpabs" => (Op::FpAbs, None),
            "fpneg" => (Op::FpNeg, None),
            "fpisnan" => (Op::FpIsNan, None),
            "fpsqrt" => (Op::FpSqrt(self.mode()), None),
            "fproundtoint" => (Op::FpRoundToIntegral(self.mode()), None),
            "fptofp" => {
                let sort = self.format();
                (Op::FpFromFp(self.mode()), Some(sort))
            }
            "fpfrombv" => self.bits_to_float(),
            _ => self.float_to_bits(),
        };
        let inner = self.sign();
        Some(self.store.app(op, target, &[inner]).expect("the text should be well-sorted"))
    }

    fn bits_to_float(&mut self) -> (Op, Option<Sort>) {
        let sort = self.format();
        self.expect("[");
        let signed = self.next() == "s";
        self.expect("]");
        let mode = self.mode();
        (if signed { Op::FpFromSigned(mode) } else { Op::FpFromUnsigned(mode) }, Some(sort))
    }

    fn float_to_bits(&mut self) -> (Op, Option<Sort>) {
        self.expect("[");
        let width = self.next();
        self.expect("]");
        let (width, sign) = width.split_once('\'').expect("a width should have a sign");
        let sort = Sort::bitvec(width.parse().expect("a width should be a number"));
        let mode = self.mode();
        (if sign == "s" { Op::FpToSigned(mode) } else { Op::FpToUnsigned(mode) }, Some(sort))
    }

    /// `+2'b01.2'b00`.
    pub(super) fn float_literal(&mut self) -> Option<ExprId> {
        if self.tokens.get(self.position + 2).is_none_or(|token| token != ".") {
            return None;
        }
        let negative = self.next() == "-";
        let (exponent, exponent_bits) = self.binary();
        self.expect(".");
        let (fraction, fraction_bits) = self.binary();
        let bits = BigUint::from(u8::from(negative)) << (exponent_bits + fraction_bits);
        let bits = bits | (exponent << fraction_bits) | fraction;
        let bits = self.store.bits(1 + exponent_bits + fraction_bits, bits);
        Some(self.store.fp_from_bits(bits, Sort::float(exponent_bits, fraction_bits + 1)))
    }

    fn binary(&mut self) -> (BigUint, u32) {
        let token = self.next();
        let (width, digits) = token.split_once("'b").expect("binary digits should be here");
        let number = BigUint::from_str_radix(digits, 2).expect("binary digits should be here");
        (number, width.parse().expect("a width should be a number"))
    }

    pub(super) fn float_call(&mut self, name: &str) -> ExprId {
        let mode = RoundingMode::from_name(self.peek());
        if mode.is_some() {
            self.next();
            self.expect(",");
        }
        let mut args = vec![self.expr()];
        while self.eat(",") {
            if self.peek().bytes().all(|byte| byte.is_ascii_digit()) && name.ends_with("2fp") {
                let exponent = self.number();
                self.expect(",");
                let sort = Sort::float(exponent, self.number());
                let op = mode.map_or(Op::FpFromBits, Op::FpFromReal);
                return self.store.app(op, Some(sort), &args).expect("the text should be well-sorted");
            }
            args.push(self.expr());
        }
        let op = match name {
            "same" => Op::Eq,
            "fpfma" => Op::FpFma(mode.expect("a rounding mode should be here")),
            "fp2rat" => Op::FpToReal,
            "fpisinfinite" => Op::FpIsInfinite,
            "fpiszero" => Op::FpIsZero,
            "fpisnormal" => Op::FpIsNormal,
            "fpissubnormal" => Op::FpIsSubnormal,
            "fpisnegative" => Op::FpIsNegative,
            "fpispositive" => Op::FpIsPositive,
            other => panic!("unexpected function {other}"),
        };
        self.app(op, &args)
    }
}
