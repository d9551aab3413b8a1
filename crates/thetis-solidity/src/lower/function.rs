//! The automaton of a function.

use std::collections::BTreeMap;

use thetis_base::Span;
use thetis_expr::{ExprId, Sort, Store};
use thetis_model::Assumption;

use crate::check::{Check, CheckKind, Moment, OverflowAt};
use crate::decls::{FuncKind, Mutability};
use crate::fault::{Res, invalid, unsupported};
use crate::types::{ContractId, FuncId, Region, Ty};

use super::arith::{CmpOp, NumOp};
use super::call::{CalleeCode, Context, Memory};
use super::global::Global;
use super::graph::{Built, Extent, Snapshot};
use super::shown::Variable;
use super::units::{Body, Unit};
use super::{Frame, Local, Lower, Program, View};

/// A translated unit.
pub(crate) struct Lowered {
    pub(crate) store: Store,
    pub(crate) built: Built,
    /// The globals that change.
    pub(crate) changed: Vec<Global>,
    pub(crate) unknown_code: bool,
    pub(crate) unknown_memory: bool,
    pub(crate) notes: Vec<(Span, String)>,
    /// Functions of the same contract whose calls were not translated in place.
    pub(crate) relied_on: Vec<FuncId>,
    pub(crate) assumptions: Vec<Assumption>,
    pub(crate) inputs: Vec<(String, ExprId)>,
    pub(crate) locals: Vec<Variable>,
    pub(crate) state: Vec<Variable>,
}

/// Translates a unit; guesses with the numbers `rejected` are not made.
pub(crate) fn lower_unit(program: &Program<'_, '_>, unit: &Unit, rejected: &[usize]) -> Res<Lowered> {
    let decls = program.decls;
    let mut lower = Lower::new(program, unit.contract, rejected);
    let span = unit.span(decls);
    lower.assumptions.extend(program.arithmetic.assumption(span));
    lower.graph.at(span);
    let region = lower.graph.open_region();
    match unit.body {
        Body::Func(id) if decls.funcs[id].kind == FuncKind::Constructor => {
            lower.constructor(unit, Some(id), span)?
        }
        Body::ImplicitConstructor => lower.constructor(unit, None, span)?,
        Body::Func(id) => lower.function(unit, id, span)?,
        Body::ReceiveEther => lower.receive_ether(unit, span)?,
    }
    lower.graph.close_region(region, None);
    let (changed, extents) = lower.graph.globals_changed(region);
    let name = unit.name(decls);
    let inputs = lower.inputs(unit);
    let state = match (unit.contract, lower.frames.first()) {
        (Some(contract), Some(frame)) => lower.state_variables(contract, frame.this),
        _ => Vec::new(),
    };
    let built = lower.graph.build(&lower.store, &name);
    Ok(Lowered {
        store: lower.store,
        built,
        changed,
        unknown_code: extents.contains(&Extent::State),
        unknown_memory: extents.contains(&Extent::Memory),
        notes: lower.notes,
        relied_on: lower.relied_on,
        assumptions: lower.assumptions,
        inputs,
        locals: lower.locals,
        state,
    })
}

impl Lower<'_, '_> {
    /// The first frame: an unknown caller calls this contract.
    pub(crate) fn start(&mut self, unit: &Unit, func: Option<FuncId>) -> Context {
        let sender = self.graph.fresh(&self.store, "msg.sender", Sort::Int);
        let value = self.graph.fresh(&self.store, "msg.value", self.sort(&Ty::UINT));
        let this = match &self.whole {
            Some(whole) => {
                self.graph.havoc(sender);
                self.graph.havoc(value);
                whole.this
            }
            None => {
                let this = self.graph.fresh(&self.store, "this", Sort::Int);
                self.store.var_expr(this)
            }
        };
        let [sender, value] = [sender, value].map(|var| self.store.var_expr(var));
        let context = Context { this, sender, value, memory: Memory::Shared, code: CalleeCode::Declared };
        let exit = self.graph.node();
        let contract = func.and_then(|id| self.decls.funcs[id].contract).or(unit.contract);
        self.frames.push(Frame::new(contract, func, exit, context));
        let zero = self.number(&Ty::UINT, 0);
        let fact = self.arith().compare(CmpOp::Le, &Ty::UINT, zero, value);
        self.fact(fact);
        self.type_fact(&Ty::UINT, value);
        for address in [this, sender] {
            self.type_fact(&Ty::ADDRESS, address);
            self.offer(&Ty::ADDRESS, address);
        }
        // No contract is at the address zero, and none is created at the address of its creator.
        if self.whole.is_none() {
            self.fact(self.store.ne(this, self.store.int(0)));
        }
        if self.whole.is_none() && self.is_constructor {
            self.fact(self.store.ne(this, sender));
        }
        self.balance(this);
        if self.program.arithmetic == super::Arithmetic::ModOverflow {
            let var = self.global_var(&Global::Overflow, Sort::Bool);
            self.graph.assign(var, self.store.fals());
        }
        if let Some(whole) = &self.whole {
            let (store, allowed) = (&self.store, whole.calls_itself);
            self.graph.assume(store.or(store.ne(sender, this), store.var_expr(allowed)));
            // Nobody has a key for the address zero.
            self.graph.assume(store.ne(sender, store.int(0)));
            self.graph.assign(allowed, store.fals());
        }
        self.assume_no_changes();
        context
    }

    /// What a run depends on: arguments, the caller, and the state variables with simple values before a function.
    fn inputs(&mut self, unit: &Unit) -> Vec<(String, ExprId)> {
        let mut inputs = std::mem::take(&mut self.inputs);
        let Some(frame) = self.frames.first() else { return inputs };
        inputs.extend([
            ("msg.sender".to_owned(), frame.sender),
            ("msg.value".to_owned(), frame.value),
            ("this".to_owned(), frame.this),
        ]);
        if self.is_constructor {
            return inputs;
        }
        let own = unit.contract.map(|contract| self.decls.slots_of(contract)).unwrap_or_default();
        for (global, var) in self.graph.globals() {
            match global {
                Global::State(slot, 0) if own.contains(slot) && self.decls.slots[*slot].ty.is_value() => {
                    inputs.push((
                        self.decls.slots[*slot].name.clone(),
                        self.store.select(self.store.var_expr(var), frame.this),
                    ));
                }
                Global::Balance => {
                    inputs.push((
                        "address(this).balance".to_owned(),
                        self.store.select(self.store.var_expr(var), frame.this),
                    ));
                }
                _ => {}
            }
        }
        inputs
    }

    /// Parameters with arbitrary values. Annotations refer to the passed values; the body uses a copy that it
    /// can change.
    pub(crate) fn parameters(&mut self, id: FuncId) -> Res<()> {
        let mut elsewhere: Vec<Ty> = Vec::new();
        for param in self.decls.funcs[id].params.clone() {
            let name = param.name.clone().unwrap_or_default();
            let local = match self.local(&name, &param.ty, param.span) {
                Ok(Local::Pointer { ty, kind, indices }) => {
                    self.any_pointer(ty, kind, indices, param.span)?
                }
                Ok(Local::Var { ty, var, .. }) => {
                    let copy = self.graph.fresh(&self.store, &name, self.sort(&ty));
                    let passed = self.store.var_expr(var);
                    if self.whole.is_some() {
                        self.graph.havoc(var);
                    }
                    self.value_fact(&ty, passed);
                    self.offer(&ty, passed);
                    self.graph.assign(copy, passed);
                    self.inputs.push((name.clone(), passed));
                    Local::Var { ty, var: copy, old: Some(var) }
                }
                other => other?,
            };
            if let Local::Elsewhere(ty) = &local {
                if elsewhere.iter().any(|other| self.decls.may_overlap(ty, other)) {
                    return unsupported(
                        param.span,
                        "storage parameters that may overlap are not supported here",
                    );
                }
                elsewhere.push(ty.clone());
            }
            self.declare(&name, local);
        }
        Ok(())
    }

    /// Functions that are not payable end transactions that bring ether.
    pub(crate) fn reject_ether(&mut self, context: Context) {
        let zero = self.number(&Ty::UINT, 0);
        self.graph.assume(self.store.eq(context.value, zero));
    }

    fn any_pointer(
        &mut self,
        ty: Ty,
        kind: thetis_expr::VarId,
        indices: BTreeMap<(usize, Sort), thetis_expr::VarId>,
        span: Span,
    ) -> Res<Local> {
        let count = self.shapes(&ty, span)?.len();
        if count == 0 {
            return Ok(Local::Elsewhere(ty.in_region(Region::Storage)));
        }
        let term = self.store.var_expr(kind);
        let store = &self.store;
        self.graph.assume(store.and(store.le(store.int(0), term), store.lt(term, store.int(count))));
        let terms = indices.iter().map(|(key, var)| (*key, self.store.var_expr(*var))).collect();
        let pointer = super::item::Pointer { ty: ty.clone(), kind: term, indices: terms };
        let alive = self.is_alive(&pointer, self.frame().this, span)?;
        self.graph.assume(alive);
        Ok(Local::Pointer { ty, kind, indices })
    }

    pub(crate) fn function(&mut self, unit: &Unit, id: FuncId, span: Span) -> Res<()> {
        let func = &self.decls.funcs[id];
        let context = self.start(unit, Some(id));
        self.parameters(id)?;
        let before = self.graph.remember();
        if self.whole.is_none() {
            self.old = Some(before);
            self.before = Some(self.graph.remember());
        }
        if func.is_public() && func.mutability != Mutability::Payable {
            self.reject_ether(context);
        }
        if self.whole.is_some() {
            self.show_start(unit.name(self.decls), span);
        } else {
            self.assume_beginning(unit, id, context, span)?;
        }
        if func.mutability == Mutability::Payable && func.is_public() {
            self.change_balance(NumOp::Add, context.this, context.value);
        }
        for result in func.returns.clone() {
            let local = self.local_default(&result.ty, result.span)?;
            if let Some(name) = &result.name {
                self.declare(name, local.clone());
            }
            self.frame_mut().returns.push(local);
        }
        self.inlined.push(id);
        self.body(id)?;
        self.end(unit, Some(id), before, span)
    }

    /// What a function relies on when it starts.
    fn assume_beginning(&mut self, unit: &Unit, id: FuncId, context: Context, span: Span) -> Res<()> {
        let func = &self.decls.funcs[id];
        if func.keeps_invariants()
            && let Some(contract) = unit.contract
        {
            self.assume_invariants(contract, context.this)?;
        }
        for precondition in func.preconditions() {
            self.assume_formula(precondition)?;
        }
        self.mark_start(unit, id, span);
        Ok(())
    }

    /// If the assumptions of a function are contradictory, everything holds in it, which users want to know.
    fn mark_start(&mut self, unit: &Unit, id: FuncId, span: Span) {
        let func = &self.decls.funcs[id];
        let has_invariants = unit.contract.is_some_and(|contract| !self.invariants(contract).is_empty());
        if (func.keeps_invariants() && has_invariants) || func.preconditions().next().is_some() {
            self.graph.probe(Check { kind: CheckKind::Start, span });
        }
    }

    /// What is checked at the end of a function.
    pub(crate) fn end(&mut self, unit: &Unit, id: Option<FuncId>, before: Snapshot, span: Span) -> Res<()> {
        let this = self.frame().this;
        let func = id.map(|id| &self.decls.funcs[id]);
        self.check_overflow(OverflowAt::End, span);
        if self.whole.is_some() {
            return Ok(());
        }
        let keeps = func.is_none_or(|func| func.keeps_invariants() || func.kind == FuncKind::Constructor);
        if keeps && let Some(contract) = unit.contract {
            match unit.body {
                Body::ImplicitConstructor => self.check_initializers(contract, this, span)?,
                _ => self.check_invariants(contract, this, Moment::End, span)?,
            }
        }
        if let (Some(id), Some(func)) = (id, func) {
            for postcondition in func.postconditions() {
                let kind = CheckKind::Postcondition(postcondition.text.clone());
                self.check_formula(postcondition, "postcondition", Moment::End, kind, span)?;
            }
            self.check_cases(id, before, span)?;
            if self.program.checks_modifies {
                self.check_modifies(id, before, span)?;
            }
        }
        if self.program.checks_events {
            self.check_no_changes(span);
            if let Some(id) = id {
                self.check_trackers(id)?;
                if let Some(message) = self.unspecified_events(Some(id)).first() {
                    return invalid(span, message.clone());
                }
            }
        }
        Ok(())
    }

    fn check_initializers(&mut self, contract: ContractId, this: ExprId, span: Span) -> Res<()> {
        for invariant in self.invariants(contract) {
            let kind = CheckKind::Initializers(invariant.text.clone());
            self.in_contract(contract, this, |lower| {
                lower
                    .with_scope(|lower| lower.check_formula(&invariant, "invariant", Moment::End, kind, span))
            })?;
        }
        Ok(())
    }

    /// `specification [case P: Q; …]`: where `P` held before, `Q` holds now; where none did, nothing changed.
    fn check_cases(&mut self, id: FuncId, before: Snapshot, span: Span) -> Res<()> {
        let cases: Vec<_> = self.decls.funcs[id].cases().cloned().collect();
        if cases.is_empty() {
            return Ok(());
        }
        let mut some = Vec::new();
        for (premise, conclusion) in &cases {
            let held = self.ground_formula(premise, View::At(before))?;
            let holds = self.ground_formula(conclusion, View::Now)?;
            self.check(self.store.implies(held, holds), CheckKind::Specification(premise.text.clone()), span);
            some.push(held);
        }
        let none = self.store.not(self.store.or_all(some));
        for slot in self.contract.map(|contract| self.decls.slots_of(contract)).unwrap_or_default() {
            if self.decls.slots[slot].is_constant {
                continue;
            }
            let unchanged = self.unchanged(slot, before)?;
            self.check(
                self.store.implies(none, unchanged),
                CheckKind::Modifies(self.decls.slots[slot].name.clone()),
                span,
            );
        }
        Ok(())
    }

    fn unchanged(&mut self, slot: crate::types::SlotId, before: Snapshot) -> Res<ExprId> {
        let this = self.frame().this;
        let new = self.slot_leaves(slot, this)?;
        let outer = std::mem::replace(&mut self.view, View::At(before));
        let old = self.slot_leaves(slot, this);
        self.view = outer;
        let equal: Vec<ExprId> = old?.iter().zip(&new).map(|(old, new)| self.store.eq(*old, *new)).collect();
        Ok(self.store.and_all(equal))
    }

    /// Ether can arrive without a call, as a reward or from a contract that is destroyed.
    fn receive_ether(&mut self, unit: &Unit, span: Span) -> Res<()> {
        let context = self.start(unit, None);
        let before = self.graph.remember();
        if let Some(contract) = unit.contract {
            self.assume_invariants(contract, context.this)?;
        }
        self.change_balance(NumOp::Add, context.this, context.value);
        self.end(unit, None, before, span)
    }
}
