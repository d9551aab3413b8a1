//! What code outside the program can get at.
//!
//! A pointer that comes from outside (the result of a function without a body, an input, an integer that is converted to a
//! pointer, the arguments of `main`) may point to objects that the program does not know, and to every object that was
//! handed out. All of them are one class, and what is stored in them leads back to it. An object is handed out if a pointer to it
//! becomes an argument of a function without a body, is stored in an object that was handed out, or is compared with a pointer from
//! outside (only then can the program tell that they are equal).

use std::collections::BTreeSet;

use num_bigint::BigInt;
use num_traits::Signed as _;
use thetis_base::Span;

use super::constraints::{Walk, Where};
use super::{ClassId, ObjectId, ObjectKey, PointsTo};
use crate::hir::{Expr, ExprKind, FunctionId, GlobalId, Type, TypeId, Types};
use crate::lower::builtin::{is_name_of_program, is_variable_of_library};
use crate::lower::layout::{Kind, leaves};
use crate::lower::options::Externals;
use crate::lower::origin::FrameId;
use crate::lower::scalar::Scalar;
use crate::lower::walk::{addressed_global, site_of, walk_body, walk_initializers};

/// The variable of the models that stands for `errno`.
pub(in crate::lower) const ERRNO: &str = "__thetis_errno";

/// Integers below this are no addresses of objects, on any machine that C programs are written for.
const FIRST_ADDRESS: i64 = 4096;

impl PointsTo {
    /// The class of what is outside, if the program has anything to do with it.
    pub(in crate::lower) fn outside(&self) -> Option<ClassId> {
        self.outside.map(|class| self.root(class))
    }

    /// The objects that pointers from outside may point to, and whether that is only since they are compared with such pointers.
    pub(in crate::lower) fn outside_objects(&self) -> impl Iterator<Item = (ObjectKey, bool)> {
        let objects = self.outside().into_iter().flat_map(|class| self.class(class).objects.iter());
        objects.map(|object| (self.objects[*object].key, !self.handed_out.contains(object)))
    }

    /// The functions that code outside the program may call.
    pub(in crate::lower) fn callbacks(&self) -> BTreeSet<FunctionId> {
        self.outside().map(|class| self.class(class).functions.clone()).unwrap_or_default()
    }

    /// The global variables that code outside the program may change, although no pointer leads to them.
    pub(in crate::lower) fn named(&self) -> &[GlobalId] {
        &self.named
    }

    fn make_outside(&mut self) -> ClassId {
        if let Some(class) = self.outside {
            return self.find(class);
        }
        let class = self.fresh();
        self.classes[class].is_outside = true;
        self.outside = Some(class);
        class
    }

    fn is_outside(&self, class: ClassId) -> bool {
        self.class(class).is_outside
    }
}

impl<'h> Walk<'h> {
    /// The class of what is outside.
    pub(super) fn outside(&mut self) -> ClassId {
        self.result.make_outside()
    }

    /// Hands what a class contains out to code outside the program.
    pub(super) fn hand_out(&mut self, class: ClassId) {
        let outside = self.outside();
        self.result.join(outside, class);
    }

    /// What the pointers in an object of type `ty` lead to comes from outside, or gets there.
    pub(super) fn open(&mut self, at: Where, ty: TypeId) {
        for leaf in leaves(&self.program.types, ty) {
            if leaf.scalar == Scalar::Pointer {
                let pointee = self.result.pointee(at.class, leaf.key.or(at.key));
                self.hand_out(pointee);
            }
        }
    }

    /// Arguments of a function that is not part of the program.
    pub(super) fn hand_out_arguments(&mut self, args: &'h [Expr]) {
        for arg in args {
            if self.is_record(arg.ty) {
                let at = self.record(arg);
                self.open(at, arg.ty);
            } else if let Some(class) = self.value(arg)
                && self.carries(arg.ty)
            {
                self.hand_out(class);
            }
        }
        if args.iter().any(|arg| may_list_arguments(&self.program.types, arg.ty)) {
            self.hand_out_variable_arguments();
        }
    }

    /// A list of variable arguments leads to those of all pending calls.
    fn hand_out_variable_arguments(&mut self) {
        for extra in self.calls.extra_arguments(self.program, self.frame) {
            let at = self.variable(ObjectKey::Local(extra.frame, extra.param));
            self.open(at, extra.ty);
        }
    }

    /// The class of a pointer that comes from outside.
    pub(super) fn pointer_from_outside(&mut self) -> ClassId {
        self.gets_pointers = true;
        self.outside()
    }

    /// The functions that a call of a function outside the program may call.
    pub(super) fn open_callbacks(&mut self, call: &'h Expr) {
        let (frame, site) = (self.frame, site_of(call));
        let callbacks = self.calls.callbacks.iter();
        let frames: Vec<FrameId> = callbacks
            .filter_map(|function| self.calls.callees.get(&(frame, site, *function)).copied())
            .collect();
        frames.into_iter().for_each(|callback| self.open_callback(callback));
    }

    /// The parameters and the result of a function that is called from outside.
    fn open_callback(&mut self, frame: FrameId) {
        let function = &self.program.functions[self.calls.frames[frame].function];
        for param in &function.params {
            let at = self.variable(ObjectKey::Local(frame, *param));
            self.open(at, function.locals[*param].ty);
        }
        let result = self.variable(ObjectKey::Result(frame));
        self.open(result, function.ty.result);
    }

    /// A conversion of an integer to a pointer: small constants point nowhere, others anywhere outside.
    pub(super) fn pointer_from_integer(&mut self, operand: &'h Expr) -> Option<ClassId> {
        let known = self.value(operand);
        if is_no_address(operand) {
            return known;
        }
        let outside = self.pointer_from_outside();
        if let Some(known) = known {
            self.result.join(outside, known);
        }
        Some(outside)
    }

    /// The global variables whose names code outside the program can use.
    fn named_globals(&self) -> Vec<GlobalId> {
        let (is_sound, has_parts) = (self.externals == Externals::Sound, self.calls.has_other_parts);
        let is_named = |global: &&GlobalId| {
            let info = &self.program.globals[**global];
            let is_used = has_parts || (self.calls.has_externals && is_variable_of_library(&info.name));
            !info.is_defined || (is_sound && is_used && info.has_external_linkage)
        };
        self.calls.globals.iter().filter(is_named).copied().collect()
    }

    /// The global variables whose addresses the program takes. No pointer leads to the others from outside, unless other units can name them.
    fn addressed_globals(&self) -> BTreeSet<GlobalId> {
        let bodies = self.program.functions.iter().filter_map(|function| function.body.as_deref());
        let initializers = self.program.globals.iter().filter_map(|global| global.initializer.as_ref());
        bodies
            .flat_map(walk_body)
            .chain(walk_initializers(initializers))
            .filter_map(addressed_global)
            .collect()
    }

    /// Whether code outside the program may change a variable that it can name. Every function may change `errno`.
    fn is_changed(&self, global: GlobalId) -> bool {
        let info = &self.program.globals[global];
        !info.is_const && (info.has_external_linkage || !info.is_defined || info.name == ERRNO)
    }

    /// What is known to be outside once all of the program was seen: what variables with known names point to, those
    /// variables themselves if pointers from outside are followed, and what is compared with such pointers.
    pub(super) fn settle_outside(&mut self) {
        let mut named = self.named_globals();
        for global in &named {
            let at = self.variable(ObjectKey::Global(*global));
            self.open(at, self.program.globals[*global].ty);
        }
        let is_errno = |global: &&GlobalId| self.program.globals[**global].name == ERRNO;
        named.extend(self.calls.globals.iter().filter(is_errno).filter(|_| self.calls.has_externals));
        named.retain(|global| self.is_changed(*global));
        self.result.named.clone_from(&named);
        if self.follows_outside() && self.externals == Externals::Sound {
            let pointed = self.addressed_globals();
            let is_known = |global: &GlobalId| {
                self.program.globals[*global].has_external_linkage || pointed.contains(global)
            };
            let known: Vec<GlobalId> = named.into_iter().filter(is_known).collect();
            for global in known {
                let at = self.variable(ObjectKey::Global(global));
                let object = at.root.expect("a variable should be an object");
                self.escape(object);
            }
        }
        let is_name = |global: &GlobalId| is_name_of_program(&self.program.globals[*global].name);
        if self.calls.globals.iter().any(is_name) {
            std::mem::take(&mut self.arguments).into_iter().for_each(|object| self.escape(object));
        }
        self.join_compared();
    }

    /// Whether the arguments of the program are made at a place.
    pub(super) fn makes_arguments(&self, span: Span) -> bool {
        let main = &self.program.functions[self.calls.frames[FrameId::new(0)].function];
        let arguments = self.program.arguments.filter(|_| self.frame == FrameId::new(0));
        arguments.is_some_and(|arguments| arguments.are_made_at(main, span))
    }

    fn escape(&mut self, object: ObjectId) {
        self.result.objects[object].escapes = true;
        let class = self.result.objects[object].class;
        self.hand_out(class);
    }

    /// Whether the program may have pointers that were made outside, and not only hand out its own.
    fn follows_outside(&self) -> bool {
        let Some(class) = self.result.outside() else { return false };
        let has_pointers = self.result.class(class).accesses.keys().any(|(kind, _)| *kind == Kind::Pointer);
        let named = self.result.named.iter().map(|global| self.program.globals[*global].ty);
        let mut leaves = named.flat_map(|ty| leaves(&self.program.types, ty));
        self.gets_pointers || has_pointers || leaves.any(|leaf| leaf.scalar == Scalar::Pointer)
    }

    fn join_compared(&mut self) {
        let Some(outside) = self.result.outside() else { return };
        self.result.handed_out = self.result.class(outside).objects.iter().copied().collect();
        loop {
            let pending: Vec<(ClassId, ClassId)> = self
                .compared
                .iter()
                .filter(|(left, right)| self.result.is_outside(*left) != self.result.is_outside(*right))
                .copied()
                .collect();
            if pending.is_empty() {
                return;
            }
            for (left, right) in pending {
                self.result.join(left, right);
            }
        }
    }
}

/// Whether an integer is a constant that no object has as its address.
fn is_no_address(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Int(number) => {
            let is_small = |number: &BigInt| number.abs() < BigInt::from(FIRST_ADDRESS);
            [0, 1 << 32, 1 << 64].into_iter().any(|wrap: i128| is_small(&(number - BigInt::from(wrap))))
        }
        ExprKind::Convert(inner) | ExprKind::Unary(_, inner) => is_no_address(inner),
        _ => false,
    }
}

/// Whether a list of variable arguments may be in a value, or where it points to.
fn may_list_arguments(types: &Types, ty: TypeId) -> bool {
    let (mut seen, mut pending) = (BTreeSet::new(), vec![ty]);
    while let Some(ty) = pending.pop() {
        match types.get(ty) {
            Type::Pointer(target) | Type::Array(target, _) => pending.push(*target),
            Type::Record(record) if seen.insert(*record) => {
                if types.is_argument_list(*record) {
                    return true;
                }
                let fields = types.record(*record).fields.iter().flatten();
                pending.extend(fields.map(|field| field.ty));
            }
            _ => {}
        }
    }
    false
}

/// Whether a conversion makes a pointer from something else.
pub(super) fn makes_pointer(types: &Types, from: TypeId, to: TypeId) -> bool {
    let is_pointer = |ty| matches!(types.get(ty), Type::Pointer(_));
    is_pointer(to) && !is_pointer(from)
}
