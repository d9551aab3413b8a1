//! Recursive functions as procedures.
//!
//! Copying a recursive function would never end, so in the automaton of copies the copies stop at a bound. Here such a
//! function is translated once, into a part of the automaton with an entry and an exit, and each call of it is a
//! location: see [`Procedural`]. Its variables and the intermediate values of its expressions are *local* to an
//! activation. Everything else is shared: variables with static storage, those of `main` and of the copies in it (which
//! have only one activation), memory, and the variables in which arguments and results are passed.
//!
//! That is exact as long as only the activation can access its variables. If the address of a variable is used, or if
//! more than scalars is passed, there are no procedures, only copies. There are none for rules about memory either,
//! which need to know which variables are live and initialised.

use std::collections::{BTreeMap, BTreeSet};

use thetis_base::{IndexVec, Span};
use thetis_expr::VarId;
use thetis_model::cfa::{LocId, Procedural, Procedure, ProcedureCall, ProcedureId, StmtKind};

use super::call::Arg;
use super::calls::CallTree;
use super::graph::Finished;
use super::lowering::{Lowering, Scope};
use super::options::{LowerOptions, Property};
use super::origin::{Event, FrameId, VarOrigin};
use super::points_to::{ObjectKey, PointsTo};
use crate::hir::{FunctionId, Program, Type};

/// What the names of variables begin with in the automaton with procedures.
pub(super) const PREFIX: &str = "proc:";

/// The procedures of a translation.
#[derive(Default)]
pub(super) struct Procedures {
    /// The variables in which arguments are passed, by procedure and position.
    arguments: BTreeMap<(FrameId, usize), VarId>,
    calls: Vec<Call>,
    bodies: Vec<Body>,
}

struct Call {
    location: LocId,
    callee: FrameId,
    target: LocId,
}

struct Body {
    frame: FrameId,
    entry: LocId,
    exit: LocId,
}

impl Procedures {
    /// The locations that control reaches by calls and returns only.
    pub(super) fn starts(&self) -> Vec<LocId> {
        let bodies = self.bodies.iter().flat_map(|body| [body.entry, body.exit]);
        bodies.chain(self.calls.iter().map(|call| call.target)).collect()
    }

    /// The automaton with procedures of a translation. Every activation has its own `locals`.
    pub(super) fn finish(self, calls: &CallTree, locals: BTreeSet<VarId>, finished: Finished) -> Procedural {
        let (mut procedures, mut numbers) = (IndexVec::new(), BTreeMap::new());
        let place = |location: LocId| finished.renumbered[location];
        for body in &self.bodies {
            let (Some(entry), Some(exit)) = (place(body.entry), place(body.exit)) else { continue };
            let name = calls.frames[body.frame].path.clone();
            let id: ProcedureId = procedures.push(Procedure { name, entry, exit });
            numbers.insert(body.frame, id);
        }
        let call = |call: &Call| {
            let target = place(call.target)?;
            Some((place(call.location)?, ProcedureCall { callee: *numbers.get(&call.callee)?, target }))
        };
        let calls = self.calls.iter().filter_map(call).collect();
        let is_mentioned = |var: &VarId| finished.cfa.vars.contains(var);
        let locals = locals.into_iter().filter(is_mentioned).collect();
        Procedural { cfa: finished.cfa, procedures, calls, locals }
    }
}

/// Whether the property, the types passed and the addresses used allow procedures.
pub(super) fn are_possible(
    program: &Program,
    options: &LowerOptions,
    calls: &CallTree,
    points: &PointsTo,
) -> bool {
    let has_addresses = points.objects.iter().any(|object| match object.key {
        ObjectKey::Local(frame, _) | ObjectKey::Result(frame) => object.escapes && calls.is_private(frame),
        ObjectKey::Global(_) | ObjectKey::Heap(..) => false,
    });
    let is_plain = |function: &FunctionId| passes_scalars(program, *function);
    !matches!(options.property, Property::Memory(_) | Property::ValidInit)
        && calls.callbacks.is_empty()
        && !has_addresses
        && calls.procedures.keys().all(is_plain)
}

fn passes_scalars(program: &Program, function: FunctionId) -> bool {
    let function = &program.functions[function];
    let is_scalar = |ty| super::Scalar::of(&program.types, ty).is_some();
    let is_void = matches!(program.types.get(function.ty.result), Type::Void);
    !function.ty.is_variadic
        && function.num_extra == 0
        && (is_void || is_scalar(function.ty.result))
        && function.params.iter().all(|param| is_scalar(function.locals[*param].ty))
}

impl Lowering<'_> {
    /// Puts a call of a procedure here.
    pub(super) fn call_procedure(&mut self, callee: FrameId, args: &[Arg], span: Span) {
        let function = &self.program.functions[self.calls.frames[callee].function];
        self.out.flush();
        for (position, param) in function.params.iter().enumerate() {
            let passed = self.passing(callee, position);
            let Some(to) = self.scalar(function.locals[*param].ty) else { continue };
            match args.get(position) {
                Some(Arg::Scalar(from, term)) => {
                    let term = self.arith.convert(*from, to, *term).term;
                    self.out.emit(StmtKind::Assign(passed, term), span, Event::Call(callee));
                }
                // A call without a prototype may have too few arguments.
                Some(Arg::Record(..)) | None => self.havoc(passed, to, span, Event::Call(callee)),
            }
        }
        let (location, target) = (self.out.location(span), self.out.location(span));
        if self.out.graph.is_live() {
            self.out.graph.expect(target);
            self.out.limits.push((location, span, format!("`{}` calls itself", function.name)));
            self.procedures.calls.push(Call { location, callee, target });
        }
        self.out.go(location);
        self.out.graph.continue_at(target);
    }

    /// The variable in which an argument is passed.
    fn passing(&mut self, procedure: FrameId, position: usize) -> VarId {
        if let Some(known) = self.procedures.arguments.get(&(procedure, position)) {
            return *known;
        }
        let frame = &self.calls.frames[procedure];
        let function = &self.program.functions[frame.function];
        let local = &function.locals[function.params[position]];
        let scalar = self.scalar(local.ty).expect("the parameters of procedures should be scalars");
        let (store, sort) = (self.store(), self.arith.sort(scalar));
        let name = format!("{}.{}.passed", frame.path, local.name);
        let var = self.objects.storages.declare(store, &name, sort, VarOrigin::Temporary);
        self.procedures.arguments.insert((procedure, position), var);
        var
    }

    /// Translates the procedures.
    pub(super) fn translate_procedures(&mut self) {
        let frames: Vec<FrameId> = self.calls.procedures.values().copied().collect();
        for frame in frames {
            let function = &self.program.functions[self.calls.frames[frame].function];
            self.out.frame = frame;
            let (entry, exit) = (self.out.location(function.span), self.out.location(function.span));
            self.scope = Scope { return_to: Some(exit), ..Scope::default() };
            self.out.graph.expect(entry);
            self.out.graph.continue_at(entry);
            self.take_arguments(frame);
            self.body(frame);
            self.procedures.bodies.push(Body { frame, entry, exit });
        }
    }

    /// Assigns the arguments to the parameters. A function that ends without a result returns an arbitrary one.
    fn take_arguments(&mut self, frame: FrameId) {
        let function = &self.program.functions[self.calls.frames[frame].function];
        for (position, param) in function.params.iter().enumerate() {
            let passed = self.store().var_expr(self.passing(frame, position));
            let ty = function.locals[*param].ty;
            let Some(scalar) = self.scalar(ty) else { continue };
            let spot = self.spot_of(ObjectKey::Local(frame, *param), ty);
            self.write(spot, scalar, passed, function.span, Event::Silent);
            self.out.flush();
        }
        if self.scalar(function.ty.result).is_some() {
            let spot = self.spot_of(ObjectKey::Result(frame), function.ty.result);
            self.scramble(spot, function.ty.result, function.span);
            self.out.flush();
        }
    }
}
