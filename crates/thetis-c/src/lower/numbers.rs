//! Addresses as numbers.
//!
//! In the model, objects start at multiples of a large power of two, in the order in which they are made. An implementation may choose
//! other addresses, so a proof must not rest on these, while a run with them is a run of the program. What can be seen of an address:
//!
//! * which of two is greater. In one object, the offsets tell. The order of different objects is arbitrary; since the choices of a run need not fit
//!   together, that is an approximation. Small numbers (the null pointer) and negative ones (codes of errors) are no addresses of objects.
//! * its low bits, as far as all objects that it may be the address of are aligned. Other bits, a hash or a bucket, are a limit.
//!
//! Which integers may be addresses is what the points-to analysis says. Values from outside are arbitrary numbers anyway.

use num_bigint::BigInt;
use num_traits::One;
use thetis_base::Span;
use thetis_expr::ExprId;

use super::lowering::Lowering;
use super::points_to::{ClassId, ObjectKey};
use super::scalar::{Integer, Scalar, address_width};
use super::walk::site_of;
use crate::hir::{BinaryOp, CompareOp, DataModel, Expr, Type};

/// Objects have no addresses below this one: the first page is left out, and programs compare with its size.
const FIRST_ADDRESS: u64 = 4097;
/// Nor above this one.
const LAST_ADDRESS: u64 = 1 << 62;
/// The least pointer to an object of the program.
const FIRST_OBJECT: u64 = 1 << 32;

impl<'h> Lowering<'h> {
    /// A comparison of values that may be addresses.
    pub(super) fn ordered(
        &mut self,
        op: CompareOp,
        scalar: Scalar,
        sides: [&'h Expr; 2],
        terms: [ExprId; 2],
    ) -> ExprId {
        let store = self.store();
        let plain = self.arith.compare(op, scalar, terms[0], terms[1]);
        if matches!(op, CompareOp::Eq | CompareOp::Ne) || !self.has_open_order(scalar, sides) {
            return plain;
        }
        let pointers = terms.map(|term| self.arith.convert(scalar, Scalar::Pointer, term).term);
        let [left, right] = pointers.map(|pointer| self.arith.object_and_distance(pointer).0);
        let is_open = store.and_all([
            store.ne(left, right),
            self.is_between(pointers[0], FIRST_ADDRESS),
            self.is_between(pointers[1], FIRST_ADDRESS),
        ]);
        if is_open == store.fals() {
            return plain;
        }
        let span = sides[0].span;
        self.approximate_if(is_open, "the order of objects in memory", span);
        let any = self.arbitrary(Scalar::Bool, span);
        store.ite(is_open, self.arith.is_true(Scalar::Bool, any), plain)
    }

    /// Whether two values may be addresses of different objects. Two pointers to nothing but one variable are not.
    fn has_open_order(&self, scalar: Scalar, sides: [&'h Expr; 2]) -> bool {
        let classes = sides.map(|side| self.points.target(self.out.frame, site_of(side)));
        let are_addresses = classes.map(|class| class.is_some_and(|class| self.may_be_address(class)));
        match scalar {
            Scalar::Pointer if classes.contains(&None) => return false,
            Scalar::Int(integer) if !self.is_wide(integer) || are_addresses == [false; 2] => return false,
            Scalar::Bool | Scalar::Float(_) => return false,
            _ => {}
        }
        let [Some(left), Some(right)] = classes else { return true };
        left != right || !self.is_one_variable(left)
    }

    fn is_one_variable(&self, class: ClassId) -> bool {
        let class = self.points.class(class);
        let is_one = |key| !matches!(key, ObjectKey::Heap(..));
        !class.is_outside && matches!(class.objects[..], [object] if is_one(self.points.objects[object].key))
    }

    /// Whether numbers that point to a class are addresses of objects of the program.
    fn may_be_address(&self, class: ClassId) -> bool {
        let class = self.points.class(class);
        let is_empty = class.objects.is_empty() && class.functions.is_empty();
        !class.is_outside && !is_empty
    }

    fn is_wide(&self, integer: Integer) -> bool {
        integer.width >= address_width(self.program.types.model())
    }

    fn is_between(&self, pointer: ExprId, least: u64) -> ExprId {
        let below =
            |bound| self.arith.compare(CompareOp::Lt, Scalar::Pointer, pointer, self.arith.pointer(bound));
        self.store().and(self.store().not(below(least)), below(LAST_ADDRESS))
    }

    /// Goes on only if an operator gives the same with every address that its operands may be.
    pub(super) fn check_number_of(
        &mut self,
        op: BinaryOp,
        left: &'h Expr,
        right: &'h Expr,
        terms: [ExprId; 2],
        span: Span,
    ) {
        let Some(scalar) = self.scalar(left.ty) else { return };
        let classes = [left, right].map(|side| self.points.target(self.out.frame, site_of(side)));
        let Some(pointer) = self.as_pointer(left) else {
            return self.check_number(op, classes[0].or(classes[1]), scalar, terms, span);
        };
        let alignment = match classes[0] {
            Some(class) if !self.points.class(class).is_outside => self.alignment(class),
            _ => self.alignment_by_type(pointer),
        };
        self.check_bits(op, alignment, scalar, terms, span);
    }

    /// The same for operands that may point to a class.
    pub(super) fn check_number(
        &mut self,
        op: BinaryOp,
        class: Option<ClassId>,
        scalar: Scalar,
        terms: [ExprId; 2],
        span: Span,
    ) {
        if let Some(class) = class.filter(|class| self.may_be_address(*class)) {
            self.check_bits(op, self.alignment(class), scalar, terms, span);
        }
    }

    fn check_bits(&mut self, op: BinaryOp, alignment: u64, scalar: Scalar, terms: [ExprId; 2], span: Span) {
        let Scalar::Int(integer) = scalar else { return };
        if !self.is_wide(integer) || self.is_alike(op, alignment, integer, terms) {
            return;
        }
        // The right operand of a shift has a type of its own.
        let is_shift = matches!(op, BinaryOp::Shl | BinaryOp::Shr);
        let operands = if is_shift { &terms[..1] } else { &terms };
        let are_addresses: Vec<ExprId> = operands
            .iter()
            .map(|term| {
                let pointer = self.arith.convert(scalar, Scalar::Pointer, *term).term;
                self.is_between(pointer, FIRST_OBJECT)
            })
            .collect();
        let store = self.store();
        let depends = match (op, &are_addresses[..]) {
            // Links of a list in both directions: one of the addresses gives the other back.
            (BinaryOp::BitXor, [left, right]) => store.ne(*left, *right),
            _ => store.or_all(are_addresses),
        };
        self.limit_if(depends, span, "the bits of an address matter");
    }

    /// Whether an operator does the same with all addresses that have an alignment.
    fn is_alike(&self, op: BinaryOp, alignment: u64, integer: Integer, terms: [ExprId; 2]) -> bool {
        let modulus = BigInt::one() << integer.width;
        let literal =
            |term| self.arith.as_literal(integer, term).map(|number| (number + &modulus) % &modulus);
        let alignment = BigInt::from(alignment);
        let is_alike = |number: BigInt| match op {
            BinaryOp::BitAnd => number < alignment || &modulus - 1 - &number < alignment,
            BinaryOp::BitOr | BinaryOp::BitXor => number < alignment,
            _ => false,
        };
        match op {
            BinaryOp::Add | BinaryOp::Sub => true,
            BinaryOp::Rem => literal(terms[1])
                .is_some_and(|right| right > BigInt::ZERO && (&alignment % &right) == BigInt::ZERO),
            _ => terms.iter().any(|term| literal(*term).is_some_and(is_alike)),
        }
    }

    /// The alignment that all objects of a class have.
    fn alignment(&self, class: ClassId) -> u64 {
        let types = &self.program.types;
        let of_blocks = if types.model() == DataModel::Lp64 { 16 } else { 8 };
        let class = self.points.class(class);
        let objects = class.objects.iter().map(|object| match self.points.objects[*object].ty {
            Some(ty) => types.align_of(ty),
            None => of_blocks,
        });
        let is_known = class.functions.is_empty() && !class.is_outside;
        objects.min().filter(|_| is_known).unwrap_or(1)
    }

    /// The alignment that a pointer has because of its type (C11 6.3.2.3 p7), whatever it points to.
    fn alignment_by_type(&self, pointer: &Expr) -> u64 {
        match self.program.types.get(pointer.ty) {
            Type::Pointer(target) => self.program.types.align_of(*target),
            _ => 1,
        }
    }

    /// Goes on only if a number that is made narrower is no address.
    pub(super) fn check_narrowed(&mut self, inner: &'h Expr, to: Scalar, term: ExprId, span: Span) {
        let (Some(Scalar::Int(from)), Scalar::Int(narrow)) = (self.scalar(inner.ty), to) else { return };
        let class = self.points.target(self.out.frame, site_of(inner));
        let may_be_cut = narrow.width < from.width && self.is_wide(from) && !self.is_wide(narrow);
        if may_be_cut && class.is_some_and(|class| self.may_be_address(class)) {
            let pointer = self.arith.convert(Scalar::Int(from), Scalar::Pointer, term).term;
            let is_address = self.is_between(pointer, FIRST_OBJECT);
            self.limit_if(is_address, span, "an address becomes an integer with fewer bits");
        }
    }
}
