//! The choice of an encoding: integers where every operation is plain arithmetic, bit-vectors otherwise.

use std::collections::BTreeSet;

use num_bigint::BigInt;

use super::arith::{Encoding, is_plain_mask};
use super::calls::CallTree;
use super::layout::leaves;
use super::options::Arithmetic;
use super::points_to::PointsTo;
use super::regions::has_bytes;
use super::scalar::Scalar;
use super::walk::{Part, walk_body};
use crate::hir::{BinaryOp, Expr, ExprKind, FunctionId, Program, TypeId, UnaryOp};

/// The encoding for a program.
pub(super) fn encoding(program: &Program, calls: &CallTree, points: &PointsTo, wish: Arithmetic) -> Encoding {
    match wish {
        Arithmetic::Int => Encoding::Int,
        Arithmetic::Bv => Encoding::Bv,
        Arithmetic::Mod => Encoding::Mod,
        Arithmetic::Auto if needs_bits(program, calls, points) => Encoding::Bv,
        Arithmetic::Auto => Encoding::Mod,
    }
}

fn needs_bits(program: &Program, calls: &CallTree, points: &PointsTo) -> bool {
    let functions: BTreeSet<FunctionId> = calls.frames.iter().map(|frame| frame.function).collect();
    let has_bytes = || points.roots().any(|class| has_bytes(points.class(class), points.has_aliasing_types));
    functions.into_iter().any(|function| {
        let body = program.functions[function].body.as_deref().unwrap_or_default();
        walk_body(body).any(|part| matches!(part, Part::Expr(expr) if is_bitwise(program, expr)))
    }) || has_bytes()
}

/// Whether an expression operates on bits, or on floating-point numbers, which convert from and to bit-vectors.
fn is_bitwise(program: &Program, expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Binary(op, left, right) => {
            is_float(program, expr.ty) || !is_plain(program, *op, left, right)
        }
        ExprKind::Update { op, value, place, computation } => {
            is_float(program, *computation) || is_float(program, place.ty) || {
                let is_shift = matches!(op, BinaryOp::Shl | BinaryOp::Shr);
                let is_bits = matches!(op, BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor);
                match constant(program, value) {
                    Some(mask) if is_bits => !is_plain_mask(&mask, width(program, *computation)),
                    Some(_) => false,
                    None => is_shift || is_bits,
                }
            }
        }
        ExprKind::Load(place) => {
            // Reading a whole structure is copying: only its floats matter.
            leaves(&program.types, place.ty).iter().any(|leaf| matches!(leaf.scalar, Scalar::Float(_)))
        }
        _ => is_float(program, expr.ty),
    }
}

fn is_float(program: &Program, ty: TypeId) -> bool {
    matches!(Scalar::of(&program.types, ty), Some(Scalar::Float(_)))
}

fn width(program: &Program, ty: TypeId) -> u32 {
    Scalar::of(&program.types, ty).and_then(Scalar::integer).map_or(64, |integer| integer.width)
}

fn is_plain(program: &Program, op: BinaryOp, left: &Expr, right: &Expr) -> bool {
    match op {
        BinaryOp::Shl | BinaryOp::Shr => constant(program, right).is_some(),
        BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor => {
            let mask = constant(program, right).or_else(|| constant(program, left));
            let are_truth_values = is_truth_value(left) && is_truth_value(right);
            are_truth_values || mask.is_some_and(|mask| is_plain_mask(&mask, width(program, left.ty)))
        }
        BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem => true,
    }
}

fn is_truth_value(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Compare(..) | ExprKind::Not(_) | ExprKind::And(..) | ExprKind::Or(..) => true,
        ExprKind::Convert(inner) => is_truth_value(inner),
        _ => false,
    }
}

/// The value of an integer constant expression of the simple kind.
fn constant(program: &Program, expr: &Expr) -> Option<BigInt> {
    let integer = Scalar::of(&program.types, expr.ty)?.integer()?;
    let number = match &expr.kind {
        ExprKind::Int(number) => number.clone(),
        ExprKind::Convert(inner) => constant(program, inner)?,
        ExprKind::Unary(UnaryOp::Neg, inner) => -constant(program, inner)?,
        ExprKind::Unary(UnaryOp::BitNot, inner) => -constant(program, inner)? - 1,
        _ => return None,
    };
    Some(integer.wrap(&number))
}
