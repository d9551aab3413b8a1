//! Reading and writing memory.

use num_bigint::BigInt;
use thetis_base::Span;
use thetis_expr::{ExprId, Value, VarId};
use thetis_model::cfa::StmtKind;

use super::arith::Encoding;
use super::layout::FieldKey;
use super::lowering::Lowering;
use super::origin::{Event, VarOrigin};
use super::points_to::ClassId;
use super::regions::{Cells, Group, Region};
use super::scalar::{Integer, Scalar, address_width};
use crate::hir::{BinaryOp, BitField, FloatKind};

/// Where in memory a scalar is.
#[derive(Clone, Copy)]
pub(super) struct Slot {
    pub(super) class: ClassId,
    pub(super) address: ExprId,
    /// The member of a structure that it is.
    pub(super) key: Option<FieldKey>,
    pub(super) scalar: Scalar,
}

impl Lowering<'_> {
    /// The memory of a class.
    pub(super) fn region(&mut self, class: ClassId) -> &mut Region {
        let (types, points) = (&self.program.types, self.points);
        self.objects.regions.entry(class).or_insert_with(|| Region::of(types, points, class))
    }

    /// The array that a scalar of a class is in, if anything accesses such scalars.
    pub(super) fn cells(
        &mut self,
        class: ClassId,
        scalar: Scalar,
        key: Option<FieldKey>,
        span: Span,
    ) -> Option<(VarId, Cells)> {
        let region = self.region(class);
        let (starts_zero, has_bytes) = (region.starts_zero, region.has_bytes);
        let cells = region.cells(scalar, key)?;
        if has_bytes && scalar == Scalar::Float(FloatKind::LongDouble) {
            self.out.limit(span, "a `long double` is in memory that is also seen as bytes");
        }
        if let Some(var) = self.region(class).arrays.get(&cells.group) {
            return Some((*var, cells));
        }
        let store = self.store();
        let sort = store.array_sort(self.arith.sort(Scalar::Pointer), self.arith.sort(cells.element));
        let name = format!("mem{}.{}", class.index(), self.group_name(cells.group));
        let var = self.objects.storages.declare(store, &name, sort, VarOrigin::Memory(cells.element));
        if !starts_zero {
            self.objects.unranged.insert(var);
        }
        self.region(class).arrays.insert(cells.group, var);
        Some((var, cells))
    }

    fn group_name(&self, group: Group) -> String {
        use super::layout::Kind;
        let Group::Scalars(kind, key) = group else { return "bytes".to_string() };
        if let Some((record, number)) = key {
            let record = self.program.types.record(record);
            let field = record.fields.as_ref().and_then(|fields| fields[number].name.clone());
            return format!("{}.{}", record.tag, field.unwrap_or_default());
        }
        match kind {
            Kind::Bool => "bool".to_string(),
            Kind::Int(size) => format!("int{}", 8 * size),
            Kind::Float(FloatKind::Float) => "float".to_string(),
            Kind::Float(FloatKind::Double) => "double".to_string(),
            Kind::Float(FloatKind::LongDouble) => "long-double".to_string(),
            Kind::Pointer => "pointer".to_string(),
        }
    }

    /// Reads a scalar.
    pub(super) fn load(&mut self, slot: Slot, span: Span) -> ExprId {
        let Slot { class, address, key, scalar } = slot;
        let Some((var, cells)) = self.cells(class, scalar, key, span) else {
            return self.arbitrary(scalar, span);
        };
        if cells.group == Group::Bytes {
            let value = self.load_bytes(var, address, scalar, span);
            return self.observed(var, value, span);
        }
        let element = self.store().select(self.store().var_expr(var), address);
        let element = self.observed(var, element, span);
        if self.objects.unranged.contains(&var) {
            self.assume_range(element, cells.element, span);
        }
        self.arith.convert(cells.element, scalar, element).term
    }

    fn cell(&mut self, var: VarId, address: ExprId, element: Scalar, span: Span) -> ExprId {
        let store = self.store();
        let term = store.select(store.var_expr(var), address);
        if self.objects.unranged.contains(&var) {
            self.assume_range(term, element, span);
        }
        term
    }

    /// Writes a scalar.
    pub(super) fn save(&mut self, slot: Slot, value: ExprId, span: Span, event: Event) {
        let Slot { class, address, key, scalar } = slot;
        let Some((var, cells)) = self.cells(class, scalar, key, span) else { return };
        let store = self.store();
        let array = match cells.group {
            Group::Bytes => self.save_bytes(var, address, scalar, value, span),
            Group::Scalars(..) => {
                let element = self.arith.convert(scalar, cells.element, value).term;
                store.store(store.var_expr(var), address, element)
            }
        };
        self.out.emit(StmtKind::Assign(var, array), span, event);
    }

    fn load_bytes(&mut self, var: VarId, address: ExprId, scalar: Scalar, span: Span) -> ExprId {
        let byte = Scalar::Int(Integer::unsigned(8));
        let (integer, width) = self.bytes_of(scalar);
        let bytes: Vec<ExprId> = (0..width / 8)
            .map(|number| {
                let address = self.arith.advance_by(address, u64::from(number));
                self.cell(var, address, byte, span)
            })
            .collect();
        let store = self.store();
        let bits = match self.arith.encoding {
            Encoding::Bv => bytes.into_iter().rev().reduce(|high, low| store.concat(high, low)),
            Encoding::Int | Encoding::Mod => bytes
                .into_iter()
                .enumerate()
                .map(|(number, byte)| store.mul(byte, store.int(BigInt::from(1) << (8 * number))))
                .reduce(|low, high| store.add(low, high)),
        };
        let bits = bits.expect("a scalar should have a byte");
        match scalar {
            Scalar::Float(kind) if self.arith.encoding == Encoding::Bv => {
                self.arith.float_from_bits(kind, bits)
            }
            Scalar::Float(kind) => self.arith.float_from_bits(kind, store.int_to_bv(bits, width)),
            Scalar::Bool => {
                let low = self.low_bit(bits, width);
                self.arith.truth_value(Scalar::Bool, low)
            }
            Scalar::Pointer => self.arith.convert(Scalar::Int(integer), Scalar::Pointer, bits).term,
            Scalar::Int(_) => self.arith.resize(Integer::unsigned(width), integer, bits),
        }
    }

    fn low_bit(&self, bits: ExprId, width: u32) -> ExprId {
        let one = self.arith.integer(Integer::unsigned(width), &BigInt::from(1));
        let unsigned = Integer::unsigned(width);
        let low = self.arith.binary(BinaryOp::BitAnd, Scalar::Int(unsigned), unsigned, bits, one).term;
        self.store().eq(low, one)
    }

    fn save_bytes(
        &mut self,
        var: VarId,
        address: ExprId,
        scalar: Scalar,
        value: ExprId,
        span: Span,
    ) -> ExprId {
        let (integer, width) = self.bytes_of(scalar);
        let store = self.store();
        let unsigned = Integer::unsigned(width);
        let bits = match scalar {
            Scalar::Float(kind) => self.bits_of_float(kind, width, value, span),
            Scalar::Pointer => {
                let is_hidden = self.arith.loses_address(value);
                self.limit_if(is_hidden, span, "the bytes of a pointer far inside an object are used");
                self.arith.convert(Scalar::Pointer, Scalar::Int(integer), value).term
            }
            _ => self.arith.resize(integer, unsigned, value),
        };
        let mut array = store.var_expr(var);
        for number in 0..width / 8 {
            let byte = match self.arith.encoding {
                Encoding::Bv => store.extract(bits, 8 * number, 8),
                Encoding::Int | Encoding::Mod => {
                    let shifted = store.int_div(bits, store.int(BigInt::from(1) << (8 * number)));
                    store.modulo(shifted, store.int(256))
                }
            };
            array = store.store(array, self.arith.advance_by(address, u64::from(number)), byte);
        }
        array
    }

    /// Any bits that are this float. A NaN has many, and which of them a machine chooses is not modelled.
    fn bits_of_float(&mut self, kind: FloatKind, width: u32, value: ExprId, span: Span) -> ExprId {
        let store = self.store();
        self.approximate_if(store.fp_is_nan(value), "the bits of a NaN", span);
        if let Some(Value::Float(float)) = store.value(value)
            && !float.is_nan()
        {
            let bits = BigInt::from(float.to_bits().unsigned().clone());
            return self.arith.integer(Integer::unsigned(width), &bits);
        }
        let bits = self.arbitrary(Scalar::Int(Integer::unsigned(width)), span);
        let vector = match self.arith.encoding {
            Encoding::Bv => bits,
            Encoding::Int | Encoding::Mod => store.int_to_bv(bits, width),
        };
        let is_value = store.eq(self.arith.float_from_bits(kind, vector), value);
        self.out.emit(StmtKind::Assume(is_value), span, Event::Silent);
        bits
    }

    /// Reads a bit-field: its bits of its storage unit.
    pub(super) fn read_bits(&mut self, slot: Slot, bits: BitField, span: Span) -> ExprId {
        let scalar = slot.scalar;
        let unit = unit_of(scalar, bits);
        let whole = self.load(Slot { scalar: Scalar::Int(unit), ..slot }, span);
        let low = self.unit_operation(BinaryOp::Shr, unit, whole, &BigInt::from(bits.offset));
        let narrow = self.arith.resize(unit, Integer::unsigned(bits.width), low);
        let field = scalar.narrowed(Some(bits)).integer().expect("a bit-field should be an integer");
        let value = self.arith.resize(Integer::unsigned(bits.width), field, narrow);
        self.arith.convert(Scalar::Int(field), scalar, value).term
    }

    /// Writes a bit-field: the other bits of its storage unit stay.
    pub(super) fn write_bits(&mut self, slot: Slot, bits: BitField, value: ExprId, span: Span, event: Event) {
        let unit = unit_of(slot.scalar, bits);
        let whole_unit = Slot { scalar: Scalar::Int(unit), ..slot };
        let whole = self.load(whole_unit, span);
        let mask = ((BigInt::from(1) << bits.width) - 1) << bits.offset;
        let others = self.unit_operation(BinaryOp::BitAnd, unit, whole, &(unit.max() - mask));
        let from = slot.scalar.integer().expect("a bit-field should be an integer");
        let field = self.arith.resize(from, Integer::unsigned(bits.width), value);
        let field = self.arith.resize(Integer::unsigned(bits.width), unit, field);
        let placed = self.unit_operation(BinaryOp::Shl, unit, field, &BigInt::from(bits.offset));
        let sum = self.arith.binary(BinaryOp::Add, Scalar::Int(unit), unit, others, placed).term;
        self.save(whole_unit, sum, span, event);
    }

    /// The integer that bytes are read as, and the number of bits.
    pub(super) fn bytes_of(&self, scalar: Scalar) -> (Integer, u32) {
        let integer = match scalar {
            Scalar::Bool => return (Integer::unsigned(1), 8),
            Scalar::Int(integer) => return (integer, 8 * integer.width.div_ceil(8)),
            Scalar::Float(FloatKind::Float) => Integer::unsigned(32),
            Scalar::Float(_) => Integer::unsigned(64),
            Scalar::Pointer => Integer::unsigned(address_width(self.program.types.model())),
        };
        (integer, integer.width)
    }

    fn unit_operation(&self, op: BinaryOp, unit: Integer, left: ExprId, right: &BigInt) -> ExprId {
        let right = self.arith.integer(unit, right);
        self.arith.binary(op, Scalar::Int(unit), unit, left, right).term
    }
}

/// The unsigned integers that the storage unit of a bit-field is: those of its declared type, or as many bytes as it touches.
fn unit_of(scalar: Scalar, bits: BitField) -> Integer {
    let integer = scalar.integer().expect("a bit-field should be an integer");
    let width = integer.width.max(bits.offset + bits.width);
    Integer::unsigned(8 * width.div_ceil(8))
}
