//! Unknown functions: they have neither a body, nor a model, nor a built-in meaning.
//!
//! What such a function may do is its *contract*, chosen by [`Externals`]. By default it may write every object that it
//! may know, any number of times, call every function whose address it may know with any arguments in between, and
//! return anything. The objects that it may know are the class [outside](PointsTo::outside) of the points-to analysis;
//! here its memory, and the global variables that other translation units can name, become arbitrary.

use thetis_base::Span;
use thetis_expr::{ExprId, VarId};
use thetis_model::cfa::{LocId, StmtKind};

use super::assumption::AssumptionKind;
use super::builtin::{is_computed, is_of_library};
use super::call::{Arg, Outcome};
use super::layout::{LeafPath, leaf_paths};
use super::lowering::Lowering;
use super::options::Externals;
use super::origin::{Event, FrameId};
use super::points_to::ObjectKey;
use super::safety::End;
use super::scalar::Scalar;
use super::spot::Spot;
use super::walk::site_of;
use crate::hir::{Expr, Function, FunctionId, Initializer, Type, TypeId};

/// Constants with more parts than this are not written again.
const MAX_KEPT: usize = 128;

impl<'h> Lowering<'h> {
    /// A call of an unknown function.
    pub(super) fn call_unknown(&mut self, call: &'h Expr, function: FunctionId, args: &'h [Expr]) -> Outcome {
        let info = &self.program.functions[function];
        self.arguments(args);
        self.note_contract(info, call.span);
        if self.options.externals != Externals::Svcomp && !info.is_pure {
            self.check_unknown_effect(call, &info.name, args);
            self.unknown_effect(call);
            if args.iter().any(|arg| self.program.types.is_stream(arg.ty)) {
                self.change_stream(&info.name, call.span);
            }
        }
        if info.is_noreturn {
            self.finish_program(End::Abort, call.span);
            return Outcome::Nothing;
        }
        self.check_unknown(call, &info.name, args);
        let is_known = match self.options.externals {
            Externals::Svcomp => is_computed(&info.name),
            Externals::Sound | Externals::Arguments | Externals::Careful => {
                is_of_library(info) || info.is_pure
            }
        };
        if is_known {
            self.approximate_if(self.store().tru(), &format!("`{}`", info.name), call.span);
        }
        let outcome = self.unknown_result(call, &info.name);
        if let (Outcome::Value(result), true) = (&outcome, info.returns_nonnull) {
            let is_something = self.store().ne(*result, self.arith.pointer(0));
            self.out.emit(StmtKind::Assume(is_something), call.span, Event::Silent);
        }
        outcome
    }

    /// What is known of a stream is kept in variables of the models. A function that gets one may change them, which is not followed.
    fn change_stream(&mut self, name: &str, span: Span) {
        let (changed, unchanged) = (self.out.location(span), self.out.location(span));
        self.fork(changed, unchanged, span);
        self.out.graph.continue_at(changed);
        self.out.limit(span, format!("`{name}` may change the state of a stream"));
        self.out.graph.continue_at(unchanged);
    }

    fn note_contract(&mut self, function: &Function, span: Span) {
        let name = &function.name;
        let contract = match self.options.externals {
            _ if function.is_pure => "changes nothing",
            Externals::Sound => {
                "may change every object that it can name or was given a pointer to, but no state of the library except for `errno`"
            }
            Externals::Arguments => {
                "may change every object that it was given a pointer to, nothing by name, and no state of the library except for `errno`"
            }
            Externals::Careful => {
                "may change every object that it was given a pointer to, inside its bounds, and no state of the library except for `errno`; it frees nothing"
            }
            Externals::Svcomp => "changes nothing",
        };
        self.out.assume_silently(
            AssumptionKind::Externals,
            format!("`{name}` is not defined: it may return anything and {contract}"),
            span,
        );
    }

    fn unknown_result(&mut self, call: &'h Expr, name: &str) -> Outcome {
        match self.scalar(call.ty) {
            Some(scalar) => {
                let value = self.input(name, call.ty, scalar, call.span);
                if scalar == Scalar::Pointer {
                    self.approximate_early(value, call.span);
                }
                Outcome::Value(value)
            }
            None if matches!(self.program.types.get(call.ty), Type::Record(_)) => {
                match self.temporary_spot(call.ty) {
                    Some(spot) => {
                        self.scramble(spot, call.ty, call.span);
                        Outcome::Record(spot)
                    }
                    None => Outcome::Nothing,
                }
            }
            None => Outcome::Nothing,
        }
    }

    /// Writes to everything that is known outside, and calls every function that may be called back.
    fn unknown_effect(&mut self, call: &'h Expr) {
        self.out.flush();
        self.change_outside(call.span);
        if self.calls.callbacks.is_empty() {
            return;
        }
        let (head, after) = (self.out.location(call.span), self.out.location(call.span));
        self.out.go(head);
        self.out.graph.continue_at(head);
        for function in &self.calls.callbacks {
            let (called, next) = (self.out.location(call.span), self.out.location(call.span));
            self.fork(called, next, call.span);
            self.out.graph.continue_at(called);
            self.call_back(call, *function);
            self.out.go(head);
            self.out.graph.continue_at(next);
        }
        self.out.go(after);
        self.out.graph.continue_at(after);
    }

    /// Control continues at either location.
    fn fork(&mut self, left: LocId, right: LocId, span: Span) {
        let (source, always) = (self.out.here(), self.store().tru());
        self.out.graph.guard(source, left, always, span, Event::Silent);
        self.out.graph.guard(source, right, always, span, Event::Silent);
    }

    /// Calls a function with any arguments.
    fn call_back(&mut self, call: &'h Expr, function: FunctionId) {
        match self.calls.callees.get(&(self.out.frame, site_of(call), function)).copied() {
            Some(frame) => {
                let args = self.any_arguments(frame, call.span);
                self.enter(frame, &args, call.span);
                self.change_outside(call.span);
            }
            None => {
                let name = &self.program.functions[function].name;
                self.out.limit(call.span, format!("`{name}` may be called while it is running"));
            }
        }
    }

    fn any_arguments(&mut self, frame: FrameId, span: Span) -> Vec<Arg> {
        let function = &self.program.functions[self.calls.frames[frame].function];
        let params = function.params.iter().map(|param| function.locals[*param].ty);
        params
            .map(|ty| match self.scalar(ty) {
                Some(scalar) => Arg::Scalar(scalar, self.arbitrary(scalar, span)),
                None => {
                    let spot = self.temporary_spot(ty).unwrap_or(Spot::Nowhere);
                    self.scramble(spot, ty, span);
                    Arg::Record(spot, ty)
                }
            })
            .collect()
    }

    /// Makes everything that outside code may write arbitrary.
    fn change_outside(&mut self, span: Span) {
        if self.points.is_outside_guessed {
            // Integers hardly ever carry parts of pointers, so a violation because of what is written here need not exist.
            self.approximate_if(self.store().tru(), "what functions without a body may write", span);
        }
        let constants = self.constants(span);
        for var in self.outside_arrays(span) {
            self.out.emit(StmtKind::Havoc(var), span, Event::Silent);
            if let Some(class) = self.points.outside() {
                self.trust_written(class, var, span);
            }
        }
        self.keep_constants(span);
        for (spot, scalar, value) in constants {
            self.write(spot, scalar, value, span, Event::Silent);
        }
        for global in self.points.named() {
            let (key, ty) = (ObjectKey::Global(*global), self.program.globals[*global].ty);
            if let spot @ Spot::Part { .. } = self.spot_of(key, ty) {
                self.scramble(spot, ty, span);
            }
        }
        self.out.flush();
    }

    /// Nothing may change string literals and `const` variables, so they have their values again.
    fn keep_constants(&mut self, span: Span) {
        let Some(class) = self.points.outside() else { return };
        for object in &self.points.class(class).objects {
            let ObjectKey::Global(global) = self.points.objects[*object].key else { continue };
            let info = &self.program.globals[global];
            let Some(initializer) = info.initializer.as_ref().filter(|_| info.is_const) else { continue };
            if matches!(initializer, Initializer::Parts(parts) if parts.len() > MAX_KEPT) {
                self.approximate_if(self.store().tru(), &format!("what is in `{}`", info.name), span);
                continue;
            }
            let spot = self.spot_of(ObjectKey::Global(global), info.ty);
            self.initialize(spot, info.ty, initializer, span);
        }
    }

    /// The type and the name of a `const` variable whose value the text does not say: one that is defined elsewhere, or a local one.
    fn constant(&self, key: ObjectKey) -> Option<(TypeId, &'h str)> {
        match key {
            ObjectKey::Global(global) => {
                let info = &self.program.globals[global];
                (info.is_const && !info.is_defined).then_some((info.ty, info.name.as_str()))
            }
            ObjectKey::Local(frame, local) => {
                let info = &self.program.functions[self.calls.frames[frame].function].locals[local];
                info.is_const.then_some((info.ty, info.name.as_str()))
            }
            ObjectKey::Result(_) | ObjectKey::Heap(..) => None,
        }
    }

    /// The values of such variables, as far as they are in memory that others may change.
    fn constants(&mut self, span: Span) -> Vec<(Spot, Scalar, ExprId)> {
        let Some(class) = self.points.outside() else { return Vec::new() };
        let mut found = Vec::new();
        for object in &self.points.class(class).objects {
            let key = self.points.objects[*object].key;
            let Some((ty, name)) = self.constant(key) else { continue };
            let leaves = leaf_paths(&self.program.types, ty, MAX_KEPT);
            let is_known =
                |leaves: &Vec<LeafPath>| !leaves.is_empty() && leaves.iter().all(|leaf| leaf.bits.is_none());
            let Some(leaves) = leaves.filter(is_known) else {
                self.approximate_if(self.store().tru(), &format!("what is in `{name}`"), span);
                continue;
            };
            let spot = self.spot_of(key, ty);
            for LeafPath { steps, ty: leaf, .. } in leaves {
                let Some(scalar) = self.scalar(leaf) else { continue };
                let part = self.part(spot, ty, &steps).0;
                let value = self.read(part, scalar, None, span);
                found.push((part, scalar, self.freeze(value, span)));
            }
        }
        found
    }

    /// All memory of objects that are known outside.
    fn outside_arrays(&mut self, span: Span) -> Vec<VarId> {
        let Some(class) = self.points.outside() else { return Vec::new() };
        let accessed = self.region(class).accessed();
        let mut arrays: Vec<VarId> = accessed
            .into_iter()
            .filter_map(|(scalar, key)| self.cells(class, scalar, key, span).map(|(var, _)| var))
            .collect();
        arrays.sort_unstable();
        arrays.dedup();
        arrays
    }
}
