//! Calls.

use solang_parser::pt;
use solang_parser::pt::CodeLocation;
use thetis_base::Span;
use thetis_expr::{ExprId, Sort};

use crate::check::OverflowAt;
use crate::decls::Visibility;
use crate::fault::{Res, invalid, unsupported};
use crate::types::{FuncId, Region, StructId, Ty};

use super::expr::has_effects;
use super::item::{CallOptions, Callee, Dispatch, Item, Typed, Val};
use super::{Frame, Local, Lower};

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
    /// It is the code of the function, or behaves as its annotations describe.
    Declared,
    /// It may be any code with the signature of the function.
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
            Item::Callee(Callee::Concat(ty)) if self.annotation.is_none() => self.concat(ty, args, span),
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
        if (1..exprs.len()).any(|at| exprs[..at].iter().any(|first| self.order_matters(first, &exprs[at]))) {
            return unsupported(span, "the order in which these arguments are evaluated is not specified");
        }
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
        self.set_options(&mut callee, options, span)?;
        Ok(Item::Callee(callee))
    }

    /// Evaluates the options of a call.
    pub(crate) fn set_options(
        &mut self,
        callee: &mut Callee,
        options: &pt::Statement,
        span: Span,
    ) -> Res<()> {
        let pt::Statement::Args(_, args) = options else {
            return invalid(span, "these options are not understood");
        };
        for arg in args {
            let item = self.expr(&arg.expr)?;
            match arg.name.name.as_str() {
                "value" => {
                    let value = self.coerce_term(item, &Ty::UINT, span)?;
                    let value = self.settle(value);
                    set_value(callee, value, span)?;
                }
                // Nothing is known about the address of a new contract.
                "salt" if matches!(callee, Callee::New(..)) => {}
                "gas" => self.notes.push((span, "the option `gas` is ignored".to_owned())),
                other => return unsupported(span, format!("the option `{other}` is not supported")),
            }
        }
        Ok(())
    }

    pub(super) fn call(&mut self, callee: Callee, args: Vec<Item>, span: Span) -> Res<Item> {
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
            Callee::New(Ty::Contract(id), options) => self.create(id, args, &options, span),
            Callee::New(ty, _) => self.new_object(&ty, args, span),
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
            Callee::Builtin(_) | Callee::Concat(_) => invalid(span, "this cannot be called here"),
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

    /// `new T{options}(args)`.
    pub(crate) fn new_expr(&mut self, object: &pt::Expression, span: Span) -> Res<Item> {
        let (callee, args) = self.creation(object, span)?;
        match args {
            Some(args) => {
                let args = self.arguments(args)?;
                self.call(callee, args, span)
            }
            None => Ok(Item::Callee(callee)),
        }
    }

    /// What is created, and with which arguments; the parser reads both as `new` of a call.
    pub(crate) fn creation<'e>(
        &mut self,
        object: &'e pt::Expression,
        span: Span,
    ) -> Res<(Callee, Option<&'e [pt::Expression]>)> {
        use pt::Expression as E;
        let (object, args) = match object {
            E::FunctionCall(_, object, args) => (&**object, Some(args.as_slice())),
            E::NamedFunctionCall(..) => return unsupported(span, "named arguments are not supported here"),
            object => (object, None),
        };
        let (ty, options) = match object {
            E::FunctionCallBlock(_, ty, options) => (&**ty, Some(&**options)),
            ty => (ty, None),
        };
        let ty = self.decls.ty(self.frame().contract, ty, Region::Memory)?;
        let mut callee = Callee::New(ty, CallOptions::default());
        if let Some(options) = options {
            self.set_options(&mut callee, options, span)?;
        }
        Ok((callee, args))
    }

    pub(crate) fn new_object(&mut self, ty: &Ty, args: Vec<Item>, span: Span) -> Res<Item> {
        match (ty, args.as_slice()) {
            (Ty::Array(element, None, _), [length]) => {
                let length = self.coerce_term(length.clone(), &Ty::UINT, span)?;
                // An array whose length is negative or huge is never created.
                self.length_fact(length);
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
            _ => invalid(span, "this cannot be created"),
        }
    }

    /// The transaction ends without an effect.
    pub(crate) fn revert(&mut self) {
        self.graph.assume(self.store.fals());
    }

    fn internal_call(
        &mut self,
        candidates: &[FuncId],
        dispatch: Dispatch,
        args: Vec<Item>,
        span: Span,
    ) -> Res<Item> {
        let chosen = self.overload(candidates, &args, span)?;
        self.permit_call(chosen, span)?;
        let is_private = self.decls.funcs[chosen].visibility == Visibility::Private;
        let func = match (dispatch, self.contract) {
            (Dispatch::Virtual, Some(contract)) if self.is_inherited(chosen) && !is_private => {
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
        if self.whole.is_some() {
            if is_recursive || func.body.is_none() {
                return unsupported(span, "recursive functions are not supported here");
            }
        } else if func.is_modular() || func.body.is_none() || is_recursive {
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
        self.frames.push(Frame::new(func.contract, Some(id), exit, context));
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
}

fn set_value(callee: &mut Callee, value: ExprId, span: Span) -> Res<()> {
    match callee {
        Callee::External { options, .. }
        | Callee::Address { options, .. }
        | Callee::New(Ty::Contract(_), options) => {
            options.value = Some(value);
            Ok(())
        }
        Callee::Option { callee, .. } => set_value(callee, value, span),
        _ => invalid(span, "this call cannot carry ether"),
    }
}
