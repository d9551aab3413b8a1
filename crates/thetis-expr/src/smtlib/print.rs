//! Printing of terms, values and declarations.

use std::fmt::Write;

use num_bigint::BigInt;
use num_traits::{Signed, Zero};

use super::floats::{self, TextPart};
use super::lets::Shared;
use super::names::write_name;
use super::sorts::write_sort;
use crate::big::to_decimal;
use crate::{ArrayValue, ExprId, Op, Rational, Sort, Store, Value};

/// How to write operators that are total in Thetis but not fully specified in SMT-LIB.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dialect {
    /// As they stand, to be read by [`parse_term`](super::parse_term).
    Thetis,
    /// With a guard where SMT-LIB says nothing: `(ite (= y 0) 0 (div x y))`. For solvers.
    Standard,
}

/// The SMT-LIB text of `expr`.
pub fn print_term(store: &Store, expr: ExprId, dialect: Dialect) -> String {
    let shared = Shared::of(store, expr, |part, position| repeats(store, part, position, dialect));
    let mut printer = Printer { store, dialect, shared, out: String::new(), pending: Vec::new() };
    printer.print(expr);
    printer.out
}

/// The SMT-LIB text of a value.
pub fn print_value(store: &Store, value: &Value) -> String {
    let mut out = String::new();
    write_value(store, value, &mut out);
    out
}

/// A `declare-const` for every variable of `roots`, one a line.
pub fn print_declarations(store: &Store, roots: impl IntoIterator<Item = ExprId>) -> String {
    let mut out = String::new();
    for var in store.vars_of(roots) {
        out.push_str("(declare-const ");
        write_name(store, var, &mut out);
        out.push(' ');
        write_sort(store, store.var_sort(var), &mut out);
        out.push_str(")\n");
    }
    out
}

/// How often the guard of `part` repeats its argument at `position`.
fn repeats(store: &Store, part: ExprId, position: usize, dialect: Dialect) -> u32 {
    let Some(parts) = guard(store, part, dialect) else { return 0 };
    let uses = parts.iter().filter(|part| matches!(part, TextPart::Arg(arg) if *arg == position)).count();
    uses.saturating_sub(1) as u32
}

/// The text of `expr` as a template, if its operator is open somewhere in SMT-LIB and has to be guarded.
fn guard(store: &Store, expr: ExprId, dialect: Dialect) -> Option<Vec<TextPart>> {
    let op = store.op(expr);
    let divides = matches!(op, Op::IntDiv | Op::Mod | Op::RealDiv);
    if dialect == Dialect::Thetis || (!op.is_float() && !divides) {
        return None;
    }
    let text = match op {
        _ if !divides => return floats::guarded(store, op, store.sort(expr), store.sort(store.arg(expr, 0))),
        _ if is_nonzero(store, store.arg(expr, 1)) => return None,
        Op::IntDiv => "(ite (= $1 0) 0 (div $0 $1))",
        Op::Mod => "(ite (= $1 0) $0 (mod $0 $1))",
        _ => "(ite (= $1 0.0) 0.0 (/ $0 $1))",
    };
    Some(floats::template(text))
}

fn is_nonzero(store: &Store, divisor: ExprId) -> bool {
    store.is_value(divisor, |value| match value {
        Value::Int(number) => !number.is_zero(),
        Value::Real(number) => !number.is_zero(),
        _ => false,
    })
}

struct Printer<'s> {
    store: &'s Store,
    dialect: Dialect,
    shared: Shared,
    out: String,
    /// What is still to be written, last first.
    pending: Vec<Piece>,
}

enum Piece {
    /// A term, or the variable that stands for it.
    Term(ExprId),
    /// A term itself.
    Body(ExprId),
    Text(&'static str),
    Owned(String),
}

impl Printer<'_> {
    fn print(&mut self, root: ExprId) {
        for index in 0..self.shared.order.len() {
            write!(self.out, "(let ((?{} ", index + 1).expect("writing to a string should succeed");
            self.run(Piece::Body(self.shared.order[index]));
            self.out.push_str(")) ");
        }
        self.run(Piece::Term(root));
        let closing = self.shared.order.len();
        self.out.extend(std::iter::repeat_n(')', closing));
    }

    fn run(&mut self, first: Piece) {
        self.pending.push(first);
        while let Some(piece) = self.pending.pop() {
            match piece {
                Piece::Text(text) => self.out.push_str(text),
                Piece::Owned(text) => self.out.push_str(&text),
                Piece::Body(expr) => self.body(expr),
                Piece::Term(expr) => match self.shared.number(expr) {
                    Some(number) => {
                        write!(self.out, "?{number}").expect("writing to a string should succeed");
                    }
                    None => self.body(expr),
                },
            }
        }
    }

    fn body(&mut self, expr: ExprId) {
        match self.store.op(expr) {
            Op::Const(_) => {
                let value = self.store.value(expr).expect("a constant should have a value");
                write_value(self.store, &value, &mut self.out);
            }
            Op::Var(var) => write_name(self.store, var, &mut self.out),
            op => match guard(self.store, expr, self.dialect) {
                Some(parts) => self.guarded(expr, parts),
                None => self.application(op, expr),
            },
        }
    }

    fn application(&mut self, op: Op, expr: ExprId) {
        self.out.push('(');
        self.head(op, expr);
        self.pending.push(Piece::Text(")"));
        for arg in self.store.args(expr).into_iter().rev() {
            self.pending.push(Piece::Term(arg));
            self.pending.push(Piece::Text(" "));
        }
    }

    fn guarded(&mut self, expr: ExprId, parts: Vec<TextPart>) {
        let args = self.store.args(expr);
        self.pending.extend(parts.into_iter().rev().map(|part| match part {
            TextPart::Text(text) => Piece::Owned(text),
            TextPart::Arg(position) => Piece::Term(args[position]),
        }));
    }

    /// The function symbol of a compound term.
    fn head(&mut self, op: Op, expr: ExprId) {
        let width = |expr| self.store.sort(expr).width().unwrap_or(0);
        let own = width(expr);
        let written = match op {
            Op::Extract(lowest) => write!(self.out, "(_ extract {} {lowest})", lowest + own - 1),
            Op::ZeroExtend => write!(self.out, "(_ zero_extend {})", own - width(self.store.arg(expr, 0))),
            Op::SignExtend => write!(self.out, "(_ sign_extend {})", own - width(self.store.arg(expr, 0))),
            Op::IntToBv => write!(self.out, "(_ int_to_bv {own})"),
            Op::ConstArray => {
                write_const_head(self.store, self.store.sort(expr), &mut self.out);
                Ok(())
            }
            _ if op.is_float() => {
                floats::write_head(op, self.store.sort(expr), &mut self.out);
                Ok(())
            }
            _ => {
                self.out.push_str(name(op));
                Ok(())
            }
        };
        written.expect("writing to a string should succeed");
    }
}

fn write_const_head(store: &Store, sort: Sort, out: &mut String) {
    out.push_str("(as const ");
    write_sort(store, sort, out);
    out.push(')');
}

/// The symbol of an operator that is not written with indices.
fn name(op: Op) -> &'static str {
    use Op::*;
    match op {
        Not => "not",
        And => "and",
        Or => "or",
        Xor => "xor",
        Ite => "ite",
        Eq => "=",
        Neg | Sub => "-",
        Add => "+",
        Mul => "*",
        IntDiv => "div",
        Mod => "mod",
        RealDiv => "/",
        Le => "<=",
        Lt => "<",
        ToReal => "to_real",
        ToInt => "to_int",
        BvNot => "bvnot",
        BvNeg => "bvneg",
        BvAnd => "bvand",
        BvOr => "bvor",
        BvXor => "bvxor",
        BvAdd => "bvadd",
        BvSub => "bvsub",
        BvMul => "bvmul",
        BvUdiv => "bvudiv",
        BvUrem => "bvurem",
        BvSdiv => "bvsdiv",
        BvSrem => "bvsrem",
        BvSmod => "bvsmod",
        BvShl => "bvshl",
        BvLshr => "bvlshr",
        BvAshr => "bvashr",
        BvUlt => "bvult",
        BvUle => "bvule",
        BvSlt => "bvslt",
        BvSle => "bvsle",
        Concat => "concat",
        BvToInt => "ubv_to_int",
        Select => "select",
        Store => "store",
        _ => panic!("{op:?} should be written with indices"),
    }
}

pub(super) fn write_value(store: &Store, value: &Value, out: &mut String) {
    match value {
        Value::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        Value::Int(value) => write_int(value, out),
        Value::Real(value) => write_real(value, out),
        Value::BitVec(bits) if bits.width() % 4 == 0 => {
            let digits = bits.width() as usize / 4;
            write!(out, "#x{:0>digits$}", bits.unsigned().to_str_radix(16))
                .expect("writing to a string should succeed");
        }
        Value::BitVec(bits) => {
            out.push_str("#b");
            out.push_str(&bits.binary());
        }
        Value::Float(float) => floats::write_float(float, out),
        Value::Array(array) => write_array(store, value, array, out),
    }
}

fn write_int(value: &BigInt, out: &mut String) {
    let digits = to_decimal(value);
    match digits.strip_prefix('-') {
        Some(magnitude) => {
            write!(out, "(- {magnitude})").expect("writing to a string should succeed");
        }
        None => out.push_str(&digits),
    }
}

fn write_real(value: &Rational, out: &mut String) {
    let (numerator, denominator) = (to_decimal(&value.numer().abs()), to_decimal(value.denom()));
    let written = match (value.is_negative(), value.is_integer()) {
        (false, true) => write!(out, "{numerator}.0"),
        (true, true) => write!(out, "(- {numerator}.0)"),
        (false, false) => write!(out, "(/ {numerator}.0 {denominator}.0)"),
        (true, false) => write!(out, "(- (/ {numerator}.0 {denominator}.0))"),
    };
    written.expect("writing to a string should succeed");
}

fn write_array(store: &Store, value: &Value, array: &ArrayValue, out: &mut String) {
    let entries: Vec<_> = array.entries().collect();
    out.extend(std::iter::repeat_n("(store ", entries.len()));
    out.push('(');
    write_const_head(store, store.sort_of_value(value), out);
    out.push(' ');
    write_value(store, array.default(), out);
    out.push(')');
    for (index, element) in entries {
        out.push(' ');
        write_value(store, index, out);
        out.push(' ');
        write_value(store, element, out);
        out.push(')');
    }
}
