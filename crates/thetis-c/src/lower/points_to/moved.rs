//! What `memcpy`, `memmove` and `memset` move: whole values of a type, or bytes.

use super::pointed_type;
use crate::hir::{BinaryOp, Expr, ExprKind, Program, Type, TypeId};
use crate::lower::overlay::coincide;

/// What a number of bytes consists of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::lower) enum Moved {
    /// Whole values of a type, with the size of each.
    Values(TypeId, u64),
    /// Bytes of unknown type.
    Bytes,
}

/// What `memcpy(to, from, count)` copies: values of the type of either argument. A pointer to characters may point to any byte, and values of one type
/// may be parts of values of another one.
pub(in crate::lower) fn copied(program: &Program, args: &[Expr]) -> Moved {
    let types = args.iter().take(2).map(|arg| pointed_type(program, arg));
    let is_character =
        |ty| matches!(program.types.get(ty), Type::Int(kind) if kind.size(program.types.model()) == 1);
    if types.clone().any(is_character) {
        return Moved::Bytes;
    }
    let mut known =
        types.clone().filter(|ty| !matches!(program.types.get(*ty), Type::Void | Type::Function(_)));
    if let (Some(to), Some(from)) = (known.next(), known.next())
        && !coincide(&program.types, to, from)
    {
        return Moved::Bytes;
    }
    let known = types.map(|ty| values_of(program, ty, args.get(2))).find(|moved| *moved != Moved::Bytes);
    known.unwrap_or(Moved::Bytes)
}

/// What `memset(to, byte, count)` fills.
pub(in crate::lower) fn filled(program: &Program, args: &[Expr]) -> Moved {
    match args.first() {
        Some(to) => values_of(program, pointed_type(program, to), args.get(2)),
        None => Moved::Bytes,
    }
}

fn values_of(program: &Program, ty: TypeId, count: Option<&Expr>) -> Moved {
    let size = match program.types.get(ty) {
        Type::Void | Type::Function(_) => None,
        _ => program.types.size_of(ty).filter(|size| *size > 1),
    };
    match (size, count) {
        (Some(size), Some(count)) if is_multiple(count, size) => Moved::Values(ty, size),
        _ => Moved::Bytes,
    }
}

/// Whether a number is certainly a multiple of `size`.
fn is_multiple(count: &Expr, size: u64) -> bool {
    match &count.kind {
        ExprKind::Int(number) => (number % size) == num_bigint::BigInt::from(0),
        ExprKind::Convert(inner) => is_multiple(inner, size),
        // A product that wraps around is larger than any object.
        ExprKind::Binary(BinaryOp::Mul, left, right) => is_multiple(left, size) || is_multiple(right, size),
        ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, left, right) => {
            is_multiple(left, size) && is_multiple(right, size)
        }
        _ => false,
    }
}
