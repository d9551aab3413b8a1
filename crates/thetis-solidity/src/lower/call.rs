//! Calls.

use solang_parser::pt;
use solang_parser::pt::CodeLocation;
use thetis_base::Span;
use thetis_expr::{ExprId, Sort};

use crate::check::{CheckKind, OverflowAt};
use crate::decls::FuncKind;
use crate::fault::{Res, invalid, unsupported};
use crate::types::{FuncId, Region, StructId, Ty};

use super::arith::includes;
use super::expr::has_effects;
use super::global::{Global, HashKind};
use super::item::{Builtin, Callee, Dispatch, Item, Place, Sel, Typed, Val};
use super::{Frame, Layer, Local, Lower};

/// Who calls whom with how much ether.
#[derive(Clone, Copy)]
pub(crate) struct Context {
    pub(crate) this: ExprId,
    pub(crate) sender: ExprId,
    pub(crate) value: ExprId,
    pub(crate) memory: Memory,
    pub(crate) code: CalleeCode,
}

/// What is known about the code that runs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum CalleeCode {
    /// It is that of the function, or it is what its annotations describe.
    Declared,
    /// It may be anything that has the signature of the function.
    Unknown,
}

/// Whose memory the callee works on.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Memory {
    /// That of the caller.
    Shared,
    /// Its own.
    Separate,
}

impl Lower<'_, '_> {
    /// `callee(args)`.
    pub(crate) fn call_expr(
        &mut self,
        callee: &pt::Expression,
        args: &[pt::Expression],
        span: Span,
    ) -> Res<Item> {
        match self.expr(callee)? {
            Item::Type(Ty::Struct(id, _)) => {
                let args = self.arguments(args)?;
                self.construct(id, args, span)
            }
            Item::Type(ty) => self.cast_call(&ty, args, span),
            Item::EnumType(id) => self.cast_call(&Ty::Enum(id), args, span),
            Item::Callee(Callee::Builtin(builtin)) => self.builtin(builtin, args, span),
            Item::Callee(callee) => {
                let args = self.arguments(args)?;
                self.call(callee, args, span)
            }
            Item::Event(events) => {
                let args = self.arguments(args)?;
                self.emit(&events, args, span)
            }
            _ => invalid(span, "this cannot be called"),
        }
    }

    fn cast_call(&mut self, ty: &Ty, args: &[pt::Expression], span: Span) -> Res<Item> {
        let [arg] = args else { return invalid(span, "a conversion needs one argument") };
        let item = self.expr(arg)?;
        Ok(Item::Value(self.cast(item, ty, span)?))
    }

    /// The values of arguments, from left to right.
    pub(crate) fn arguments(&mut self, args: &[pt::Expression]) -> Res<Vec<Item>> {
        let mut items = Vec::new();
        for (at, arg) in args.iter().enumerate() {
            let item = self.expr(arg)?;
            let later = args[at + 1..].iter().any(has_effects);
            items.push(if later { self.settled(item, self.span(&arg.loc()))? } else { item });
        }
        Ok(items)
    }

    /// `callee({name: value})`.
    pub(crate) fn named_call(
        &mut self,
        callee: &pt::Expression,
        args: &[pt::NamedArgument],
        span: Span,
    ) -> Res<Item> {
        let item = self.expr(callee)?;
        let exprs: Vec<pt::Expression> = args.iter().map(|arg| arg.expr.clone()).collect();
        let values = self.arguments(&exprs)?;
        let named: Vec<(&str, Item)> = args.iter().map(|arg| arg.name.name.as_str()).zip(values).collect();
        let order = |names: Vec<Option<String>>| -> Res<Vec<Item>> {
            let found =
                names.iter().map(|name| named.iter().find(|(other, _)| Some(*other) == name.as_deref()));
            match found.map(|found| found.map(|(_, item)| item.clone())).collect::<Option<Vec<Item>>>() {
                Some(items) if items.len() == named.len() => Ok(items),
                _ => invalid(span, "the named arguments do not fit"),
            }
        };
        match item {
            Item::Type(Ty::Struct(id, _)) => {
                let names =
                    self.decls.structs[id].fields.iter().map(|(name, _)| Some(name.clone())).collect();
                let args = order(names)?;
                self.construct(id, args, span)
            }
            Item::Callee(Callee::Internal { candidates, dispatch, this_arg: None })
                if candidates.len() == 1 =>
            {
                let names =
                    self.decls.funcs[candidates[0]].params.iter().map(|param| param.name.clone()).collect();
                let args = order(names)?;
                self.call(Callee::Internal { candidates, dispatch, this_arg: None }, args, span)
            }
            Item::Event(events) if events.len() == 1 => {
                let names =
                    self.decls.events[events[0]].params.iter().map(|param| param.name.clone()).collect();
                let args = order(names)?;
                self.emit(&events, args, span)
            }
            _ => unsupported(span, "named arguments are not supported here"),
        }
    }

    /// `callee{value: v, gas: g}`.
    pub(crate) fn call_options(
        &mut self,
        callee: &pt::Expression,
        options: &pt::Statement,
        span: Span,
    ) -> Res<Item> {
        let Item::Callee(mut callee) = self.expr(callee)? else {
            return invalid(span, "this cannot be called");
        };
        let pt::Statement::Args(_, args) = options else {
            return invalid(span, "these options are not understood");
        };
        for arg in args {
            let item = self.expr(&arg.expr)?;
            match arg.name.name.as_str() {
                "value" => {
                    let value = self.coerce_term(item, &Ty::UINT, span)?;
                    let value = self.settle(value);
                    set_value(&mut callee, value, span)?;
                }
                "gas" => self.notes.push((span, "the option `gas` is ignored".to_owned())),
                other => return unsupported(span, format!("the option `{other}` is not supported")),
            }
        }
        Ok(Item::Callee(callee))
    }

    fn call(&mut self, callee: Callee, args: Vec<Item>, span: Span) -> Res<Item> {
        if self.annotation.is_some()
            && !matches!(callee, Callee::Getter { .. } | Callee::Wrap(_) | Callee::Unwrap | Callee::Hash(_))
        {
            return invalid(span, "annotations can only call getters");
        }
        match callee {
            Callee::Internal { candidates, dispatch, this_arg } => {
                let args: Vec<Item> = this_arg.map(|arg| *arg).into_iter().chain(args).collect();
                self.internal_call(&candidates, dispatch, args, span)
            }
            Callee::External { target, contract, candidates, options } => {
                self.external_call(target, contract, &candidates, &options, args, span)
            }
            Callee::Getter { target, slot } => self.call_getter(target, slot, args, span),
            Callee::Address { target, member, options } => {
                self.address_call(target, member, &options, args, span)
            }
            Callee::Option { mut callee, name } => {
                if let ("value", [value]) = (name, args.as_slice()) {
                    let value = self.coerce_term(value.clone(), &Ty::UINT, span)?;
                    let value = self.settle(value);
                    set_value(&mut callee, value, span)?;
                }
                Ok(Item::Callee(*callee))
            }
            Callee::Push(place, ty) => self.push(place, &ty, args, span),
            Callee::Pop(place, ty) => self.pop(place, &ty, span),
            Callee::New(ty) => self.new_object(&ty, args, span),
            Callee::Hash(kind) => self.hash(kind, args, span),
            Callee::Wrap(ty) => {
                let Ty::User(id) = &ty else { return invalid(span, "this cannot be called") };
                let base = self.decls.users[*id].base.clone();
                let [arg] = args.as_slice() else { return invalid(span, "this needs one argument") };
                let term = self.coerce_term(arg.clone(), &base, span)?;
                Ok(self.value(ty, term))
            }
            Callee::Unwrap => {
                let [arg] = args.as_slice() else { return invalid(span, "this needs one argument") };
                match self.term(arg.clone(), span)? {
                    (Ty::User(id), term) => Ok(self.value(self.decls.users[id].base.clone(), term)),
                    _ => invalid(span, "this needs a value of a user-defined type"),
                }
            }
            Callee::Builtin(_) => invalid(span, "this cannot be called here"),
        }
    }

    fn construct(&mut self, id: StructId, args: Vec<Item>, span: Span) -> Res<Item> {
        let fields: Vec<Ty> =
            self.decls.structs[id].fields.iter().map(|(_, ty)| ty.in_region(Region::Memory)).collect();
        if fields.len() != args.len() {
            return invalid(span, format!("`{}` has {} fields", self.decls.structs[id].name, fields.len()));
        }
        let mut values = Vec::new();
        for (arg, ty) in args.into_iter().zip(&fields) {
            let value = self.coerce_term(arg, ty, span)?;
            values.push(self.settle(value));
        }
        let reference = self.new_struct(id, &values, span)?;
        Ok(self.value(Ty::Struct(id, Region::Memory), reference))
    }

    pub(crate) fn new_object(&mut self, ty: &Ty, args: Vec<Item>, span: Span) -> Res<Item> {
        match (ty, args.as_slice()) {
            (Ty::Array(element, None, _), [length]) => {
                let length = self.coerce_term(length.clone(), &Ty::UINT, span)?;
                self.length_fact_of_new(length);
                let reference = self.new_array(element, length, span)?;
                Ok(self.value(ty.in_region(Region::Memory), reference))
            }
            (Ty::Bytes(_) | Ty::String(_), [length]) => {
                let length = self.coerce_term(length.clone(), &Ty::UINT, span)?;
                let code = self.anything(Sort::Int);
                let known = self.memory_length(ty, code);
                self.graph.assume(self.store.eq(known, length));
                Ok(self.value(ty.in_region(Region::Memory), code))
            }
            (Ty::Contract(id), _) => self.create(*id, args, span),
            _ => invalid(span, "this cannot be created"),
        }
    }

    /// An array whose length is negative or huge is never created.
    fn length_fact_of_new(&mut self, length: ExprId) {
        self.length_fact(length);
    }

    fn hash(&mut self, kind: HashKind, args: Vec<Item>, span: Span) -> Res<Item> {
        let ty = if kind == HashKind::Ripemd160 { Ty::FixedBytes(20) } else { Ty::FixedBytes(32) };
        let [arg] = args.as_slice() else { return self.any_value(ty) };
        let code = self
            .coerce_term(arg.clone(), &Ty::Bytes(Region::Memory), span)
            .or_else(|_| self.coerce_term(arg.clone(), &Ty::String(Region::Memory), span));
        let Ok(code) = code else { return self.any_value(ty) };
        let sort = self.store.array_sort(Sort::Int, self.sort(&ty));
        let map = self.global_var(&Global::Hash(kind), sort);
        let term = self.store.select(self.store.var_expr(map), code);
        self.type_fact(&ty, term);
        Ok(self.value(ty, term))
    }

    /// `abi.encode(args)` and the like: equal arguments have equal encodings.
    fn encode(&mut self, name: &'static str, args: &[pt::Expression], span: Span) -> Res<Item> {
        let ty = Ty::Bytes(Region::Memory);
        let (mut types, mut terms) = (Vec::new(), Vec::new());
        for item in self.arguments(args)? {
            let typed = self.typed(item, span)?;
            let Val::Term(term) = typed.val else { return self.any_value(ty) };
            if !typed.ty.is_value() && !typed.ty.is_text() {
                return self.any_value(ty);
            }
            types.push(typed.ty);
            terms.push(term);
        }
        let mut sort = Sort::Int;
        for term in terms.iter().rev() {
            sort = self.store.array_sort(self.store.sort(*term), sort);
        }
        let map = self.global_var(&Global::Encoding(name, types), sort);
        let map = self.store.var_expr(map);
        let code = terms.into_iter().fold(map, |map, term| self.store.select(map, term));
        self.value_fact(&ty, code);
        Ok(self.value(ty, code))
    }

    fn builtin(&mut self, builtin: Builtin, args: &[pt::Expression], span: Span) -> Res<Item> {
        let unit = Ok(Item::Tuple(Vec::new()));
        match (builtin, args) {
            (Builtin::Old, [arg]) => self.at_moment(self.old, arg, span),
            (Builtin::Before, [arg]) => self.at_moment(self.before, arg, span),
            (Builtin::Equal, [left, right]) => self.deep_equality(left, right, span),
            (Builtin::Sum, [arg]) => self.sum(arg, span),
            (Builtin::TypeOf, _) => unsupported(span, "`type(…)` is only supported with `min` and `max`"),
            _ if self.annotation.is_some() => invalid(span, "annotations can only call getters"),
            (Builtin::Assert, [condition]) => {
                let condition = self.condition(condition)?;
                self.check(condition, CheckKind::Assertion, span);
                unit
            }
            (Builtin::Require, [condition] | [condition, _]) => {
                let condition = self.condition(condition)?;
                self.graph.assume(condition);
                unit
            }
            (Builtin::Revert, _) => {
                self.revert();
                unit
            }
            (Builtin::SelfDestruct, _) => unsupported(span, "`selfdestruct` is not supported"),
            (Builtin::Encode(name), _) => self.encode(name, args, span),
            (Builtin::AddMod | Builtin::MulMod | Builtin::GasLeft, _) => {
                self.arguments(args)?;
                self.any_value(Ty::UINT)
            }
            (Builtin::BlockHash, _) => {
                self.arguments(args)?;
                self.any_value(Ty::FixedBytes(32))
            }
            (Builtin::EcRecover, _) => {
                self.arguments(args)?;
                self.any_value(Ty::ADDRESS)
            }
            _ => invalid(span, "the number of arguments is wrong"),
        }
    }

    /// The transaction ends without an effect.
    pub(crate) fn revert(&mut self) {
        self.graph.assume(self.store.fals());
    }

    fn push(&mut self, place: Place, ty: &Ty, args: Vec<Item>, span: Span) -> Res<Item> {
        let (Place::Storage(array), Ty::Array(element, ..)) = (place, ty) else {
            return unsupported(span, "this is only supported for arrays in storage");
        };
        let mut at = array.clone();
        at.path.push(Sel::Length);
        at.ty = Ty::UINT;
        let length = self.load(&Place::Storage(at.clone()), span)?;
        let Val::Term(length) = length.val else { return invalid(span, "this has no length") };
        let old = self.settle(length);
        let mut target = array;
        target.path.push(Sel::Index(old));
        target.ty = (**element).clone();
        let leaves = match args.into_iter().next() {
            Some(arg) => {
                let typed = self.coerce(arg, element, span)?;
                self.leaves_of(&typed, span)?
            }
            None => self.default_leaves(element),
        };
        self.storage_beyond_is_clear(&target, element, span)?;
        self.write_place(&target, &leaves, span)?;
        let new = self.arith().binary(super::arith::NumOp::Add, &Ty::UINT, old, self.number(&Ty::UINT, 1));
        let Some(new) = new else { return unsupported(span, "this push is not supported") };
        self.write_place(&at, &[new.value], span)?;
        self.offer(&Ty::UINT, old);
        Ok(Item::Place(Place::Storage(target)))
    }

    /// Storage beyond the length of an array is always zero: `pop` and `delete` clear what they remove.
    fn storage_beyond_is_clear(
        &mut self,
        target: &super::item::StoragePlace,
        element: &Ty,
        span: Span,
    ) -> Res<()> {
        if element.is_integer() {
            let leaves = self.read_place(target, span)?;
            let zero = self.default_term(element);
            let fact = self.store.eq(leaves[0], zero);
            self.fact(fact);
        }
        Ok(())
    }

    fn pop(&mut self, place: Place, ty: &Ty, span: Span) -> Res<Item> {
        let (Place::Storage(array), Ty::Array(element, ..)) = (place, ty) else {
            return unsupported(span, "this is only supported for arrays in storage");
        };
        let mut at = array.clone();
        at.path.push(Sel::Length);
        at.ty = Ty::UINT;
        let length = self.load(&Place::Storage(at.clone()), span)?;
        let Val::Term(length) = length.val else { return invalid(span, "this has no length") };
        // An empty array ends the transaction.
        let zero = self.number(&Ty::UINT, 0);
        self.graph.assume(self.store.ne(length, zero));
        let new = self.arith().binary(super::arith::NumOp::Sub, &Ty::UINT, length, self.number(&Ty::UINT, 1));
        let Some(new) = new else { return unsupported(span, "this pop is not supported") };
        let last = self.settle(new.value);
        let mut target = array;
        target.path.push(Sel::Index(last));
        target.ty = (**element).clone();
        let leaves = self.default_leaves(element);
        self.write_place(&target, &leaves, span)?;
        self.write_place(&at, &[last], span)?;
        self.offer(&Ty::UINT, last);
        Ok(Item::Tuple(Vec::new()))
    }

    /// Whether an item can be passed for a parameter.
    fn accepts(&self, item: &Item, ty: &Ty) -> bool {
        let from = match item {
            Item::Number(number) => {
                let (low, high) = super::arith::limits(ty);
                let number = number.to_integer();
                return match ty {
                    Ty::Int { .. } => low <= number && number <= high,
                    Ty::Address { .. } | Ty::FixedBytes(_) => true,
                    _ => false,
                };
            }
            Item::Text(_) => return ty.is_text() || matches!(ty, Ty::FixedBytes(_)),
            Item::Value(typed) => typed.ty.clone(),
            Item::Place(place) => super::assign::place_type(place),
            _ => return false,
        };
        match (&from, ty) {
            (Ty::Int { signed: true, .. }, Ty::Int { signed: false, .. }) => false,
            (Ty::Int { .. }, Ty::Int { .. }) => includes(ty, &from),
            (Ty::FixedBytes(small), Ty::FixedBytes(large)) => small <= large,
            (Ty::Address { payable }, Ty::Address { payable: wanted }) => *payable || !*wanted,
            (Ty::Contract(from), Ty::Contract(to)) => self.decls.contracts[*from].linear.contains(to),
            (Ty::Contract(_), Ty::Address { .. }) => self.decls.version < crate::version::Version(5, 0),
            (from, to) => from.same_shape(to),
        }
    }

    /// The function that is meant among several with the same name.
    pub(crate) fn overload(&self, candidates: &[FuncId], args: &[Item], span: Span) -> Res<FuncId> {
        let fits = |id: &&FuncId| {
            let params = &self.decls.funcs[**id].params;
            params.len() == args.len()
                && args.iter().zip(params).all(|(arg, param)| self.accepts(arg, &param.ty))
        };
        let fitting: Vec<FuncId> = candidates.iter().filter(fits).copied().collect();
        match fitting.as_slice() {
            [] => {
                let name = candidates.first().map_or("", |id| self.decls.funcs[*id].name.as_str());
                invalid(span, format!("no function `{name}` takes these arguments"))
            }
            [one] => Ok(*one),
            // An exact match is preferred.
            several => {
                let exact = several.iter().find(|id| {
                    args.iter().zip(&self.decls.funcs[**id].params).all(|(arg, param)| match arg {
                        Item::Value(typed) => typed.ty.same_shape(&param.ty),
                        Item::Place(place) => super::assign::place_type(place).same_shape(&param.ty),
                        _ => true,
                    })
                });
                Ok(*exact.unwrap_or(&several[0]))
            }
        }
    }

    fn internal_call(
        &mut self,
        candidates: &[FuncId],
        dispatch: Dispatch,
        args: Vec<Item>,
        span: Span,
    ) -> Res<Item> {
        let chosen = self.overload(candidates, &args, span)?;
        let func = match (dispatch, self.contract) {
            (Dispatch::Virtual, Some(contract)) if self.is_inherited(chosen) => {
                self.overriding(chosen, contract)
            }
            _ => chosen,
        };
        self.check_overflow(OverflowAt::Call, span);
        let frame = self.frame();
        let context = Context {
            this: frame.this,
            sender: frame.sender,
            value: frame.value,
            memory: Memory::Shared,
            code: CalleeCode::Declared,
        };
        self.call_func(func, args, context, span)
    }

    /// Whether a function belongs to the contract that is verified or one of its bases.
    fn is_inherited(&self, func: FuncId) -> bool {
        let owner = self.decls.funcs[func].contract;
        owner
            .zip(self.contract)
            .is_some_and(|(owner, contract)| self.decls.contracts[contract].linear.contains(&owner))
    }

    fn overriding(&self, func: FuncId, contract: crate::types::ContractId) -> FuncId {
        let linear = &self.decls.contracts[contract].linear;
        let all = self.decls.find_funcs(linear, &self.decls.funcs[func].name);
        all.into_iter().find(|other| self.decls.same_signature(func, *other)).unwrap_or(func)
    }

    /// Calls a function: in place, or by what its annotations say.
    pub(crate) fn call_func(
        &mut self,
        id: FuncId,
        args: Vec<Item>,
        context: Context,
        span: Span,
    ) -> Res<Item> {
        let func = &self.decls.funcs[id];
        let is_recursive = self.inlined.contains(&id);
        if func.is_modular() || func.body.is_none() || is_recursive {
            return self.modular_call(id, args, context, span);
        }
        self.inlined.push(id);
        let result = self.inline(id, args, context, span);
        self.inlined.pop();
        result
    }

    /// A frame for a function, with its results at their default values.
    pub(crate) fn enter(&mut self, id: FuncId, context: Context) -> Res<()> {
        let func = &self.decls.funcs[id];
        let exit = self.graph.node();
        self.frames.push(Frame {
            contract: func.contract,
            func: Some(id),
            scopes: vec![std::collections::BTreeMap::new()],
            returns: Vec::new(),
            exit,
            this: context.this,
            sender: context.sender,
            value: context.value,
            loops: Vec::new(),
            unchecked: false,
            layers: Vec::new(),
        });
        for result in &func.returns {
            let local = self.local_default(&result.ty, result.span)?;
            if let Some(name) = &result.name {
                self.declare(name, local.clone());
            }
            self.frame_mut().returns.push(local);
        }
        Ok(())
    }

    /// A variable of a type.
    pub(crate) fn local(&mut self, name: &str, ty: &Ty, span: Span) -> Res<Local> {
        if ty.region() == Some(Region::Storage) {
            if matches!(ty, Ty::Mapping(..)) && self.shapes(ty, span)?.is_empty() {
                return Ok(Local::Elsewhere(ty.clone()));
            }
            let keys = super::storage::index_keys(&self.shapes(ty, span)?);
            let kind = self.graph.fresh(&self.store, name, Sort::Int);
            let indices =
                keys.into_iter().map(|key| (key, self.graph.fresh(&self.store, name, key.1))).collect();
            return Ok(Local::Pointer { ty: ty.clone(), kind, indices });
        }
        let var = self.graph.fresh(&self.store, name, self.sort(ty));
        Ok(Local::Var { ty: ty.clone(), var, old: None })
    }

    /// A variable with the default value of its type.
    pub(crate) fn local_default(&mut self, ty: &Ty, span: Span) -> Res<Local> {
        let local = self.local("result", ty, span)?;
        if let Local::Var { var, .. } = local {
            let term = self.new_default(ty, span)?;
            self.graph.assign(var, term);
        }
        Ok(local)
    }

    fn inline(&mut self, id: FuncId, args: Vec<Item>, context: Context, span: Span) -> Res<Item> {
        let func = &self.decls.funcs[id];
        let params: Vec<_> = func.params.clone();
        let mut values = Vec::new();
        for (arg, param) in args.into_iter().zip(&params) {
            values.push(self.coerce(arg, &param.ty, span)?);
        }
        // Pointers are made while the names of the caller are still visible.
        let mut pointers = Vec::new();
        for value in &values {
            pointers.push(match &value.val {
                Val::Place(place) => Some(self.pointer_to(&place.clone(), span)?),
                _ => None,
            });
        }
        self.enter(id, context)?;
        for ((value, pointer), param) in values.into_iter().zip(pointers).zip(&params) {
            self.bind(param, value, pointer, span)?;
        }
        self.body(id)?;
        let exit = self.frame().exit;
        self.graph.jump(exit);
        self.graph.resume(Some(exit));
        let frame = self.frames.pop();
        let returns = frame.map(|frame| frame.returns).unwrap_or_default();
        self.results(returns)
    }

    pub(crate) fn bind(
        &mut self,
        param: &crate::decls::Param,
        value: Typed,
        pointer: Option<super::item::Pointer>,
        span: Span,
    ) -> Res<()> {
        let name = param.name.clone().unwrap_or_default();
        let local = self.local(&name, &param.ty, param.span)?;
        match (&local, value.val, pointer) {
            (Local::Var { var, .. }, Val::Term(term), _) => self.graph.assign(*var, term),
            (Local::Pointer { kind, indices, .. }, _, Some(pointer)) => {
                self.graph.assign(*kind, pointer.kind);
                for (key, var) in indices {
                    self.graph.assign(*var, pointer.indices[key]);
                }
            }
            _ => return unsupported(span, "this argument is not supported"),
        }
        self.declare(&name, local);
        Ok(())
    }

    /// The results of a call as an item.
    pub(crate) fn results(&mut self, returns: Vec<Local>) -> Res<Item> {
        let mut items = Vec::new();
        for local in returns {
            items.push(Some(match local {
                Local::Var { ty, var, .. } => {
                    let term = self.settle(self.store.var_expr(var));
                    self.value(ty, term)
                }
                Local::Pointer { ty, kind, indices } => {
                    let kind = self.settle(self.store.var_expr(kind));
                    let indices: Vec<_> =
                        indices.iter().map(|(key, var)| (*key, self.store.var_expr(*var))).collect();
                    let indices = indices.into_iter().map(|(key, term)| (key, self.settle(term))).collect();
                    let pointer = super::item::Pointer { ty: ty.clone(), kind, indices };
                    let this = self.frame().this;
                    let place = super::item::StoragePlace {
                        root: super::item::Root::Pointer(pointer, this),
                        path: Vec::new(),
                        ty: ty.clone(),
                    };
                    Item::Value(Typed { ty, val: Val::Place(place) })
                }
                Local::Elsewhere(_) | Local::Bound(..) => continue,
            }));
        }
        match items.len() {
            1 => Ok(items.pop().flatten().unwrap_or(Item::Tuple(Vec::new()))),
            _ => Ok(Item::Tuple(items)),
        }
    }

    /// Translates the body of the function of the current frame, with its modifiers around it.
    pub(crate) fn body(&mut self, id: FuncId) -> Res<()> {
        self.layer(id, 0)
    }

    /// Translates a modifier of a function, or its body after the last one. `return` leaves only this.
    fn layer(&mut self, id: FuncId, number: usize) -> Res<()> {
        let func = &self.decls.funcs[id];
        let linear =
            self.contract.map(|contract| self.decls.contracts[contract].linear.clone()).unwrap_or_default();
        let mut next = number;
        while let Some(base) = func.modifiers.get(next) {
            next += 1;
            let name = base.name.identifiers.last().map_or("", |last| last.name.as_str());
            if let Some(modifier) = self.decls.find_modifier(&linear, name) {
                return self.modifier(id, modifier, base, next);
            }
            if func.kind != FuncKind::Constructor {
                return invalid(self.span(&base.loc), format!("unknown modifier `{name}`"));
            }
        }
        let Some(body) = func.body else { return Ok(()) };
        self.until_exit(|lower| lower.stmt(body))
    }

    /// Translates something that `return` leaves.
    fn until_exit(&mut self, part: impl FnOnce(&mut Self) -> Res<()>) -> Res<()> {
        let exit = self.graph.node();
        let outer = std::mem::replace(&mut self.frame_mut().exit, exit);
        let result = part(self);
        self.frame_mut().exit = outer;
        result?;
        self.graph.jump(exit);
        self.graph.resume(Some(exit));
        Ok(())
    }

    fn modifier(&mut self, _func: FuncId, modifier: FuncId, base: &pt::Base, next: usize) -> Res<()> {
        let span = self.span(&base.loc);
        let args = self.arguments(base.args.as_deref().unwrap_or_default())?;
        let params = self.decls.funcs[modifier].params.clone();
        if args.len() != params.len() {
            return invalid(span, "the number of arguments of this modifier is wrong");
        }
        let mut values = Vec::new();
        for (arg, param) in args.into_iter().zip(&params) {
            let typed = self.coerce(arg, &param.ty, span)?;
            let pointer = match &typed.val {
                Val::Place(place) => Some(self.pointer_to(&place.clone(), span)?),
                _ => None,
            };
            values.push((typed, pointer));
        }
        let Some(body) = self.decls.funcs[modifier].body else { return Ok(()) };
        let contract = self.decls.funcs[modifier].contract;
        let frame = self.frame_mut();
        let scopes = std::mem::replace(&mut frame.scopes, vec![std::collections::BTreeMap::new()]);
        let loops = std::mem::take(&mut frame.loops);
        let outer = std::mem::replace(&mut frame.contract, contract);
        frame.layers.push(Layer { next, scopes, loops, contract: outer });
        for ((value, pointer), param) in values.into_iter().zip(&params) {
            self.bind(param, value, pointer, span)?;
        }
        self.until_exit(|lower| lower.stmt(body))?;
        let frame = self.frame_mut();
        if let Some(layer) = frame.layers.pop() {
            frame.scopes = layer.scopes;
            frame.loops = layer.loops;
            frame.contract = layer.contract;
        }
        Ok(())
    }

    /// `_` in a modifier.
    pub(crate) fn placeholder(&mut self, span: Span) -> Res<()> {
        let Some(id) = self.frame().func else { return invalid(span, "`_` outside of a modifier") };
        let frame = self.frame_mut();
        let Some(layer) = frame.layers.pop() else { return invalid(span, "`_` outside of a modifier") };
        let scopes = std::mem::replace(&mut frame.scopes, layer.scopes);
        let loops = std::mem::replace(&mut frame.loops, layer.loops);
        let contract = std::mem::replace(&mut frame.contract, layer.contract);
        self.layer(id, layer.next)?;
        let frame = self.frame_mut();
        let scopes = std::mem::replace(&mut frame.scopes, scopes);
        let loops = std::mem::replace(&mut frame.loops, loops);
        let outer = std::mem::replace(&mut frame.contract, contract);
        frame.layers.push(Layer { next: layer.next, scopes, loops, contract: outer });
        Ok(())
    }
}

fn set_value(callee: &mut Callee, value: ExprId, span: Span) -> Res<()> {
    match callee {
        Callee::External { options, .. } | Callee::Address { options, .. } => {
            options.value = Some(value);
            Ok(())
        }
        Callee::Option { callee, .. } => set_value(callee, value, span),
        Callee::New(_) => unsupported(span, "creating contracts with ether is not supported"),
        _ => invalid(span, "this call cannot carry ether"),
    }
}
