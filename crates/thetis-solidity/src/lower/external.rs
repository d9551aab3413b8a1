//! Calls of other contracts, ether, and new contracts.
//!
//! A call of an address runs unknown code, which can call back any public function of this contract. So the invariants are checked before, all state gets
//! arbitrary values, and the invariants are assumed. The same holds for a call of a function of another contract, because a contract type says nothing about
//! the code at an address; only a function that the compiler calls without the right to change anything (`view`, `pure`) leaves the state alone. With
//! [`Callees::SolcVerify`] such a call is replaced by the annotations of the function, and the verdict lists the assumption. `transfer` and `send` pass so
//! little gas that nothing can be called back.

use thetis_base::Span;
use thetis_expr::{ExprId, Sort};
use thetis_model::{Assumption, Weight};

use crate::check::{Moment, OverflowAt};
use crate::decls::{ContractKind, Mutability};
use crate::fault::{FaultKind, Res, invalid, unsupported};
use crate::types::{ContractId, FuncId, Region, SlotId, Ty};

use super::arith::{CmpOp, NumOp};
use super::call::{CalleeCode, Context, Memory};
use super::function::{Lowered, lower_unit};
use super::global::Global;
use super::graph::Extent;
use super::item::{AddressMember, CallOptions, Item, Place, Root, Sel, StoragePlace, Val};
use super::permission::Access;
use super::units::{Body, Unit};
use super::{Callees, Lower};

impl Lower<'_, '_> {
    /// The contract that is verified, whatever is translated now.
    pub(crate) fn root_contract(&self) -> Option<ContractId> {
        self.root
    }

    /// The address of the contract that is verified.
    pub(crate) fn root_this(&self) -> ExprId {
        self.frames.first().map_or_else(|| self.store.int(0), |frame| frame.this)
    }

    /// Moves ether; the sender has to have it.
    pub(crate) fn move_ether(&mut self, from: ExprId, to: ExprId, amount: ExprId) {
        self.pay(from, amount);
        self.change_balance(NumOp::Add, to, amount);
    }

    /// Takes ether from an address, which must have enough of it.
    fn pay(&mut self, from: ExprId, amount: ExprId) {
        let available = self.balance(from);
        let enough = self.arith().compare(CmpOp::Le, &Ty::UINT, amount, available);
        self.graph.assume(enough);
        self.change_balance(NumOp::Sub, from, amount);
    }

    /// Adds to a balance or subtracts from it. There is too little ether for this to overflow.
    pub(crate) fn change_balance(&mut self, op: NumOp, address: ExprId, amount: ExprId) {
        let sort = self.balance_sort();
        let var = self.global_var(&Global::Balance, sort);
        let balances = self.store.var_expr(var);
        let old = match &self.whole {
            Some(_) => balances,
            None => self.store.select(balances, address),
        };
        let new = match (self.store.sort(old), op) {
            (Sort::Int, NumOp::Sub) => self.store.sub(old, amount),
            (Sort::Int, _) => self.store.add(old, amount),
            (_, NumOp::Sub) => self.store.bv_sub(old, amount),
            (_, _) => self.store.bv_add(old, amount),
        };
        if op == NumOp::Add {
            let grows = self.arith().compare(CmpOp::Le, &Ty::UINT, old, new);
            self.graph.assume(grows);
        }
        let changed = match &self.whole {
            Some(whole) => self.store.ite(self.store.eq(address, whole.this), new, balances),
            None => self.store.store(balances, address, new),
        };
        self.graph.assign(var, changed);
        if self.whole.is_none() {
            self.balance(address);
        }
    }

    pub(crate) fn address_call(
        &mut self,
        target: ExprId,
        member: AddressMember,
        options: &CallOptions,
        args: Vec<Item>,
        span: Span,
    ) -> Res<Item> {
        self.permit(if member == AddressMember::StaticCall { Access::Read } else { Access::Write }, span)?;
        self.check_overflow(OverflowAt::Call, span);
        let target = self.settle(target);
        let this = self.frame().this;
        match (member, args.as_slice()) {
            (AddressMember::Transfer, [amount]) => {
                let amount = self.coerce_term(amount.clone(), &Ty::UINT, span)?;
                let amount = self.settle(amount);
                self.move_ether(this, target, amount);
                Ok(Item::Tuple(Vec::new()))
            }
            (AddressMember::Send, [amount]) => {
                let amount = self.coerce_term(amount.clone(), &Ty::UINT, span)?;
                let amount = self.settle(amount);
                let success = self.maybe(|lower| {
                    lower.move_ether(this, target, amount);
                    Ok(())
                })?;
                Ok(self.boolean(success))
            }
            (AddressMember::Transfer | AddressMember::Send, _) => invalid(span, "this needs one argument"),
            (AddressMember::StaticCall, _) => {
                let success = self.anything(Sort::Bool);
                self.call_result(success)
            }
            (AddressMember::Call, _) => self.unknown_call(target, options, span),
        }
    }

    fn call_result(&mut self, success: ExprId) -> Res<Item> {
        let success = self.boolean(success);
        if self.decls.version < crate::version::Version(5, 0) {
            return Ok(success);
        }
        let data = self.any_value(Ty::Bytes(Region::Memory))?;
        Ok(Item::Tuple(vec![Some(success), Some(data)]))
    }

    /// Translates something that may or may not happen. The result says which.
    fn maybe(&mut self, part: impl FnOnce(&mut Self) -> Res<()>) -> Res<ExprId> {
        let success = self.anything(Sort::Bool);
        self.when(success, part)?;
        Ok(success)
    }

    /// Something that happens under a condition.
    pub(crate) fn when(&mut self, condition: ExprId, part: impl FnOnce(&mut Self) -> Res<()>) -> Res<()> {
        let Some(start) = self.graph.here() else { return Ok(()) };
        let join = self.graph.node();
        self.graph.assume(self.store.not(condition));
        self.graph.jump(join);
        self.graph.resume(Some(start));
        self.graph.assume(condition);
        part(self)?;
        self.graph.jump(join);
        self.graph.resume(Some(join));
        Ok(())
    }

    fn unknown_call(&mut self, target: ExprId, options: &CallOptions, span: Span) -> Res<Item> {
        let this = self.frame().this;
        let value = options.value;
        self.check_no_changes(span);
        let success = self.anything(Sort::Bool);
        self.when(success, |lower| match &lower.whole {
            None => {
                if let Some(amount) = value {
                    // Who gets the ether does not matter: all balances change afterwards.
                    lower.pay(this, amount);
                }
                lower.unknown_code(span)
            }
            Some(_) => {
                if let Some(amount) = value {
                    lower.move_ether(this, target, amount);
                }
                lower.run_unknown(target, Some(success), span);
                Ok(())
            }
        })?;
        self.call_result(success)
    }

    /// Code that nobody knows runs.
    fn unknown_code(&mut self, span: Span) -> Res<()> {
        self.check_own_invariants(span)?;
        self.change_all_state();
        self.assume_own_invariants()
    }

    /// Unknown code may call back, so the invariants have to hold when it runs. A contract that is being constructed cannot be
    /// called, but solc-verify checks its invariants as well.
    pub(crate) fn check_own_invariants(&mut self, span: Span) -> Res<()> {
        let is_convention = self.program.callees == Callees::SolcVerify;
        match self.root_contract() {
            Some(contract) if !self.is_constructor || is_convention => {
                self.check_invariants(contract, self.root_this(), Moment::ExternalCall, span)
            }
            _ => Ok(()),
        }
    }

    /// Unknown code ran: all state may have changed, except that of a contract that is being constructed, which has no code
    /// that could be called.
    pub(crate) fn change_all_state(&mut self) {
        if self.is_constructor {
            self.graph.havoc_others(self.root_this());
        } else {
            self.graph.havoc_all(Extent::State);
        }
        self.changed_everything();
    }

    /// What unknown code has to leave intact.
    pub(crate) fn assume_own_invariants(&mut self) -> Res<()> {
        match self.root_contract() {
            Some(contract) if !self.is_constructor => self.assume_invariants(contract, self.root_this()),
            _ => Ok(()),
        }
    }

    pub(crate) fn external_call(
        &mut self,
        target: ExprId,
        contract: ContractId,
        candidates: &[FuncId],
        options: &CallOptions,
        args: Vec<Item>,
        span: Span,
    ) -> Res<Item> {
        let id = self.overload(candidates, &args, span)?;
        self.permit_call(id, span)?;
        self.check_overflow(OverflowAt::Call, span);
        if self.whole.is_some() {
            return self.call_contract(target, id, options, args, span);
        }
        let code = self.code_at(target, contract, id, span);
        let target = self.settle(target);
        let this = self.frame().this;
        let value = options.value.unwrap_or_else(|| self.number(&Ty::UINT, 0));
        // Values are copied on the way, so what is in storage has to be read before.
        let mut copied = Vec::new();
        for (arg, param) in args.into_iter().zip(&self.decls.funcs[id].params.clone()) {
            let ty = if param.ty.region().is_some() {
                param.ty.in_region(Region::Memory)
            } else {
                param.ty.clone()
            };
            let value = Item::Value(self.coerce(arg, &ty, span)?);
            copied.push(self.settled(value, span)?);
        }
        if options.value.is_some() {
            self.move_ether(this, target, value);
        }
        let outer = self.contract.replace(contract);
        let result = self.modular_call(
            id,
            copied,
            Context { this: target, sender: this, value, memory: Memory::Separate, code },
            span,
        );
        self.contract = outer;
        result
    }

    /// What is known about the code of a function of a contract type.
    fn code_at(&mut self, target: ExprId, contract: ContractId, id: FuncId, span: Span) -> CalleeCode {
        // Annotations of a function without a body can only be meant as assumptions.
        if target == self.frame().this || self.decls.funcs[id].body.is_none() {
            return CalleeCode::Declared;
        }
        self.contract_code(contract, span)
    }

    /// What is known about the code at an address of a contract type.
    fn contract_code(&mut self, contract: ContractId, span: Span) -> CalleeCode {
        match self.program.callees {
            Callees::Sound => CalleeCode::Unknown,
            Callees::SolcVerify => {
                let name = &self.decls.contracts[contract].name;
                let text = format!("an address of the type `{name}` has the code of `{name}`");
                self.note_assumption("contract-code", text, span);
                CalleeCode::Declared
            }
        }
    }

    /// A call of a getter.
    pub(crate) fn call_getter(
        &mut self,
        target: ExprId,
        slot: SlotId,
        args: Vec<Item>,
        span: Span,
    ) -> Res<Item> {
        let is_own = target == self.frame().this || target == self.root_this();
        let item = self.getter(target, slot, args, span)?;
        if is_own {
            return Ok(item);
        }
        if self.annotation.is_some() && self.whole.is_some() {
            return unsupported(span, "the state of other contracts is not known here");
        }
        if self.annotation.is_some() {
            let text = "the state of other contracts changes only by calls of this contract".to_owned();
            self.note_assumption("foreign-state", text, span);
            return Ok(item);
        }
        let contract = self.decls.slots[slot].contract;
        match contract.map(|contract| self.contract_code(contract, span)) {
            Some(CalleeCode::Declared) => Ok(item),
            _ => self.arbitrary_like(item),
        }
    }

    /// Arbitrary values of the types of `item`.
    fn arbitrary_like(&mut self, item: Item) -> Res<Item> {
        match item {
            Item::Value(typed) => self.any_value(typed.ty),
            Item::Place(place) => self.any_value(super::assign::place_type(&place)),
            Item::Tuple(parts) => {
                let parts =
                    parts.into_iter().map(|part| part.map(|part| self.arbitrary_like(part)).transpose());
                Ok(Item::Tuple(parts.collect::<Res<Vec<_>>>()?))
            }
            other => Ok(other),
        }
    }

    /// Notes what the verdict depends on, once for each text.
    pub(crate) fn note_assumption(&mut self, code: &'static str, text: String, span: Span) {
        if !self.assumptions.iter().any(|known| known.text == text) {
            self.assumptions.push(Assumption { code, text, span, weight: Weight::Listed });
        }
    }

    /// The value of a public state variable.
    fn getter(&mut self, target: ExprId, slot: SlotId, args: Vec<Item>, span: Span) -> Res<Item> {
        let mut place = StoragePlace {
            root: Root::Slot(slot, target),
            path: Vec::new(),
            ty: self.decls.slots[slot].ty.clone(),
        };
        if self.decls.slots[slot].is_constant {
            return self.slot_item(slot, target, span);
        }
        for arg in args {
            let (key, value) = match place.ty.clone() {
                Ty::Mapping(key, value) => {
                    (if key.is_text() { key.in_region(Region::Memory) } else { *key }, *value)
                }
                Ty::Array(element, ..) => (Ty::UINT, *element),
                _ => return invalid(span, "this getter has too many arguments"),
            };
            let index = self.coerce_term(arg, &key, span)?;
            self.offer(&key, index);
            if matches!(place.ty, Ty::Array(..)) {
                let array = super::item::Typed { ty: place.ty.clone(), val: Val::Place(place.clone()) };
                self.check_bounds(&array, index, span)?;
            }
            place.path.push(Sel::Index(index));
            place.ty = value;
        }
        match place.ty.clone() {
            ty if ty.is_value() || ty.is_text() => {
                let typed = self.load(&Place::Storage(place), span)?;
                let ty =
                    if typed.ty.is_text() { typed.ty.in_region(Region::Memory) } else { typed.ty.clone() };
                Ok(Item::Value(super::item::Typed { ty, val: typed.val }))
            }
            Ty::Struct(id, _) => {
                let mut parts = Vec::new();
                for (number, (_, ty)) in self.decls.structs[id].fields.iter().enumerate() {
                    if ty.is_value() || ty.is_text() {
                        let mut path = place.path.clone();
                        path.push(Sel::Field(number));
                        let field = StoragePlace { root: place.root.clone(), path, ty: ty.clone() };
                        parts.push(Some(Item::Value(self.load(&Place::Storage(field), span)?)));
                    }
                }
                Ok(if parts.len() == 1 {
                    parts.pop().flatten().unwrap_or(Item::Tuple(Vec::new()))
                } else {
                    Item::Tuple(parts)
                })
            }
            _ => invalid(span, "this getter needs more arguments"),
        }
    }

    /// `new C(args)`.
    pub(crate) fn create(
        &mut self,
        contract: ContractId,
        args: Vec<Item>,
        options: &CallOptions,
        span: Span,
    ) -> Res<Item> {
        if self.decls.contracts[contract].kind != ContractKind::Contract {
            return invalid(span, "this cannot be created");
        }
        if self.whole.is_some() {
            return unsupported(span, "creating contracts is not supported here");
        }
        let constructor = self.decls.contracts[contract].constructor;
        let params = constructor.map(|id| self.decls.funcs[id].params.clone()).unwrap_or_default();
        if params.len() != args.len() {
            return invalid(span, "the number of arguments of this constructor is wrong");
        }
        let lowered = self.lowered_constructor(contract, span)?;
        let address = self.anything(Sort::Int);
        let this = self.frame().this;
        self.type_fact(&Ty::ADDRESS, address);
        self.graph.assume(self.store.ne(address, this));
        self.graph.assume(self.store.ne(address, self.store.int(0)));
        let args: Vec<Item> = args.into_iter().map(|arg| self.settled(arg, span)).collect::<Res<_>>()?;
        let is_payable = constructor.is_some_and(|id| self.decls.funcs[id].mutability == Mutability::Payable);
        if options.value.is_some() && !is_payable {
            return invalid(span, "this constructor is not payable");
        }
        let value = options.value.unwrap_or_else(|| self.number(&Ty::UINT, 0));
        let (memory, code) = (Memory::Separate, CalleeCode::Declared);
        let context = Context { this: address, sender: this, value, memory, code };
        if let Some(id) = constructor {
            self.in_constructor(id, &args, context, span, |lower| lower.check_preconditions(id, span))?;
        }
        if options.value.is_some() {
            self.move_ether(this, address, value);
        }
        if lowered.unknown_code {
            self.unknown_code(span)?;
        }
        for global in lowered.changed.into_iter().filter(Global::is_state) {
            if let Some(sort) = self.global_sort(&global, span)? {
                let var = self.global_var(&global, sort);
                self.graph.havoc(var);
            }
        }
        let outer = self.contract.replace(contract);
        let invariants = self.assume_invariants(contract, address);
        self.contract = outer;
        invariants?;
        if let Some(id) = constructor {
            self.in_constructor(id, &args, context, span, |lower| {
                let mut postconditions = lower.decls.funcs[id].postconditions();
                postconditions.try_for_each(|postcondition| lower.assume_formula(postcondition))
            })?;
        }
        Ok(self.value(Ty::Contract(contract), address))
    }

    /// The translation of a constructor. The code of a contract contains that of the contracts it creates, so those cannot create it in turn.
    fn lowered_constructor(&self, contract: ContractId, span: Span) -> Res<Lowered> {
        if self.program.created.borrow().contains(&contract) {
            return invalid(span, "contracts cannot create each other");
        }
        self.program.created.borrow_mut().push(contract);
        let body = self.decls.contracts[contract].constructor.map_or(Body::ImplicitConstructor, Body::Func);
        let lowered = lower_unit(self.program, &Unit { contract: Some(contract), body }, &[]);
        self.program.created.borrow_mut().pop();
        match lowered {
            Err(fault) if fault.kind == FaultKind::Invalid => Err(fault),
            Err(_) => unsupported(span, "this constructor is not supported"),
            Ok(lowered) => Ok(lowered),
        }
    }

    /// Runs `part` with the names that are visible in a constructor called with these arguments.
    fn in_constructor(
        &mut self,
        id: FuncId,
        args: &[Item],
        context: Context,
        span: Span,
        part: impl FnOnce(&mut Self) -> Res<()>,
    ) -> Res<()> {
        let func = &self.decls.funcs[id];
        let mut values = Vec::new();
        for (arg, param) in args.iter().zip(&func.params) {
            values.push(self.coerce(arg.clone(), &param.ty, span)?);
        }
        let outer = std::mem::replace(&mut self.contract, func.contract);
        self.enter(id, context)?;
        let mut bound = values.into_iter().zip(&func.params);
        let result = bound
            .try_for_each(|(value, param)| self.bind(param, value, None, span))
            .and_then(|()| part(self));
        self.frames.pop();
        self.contract = outer;
        result
    }
}
