//! Where the members of structures and unions are, as gcc places them.
//!
//! Ordinary members start at the next multiple of their alignment. A bit-field starts at the next free bit, unless it
//! would then touch more units of its type's alignment than its type has; in that case it starts at the next such unit.
//! A width of zero moves to the next unit. `#pragma pack` lowers all of these alignments and keeps bit-fields
//! where they are. Named bit-fields give the record the alignment of their type, on some machines nameless ones too. In packed
//! records the alignment of members is 1 and bit-fields are not moved.
//!
//! This is the rule of the System V ABI as gcc implements it (`PCC_BITFIELD_TYPE_MATTERS`, `excess_unit_span`).

use crate::hir::{BitField, Field, RecordKind, TypeId};

/// A member before it has its place.
#[derive(Clone, Debug)]
pub(super) struct Member {
    /// Its name; nameless structures and unions are kept without, nameless bit-fields only take room.
    pub(super) name: Option<String>,
    pub(super) ty: TypeId,
    /// The size of its type in bytes; zero for flexible arrays.
    pub(super) size: u64,
    /// The alignment of its type in bytes, at least 1.
    pub(super) type_align: u64,
    /// What attributes ask for.
    pub(super) min_align: Option<u64>,
    /// What `#pragma pack` allows.
    pub(super) max_align: Option<u64>,
    pub(super) is_packed: bool,
    /// The width of a bit-field.
    pub(super) width: Option<u32>,
    /// Whether a bit-field gives its alignment to the record.
    pub(super) aligns_record: bool,
}

/// The places of all members.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    pub(super) fields: Vec<Field>,
    pub(super) size: u64,
    pub(super) align: u64,
}

/// Places the members; `None` if the record is too large to have addresses.
pub(super) fn lay_out(kind: RecordKind, members: Vec<Member>, min_align: Option<u64>) -> Option<Layout> {
    let mut align = min_align.unwrap_or(1);
    let mut fields = Vec::new();
    let mut next_bit = 0_u64;
    let mut num_bits = 0_u64;
    for member in members {
        let start = if kind == RecordKind::Union { 0 } else { next_bit };
        let place = place(&member, start)?;
        next_bit = place.end;
        num_bits = num_bits.max(place.end);
        align = align.max(place.record_align);
        if member.width.is_none() || member.name.is_some() {
            fields.push(field(member, place.start));
        }
    }
    let size = num_bits.div_ceil(8).checked_next_multiple_of(align)?;
    // Sizes in bits have to fit as well.
    size.checked_mul(16)?;
    Some(Layout { fields, size, align })
}

struct Place {
    start: u64,
    end: u64,
    record_align: u64,
}

fn place(member: &Member, next_bit: u64) -> Option<Place> {
    let own_align = if member.is_packed { 1 } else { member.type_align };
    let limit = member.max_align.unwrap_or(u64::MAX);
    let align = own_align.max(member.min_align.unwrap_or(1)).min(limit);
    let Some(width) = member.width else {
        let start = next_bit.checked_next_multiple_of(8 * align)?;
        let end = start.checked_add(member.size.checked_mul(8)?)?;
        return Some(Place { start, end, record_align: align });
    };
    if width == 0 {
        let start = next_bit.checked_next_multiple_of(8 * member.type_align.min(limit))?;
        let record_align = if member.aligns_record { member.type_align.min(limit) } else { 1 };
        return Some(Place { start, end: start, record_align });
    }
    let mut start = next_bit;
    if let Some(min_align) = member.min_align {
        start = start.checked_next_multiple_of(8 * min_align.min(limit))?;
    }
    let unit = 8 * member.type_align.min(limit);
    let num_units = (start % unit + u64::from(width)).div_ceil(unit);
    let stays = member.is_packed || member.max_align.is_some();
    if !stays && num_units > 8 * member.size / unit {
        start = start.checked_next_multiple_of(unit)?;
    }
    // With a limit on alignment, gcc ignores that a bit-field is packed when it aligns the record.
    let bit_field_align = member.max_align.map_or(align, |limit| align.max(member.type_align.min(limit)));
    let record_align = if member.aligns_record { bit_field_align } else { 1 };
    Some(Place { start, end: start.checked_add(u64::from(width))?, record_align })
}

/// The field that starts at a bit. The storage unit of a bit-field has the size of its type and starts at a multiple of its
/// alignment if the bits fit into that, otherwise at the byte of its first bit.
fn field(member: Member, start: u64) -> Field {
    let Member { name, ty, size, type_align, width, .. } = member;
    let Some(width) = width else {
        return Field { name, ty, offset: start / 8, bits: None };
    };
    let unit = start / (8 * type_align) * type_align;
    let fits = start - 8 * unit + u64::from(width) <= 8 * size;
    let offset = if fits { unit } else { start / 8 };
    let bits = BitField { offset: (start - 8 * offset) as u32, width };
    Field { name, ty, offset, bits: Some(bits) }
}
