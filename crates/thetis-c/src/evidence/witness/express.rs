//! Terms as C expressions that mean the same.
//!
//! Mathematical integers do not overflow, but those of C do. So each integer term comes with the range of its values,
//! which follows from the types of its variables, and is computed in a type that has this range: `int` where the
//! operands are `int`s anyway, `long long` or `__int128` by a cast otherwise. A comparison that the ranges decide is a
//! constant; this removes what is implied by the types. Bit-vectors are computed in unsigned types, which wrap in the
//! same way, and masked if no type has their width.
//!
//! Not expressed are pointers, floating-point numbers, memory at non-constant addresses, array elements at indices that
//! may be out of bounds, quotients of unknown numbers, and everything that the program does not name.

use num_bigint::BigInt;
use num_traits::{Signed, Zero};
use rustc_hash::FxHashMap;
use thetis_expr::{ExprId, Op, Postorder, Sort, Store, Value, VarId};

use crate::evidence::harness::integer_constant;
use crate::lower::Integer;

/// Longer expressions are of no use.
const MAX_TEXT: usize = 4_000;

/// A variable that C can name.
#[derive(Clone, Debug)]
pub(super) struct Named {
    /// How.
    pub(super) text: String,
    /// Its values.
    pub(super) integer: Integer,
}

/// A formula as a C expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Formula {
    /// Always true or false, by the types of the variables.
    Constant(bool),
    /// An expression that is not zero iff the formula holds.
    Text(String),
}

/// A term as a C expression.
#[derive(Clone, Debug)]
enum Piece {
    Formula(Formula),
    /// An integer with the range of its values.
    Int {
        text: String,
        class: Class,
        low: BigInt,
        high: BigInt,
    },
    /// A bit-vector: an expression of the unsigned type with the fewest bits that are enough, and if it is known, one of the
    /// signed type for the same bits.
    Bits {
        text: String,
        signed: Option<String>,
        width: u32,
    },
}

/// The C type of an integer expression.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Class {
    /// `int`, after promotion.
    Int,
    /// `long long`
    LongLong,
    /// `__int128`
    Int128,
    /// An unsigned or platform-dependent type, which must be cast before any computation.
    Other,
}

/// The C names of the variables in formulas.
pub(super) trait Names {
    /// The name of a variable.
    fn variable(&self, var: VarId) -> Option<Named>;

    /// The name of the scalar at an address of a variable that is memory.
    fn cell(&self, memory: VarId, address: &Value) -> Option<Named>;
}

/// Writes a formula; `None` if a part of it has no expression.
pub(super) fn express(store: &Store, formula: ExprId, names: &dyn Names) -> Option<Formula> {
    let mut pieces: FxHashMap<ExprId, Piece> = FxHashMap::default();
    for term in Postorder::new(store, [formula]) {
        let piece = match cell(store, term) {
            Some((memory, address)) => {
                names.cell(memory, &address).and_then(|named| variable(named, store.sort(term)))
            }
            None => {
                let args = store.args(term);
                let args: Option<Vec<Piece>> = args.iter().map(|arg| pieces.get(arg).cloned()).collect();
                args.and_then(|args| piece(store, term, &args, names))
            }
        };
        // Memory itself has no expression; its cells may have one.
        let Some(piece) = piece else { continue };
        if text_of(&piece).is_some_and(|text| text.len() > MAX_TEXT) {
            return None;
        }
        pieces.insert(term, piece);
    }
    match pieces.remove(&formula)? {
        Piece::Formula(formula) => Some(formula),
        Piece::Int { .. } | Piece::Bits { .. } => None,
    }
}

/// The memory and the address of a term that is a scalar in memory at a constant address.
fn cell(store: &Store, term: ExprId) -> Option<(VarId, Value)> {
    let (Op::Select, [memory, address]) = (store.op(term), &store.args(term)[..]) else { return None };
    match store.op(*memory) {
        Op::Var(memory) => Some((memory, store.value(*address)?)),
        _ => None,
    }
}

fn text_of(piece: &Piece) -> Option<&str> {
    match piece {
        Piece::Formula(Formula::Constant(_)) => None,
        Piece::Formula(Formula::Text(text)) | Piece::Int { text, .. } | Piece::Bits { text, .. } => {
            Some(text)
        }
    }
}

fn piece(store: &Store, term: ExprId, args: &[Piece], names: &dyn Names) -> Option<Piece> {
    match store.op(term) {
        Op::Const(_) => constant(&store.value(term)?),
        Op::Var(var) => variable(names.variable(var)?, store.sort(term)),
        Op::Not => Some(Piece::Formula(negate(formula(&args[0])?))),
        Op::And => join(args, "&&", false),
        Op::Or => join(args, "||", true),
        Op::Xor => truth_values(args, "!="),
        Op::Eq => match &args[0] {
            Piece::Formula(_) => truth_values(args, "=="),
            Piece::Int { .. } => compare(args, "=="),
            Piece::Bits { .. } => bit_compare(args, "==", Signedness::Unsigned),
        },
        Op::Ite => choose(args),
        Op::Le => compare(args, "<="),
        Op::Lt => compare(args, "<"),
        Op::Neg => calculate(args, "-"),
        Op::Add => calculate(args, "+"),
        Op::Sub => calculate(args, "-"),
        Op::Mul => calculate(args, "*"),
        Op::Mod => remainder(args),
        Op::IntDiv => quotient(args),
        _ => bits(store, term, args),
    }
}

fn constant(value: &Value) -> Option<Piece> {
    match value {
        Value::Bool(truth) => Some(Piece::Formula(Formula::Constant(*truth))),
        Value::Int(number) => Some(integer(number.clone())),
        Value::BitVec(bits) => {
            let width = bits.width();
            let text = cast(unsigned_type(width)?, &integer_constant(&BigInt::from(bits.unsigned().clone())));
            let signed = has_type(width).then(|| integer_constant(&bits.signed()));
            Some(Piece::Bits { text, signed, width })
        }
        Value::Real(_) | Value::Float(_) | Value::Array(_) => None,
    }
}

fn integer(number: BigInt) -> Piece {
    let class = class_of(&number, &number).unwrap_or(Class::Other);
    let text = integer_constant(&number);
    let text = if number.is_negative() && !text.starts_with('(') { format!("({text})") } else { text };
    Piece::Int { text, class, low: number.clone(), high: number }
}

fn variable(named: Named, sort: Sort) -> Option<Piece> {
    let Named { text, integer } = named;
    match sort {
        Sort::Int => {
            let class = match (integer.width, integer.is_signed) {
                (..=31, _) | (32, true) => Class::Int,
                _ => Class::Other,
            };
            Some(Piece::Int { text, class, low: integer.min(), high: integer.max() })
        }
        Sort::BitVec(width) => {
            let width = width.get();
            let ty = unsigned_type(width)?;
            let is_exact = integer.width == width;
            if !is_exact {
                return None;
            }
            let signed = integer.is_signed.then(|| text.clone());
            let unsigned = match has_type(width) || !integer.is_signed {
                true => cast(ty, &text),
                false => mask(&cast(ty, &text), width)?,
            };
            Some(Piece::Bits { text: unsigned, signed, width })
        }
        _ => None,
    }
}

fn formula(piece: &Piece) -> Option<Formula> {
    match piece {
        Piece::Formula(formula) => Some(formula.clone()),
        Piece::Int { .. } | Piece::Bits { .. } => None,
    }
}

fn negate(formula: Formula) -> Formula {
    match formula {
        Formula::Constant(truth) => Formula::Constant(!truth),
        Formula::Text(text) => Formula::Text(format!("!{}", atom(&text))),
    }
}

/// `&&` and `||`; a part that is `absorbing` decides everything.
fn join(args: &[Piece], op: &str, absorbing: bool) -> Option<Piece> {
    let mut texts = Vec::new();
    for arg in args {
        match formula(arg)? {
            Formula::Constant(truth) if truth == absorbing => {
                return Some(Piece::Formula(Formula::Constant(absorbing)));
            }
            Formula::Constant(_) => {}
            Formula::Text(text) => texts.push(atom(&text)),
        }
    }
    Some(Piece::Formula(match texts.len() {
        0 => Formula::Constant(!absorbing),
        1 => Formula::Text(texts.remove(0)),
        _ => Formula::Text(texts.join(&format!(" {op} "))),
    }))
}

fn truth_values(args: &[Piece], op: &str) -> Option<Piece> {
    let text = |piece: &Piece| {
        Some(match formula(piece)? {
            Formula::Constant(truth) => u8::from(truth).to_string(),
            Formula::Text(text) => format!("!!{}", atom(&text)),
        })
    };
    let [left, right] = args else { return None };
    Some(Piece::Formula(Formula::Text(format!("{} {op} {}", text(left)?, text(right)?))))
}

fn choose(args: &[Piece]) -> Option<Piece> {
    let [condition, then, otherwise] = args else { return None };
    let condition = match formula(condition)? {
        Formula::Constant(true) => return Some(then.clone()),
        Formula::Constant(false) => return Some(otherwise.clone()),
        Formula::Text(text) => atom(&text),
    };
    match (then, otherwise) {
        (Piece::Int { low, high, .. }, Piece::Int { low: other_low, high: other_high, .. }) => {
            let (low, high) = (low.min(other_low).clone(), high.max(other_high).clone());
            let class = common_class(args[1..].iter())?.max(class_of(&low, &high)?);
            let text = format!("{condition} ? {} : {}", in_class(then, class)?, in_class(otherwise, class)?);
            Some(Piece::Int { text, class, low, high })
        }
        (Piece::Bits { text: then, width, .. }, Piece::Bits { text: otherwise, .. }) => {
            let text = format!("{condition} ? {} : {}", atom(then), atom(otherwise));
            Some(Piece::Bits { text, signed: None, width: *width })
        }
        (Piece::Formula(then), Piece::Formula(otherwise)) => {
            let text = |formula: &Formula| match formula {
                Formula::Constant(truth) => u8::from(*truth).to_string(),
                Formula::Text(text) => atom(text),
            };
            Some(Piece::Formula(Formula::Text(format!("{condition} ? {} : {}", text(then), text(otherwise)))))
        }
        _ => None,
    }
}

/// The smallest type that the values of all pieces can be brought to without a change.
fn common_class<'p>(pieces: impl Iterator<Item = &'p Piece>) -> Option<Class> {
    let mut common = Class::Int;
    for piece in pieces {
        let Piece::Int { class, low, high, .. } = piece else { return None };
        let needed = class_of(low, high)?;
        common =
            common.max(if *class == Class::Other { needed.max(Class::LongLong) } else { needed.max(*class) });
    }
    Some(common)
}

/// The smallest type with all numbers of a range.
fn class_of(low: &BigInt, high: &BigInt) -> Option<Class> {
    let fits = |width| {
        let integer = Integer::signed(width);
        integer.min() <= *low && *high <= integer.max()
    };
    [(32, Class::Int), (64, Class::LongLong), (128, Class::Int128)]
        .into_iter()
        .find_map(|(width, class)| fits(width).then_some(class))
}

/// An integer as an operand of a calculation in a type.
fn in_class(piece: &Piece, class: Class) -> Option<String> {
    let Piece::Int { text, class: own, .. } = piece else { return None };
    Some(match class {
        _ if *own == class => atom(text),
        Class::LongLong => cast("long long", text),
        Class::Int128 => cast("__int128", text),
        Class::Int | Class::Other => return None,
    })
}

/// Sums, differences, products and negatives.
fn calculate(args: &[Piece], op: &str) -> Option<Piece> {
    let ranges: Vec<(&BigInt, &BigInt)> = args
        .iter()
        .map(|arg| match arg {
            Piece::Int { low, high, .. } => Some((low, high)),
            Piece::Formula(_) | Piece::Bits { .. } => None,
        })
        .collect::<Option<_>>()?;
    let (first, rest) = ranges.split_first()?;
    let (mut low, mut high) = (first.0.clone(), first.1.clone());
    let mut class = common_class(args.iter())?;
    if rest.is_empty() {
        (low, high) = (-high, -low);
        class = class.max(class_of(&low, &high)?);
        let text = format!("-{}", in_class(&args[0], class)?);
        return Some(Piece::Int { text, class, low, high });
    }
    for (other_low, other_high) in rest {
        (low, high) = match op {
            "+" => (low + *other_low, high + *other_high),
            "-" => (low - *other_high, high - *other_low),
            _ => {
                let corners =
                    [&low * *other_low, &low * *other_high, &high * *other_low, &high * *other_high];
                (corners.iter().min()?.clone(), corners.iter().max()?.clone())
            }
        };
        // Every partial result needs the room.
        class = class.max(class_of(&low, &high)?);
    }
    let texts: Vec<String> = args.iter().map(|arg| in_class(arg, class)).collect::<Option<_>>()?;
    Some(Piece::Int { text: texts.join(&format!(" {op} ")), class, low, high })
}

/// The remainder by a positive constant, which is never negative.
fn remainder(args: &[Piece]) -> Option<Piece> {
    let (text, class, divisor) = divided(args)?;
    let [Piece::Int { low, .. }, _] = args else { return None };
    let high = &divisor - 1;
    let number = in_class(&integer(divisor.clone()), class).or_else(|| Some(integer_constant(&divisor)))?;
    let text = match low.is_negative() {
        false => format!("{text} % {number}"),
        true => format!("({text} % {number} + {number}) % {number}"),
    };
    Some(Piece::Int { text, class, low: BigInt::zero(), high })
}

/// The quotient by a positive constant, rounded down.
fn quotient(args: &[Piece]) -> Option<Piece> {
    let (text, class, divisor) = divided(args)?;
    let [Piece::Int { low, high, .. }, _] = args else { return None };
    let number = in_class(&integer(divisor.clone()), class).or_else(|| Some(integer_constant(&divisor)))?;
    let floor = |number: &BigInt| {
        let rest = ((number % &divisor) + &divisor) % &divisor;
        (number - rest) / &divisor
    };
    let text = match low.is_negative() {
        false => format!("{text} / {number}"),
        true => format!("({text} - ({text} % {number} + {number}) % {number}) / {number}"),
    };
    Some(Piece::Int { text, class, low: floor(low), high: floor(high) })
}

/// A dividend in a type that is large enough for all that happens to it, and the divisor, a positive constant.
fn divided(args: &[Piece]) -> Option<(String, Class, BigInt)> {
    let [dividend @ Piece::Int { low, high, .. }, Piece::Int { low: divisor, high: same, .. }] = args else {
        return None;
    };
    if divisor != same || !divisor.is_positive() {
        return None;
    }
    let twice = divisor * 2;
    let class = class_of(&(low - &twice), &(high + &twice))?.max(common_class([dividend].into_iter())?);
    Some((in_class(dividend, class)?, class, divisor.clone()))
}

fn compare(args: &[Piece], op: &str) -> Option<Piece> {
    let [Piece::Int { low, high, .. }, Piece::Int { low: other_low, high: other_high, .. }] = args else {
        return None;
    };
    let known = match op {
        "<=" if high <= other_low => Some(true),
        "<=" if low > other_high => Some(false),
        "<" if high < other_low => Some(true),
        "<" if low >= other_high => Some(false),
        "==" if high < other_low || other_high < low => Some(false),
        _ => None,
    };
    if let Some(truth) = known {
        return Some(Piece::Formula(Formula::Constant(truth)));
    }
    let class = common_class(args.iter())?;
    let texts: Vec<String> = args.iter().map(|arg| in_class(arg, class)).collect::<Option<_>>()?;
    Some(Piece::Formula(Formula::Text(texts.join(&format!(" {op} ")))))
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Signedness {
    Signed,
    Unsigned,
}

/// Operators on bit-vectors.
fn bits(store: &Store, term: ExprId, args: &[Piece]) -> Option<Piece> {
    let wrapped = |op: &str| {
        let Sort::BitVec(width) = store.sort(term) else { return None };
        let texts: Vec<String> = args.iter().map(|arg| text_of(arg).map(atom)).collect::<Option<_>>()?;
        let text =
            if texts.len() == 1 { format!("{op}{}", texts[0]) } else { texts.join(&format!(" {op} ")) };
        let text = mask(&text, width.get())?;
        Some(Piece::Bits { text, signed: None, width: width.get() })
    };
    match store.op(term) {
        Op::BvNot => wrapped("~"),
        Op::BvNeg => wrapped("-"),
        Op::BvAnd => wrapped("&"),
        Op::BvOr => wrapped("|"),
        Op::BvXor => wrapped("^"),
        Op::BvAdd => wrapped("+"),
        Op::BvSub => wrapped("-"),
        Op::BvMul => wrapped("*"),
        Op::BvUlt => bit_compare(args, "<", Signedness::Unsigned),
        Op::BvUle => bit_compare(args, "<=", Signedness::Unsigned),
        Op::BvSlt => bit_compare(args, "<", Signedness::Signed),
        Op::BvSle => bit_compare(args, "<=", Signedness::Signed),
        Op::Extract(low) => {
            let ([Piece::Bits { text, .. }], Sort::BitVec(width)) = (args, store.sort(term)) else {
                return None;
            };
            let shifted = if low == 0 { text.clone() } else { format!("{} >> {low}", atom(text)) };
            let text = mask(&cast(unsigned_type(width.get())?, &atom(&shifted)), width.get())?;
            Some(Piece::Bits { text, signed: None, width: width.get() })
        }
        Op::ZeroExtend => {
            let ([Piece::Bits { text, .. }], Sort::BitVec(width)) = (args, store.sort(term)) else {
                return None;
            };
            let text = cast(unsigned_type(width.get())?, text);
            Some(Piece::Bits { text, signed: None, width: width.get() })
        }
        Op::SignExtend => {
            let ([piece], Sort::BitVec(width)) = (args, store.sort(term)) else { return None };
            let signed = signed_text(piece)?;
            let text = mask(&cast(unsigned_type(width.get())?, &signed), width.get())?;
            let signed = has_type(width.get()).then_some(signed);
            Some(Piece::Bits { text, signed, width: width.get() })
        }
        _ => None,
    }
}

fn bit_compare(args: &[Piece], op: &str, signedness: Signedness) -> Option<Piece> {
    let signed: Option<Vec<String>> = args
        .iter()
        .map(|arg| match arg {
            Piece::Bits { signed, .. } => signed.clone(),
            Piece::Formula(_) | Piece::Int { .. } => None,
        })
        .collect();
    let texts = match (signedness, op, signed) {
        (Signedness::Signed, _, _) => args.iter().map(signed_text).collect::<Option<Vec<_>>>()?,
        (Signedness::Unsigned, "==", Some(signed)) => signed,
        (Signedness::Unsigned, ..) => {
            args.iter().map(|arg| text_of(arg).map(str::to_owned)).collect::<Option<Vec<_>>>()?
        }
    };
    let [left, right] = texts.as_slice() else { return None };
    Some(Piece::Formula(Formula::Text(format!("{} {op} {}", atom(left), atom(right)))))
}

/// A bit-vector as a signed number.
fn signed_text(piece: &Piece) -> Option<String> {
    let Piece::Bits { text, signed, width } = piece else { return None };
    if let Some(signed) = signed {
        return Some(signed.clone());
    }
    let (ty, size) = match width {
        ..=32 => ("int", 32),
        33..=64 => ("long long", 64),
        65..=128 => ("__int128", 128),
        _ => return None,
    };
    Some(match size - width {
        0 => cast(ty, text),
        missing => format!("{} >> {missing}", cast(ty, &format!("{} << {missing}", atom(text)))),
    })
}

/// The smallest unsigned type with enough bits.
fn unsigned_type(width: u32) -> Option<&'static str> {
    match width {
        ..=32 => Some("unsigned int"),
        33..=64 => Some("unsigned long long"),
        65..=128 => Some("unsigned __int128"),
        _ => None,
    }
}

/// Whether [`unsigned_type`] has exactly this many bits.
fn has_type(width: u32) -> bool {
    matches!(width, 32 | 64 | 128)
}

/// The low bits of an expression of unsigned type.
fn mask(text: &str, width: u32) -> Option<String> {
    unsigned_type(width)?;
    if has_type(width) {
        return Some(text.to_owned());
    }
    let ones = (BigInt::from(1) << width) - 1;
    let suffix = if width < 32 { "u" } else { "ULL" };
    (width <= 64).then(|| format!("{} & {ones}{suffix}", atom(text)))
}

fn cast(ty: &str, text: &str) -> String {
    format!("({ty}){}", atom(text))
}

/// An expression that can be an operand of anything.
fn atom(text: &str) -> String {
    let is_word = text.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_' || letter == '.');
    if is_word || is_enclosed(text) { text.to_owned() } else { format!("({text})") }
}

/// Whether the first parenthesis is closed by the last character.
fn is_enclosed(text: &str) -> bool {
    let mut depth = 0usize;
    for (position, letter) in text.char_indices() {
        match letter {
            '(' => depth += 1,
            ')' => {
                depth = depth.saturating_sub(1);
                if depth == 0 && position + 1 < text.len() {
                    return false;
                }
            }
            _ if depth == 0 => return false,
            _ => {}
        }
    }
    !text.is_empty() && depth == 0
}
