//! Random well-sorted terms and values.
//!
//! Values lean to the edges where operators differ: zero, one, minus one, the smallest and the largest. Terms use every
//! operator of their sorts; a test of this module sees to it that none is forgotten.

use std::sync::Arc;

use num_bigint::BigInt;
use thetis_expr::{ArrayValue, BitVec, ExprId, Op, Rational, Sort, Store, Value, VarId};

use crate::Random;

/// Which sorts random terms are made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TermSorts {
    /// Booleans, integers, rationals, bit-vectors and arrays.
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

impl<'s> Terms<'s> {
    /// A generator whose variables are declared in `store`.
    pub fn new(store: &'s Store, sorts: TermSorts) -> Terms<'s> {
        let mut arrays = vec![store.array_sort(Sort::bitvec(4), Sort::bitvec(8))];
        let mut simple = vec![Sort::Bool];
        simple.extend(WIDTHS.map(Sort::bitvec));
        if sorts == TermSorts::All {
            simple.extend([Sort::Int, Sort::Real]);
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
    pub fn formula(&self, random: &mut Random, depth: u32) -> ExprId {
        self.term(random, Sort::Bool, depth)
    }

    /// A term of a random sort.
    pub fn any(&self, random: &mut Random, depth: u32) -> ExprId {
        let var = *random.choose(&self.vars);
        self.term(random, self.store.var_sort(var), depth)
    }

    /// A term of `sort`, at most `depth` operators deep.
    pub fn term(&self, random: &mut Random, sort: Sort, depth: u32) -> ExprId {
        if depth == 0 || random.below(8) == 0 {
            return self.leaf(random, sort);
        }
        if random.below(8) == 0 {
            let condition = self.formula(random, depth - 1);
            let then = self.term(random, sort, depth - 1);
            return self.store.ite(condition, then, self.term(random, sort, depth - 1));
        }
        if random.below(6) == 0
            && let Some(read) = self.read(random, sort, depth - 1)
        {
            return read;
        }
        let mut below = Below { terms: self, random, depth: depth - 1 };
        match sort {
            Sort::Bool => below.boolean(),
            Sort::Int => below.int(),
            Sort::Real => below.real(),
            Sort::BitVec(width) => below.bits(width.get()),
            Sort::Array(_) => below.array(sort),
        }
    }

    /// A value of `sort`, often one at an edge.
    pub fn value(&self, random: &mut Random, sort: Sort) -> Value {
        match sort {
            Sort::Bool => Value::Bool(random.coin()),
            Sort::Int => Value::Int(integer(random)),
            Sort::Real => {
                let denominator = *random.choose(&[1, 1, 2, 3, 7]);
                Value::Real(Rational::new(integer(random), BigInt::from(denominator)))
            }
            Sort::BitVec(width) => Value::BitVec(bits(random, width.get())),
            Sort::Array(array) => {
                let (index, element) = self.store.array_parts(array);
                let mut value = ArrayValue::new(index, self.value(random, element));
                for _ in 0..random.below(4) {
                    value = value.write(self.value(random, index), self.value(random, element));
                }
                Value::Array(Arc::new(value))
            }
        }
    }

    fn leaf(&self, random: &mut Random, sort: Sort) -> ExprId {
        let known: Vec<VarId> =
            self.vars.iter().copied().filter(|var| self.store.var_sort(*var) == sort).collect();
        if known.is_empty() || random.below(4) == 0 {
            return self.store.literal(self.value(random, sort));
        }
        self.store.var_expr(*random.choose(&known))
    }

    /// A read of an array with elements of `sort`.
    fn read(&self, random: &mut Random, sort: Sort, depth: u32) -> Option<ExprId> {
        let array = *random.choose(&self.arrays);
        let Sort::Array(parts) = array else { return None };
        let (index, element) = self.store.array_parts(parts);
        if element != sort {
            return None;
        }
        let read = self.term(random, array, depth);
        Some(self.store.select(read, self.term(random, index, depth)))
    }
}

fn integer(random: &mut Random) -> BigInt {
    let large = BigInt::from(1) << 70;
    match random.below(8) {
        0 => BigInt::from(0),
        1 => BigInt::from(1),
        2 => BigInt::from(-1),
        3 => large,
        4 => -large,
        _ => BigInt::from(random.below(21)) - 10,
    }
}

fn bits(random: &mut Random, width: u32) -> BitVec {
    let number = match random.below(6) {
        0 => 0,
        1 => 1,
        2 => u64::MAX,
        3 => 1 << (width - 1),
        _ => random.number(),
    };
    BitVec::new(width, number)
}

/// The arguments of one operator.
struct Below<'a, 's> {
    terms: &'a Terms<'s>,
    random: &'a mut Random,
    depth: u32,
}

impl Below<'_, '_> {
    fn arg(&mut self, sort: Sort) -> ExprId {
        self.terms.term(self.random, sort, self.depth)
    }

    fn apply(&mut self, op: Op, target: Option<Sort>, sorts: &[Sort]) -> ExprId {
        let args: Vec<ExprId> = sorts.iter().map(|sort| self.arg(*sort)).collect();
        self.terms.store.app(op, target, &args).unwrap()
    }

    fn boolean(&mut self) -> ExprId {
        use Op::*;
        let connective = *self.random.choose(&[Not, And, Or, Xor, And, Or]);
        let width = Sort::bitvec(*self.random.choose(&WIDTHS));
        let order = *self.random.choose(&[BvUlt, BvUle, BvSlt, BvSle]);
        let sort = self.terms.store.var_sort(*self.random.choose(&self.terms.vars));
        match self.random.below(4) {
            0 if connective == Not => self.apply(Not, None, &[Sort::Bool]),
            0 if connective == Xor => self.apply(Xor, None, &[Sort::Bool; 2]),
            0 => self.apply(connective, None, &[Sort::Bool; 3]),
            1 => self.apply(Eq, None, &[sort; 2]),
            2 if self.terms.sorts == TermSorts::All => {
                let number = *self.random.choose(&[Sort::Int, Sort::Real]);
                let order = *self.random.choose(&[Le, Lt]);
                self.apply(order, None, &[number; 2])
            }
            _ => self.apply(order, None, &[width; 2]),
        }
    }

    fn int(&mut self) -> ExprId {
        use Op::*;
        match *self.random.choose(&[Neg, Add, Sub, Mul, IntDiv, Mod, IntDiv, Mod, ToInt, BvToInt]) {
            Neg => self.apply(Neg, None, &[Sort::Int]),
            ToInt => self.apply(ToInt, None, &[Sort::Real]),
            BvToInt => {
                let width = Sort::bitvec(*self.random.choose(&WIDTHS));
                self.apply(BvToInt, None, &[width])
            }
            op => self.apply(op, None, &[Sort::Int; 2]),
        }
    }

    fn real(&mut self) -> ExprId {
        use Op::*;
        match *self.random.choose(&[Neg, Add, Sub, Mul, RealDiv, RealDiv, ToReal]) {
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
        match self.random.below(24) {
            0 => self.apply(BvNot, None, &[sort]),
            1 => self.apply(BvNeg, None, &[sort]),
            2 | 3 if width == 8 => self.apply(Concat, None, &[Sort::bitvec(4); 2]),
            4 | 5 if width < 8 => {
                let lowest = self.random.below(8 - width as usize + 1) as u32;
                self.apply(Extract(lowest), Some(sort), &[Sort::bitvec(8)])
            }
            6 if width > 1 => self.apply(ZeroExtend, Some(sort), &[Sort::bitvec(width / 4 + width % 4)]),
            7 if width == 8 => self.apply(SignExtend, Some(sort), &[Sort::bitvec(4)]),
            8 if self.terms.sorts == TermSorts::All => self.apply(IntToBv, Some(sort), &[Sort::Int]),
            _ => {
                let op = *self.random.choose(&BINARY);
                self.apply(op, None, &[sort; 2])
            }
        }
    }

    fn array(&mut self, sort: Sort) -> ExprId {
        let Sort::Array(parts) = sort else { panic!("the sort should be an array") };
        let (index, element) = self.terms.store.array_parts(parts);
        if self.random.below(3) == 0 {
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
        let (terms, mut random) = (Terms::new(&store, TermSorts::All), Random::new(1));
        let roots: Vec<ExprId> = (0..2000).map(|_| terms.any(&mut random, 3)).collect();
        let seen: BTreeSet<String> = Postorder::new(&store, roots).map(|part| name(store.op(part))).collect();
        let expected = "Const Var Not And Or Xor Ite Eq Neg Add Sub Mul IntDiv Mod RealDiv Le Lt ToReal ToInt BvNot \
            BvNeg BvAnd BvOr BvXor BvAdd BvSub BvMul BvUdiv BvUrem BvSdiv BvSrem BvSmod BvShl BvLshr BvAshr BvUlt \
            BvUle BvSlt BvSle Concat Extract ZeroExtend SignExtend BvToInt IntToBv Select Store ConstArray";
        for op in expected.split_whitespace() {
            assert!(seen.contains(op), "{op} is missing");
        }
    }
}
