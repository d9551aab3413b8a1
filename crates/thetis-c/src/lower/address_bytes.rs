//! Which bytes of memory belong to addresses.
//!
//! Where pointers and other scalars share bytes, a program can see an address byte by byte: through a union, or as
//! characters. The implementation chooses these bytes, while memory has those of the model (`numbers.rs`). So each such
//! byte has a Boolean flag that says whether it belongs to an address of an object:
//!
//! * A write of a pointer, or of an integer that may be one, sets it; every other write clears it.
//! * Copies carry it along: of structures, of blocks, and of single scalars (`*to++ = *from++`).
//! * Any other read of such bytes is a limit, unless it reads a whole address.

use std::collections::BTreeMap;

use thetis_base::Span;
use thetis_expr::{ExprId, VarId};
use thetis_model::cfa::StmtKind;

use super::lowering::Lowering;
use super::origin::{Event, VarOrigin};
use super::points_to::ClassId;
use super::regions::Group;
use super::scalar::Scalar;
use super::spot::Spot;

/// For each array of bytes that may hold addresses, the array of flags.
pub(super) type AddressBytes = BTreeMap<VarId, VarId>;

impl Lowering<'_> {
    /// The array that says which bytes belong to addresses, if such bytes may be read as something else.
    pub(super) fn address_bytes(&mut self, class: ClassId, var: VarId) -> Option<VarId> {
        let region = self.region(class);
        if !region.hides_pointers || region.arrays.get(&Group::Bytes) != Some(&var) {
            return None;
        }
        if let Some(known) = self.objects.address_bytes.get(&var) {
            return Some(*known);
        }
        let store = self.store();
        let sort = store.array_sort(self.arith.sort(Scalar::Pointer), self.arith.sort(Scalar::Bool));
        let name = format!("{}.of-addresses", store.var_name(var));
        let marks = self.objects.storages.declare(store, &name, sort, VarOrigin::Temporary);
        self.objects.address_bytes.insert(var, marks);
        Some(marks)
    }

    /// For each byte of a scalar, whether it belongs to an address; `None` if none can.
    pub(super) fn marks_at(&mut self, spot: Spot, scalar: Scalar, span: Span) -> Vec<ExprId> {
        let Some((marks, addresses)) = self.marked_cells(spot, scalar, span) else { return Vec::new() };
        let store = self.store();
        let mark = |address| self.arith.is_true(Scalar::Bool, store.select(store.var_expr(marks), address));
        addresses.into_iter().map(mark).collect()
    }

    /// Sets for each byte of a scalar whether it belongs to an address from now on.
    pub(super) fn set_marks(&mut self, spot: Spot, scalar: Scalar, marks: &[ExprId], span: Span) {
        let store = self.store();
        let any = store.or_all(marks.iter().copied());
        let Some((var, addresses)) = self.marked_cells(spot, scalar, span) else {
            if !self.holds_addresses(scalar) {
                self.limit_if(any, span, "a part of an address is kept for later");
            }
            return;
        };
        let is_bytewise = marks.len() == addresses.len();
        let mut array = store.var_expr(var);
        for (number, address) in addresses.into_iter().enumerate() {
            let mark = if is_bytewise { marks[number] } else { any };
            array = store.store(array, address, self.arith.truth_value(Scalar::Bool, mark));
        }
        self.out.emit(StmtKind::Assign(var, array), span, Event::Silent);
    }

    /// Marks what is written as the value says.
    pub(super) fn mark_written(&mut self, spot: Spot, scalar: Scalar, value: ExprId, span: Span) {
        if self.marked_cells(spot, scalar, span).is_some() {
            let is_address = self.is_address(scalar, value);
            self.set_marks(spot, scalar, &[is_address], span);
        }
    }

    /// Continues only if the read bytes are not part of an address, or are a whole address.
    pub(super) fn check_marks(&mut self, spot: Spot, scalar: Scalar, value: ExprId, span: Span) {
        let marks = self.marks_at(spot, scalar, span);
        if !marks.is_empty() && scalar != Scalar::Pointer {
            let store = self.store();
            let is_part = store.and(store.or_all(marks), store.not(self.is_address(scalar, value)));
            self.limit_if(is_part, span, "the bytes of an address matter");
        }
    }

    fn marked_cells(&mut self, spot: Spot, scalar: Scalar, span: Span) -> Option<(VarId, Vec<ExprId>)> {
        let Spot::Memory { class, address, key, .. } = spot else { return None };
        if !self.region(class).hides_pointers {
            return None;
        }
        let (var, _) = self.cells(class, scalar, key, span)?;
        let marks = self.address_bytes(class, var)?;
        let num_bytes = u64::from(self.bytes_of(scalar).1 / 8);
        Some((marks, (0..num_bytes).map(|number| self.arith.advance_by(address, number)).collect()))
    }

    /// No byte belongs to an address before the program starts.
    pub(super) fn start_marks(&mut self, span: Span) {
        let store = self.store();
        let none = self.arith.truth_value(Scalar::Bool, store.fals());
        for marks in self.objects.address_bytes.values().copied().collect::<Vec<_>>() {
            let array = store.const_array(self.arith.sort(Scalar::Pointer), none);
            self.out.emit(StmtKind::Assign(marks, array), span, Event::Start);
        }
    }
}
