//! Infeasible paths of small programs with a parameter, over integers and over bit-vectors.

use std::rc::Rc;

use thetis_expr::{ExprId, Sort, Store, VarId};
use thetis_solver::{Chain, Step};

/// The width of bit-vectors.
const WIDTH: u32 = 32;

/// The kind of numbers in a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Numbers {
    Integers,
    Bits,
}

/// A path with its name.
pub(crate) struct Path {
    pub(crate) name: String,
    pub(crate) numbers: Numbers,
    pub(crate) chain: Chain,
}

/// Writes a path.
struct Program<'s> {
    store: &'s Store,
    numbers: Numbers,
    steps: Vec<Rc<Step>>,
    heads: Vec<usize>,
}

impl Program<'_> {
    fn var(&self, name: &str) -> VarId {
        let sort = match self.numbers {
            Numbers::Integers => Sort::Int,
            Numbers::Bits => Sort::bitvec(WIDTH),
        };
        let suffix = if self.numbers == Numbers::Bits { "_bits" } else { "" };
        self.store.declare(&format!("{name}{suffix}"), sort)
    }

    fn get(&self, name: &str) -> ExprId {
        self.store.var_expr(self.var(name))
    }

    fn num(&self, number: u32) -> ExprId {
        match self.numbers {
            Numbers::Integers => self.store.int(number),
            Numbers::Bits => self.store.bits(WIDTH, number),
        }
    }

    fn add(&self, left: ExprId, right: ExprId) -> ExprId {
        match self.numbers {
            Numbers::Integers => self.store.add(left, right),
            Numbers::Bits => self.store.bv_add(left, right),
        }
    }

    fn sub(&self, left: ExprId, right: ExprId) -> ExprId {
        match self.numbers {
            Numbers::Integers => self.store.sub(left, right),
            Numbers::Bits => self.store.bv_sub(left, right),
        }
    }

    /// Signed.
    fn lt(&self, left: ExprId, right: ExprId) -> ExprId {
        match self.numbers {
            Numbers::Integers => self.store.lt(left, right),
            Numbers::Bits => self.store.bv_slt(left, right),
        }
    }

    fn rem(&self, left: ExprId, right: ExprId) -> ExprId {
        match self.numbers {
            Numbers::Integers => self.store.modulo(left, right),
            Numbers::Bits => self.store.bv_urem(left, right),
        }
    }

    fn assume(&mut self, formula: ExprId) {
        self.steps.push(Rc::new(Step { conjuncts: self.store.conjuncts(formula), ..Step::default() }));
    }

    fn set(&mut self, name: &str, term: ExprId) {
        let next = vec![(self.var(name), term)];
        self.steps.push(Rc::new(Step { next, ..Step::default() }));
    }

    fn havoc(&mut self, name: &str) {
        let input = self.var(&format!("{name}_input"));
        let next = vec![(self.var(name), self.store.var_expr(input))];
        self.steps.push(Rc::new(Step { conjuncts: Vec::new(), next, inputs: vec![input] }));
    }

    /// A loop starts anew.
    fn head(&mut self) {
        self.heads.push(self.steps.len());
    }
}

type Body = fn(&mut Program<'_>, u32);

const PROGRAMS: [(&str, Body); 11] = [
    ("count", |p, n| {
        p.set("x", p.num(0));
        for _ in 0..n {
            p.head();
            p.assume(p.lt(p.get("x"), p.num(1000)));
            p.set("x", p.add(p.get("x"), p.num(1)));
        }
        p.assume(p.lt(p.get("x"), p.num(0)));
    }),
    ("up-down", |p, n| {
        p.set("x", p.num(0));
        p.set("y", p.num(n));
        for _ in 0..n {
            p.head();
            p.set("x", p.add(p.get("x"), p.num(1)));
            p.set("y", p.sub(p.get("y"), p.num(1)));
        }
        p.assume(p.store.ne(p.add(p.get("x"), p.get("y")), p.num(n)));
    }),
    ("exit", |p, n| {
        p.set("i", p.num(0));
        for _ in 0..n {
            p.head();
            p.assume(p.lt(p.get("i"), p.num(n)));
            p.set("i", p.add(p.get("i"), p.num(1)));
        }
        p.assume(p.store.not(p.lt(p.get("i"), p.num(n))));
        p.assume(p.store.ne(p.get("i"), p.num(n)));
    }),
    ("input", |p, n| {
        p.havoc("x");
        p.assume(p.store.and(p.lt(p.num(0), p.get("x")), p.lt(p.get("x"), p.num(100))));
        p.set("y", p.get("x"));
        for _ in 0..n {
            p.head();
            p.set("y", p.add(p.get("y"), p.num(1)));
        }
        p.assume(p.lt(p.get("y"), p.num(n)));
    }),
    ("parity", |p, n| {
        p.set("x", p.num(0));
        for _ in 0..n {
            p.head();
            p.set("x", p.add(p.get("x"), p.num(2)));
        }
        p.assume(p.store.eq(p.rem(p.get("x"), p.num(2)), p.num(1)));
    }),
    ("lock", |p, n| {
        p.set("lock", p.num(0));
        for _ in 0..n {
            p.head();
            p.assume(p.store.eq(p.get("lock"), p.num(0)));
            p.set("lock", p.num(1));
            p.havoc("data");
            p.assume(p.store.eq(p.get("lock"), p.num(1)));
            p.set("lock", p.num(0));
        }
        p.assume(p.store.ne(p.get("lock"), p.num(0)));
    }),
    ("either", |p, n| {
        p.havoc("x");
        let either = [1, 2, 3].map(|number| p.store.eq(p.get("x"), p.num(number)));
        p.assume(p.store.or_all(either));
        for _ in 0..n {
            p.head();
            p.set("x", p.add(p.get("x"), p.num(3)));
        }
        p.assume(p.store.eq(p.get("x"), p.num(3 * n)));
    }),
    ("maximum", |p, n| {
        p.havoc("m");
        for number in 0..n {
            p.head();
            p.havoc("a");
            if number % 2 == 0 {
                p.assume(p.lt(p.get("m"), p.get("a")));
                p.set("m", p.get("a"));
            } else {
                p.assume(p.store.not(p.lt(p.get("m"), p.get("a"))));
            }
        }
        p.assume(p.lt(p.get("m"), p.get("a")));
    }),
    ("noise", |p, n| {
        p.set("x", p.num(1));
        p.havoc("y");
        for _ in 0..n {
            p.head();
            p.assume(p.store.ne(p.get("z"), p.get("y")));
            p.set("z", p.add(p.get("z"), p.get("y")));
            p.set("w", p.sub(p.get("z"), p.get("x")));
            p.set("x", p.get("x"));
            p.havoc("y");
        }
        p.assume(p.lt(p.get("w"), p.get("z")));
        p.assume(p.lt(p.get("x"), p.num(1)));
    }),
    ("distance", |p, n| {
        p.havoc("a");
        p.assume(p.store.and(p.lt(p.num(0), p.get("a")), p.lt(p.get("a"), p.num(1000))));
        p.set("b", p.add(p.get("a"), p.num(2)));
        for _ in 0..n {
            p.head();
            p.set("a", p.add(p.get("a"), p.num(1)));
            p.set("b", p.add(p.get("b"), p.num(2)));
        }
        p.assume(p.lt(p.get("b"), p.get("a")));
    }),
    ("masks", |p, n| {
        // Remainders by powers of two: masks in disguise, and not linear for bit-vectors.
        p.havoc("x");
        p.set("x", p.rem(p.get("x"), p.num(16)));
        for _ in 0..n {
            p.head();
            p.set("x", p.add(p.get("x"), p.num(1)));
        }
        p.assume(p.lt(p.num(15 + n), p.get("x")));
    }),
];

/// All paths: every program with the parameters, over both kinds of numbers.
pub(crate) fn paths(store: &Store, parameters: &[u32]) -> Vec<Path> {
    let mut paths = Vec::new();
    for numbers in [Numbers::Integers, Numbers::Bits] {
        for (name, body) in PROGRAMS {
            for parameter in parameters {
                let mut program = Program { store, numbers, steps: Vec::new(), heads: Vec::new() };
                body(&mut program, *parameter);
                let mut chain = Chain::infeasible(store, program.steps);
                chain.heads = program.heads;
                paths.push(Path { name: format!("{name}-{parameter}"), numbers, chain });
            }
        }
    }
    paths
}
