//! A reader of the expressions of the `.cfa` language by its published grammar, to test the infix printer with.
//! One function a level; panics on wrong text, which only a wrong printer can produce.

use num_bigint::{BigInt, BigUint};
use thetis_expr::{ExprId, Op, Rational, Sort, Store};

pub(crate) fn parse(store: &Store, text: &str) -> ExprId {
    let mut reader = Reader { store, tokens: tokens(text), position: 0 };
    let term = reader.expr();
    assert_eq!(reader.position, reader.tokens.len(), "all of {text} should be read");
    term
}

fn tokens(text: &str) -> Vec<String> {
    let mut tokens: Vec<String> = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let symbol = ["<-", "<=", "/=", "++", "->"].iter().find(|symbol| rest.starts_with(**symbol));
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let length = match symbol {
            Some(symbol) => symbol.len(),
            None if is_word(first) => {
                let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
                let quote = first.is_ascii_digit() && rest[end..].starts_with('\'');
                if quote {
                    end + 1 + rest[end + 1..].find(|c| !is_word(c)).unwrap_or(rest.len() - end - 1)
                } else {
                    end
                }
            }
            None => first.len_utf8(),
        };
        tokens.push(rest[..length].to_owned());
        rest = rest[length..].trim_start();
    }
    tokens
}

struct Reader<'s> {
    store: &'s Store,
    tokens: Vec<String>,
    position: usize,
}

impl Reader<'_> {
    fn peek(&self) -> &str {
        self.tokens.get(self.position).map_or("", String::as_str)
    }

    fn next(&mut self) -> String {
        self.position += 1;
        self.tokens[self.position - 1].clone()
    }

    fn eat(&mut self, token: &str) -> bool {
        let found = self.peek() == token;
        self.position += usize::from(found);
        found
    }

    fn expect(&mut self, token: &str) {
        assert!(self.eat(token), "expected {token} but found {} in {:?}", self.peek(), self.tokens);
    }

    fn one_of(&mut self, words: &[(&str, Op)]) -> Option<Op> {
        let found = words.iter().find(|(word, _)| *word == self.peek()).map(|(_, op)| *op);
        self.position += usize::from(found.is_some());
        found
    }

    fn app(&self, op: Op, args: &[ExprId]) -> ExprId {
        self.store.app(op, None, args).expect("the text should be well-sorted")
    }

    fn expr(&mut self) -> ExprId {
        if !self.eat("if") {
            return self.or();
        }
        let condition = self.expr();
        self.expect("then");
        let then = self.expr();
        self.expect("else");
        let otherwise = self.expr();
        self.store.ite(condition, then, otherwise)
    }

    /// A run of one operator is one application.
    fn run(&mut self, word: &str, op: Op, mut args: Vec<ExprId>, operand: fn(&mut Self) -> ExprId) -> ExprId {
        while self.eat(word) {
            args.push(operand(self));
        }
        if args.len() == 1 { args[0] } else { self.app(op, &args) }
    }

    fn or(&mut self) -> ExprId {
        let first = self.xor();
        self.run("or", Op::Or, vec![first], Self::xor)
    }

    fn xor(&mut self) -> ExprId {
        let left = self.and();
        if self.eat("xor") {
            let right = self.xor();
            self.store.xor(left, right)
        } else {
            left
        }
    }

    fn and(&mut self) -> ExprId {
        let first = self.not();
        self.run("and", Op::And, vec![first], Self::not)
    }

    fn not(&mut self) -> ExprId {
        if self.eat("not") {
            let inner = self.equality();
            self.store.not(inner)
        } else {
            self.equality()
        }
    }

    fn equality(&mut self) -> ExprId {
        let left = self.relation();
        if self.eat("=") {
            let right = self.relation();
            return self.store.eq(left, right);
        }
        if self.eat("/=") {
            let right = self.relation();
            self.store.ne(left, right)
        } else {
            left
        }
    }

    /// A level whose operator does not chain.
    fn single(&mut self, words: &[(&str, Op)], operand: fn(&mut Self) -> ExprId) -> ExprId {
        let left = operand(self);
        match self.one_of(words) {
            Some(op) => {
                let right = operand(self);
                self.app(op, &[left, right])
            }
            None => left,
        }
    }

    fn relation(&mut self) -> ExprId {
        use Op::*;
        let words =
            [("<", Lt), ("<=", Le), ("bvult", BvUlt), ("bvule", BvUle), ("bvslt", BvSlt), ("bvsle", BvSle)];
        self.single(&words, Self::bit_or)
    }

    fn bit_or(&mut self) -> ExprId {
        self.single(&[("bvor", Op::BvOr)], Self::bit_xor)
    }

    fn bit_xor(&mut self) -> ExprId {
        self.single(&[("bvxor", Op::BvXor)], Self::bit_and)
    }

    fn bit_and(&mut self) -> ExprId {
        self.single(&[("bvand", Op::BvAnd)], Self::shift)
    }

    fn shift(&mut self) -> ExprId {
        self.single(&[("bvshl", Op::BvShl), ("bvashr", Op::BvAshr), ("bvlshr", Op::BvLshr)], Self::sum)
    }

    fn sum(&mut self) -> ExprId {
        let mut left = self.product();
        loop {
            if self.peek() == "+" {
                left = self.run("+", Op::Add, vec![left], Self::product);
            } else if let Some(op) =
                self.one_of(&[("-", Op::Sub), ("bvadd", Op::BvAdd), ("bvsub", Op::BvSub)])
            {
                let right = self.product();
                left = self.app(op, &[left, right]);
            } else {
                return left;
            }
        }
    }

    fn product(&mut self) -> ExprId {
        use Op::*;
        let words = [
            ("/", RealDiv),
            ("mod", Mod),
            ("bvmul", BvMul),
            ("bvudiv", BvUdiv),
            ("bvsdiv", BvSdiv),
            ("bvsmod", BvSmod),
            ("bvurem", BvUrem),
            ("bvsrem", BvSrem),
        ];
        let mut left = self.concatenation();
        loop {
            if self.peek() == "*" {
                left = self.run("*", Mul, vec![left], Self::concatenation);
            } else if let Some(op) = self.one_of(&words) {
                let op = if op == RealDiv && self.store.sort(left) == Sort::Int { IntDiv } else { op };
                let right = self.concatenation();
                left = self.app(op, &[left, right]);
            } else {
                return left;
            }
        }
    }

    fn concatenation(&mut self) -> ExprId {
        let mut left = self.extension();
        while self.eat("++") {
            let right = self.extension();
            left = self.store.concat(left, right);
        }
        left
    }

    fn extension(&mut self) -> ExprId {
        let inner = self.sign();
        let Some(op) = self.one_of(&[("bv_zero_extend", Op::ZeroExtend), ("bv_sign_extend", Op::SignExtend)])
        else {
            return inner;
        };
        let sort = self.sort();
        self.store.app(op, Some(sort), &[inner]).expect("the text should be well-sorted")
    }

    fn sort(&mut self) -> Sort {
        match self.next().as_str() {
            "bool" => Sort::Bool,
            "int" => Sort::Int,
            "rat" => Sort::Real,
            "bv" => {
                self.expect("[");
                let width = self.number();
                self.expect("]");
                Sort::bitvec(width)
            }
            other => panic!("unexpected sort {other}"),
        }
    }

    fn number(&mut self) -> u32 {
        self.next().parse().expect("a number should be here")
    }

    fn sign(&mut self) -> ExprId {
        if !self.eat("-") {
            return self.complement();
        }
        let inner = self.sign();
        let op = if self.store.sort(inner).width().is_some() { Op::BvNeg } else { Op::Neg };
        self.app(op, &[inner])
    }

    fn complement(&mut self) -> ExprId {
        if self.eat("bvnot") {
            let inner = self.complement();
            self.store.bv_not(inner)
        } else {
            self.access()
        }
    }

    fn access(&mut self) -> ExprId {
        let mut term = self.primary();
        while self.eat("[") {
            if self.tokens[self.position + 1] == ":" {
                let until = self.number();
                self.expect(":");
                let from = self.number();
                term = self.store.extract(term, from, until - from);
            } else {
                let index = self.expr();
                term = match self.eat("<-") {
                    true => {
                        let element = self.expr();
                        self.store.store(term, index, element)
                    }
                    false => self.store.select(term, index),
                };
            }
            self.expect("]");
        }
        term
    }

    fn primary(&mut self) -> ExprId {
        let token = self.next();
        if let Some((width, digits)) = token.split_once("'d") {
            let number: BigUint = digits.parse().expect("a bit-vector should have digits");
            return self.store.bits(width.parse().expect("a bit-vector should have a width"), number);
        }
        if token.as_bytes()[0].is_ascii_digit() {
            let number: BigInt = token.parse().expect("a number should be here");
            return match self.eat("%") {
                true => self.store.real(Rational::new(number, self.number().into())),
                false => self.store.int(number),
            };
        }
        match token.as_str() {
            "(" => {
                let inner = self.expr();
                self.expect(")");
                inner
            }
            "[" => self.array_literal(),
            "true" => self.store.tru(),
            "false" => self.store.fals(),
            name if self.peek() == "(" => self.call(name),
            name => self.store.var_expr(self.store.find_var(name).expect("a variable should be known")),
        }
    }

    fn array_literal(&mut self) -> ExprId {
        let mut entries = Vec::new();
        let mut index_sort = None;
        while self.peek() != "default" {
            if self.eat("<") {
                index_sort = Some(self.sort());
                self.expect(">");
                continue;
            }
            let index = self.expr();
            self.expect("<-");
            entries.push((index, self.expr()));
            self.expect(",");
        }
        self.expect("default");
        self.expect("<-");
        let default = self.expr();
        self.expect("]");
        let index_sort = index_sort.unwrap_or_else(|| self.store.sort(entries[0].0));
        let array = self.store.const_array(index_sort, default);
        entries.iter().fold(array, |array, (index, element)| self.store.store(array, *index, *element))
    }

    fn call(&mut self, name: &str) -> ExprId {
        self.expect("(");
        let arg = self.expr();
        let term = match name {
            "to_rat" => self.store.to_real(arg),
            "to_int" => self.store.to_int(arg),
            "bv2int" => self.store.bv_to_int(arg),
            "int2bv" => {
                self.expect(",");
                let width = self.number();
                self.store.int_to_bv(arg, width)
            }
            other => panic!("unexpected function {other}"),
        };
        self.expect(")");
        term
    }
}
