//! The levels of the expression grammar of the `.cfa` language.

/// How tightly a text binds; operators want operands of at least some level.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Level {
    /// `if c then a else b`; also the level of positions that accept any expression.
    Lowest,
    MinMax,
    Or,
    Xor,
    And,
    Not,
    Equality,
    Relation,
    BitOr,
    BitXor,
    BitAnd,
    Shift,
    Sum,
    Product,
    Concatenation,
    Extension,
    Sign,
    Complement,
    Access,
    Primary,
}
