//! Addresses as numbers.
//!
//! In the model, objects start at multiples of a large power of two, in the order in which they are made. An
//! implementation may choose other addresses, so a proof must not rely on these, while a run with them is a run of the
//! program. A program can observe the following about an address:
//!
//! * which of two is greater. Within one object, the offsets decide. The order of different objects is arbitrary; since
//!   the choices of a run need not be consistent, that is an approximation. Small numbers (the null pointer) and
//!   negative ones (error codes) are not addresses of objects.
//! * whether it is a number that was not made from a pointer, or whether the end of one variable is the start of
//!   another. The answer is arbitrary too. Blocks of memory are not adjacent: allocators keep headers between them.
//! * its low bits, as far as the alignment of all possible objects determines them. Other bits, as in a hash, are a
//!   limit.
//! * its distance from another address. Within an object, the offsets decide; between objects, and beyond them, that is
//!   a limit.
//! * its bytes, where memory is seen as bytes (`address_bytes.rs`).
//!
//! The points-to analysis decides which integers may be addresses. A number from outside may be the address of any
//! object that outside code knows; if it knows none, it is just a number.

use std::collections::BTreeSet;

use num_bigint::BigInt;
use num_traits::One;
use thetis_base::Span;
use thetis_expr::ExprId;

use super::builtin::Builtin;
use super::layout::leaf_paths;
use super::lowering::Lowering;
use super::points_to::{ClassId, ObjectId, ObjectKey};
use super::scalar::{Integer, Scalar, address_width};
use super::stmt::MAX_SCRAMBLED;
use super::storage::Home;
use super::walk::site_of;
use crate::hir::{BinaryOp, CompareOp, DataModel, Expr, ExprKind, Type};

/// Objects have no addresses below this one: the first page is left out, and programs compare with its size.
const FIRST_ADDRESS: u64 = 4097;
/// Objects have no addresses above this one.
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
        if !self.holds_addresses(scalar) {
            return plain;
        }
        let pointers = terms.map(|term| self.arith.convert(scalar, Scalar::Pointer, term).term);
        let is_equality = matches!(op, CompareOp::Eq | CompareOp::Ne);
        if is_equality && self.has_open_order(scalar, sides) {
            self.check_lives(sides, pointers);
        }
        let (is_open, what) = match is_equality {
            true if self.is_foreign(scalar, sides) => {
                (self.are_addresses(pointers), "which number an address is")
            }
            true => (self.may_touch(scalar, sides, pointers), "which objects are side by side"),
            false => (self.is_open_order(scalar, sides, pointers), "the order of objects in memory"),
        };
        if is_open == store.fals() {
            return plain;
        }
        let span = sides[0].span;
        self.approximate_if(is_open, what, span);
        let any = self.arbitrary(Scalar::Bool, span);
        store.ite(is_open, self.arith.is_true(Scalar::Bool, any), plain)
    }

    fn are_addresses(&self, pointers: [ExprId; 2]) -> ExprId {
        let [left, right] = pointers.map(|pointer| self.is_between(pointer, FIRST_ADDRESS));
        self.store().and(left, right)
    }

    fn is_open_order(&self, scalar: Scalar, sides: [&'h Expr; 2], pointers: [ExprId; 2]) -> ExprId {
        let store = self.store();
        if !self.has_open_order(scalar, sides) {
            return store.fals();
        }
        let [left, right] = pointers.map(|pointer| self.arith.object_and_distance(pointer).0);
        store.and(store.ne(left, right), self.are_addresses(pointers))
    }

    /// Whether an integer that may be an address is compared with one that was not made from a pointer.
    fn is_foreign(&self, scalar: Scalar, sides: [&'h Expr; 2]) -> bool {
        let Scalar::Int(integer) = scalar else { return false };
        let [left, right] = sides.map(|side| self.is_address_of(side));
        self.is_wide(integer) && left != right
    }

    /// When one address is the end of a variable and the other one the start of another object.
    fn may_touch(&self, scalar: Scalar, sides: [&'h Expr; 2], pointers: [ExprId; 2]) -> ExprId {
        let store = self.store();
        let classes = sides.map(|side| self.class_of_number(side));
        let ([Some(left), Some(right)], true) = (classes, self.has_open_order(scalar, sides)) else {
            return store.fals();
        };
        let sizes = [left, right].map(|class| self.ends(class));
        if sizes.iter().all(BTreeSet::is_empty) {
            return store.fals();
        }
        let parts = pointers.map(|pointer| self.arith.object_and_distance(pointer));
        let is_at = |side: usize, distance: u64| store.eq(parts[side].1, self.arith.pointer(distance));
        let touches = |end: usize| {
            let ends = sizes[end].iter().map(|size| is_at(end, *size));
            store.and(store.or_all(ends), is_at(1 - end, 0))
        };
        let [left, right] = pointers.map(|pointer| self.is_between(pointer, FIRST_OBJECT));
        store.and_all([store.ne(parts[0].0, parts[1].0), store.or(touches(0), touches(1)), left, right])
    }

    /// Where the variables of a class end, as far as pointers may get there.
    fn ends(&self, class: ClassId) -> BTreeSet<u64> {
        let class = self.points.class(class);
        let types = class.objects.iter().filter_map(|object| self.points.objects[*object].ty);
        let sizes = types.filter_map(|ty| self.program.types.size_of(ty));
        // An object of size zero ends where it starts.
        sizes.filter(|size| *size == 0 || class.is_moved).collect()
    }

    /// Whether a value may be the address of an object of the program.
    fn is_address_of(&self, expr: &'h Expr) -> bool {
        self.class_of_number(expr).is_some_and(|class| self.may_be_address(class))
    }

    /// What a value may point to. An integer that was just read from outside counts as a plain number.
    pub(super) fn class_of_number(&self, expr: &'h Expr) -> Option<ClassId> {
        let is_new = match &number_inside(expr).kind {
            ExprKind::Call(callee, _) => self.builtin_of(callee) == Some(Builtin::Input),
            _ => false,
        };
        self.points.target(self.out.frame, site_of(expr)).filter(|_| !is_new)
    }

    /// Whether two values may be addresses of different objects. Two pointers that can only point to one variable are
    /// not.
    fn has_open_order(&self, scalar: Scalar, sides: [&'h Expr; 2]) -> bool {
        let classes = sides.map(|side| self.class_of_number(side));
        let are_addresses = classes.map(|class| class.is_some_and(|class| self.may_be_address(class)));
        match scalar {
            Scalar::Pointer if classes.contains(&None) => return false,
            Scalar::Int(integer) if !self.is_wide(integer) || are_addresses == [false; 2] => return false,
            _ => {}
        }
        let [Some(left), Some(right)] = classes else { return true };
        left != right || !self.is_one_variable(left)
    }

    fn is_one_variable(&self, class: ClassId) -> bool {
        let class = self.points.class(class);
        !class.is_outside && matches!(class.objects[..], [object] if self.is_one_object(object))
    }

    /// Whether something is the same object all the time: neither a block, nor a large variable that is a new object whenever it is declared.
    fn is_one_object(&self, object: ObjectId) -> bool {
        let object = &self.points.objects[object];
        match self.objects.homes.get(&object.key) {
            _ if matches!(object.key, ObjectKey::Heap(..)) => false,
            Some(Home::Memory { address, .. }) => self.store().is_literal(*address),
            Some(_) => true,
            None if matches!(object.key, ObjectKey::Local(..)) => {
                object.ty.is_some_and(|ty| leaf_paths(&self.program.types, ty, MAX_SCRAMBLED).is_some())
            }
            None => true,
        }
    }

    /// Whether numbers that point to a class are addresses of objects of the program.
    fn may_be_address(&self, class: ClassId) -> bool {
        let class = self.points.class(class);
        !class.objects.is_empty() || !class.functions.is_empty()
    }

    fn is_wide(&self, integer: Integer) -> bool {
        integer.width >= address_width(self.program.types.model())
    }

    fn is_between(&self, pointer: ExprId, least: u64) -> ExprId {
        let below =
            |bound| self.arith.compare(CompareOp::Lt, Scalar::Pointer, pointer, self.arith.pointer(bound));
        self.store().and(self.store().not(below(least)), below(LAST_ADDRESS))
    }

    /// Continues only if the result of an operator does not depend on the choice of addresses.
    pub(super) fn check_number_of(
        &mut self,
        op: BinaryOp,
        left: &'h Expr,
        right: &'h Expr,
        terms: [ExprId; 2],
        span: Span,
    ) {
        let Some(scalar) = self.scalar(left.ty) else { return };
        let classes = [left, right].map(|side| self.class_of_number(side));
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
        if !self.is_wide(integer) {
            return;
        }
        if matches!(op, BinaryOp::Add | BinaryOp::Sub) {
            return self.check_distance(op, integer, terms, span);
        }
        if self.is_alike(op, alignment, integer, terms) {
            return;
        }
        // The right operand of a shift has a type of its own.
        let is_shift = matches!(op, BinaryOp::Shl | BinaryOp::Shr);
        let operands = if is_shift { &terms[..1] } else { &terms };
        let are_addresses: Vec<ExprId> =
            operands.iter().map(|term| self.is_object_address(scalar, *term)).collect();
        self.limit_if(self.store().or_all(are_addresses), span, "the bits of an address matter");
    }

    /// Whether scalars of this kind can be whole addresses.
    pub(super) fn holds_addresses(&self, scalar: Scalar) -> bool {
        match scalar {
            Scalar::Pointer => true,
            Scalar::Int(integer) => self.is_wide(integer),
            Scalar::Bool | Scalar::Float(_) => false,
        }
    }

    /// When a value is an address of an object. Narrow integers and floating-point numbers never are.
    pub(super) fn is_address(&self, scalar: Scalar, value: ExprId) -> ExprId {
        match self.holds_addresses(scalar) {
            true => self.is_object_address(scalar, value),
            false => self.store().fals(),
        }
    }

    fn is_object_address(&self, scalar: Scalar, term: ExprId) -> ExprId {
        self.is_between(self.arith.convert(scalar, Scalar::Pointer, term).term, FIRST_OBJECT)
    }

    /// Continues only if a sum stays near the object whose address it contains, or a difference is between addresses in
    /// the same object.
    fn check_distance(&mut self, op: BinaryOp, integer: Integer, terms: [ExprId; 2], span: Span) {
        let is_near = |term| {
            let most = BigInt::from(FIRST_OBJECT >> 2);
            self.arith.as_literal(integer, term).is_some_and(|number| -&most < number && number < most)
        };
        if is_near(terms[1]) || (op == BinaryOp::Add && is_near(terms[0])) {
            return;
        }
        let store = self.store();
        let scalar = Scalar::Int(integer);
        let result = self.arith.binary(op, scalar, integer, terms[0], terms[1]).term;
        let [left, right, result] = [terms[0], terms[1], result].map(|term| {
            let pointer = self.arith.convert(scalar, Scalar::Pointer, term).term;
            self.arith.object_and_distance(pointer).0
        });
        let [is_left, is_right] = terms.map(|term| self.is_object_address(scalar, term));
        let leaves_left = store.and(is_left, store.ne(left, result));
        let is_far = match op {
            BinaryOp::Add => store.or(leaves_left, store.and(is_right, store.ne(right, result))),
            _ => store.ite(is_right, store.ne(left, right), leaves_left),
        };
        self.limit_if(is_far, span, "the result depends on how far apart objects are in memory");
    }

    /// Continues only if subtracted pointers are not an address and null, nor addresses of different objects.
    pub(super) fn check_difference(&mut self, sides: [&'h Expr; 2], terms: [ExprId; 2], span: Span) {
        let (store, null) = (self.store(), self.arith.pointer(0));
        let [left, right] = terms.map(|pointer| self.is_between(pointer, FIRST_OBJECT));
        let is_far = match terms {
            [_, other] if other == null => left,
            [other, _] if other == null => right,
            _ if self.has_open_order(Scalar::Pointer, sides) => {
                let objects = terms.map(|pointer| self.arith.object_and_distance(pointer).0);
                store.and_all([left, right, store.ne(objects[0], objects[1])])
            }
            _ => return,
        };
        self.limit_if(is_far, span, "the result depends on how far apart objects are in memory");
    }

    /// Continues only if the operand of a unary operator is not an address.
    pub(super) fn check_number_alone(&mut self, operand: &'h Expr, scalar: Scalar, term: ExprId, span: Span) {
        let Scalar::Int(integer) = scalar else { return };
        if self.is_wide(integer) && self.is_address_of(operand) {
            self.limit_if(self.is_object_address(scalar, term), span, "the bits of an address matter");
        }
    }

    /// Whether an operator gives the same result for all addresses with an alignment.
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
        objects.min().filter(|_| class.functions.is_empty()).unwrap_or(1)
    }

    /// The alignment that a pointer has because of its type (C11 6.3.2.3 p7), whatever it points to.
    fn alignment_by_type(&self, pointer: &Expr) -> u64 {
        match self.program.types.get(pointer.ty) {
            Type::Pointer(target) => self.program.types.align_of(*target),
            _ => 1,
        }
    }

    /// Continues only if a number that is truncated or converted to floating point is not an address.
    pub(super) fn check_narrowed(&mut self, inner: &'h Expr, to: Scalar, term: ExprId, span: Span) {
        let Some(Scalar::Int(from)) = self.scalar(inner.ty) else { return };
        let is_cut = match to {
            Scalar::Int(narrow) => narrow.width < from.width && !self.is_wide(narrow),
            Scalar::Float(_) => true,
            _ => false,
        };
        if is_cut && self.is_wide(from) && self.is_address_of(inner) {
            let is_address = self.is_object_address(Scalar::Int(from), term);
            self.limit_if(is_address, span, "an address becomes an integer with fewer bits");
        }
    }
}

/// An integer before its conversions to other integers.
fn number_inside(expr: &Expr) -> &Expr {
    match &expr.kind {
        ExprKind::Convert(inner) => number_inside(inner),
        _ => expr,
    }
}
