//! Constructors: initial values, and the constructors of bases.

use std::collections::BTreeMap;

use thetis_base::Span;
use thetis_expr::ExprId;

use crate::decls::Mutability;
use crate::fault::{Res, invalid};
use crate::types::{ContractId, FuncId, SlotId};

use super::arith::NumOp;
use super::call::Context;
use super::global::Global;
use super::item::{Root, StoragePlace};
use super::units::Unit;
use super::{Frame, Lower};

impl<'a> Lower<'_, 'a> {
    pub(crate) fn constructor(&mut self, unit: &Unit, id: Option<FuncId>, span: Span) -> Res<()> {
        let Some(contract) = unit.contract else { return invalid(span, "a constructor needs a contract") };
        self.is_constructor = true;
        let context = self.start(unit, id);
        if let Some(id) = id {
            self.parameters(id)?;
        }
        let before = self.graph.remember();
        if self.whole.is_some() {
            self.show_start(unit.name(self.decls), span);
        } else {
            self.old = Some(before);
            self.before = Some(self.graph.remember());
        }
        if let Some(id) = id.filter(|_| self.whole.is_none()) {
            for precondition in self.decls.funcs[id].preconditions() {
                self.assume_formula(precondition)?;
            }
        }
        match id.map(|id| self.decls.funcs[id].mutability) {
            Some(Mutability::Payable) => self.change_balance(NumOp::Add, context.this, context.value),
            _ => self.reject_ether(context),
        }
        self.clear_state(contract, context.this, span)?;
        self.construct_bases(contract, id, context, span)?;
        self.end(unit, id, before, span)
    }

    /// All state variables start with their default values.
    fn clear_state(&mut self, contract: ContractId, this: ExprId, span: Span) -> Res<()> {
        for slot in self.decls.slots_of(contract) {
            if self.decls.slots[slot].is_constant {
                continue;
            }
            let ty = self.decls.slots[slot].ty.clone();
            self.leaves(&ty, span)?;
            let leaves = self.default_leaves(&ty);
            let place = StoragePlace { root: Root::Slot(slot, this), path: Vec::new(), ty };
            self.write_place(&place, &leaves, span)?;
            self.clear_sums(slot, leaves.len(), this);
        }
        Ok(())
    }

    fn clear_sums(&mut self, slot: SlotId, count: usize, this: ExprId) {
        if !self.program.uses_sums {
            return;
        }
        for leaf in (0..count).filter(|leaf| self.summand(slot, *leaf).is_some()).collect::<Vec<_>>() {
            let sort = self.per_contract(self.sum_sort());
            let var = self.global_var(&Global::Sum(slot, leaf), sort);
            let zero = self.zero_of(self.sum_sort());
            self.graph.assign(var, self.with_contract(self.store.var_expr(var), this, zero));
        }
    }

    /// Arguments are evaluated from the most derived contract on; then all contracts from the most basic one on get their initial values, and
    /// then they run their constructors. That is what the compiler does by default; with `viaIR` a contract gets its initial values only
    /// after the constructors of its bases.
    fn construct_bases(
        &mut self,
        contract: ContractId,
        own: Option<FuncId>,
        context: Context,
        span: Span,
    ) -> Res<()> {
        let linear = self.decls.contracts[contract].linear.clone();
        let mut frames: BTreeMap<ContractId, Frame> = BTreeMap::new();
        if let Some(first) = self.frames.pop() {
            frames.insert(contract, first);
        }
        for base in &linear {
            if *base != contract {
                let frame = self.base_frame(*base, &linear, &mut frames, context, span)?;
                frames.insert(*base, frame);
            }
        }
        for base in linear.iter().rev() {
            let Some(frame) = frames.remove(base) else { continue };
            self.frames.push(frame);
            self.initialize(*base, context.this)?;
            frames.extend(self.frames.pop().map(|frame| (*base, frame)));
        }
        for base in linear.iter().rev() {
            let Some(frame) = frames.remove(base) else { continue };
            self.frames.push(frame);
            let constructor = if *base == contract { own } else { self.decls.contracts[*base].constructor };
            if let Some(id) = constructor {
                self.body(id)?;
            }
            if *base != contract {
                self.frames.pop();
            }
        }
        Ok(())
    }

    /// The frame of a base's constructor, with its arguments. Without arguments the parameters are arbitrary.
    fn base_frame(
        &mut self,
        base: ContractId,
        linear: &[ContractId],
        frames: &mut BTreeMap<ContractId, Frame>,
        context: Context,
        span: Span,
    ) -> Res<Frame> {
        let constructor = self.decls.contracts[base].constructor;
        let given = linear
            .iter()
            .find_map(|derived| self.base_arguments(*derived, base).map(|args| (*derived, args)));
        let mut values = Vec::new();
        if let Some((derived, args)) = given
            && let Some(frame) = frames.remove(&derived)
        {
            self.frames.push(frame);
            let items = self.arguments(args);
            let coerced = items.and_then(|items| {
                let params = constructor.map(|id| self.decls.funcs[id].params.clone()).unwrap_or_default();
                items
                    .into_iter()
                    .zip(&params)
                    .map(|(item, param)| self.coerce(item, &param.ty, span))
                    .collect::<Res<Vec<_>>>()
            });
            if let Some(frame) = self.frames.pop() {
                frames.insert(derived, frame);
            }
            values = coerced?;
        }
        self.start_base(base, constructor, context);
        if let Some(id) = constructor {
            let params = self.decls.funcs[id].params.clone();
            if values.len() == params.len() {
                for (value, param) in values.into_iter().zip(&params) {
                    self.bind(param, value, None, span)?;
                }
            } else {
                self.parameters(id)?;
            }
        }
        match self.frames.pop() {
            Some(frame) => Ok(frame),
            None => invalid(span, "a constructor needs a frame"),
        }
    }

    fn start_base(&mut self, base: ContractId, func: Option<FuncId>, context: Context) {
        let exit = self.graph.node();
        self.frames.push(Frame::new(Some(base), func, exit, context));
    }

    /// The arguments that a contract gives to the constructor of a base.
    fn base_arguments(
        &self,
        derived: ContractId,
        base: ContractId,
    ) -> Option<&'a [solang_parser::pt::Expression]> {
        let decl = &self.decls.contracts[derived];
        let in_header =
            decl.bases.iter().find(|(id, args)| *id == base && args.is_some()).and_then(|(_, args)| *args);
        in_header.or_else(|| {
            let constructor = &self.decls.funcs[decl.constructor?];
            let name = &self.decls.contracts[base].name;
            let named = constructor
                .modifiers
                .iter()
                .find(|modifier| modifier.name.identifiers.last().is_some_and(|last| last.name == *name));
            named.and_then(|modifier| modifier.args.as_deref())
        })
    }

    fn initialize(&mut self, contract: ContractId, this: ExprId) -> Res<()> {
        for slot in self.decls.contracts[contract].slots.clone() {
            let decl = &self.decls.slots[slot];
            let Some(initializer) = decl.initializer.filter(|_| !decl.is_constant) else { continue };
            let scopes = std::mem::replace(&mut self.frame_mut().scopes, vec![BTreeMap::new()]);
            let item = self.expr(initializer);
            self.frame_mut().scopes = scopes;
            let typed = self.coerce(item?, &decl.ty, decl.span)?;
            let leaves = self.leaves_of(&typed, decl.span)?;
            let place = StoragePlace { root: Root::Slot(slot, this), path: Vec::new(), ty: decl.ty.clone() };
            self.copy_to_place(&place, &leaves, decl.span)?;
        }
        Ok(())
    }
}
