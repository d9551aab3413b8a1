//! Initialisers that later ones replace.
//!
//! A designator can lead to a part that already has a value. The last value counts (C11 6.7.9 p19): a list in braces
//! replaces the whole part, so what it does not name is zero, and a member of a union replaces the other members. It is
//! unspecified whether a replaced value is evaluated, so one with side effects is a limit. If an object was initialised
//! as a whole and a part of it is then initialised again, compilers differ about the rest; this is a limit too.

use super::Checker;
use super::init::Cursor;
use super::literal::unsupported;
use crate::hir::{Expr, ExprKind, Part, RecordKind, Step, Type};
use crate::lower::has_effects;

impl Checker<'_, '_> {
    /// Drops earlier values of the part at the cursor.
    pub(super) fn make_room(&self, cursor: &mut Cursor, parts: &mut Vec<Part>) {
        let path = cursor.path();
        if self.goes_on(cursor, &path) {
            cursor.furthest = path;
            return;
        }
        for part in parts.iter_mut().filter(|part| path.starts_with(&part.path) && path != part.path) {
            part.value = unsupported("a part gets a value after the whole", part.value.ty, part.value.span);
        }
        replace(parts, |part| {
            part.path.starts_with(&path) || self.is_other_member(cursor, &path, &part.path)
        });
        let paths = parts.iter().map(|part| &part.path).filter(|other| other.starts_with(&cursor.prefix));
        cursor.furthest = paths.chain([&path]).max().cloned().unwrap_or_default();
    }

    /// Whether a part lies after all parts that have values, as it does without designators.
    fn goes_on(&self, cursor: &Cursor, path: &[Step]) -> bool {
        let furthest = cursor.furthest.as_slice();
        let depth = common_length(path, furthest);
        let is_beside = depth < furthest.len() && depth < path.len();
        furthest.is_empty() || (is_beside && path > furthest && !self.is_in_union(cursor, depth))
    }

    /// Whether two paths diverge in a union.
    fn is_other_member(&self, cursor: &Cursor, path: &[Step], other: &[Step]) -> bool {
        let depth = common_length(path, other);
        depth < other.len() && self.is_in_union(cursor, depth)
    }

    /// Whether the step to the cursor at this depth is one into a union. Those outside the list at hand lead to all its parts.
    fn is_in_union(&self, cursor: &Cursor, depth: usize) -> bool {
        let owner = depth.checked_sub(cursor.prefix.len()).and_then(|level| cursor.open.get(level));
        owner.is_some_and(|owner| match self.types.get(owner.ty) {
            Type::Record(record) => self.types.record(*record).kind == RecordKind::Union,
            _ => false,
        })
    }
}

/// Drops parts, which must have no side effects.
pub(super) fn replace(parts: &mut Vec<Part>, is_replaced: impl Fn(&Part) -> bool) {
    for part in parts.iter_mut().filter(|part| is_replaced(part)) {
        forbid_effects(part, "whether a value that is replaced is computed");
    }
    parts.retain(|part| is_limit(&part.value) || !is_replaced(part));
}

/// A value with effects becomes a limit.
pub(super) fn forbid_effects(part: &mut Part, reason: &str) {
    if has_effects(crate::lower::Part::Expr(&part.value)) {
        part.value = unsupported(reason, part.value.ty, part.value.span);
    }
}

fn is_limit(value: &Expr) -> bool {
    matches!(value.kind, ExprKind::Unsupported(_))
}

fn common_length(left: &[Step], right: &[Step]) -> usize {
    left.iter().zip(right).take_while(|(left, right)| left == right).count()
}
