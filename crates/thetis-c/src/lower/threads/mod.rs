//! Threads: how they are translated, and the automaton of all of them together.
//!
//! `pthread_create` and its relatives are C functions in `library/pthread.c`, made of a few primitives. The one that
//! starts a thread, `__thetis_spawn(start(argument), …)`, is given the calls that new threads evaluate, each with its
//! own copies of functions and hence with variables of its own: one call for each thread that may run at the same time
//! because of this copy of `pthread_create` (several only if that is in a loop). The body of a thread becomes a
//! separate piece of control flow, from its entry to its exit, and the other primitives become edges marked with a
//! [`Sync`]. [`product`], which builds one automaton of all threads, gives them their meaning.
//!
//! Threads interleave at *single accesses* to shared objects, whatever expression these are part of. So in programs
//! with threads the value of such an object is copied to a new variable when it is read ([`Lowering::observed`]), and
//! conditions with such reads become branches. The order of reads is that of the text. This is sequential consistency;
//! a verdict lists it as an assumption.

mod bits;
mod flow;
mod product;
mod reduction;
mod steps;

use thetis_base::{IndexVec, Span, define_index_type};
use thetis_expr::{ExprId, VarId};
use thetis_model::cfa::{EdgeId, LocId, StmtKind};

use super::assumption::AssumptionKind;
use super::builtin::Concurrent;
use super::call::{Arg, Outcome};
use super::calls::CallTree;
use super::lowering::Lowering;
use super::options::Property;
use super::origin::{Event, FrameId, Owner, Turn, Turns, VarOrigin};
use super::points_to::ObjectKey;
use super::scalar::Scalar;
use crate::hir::{
    Callee, Expr, ExprKind, FunctionId, GlobalId, Place, PlaceKind, Program, Stmt, StmtKind as Hir, Type,
};

pub(super) use product::{TooManyStates, multiply};

/// The model of `pthread_create`.
pub(super) const STARTER: &str = "__thetis_pthread_create";

define_index_type! {
    /// A thread that a program may have: `main`, or what one copy of `pthread_create` may have started.
    pub(super) struct ThreadId = u32;
}

define_index_type! {
    /// A primitive of threads at a place of a copy of a function.
    pub(super) struct SyncId = u32;
}

/// The threads of a translation.
pub(super) struct Threads {
    pub(super) list: IndexVec<ThreadId, Thread>,
    pub(super) syncs: IndexVec<SyncId, Sync>,
    /// The one whose body is being translated.
    current: ThreadId,
    /// Whether an atomic access is being translated.
    is_in_access: bool,
}

impl Default for Threads {
    fn default() -> Threads {
        let (list, syncs) = (IndexVec::new(), IndexVec::new());
        Threads { list, syncs, current: ThreadId::new(0), is_in_access: false }
    }
}

/// A thread.
#[derive(Clone)]
pub(super) struct Thread {
    /// The function that it runs.
    pub(super) name: String,
    /// Where it starts, and where it is when it has ended.
    pub(super) entry: LocId,
    pub(super) exit: LocId,
    /// What holds its result when it has ended.
    result: VarId,
}

/// What a thread does with others.
pub(super) enum Sync {
    /// Starts one of several threads, after what it starts with was set, and says which.
    Fork {
        starts: Vec<Start>,
        handle: VarId,
        limit: LocId,
    },
    /// Waits for the end of a thread.
    Await {
        handle: ExprId,
        result: VarId,
        limit: LocId,
    },
    Detach {
        handle: ExprId,
        limit: LocId,
    },
    Lock {
        mutex: ExprId,
        limit: LocId,
    },
    Unlock {
        mutex: ExprId,
        limit: LocId,
    },
    TryLock {
        mutex: ExprId,
        is_taken: VarId,
        limit: LocId,
    },
    EnterAtomic,
    LeaveAtomic,
}

/// A thread that may be started, with its first assignments.
pub(super) struct Start {
    thread: ThreadId,
    assignments: Vec<(VarId, ExprId)>,
}

/// The function that the arguments of a call of `pthread_create` name.
pub(super) fn started(arguments: &[Expr]) -> Option<FunctionId> {
    let mut start = arguments.get(2)?;
    loop {
        match &start.kind {
            ExprKind::FunctionAddress(function) => return Some(*function),
            ExprKind::Convert(inner) => start = inner,
            _ => return None,
        }
    }
}

impl Threads {
    /// The locations that no edge of the graph leads to.
    pub(super) fn starts(&self) -> Vec<LocId> {
        let threads = self.list.iter().flat_map(|thread| [thread.entry, thread.exit]);
        threads.chain(self.syncs.iter().filter_map(Sync::limit)).collect()
    }

    /// The thread that takes each edge.
    pub(super) fn turns(&self, edges: IndexVec<EdgeId, Turn>) -> Turns {
        Turns { threads: self.list.iter().map(|thread| thread.name.clone()).collect(), edges }
    }

    /// Whether edges are marked.
    pub(super) fn are_used(&self) -> bool {
        !self.syncs.is_empty()
    }
}

impl Sync {
    fn limit(&self) -> Option<LocId> {
        match self {
            Sync::Fork { limit, .. }
            | Sync::Await { limit, .. }
            | Sync::Detach { limit, .. }
            | Sync::Lock { limit, .. }
            | Sync::Unlock { limit, .. }
            | Sync::TryLock { limit, .. } => Some(*limit),
            Sync::EnterAtomic | Sync::LeaveAtomic => None,
        }
    }
}

impl<'h> Lowering<'h> {
    /// Makes `main` a thread.
    pub(super) fn start_main(&mut self, entry: LocId, span: Span) {
        let exit = self.out.location(span);
        let result = self.auxiliary("thread.result", self.arith.sort(Scalar::Pointer), VarOrigin::Temporary);
        let name = self.calls.frames[self.out.frame].name.clone();
        self.threads.list.push(Thread { name, entry, exit, result });
    }

    /// A primitive of threads.
    pub(super) fn concurrent(
        &mut self,
        function: Concurrent,
        call: &'h Expr,
        args: &'h [Expr],
    ) -> Option<ExprId> {
        let span = call.span;
        match function {
            Concurrent::Spawn => return self.spawn(call, args),
            Concurrent::Await => return Some(self.join_thread(args, span)),
            Concurrent::Detach => {
                let handle = self.kept(args, span);
                let limit = self.sync_limit(span, "an unknown thread is detached");
                self.synchronise(Sync::Detach { handle, limit }, span);
            }
            Concurrent::End => self.end_thread(args, span),
            Concurrent::Own => return self.handle_of(self.threads.current, call),
            Concurrent::Lock => {
                let mutex = self.kept(args, span);
                let limit =
                    self.sync_limit(span, "a mutex is locked that is unknown or already held by the thread");
                self.synchronise(Sync::Lock { mutex, limit }, span);
            }
            Concurrent::Unlock => {
                let mutex = self.kept(args, span);
                let limit =
                    self.sync_limit(span, "a mutex is unlocked that is unknown or not held by the thread");
                self.synchronise(Sync::Unlock { mutex, limit }, span);
            }
            Concurrent::TryLock => return self.try_lock(call, args),
            Concurrent::EnterAtomic => self.synchronise_threads(Sync::EnterAtomic, span),
            Concurrent::LeaveAtomic => self.synchronise_threads(Sync::LeaveAtomic, span),
        }
        None
    }

    fn synchronise(&mut self, sync: Sync, span: Span) {
        if self.out.graph.is_live() {
            let id = self.threads.syncs.push(sync);
            self.out.graph.synchronise(self.out.frame, span, id);
        }
    }

    /// What matters only if there are threads.
    fn synchronise_threads(&mut self, sync: Sync, span: Span) {
        if self.calls.has_threads {
            self.synchronise(sync, span);
        }
    }

    /// The value of the first argument.
    fn kept(&mut self, args: &'h [Expr], span: Span) -> ExprId {
        let value = self.value(&args[0]);
        self.freeze(value, span)
    }

    /// A limit that the automaton of all threads may lead to.
    fn sync_limit(&mut self, span: Span, reason: &str) -> LocId {
        let (location, span) = (self.out.location(span), self.call_in_program(span));
        self.out.limits.push((location, span, reason.to_owned()));
        location
    }

    /// The call in the program that leads to a place in a model.
    fn call_in_program(&self, span: Span) -> Span {
        let (mut frame, mut place) = (self.out.frame, span);
        while crate::library::is_model(&self.calls.frames[frame].name) {
            let Some((caller, call)) = self.calls.frames[frame].caller else { break };
            (frame, place) = (caller, call);
        }
        place
    }

    /// Starts a thread.
    fn spawn(&mut self, call: &'h Expr, args: &'h [Expr]) -> Option<ExprId> {
        let span = call.span;
        self.assume_sequential_consistency(self.call_in_program(span));
        let copies = if self.calls.repeats[self.out.frame] { self.calls.thread_bound as usize } else { 1 };
        let ExprKind::Call(Callee::Pointer(pointer), passed) = &args[0].kind else { return None };
        let (address, argument) = (self.value(pointer), self.value(&passed[0]));
        let [address, argument] = [address, argument].map(|term| self.freeze(term, span));
        self.out.flush();
        let here = self.out.here();
        let mut starts = Vec::new();
        for arg in args.iter().take(copies) {
            starts.push(self.thread_body(arg, address, argument));
        }
        self.out.graph.continue_at(here);
        let scalar = self.scalar(call.ty)?;
        let handle = self.auxiliary("thread", self.arith.sort(scalar), VarOrigin::Temporary);
        let limit = self.sync_limit(span, &format!("more than {copies} threads started here run at once"));
        self.synchronise(Sync::Fork { starts, handle, limit }, span);
        Some(self.store().var_expr(handle))
    }

    fn assume_sequential_consistency(&mut self, span: Span) {
        let text = "threads take turns at single accesses of memory, in the order of the text";
        self.out.assume_silently(AssumptionKind::SequentialConsistency, text, span);
        let text = "threads can always be started";
        self.out.assume_silently(AssumptionKind::ThreadsStart, text, span);
    }

    /// Translates what a thread does: it calls the function at an address.
    fn thread_body(&mut self, call: &'h Expr, address: ExprId, argument: ExprId) -> Start {
        let (store, span) = (self.store(), call.span);
        let [start, passed] = [("start", address), ("argument", argument)]
            .map(|(name, term)| self.auxiliary(name, store.sort(term), VarOrigin::Temporary));
        let result = self.auxiliary("thread.result", self.arith.sort(Scalar::Pointer), VarOrigin::Temporary);
        let (entry, exit) = (self.out.location(span), self.out.location(span));
        let name = self.thread_name(call);
        let thread = self.threads.list.push(Thread { name, entry, exit, result });
        let creator = std::mem::replace(&mut self.threads.current, thread);
        let scope = std::mem::take(&mut self.scope);
        self.out.graph.expect(entry);
        self.out.graph.continue_at(entry);
        let args = [Arg::Scalar(Scalar::Pointer, store.var_expr(passed))];
        let called = if store.is_literal(address) { address } else { store.var_expr(start) };
        if let Outcome::Value(value) = self.call_pointed(call, called, &args)
            && store.sort(value) == store.var_sort(result)
        {
            self.out.emit(StmtKind::Assign(result, value), span, Event::Silent);
        }
        self.out.flush();
        self.go_to_exit(span);
        self.scope = scope;
        self.threads.current = creator;
        Start { thread, assignments: vec![(start, address), (passed, argument)] }
    }

    /// The function that a thread runs, if there is only one candidate.
    fn thread_name(&self, call: &Expr) -> String {
        let mut functions = self.pointed_functions(call);
        let is_started = |function: &FunctionId| {
            self.calls.callees.contains_key(&(self.out.frame, super::walk::site_of(call), *function))
        };
        functions.retain(is_started);
        let names: Vec<&str> =
            functions.iter().map(|function| &*self.program.functions[*function].name).collect();
        names.join(" or ")
    }

    /// The current thread ends.
    fn go_to_exit(&mut self, span: Span) {
        let exit = self.threads.list[self.threads.current].exit;
        self.out.graph.tell(self.out.frame, span, Event::Silent);
        self.out.go(exit);
    }

    fn end_thread(&mut self, args: &'h [Expr], span: Span) {
        let value = self.value(&args[0]);
        let result = self.threads.list[self.threads.current].result;
        self.out.emit(StmtKind::Assign(result, value), span, Event::Silent);
        self.out.flush();
        // The other threads continue, even if this one is `main`.
        self.go_to_exit(span);
    }

    fn join_thread(&mut self, args: &'h [Expr], span: Span) -> ExprId {
        let handle = self.kept(args, span);
        let result = self.auxiliary("joined", self.arith.sort(Scalar::Pointer), VarOrigin::Temporary);
        let limit = self.sync_limit(span, "an unknown thread is joined");
        self.synchronise(Sync::Await { handle, result, limit }, span);
        self.store().var_expr(result)
    }

    fn try_lock(&mut self, call: &'h Expr, args: &'h [Expr]) -> Option<ExprId> {
        let mutex = self.kept(args, call.span);
        let scalar = self.scalar(call.ty)?;
        let is_taken = self.auxiliary("taken", self.arith.sort(scalar), VarOrigin::Temporary);
        let limit = self.sync_limit(call.span, "an unknown mutex is locked");
        self.synchronise(Sync::TryLock { mutex, is_taken, limit }, call.span);
        Some(self.store().var_expr(is_taken))
    }

    /// The number of a thread, as a value of the type of a call.
    fn handle_of(&self, thread: ThreadId, call: &Expr) -> Option<ExprId> {
        let integer = self.scalar(call.ty)?.integer()?;
        Some(self.arith.integer(integer, &(thread.index() + 1).into()))
    }

    /// The current value of an object that other threads may see.
    pub(super) fn observed(&mut self, var: VarId, term: ExprId, span: Span) -> ExprId {
        if self.calls.has_threads && self.may_be_shared(var) { self.freeze(term, span) } else { term }
    }

    /// Whether a variable of the automaton may be accessed by several threads.
    fn may_be_shared(&self, var: VarId) -> bool {
        match self.objects.storages.origins.get(&var) {
            Some(VarOrigin::Scalar(variable) | VarOrigin::Elements(variable)) => match variable.owner {
                Owner::Global(_) => true,
                Owner::Local(frame, local) => self.has_address(ObjectKey::Local(frame, local)),
            },
            Some(VarOrigin::Memory(_)) => true,
            _ => false,
        }
    }

    fn has_address(&self, key: ObjectKey) -> bool {
        self.points.object(key).is_some_and(|object| self.points.objects[object].escapes)
    }

    /// Whether other threads may see the object at a place.
    pub(super) fn is_shareable(&self, place: &Place) -> bool {
        if !self.calls.has_threads {
            return false;
        }
        match &place.kind {
            PlaceKind::Local(local) => self.has_address(ObjectKey::Local(self.out.frame, *local)),
            PlaceKind::Field(base, _) | PlaceKind::Index(base, _) => self.is_shareable(base),
            PlaceKind::Literal(..) | PlaceKind::Temporary(_) => false,
            PlaceKind::Global(_) | PlaceKind::Deref(_) => true,
        }
    }

    /// A machine writes a bit-field together with its neighbours, so it may undo what another thread writes to them.
    pub(in crate::lower) fn limit_shared_bits(&mut self, place: &Place, span: Span) {
        let PlaceKind::Field(base, _) = &place.kind else { return };
        let Type::Record(record) = self.program.types.get(base.ty) else { return };
        if self.bits_of(place).is_none() || !self.is_shareable(place) {
            return;
        }
        let fields = self.program.types.record(*record).fields.iter().flatten();
        if fields.filter(|field| field.bits.is_some()).count() > 1 {
            self.out.limit(span, "threads share a structure with several bit-fields");
        }
    }

    /// The body of a function with such a name is one step (the competition on software verification). Some programs define the functions
    /// around a section as well, with empty bodies.
    pub(super) fn enter_atomic_function(&mut self, callee: FrameId, span: Span) -> bool {
        match self.calls.frames[callee].name.strip_prefix("__VERIFIER_atomic_") {
            Some("end") | None => false,
            Some(name) => {
                self.synchronise_threads(Sync::EnterAtomic, span);
                name != "begin" && self.calls.has_threads
            }
        }
    }

    pub(super) fn leave_atomic_function(&mut self, callee: FrameId, is_atomic: bool, span: Span) {
        if is_atomic || self.calls.frames[callee].name == "__VERIFIER_atomic_end" {
            self.synchronise_threads(Sync::LeaveAtomic, span);
        }
    }

    /// What `__sync_…` and `__atomic_…` do with an object is one step, from where its old value is kept.
    pub(super) fn enter_atomic_access(&mut self, stmt: &Stmt) {
        let Hir::Declare(local, _) = &stmt.kind else { return };
        let function = &self.program.functions[self.calls.frames[self.out.frame].function];
        if self.calls.has_threads && function.locals[*local].name.starts_with("#old") {
            self.synchronise(Sync::EnterAtomic, stmt.span);
            self.threads.is_in_access = true;
        }
    }

    pub(super) fn leave_atomic_access(&mut self, stmts: &[Stmt]) {
        if let (Some(last), true) = (stmts.last(), self.threads.is_in_access) {
            self.threads.is_in_access = false;
            self.synchronise(Sync::LeaveAtomic, last.span);
        }
    }
}

/// Why a program with threads cannot be checked, if it cannot.
pub(super) fn unsupported(program: &Program, calls: &CallTree, property: &Property) -> Option<&'static str> {
    let is_local = |global: &GlobalId| program.globals[*global].is_thread_local;
    match property {
        _ if !calls.has_threads => None,
        Property::Memory(_) => Some("rules about memory cannot be checked for programs with threads yet"),
        Property::ValidInit => Some("uninitialised reads cannot be checked for programs with threads yet"),
        _ if program.has_atomic_types => {
            Some("atomic types cannot be checked in programs with threads yet; `__atomic_…` functions can")
        }
        _ if calls.globals.iter().any(is_local) => Some("thread-local variables cannot be checked yet"),
        // Every thread has its own `errno`, but the models have only one.
        _ if calls.sees_errno() => Some("`errno` cannot be checked in programs with threads yet"),
        _ => None,
    }
}
