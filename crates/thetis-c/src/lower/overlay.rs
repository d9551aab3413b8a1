//! Types as views of the same bytes.
//!
//! Two types *clash* if some byte belongs to a scalar in each of them, and the scalars differ in position or kind:
//! through such views a program reads parts of what it wrote with another type. They *coincide* if each byte has the
//! same meaning in both, including padding.

use std::collections::{BTreeMap, BTreeSet};

use super::layout::{Kind, fields};
use super::scalar::Scalar;
use crate::hir::{ArrayLength, BitField, Type, TypeId, Types};

/// A scalar in a type, or a part of one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Piece {
    offset: u64,
    size: u64,
    kind: Kind,
    bits: Option<BitField>,
}

/// Larger types are assumed to clash with others, and not to coincide with them.
const MAX_PIECES: usize = 4096;

/// Whether views of the same bytes as two types see parts of the same scalars differently. Incomplete types never
/// clash.
pub(super) fn clash(types: &Types, left: TypeId, right: TypeId) -> bool {
    let [left, right] = [left, right].map(|ty| element(types, ty));
    if left == right {
        return false;
    }
    match [left, right].map(|ty| pieces(types, ty).map(|pieces| by_byte(&pieces))) {
        [Some(left), Some(right)] => {
            left.iter().any(|(byte, here)| right.get(byte).is_some_and(|there| here != there))
        }
        _ => true,
    }
}

/// Whether sequences of values of two types are the same scalars at the same places.
pub(super) fn coincide(types: &Types, left: TypeId, right: TypeId) -> bool {
    let [left, right] = [left, right].map(|ty| element(types, ty));
    if left == right {
        return true;
    }
    let size = |ty| types.size_of(ty).filter(|size| *size > 0);
    let (Some(left_size), Some(right_size)) = (size(left), size(right)) else { return false };
    let total = left_size.max(right_size);
    let are_whole = total % left_size == 0 && total % right_size == 0;
    let repeated = [left, right].map(|ty| repeat(&pieces(types, ty)?, types.size_of(ty)?, total));
    are_whole && matches!(repeated, [Some(left), Some(right)] if left == right)
}

/// Whether a type has bytes or bits that belong to no scalar.
pub(super) fn has_padding(types: &Types, ty: TypeId) -> bool {
    let ty = element(types, ty);
    let (Some(pieces), Some(size)) = (pieces(types, ty), types.size_of(ty)) else { return true };
    let is_partial = |piece: &Piece| piece.bits.is_some_and(|bits| u64::from(bits.width) < 8 * piece.size);
    pieces.iter().any(is_partial) || (by_byte(&pieces).len() as u64) < size
}

/// The bits that belong to no scalar, byte by byte; `None` if there are too many to tell.
pub(super) fn gaps(types: &Types, ty: TypeId) -> Option<Vec<(u64, BitField)>> {
    let mut covered =
        vec![0_u8; usize::try_from(types.size_of(ty)?).ok().filter(|size| *size <= 16 * MAX_PIECES)?];
    for piece in pieces(types, ty)? {
        let bits = piece.bits.map_or((0, 8 * piece.size), |bits| (bits.offset.into(), bits.width.into()));
        for bit in 8 * piece.offset + bits.0..8 * piece.offset + bits.0 + bits.1 {
            if let Some(byte) = usize::try_from(bit / 8).ok().and_then(|byte| covered.get_mut(byte)) {
                *byte |= 1 << (bit % 8);
            }
        }
    }
    let runs = (0..)
        .zip(covered)
        .flat_map(|(byte, covered)| open_runs(covered).into_iter().map(move |run| (byte, run)));
    Some(runs.collect())
}

/// The runs of zeros in a byte.
fn open_runs(byte: u8) -> Vec<BitField> {
    let mut runs: Vec<BitField> = Vec::new();
    for bit in (0..8).filter(|bit| byte & (1 << bit) == 0) {
        match runs.last_mut().filter(|run| run.offset + run.width == bit) {
            Some(run) => run.width += 1,
            None => runs.push(BitField { offset: bit, width: 1 }),
        }
    }
    runs
}

/// The type of the elements of an array, of whatever dimension.
pub(super) fn element(types: &Types, ty: TypeId) -> TypeId {
    let mut ty = types.plain(ty);
    while let Type::Array(element, _) = types.get(ty) {
        ty = types.plain(*element);
    }
    ty
}

/// The scalars of a type in the order of their declaration. An array at the end whose length is open has one element.
fn pieces(types: &Types, ty: TypeId) -> Option<Vec<Piece>> {
    let mut found = Vec::new();
    let mut pending = vec![(ty, 0, None)];
    while let Some((ty, offset, bits)) = pending.pop() {
        match types.get(ty) {
            Type::Array(_, ArrayLength::Constant(length)) if *length > MAX_PIECES as u64 => return None,
            Type::Array(element, length) => {
                let size = types.size_of(*element)?;
                let length = if let ArrayLength::Constant(length) = length { *length } else { 1 };
                pending.extend((0..length).rev().map(|number| (*element, offset + number * size, None)));
            }
            Type::Record(record) => {
                let members = fields(types, *record).iter().rev();
                pending.extend(members.map(|field| (field.ty, offset + field.offset, field.bits)));
            }
            _ if found.len() == MAX_PIECES => return None,
            _ => {
                let kind = Scalar::of(types, ty).map(Kind::of);
                let piece = |kind| Piece { offset, size: types.size_of(ty).unwrap_or(1), kind, bits };
                found.extend(kind.map(piece));
            }
        }
    }
    Some(found)
}

/// What the scalars are that a byte belongs to.
fn by_byte(pieces: &[Piece]) -> BTreeMap<u64, BTreeSet<(u64, Kind)>> {
    let mut bytes: BTreeMap<u64, BTreeSet<(u64, Kind)>> = BTreeMap::new();
    for piece in pieces {
        for byte in piece.offset..piece.offset + piece.size {
            bytes.entry(byte).or_default().insert((piece.offset, piece.kind));
        }
    }
    bytes
}

/// The scalars of as many values of a type as have `total` bytes.
fn repeat(pieces: &[Piece], size: u64, total: u64) -> Option<Vec<Piece>> {
    if (total / size).checked_mul(pieces.len() as u64)? > MAX_PIECES as u64 {
        return None;
    }
    let starts = (0..total / size).map(|number| number * size);
    let moved = |start| move |piece: &Piece| Piece { offset: piece.offset + start, ..*piece };
    Some(starts.flat_map(|start| pieces.iter().map(moved(start))).collect())
}

/// Whether a value of a type is nothing but scalars of a kind.
pub(super) fn is_made_of(types: &Types, ty: TypeId, kind: Kind) -> bool {
    pieces(types, element(types, ty)).is_some_and(|pieces| pieces.iter().all(|piece| piece.kind == kind))
}

/// Whether a value of a type starts with a scalar of a kind, and with no other one.
pub(super) fn starts_with(types: &Types, ty: TypeId, kind: Kind) -> bool {
    let Some(pieces) = pieces(types, element(types, ty)) else { return false };
    let mut first = pieces.iter().filter(|piece| piece.offset == 0).peekable();
    first.peek().is_some() && first.all(|piece| piece.kind == kind)
}
