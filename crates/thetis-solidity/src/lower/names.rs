//! What names denote.

use thetis_base::Span;

use crate::decls::{NamedType, Visibility};
use crate::fault::{Res, invalid, unsupported};
use crate::types::{SlotId, Ty};
use crate::version::Version;

use super::global::HashKind;
use super::item::{Builtin, Callee, Dispatch, Item, Magic, Place, Root, StoragePlace, Typed, Val};
use super::permission::Access;
use super::{Local, Lower};

impl Lower<'_, '_> {
    pub(crate) fn find_local(&self, name: &str) -> Option<Local> {
        let frame = self.frames.last()?;
        frame.scopes.iter().rev().find_map(|scope| scope.get(name)).cloned()
    }

    pub(crate) fn declare(&mut self, name: &str, local: Local) {
        if let Local::Var { ty, var, .. } = &local {
            self.show_local(name, ty, *var);
        }
        if let Some(scope) = self.frame_mut().scopes.last_mut() {
            scope.insert(name.to_owned(), local);
        }
    }

    /// What an identifier stands for.
    pub(crate) fn name(&mut self, name: &str, span: Span) -> Res<Item> {
        if let Some(local) = self.find_local(name) {
            return Ok(self.local_item(name, local));
        }
        let contract = self.frame().contract;
        if let Some(slot) = self.decls.find_slot(contract, name) {
            let this = self.frame().this;
            return self.slot_item(slot, this, span);
        }
        let linear =
            contract.map(|contract| self.decls.contracts[contract].linear.clone()).unwrap_or_default();
        let found = self.decls.find_funcs(&linear, name);
        let candidates: Vec<_> = found.iter().copied().filter(|id| self.is_callable(*id)).collect();
        if candidates.is_empty() && !found.is_empty() {
            return invalid(span, format!("`{name}` cannot be called from here"));
        }
        if !candidates.is_empty() {
            return Ok(Item::Callee(Callee::Internal {
                candidates,
                dispatch: Dispatch::Virtual,
                this_arg: None,
            }));
        }
        if let Some(named) = self.decls.find_type(contract, name) {
            return Ok(self.type_item(named));
        }
        let events: Vec<_> = self
            .decls
            .events_of(contract)
            .into_iter()
            .filter(|id| self.decls.events[*id].name == name)
            .collect();
        if !events.is_empty() {
            return Ok(Item::Event(events));
        }
        let errors = linear.iter().flat_map(|base| &self.decls.contracts[*base].scope.errors);
        if errors.chain(&self.decls.file.errors).any(|error| error == name) {
            return Ok(Item::Error);
        }
        self.builtin_name(name, span)
    }

    /// Whether a function can be called by its name alone.
    fn is_callable(&self, id: crate::types::FuncId) -> bool {
        let func = &self.decls.funcs[id];
        match func.visibility {
            Visibility::Private => func.contract == self.frame().contract,
            // Old versions have functions without names that can be called by none.
            Visibility::External => false,
            _ => true,
        }
    }

    fn local_item(&self, name: &str, local: Local) -> Item {
        match local {
            Local::Var { ty, var, old } => match old.filter(|_| self.annotation.is_some()) {
                Some(old) => Item::Place(Place::Local(old, ty)),
                None => Item::Place(Place::Local(var, ty)),
            },
            Local::Pointer { ty, .. } => Item::Place(Place::Pointer(name.to_owned(), ty)),
            Local::Elsewhere(ty) => Item::Place(Place::Pointer(name.to_owned(), ty)),
            Local::Bound(ty, var) => Item::Place(Place::Local(var, ty)),
        }
    }

    pub(crate) fn type_item(&self, named: NamedType) -> Item {
        match named {
            NamedType::Contract(id) => Item::Type(Ty::Contract(id)),
            NamedType::Struct(id) => Item::Type(Ty::Struct(id, crate::types::Region::Memory)),
            NamedType::Enum(id) => Item::EnumType(id),
            NamedType::User(id) => Item::Type(Ty::User(id)),
        }
    }

    /// A state variable of the contract at an address. Constants stand for their values.
    pub(crate) fn slot_item(&mut self, slot: SlotId, this: thetis_expr::ExprId, span: Span) -> Res<Item> {
        let decl = &self.decls.slots[slot];
        if decl.is_constant {
            return self.constant(slot, span);
        }
        self.permit(Access::Read, span)?;
        let place = StoragePlace { root: Root::Slot(slot, this), path: Vec::new(), ty: decl.ty.clone() };
        Ok(Item::Place(Place::Storage(place)))
    }

    fn constant(&mut self, slot: SlotId, span: Span) -> Res<Item> {
        let decl = &self.decls.slots[slot];
        let Some(initializer) = decl.initializer else { return invalid(span, "a constant needs a value") };
        if self.constants.contains(&slot) {
            return invalid(span, format!("the value of `{}` depends on itself", decl.name));
        }
        self.constants.push(slot);
        let outer = std::mem::replace(&mut self.frame_mut().contract, decl.contract);
        let hidden = std::mem::take(&mut self.frame_mut().scopes);
        let item = self.expr(initializer);
        self.frame_mut().scopes = hidden;
        self.frame_mut().contract = outer;
        self.constants.pop();
        let ty = if decl.ty.region().is_some() {
            decl.ty.in_region(crate::types::Region::Memory)
        } else {
            decl.ty.clone()
        };
        Ok(Item::Value(self.coerce(item?, &ty, span)?))
    }

    fn builtin_name(&mut self, name: &str, span: Span) -> Res<Item> {
        let builtin = |builtin| Ok(Item::Callee(Callee::Builtin(builtin)));
        match name {
            "this" => {
                let this = self.frame().this;
                let ty = self.contract.map_or(Ty::ADDRESS, Ty::Contract);
                Ok(Item::Value(Typed { ty, val: Val::Term(this) }))
            }
            "now" => self.environment("block.timestamp", Ty::UINT),
            "msg" => Ok(Item::Magic(Magic::Msg)),
            "block" => Ok(Item::Magic(Magic::Block)),
            "tx" => Ok(Item::Magic(Magic::Tx)),
            "abi" => Ok(Item::Magic(Magic::Abi)),
            "super" => Ok(Item::Magic(Magic::Super)),
            "type" => builtin(Builtin::TypeOf),
            "assert" => builtin(Builtin::Assert),
            "require" => builtin(Builtin::Require),
            "revert" => builtin(Builtin::Revert),
            "keccak256" | "sha3" => Ok(Item::Callee(Callee::Hash(HashKind::Keccak256))),
            "sha256" => Ok(Item::Callee(Callee::Hash(HashKind::Sha256))),
            "ripemd160" => Ok(Item::Callee(Callee::Hash(HashKind::Ripemd160))),
            "addmod" => builtin(Builtin::AddMod),
            "mulmod" => builtin(Builtin::MulMod),
            "blockhash" => builtin(Builtin::BlockHash),
            "ecrecover" => builtin(Builtin::EcRecover),
            "gasleft" => builtin(Builtin::GasLeft),
            "selfdestruct" | "suicide" => builtin(Builtin::SelfDestruct),
            "byte" => Ok(Item::Type(Ty::FixedBytes(1))),
            _ if self.annotation.is_some() => self.annotation_name(name, span),
            _ if self.decls.version < Version(5, 0) => {
                unsupported(span, format!("`{name}` is not known here, or only because blocks do not matter"))
            }
            _ => invalid(span, format!("unknown name `{name}`")),
        }
    }

    fn annotation_name(&mut self, name: &str, span: Span) -> Res<Item> {
        let builtin = |builtin| Ok(Item::Callee(Callee::Builtin(builtin)));
        match name {
            _ if name.starts_with("__verifier_old_") => builtin(Builtin::Old),
            _ if name.starts_with("__verifier_before_") => builtin(Builtin::Before),
            "__verifier_eq" => builtin(Builtin::Equal),
            "__verifier_sum_int" | "__verifier_sum_uint" | "sum" => builtin(Builtin::Sum),
            _ if name.starts_with("__verifier_idx_") => {
                unsupported(span, "index variables are only supported in sums")
            }
            _ => invalid(span, format!("unknown name `{name}`")),
        }
    }
}
