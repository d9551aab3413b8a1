//! What functions without a body mean for classes of objects.

use super::constraints::{Walk, Where};
use super::moved::{Moved, copied, filled};
use super::{ClassId, Contents, ObjectKey, pointed_type};
use crate::hir::{Expr, ExprKind, Type};
use crate::lower::builtin::{Builtin, Concurrent};
use crate::lower::walk::site_of;

impl<'h> Walk<'h> {
    /// The class that the value of a builtin points to.
    pub(super) fn builtin_value(
        &mut self,
        call: &'h Expr,
        builtin: Builtin,
        args: &'h [Expr],
    ) -> Option<ClassId> {
        let sees_bytes = builtin == Builtin::Copy && copied(self.program, args) == Moved::Bytes;
        let seen = |arg: &'h Expr| if sees_bytes { arg } else { self.without_conversion(arg) };
        let args_seen: Vec<&'h Expr> = args.iter().map(seen).collect();
        let values: Vec<Option<ClassId>> = args_seen.into_iter().map(|arg| self.value(arg)).collect();
        for (arg, value) in args.iter().zip(&values) {
            if let Some(class) = value {
                self.result.targets.insert((self.frame, site_of(arg)), *class);
            }
        }
        let first = values.first().copied().flatten();
        match builtin {
            Builtin::Malloc | Builtin::Lasting | Builtin::Alloca | Builtin::Calloc => {
                let object = self.object(ObjectKey::Heap(self.frame, site_of(call)));
                if builtin == Builtin::Calloc {
                    self.result.objects[object].contents = Contents::Zero;
                }
                self.result.objects[object].escapes = true;
                if self.makes_arguments(call.span) {
                    self.arguments.push(object);
                }
                Some(self.result.objects[object].class)
            }
            Builtin::Realloc => {
                let object = self.object(ObjectKey::Heap(self.frame, site_of(call)));
                self.result.objects[object].escapes = true;
                let class = self.result.objects[object].class;
                if let Some(old) = first {
                    self.result.join(old, class);
                }
                Some(class)
            }
            Builtin::Copy => {
                if let (Some(to), Some(from)) = (first, values.get(1).copied().flatten()) {
                    self.copy_bytes(to, from, args);
                }
                first
            }
            Builtin::Fill => {
                if let Some(class) = first {
                    let at = Where { class, key: None, root: None };
                    match filled(self.program, args) {
                        Moved::Values(ty, _) => self.access(at, ty),
                        Moved::Bytes => self.access_bytes(at),
                    }
                }
                first
            }
            Builtin::Scramble | Builtin::Scan => {
                for (arg, class) in args.iter().zip(&values) {
                    if let Some(class) = *class {
                        let ty = pointed_type(self.program, arg);
                        self.access(Where { class, key: None, root: None }, ty);
                    }
                }
                first
            }
            Builtin::Identity => first,
            Builtin::Shared => {
                first.into_iter().for_each(|class| self.hand_out(class));
                first
            }
            Builtin::Thread(function) => self.thread_value(function, call, &values),
            Builtin::Input if matches!(self.program.types.get(call.ty), Type::Pointer(_)) => {
                Some(self.pointer_from_outside())
            }
            Builtin::VaValue => self.carries(call.ty).then(|| {
                let value = self.result.fresh();
                for extra in self.calls.extra_arguments(self.program, self.frame) {
                    let at = self.variable(ObjectKey::Local(extra.frame, extra.param));
                    let target = self.result.pointee(at.class, None);
                    self.result.join(value, target);
                }
                value
            }),
            _ => self.carries(call.ty).then(|| self.result.fresh()),
        }
    }

    /// A pointer as it was before it became a `void *`, as builtins take them.
    fn without_conversion(&self, arg: &'h Expr) -> &'h Expr {
        match &arg.kind {
            ExprKind::Convert(inner) if matches!(self.program.types.get(inner.ty), Type::Pointer(_)) => inner,
            _ => arg,
        }
    }

    /// What a thread returns, or hands over where it ends, is what the one gets that waits for it.
    fn thread_value(
        &mut self,
        function: Concurrent,
        call: &'h Expr,
        args: &[Option<ClassId>],
    ) -> Option<ClassId> {
        let results = *self.thread_results.get_or_insert_with(|| self.result.fresh());
        match function {
            Concurrent::Spawn | Concurrent::End => {
                args.iter().flatten().for_each(|class| self.result.join(results, *class));
                self.carries(call.ty).then(|| self.result.fresh())
            }
            Concurrent::Await => Some(results),
            _ => self.carries(call.ty).then(|| self.result.fresh()),
        }
    }

    /// Structures are copied member by member; where bytes are copied, source and target are one class from then on.
    fn copy_bytes(&mut self, to: ClassId, from: ClassId, args: &'h [Expr]) {
        let [to, from] = [to, from].map(|class| Where { class, key: None, root: None });
        match copied(self.program, args) {
            Moved::Bytes => {
                self.result.join(to.class, from.class);
                self.access_bytes(to);
            }
            Moved::Values(ty, _) => {
                self.copy(to, from, ty);
                self.note_copy(to, from, args, ty);
            }
        }
    }
}
