//! Padding of structures.
//!
//! What is in the padding of a structure after an assignment is unspecified (C11 6.2.6.1 p6). Compilers mostly copy it,
//! so a violation that depends on it may not be real: padding becomes arbitrary, which is an approximation. It matters
//! only where memory is bytes and pointers to structures become pointers to bytes. `memcpy` copies padding like
//! everything else.

use thetis_base::Span;

use super::lowering::Lowering;
use super::origin::Event;
use super::overlay::gaps;
use super::scalar::{Integer, Scalar};
use super::spot::{Form, Spot};
use crate::hir::TypeId;

/// More padding than this is not modelled.
const MAX_GAPS: usize = 256;

impl Lowering<'_> {
    /// A value of a type was assigned: its padding becomes arbitrary.
    pub(super) fn forget_padding(&mut self, to: Spot, ty: TypeId, span: Span) {
        let Spot::Memory { class, address, .. } = to else { return };
        if !self.region(class).has_bytes || !self.points.class(class).shows_padding() {
            return;
        }
        let Some(gaps) = gaps(&self.program.types, ty).filter(|gaps| gaps.len() <= MAX_GAPS) else {
            return self.out.limit(span, "the padding of a large object is copied");
        };
        let scalar = Scalar::Int(Integer::unsigned(8));
        for (byte, bits) in &gaps {
            let address = self.arith.advance_by(address, *byte);
            let at = Spot::Memory { class, address, key: None, reach: None };
            let value = self.arbitrary(scalar, span);
            let form = Form { scalar, bits: Some(*bits).filter(|bits| bits.width < 8) };
            self.write_value(at, form, value, span, Event::Silent);
        }
        if !gaps.is_empty() {
            self.approximate_if(self.store().tru(), "the padding of a structure", span);
        }
    }
}
