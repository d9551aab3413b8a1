//! What functions may modify.

use thetis_base::Span;
use thetis_expr::ExprId;

use crate::annotation::Target;
use crate::check::CheckKind;
use crate::decls::FuncKind;
use crate::fault::{Res, unsupported};
use crate::types::{FuncId, SlotId};

use super::global::Global;
use super::graph::{Extent, Snapshot};
use super::item::{Item, Place, Root, Sel};
use super::modset::ModSet;
use super::{Lower, View};

/// A part of the state that may change, under a condition on the state before.
enum Allowed {
    Slot(SlotId, Vec<Sel>, Option<ExprId>),
    Balance(ExprId, Option<ExprId>),
    Everything(Option<ExprId>),
}

impl Lower<'_, '_> {
    /// What the annotations of the function of the current frame allow. Paths refer to the current state, conditions to the state at
    /// `moment`.
    fn allowed(&mut self, id: FuncId, moment: Snapshot, span: Span) -> Res<Vec<Allowed>> {
        let mut allowed = Vec::new();
        for (target, condition) in self.decls.funcs[id].modifies() {
            let condition =
                condition.map(|condition| self.ground_formula(condition, View::At(moment))).transpose()?;
            match target {
                Target::Everything => allowed.push(Allowed::Everything(condition)),
                Target::Place(expr) => {
                    let outer = self.annotation.replace(span);
                    let found = self.allowed_place(expr, condition, span);
                    self.annotation = outer;
                    allowed.extend(found?);
                }
            }
        }
        Ok(allowed)
    }

    fn allowed_place(
        &mut self,
        expr: &solang_parser::pt::Expression,
        condition: Option<ExprId>,
        span: Span,
    ) -> Res<Option<Allowed>> {
        use solang_parser::pt::Expression as E;
        let mut inner = expr;
        while let E::Parenthesis(_, content) = inner {
            inner = content;
        }
        if let E::MemberAccess(_, base, name) = inner
            && name.name == "balance"
        {
            let item = self.expr(base)?;
            if let Ok((ty, address)) = self.term(item, span)
                && matches!(ty, crate::types::Ty::Address { .. } | crate::types::Ty::Contract(_))
            {
                return Ok(Some(Allowed::Balance(address, condition)));
            }
        }
        match self.expr(inner)? {
            Item::Place(Place::Storage(place)) => match place.root {
                Root::Slot(slot, _) => Ok(Some(Allowed::Slot(slot, place.path, condition))),
                _ => unsupported(span, "`modifies` is not supported for storage pointers"),
            },
            Item::Place(Place::Pointer(..)) => {
                unsupported(span, "`modifies` is not supported for storage pointers")
            }
            // Only state can be modified.
            _ => Ok(None),
        }
    }

    /// The condition that a state variable changed only where it may.
    fn slot_framed(&mut self, slot: SlotId, allowed: &[Allowed], moment: Snapshot) -> Res<ExprId> {
        let this = self.frame().this;
        let new = self.slot_leaves(slot, this)?;
        let outer = std::mem::replace(&mut self.view, View::At(moment));
        let old = self.slot_leaves(slot, this);
        self.view = outer;
        let ty = self.decls.slots[slot].ty.clone();
        let mut expected = old?;
        for part in allowed {
            let (updated, condition) = match part {
                Allowed::Slot(other, path, condition) if *other == slot => {
                    let inner = self.project(&ty, &new, path);
                    (self.update(&ty, &expected, path, &inner), *condition)
                }
                Allowed::Everything(condition) => (new.clone(), *condition),
                _ => continue,
            };
            expected = match condition {
                Some(condition) => updated
                    .iter()
                    .zip(&expected)
                    .map(|(yes, no)| self.store.ite(condition, *yes, *no))
                    .collect(),
                None => updated,
            };
        }
        let equal: Vec<ExprId> =
            expected.iter().zip(&new).map(|(left, right)| self.store.eq(*left, *right)).collect();
        Ok(self.store.and_all(equal))
    }

    fn balances_framed(&mut self, allowed: &[Allowed], moment: Snapshot) -> ExprId {
        let sort = self.balance_sort();
        let new = self.global(&Global::Balance, sort);
        let outer = std::mem::replace(&mut self.view, View::At(moment));
        let mut expected = self.global(&Global::Balance, sort);
        self.view = outer;
        for part in allowed {
            let (updated, condition) = match part {
                Allowed::Balance(address, condition) => {
                    (self.store.store(expected, *address, self.store.select(new, *address)), *condition)
                }
                Allowed::Everything(condition) => (new, *condition),
                Allowed::Slot(..) => continue,
            };
            expected = condition.map_or(updated, |condition| self.store.ite(condition, updated, expected));
        }
        self.store.eq(expected, new)
    }

    /// Checks at the end of a function that it modified only what it may.
    pub(crate) fn check_modifies(&mut self, id: FuncId, moment: Snapshot, span: Span) -> Res<()> {
        let allowed = self.allowed(id, moment, span)?;
        let is_constructor = self.decls.funcs[id].kind == FuncKind::Constructor;
        let contract = self.decls.funcs[id].contract;
        let slots =
            self.contract.or(contract).map(|contract| self.decls.slots_of(contract)).unwrap_or_default();
        for slot in slots.into_iter().filter(|slot| !self.decls.slots[*slot].is_constant && !is_constructor) {
            let framed = self.slot_framed(slot, &allowed, moment)?;
            let name = self.slot_name(slot);
            self.check(framed, CheckKind::Modifies(name), span);
        }
        let framed = self.balances_framed(&allowed, moment);
        self.check(framed, CheckKind::ModifiesBalances, span);
        Ok(())
    }

    /// The name of a state variable, with its contract where several are involved.
    fn slot_name(&self, slot: SlotId) -> String {
        let decl = &self.decls.slots[slot];
        let alone = self.contract.is_none_or(|contract| self.decls.contracts[contract].linear.len() == 1);
        match decl.contract.filter(|_| !alone) {
            Some(contract) => format!("{}::{}", self.decls.contracts[contract].name, decl.name),
            None => decl.name.clone(),
        }
    }

    /// Changes what the annotations of a callee allow to be changed.
    pub(crate) fn change_as_specified(
        &mut self,
        id: FuncId,
        effect: &ModSet,
        moment: Snapshot,
        span: Span,
    ) -> Res<()> {
        // The paths of `modifies` are about the state after the call, so the change comes first.
        let allowed = self.allowed(id, moment, span)?;
        if allowed.iter().any(|part| matches!(part, Allowed::Everything(None))) {
            self.graph.havoc_all(Extent::State);
            self.changed_everything();
            return Ok(());
        }
        let contract = self.decls.funcs[id].contract;
        let slots = contract.map(|contract| self.decls.slots_of(contract)).unwrap_or_default();
        let everything = allowed.iter().any(|part| matches!(part, Allowed::Everything(_)));
        let mut changed = Vec::new();
        for slot in slots {
            let is_named =
                allowed.iter().any(|part| matches!(part, Allowed::Slot(other, ..) if *other == slot));
            if everything || is_named || (effect.all_state && !self.decls.slots[slot].is_constant) {
                self.havoc_slot(slot)?;
                changed.push(slot);
            }
        }
        let balances =
            everything || effect.all_state || allowed.iter().any(|part| matches!(part, Allowed::Balance(..)));
        if balances {
            let sort = self.balance_sort();
            let var = self.global_var(&Global::Balance, sort);
            self.graph.havoc(var);
        }
        let allowed = self.allowed(id, moment, span)?;
        for slot in changed {
            let framed = self.slot_framed(slot, &allowed, moment)?;
            self.graph.assume(framed);
        }
        if balances {
            let framed = self.balances_framed(&allowed, moment);
            self.graph.assume(framed);
        }
        Ok(())
    }

    /// A state variable of this contract gets an arbitrary value; other contracts keep theirs.
    fn havoc_slot(&mut self, slot: SlotId) -> Res<()> {
        let this = self.frame().this;
        for (global, sort) in self.slot_globals(slot)? {
            let leaf = match &global {
                Global::State(_, leaf) => *leaf,
                _ => continue,
            };
            self.havoc_at(&global, sort, this);
            if self.program.uses_sums && self.summand(slot, leaf).is_some() {
                let sums = self.store.array_sort(thetis_expr::Sort::Int, self.sum_sort());
                self.havoc_at(&Global::Sum(slot, leaf), sums, this);
            }
        }
        Ok(())
    }

    fn havoc_at(&mut self, global: &Global, sort: thetis_expr::Sort, this: ExprId) {
        let var = self.global_var(global, sort);
        let map = self.store.var_expr(var);
        let element = self.store.sort(self.store.select(map, this));
        let any = self.anything(element);
        self.graph.assign(var, self.store.store(map, this, any));
    }
}
