//! Calls that are replaced by what the annotations of the function say.
//!
//! Preconditions and invariants are checked, what the function may change gets arbitrary values, and postconditions and
//! invariants are assumed. What it may change is what `modifies` says, or else what its body changes ([`ModSet`]). A function
//! without a body and without `modifies` may do anything, like unknown code.

use thetis_base::Span;

use crate::check::{CheckKind, Moment};
use crate::fault::{Res, unsupported};
use crate::types::{FuncId, Region};

use super::call::{CalleeCode, Context, Memory};
use super::global::Global;
use super::graph::Extent;
use super::item::{Item, Val};
use super::modset::ModSet;
use super::{Local, Lower, View};

impl Lower<'_, '_> {
    pub(crate) fn modular_call(
        &mut self,
        id: FuncId,
        args: Vec<Item>,
        context: Context,
        span: Span,
    ) -> Res<Item> {
        let func = &self.decls.funcs[id];
        let mut values = Vec::new();
        for (arg, param) in args.into_iter().zip(&func.params) {
            let typed = self.coerce(arg, &param.ty, span)?;
            let pointer = match &typed.val {
                Val::Place(place) => Some(self.pointer_to(&place.clone(), span)?),
                _ => None,
            };
            values.push((typed, pointer));
        }
        if func.body.is_some() && context.code == CalleeCode::Declared && context.this == self.root_this() {
            self.relied_on.push(id);
        }
        let effect = self.effect(id, context);
        self.check_no_changes(span);
        if effect.all_state {
            self.check_own_invariants(span)?;
        }
        self.enter(id, context)?;
        for ((typed, pointer), param) in values.into_iter().zip(&func.params) {
            self.bind(param, typed, pointer, span)?;
        }
        let result = self.contract_call(id, &effect, context.code, span);
        let frame = self.frames.pop();
        result?;
        for event in self.specified_events(id) {
            self.emitted.push((event, format!(" (via calling {})", func.name)));
        }
        self.results(frame.map(|frame| frame.returns).unwrap_or_default())
    }

    /// What a call may change. If annotations say what changes in the callee's own contract, its body still says what changes elsewhere.
    fn effect(&self, id: FuncId, context: Context) -> ModSet {
        let func = &self.decls.funcs[id];
        if context.code == CalleeCode::Unknown {
            return ModSet { all_state: !self.is_constant(id), ..ModSet::default() };
        }
        let says = func.modifies().next().is_some();
        let effect = match (says, func.body.is_some()) {
            (true, false) => ModSet { specified: true, ..ModSet::default() },
            (false, false) => self.mod_set(id),
            (_, true) if says || self.program.checks_modifies => self.beyond_annotations(id),
            (_, true) => self.mod_set(id),
        };
        match context.memory {
            Memory::Shared => effect,
            Memory::Separate => effect.only_state(),
        }
    }

    fn beyond_annotations(&self, id: FuncId) -> ModSet {
        let mut effect = self.mod_set(id);
        let own =
            self.decls.funcs[id].contract.map(|contract| self.decls.slots_of(contract)).unwrap_or_default();
        effect.globals.retain(|global| match global {
            Global::State(slot, _) | Global::Sum(slot, _) => !own.contains(slot),
            Global::Balance => false,
            _ => true,
        });
        ModSet { specified: !self.is_constant(id), ..effect }
    }

    /// Inside the frame of the callee: check, change, assume.
    fn contract_call(&mut self, id: FuncId, effect: &ModSet, code: CalleeCode, span: Span) -> Res<()> {
        let func = &self.decls.funcs[id];
        let this = self.frame().this;
        if func.keeps_invariants()
            && code == CalleeCode::Declared
            && let Some(owner) = func.contract
        {
            self.check_invariants(owner, this, Moment::Entry, span)?;
        }
        self.check_preconditions(id, span)?;
        let moment = self.graph.remember();
        let outer = self.old.replace(moment);
        self.change(id, effect, moment, span)?;
        self.havoc_results();
        if effect.all_state {
            self.assume_own_invariants()?;
        }
        let assumed = match code {
            CalleeCode::Declared => self.assume_outcome(id, span),
            CalleeCode::Unknown => Ok(()),
        };
        self.old = outer;
        assumed
    }

    /// Checks what a function relies on, in its frame.
    pub(crate) fn check_preconditions(&mut self, id: FuncId, span: Span) -> Res<()> {
        for precondition in self.decls.funcs[id].preconditions() {
            let kind = CheckKind::Precondition(precondition.text.clone());
            self.check_formula(precondition, "precondition", Moment::Entry, kind, span)?;
        }
        Ok(())
    }

    fn change(&mut self, id: FuncId, effect: &ModSet, moment: super::graph::Snapshot, span: Span) -> Res<()> {
        if effect.all_state {
            self.change_all_state();
        }
        if effect.all_memory {
            self.graph.havoc_all(Extent::Memory);
        }
        if effect.specified {
            self.change_as_specified(id, effect, moment, span)?;
        }
        for global in &effect.globals {
            if let Some(sort) = self.global_sort(global, span)? {
                let var = self.global_var(global, sort);
                let before = self.settle(self.store.var_expr(var));
                self.graph.havoc(var);
                if *global == Global::NextReference {
                    self.graph.assume(self.store.le(before, self.store.var_expr(var)));
                }
            }
        }
        // The callee has to emit the events for its changes itself.
        self.changed_everything();
        self.change_pointers(id, span)
    }

    /// A library function may change what its storage parameters point to.
    fn change_pointers(&mut self, id: FuncId, span: Span) -> Res<()> {
        let func = &self.decls.funcs[id];
        if self.is_constant(id) {
            return Ok(());
        }
        for param in func.params.clone() {
            if param.ty.region() != Some(Region::Storage) {
                continue;
            }
            let name = param.name.clone().unwrap_or_default();
            if !matches!(self.find_local(&name), Some(Local::Pointer { .. })) {
                return unsupported(span, "this storage argument is not supported");
            }
            let place = self.pointer_place(&name, &param.ty, span)?;
            let sorts = self.leaves(&param.ty, span)?;
            let new: Vec<_> = sorts.into_iter().map(|sort| self.anything(sort)).collect();
            self.write_place(&place, &new, span)?;
        }
        Ok(())
    }

    fn havoc_results(&mut self) {
        for local in self.frame().returns.clone() {
            match local {
                Local::Var { ty, var, .. } => {
                    self.graph.havoc(var);
                    self.value_fact(&ty, self.store.var_expr(var));
                }
                Local::Pointer { kind, indices, .. } => {
                    self.graph.havoc(kind);
                    for var in indices.values() {
                        self.graph.havoc(*var);
                    }
                }
                Local::Elsewhere(_) | Local::Bound(..) => {}
            }
        }
    }

    fn assume_outcome(&mut self, id: FuncId, span: Span) -> Res<()> {
        let func = &self.decls.funcs[id];
        let this = self.frame().this;
        if func.body.is_none() && (func.is_annotated() || self.keeps_stated_invariants(id)) {
            let text = format!("the code of `{}` satisfies its annotations", self.full_name(id));
            self.note_assumption("annotated-code", text, span);
        }
        if func.keeps_invariants()
            && let Some(owner) = func.contract
        {
            self.assume_invariants(owner, this)?;
        }
        for postcondition in func.postconditions() {
            self.assume_formula(postcondition)?;
        }
        for (premise, conclusion) in func.cases() {
            let Some(moment) = self.old else { continue };
            let premise = self.ground_formula(premise, View::At(moment))?;
            let conclusion = self.ground_formula(conclusion, View::Now)?;
            self.graph.assume(self.store.implies(premise, conclusion));
        }
        Ok(())
    }

    /// Whether the invariants of the function's contract say something.
    fn keeps_stated_invariants(&self, id: FuncId) -> bool {
        let func = &self.decls.funcs[id];
        func.keeps_invariants() && func.contract.is_some_and(|owner| !self.invariants(owner).is_empty())
    }

    fn full_name(&self, id: FuncId) -> String {
        let func = &self.decls.funcs[id];
        let contract = func.contract.map_or("", |owner| self.decls.contracts[owner].name.as_str());
        format!("{contract}.{}", func.name)
    }
}
