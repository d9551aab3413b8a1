//! Calls: replaced by copies of functions, except for [procedures](super::procedures).

use num_bigint::BigInt;
use thetis_base::Span;
use thetis_expr::{ExprId, VarId};
use thetis_model::cfa::StmtKind;

use super::builtin::Builtin;
use super::calls::candidates;
use super::lowering::{Lowering, Scope};
use super::options::Property;
use super::order::Conflict;
use super::origin::{Event, FrameId, VarOrigin, ViolationKind};
use super::points_to::ObjectKey;
use super::scalar::Scalar;
use super::spot::Spot;
use super::walk::{Part, site_of, walk_body};
use crate::hir::{Callee, CompareOp, Expr, FunctionId, StmtKind as Hir, Type, TypeId};

/// An argument that has been evaluated.
#[derive(Clone, Copy)]
pub(super) enum Arg {
    Scalar(Scalar, ExprId),
    Record(Spot, TypeId),
}

/// The result of a call.
#[derive(Clone, Copy)]
pub(super) enum Outcome {
    /// The result of a copy of a function.
    Frame(FrameId),
    /// The value of a builtin.
    Value(ExprId),
    /// A structure.
    Record(Spot),
    /// No value.
    Nothing,
}

impl<'h> Lowering<'h> {
    /// The value of a call.
    pub(super) fn call_value(&mut self, call: &'h Expr, callee: &'h Callee, args: &'h [Expr]) -> ExprId {
        let outcome = self.call(call, callee, args);
        match (outcome, self.scalar(call.ty)) {
            (Outcome::Value(term), _) => term,
            (Outcome::Frame(frame), Some(scalar)) => {
                let ty = self.program.functions[self.calls.frames[frame].function].ty.result;
                let result = self.scalar(ty).unwrap_or(scalar);
                let spot = self.spot_of(ObjectKey::Result(frame), ty);
                let mut term = self.read(spot, result, None, call.span);
                if self.calls.is_procedure(frame) {
                    // The next call of the procedure will overwrite the result variable.
                    term = self.freeze(term, call.span);
                }
                let partial = self.arith.convert(result, scalar, term);
                self.defined(partial, scalar, call.span)
            }
            (_, Some(scalar)) => self.arbitrary(scalar, call.span),
            (_, None) => self.store().tru(),
        }
    }

    /// Where the structure is that a call returns.
    pub(super) fn call_record(&mut self, call: &'h Expr, callee: &'h Callee, args: &'h [Expr]) -> Spot {
        match self.call(call, callee, args) {
            Outcome::Frame(frame) => self.spot_of(ObjectKey::Result(frame), call.ty),
            Outcome::Record(spot) => spot,
            Outcome::Value(_) | Outcome::Nothing => Spot::Nowhere,
        }
    }

    fn call(&mut self, call: &'h Expr, callee: &'h Callee, args: &'h [Expr]) -> Outcome {
        if self.out.graph.num_edges() > self.options.max_edges || !self.out.graph.is_live() {
            return Outcome::Nothing;
        }
        match callee {
            Callee::Function(function) => self.call_function(call, *function, args),
            Callee::Pointer(pointer) => self.call_pointer(call, pointer, args),
        }
    }

    fn call_function(&mut self, call: &'h Expr, function: FunctionId, args: &'h [Expr]) -> Outcome {
        let function = self.calls.resolve(function);
        let info = &self.program.functions[function];
        if matches!(&self.options.property, Property::UnreachCall(name) if *name == info.name) {
            self.arguments(args);
            self.out.violate(call.span, ViolationKind::Call);
            return Outcome::Nothing;
        }
        if info.body.is_none() {
            return match super::builtin::builtin(&self.program.types, info) {
                Some(Builtin::VaValue) if self.scalar(call.ty).is_none() => {
                    Outcome::Record(self.argument_record(call, args))
                }
                Some(builtin) => match self.builtin(call, builtin, &info.name, args) {
                    Some(term) => Outcome::Value(term),
                    None => Outcome::Nothing,
                },
                None => self.call_unknown(call, function, args),
            };
        }
        let args = self.arguments(args);
        match self.calls.callees.get(&(self.out.frame, site_of(call), function)) {
            Some(frame) => {
                self.enter(*frame, &args, call.span);
                Outcome::Frame(*frame)
            }
            None => {
                let bound = self.calls.recursion_bound;
                self.out.limit(call.span, format!("more than {bound} calls of `{}` are pending", info.name));
                Outcome::Nothing
            }
        }
    }

    /// A value from outside. That of a function called `…bool` is 0 or 1, whatever its type.
    pub(super) fn input(&mut self, function: &str, ty: TypeId, scalar: Scalar, span: Span) -> ExprId {
        let sort = self.arith.sort(scalar);
        let var = self.auxiliary("input", sort, VarOrigin::Input(scalar));
        let term = self.store().var_expr(var);
        self.out.flush();
        self.havoc(var, scalar, span, Event::Input { function: function.to_string(), var, ty });
        if let (true, Some(integer)) = (function.ends_with("nondet_bool"), scalar.integer()) {
            let values = [0, 1].map(|number| self.arith.integer(integer, &BigInt::from(number)));
            let is_bool = self.store().or_all(values.map(|value| self.store().eq(term, value)));
            self.out.emit(StmtKind::Assume(is_bool), span, Event::Silent);
        }
        self.out.flush();
        term
    }

    /// All arguments, in the order of the text.
    pub(super) fn arguments(&mut self, args: &'h [Expr]) -> Vec<Arg> {
        let conflicts = self.conflicts(args.iter());
        if !conflicts.is_empty() {
            return self.arguments_in_either_order(args, &conflicts);
        }
        self.arguments_in_order(args)
    }

    /// Arguments that depend on one another. Two of them have two orders; for more, not all orders are explored.
    fn arguments_in_either_order(
        &mut self,
        args: &'h [Expr],
        conflicts: &[(usize, usize, Conflict)],
    ) -> Vec<Arg> {
        let scalars: Option<Vec<Scalar>> = args.iter().map(|arg| self.scalar(arg.ty)).collect();
        let (Some(scalars), [(_, _, Conflict::Ordered)]) = (scalars, conflicts) else {
            self.limit_order(args[0].span);
            return self.arguments_in_order(args);
        };
        let vars: Vec<VarId> = scalars
            .iter()
            .map(|scalar| {
                let sort = self.arith.sort(*scalar);
                self.auxiliary("tmp", sort, VarOrigin::Temporary)
            })
            .collect();
        let keep = |lowering: &mut Self, number: usize| {
            let term = lowering.value(&args[number]);
            lowering.out.emit(StmtKind::Assign(vars[number], term), args[number].span, Event::Silent);
        };
        self.in_either_order(
            args[0].span,
            |lowering| (0..args.len()).for_each(|number| keep(lowering, number)),
            |lowering| (0..args.len()).rev().for_each(|number| keep(lowering, number)),
        );
        let store = self.store();
        scalars.iter().zip(&vars).map(|(scalar, var)| Arg::Scalar(*scalar, store.var_expr(*var))).collect()
    }

    fn arguments_in_order(&mut self, args: &'h [Expr]) -> Vec<Arg> {
        let last_writer = args.iter().rposition(|arg| self.writes(arg));
        let mut values = Vec::with_capacity(args.len());
        for (position, arg) in args.iter().enumerate() {
            let mut value = self.argument(arg);
            if let (Arg::Scalar(scalar, term), true) = (value, last_writer > Some(position)) {
                value = Arg::Scalar(scalar, self.freeze(term, arg.span));
            }
            values.push(value);
        }
        values
    }

    fn argument(&mut self, arg: &'h Expr) -> Arg {
        match self.scalar(arg.ty) {
            Some(scalar) => Arg::Scalar(scalar, self.value(arg)),
            None => Arg::Record(self.record(arg), arg.ty),
        }
    }

    /// Puts a copy of a function here.
    pub(super) fn enter(&mut self, callee: FrameId, args: &[Arg], span: Span) {
        if self.calls.is_procedure(callee) {
            return self.call_procedure(callee, args, span);
        }
        let function = &self.program.functions[self.calls.frames[callee].function];
        let event = Event::Call(callee);
        let passed: Vec<(Scalar, Arg)> = (function.params.iter().zip(args))
            .filter_map(|(param, arg)| Some((self.scalar(function.locals[*param].ty)?, *arg)))
            .collect();
        passed.into_iter().for_each(|(to, arg)| self.check_passed(arg, to, span));
        self.out.flush();
        let mut is_shown = false;
        for (param, arg) in function.params.iter().zip(args) {
            let ty = function.locals[*param].ty;
            let spot = self.spot_of(ObjectKey::Local(callee, *param), ty);
            match *arg {
                Arg::Scalar(from, term) => {
                    let Some(scalar) = self.scalar(ty) else { continue };
                    let term = self.arith.convert(from, scalar, term).term;
                    self.write(spot, scalar, term, span, event.clone());
                }
                Arg::Record(source, ty) => self.copy(spot, source, ty, span, &event),
            }
            self.begin_lifetime(ObjectKey::Local(callee, *param), span);
            is_shown = true;
        }
        if is_shown {
            self.out.flush();
        } else {
            self.out.graph.tell(self.out.frame, span, event);
        }
        let after = self.out.location(span);
        let is_atomic = self.enter_atomic_function(callee, span);
        let caller = std::mem::replace(&mut self.out.frame, callee);
        let scope = Scope { return_to: Some(after), ..Scope::default() };
        let outer = std::mem::replace(&mut self.scope, scope);
        self.body(callee);
        self.out.frame = caller;
        let ended = std::mem::replace(&mut self.scope, outer);
        self.out.graph.continue_at(after);
        self.leave_atomic_function(callee, is_atomic, span);
        self.end_frame(callee, span);
        self.clear_pointers(callee, span);
        self.end_blocks(&ended.blocks, ended.has_many_blocks, span);
    }

    /// A program may declare a function of the library with a smaller integer as a parameter. Then the function gets the other bits of a
    /// register, which are zero by habit.
    fn check_passed(&mut self, arg: Arg, to: Scalar, span: Span) {
        let Arg::Scalar(from, term) = arg else { return };
        let (Scalar::Int(given), Scalar::Int(expected)) = (from, to) else { return };
        if given.is_signed && given.width < expected.width {
            let is_negative = self.arith.compare(CompareOp::Lt, from, term, self.arith.zero(from));
            let reason = "a negative argument of a function that has a larger parameter than declared";
            self.limit_if(is_negative, span, reason);
        }
    }

    /// The body of a function, and what happens when control reaches its end.
    pub(super) fn body(&mut self, frame: FrameId) {
        let function = &self.program.functions[self.calls.frames[frame].function];
        let body = function.body.as_deref().unwrap_or_default();
        self.scope.may_jump_back =
            walk_body(body).any(|part| matches!(part, Part::Stmt(stmt) if matches!(stmt.kind, Hir::Goto(_))));
        self.place_variables(frame, function.span);
        self.forget_values_of_frame(function.span);
        body.iter().for_each(|stmt| self.stmt(stmt));
        if self.scope.return_to.is_none()
            && let Some(scalar) = self.scalar(function.ty.result)
        {
            // The end of `main` returns zero.
            let spot = self.spot_of(ObjectKey::Result(frame), function.ty.result);
            self.write(spot, scalar, self.arith.zero(scalar), function.span, Event::Assign);
        }
        self.leave(function.span);
        self.out.graph.die(self.out.frame);
    }

    /// One of the functions that the pointer may point to.
    fn call_pointer(&mut self, call: &'h Expr, pointer: &'h Expr, args: &'h [Expr]) -> Outcome {
        if args.iter().any(|arg| self.conflict(pointer, arg) != Conflict::None) {
            self.limit_order(call.span);
        }
        let address = self.value(pointer);
        let address = self.freeze(address, pointer.span);
        let args: Vec<Arg> = self.arguments(args);
        let args: Vec<Arg> = args
            .into_iter()
            .map(|arg| match arg {
                Arg::Scalar(scalar, term) => Arg::Scalar(scalar, self.freeze(term, call.span)),
                record @ Arg::Record(..) => record,
            })
            .collect();
        self.call_pointed(call, address, &args)
    }

    /// Calls the function at an address, with arguments that have been evaluated.
    pub(super) fn call_pointed(&mut self, call: &'h Expr, address: ExprId, args: &[Arg]) -> Outcome {
        let store = self.store();
        let functions = self.pointed_functions(call);
        let (result, join) = (self.result_holder(call), self.out.location(call.span));
        for function in functions {
            let target = self.objects.function_address(function);
            let is_it = self.arith.compare(CompareOp::Eq, Scalar::Pointer, address, target);
            let (hit, miss) = (self.out.location(call.span), self.out.location(call.span));
            self.select(is_it, hit, miss, call.span);
            self.out.graph.continue_at(hit);
            self.call_candidate(call, function, args, result);
            self.out.go(join);
            self.out.graph.continue_at(miss);
        }
        self.out.limit(call.span, "a call through a pointer that points to no function of its type");
        self.out.graph.continue_at(join);
        match result {
            Some((spot @ Spot::Part { storage, .. }, scalar)) => {
                match (scalar, &self.objects.storages.parts[storage]) {
                    (Some(_), super::storage::Storage::Scalar { var, .. }) => {
                        Outcome::Value(store.var_expr(*var))
                    }
                    _ => Outcome::Record(spot),
                }
            }
            _ => Outcome::Nothing,
        }
    }

    /// A variable for the result, whichever function is called.
    fn result_holder(&mut self, call: &Expr) -> Option<(Spot, Option<Scalar>)> {
        if matches!(self.program.types.get(call.ty), Type::Void) {
            return None;
        }
        Some((self.temporary_spot(call.ty)?, self.scalar(call.ty)))
    }

    pub(super) fn pointed_functions(&self, call: &'h Expr) -> Vec<FunctionId> {
        let crate::hir::ExprKind::Call(_, args) = &call.kind else { return Vec::new() };
        let all = candidates(self.program, &self.calls.address_taken, args, call.ty);
        let known = self
            .points
            .called(self.out.frame, site_of(call))
            .map(|class| &self.points.class(class).functions);
        match known {
            Some(known) if !known.is_empty() => {
                all.into_iter().filter(|function| known.contains(function)).collect()
            }
            _ => all,
        }
    }

    fn call_candidate(
        &mut self,
        call: &'h Expr,
        function: FunctionId,
        args: &[Arg],
        result: Option<(Spot, Option<Scalar>)>,
    ) {
        let info = &self.program.functions[function];
        if matches!(&self.options.property, Property::UnreachCall(name) if *name == info.name) {
            return self.out.violate(call.span, ViolationKind::Call);
        }
        let Some(frame) = self.calls.callees.get(&(self.out.frame, site_of(call), function)).copied() else {
            let reason = match info.body {
                Some(_) => {
                    format!("more than {} calls of `{}` are pending", self.calls.recursion_bound, info.name)
                }
                None => format!("`{}`, which is not defined, is called through a pointer", info.name),
            };
            return self.out.limit(call.span, reason);
        };
        self.enter(frame, args, call.span);
        let Some((target, scalar)) = result else { return };
        let source = self.spot_of(ObjectKey::Result(frame), info.ty.result);
        match (scalar, self.scalar(info.ty.result)) {
            (Some(to), Some(from)) => {
                let term = self.read(source, from, None, call.span);
                let term = self.arith.convert(from, to, term).term;
                self.write(target, to, term, call.span, Event::Silent);
            }
            (None, None) => self.copy(target, source, call.ty, call.span, &Event::Silent),
            _ => {}
        }
    }
}
