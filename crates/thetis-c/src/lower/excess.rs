//! Allocations that cannot succeed.
//!
//! No object has more than `PTRDIFF_MAX` bytes: for such a number `malloc` and its relatives return the null pointer, and `calloc` also
//! if the product of its arguments is greater. That is certain, so the assumption that allocation never fails does not cover it. A
//! number of bytes is signed ([`Lowering::byte_count`]), which makes those that are too large negative.
//!
//! Programs come to such numbers by negative lengths. If memory is not what is asked about, only constant numbers are looked at, since
//! the others would make every block of variable size one that may be missing.

use num_bigint::BigInt;
use thetis_base::Span;
use thetis_expr::ExprId;
use thetis_model::cfa::StmtKind;

use super::lowering::Lowering;
use super::options::Externals;
use super::origin::{Event, VarOrigin};
use super::points_to::{ERRNO, ObjectKey};
use super::scalar::{Integer, Scalar, address_width};
use crate::hir::CompareOp;

/// The error number that says that there is not enough memory.
const ENOMEM: i32 = 12;

/// A signed number of bytes.
const BYTES: Integer = Integer::signed(64);

impl<'h> Lowering<'h> {
    /// That no object has this many bytes.
    pub(super) fn is_excessive(&self, size: ExprId) -> ExprId {
        self.arith.compare(CompareOp::Lt, Scalar::Int(BYTES), size, self.byte_literal(BigInt::from(0)))
    }

    /// That no object has `number * size` bytes. Of a product without a constant only the factors are looked at.
    pub(super) fn is_excessive_product(&self, number: ExprId, size: ExprId) -> ExprId {
        let store = self.store();
        let zero = self.byte_literal(BigInt::from(0));
        let some = store.and(store.ne(number, zero), store.ne(size, zero));
        let is_large = store.or(self.is_excessive(number), self.is_excessive(size));
        let greatest = Integer::signed(address_width(self.arith.model)).max();
        let is_beyond = |factor: ExprId, constant: ExprId| match self.arith.as_literal(BYTES, constant) {
            Some(constant) if constant > BigInt::from(0) => {
                let most = self.byte_literal(&greatest / constant);
                self.arith.compare(CompareOp::Gt, Scalar::Int(BYTES), factor, most)
            }
            _ => store.fals(),
        };
        store.or_all([store.and(some, is_large), is_beyond(number, size), is_beyond(size, number)])
    }

    /// The address of a block, or null where its size is excessive.
    pub(super) fn unless_excessive(
        &mut self,
        is_excessive: ExprId,
        span: Span,
        allocate: impl FnOnce(&mut Self) -> ExprId,
    ) -> ExprId {
        let store = self.store();
        let is_certain = is_excessive == store.tru();
        let is_possible = is_excessive != store.fals() && (is_certain || self.checks_memory());
        if !is_possible || self.options.externals == Externals::Svcomp {
            return allocate(self);
        }
        let null = self.arith.pointer(0);
        let result = self.auxiliary("allocated", self.arith.sort(Scalar::Pointer), VarOrigin::Temporary);
        let (fails, succeeds, after) =
            (self.out.location(span), self.out.location(span), self.out.location(span));
        self.select(is_excessive, fails, succeeds, span);
        self.out.graph.continue_at(fails);
        self.set_errno(ENOMEM, span);
        self.out.emit(StmtKind::Assign(result, null), span, Event::Silent);
        self.out.go(after);
        self.out.graph.continue_at(succeeds);
        let block = allocate(self);
        self.out.emit(StmtKind::Assign(result, block), span, Event::Silent);
        self.out.go(after);
        self.out.graph.continue_at(after);
        store.var_expr(result)
    }

    fn set_errno(&mut self, number: i32, span: Span) {
        let globals = &self.program.globals;
        let Some(errno) = self.calls.globals.iter().find(|global| globals[**global].name == ERRNO) else {
            return;
        };
        let integer = Integer::signed(32);
        let spot = self.spot_of(ObjectKey::Global(*errno), globals[*errno].ty);
        let number = self.arith.integer(integer, &BigInt::from(number));
        self.write(spot, Scalar::Int(integer), number, span, Event::Silent);
    }

    fn byte_literal(&self, bytes: BigInt) -> ExprId {
        self.arith.integer(BYTES, &bytes)
    }
}
