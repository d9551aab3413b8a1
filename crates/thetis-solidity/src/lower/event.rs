//! Events: which ones a function emits, and what they say about the data that they track.
//!
//! An event that tracks data has to be emitted after the data were changed and before the next checkpoint: a call, a loop, or the end of
//! the function. Its preconditions are about the state at the last checkpoint, its postconditions about the state now.

use thetis_base::Span;
use thetis_expr::{ExprId, Sort};

use crate::annotation::Annotation;
use crate::check::{Check, CheckKind};
use crate::fault::{Res, invalid, unsupported};
use crate::legality::tracked;
use crate::types::{EventId, FuncId, SlotId};

use super::global::Global;
use super::item::Item;
use super::{Lower, View};

impl Lower<'_, '_> {
    /// `emit E(args)`.
    pub(crate) fn emit(&mut self, events: &[EventId], args: Vec<Item>, span: Span) -> Res<Item> {
        self.permit(super::permission::Access::Write, span)?;
        let fits = |event: &EventId| {
            let params = &self.decls.events[*event].params;
            params.len() == args.len()
                && args.iter().zip(params).all(|(arg, param)| self.accepts(arg, &param.ty))
        };
        let event = match events.iter().copied().filter(fits).collect::<Vec<EventId>>().as_slice() {
            [] => return invalid(span, "no event takes these arguments"),
            [one] => *one,
            _ => return unsupported(span, "which of several events takes these arguments is not modelled"),
        };
        self.emitted.push((event, String::new()));
        if self.program.checks_events {
            self.event_conditions(event, args, span)?;
        }
        Ok(Item::Tuple(Vec::new()))
    }

    fn event_conditions(&mut self, event: EventId, args: Vec<Item>, span: Span) -> Res<()> {
        let decl = &self.decls.events[event];
        if decl.annotations.is_empty() {
            return Ok(());
        }
        let mut scope = std::collections::BTreeMap::new();
        for (arg, param) in args.into_iter().zip(&decl.params) {
            let Some(name) = &param.name else { continue };
            let term = self.coerce_term(arg, &param.ty, span)?;
            let var = self.graph.fresh(&self.store, name, self.store.sort(term));
            self.graph.assign(var, term);
            scope.insert(name.clone(), super::Local::Var { ty: param.ty.clone(), var, old: None });
        }
        let frame = self.frame_mut();
        let scopes = std::mem::replace(&mut frame.scopes, vec![scope]);
        let contract = std::mem::replace(&mut frame.contract, decl.contract);
        let result = self.check_event(event, span);
        let frame = self.frame_mut();
        frame.scopes = scopes;
        frame.contract = contract;
        result?;
        for slot in self.tracked_by(event) {
            self.set_changed(slot, self.store.fals());
        }
        if let Some(before) = self.before {
            self.graph.remember_again(before);
        }
        Ok(())
    }

    fn check_event(&mut self, event: EventId, span: Span) -> Res<()> {
        let decl = &self.decls.events[event];
        for annotated in &decl.annotations {
            let (formula, kind, view) = match &annotated.what {
                Annotation::Precondition(formula) => {
                    let kind = CheckKind::EventPrecondition(formula.text.clone(), decl.name.clone());
                    (formula, kind, self.before.map_or(View::Now, View::At))
                }
                Annotation::Postcondition(formula) => (
                    formula,
                    CheckKind::EventPostcondition(formula.text.clone(), decl.name.clone()),
                    View::Now,
                ),
                _ => continue,
            };
            let condition = self.ground_formula(formula, view)?;
            self.graph.check(&self.store, condition, Check { kind, span });
        }
        Ok(())
    }

    /// The state variables that an event tracks.
    fn tracked_by(&self, event: EventId) -> Vec<SlotId> {
        let decl = &self.decls.events[event];
        let mut slots = Vec::new();
        for annotated in &decl.annotations {
            match &annotated.what {
                Annotation::TracksChangesIn(formula) => {
                    slots.extend(tracked(self.decls, decl.contract, formula))
                }
                Annotation::Precondition(formula) | Annotation::Postcondition(formula) => {
                    slots.extend(self.mentioned(&formula.text, decl.contract));
                }
                _ => {}
            }
        }
        slots.sort_unstable();
        slots.dedup();
        slots
    }

    /// The state variables whose names occur in a text.
    fn mentioned(&self, text: &str, contract: Option<crate::types::ContractId>) -> Vec<SlotId> {
        let words = text.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '$');
        words.filter_map(|word| self.decls.find_slot(contract, word)).collect()
    }

    /// The events that track a state variable and that the contract sees.
    fn trackers(&self, slot: SlotId) -> Vec<EventId> {
        let events = self.decls.events_of(self.root);
        events.into_iter().filter(|event| self.tracked_by(*event).contains(&slot)).collect()
    }

    fn set_changed(&mut self, slot: SlotId, value: ExprId) {
        let var = self.global_var(&Global::Changed(slot), Sort::Bool);
        self.graph.assign(var, value);
    }

    /// A state variable was changed.
    pub(crate) fn note_change(&mut self, slot: SlotId, condition: Option<ExprId>) {
        if !self.program.checks_events || self.is_constructor || self.trackers(slot).is_empty() {
            return;
        }
        let place = self.decls.slots[slot].span;
        if !self.touched.iter().any(|(other, _)| *other == slot) {
            self.touched.push((slot, place));
        }
        let var = self.global_var(&Global::Changed(slot), Sort::Bool);
        let changed = condition
            .map_or(self.store.tru(), |condition| self.store.or(condition, self.store.var_expr(var)));
        self.graph.assign(var, changed);
    }

    /// Unknown code follows its own rules about events.
    pub(crate) fn changed_everything(&mut self) {
        if let Some(before) = self.before {
            self.graph.remember_again(before);
        }
    }

    fn tracked_slots(&self) -> Vec<SlotId> {
        if !self.program.checks_events || self.is_constructor {
            return Vec::new();
        }
        let mut slots: Vec<SlotId> =
            self.decls.events_of(self.root).into_iter().flat_map(|event| self.tracked_by(event)).collect();
        slots.sort_unstable();
        slots.dedup();
        slots
    }

    /// A checkpoint: nothing that is tracked was changed without an event.
    pub(crate) fn check_no_changes(&mut self, span: Span) {
        for slot in self.tracked_slots() {
            let var = self.global_var(&Global::Changed(slot), Sort::Bool);
            let unchanged = self.store.not(self.store.var_expr(var));
            self.check(unchanged, CheckKind::UntrackedChange(self.decls.slots[slot].name.clone()), span);
        }
        if let Some(before) = self.before {
            self.graph.remember_again(before);
        }
    }

    pub(crate) fn assume_no_changes(&mut self) {
        for slot in self.tracked_slots() {
            let var = self.global_var(&Global::Changed(slot), Sort::Bool);
            self.graph.assume(self.store.not(self.store.var_expr(var)));
        }
        if let Some(before) = self.before {
            self.graph.remember_again(before);
        }
    }

    /// The events that the annotations of a function name.
    pub(crate) fn specified_events(&self, id: FuncId) -> Vec<EventId> {
        let func = &self.decls.funcs[id];
        let names: Vec<&str> = func.emits().map(|name| name.rsplit('.').next().unwrap_or(name)).collect();
        let visible = self.decls.events_of(func.contract);
        visible.into_iter().filter(|event| names.contains(&self.decls.events[*event].name.as_str())).collect()
    }

    /// A function may only change tracked data if it says that it emits an event that tracks them.
    pub(crate) fn check_trackers(&self, id: FuncId) -> Res<()> {
        let specified = self.specified_events(id);
        for (slot, _) in &self.touched {
            let trackers = self.trackers(*slot);
            if !trackers.iter().any(|event| specified.contains(event)) {
                let names: Vec<String> =
                    trackers.iter().map(|event| format!("`{}`", self.decls.events[*event].name)).collect();
                let message = format!(
                    "`{}` is tracked by {} but no such event is specified to be emitted",
                    self.decls.slots[*slot].name,
                    names.join(", ")
                );
                return unsupported(self.decls.funcs[id].span, message);
            }
        }
        Ok(())
    }

    /// The events that a function emits without declaring them, each with the reason.
    pub(crate) fn unspecified_events(&self, id: Option<FuncId>) -> Vec<String> {
        let specified = id.map(|id| self.specified_events(id)).unwrap_or_default();
        let names: Vec<&str> =
            specified.iter().map(|event| self.decls.events[*event].name.as_str()).collect();
        let mut missing = Vec::new();
        for (event, how) in &self.emitted {
            let name = &self.decls.events[*event].name;
            if !names.contains(&name.as_str()) {
                let message = format!("the function possibly emits `{name}`{how} without specifying it");
                if !missing.contains(&message) {
                    missing.push(message);
                }
            }
        }
        missing
    }
}
