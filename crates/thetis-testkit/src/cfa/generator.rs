//! Random small automata with few values.
//!
//! Every variable takes values from a small set: truth values, narrow bit-vectors, tiny arrays, and integers between 0
//! and [`INT_VALUES`], because each assignment of an integer is taken modulo that number and each havoc is followed by a
//! range assumption. The first edge brings integers into range, so their initial values do not matter. So the
//! explicit checker can try all values there are.

use thetis_expr::{ExprId, Sort, Store, VarId};
use thetis_model::Task;

use crate::Random;
use thetis_model::cfa::{Cfa, CfaBuilder, CfaProperty, LocId, Stmt};

/// How many values an integer variable of a random automaton takes, counted from zero.
pub const INT_VALUES: u32 = 4;

/// Bounds on the size of random automata.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// The greatest number of variables.
    pub max_vars: usize,
    /// The greatest number of locations besides the initial and the error location.
    pub max_locations: usize,
    /// The greatest number of edges for each location.
    pub max_degree: usize,
    /// The greatest depth of terms.
    pub max_depth: u32,
}

impl Default for Shape {
    fn default() -> Self {
        Shape { max_vars: 3, max_locations: 5, max_degree: 3, max_depth: 2 }
    }
}

/// The automaton that belongs to `seed`.
pub fn random_cfa(seed: u64, shape: Shape) -> Task<Cfa> {
    let store = Store::new();
    let mut generator = Generator { rng: Random::new(seed), store: &store, vars: Vec::new(), shape };
    let model = generator.cfa();
    Task { store, model, property: CfaProperty::ErrorLocation }
}

struct Generator<'s> {
    rng: Random,
    store: &'s Store,
    vars: Vec<VarId>,
    shape: Shape,
}

impl Generator<'_> {
    fn cfa(&mut self) -> Cfa {
        let mut builder = CfaBuilder::new("random");
        for number in 0..self.one_to(self.shape.max_vars) {
            let sort = self.sort();
            let var = self.store.declare(&format!("v{number}"), sort);
            builder.var(var);
            self.vars.push(var);
        }
        let start = builder.location("start", None);
        let inner = self.one_to(self.shape.max_locations);
        let locations: Vec<LocId> =
            (0..inner).map(|number| builder.location(format!("l{number}"), None)).collect();
        let error = builder.location("error", None);
        builder.initial(start);
        builder.error(error);
        builder.edge(start, locations[0], self.entry(), None);
        for &source in &locations {
            for _ in 0..self.one_to(self.shape.max_degree) {
                let target = locations[self.rng.below(inner)];
                let stmt = self.edge_stmt();
                builder.edge(source, target, stmt, None);
            }
        }
        for _ in 0..self.one_to(2) {
            let source = locations[self.rng.below(inner)];
            builder.edge(source, error, self.error_stmt(), None);
        }
        builder.build(self.store).expect("a random automaton should be well-formed")
    }

    fn one_to(&mut self, most: usize) -> usize {
        1 + self.rng.below(most)
    }

    fn sort(&mut self) -> Sort {
        match self.rng.below(6) {
            0 | 1 => Sort::Int,
            2 => Sort::Bool,
            3 => Sort::bitvec(2),
            4 => Sort::bitvec(3),
            _ => self.store.array_sort(Sort::bitvec(1), Sort::bitvec(1)),
        }
    }

    /// Brings integers into range, and makes some variables known.
    fn entry(&mut self) -> Stmt {
        let mut stmts = Vec::new();
        for var in self.vars.clone() {
            let sort = self.store.var_sort(var);
            if sort == Sort::Int || self.rng.below(4) > 0 {
                let literal = self.literal(sort);
                stmts.push(if self.rng.below(4) > 0 { Stmt::assign(var, literal) } else { self.havoc(var) });
            }
        }
        Stmt::seq(stmts)
    }

    /// An error edge needs certain values, so that many automata are safe and others need loops to fail.
    fn error_stmt(&mut self) -> Stmt {
        let guards: Vec<ExprId> = (0..self.one_to(3))
            .map(|_| {
                let var = self.var();
                let wanted = self.literal(self.store.var_sort(var));
                self.store.eq(self.store.var_expr(var), wanted)
            })
            .collect();
        Stmt::assume(self.store.and_all(guards))
    }

    fn edge_stmt(&mut self) -> Stmt {
        let mut stmts = Vec::new();
        if self.rng.coin() {
            stmts.push(Stmt::assume(self.formula(self.shape.max_depth)));
        }
        for _ in 0..self.rng.below(3) {
            stmts.push(self.stmt(1));
        }
        Stmt::seq(stmts)
    }

    fn stmt(&mut self, nesting: u32) -> Stmt {
        match self.rng.below(10) {
            0 if nesting > 0 => {
                let branches = self.one_to(3);
                Stmt::choice((0..branches).map(|_| self.stmt(nesting - 1)).collect())
            }
            1 if nesting > 0 => Stmt::seq((0..2).map(|_| self.stmt(nesting - 1)).collect()),
            2 => Stmt::assume(self.formula(self.shape.max_depth)),
            3 => {
                let var = self.var();
                self.havoc(var)
            }
            _ => {
                let var = self.var();
                let value = self.term(self.store.var_sort(var), self.shape.max_depth);
                Stmt::assign(var, self.in_range(value))
            }
        }
    }

    fn var(&mut self) -> VarId {
        self.vars[self.rng.below(self.vars.len())]
    }

    fn in_range(&self, term: ExprId) -> ExprId {
        match self.store.sort(term) {
            Sort::Int => self.store.modulo(term, self.store.int(INT_VALUES)),
            _ => term,
        }
    }

    fn havoc(&mut self, var: VarId) -> Stmt {
        let store = self.store;
        let havoc = Stmt::havoc(var);
        if store.var_sort(var) != Sort::Int {
            return havoc;
        }
        let value = store.var_expr(var);
        let range = store.and(store.le(store.int(0), value), store.lt(value, store.int(INT_VALUES)));
        Stmt::seq(vec![havoc, Stmt::assume(range)])
    }

    fn formula(&mut self, depth: u32) -> ExprId {
        self.term(Sort::Bool, depth.max(1))
    }

    fn term(&mut self, sort: Sort, depth: u32) -> ExprId {
        if depth == 0 || self.rng.below(5) == 0 {
            return self.leaf(sort);
        }
        let store = self.store;
        let [a, b] = [depth - 1; 2];
        match sort {
            Sort::Bool => self.boolean(depth),
            Sort::Int => self.integer(depth),
            Sort::BitVec(_) => {
                let (left, right) = (self.term(sort, a), self.term(sort, b));
                match self.rng.below(9) {
                    0 => store.bv_add(left, right),
                    1 => store.bv_sub(left, right),
                    2 => store.bv_mul(left, right),
                    3 => store.bv_and(left, right),
                    4 => store.bv_xor(left, right),
                    5 => store.bv_udiv(left, right),
                    6 => store.bv_srem(left, right),
                    7 => store.bv_shl(left, right),
                    _ => store.bv_ashr(left, right),
                }
            }
            _ => {
                let (index, element) = (self.term(Sort::bitvec(1), a), self.term(Sort::bitvec(1), b));
                store.store(self.leaf(sort), index, element)
            }
        }
    }

    /// Products and divisions are by literals only: solvers do not always end on others.
    fn integer(&mut self, depth: u32) -> ExprId {
        let store = self.store;
        let left = self.term(Sort::Int, depth - 1);
        match self.rng.below(6) {
            0 => store.add(left, self.term(Sort::Int, depth - 1)),
            1 => store.sub(left, self.term(Sort::Int, depth - 1)),
            2 => store.mul(left, self.literal(Sort::Int)),
            3 => store.int_div(left, self.literal(Sort::Int)),
            4 => store.modulo(left, self.literal(Sort::Int)),
            _ => store.ite(self.formula(depth - 1), left, self.term(Sort::Int, depth - 1)),
        }
    }

    fn boolean(&mut self, depth: u32) -> ExprId {
        let store = self.store;
        let below = depth - 1;
        match self.rng.below(8) {
            0 => store.not(self.formula(below)),
            1 => store.and(self.formula(below), self.formula(below)),
            2 => store.or(self.formula(below), self.formula(below)),
            _ => {
                let var = self.var();
                let sort = store.var_sort(var);
                let (left, right) = (store.var_expr(var), self.term(sort, below));
                match sort {
                    Sort::Int if self.rng.coin() => store.lt(left, right),
                    Sort::BitVec(_) if self.rng.coin() => store.bv_ult(left, right),
                    Sort::BitVec(_) if self.rng.coin() => store.bv_sle(left, right),
                    _ => store.eq(left, right),
                }
            }
        }
    }

    fn leaf(&mut self, sort: Sort) -> ExprId {
        let same: Vec<VarId> =
            self.vars.iter().copied().filter(|var| self.store.var_sort(*var) == sort).collect();
        if same.is_empty() || self.rng.below(3) == 0 {
            return self.literal(sort);
        }
        self.store.var_expr(same[self.rng.below(same.len())])
    }

    fn literal(&mut self, sort: Sort) -> ExprId {
        match sort {
            Sort::Bool => self.store.boolean(self.rng.coin()),
            Sort::Int => self.store.int(self.rng.below(INT_VALUES as usize)),
            Sort::BitVec(width) => self.store.bits(width.get(), self.rng.below(1 << width.get())),
            _ => {
                let element = self.literal(Sort::bitvec(1));
                self.store.const_array(Sort::bitvec(1), element)
            }
        }
    }
}
