//! Reused addresses.
//!
//! In the model every object has a distinct address. An implementation reuses the address of a dead object: `malloc`
//! may return a block that was just freed, and the variables of two functions that are called in turn often share an
//! address. So a comparison for equality distinguishes objects only if they were live at the same time; otherwise it is
//! a limit.
//!
//! For each dead object, an array holds the least model address of an object that may have its address: blocks that are
//! allocated after a block was freed have greater addresses in the model than earlier ones. The address of a dead
//! variable may be reused by any object. The array is kept only for classes whose pointers (or numbers made from them)
//! are compared with each other. For these classes `realloc` moves its block, as an implementation may do: old pointers
//! then point to a dead object.
//!
//! Functions without a body are assumed to free nothing.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;
use thetis_base::Span;
use thetis_expr::{ExprId, VarId};
use thetis_model::cfa::StmtKind;

use super::builtin::Builtin;
use super::lowering::Lowering;
use super::origin::Event;
use super::points_to::{ClassId, ObjectKey};
use super::scalar::Scalar;
use super::walk::{Part, Site, site_of, walk_body};
use crate::hir::{Callee, CompareOp, Expr, ExprKind, FunctionId};

/// Which objects are dead.
#[derive(Default)]
pub(super) struct Reuse {
    comparisons: Option<Comparisons>,
    /// Maps the addresses of dead objects to the least model address of an object that may share their address; zero
    /// for live objects.
    ended: Option<VarId>,
}

/// What a program does with pointers, as far as it matters here.
#[derive(Default)]
struct Comparisons {
    /// The classes whose pointers are compared with others.
    classes: BTreeSet<ClassId>,
    /// Whether the program ends blocks before it ends itself.
    ends_blocks: bool,
}

impl<'h> Lowering<'h> {
    /// Whether any pointers are compared with each other.
    pub(super) fn compares_pointers(&mut self) -> bool {
        !self.comparisons().classes.is_empty()
    }

    /// Whether pointers to the objects of a class are compared with others.
    pub(super) fn is_compared(&mut self, class: ClassId) -> bool {
        self.comparisons().classes.contains(&class)
    }

    fn comparisons(&mut self) -> &Comparisons {
        if self.reuse.comparisons.is_none() {
            self.reuse.comparisons = Some(self.find_comparisons());
        }
        self.reuse.comparisons.get_or_insert_default()
    }

    fn find_comparisons(&self) -> Comparisons {
        let mut found = Comparisons::default();
        let mut known: FxHashMap<FunctionId, Vec<[Site; 2]>> = FxHashMap::default();
        for (frame, info) in self.calls.frames.iter_enumerated() {
            let sites = known.entry(info.function).or_insert_with(|| {
                let body = self.program.functions[info.function].body.as_deref().unwrap_or_default();
                found.ends_blocks |= walk_body(body).any(|part| self.may_end_block(part));
                walk_body(body).filter_map(compared_sites).collect()
            });
            for sites in sites {
                if let [Some(left), Some(right)] = sites.map(|site| self.points.target(frame, site)) {
                    found.classes.extend([left, right]);
                }
            }
        }
        found
    }

    /// Whether a part of the program ends a block, perhaps by a pointer to a function.
    fn may_end_block(&self, part: Part<'h>) -> bool {
        let Part::Expr(expr) = part else { return false };
        let builtin = match &expr.kind {
            ExprKind::Call(callee, _) => self.builtin_of(callee),
            ExprKind::FunctionAddress(function) => self.builtin_of(&Callee::Function(*function)),
            _ => None,
        };
        matches!(builtin, Some(Builtin::Free | Builtin::Realloc | Builtin::Alloca))
    }

    /// Continues only if compared pointers point to one object, or to live objects.
    pub(super) fn check_lives(&mut self, sides: [&'h Expr; 2], pointers: [ExprId; 2]) {
        let classes: Vec<ClassId> = sides.iter().filter_map(|side| self.class_of_number(side)).collect();
        let has_temporary = classes.iter().any(|class| self.has_temporary(*class));
        if !has_temporary && !classes.into_iter().any(|class| self.may_end(class)) {
            return;
        }
        let store = self.store();
        let ended = store.var_expr(self.ended());
        let [left, right] = pointers.map(|pointer| self.arith.object_and_distance(pointer).0);
        let replaces = |new, old| {
            let from = store.select(ended, old);
            let is_earlier = self.arith.compare(CompareOp::Lt, Scalar::Pointer, new, from);
            store.and(store.ne(from, self.arith.pointer(0)), store.not(is_earlier))
        };
        let [is_left, is_right] = pointers.map(|pointer| self.is_address(Scalar::Pointer, pointer));
        let is_same_place = match has_temporary {
            true => store.tru(),
            false => store.or(replaces(left, right), replaces(right, left)),
        };
        let is_open = [store.ne(left, right), is_left, is_right, is_same_place];
        self.limit_if(
            store.and_all(is_open),
            sides[0].span,
            "a pointer to a dead object is compared with another pointer",
        );
    }

    /// Whether there are pointers to a function result, whose lifetime ends with the expression.
    fn has_temporary(&self, class: ClassId) -> bool {
        self.points.class(class).objects.iter().any(|object| {
            let object = &self.points.objects[*object];
            object.escapes && matches!(object.key, ObjectKey::Result(_))
        })
    }

    /// Whether an object of a class may end while there is a pointer to it.
    fn may_end(&mut self, class: ClassId) -> bool {
        let objects = self.points.class(class).objects.clone();
        objects.into_iter().any(|object| match self.points.objects[object].key {
            ObjectKey::Heap(..) => self.comparisons().ends_blocks,
            key => self.may_dangle(key),
        })
    }

    fn ended(&mut self) -> VarId {
        match self.reuse.ended {
            Some(var) => var,
            None => {
                let var = self.address_map("memory.ended");
                *self.reuse.ended.insert(var)
            }
        }
    }

    /// The lifetime of a variable begins or ends.
    pub(super) fn note_life(&mut self, key: ObjectKey, lives: bool, span: Span) {
        let object = self.points.object(key).filter(|object| self.points.objects[*object].escapes);
        let Some(object) = object else { return };
        let Some(ty) = self.points.objects[object].ty else { return };
        if self.is_compared(self.points.class_of(object)) && self.may_dangle(key) {
            let address = self.variable_address(key, ty);
            let from = self.arith.pointer(u64::from(!lives));
            self.set_ended(address, from, span);
        }
    }

    /// A block ends.
    pub(super) fn end_block_at(&mut self, class: Option<ClassId>, address: ExprId, span: Span) {
        if class.is_some_and(|class| self.is_compared(class)) {
            let next = self.next_block();
            self.set_ended(address, self.store().var_expr(next), span);
        }
    }

    /// A block is allocated that ends with the function. It is treated as if it had ended.
    pub(super) fn note_automatic_block(&mut self, class: Option<ClassId>, address: ExprId, span: Span) {
        if class.is_some_and(|class| self.is_compared(class)) {
            self.set_ended(address, self.arith.pointer(1), span);
        }
    }

    fn set_ended(&mut self, address: ExprId, from: ExprId, span: Span) {
        let ended = self.ended();
        self.set_at(ended, address, from, span);
    }

    /// No object has ended when the program starts.
    pub(super) fn start_reuse(&mut self, span: Span) {
        if let Some(ended) = self.reuse.ended {
            let nothing = self.store().const_array(self.arith.sort(Scalar::Pointer), self.arith.pointer(0));
            self.out.emit(StmtKind::Assign(ended, nothing), span, Event::Start);
        }
    }
}

/// The operands of a comparison for equality.
fn compared_sites(part: Part<'_>) -> Option<[Site; 2]> {
    let Part::Expr(expr) = part else { return None };
    match &expr.kind {
        ExprKind::Compare(CompareOp::Eq | CompareOp::Ne, left, right) => {
            Some([site_of(left), site_of(right)])
        }
        _ => None,
    }
}
