//! How each operator is laid out: its level, and the pieces of its text.

use num_traits::Signed;
use smallvec::{SmallVec, smallvec};

use super::level::Level;
use super::literal::{level_of, print_sort, print_value};
use crate::{ExprId, Op, Store, Value};

/// A part of a text.
pub(super) enum Piece {
    /// A term, in parentheses if it binds less tightly than the level.
    Term(ExprId, Level),
    Text(&'static str),
    Owned(String),
}

type Pieces = SmallVec<[Piece; 6]>;

/// The level of the text of `expr`, which is not a variable, and its pieces from left to right.
pub(super) fn pieces(store: &Store, expr: ExprId) -> (Level, Pieces) {
    use Op::*;
    match store.op(expr) {
        Const(_) | Var(_) => literal(store, expr),
        Not => negation(store, expr),
        And => run(store, expr, " and ", Level::And, Level::Not),
        Or => run(store, expr, " or ", Level::Or, Level::Xor),
        Add => sum(store, expr),
        Mul => run(store, expr, " * ", Level::Product, Level::Concatenation),
        Ite => conditional(store, expr),
        Neg | BvNeg => prefix(store, expr, "-", Level::Sign),
        BvNot => prefix(store, expr, "bvnot ", Level::Complement),
        Extract(_) | ZeroExtend | SignExtend => resized(store, expr),
        ToReal => call(store, expr, "to_rat("),
        ToInt => call(store, expr, "to_int("),
        BvToInt => call(store, expr, "bv2int("),
        IntToBv => call(store, expr, "int2bv("),
        Select | Store | ConstArray => array(store, expr),
        op => {
            let (word, level, left, right) = infix(op);
            (level, between(store, expr, word, left, right))
        }
    }
}

/// Binary operators: their word, their level, and the levels of their operands.
fn infix(op: Op) -> (&'static str, Level, Level, Level) {
    use Level::*;
    match op {
        Op::Xor => (" xor ", Xor, And, Xor),
        Op::Eq => (" = ", Equality, Relation, Relation),
        Op::Le => (" <= ", Relation, BitOr, BitOr),
        Op::Lt => (" < ", Relation, BitOr, BitOr),
        Op::BvUlt => (" bvult ", Relation, BitOr, BitOr),
        Op::BvUle => (" bvule ", Relation, BitOr, BitOr),
        Op::BvSlt => (" bvslt ", Relation, BitOr, BitOr),
        Op::BvSle => (" bvsle ", Relation, BitOr, BitOr),
        Op::BvOr => (" bvor ", BitOr, BitXor, BitXor),
        Op::BvXor => (" bvxor ", BitXor, BitAnd, BitAnd),
        Op::BvAnd => (" bvand ", BitAnd, Shift, Shift),
        Op::BvShl => (" bvshl ", Shift, Sum, Sum),
        Op::BvAshr => (" bvashr ", Shift, Sum, Sum),
        Op::BvLshr => (" bvlshr ", Shift, Sum, Sum),
        Op::Sub => (" - ", Sum, Sum, Product),
        Op::BvAdd => (" bvadd ", Sum, Sum, Product),
        Op::BvSub => (" bvsub ", Sum, Sum, Product),
        Op::IntDiv | Op::RealDiv => (" / ", Product, Product, Concatenation),
        Op::Mod => (" mod ", Product, Product, Concatenation),
        Op::BvMul => (" bvmul ", Product, Product, Concatenation),
        Op::BvUdiv => (" bvudiv ", Product, Product, Concatenation),
        Op::BvSdiv => (" bvsdiv ", Product, Product, Concatenation),
        Op::BvSmod => (" bvsmod ", Product, Product, Concatenation),
        Op::BvUrem => (" bvurem ", Product, Product, Concatenation),
        Op::BvSrem => (" bvsrem ", Product, Product, Concatenation),
        Op::Concat => (" ++ ", Concatenation, Concatenation, Extension),
        _ => panic!("{op:?} should not be an infix operator"),
    }
}

fn literal(store: &Store, expr: ExprId) -> (Level, Pieces) {
    let value = store.value(expr).expect("a leaf that is not a variable should be a literal");
    (level_of(&value), smallvec![Piece::Owned(print_value(store, &value))])
}

/// The arguments with `word` between them; the first at level `first`, the others at level `rest`.
fn between(store: &Store, expr: ExprId, word: &'static str, first: Level, rest: Level) -> Pieces {
    let mut pieces = Pieces::new();
    for (position, arg) in store.args(expr).into_iter().enumerate() {
        if position > 0 {
            pieces.push(Piece::Text(word));
        }
        pieces.push(Piece::Term(arg, if position == 0 { first } else { rest }));
    }
    pieces
}

/// An operator whose runs are read as one application: a first argument of the same operator takes parentheses.
fn run(store: &Store, expr: ExprId, word: &'static str, level: Level, operand: Level) -> (Level, Pieces) {
    let first = store.arg(expr, 0);
    let first_level = if store.op(first) == store.op(expr) { operand } else { level };
    (level, between(store, expr, word, first_level, operand))
}

/// A sum; with a negative literal as its second and last part, a difference.
fn sum(store: &Store, expr: ExprId) -> (Level, Pieces) {
    if let [first, last] = store.args(expr)[..]
        && let Some(value) = store.value(last)
        && let Some(subtrahend) = opposite(&value)
    {
        let number = Piece::Owned(print_value(store, &subtrahend));
        return (Level::Sum, smallvec![Piece::Term(first, Level::Sum), Piece::Text(" - "), number]);
    }
    run(store, expr, " + ", Level::Sum, Level::Product)
}

/// The opposite of a negative number.
fn opposite(value: &Value) -> Option<Value> {
    match value {
        Value::Int(number) if number.is_negative() => Some(Value::Int(-number)),
        Value::Real(number) if number.is_negative() => Some(Value::Real(-number)),
        _ => None,
    }
}

fn negation(store: &Store, expr: ExprId) -> (Level, Pieces) {
    let inner = store.arg(expr, 0);
    if store.op(inner) == Op::Eq {
        return (Level::Equality, between(store, inner, " /= ", Level::Relation, Level::Relation));
    }
    (Level::Not, smallvec![Piece::Text("not "), Piece::Term(inner, Level::Equality)])
}

fn prefix(store: &Store, expr: ExprId, word: &'static str, level: Level) -> (Level, Pieces) {
    (level, smallvec![Piece::Text(word), Piece::Term(store.arg(expr, 0), level)])
}

fn conditional(store: &Store, expr: ExprId) -> (Level, Pieces) {
    let args = store.args(expr);
    let words = ["if ", " then ", " else "];
    let part = |(word, arg): (&'static str, ExprId)| [Piece::Text(word), Piece::Term(arg, Level::Lowest)];
    (Level::Lowest, words.into_iter().zip(args).flat_map(part).collect())
}

/// Extractions, whose upper bound is exclusive, and extensions, which name the whole width.
fn resized(store: &Store, expr: ExprId) -> (Level, Pieces) {
    let width = store.sort(expr).width().expect("a resized term should be a bit-vector");
    let (level, operand, text) = match store.op(expr) {
        Op::Extract(lowest) => (Level::Access, Level::Access, format!("[{}:{lowest}]", lowest + width)),
        Op::ZeroExtend => (Level::Extension, Level::Sign, format!(" bv_zero_extend bv[{width}]")),
        _ => (Level::Extension, Level::Sign, format!(" bv_sign_extend bv[{width}]")),
    };
    (level, smallvec![Piece::Term(store.arg(expr, 0), operand), Piece::Owned(text)])
}

fn call(store: &Store, expr: ExprId, opening: &'static str) -> (Level, Pieces) {
    let closing = match store.op(expr) {
        Op::IntToBv => format!(", {})", store.sort(expr).width().unwrap_or(0)),
        _ => ")".into(),
    };
    let arg = Piece::Term(store.arg(expr, 0), Level::Lowest);
    (Level::Primary, smallvec![Piece::Text(opening), arg, Piece::Owned(closing)])
}

fn array(store: &Store, expr: ExprId) -> (Level, Pieces) {
    let inner = |arg| Piece::Term(arg, Level::Lowest);
    let pieces: Pieces = match store.args(expr)[..] {
        [element] => {
            let index = store.index_sort(store.sort(expr)).expect("an array should have an index sort");
            let opening = format!("[<{}> default <- ", print_sort(store, index));
            return (Level::Primary, smallvec![Piece::Owned(opening), inner(element), Piece::Text("]")]);
        }
        [array, index] => {
            smallvec![Piece::Term(array, Level::Access), Piece::Text("["), inner(index), Piece::Text("]")]
        }
        [array, index, element] => smallvec![
            Piece::Term(array, Level::Access),
            Piece::Text("["),
            inner(index),
            Piece::Text(" <- "),
            inner(element),
            Piece::Text("]"),
        ],
        _ => panic!("an array operator should have one to three arguments"),
    };
    (Level::Access, pieces)
}
