//! Members and elements.

use solang_parser::pt;
use solang_parser::pt::CodeLocation;
use thetis_base::Span;
use thetis_expr::Rational;
use thetis_expr::{ExprId, Sort};

use crate::check::CheckKind;
use crate::decls::ContractKind;
use crate::fault::{Res, invalid, unsupported};
use crate::types::{ContractId, FuncId, Region, StructId, Ty};
use crate::version::Version;

use super::Lower;
use super::arith::{CmpOp, limits};
use super::encoding::Encoding;
use super::global::Global;
use super::item::{
    AddressMember, Builtin, CallOptions, Callee, Dispatch, Item, Magic, Place, Sel, StoragePlace, Typed, Val,
};
use super::permission::Access;

impl Lower<'_, '_> {
    /// `base.name`.
    pub(crate) fn member(&mut self, base: &pt::Expression, name: &str, span: Span) -> Res<Item> {
        if let pt::Expression::FunctionCall(_, callee, args) = base
            && matches!(&**callee, pt::Expression::Variable(callee) if callee.name == "type")
            && let [ty] = args.as_slice()
        {
            return self.type_member(ty, name, span);
        }
        match self.expr(base)? {
            Item::Magic(magic) => self.magic_member(magic, name, span),
            Item::Type(Ty::Contract(id)) => self.contract_member(id, name, span),
            Item::Type(Ty::User(id)) => match name {
                "wrap" => Ok(Item::Callee(Callee::Wrap(Ty::User(id)))),
                "unwrap" => Ok(Item::Callee(Callee::Unwrap)),
                _ => invalid(span, format!("unknown member `{name}`")),
            },
            Item::EnumType(id) => match self.decls.enums[id].values.iter().position(|value| value == name) {
                Some(number) => Ok(self.value(Ty::Enum(id), self.store.int(number))),
                None => invalid(span, format!("`{}` has no member `{name}`", self.decls.enums[id].name)),
            },
            Item::Callee(callee) if matches!(name, "value" | "gas") => {
                let name = if name == "value" { "value" } else { "gas" };
                Ok(Item::Callee(Callee::Option { callee: Box::new(callee), name }))
            }
            Item::Callee(
                Callee::External { candidates, .. } | Callee::Internal { candidates, this_arg: None, .. },
            ) if name == "selector" => match candidates.as_slice() {
                [func] => self.selector(*func, span),
                _ => unsupported(span, "this selector is not supported"),
            },
            Item::Callee(Callee::External { target, .. }) if name == "address" => {
                Ok(self.value(Ty::ADDRESS, target))
            }
            Item::Callee(_) => unsupported(span, "members of functions are not supported"),
            Item::Type(ty @ (Ty::Bytes(_) | Ty::String(_))) if name == "concat" => {
                Ok(Item::Callee(Callee::Concat(ty)))
            }
            item => self.value_member(item, name, span),
        }
    }

    fn type_member(&mut self, ty: &pt::Expression, name: &str, span: Span) -> Res<Item> {
        let ty = self.decls.ty(self.frame().contract, ty, Region::Memory)?;
        match (&ty, name) {
            (Ty::Int { .. }, "min") => {
                Ok(Item::Value(Typed { val: Val::Term(self.number(&ty, limits(&ty).0)), ty }))
            }
            (Ty::Int { .. }, "max") => {
                Ok(Item::Value(Typed { val: Val::Term(self.number(&ty, limits(&ty).1)), ty }))
            }
            (Ty::Enum(_), "min") => Ok(self.value(ty, self.store.int(0))),
            (Ty::Enum(id), "max") => {
                let last = self.decls.enums[*id].values.len().saturating_sub(1);
                Ok(self.value(ty, self.store.int(last)))
            }
            (Ty::Contract(id), "name") => Ok(Item::Text(self.decls.contracts[*id].name.clone().into_bytes())),
            (Ty::Contract(_), "creationCode" | "runtimeCode") => self.any_value(Ty::Bytes(Region::Memory)),
            (Ty::Contract(id), "interfaceId") => {
                let ty = Ty::FixedBytes(4);
                let sort = self.sort(&ty);
                let var = self.global_var(&Global::Interface(*id), sort);
                let term = self.store.var_expr(var);
                self.type_fact(&ty, term);
                Ok(self.value(ty, term))
            }
            _ => unsupported(span, format!("`type(…).{name}` is not supported")),
        }
    }

    /// A property of the block or transaction: unknown, but always the same.
    pub(crate) fn environment(&mut self, name: &'static str, ty: Ty) -> Res<Item> {
        let sort = self.sort(&ty);
        let var = self.global_var(&Global::Environment(name), sort);
        let term = self.store.var_expr(var);
        self.type_fact(&ty, term);
        Ok(self.value(ty, term))
    }

    fn magic_member(&mut self, magic: Magic, name: &str, span: Span) -> Res<Item> {
        let payable = Ty::Address { payable: true };
        let sender = Ty::Address { payable: self.decls.version < Version(8, 0) };
        if matches!(magic, Magic::Block | Magic::Tx)
            || matches!((magic, name), (Magic::Msg, "sender" | "value"))
        {
            self.permit(Access::Read, span)?;
        }
        match (magic, name) {
            (Magic::Msg, "sender") => Ok(self.value(sender, self.frame().sender)),
            (Magic::Msg, "value") => {
                self.permit_value(span)?;
                Ok(self.value(Ty::UINT, self.frame().value))
            }
            (Magic::Msg, "sig") => self.environment("msg.sig", Ty::FixedBytes(4)),
            (Magic::Msg, "data") => self.environment("msg.data", Ty::Bytes(Region::Calldata)),
            (Magic::Msg, "gas") => self.any_value(Ty::UINT),
            (Magic::Block, "timestamp") => self.environment("block.timestamp", Ty::UINT),
            (Magic::Block, "number") => self.environment("block.number", Ty::UINT),
            (Magic::Block, "difficulty") => self.environment("block.difficulty", Ty::UINT),
            (Magic::Block, "prevrandao") => self.environment("block.prevrandao", Ty::UINT),
            (Magic::Block, "gaslimit") => self.environment("block.gaslimit", Ty::UINT),
            (Magic::Block, "basefee") => self.environment("block.basefee", Ty::UINT),
            (Magic::Block, "chainid") => self.environment("block.chainid", Ty::UINT),
            (Magic::Block, "coinbase") => self.environment("block.coinbase", payable),
            (Magic::Block, "blockhash") => Ok(builtin(Builtin::BlockHash)),
            (Magic::Tx, "origin") => self.environment("tx.origin", sender),
            (Magic::Tx, "gasprice") => self.environment("tx.gasprice", Ty::UINT),
            (Magic::Abi, "encode") => Ok(builtin(Builtin::Encode(Encoding::Standard))),
            (Magic::Abi, "encodePacked") => Ok(builtin(Builtin::Encode(Encoding::Packed))),
            (Magic::Abi, "encodeWithSelector") => Ok(builtin(Builtin::Encode(Encoding::Selector))),
            (Magic::Abi, "encodeWithSignature") => Ok(builtin(Builtin::Encode(Encoding::Signature))),
            (Magic::Abi, "encodeCall") => Ok(builtin(Builtin::EncodeCall)),
            (Magic::Abi, "decode") => Ok(builtin(Builtin::Decode)),
            (Magic::Super, _) => self.super_member(name, span),
            _ => unsupported(span, format!("`{name}` is not supported")),
        }
    }

    /// Any value of a type.
    pub(crate) fn any_value(&mut self, ty: Ty) -> Res<Item> {
        let sort = self.sort(&ty);
        let term = self.anything(sort);
        self.value_fact(&ty, term);
        Ok(self.value(ty, term))
    }

    /// The next contract after the current one that has the function.
    fn super_member(&mut self, name: &str, span: Span) -> Res<Item> {
        let (Some(derived), Some(here)) = (self.contract, self.frame().contract) else {
            return invalid(span, "`super` needs a contract");
        };
        let linear = &self.decls.contracts[derived].linear;
        let after = linear.iter().position(|id| *id == here).map_or(0, |at| at + 1);
        let implemented = |id: &FuncId| self.decls.funcs[*id].body.is_some();
        let candidates: Vec<FuncId> =
            self.decls.find_funcs(&linear[after..], name).into_iter().filter(implemented).collect();
        self.callees(candidates, Dispatch::Exact, name, span)
    }

    fn callees(&self, candidates: Vec<FuncId>, dispatch: Dispatch, name: &str, span: Span) -> Res<Item> {
        if candidates.is_empty() {
            return invalid(span, format!("unknown member `{name}`"));
        }
        Ok(Item::Callee(Callee::Internal { candidates, dispatch, this_arg: None }))
    }

    /// `C.name`: a function of a library or base, a type, or a state variable of a base.
    fn contract_member(&mut self, id: ContractId, name: &str, span: Span) -> Res<Item> {
        if let Some(slot) = self.decls.find_slot(Some(id), name) {
            let this = self.frame().this;
            return self.slot_item(slot, this, span);
        }
        if let Some(named) = self.decls.contracts[id]
            .linear
            .iter()
            .find_map(|base| self.decls.contracts[*base].scope.types.get(name))
        {
            return Ok(self.type_item(*named));
        }
        let events: Vec<_> = self
            .decls
            .events_of(Some(id))
            .into_iter()
            .filter(|event| self.decls.events[*event].name == name)
            .collect();
        if !events.is_empty() {
            return Ok(Item::Event(events));
        }
        if self.decls.contracts[id]
            .linear
            .iter()
            .any(|base| self.decls.contracts[*base].scope.errors.iter().any(|error| error == name))
        {
            return Ok(Item::Error);
        }
        let linear = self.decls.contracts[id].linear.clone();
        let candidates = self.decls.find_funcs(&linear, name);
        let of_contract =
            candidates.into_iter().filter(|func| self.decls.funcs[*func].contract.is_some()).collect();
        self.callees(of_contract, Dispatch::Exact, name, span)
    }

    fn value_member(&mut self, item: Item, name: &str, span: Span) -> Res<Item> {
        let typed = self.typed(item.clone(), span)?;
        let found = match &typed.ty {
            Ty::Struct(id, _) => self.field(&typed, *id, name)?,
            Ty::Array(..) | Ty::Bytes(_) | Ty::String(_) => self.array_member(&item, &typed, name, span)?,
            Ty::FixedBytes(size) if name == "length" => {
                Some(Item::Number(Rational::from_integer((*size).into())))
            }
            Ty::Address { .. } => self.address_member(&typed, name, span)?,
            Ty::Contract(id) => self.instance_member(&typed, *id, name, span)?,
            _ => None,
        };
        if let Some(item) = found {
            return Ok(item);
        }
        let candidates = self.attached(&typed.ty, name)?;
        if candidates.is_empty() {
            return invalid(span, format!("`{}` has no member `{name}`", self.decls.show(&typed.ty)));
        }
        let item = self.settled(item, span)?;
        Ok(Item::Callee(Callee::Internal {
            candidates,
            dispatch: Dispatch::Exact,
            this_arg: Some(Box::new(item)),
        }))
    }

    fn field(&mut self, typed: &Typed, id: StructId, name: &str) -> Res<Option<Item>> {
        let Some(field) = self.decls.structs[id].fields.iter().position(|(field, _)| field == name) else {
            return Ok(None);
        };
        let ty = self.decls.structs[id].fields[field].1.clone();
        Ok(match &typed.val {
            Val::Place(place) => {
                let mut path = place.path.clone();
                path.push(Sel::Field(field));
                Some(Item::Place(Place::Storage(StoragePlace { root: place.root.clone(), path, ty })))
            }
            Val::Term(base) => {
                let ty = if ty.region().is_some() { ty.in_region(Region::Memory) } else { ty };
                Some(Item::Place(Place::Field { base: *base, of: id, field, ty }))
            }
            Val::Leaves(_) => None,
        })
    }

    fn array_member(&mut self, item: &Item, typed: &Typed, name: &str, span: Span) -> Res<Option<Item>> {
        let place = match (item, &typed.val) {
            (_, Val::Place(place)) => Some(Place::Storage(place.clone())),
            (Item::Place(place @ Place::Storage(_)), _) => Some(place.clone()),
            _ => None,
        };
        match (name, place) {
            ("length", _) => self.length(typed, span).map(Some),
            ("push", Some(place)) if matches!(typed.ty, Ty::Array(_, None, _)) => {
                Ok(Some(Item::Callee(Callee::Push(place, typed.ty.clone()))))
            }
            ("pop", Some(place)) if matches!(typed.ty, Ty::Array(_, None, _)) => {
                Ok(Some(Item::Callee(Callee::Pop(place, typed.ty.clone()))))
            }
            ("push" | "pop", _) => unsupported(span, "this is only supported for arrays in storage"),
            _ => Ok(None),
        }
    }

    fn length(&mut self, typed: &Typed, _span: Span) -> Res<Item> {
        match (&typed.ty, &typed.val) {
            (Ty::Array(_, Some(length), _), _) => Ok(self.value(Ty::UINT, self.number(&Ty::UINT, *length))),
            (Ty::Array(..), Val::Place(place)) => {
                let mut path = place.path.clone();
                path.push(Sel::Length);
                Ok(Item::Place(Place::Storage(StoragePlace { root: place.root.clone(), path, ty: Ty::UINT })))
            }
            (ty, Val::Term(term)) => {
                self.text_fact(*term);
                let length = self.memory_length(&ty.in_region(Region::Memory), *term);
                Ok(self.value(Ty::UINT, length))
            }
            _ => invalid(_span, "this has no length"),
        }
    }

    pub(crate) fn balance_sort(&self) -> Sort {
        self.per_contract(self.sort(&Ty::UINT))
    }

    /// The balance of an address. The balances of others are not known while a whole contract is translated.
    pub(crate) fn balance(&mut self, address: ExprId) -> ExprId {
        let sort = self.balance_sort();
        let balances = self.global(&Global::Balance, sort);
        let balance = match &self.whole {
            None => self.store.select(balances, address),
            Some(whole) if whole.this == address => balances,
            Some(whole) => {
                let (this, coarse) = (whole.this, whole.coarse);
                let is_own = self.store.eq(address, this);
                let others = self.anything(sort);
                let known = self.store.and(is_own, self.store.not(self.store.var_expr(coarse)));
                self.graph.assign(coarse, self.store.not(known));
                self.store.ite(is_own, balances, others)
            }
        };
        let zero = self.number(&Ty::UINT, 0);
        let fact = self.arith().compare(CmpOp::Le, &Ty::UINT, zero, balance);
        self.fact(fact);
        self.type_fact(&Ty::UINT, balance);
        balance
    }

    fn address_member(&mut self, typed: &Typed, name: &str, span: Span) -> Res<Option<Item>> {
        let Val::Term(target) = typed.val else { return Ok(None) };
        let is_payable = typed.ty == Ty::Address { payable: true } || self.decls.version < Version(5, 0);
        if matches!(name, "transfer" | "send") && !is_payable {
            return invalid(span, format!("only values of type `address payable` have a member `{name}`"));
        }
        let member = match name {
            "balance" => {
                self.permit(Access::Read, span)?;
                let balance = self.balance(target);
                return Ok(Some(self.value(Ty::UINT, balance)));
            }
            "transfer" => AddressMember::Transfer,
            "send" => AddressMember::Send,
            "call" => AddressMember::Call,
            "staticcall" => AddressMember::StaticCall,
            "codehash" => return self.any_value(Ty::FixedBytes(32)).map(Some),
            "code" => return self.any_value(Ty::Bytes(Region::Memory)).map(Some),
            "delegatecall" | "callcode" => return unsupported(span, format!("`{name}` is not supported")),
            _ => return Ok(None),
        };
        Ok(Some(Item::Callee(Callee::Address { target, member, options: CallOptions::default() })))
    }

    /// `c.name`, where `c` is a contract: a function or getter; in old versions also a member of addresses.
    fn instance_member(
        &mut self,
        typed: &Typed,
        id: ContractId,
        name: &str,
        span: Span,
    ) -> Res<Option<Item>> {
        let Val::Term(target) = typed.val else { return Ok(None) };
        let linear = self.decls.contracts[id].linear.clone();
        let is_public =
            |func: &FuncId| self.decls.funcs[*func].is_public() && self.decls.funcs[*func].contract.is_some();
        let candidates: Vec<FuncId> =
            self.decls.find_funcs(&linear, name).into_iter().filter(is_public).collect();
        // A public state variable may override functions of bases.
        let slot = linear
            .iter()
            .flat_map(|base| &self.decls.contracts[*base].slots)
            .find(|slot| self.decls.slots[**slot].name == name);
        if let Some(slot) = slot.filter(|slot| self.decls.slots[**slot].is_public) {
            return Ok(Some(Item::Callee(Callee::Getter { target, slot: *slot })));
        }
        if !candidates.is_empty() {
            let options = CallOptions::default();
            return Ok(Some(Item::Callee(Callee::External { target, contract: id, candidates, options })));
        }
        if self.decls.version < Version(5, 0) || self.annotation.is_some() {
            return self.address_member(&Typed { ty: Ty::ADDRESS, val: Val::Term(target) }, name, span);
        }
        Ok(None)
    }

    /// The functions that `using for` attaches to a type.
    fn attached(&self, ty: &Ty, name: &str) -> Res<Vec<FuncId>> {
        let here =
            self.frame().contract.map(|id| self.decls.contracts[id].linear.clone()).unwrap_or_default();
        let usings =
            here.iter().flat_map(|id| &self.decls.contracts[*id].usings).chain(&self.decls.file_usings);
        let mut found = Vec::new();
        for using in usings {
            if using.ty.as_ref().is_some_and(|wanted| !wanted.same_shape(ty) && !attaches(wanted, ty)) {
                continue;
            }
            match using.list {
                pt::UsingList::Library(path) => {
                    if let crate::decls::NamedType::Contract(library) =
                        self.decls.type_by_path(self.frame().contract, path)?
                        && self.decls.contracts[library].kind == ContractKind::Library
                    {
                        let funcs = self.decls.contracts[library].scope.funcs.iter();
                        found.extend(funcs.filter(|func| self.decls.funcs[**func].name == name));
                    }
                }
                pt::UsingList::Functions(list) => {
                    let named = list.iter().filter(|function| {
                        function.path.identifiers.last().is_some_and(|last| last.name == name)
                    });
                    if named.count() > 0 {
                        found.extend(
                            self.decls.funcs.indices().filter(|func| self.decls.funcs[*func].name == name),
                        );
                    }
                }
                pt::UsingList::Error => {}
            }
        }
        found.dedup();
        Ok(found)
    }

    /// `base[index]`.
    pub(crate) fn subscript(
        &mut self,
        base: &pt::Expression,
        index: &pt::Expression,
        span: Span,
    ) -> Res<Item> {
        let item = self.expr(base)?;
        if let Item::Type(_) | Item::EnumType(_) = item {
            let whole = pt::Expression::ArraySubscript(
                base.loc(),
                Box::new(base.clone()),
                Some(Box::new(index.clone())),
            );
            return Ok(Item::Type(self.decls.ty(self.frame().contract, &whole, Region::Memory)?));
        }
        let typed = self.typed(item, span)?;
        let key = self.expr(index)?;
        match typed.ty.clone() {
            Ty::Mapping(key_ty, value) => {
                let key_ty = if key_ty.is_text() { key_ty.in_region(Region::Memory) } else { *key_ty };
                let key = self.coerce_term(key, &key_ty, span)?;
                let key = self.settle(key);
                self.offer(&key_ty, key);
                self.element(&typed, key, *value, span)
            }
            Ty::Array(element, ..) => {
                let key = self.coerce_index(key, span)?;
                self.check_bounds(&typed, key, span)?;
                self.offer(&Ty::UINT, key);
                self.element(&typed, key, *element, span)
            }
            Ty::FixedBytes(size) => {
                let Val::Term(term) = typed.val else { return invalid(span, "this has no elements") };
                let key = self.coerce_index(key, span)?;
                self.byte_of(size, term, key, span)
            }
            ty if ty.is_text() => {
                let Val::Term(code) = typed.val else { return invalid(span, "this has no elements") };
                let key = self.coerce_index(key, span)?;
                self.check_bounds(&Typed { ty, val: Val::Term(code) }, key, span)?;
                self.text_byte(code, key)
            }
            ty => invalid(span, format!("values of type `{}` have no elements", self.decls.show(&ty))),
        }
    }

    fn coerce_index(&mut self, key: Item, span: Span) -> Res<ExprId> {
        let key = self.coerce_term(key, &Ty::UINT, span)?;
        Ok(self.settle(key))
    }

    fn text_byte(&mut self, code: ExprId, key: ExprId) -> Res<Item> {
        let byte = Ty::FixedBytes(1);
        let row = self.store.array_sort(self.sort(&Ty::UINT), self.sort(&byte));
        let sort = self.store.array_sort(Sort::Int, row);
        let map = self.global(&Global::TextBytes, sort);
        let term = self.store.select(self.store.select(map, code), key);
        self.type_fact(&byte, term);
        Ok(self.value(byte, term))
    }

    /// An index beyond the length ends the transaction.
    pub(crate) fn check_bounds(&mut self, typed: &Typed, key: ExprId, span: Span) -> Res<()> {
        if self.annotation.is_some() {
            return Ok(());
        }
        let length = self.length(typed, span)?;
        let (_, length) = self.term(length, span)?;
        let zero = self.number(&Ty::UINT, 0);
        let arith = self.arith();
        let inside = self.store.and(
            arith.compare(CmpOp::Le, &Ty::UINT, zero, key),
            arith.compare(CmpOp::Lt, &Ty::UINT, key, length),
        );
        self.graph.assume(inside);
        Ok(())
    }

    fn element(&mut self, typed: &Typed, key: ExprId, element: Ty, span: Span) -> Res<Item> {
        match &typed.val {
            Val::Place(place) => {
                let mut path = place.path.clone();
                path.push(Sel::Index(key));
                Ok(Item::Place(Place::Storage(StoragePlace { root: place.root.clone(), path, ty: element })))
            }
            Val::Term(base) => {
                let ty = if element.region().is_some() { element.in_region(Region::Memory) } else { element };
                Ok(Item::Place(Place::Element { base: *base, index: key, ty }))
            }
            Val::Leaves(_) => unsupported(span, "elements of temporary values are not supported"),
        }
    }

    /// A byte of a value of fixed size, the first one on the left.
    fn byte_of(&mut self, size: u8, term: ExprId, key: ExprId, span: Span) -> Res<Item> {
        let end = self.number(&Ty::UINT, size);
        let zero = self.number(&Ty::UINT, 0);
        let arith = self.arith();
        let inside = self.store.and(
            arith.compare(CmpOp::Le, &Ty::UINT, zero, key),
            arith.compare(CmpOp::Lt, &Ty::UINT, key, end),
        );
        if self.annotation.is_none() {
            self.check(inside, CheckKind::Index, span);
        }
        let term = match self.arith().constant(&Ty::UINT, key).and_then(|key| u8::try_from(&key).ok()) {
            Some(position) if position < size => self.byte_at(size, term, position),
            _ => (1..size).fold(self.byte_at(size, term, 0), |others, position| {
                let here = self.store.eq(key, self.number(&Ty::UINT, position));
                self.store.ite(here, self.byte_at(size, term, position), others)
            }),
        };
        Ok(self.value(Ty::FixedBytes(1), term))
    }

    /// The byte at a known position.
    fn byte_at(&self, size: u8, term: ExprId, position: u8) -> ExprId {
        let store = &self.store;
        let bits = 8 * u32::from(size - 1 - position);
        match store.sort(term).width() {
            Some(_) => store.extract(term, bits, 8),
            None => {
                let factor = store.int(num_bigint::BigInt::from(1) << bits);
                store.modulo(store.int_div(term, factor), store.int(256))
            }
        }
    }
}

/// Whether a function for one type can be attached to a value of another.
fn attaches(wanted: &Ty, ty: &Ty) -> bool {
    matches!((wanted, ty), (Ty::Address { payable: false }, Ty::Address { payable: true }))
}

fn builtin(builtin: Builtin) -> Item {
    Item::Callee(Callee::Builtin(builtin))
}
