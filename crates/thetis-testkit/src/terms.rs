//! Random well-sorted terms and values.
//!
//! Values lean to the edges where operators differ: zero, one, minus one, the smallest and the largest. Terms use every
//! operator of their sorts; a test of this module sees to it that none is forgotten.

use std::sync::Arc;

use fastrand::Rng;
use num_bigint::BigInt;
use thetis_expr::{ArrayValue, BitVec, ExprId, Float, Op, Rational, RoundingMode, Sort, Store, Value, VarId};

/// Which sorts random terms are made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TermSorts {
    /// Booleans, integers, rationals, bit-vectors, floats and arrays.
    All,
    /// Booleans, bit-vectors, and arrays of bit-vectors.
    Bits,
}

/// A generator of terms over a fixed set of variables, two of each sort.
pub struct Terms<'s> {
    store: &'s Store,
    sorts: TermSorts,
    vars: Vec<VarId>,
    arrays: Vec<Sort>,
}

/// The widths of random bit-vectors: 8 is made of two halves.
const WIDTHS: [u32; 3] = [1, 4, 8];

/// The formats of random floats: the first has the bits of a byte.
const FORMATS: [(u32, u32); 2] = [(3, 5), (5, 11)];

fn float_sort(rng: &mut Rng) -> Sort {
    let (exponent, significand) = pick(rng, &FORMATS);
    Sort::float(exponent, significand)
}

impl<'s> Terms<'s> {
    /// A generator whose variables are declared in `store`.
    pub fn new(store: &'s Store, sorts: TermSorts) -> Terms<'s> {
        let mut arrays = vec![store.array_sort(Sort::bitvec(4), Sort::bitvec(8))];
        let mut simple = vec![Sort::Bool];
        simple.extend(WIDTHS.map(Sort::bitvec));
        if sorts == TermSorts::All {
            simple.extend([Sort::Int, Sort::Real]);
            simple.extend(FORMATS.map(|(exponent, significand)| Sort::float(exponent, significand)));
            arrays.push(store.array_sort(Sort::Int, Sort::Int));
            arrays.push(store.array_sort(Sort::Bool, Sort::Int));
            arrays.push(store.array_sort(Sort::bitvec(1), Sort::Bool));
        }
        let all = simple.iter().chain(&arrays).enumerate();
        let vars = all.flat_map(|(number, sort)| {
            ["a", "b"].map(|name| store.declare(&format!("{name}{number}"), *sort))
        });
        Terms { store, sorts, vars: vars.collect(), arrays }
    }

    /// The variables.
    pub fn vars(&self) -> &[VarId] {
        &self.vars
    }

    /// A formula.
    pub fn formula(&self, rng: &mut Rng, depth: u32) -> ExprId {
        self.term(rng, Sort::Bool, depth)
    }

    /// A term of a random sort.
    pub fn any(&self, rng: &mut Rng, depth: u32) -> ExprId {
        let var = pick(rng, &self.vars);
        self.term(rng, self.store.var_sort(var), depth)
    }

    /// A term of `sort`, at most `depth` operators deep.
    pub fn term(&self, rng: &mut Rng, sort: Sort, depth: u32) -> ExprId {
        if depth == 0 || rng.usize(..8) == 0 {
            return self.leaf(rng, sort);
        }
        if rng.usize(..8) == 0 {
            let condition = self.formula(rng, depth - 1);
            let then = self.term(rng, sort, depth - 1);
            return self.store.ite(condition, then, self.term(rng, sort, depth - 1));
        }
        if rng.usize(..6) == 0
            && let Some(read) = self.read(rng, sort, depth - 1)
        {
            return read;
        }
        let mut below = Below { terms: self, rng, depth: depth - 1 };
        match sort {
            Sort::Bool => below.boolean(),
            Sort::Int => below.int(),
            Sort::Real => below.real(),
            Sort::BitVec(width) => below.bits(width.get()),
            Sort::Float(_) => below.float(sort),
            Sort::Array(_) => below.array(sort),
        }
    }

    /// A value of `sort`, often one at an edge.
    pub fn value(&self, rng: &mut Rng, sort: Sort) -> Value {
        match sort {
            Sort::Bool => Value::Bool(rng.bool()),
            Sort::Int => Value::Int(integer(rng)),
            Sort::Real => {
                let denominator = pick(rng, &[1, 1, 2, 3, 7]);
                Value::Real(Rational::new(integer(rng), BigInt::from(denominator)))
            }
            Sort::BitVec(width) => Value::BitVec(bits(rng, width.get())),
            Sort::Float(format) => Value::Float(Float::from_bits(format, &bits(rng, format.width()))),
            Sort::Array(array) => {
                let (index, element) = self.store.array_parts(array);
                let mut value = ArrayValue::new(index, self.value(rng, element));
                for _ in 0..rng.usize(..4) {
                    value = value.write(self.value(rng, index), self.value(rng, element));
                }
                Value::Array(Arc::new(value))
            }
        }
    }

    fn leaf(&self, rng: &mut Rng, sort: Sort) -> ExprId {
        let known: Vec<VarId> =
            self.vars.iter().copied().filter(|var| self.store.var_sort(*var) == sort).collect();
        if known.is_empty() || rng.usize(..4) == 0 {
            return self.store.literal(self.value(rng, sort));
        }
        self.store.var_expr(pick(rng, &known))
    }

    /// A read of an array with elements of `sort`.
    fn read(&self, rng: &mut Rng, sort: Sort, depth: u32) -> Option<ExprId> {
        let array = pick(rng, &self.arrays);
        let Sort::Array(parts) = array else { return None };
        let (index, element) = self.store.array_parts(parts);
        if element != sort {
            return None;
        }
        let read = self.term(rng, array, depth);
        Some(self.store.select(read, self.term(rng, index, depth)))
    }
}

fn pick<T: Copy>(rng: &mut Rng, choices: &[T]) -> T {
    choices[rng.usize(..choices.len())]
}

fn integer(rng: &mut Rng) -> BigInt {
    let large = BigInt::from(1) << 70;
    match rng.usize(..8) {
        0 => BigInt::from(0),
        1 => BigInt::from(1),
        2 => BigInt::from(-1),
        3 => large,
        4 => -large,
        _ => BigInt::from(rng.usize(..21)) - 10,
    }
}

fn bits(rng: &mut Rng, width: u32) -> BitVec {
    let number = match rng.usize(..6) {
        0 => 0,
        1 => 1,
        2 => u64::MAX,
        3 => 1 << (width - 1),
        _ => rng.u64(..),
    };
    BitVec::new(width, number)
}

/// The arguments of one operator.
struct Below<'a, 's> {
    terms: &'a Terms<'s>,
    rng: &'a mut Rng,
    depth: u32,
}

impl Below<'_, '_> {
    fn arg(&mut self, sort: Sort) -> ExprId {
        self.terms.term(self.rng, sort, self.depth)
    }

    fn apply(&mut self, op: Op, target: Option<Sort>, sorts: &[Sort]) -> ExprId {
        let args: Vec<ExprId> = sorts.iter().map(|sort| self.arg(*sort)).collect();
        self.terms.store.app(op, target, &args).unwrap()
    }

    fn boolean(&mut self) -> ExprId {
        use Op::*;
        let connective = pick(self.rng, &[Not, And, Or, Xor, And, Or]);
        let width = Sort::bitvec(pick(self.rng, &WIDTHS));
        let order = pick(self.rng, &[BvUlt, BvUle, BvSlt, BvSle]);
        let sort = self.terms.store.var_sort(pick(self.rng, &self.terms.vars));
        match self.rng.usize(..5) {
            4 if self.terms.sorts == TermSorts::All => self.float_test(),
            0 if connective == Not => self.apply(Not, None, &[Sort::Bool]),
            0 if connective == Xor => self.apply(Xor, None, &[Sort::Bool; 2]),
            0 => self.apply(connective, None, &[Sort::Bool; 3]),
            1 => self.apply(Eq, None, &[sort; 2]),
            2 if self.terms.sorts == TermSorts::All => {
                let number = pick(self.rng, &[Sort::Int, Sort::Real]);
                let order = pick(self.rng, &[Le, Lt]);
                self.apply(order, None, &[number; 2])
            }
            _ => self.apply(order, None, &[width; 2]),
        }
    }

    fn int(&mut self) -> ExprId {
        use Op::*;
        match pick(self.rng, &[Neg, Add, Sub, Mul, IntDiv, Mod, IntDiv, Mod, ToInt, BvToInt]) {
            Neg => self.apply(Neg, None, &[Sort::Int]),
            ToInt => self.apply(ToInt, None, &[Sort::Real]),
            BvToInt => {
                let width = Sort::bitvec(pick(self.rng, &WIDTHS));
                self.apply(BvToInt, None, &[width])
            }
            op => self.apply(op, None, &[Sort::Int; 2]),
        }
    }

    fn real(&mut self) -> ExprId {
        use Op::*;
        match pick(self.rng, &[Neg, Add, Sub, Mul, RealDiv, RealDiv, ToReal, FpToReal]) {
            FpToReal => {
                let sort = float_sort(self.rng);
                self.apply(FpToReal, None, &[sort])
            }
            Neg => self.apply(Neg, None, &[Sort::Real]),
            ToReal => self.apply(ToReal, None, &[Sort::Int]),
            op => self.apply(op, None, &[Sort::Real; 2]),
        }
    }

    fn bits(&mut self, width: u32) -> ExprId {
        use Op::*;
        const BINARY: [Op; 14] = [
            BvAnd, BvOr, BvXor, BvAdd, BvSub, BvMul, BvUdiv, BvUrem, BvSdiv, BvSrem, BvSmod, BvShl, BvLshr,
            BvAshr,
        ];
        let sort = Sort::bitvec(width);
        match self.rng.usize(..24) {
            0 => self.apply(BvNot, None, &[sort]),
            1 => self.apply(BvNeg, None, &[sort]),
            2 | 3 if width == 8 => self.apply(Concat, None, &[Sort::bitvec(4); 2]),
            4 | 5 if width < 8 => {
                let lowest = self.rng.usize(..8 - width as usize + 1) as u32;
                self.apply(Extract(lowest), Some(sort), &[Sort::bitvec(8)])
            }
            6 if width > 1 => self.apply(ZeroExtend, Some(sort), &[Sort::bitvec(width / 4 + width % 4)]),
            7 if width == 8 => self.apply(SignExtend, Some(sort), &[Sort::bitvec(4)]),
            8 if self.terms.sorts == TermSorts::All => self.apply(IntToBv, Some(sort), &[Sort::Int]),
            9 | 10 if self.terms.sorts == TermSorts::All => {
                let (mode, from) = (self.mode(), float_sort(self.rng));
                let op = pick(self.rng, &[FpToSigned(mode), FpToUnsigned(mode)]);
                self.apply(op, Some(sort), &[from])
            }
            _ => {
                let op = pick(self.rng, &BINARY);
                self.apply(op, None, &[sort; 2])
            }
        }
    }

    fn mode(&mut self) -> RoundingMode {
        use RoundingMode::*;
        pick(self.rng, &[NearestEven, NearestAway, TowardPositive, TowardNegative, TowardZero])
    }

    fn float_test(&mut self) -> ExprId {
        use Op::*;
        const TESTS: [Op; 7] =
            [FpIsNan, FpIsInfinite, FpIsZero, FpIsNormal, FpIsSubnormal, FpIsNegative, FpIsPositive];
        let sort = float_sort(self.rng);
        if self.rng.bool() {
            let test = pick(self.rng, &TESTS);
            return self.apply(test, None, &[sort]);
        }
        let order = pick(self.rng, &[FpLe, FpLt, FpEq]);
        self.apply(order, None, &[sort; 2])
    }

    fn float(&mut self, sort: Sort) -> ExprId {
        use Op::*;
        let mode = self.mode();
        let ops = [
            FpAdd(mode),
            FpSub(mode),
            FpMul(mode),
            FpDiv(mode),
            FpFma(mode),
            FpSqrt(mode),
            FpRem,
            FpMin,
            FpMax,
            FpRoundToIntegral(mode),
            FpAbs,
            FpNeg,
            FpFromBits,
            FpFromFp(mode),
            FpFromReal(mode),
            FpFromSigned(mode),
            FpFromUnsigned(mode),
        ];
        let width = Sort::bitvec(sort.float_format().expect("the sort should be a float").width());
        match pick(self.rng, &ops) {
            op @ FpFma(_) => self.apply(op, None, &[sort; 3]),
            op @ (FpSqrt(_) | FpRoundToIntegral(_) | FpAbs | FpNeg) => self.apply(op, None, &[sort]),
            FpFromBits => self.apply(FpFromBits, Some(sort), &[width]),
            op @ FpFromFp(_) => {
                let from = float_sort(self.rng);
                self.apply(op, Some(sort), &[from])
            }
            op @ FpFromReal(_) => self.apply(op, Some(sort), &[Sort::Real]),
            op @ (FpFromSigned(_) | FpFromUnsigned(_)) => self.apply(op, Some(sort), &[Sort::bitvec(8)]),
            op => self.apply(op, None, &[sort; 2]),
        }
    }

    fn array(&mut self, sort: Sort) -> ExprId {
        let Sort::Array(parts) = sort else { panic!("the sort should be an array") };
        let (index, element) = self.terms.store.array_parts(parts);
        if self.rng.usize(..3) == 0 {
            return self.apply(Op::ConstArray, Some(sort), &[element]);
        }
        self.apply(Op::Store, None, &[sort, index, element])
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use thetis_expr::Postorder;

    use super::*;

    /// The name of an operator without its parameter.
    fn name(op: Op) -> String {
        format!("{op:?}").split('(').next().unwrap().to_owned()
    }

    #[test]
    fn every_operator_occurs() {
        let store = Store::new();
        let (terms, mut rng) = (Terms::new(&store, TermSorts::All), Rng::with_seed(1));
        let roots: Vec<ExprId> = (0..5000).map(|_| terms.any(&mut rng, 3)).collect();
        let seen: BTreeSet<String> = Postorder::new(&store, roots).map(|part| name(store.op(part))).collect();
        let expected = "Const Var Not And Or Xor Ite Eq Neg Add Sub Mul IntDiv Mod RealDiv Le Lt ToReal ToInt BvNot \
            BvNeg BvAnd BvOr BvXor BvAdd BvSub BvMul BvUdiv BvUrem BvSdiv BvSrem BvSmod BvShl BvLshr BvAshr BvUlt \
            BvUle BvSlt BvSle Concat Extract ZeroExtend SignExtend BvToInt IntToBv Select Store ConstArray FpAdd FpSub \
            FpMul FpDiv FpFma FpSqrt FpRem FpRoundToIntegral FpMin FpMax FpAbs FpNeg FpLe FpLt FpEq FpIsNan \
            FpIsInfinite FpIsZero FpIsNormal FpIsSubnormal FpIsNegative FpIsPositive FpFromBits FpFromFp FpFromReal \
            FpFromSigned FpFromUnsigned FpToSigned FpToUnsigned FpToReal";
        for op in expected.split_whitespace() {
            assert!(seen.contains(op), "{op} is missing");
        }
    }
}
