//! Random transition systems.

use fastrand::Rng;
use thetis_expr::{ExprId, Sort, Store, VarId};
use thetis_model::Task;
use thetis_model::sts::{Sts, StsBuilder, StsProperty};

/// Integer variables have the values from zero to this one.
pub const INT_BOUND: i64 = 3;

/// How large random systems are, and what they have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StsShape {
    /// The greatest number of Boolean variables; there is at least one.
    pub max_bools: usize,
    /// The greatest number of integer variables.
    pub max_ints: usize,
    /// The greatest number of inputs.
    pub max_inputs: usize,
}

/// A random task. Integer variables are kept in their range by the constraint.
pub fn random_sts(seed: u64, shape: StsShape) -> Task<Sts> {
    let store = Store::new();
    let mut generator =
        Generator { rng: Rng::with_seed(seed), store: &store, bools: Vec::new(), ints: Vec::new() };
    let model = generator.system(shape);
    Task { store, model, property: StsProperty::Globally }
}

struct Generator<'s> {
    rng: Rng,
    store: &'s Store,
    /// The Boolean and integer terms that formulas are built from.
    bools: Vec<ExprId>,
    ints: Vec<ExprId>,
}

impl Generator<'_> {
    fn system(&mut self, shape: StsShape) -> Sts {
        let store = self.store;
        let mut builder = StsBuilder::new("random");
        let (num_bools, num_ints) = (self.rng.usize(1..=shape.max_bools), self.rng.usize(0..=shape.max_ints));
        let declare = |letter: &str, sort, n: usize| store.declare(&format!("{letter}{n}"), sort);
        let bools: Vec<VarId> = (0..num_bools).map(|n| declare("b", Sort::Bool, n)).collect();
        let ints: Vec<VarId> = (0..num_ints).map(|n| declare("x", Sort::Int, n)).collect();
        bools.iter().chain(&ints).for_each(|var| builder.var(*var));
        self.bools = bools.iter().map(|var| store.var_expr(*var)).collect();
        self.ints = ints.iter().map(|var| store.var_expr(*var)).collect();
        for int in &self.ints {
            builder.constraint(store.and(store.le(store.int(0), *int), store.le(*int, store.int(INT_BOUND))));
        }
        self.initial(&mut builder);
        let of_next_state = store.primed(self.formula(1));
        for n in 0..self.rng.usize(0..=shape.max_inputs) {
            let input = declare("i", Sort::Bool, n);
            builder.input(input);
            self.bools.push(store.var_expr(input));
        }
        self.transitions(&mut builder, &bools, &ints);
        if self.rng.u32(0..4) == 0 {
            builder.trans(store, store.or(self.formula(1), of_next_state));
        }
        if self.rng.u32(0..4) == 0 {
            builder.constraint(self.formula(2));
        }
        let num_conjuncts = self.rng.usize(1..=3);
        builder.bad(store.and_all((0..num_conjuncts).map(|_| self.formula(1))));
        builder.build(store).expect("random systems should be well-formed")
    }

    fn transitions(&mut self, builder: &mut StsBuilder, bools: &[VarId], ints: &[VarId]) {
        for var in bools {
            match self.rng.u32(0..8) {
                0 => {}
                1 => builder.next(self.store, *var, self.store.var_expr(*var)),
                _ => builder.next(self.store, *var, self.formula(2)),
            }
        }
        for var in ints {
            if self.rng.u32(0..6) > 0 {
                builder.next(self.store, *var, self.number(2));
            }
        }
    }

    fn initial(&mut self, builder: &mut StsBuilder) {
        let store = self.store;
        for term in &self.bools {
            match self.rng.u32(0..4) {
                0 => {}
                1 => builder.init(*term),
                _ => builder.init(store.not(*term)),
            }
        }
        for term in &self.ints {
            if self.rng.u32(0..4) > 0 {
                builder.init(store.eq(*term, store.int(self.rng.i64(0..=INT_BOUND))));
            }
        }
        if self.rng.u32(0..3) == 0 {
            builder.init(self.formula(1));
        }
    }

    fn formula(&mut self, depth: u32) -> ExprId {
        let store = self.store;
        if depth == 0 || self.rng.u32(0..5) == 0 {
            let literal = self.bools[self.rng.usize(0..self.bools.len())];
            return if self.rng.bool() { literal } else { store.not(literal) };
        }
        match self.rng.u32(0..if self.ints.is_empty() { 5 } else { 7 }) {
            0 | 1 => store.and(self.formula(depth - 1), self.formula(depth - 1)),
            2 => store.or(self.formula(depth - 1), self.formula(depth - 1)),
            3 => store.xor(self.formula(depth - 1), self.formula(depth - 1)),
            4 => store.ite(self.formula(depth - 1), self.formula(depth - 1), self.formula(depth - 1)),
            5 => store.eq(self.number(depth - 1), self.number(depth - 1)),
            _ => store.le(self.number(depth - 1), self.number(depth - 1)),
        }
    }

    fn number(&mut self, depth: u32) -> ExprId {
        let store = self.store;
        if depth == 0 || self.ints.is_empty() {
            return match self.ints.is_empty() || self.rng.bool() {
                true => store.int(self.rng.i64(0..=INT_BOUND)),
                false => self.ints[self.rng.usize(0..self.ints.len())],
            };
        }
        match self.rng.u32(0..4) {
            0 => store.add(self.number(depth - 1), store.int(1)),
            1 => store.sub(self.number(depth - 1), self.number(depth - 1)),
            2 => store.ite(self.formula(depth - 1), self.number(depth - 1), self.number(depth - 1)),
            _ => self.number(depth - 1),
        }
    }
}
