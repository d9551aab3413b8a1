//! The atomic functions of the compiler, `__sync_*` and `__atomic_*`.
//!
//! Each call is expanded here, because these functions work on objects of any type. The memory order does not matter:
//! threads are sequentially consistent, and a call is one step of its thread. Arithmetic wraps around and is never an
//! overflow. Compare-and-exchange never fails spuriously, not even the weak form, as on x86.

use thetis_base::Span;

use super::convert::unsigned_of;
use super::literal::unsupported;
use super::{Checked, Checker};
use crate::hir::{
    BinaryOp, CompareOp, Expr, ExprKind, Initializer, IntKind, LocalId, Place, PlaceKind, Stmt, StmtKind,
    TypeId, UnaryOp,
};
use crate::syntax::ast;

/// What a function does with the object that its first argument points to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Atomic {
    Fence,
    LockFree,
    Load,
    /// Writes zero.
    Clear,
    Store,
    Exchange,
    TestAndSet,
    Update(Change, Which),
    /// `__sync_…_compare_and_swap`: whether it was equal, or the old value.
    CompareAndSwap(Which),
    /// `__atomic_compare_exchange`: the value found replaces the expected value.
    CompareExchange,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Change {
    Plain(BinaryOp),
    Nand,
}

/// The value of a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Which {
    Old,
    New,
}

/// How values are passed: directly, or through pointers as in `__atomic_load`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Passing {
    Direct,
    Indirect,
}

/// Whether the compiler has such a family of functions.
pub(super) fn is_atomic(name: &str) -> bool {
    name.starts_with("__sync_") || name.starts_with("__atomic_")
}

fn atomic(name: &str) -> Option<(Atomic, Passing)> {
    let direct = |atomic| Some((atomic, Passing::Direct));
    if let Some(name) = name.strip_prefix("__sync_") {
        return direct(match name {
            "synchronize" => Atomic::Fence,
            "lock_test_and_set" => Atomic::Exchange,
            "lock_release" => Atomic::Clear,
            "bool_compare_and_swap" => Atomic::CompareAndSwap(Which::New),
            "val_compare_and_swap" => Atomic::CompareAndSwap(Which::Old),
            _ => match (name.strip_prefix("fetch_and_"), name.strip_suffix("_and_fetch")) {
                (Some(change), _) => Atomic::Update(Change::of(change)?, Which::Old),
                (None, Some(change)) => Atomic::Update(Change::of(change)?, Which::New),
                (None, None) => return None,
            },
        });
    }
    let atomic = match name.strip_prefix("__atomic_")? {
        "load" => return Some((Atomic::Load, Passing::Indirect)),
        "store" => return Some((Atomic::Store, Passing::Indirect)),
        "exchange" => return Some((Atomic::Exchange, Passing::Indirect)),
        "compare_exchange" => return Some((Atomic::CompareExchange, Passing::Indirect)),
        "thread_fence" | "signal_fence" => Atomic::Fence,
        "always_lock_free" | "is_lock_free" => Atomic::LockFree,
        "load_n" => Atomic::Load,
        "store_n" => Atomic::Store,
        "exchange_n" => Atomic::Exchange,
        "compare_exchange_n" => Atomic::CompareExchange,
        "test_and_set" => Atomic::TestAndSet,
        "clear" => Atomic::Clear,
        name => match (name.strip_prefix("fetch_"), name.strip_suffix("_fetch")) {
            (Some(change), _) => Atomic::Update(Change::of(change)?, Which::Old),
            (None, Some(change)) => Atomic::Update(Change::of(change)?, Which::New),
            (None, None) => return None,
        },
    };
    direct(atomic)
}

impl Change {
    fn of(name: &str) -> Option<Change> {
        Some(match name {
            "add" => Change::Plain(BinaryOp::Add),
            "sub" => Change::Plain(BinaryOp::Sub),
            "and" => Change::Plain(BinaryOp::BitAnd),
            "or" => Change::Plain(BinaryOp::BitOr),
            "xor" => Change::Plain(BinaryOp::BitXor),
            "nand" => Change::Nand,
            _ => return None,
        })
    }
}

impl Atomic {
    /// How many arguments matter, without those about order.
    fn num_arguments(self, passing: Passing) -> usize {
        match (self, passing) {
            (Atomic::Fence | Atomic::LockFree, _) => 0,
            (Atomic::Load, Passing::Direct) | (Atomic::Clear | Atomic::TestAndSet, _) => 1,
            (Atomic::Exchange, Passing::Indirect)
            | (Atomic::CompareAndSwap(_) | Atomic::CompareExchange, _) => 3,
            _ => 2,
        }
    }
}

/// The statements of an expansion.
struct Expansion {
    stmts: Vec<Stmt>,
    span: Span,
}

impl Expansion {
    fn push(&mut self, kind: StmtKind) {
        self.stmts.push(Stmt { kind, span: self.span });
    }

    fn assign(&mut self, place: Place, value: Expr) {
        let stmt = assignment(place, value, self.span);
        self.stmts.push(stmt);
    }

    /// The value of the statements, if any.
    fn finish(self, value: Option<Expr>, void: TypeId) -> Expr {
        let ty = value.as_ref().map_or(void, |value| value.ty);
        Expr { kind: ExprKind::Block(self.stmts, value.map(Box::new)), ty, span: self.span }
    }
}

fn assignment(place: Place, value: Expr, span: Span) -> Stmt {
    let ty = place.ty;
    let assign = Expr { kind: ExprKind::Assign(Box::new(place), Box::new(value)), ty, span };
    Stmt { kind: StmtKind::Expr(assign), span }
}

/// A variable of an expansion.
#[derive(Clone, Copy)]
struct Kept {
    local: LocalId,
    ty: TypeId,
    span: Span,
}

impl Kept {
    fn read(self) -> Expr {
        let place = Place { kind: PlaceKind::Local(self.local), ty: self.ty, span: self.span };
        Expr { kind: ExprKind::Load(Box::new(place)), ty: self.ty, span: self.span }
    }

    /// What it points to.
    fn target(self, ty: TypeId) -> Place {
        Place { kind: PlaceKind::Deref(Box::new(self.read())), ty, span: self.span }
    }

    fn read_target(self, ty: TypeId) -> Expr {
        Expr { kind: ExprKind::Load(Box::new(self.target(ty))), ty, span: self.span }
    }
}

impl Checker<'_, '_> {
    /// A call of an atomic function.
    pub(super) fn atomic_call(&mut self, name: &str, arguments: &[ast::Expr], span: Span) -> Checked<Expr> {
        let int = self.int();
        let known =
            atomic(name).filter(|(atomic, passing)| arguments.len() >= atomic.num_arguments(*passing));
        let (Some((atomic, passing)), true) = (known, self.function.is_some()) else {
            return Ok(unsupported(format!("`{name}`"), int, span));
        };
        let mut expansion = Expansion { stmts: Vec::new(), span };
        let (used, others) = arguments.split_at(atomic.num_arguments(passing));
        let used: Vec<Expr> = used.iter().map(|argument| self.value(argument)).collect::<Checked<_>>()?;
        for other in others {
            let effect = self.value(other)?;
            expansion.push(StmtKind::Expr(effect));
        }
        let void = self.void();
        let Some(first) = used.first() else {
            let value = (atomic == Atomic::LockFree).then(|| self.int_expr(1, int, span));
            return Ok(expansion.finish(value, void));
        };
        let target = self.atomic_target(atomic, first.ty);
        let Some(target) = target.filter(|target| self.is_atomic_type(atomic, *target)) else {
            return Ok(unsupported(format!("`{name}` on an object of this type"), int, span));
        };
        let value = self.expand_atomic((atomic, passing), target, used, &mut expansion)?;
        Ok(expansion.finish(value, void))
    }

    /// The type of the object that changes: a byte for flags.
    fn atomic_target(&mut self, atomic: Atomic, pointer: TypeId) -> Option<TypeId> {
        let target = self.pointee(pointer)?;
        let is_flag = atomic == Atomic::TestAndSet || (atomic == Atomic::Clear && self.is_void(target));
        Some(if is_flag { self.int_type(IntKind::UnsignedChar) } else { target })
    }

    fn is_atomic_type(&self, atomic: Atomic, ty: TypeId) -> bool {
        match atomic {
            Atomic::Update(..) => self.int_kind(ty).is_some_and(|kind| kind != IntKind::Bool),
            _ => self.is_scalar(ty),
        }
    }

    fn expand_atomic(
        &mut self,
        (atomic, passing): (Atomic, Passing),
        target: TypeId,
        arguments: Vec<Expr>,
        expansion: &mut Expansion,
    ) -> Checked<Option<Expr>> {
        let mut arguments = arguments.into_iter();
        let mut next = || arguments.next().expect("the number of arguments should have been checked");
        let to_target = self.pointer_to(target);
        let object = self.keep(self.convert(next(), to_target), "object", expansion);
        Ok(match atomic {
            Atomic::Fence | Atomic::LockFree => None,
            Atomic::Load if passing == Passing::Direct => Some(object.read_target(target)),
            Atomic::Load => {
                let result = self.keep(self.convert(next(), to_target), "result", expansion);
                expansion.assign(result.target(target), object.read_target(target));
                None
            }
            Atomic::Clear => {
                let zero = self.int_expr(0, target, expansion.span);
                expansion.assign(object.target(target), zero);
                None
            }
            Atomic::Store => {
                let value = self.passed(next(), target, passing, expansion)?;
                expansion.assign(object.target(target), value.read());
                None
            }
            Atomic::Exchange => {
                let value = self.passed(next(), target, passing, expansion)?;
                let old = self.keep(object.read_target(target), "old", expansion);
                expansion.assign(object.target(target), value.read());
                match passing {
                    Passing::Direct => Some(old.read()),
                    Passing::Indirect => {
                        let result = self.keep(self.convert(next(), to_target), "result", expansion);
                        expansion.assign(result.target(target), old.read());
                        None
                    }
                }
            }
            Atomic::TestAndSet => {
                let old = self.keep(object.read_target(target), "old", expansion);
                let one = self.int_expr(1, target, expansion.span);
                expansion.assign(object.target(target), one);
                let truth = self.int_type(IntKind::Bool);
                Some(self.convert(old.read(), truth))
            }
            Atomic::Update(change, which) => {
                let value = self.passed(next(), target, passing, expansion)?;
                let old = self.keep(object.read_target(target), "old", expansion);
                let new = self.changed(change, old, value, expansion.span);
                let new = self.keep(new, "new", expansion);
                expansion.assign(object.target(target), new.read());
                Some(if which == Which::Old { old.read() } else { new.read() })
            }
            Atomic::CompareAndSwap(which) => {
                let expected = self.passed(next(), target, passing, expansion)?;
                let new = self.passed(next(), target, passing, expansion)?;
                let old = self.keep(object.read_target(target), "old", expansion);
                let is_equal = self.keep_equality(old.read(), expected.read(), expansion)?;
                let swap = assignment(object.target(target), new.read(), expansion.span);
                expansion.push(StmtKind::If {
                    condition: is_equal.read(),
                    then: Box::new(swap),
                    otherwise: None,
                });
                Some(if which == Which::Old { old.read() } else { self.truth(is_equal) })
            }
            Atomic::CompareExchange => {
                let expected = self.keep(self.convert(next(), to_target), "expected", expansion);
                let new = self.passed(next(), target, passing, expansion)?;
                let old = self.keep(object.read_target(target), "old", expansion);
                let is_equal = self.keep_equality(old.read(), expected.read_target(target), expansion)?;
                let swap = assignment(object.target(target), new.read(), expansion.span);
                let tell = assignment(expected.target(target), old.read(), expansion.span);
                expansion.push(StmtKind::If {
                    condition: is_equal.read(),
                    then: Box::new(swap),
                    otherwise: Some(Box::new(tell)),
                });
                Some(self.truth(is_equal))
            }
        })
    }

    /// A new variable with a value.
    fn keep(&mut self, value: Expr, what: &str, expansion: &mut Expansion) -> Kept {
        let (ty, span) = (value.ty, expansion.span);
        let local = self.nameless_local(what, ty, span);
        expansion.push(StmtKind::Declare(local, Some(Initializer::Value(value))));
        Kept { local, ty, span }
    }

    /// A value that is passed to be stored.
    fn passed(
        &mut self,
        value: Expr,
        target: TypeId,
        passing: Passing,
        expansion: &mut Expansion,
    ) -> Checked<Kept> {
        let value = match passing {
            Passing::Direct => self.assign_convert(value, target, "argument")?,
            Passing::Indirect => {
                let to_target = self.pointer_to(target);
                self.keep(self.convert(value, to_target), "source", expansion).read_target(target)
            }
        };
        Ok(self.keep(value, "value", expansion))
    }

    fn keep_equality(&mut self, left: Expr, right: Expr, expansion: &mut Expansion) -> Checked<Kept> {
        let is_equal = self.comparison(CompareOp::Eq, left, right, expansion.span)?;
        Ok(self.keep(is_equal, "equal", expansion))
    }

    fn truth(&mut self, value: Kept) -> Expr {
        let truth = self.int_type(IntKind::Bool);
        self.convert(value.read(), truth)
    }

    /// The new value, computed in the unsigned type.
    fn changed(&mut self, change: Change, old: Kept, value: Kept, span: Span) -> Expr {
        let kind = self.int_kind(old.ty).map_or(IntKind::UnsignedInt, unsigned_of);
        let is_narrow = kind.size(self.model()) < 4;
        let wide = self.int_type(if is_narrow { IntKind::UnsignedInt } else { kind });
        let (left, right) = (self.convert(old.read(), wide), self.convert(value.read(), wide));
        let op = match change {
            Change::Plain(op) => op,
            Change::Nand => BinaryOp::BitAnd,
        };
        let kind = ExprKind::Binary(op, Box::new(left), Box::new(right));
        let mut new = Expr { kind, ty: wide, span };
        if change == Change::Nand {
            new = Expr { kind: ExprKind::Unary(UnaryOp::BitNot, Box::new(new)), ty: wide, span };
        }
        self.convert(new, old.ty)
    }
}
