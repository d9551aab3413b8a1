//! Random terms and values, for tests of laws.

use thetis_expr::{BitVec, ExprId, Op, Rational, Sort, Store, Value, VarId};

/// SplitMix64 (Steele, Lea, Flood 2014): small, and the same on every machine.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    pub(crate) fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

/// A pool of random terms over two variables of each sort.
pub(crate) struct Pool {
    pub(crate) store: Store,
    pub(crate) vars: Vec<VarId>,
    pub(crate) terms: Vec<ExprId>,
}

const OPS: &[Op] = {
    use Op::*;
    &[
        Not,
        And,
        Or,
        Xor,
        Ite,
        Eq,
        Neg,
        Add,
        Sub,
        Mul,
        IntDiv,
        Mod,
        RealDiv,
        Le,
        Lt,
        ToReal,
        ToInt,
        BvNot,
        BvNeg,
        BvAnd,
        BvOr,
        BvXor,
        BvAdd,
        BvSub,
        BvMul,
        BvUdiv,
        BvUrem,
        BvSdiv,
        BvSrem,
        BvSmod,
        BvShl,
        BvLshr,
        BvAshr,
        BvUlt,
        BvUle,
        BvSlt,
        BvSle,
        Concat,
        Extract(0),
        Extract(1),
        ZeroExtend,
        SignExtend,
        BvToInt,
        IntToBv,
        Select,
        Store,
        ConstArray,
    ]
};

impl Pool {
    pub(crate) fn new(random: &mut Random, size: usize) -> Pool {
        let store = Store::new();
        let sorts = sorts(&store);
        let mut pool = Pool { vars: Vec::new(), terms: Vec::new(), store };
        for (number, sort) in sorts.iter().enumerate() {
            for copy in ["x", "y"] {
                let var = pool.store.declare(&format!("{copy}{number}"), *sort);
                pool.vars.push(var);
                pool.terms.push(pool.store.var_expr(var));
            }
            let value = value(&pool.store, *sort, random);
            pool.terms.push(pool.store.literal(value));
        }
        while pool.terms.len() < size {
            pool.grow(random);
        }
        pool
    }

    /// Applies a random operator to random terms, if their sorts allow it.
    fn grow(&mut self, random: &mut Random) {
        let op = random.pick(OPS);
        let arity = match op {
            Op::Not | Op::Neg | Op::ToReal | Op::ToInt | Op::BvNot | Op::BvNeg => 1,
            Op::Extract(_) | Op::ZeroExtend | Op::SignExtend | Op::BvToInt | Op::IntToBv | Op::ConstArray => {
                1
            }
            Op::Ite | Op::Store => 3,
            Op::And | Op::Or | Op::Add | Op::Mul => 2 + random.below(3),
            _ => 2,
        };
        let target = random.pick(&sorts(&self.store));
        // Most choices are ill-sorted; recent terms are preferred, so that terms grow deep.
        for _ in 0..20 {
            let args: Vec<_> = (0..arity).map(|_| self.any(random)).collect();
            if let Ok(term) = self.store.app(op, Some(target), &args) {
                self.terms.push(term);
                return;
            }
        }
    }

    pub(crate) fn any(&self, random: &mut Random) -> ExprId {
        let recent = self.terms.len().min(40);
        match random.below(3) {
            0 => self.terms[self.terms.len() - 1 - random.below(recent)],
            _ => random.pick(&self.terms),
        }
    }
}

pub(crate) fn sorts(store: &Store) -> Vec<Sort> {
    vec![
        Sort::Bool,
        Sort::Int,
        Sort::Real,
        Sort::bitvec(1),
        Sort::bitvec(2),
        Sort::bitvec(4),
        store.array_sort(Sort::Int, Sort::Int),
        store.array_sort(Sort::bitvec(2), Sort::Bool),
    ]
}

/// A random small value.
pub(crate) fn value(store: &Store, sort: Sort, random: &mut Random) -> Value {
    let small = random.below(7) as i64 - 3;
    match sort {
        Sort::Bool => Value::Bool(small > 0),
        Sort::Int => Value::int(small),
        Sort::Real => Value::Real(Rational::new(small.into(), (1 + random.below(3)).into())),
        Sort::BitVec(width) => Value::BitVec(BitVec::new(width.get(), random.next())),
        Sort::Array(array) => {
            let (index, element) = store.array_parts(array);
            let default = store.literal(value(store, element, random));
            let mut term = store.const_array(index, default);
            for _ in 0..random.below(4) {
                let at = store.literal(value(store, index, random));
                term = store.store(term, at, store.literal(value(store, element, random)));
            }
            store.value(term).expect("an array of literals should be a literal")
        }
    }
}
