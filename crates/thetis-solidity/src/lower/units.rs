//! What is verified on its own.
//!
//! A function is verified in the contract that declares it. A derived contract can change what it does: by overriding a function or modifier that it
//! uses, by other invariants, or by variables that hide those of the invariants. Then it is verified once more, as a function of the
//! derived contract. The same holds for everything that a function relies on instead of translating it in place ([`is_covered`]).

use std::collections::BTreeSet;

use thetis_base::Span;

use crate::decls::{ContractKind, Decls, FuncKind, Mutability};
use crate::types::{ContractId, FuncId};

/// Something that is verified on its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Unit {
    pub(crate) contract: Option<ContractId>,
    pub(crate) body: Body,
}

/// What is verified.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Body {
    Func(FuncId),
    /// The constructor of a contract that has none.
    ImplicitConstructor,
    /// Ether that arrives without a call.
    ReceiveEther,
}

impl Unit {
    /// The name that is reported.
    pub(crate) fn name(&self, decls: &Decls<'_>) -> String {
        let contract = self.contract.map_or("", |id| decls.contracts[id].name.as_str());
        let name = match self.body {
            Body::ImplicitConstructor => "[implicit_constructor]",
            Body::ReceiveEther => "[receive_ether_selfdestruct]",
            Body::Func(id) => match decls.funcs[id].kind {
                FuncKind::Constructor => "[constructor]",
                FuncKind::Fallback => "[fallback]",
                FuncKind::Receive => "[receive]",
                _ => decls.funcs[id].name.as_str(),
            },
        };
        format!("{contract}::{name}")
    }

    /// Where it stands.
    pub(crate) fn span(&self, decls: &Decls<'_>) -> Span {
        match (self.body, self.contract) {
            (Body::Func(id), _) => decls.funcs[id].span,
            (_, Some(id)) => decls.contracts[id].span,
            (_, None) => Span { file: thetis_base::FileId::from_usize(0), start: 0, end: 0 },
        }
    }
}

/// All units, in the order of the source.
pub(crate) fn units(decls: &Decls<'_>) -> Vec<Unit> {
    let mut units = Vec::new();
    for (id, contract) in decls.contracts.iter_enumerated() {
        let own = decls.funcs.indices().filter(|func| decls.funcs[*func].contract == Some(id));
        for func in own {
            let decl = &decls.funcs[func];
            let is_verified =
                decl.kind == FuncKind::Constructor || (decl.kind != FuncKind::Modifier && decl.is_modular());
            if decl.body.is_some() && is_verified {
                units.push(Unit { contract: Some(id), body: Body::Func(func) });
            }
        }
        if contract.kind == ContractKind::Library {
            continue;
        }
        if contract.constructor.is_none() {
            units.push(Unit { contract: Some(id), body: Body::ImplicitConstructor });
        }
        if !contract.invariants.is_empty() {
            units.push(Unit { contract: Some(id), body: Body::ReceiveEther });
        }
        units.extend(inherited(decls, id));
    }
    for func in decls
        .file
        .funcs
        .iter()
        .filter(|func| decls.funcs[**func].is_annotated() && decls.funcs[**func].body.is_some())
    {
        units.push(Unit { contract: None, body: Body::Func(*func) });
    }
    units
}

/// Inherited functions that may behave differently in the contract than in the one that declares them. solc-verify ignores them.
fn inherited(decls: &Decls<'_>, id: ContractId) -> Vec<Unit> {
    let mut units = Vec::new();
    let entries = decls.entries(id);
    for base in decls.contracts[id].linear.iter().skip(1) {
        let Some(difference) = difference(decls, *base, id) else { continue };
        for func in entries.iter().filter(|func| decls.funcs[**func].contract == Some(*base)) {
            let is_constant = matches!(decls.funcs[*func].mutability, Mutability::View | Mutability::Pure);
            if difference == Difference::Behaviour || !is_constant {
                units.push(Unit { contract: Some(id), body: Body::Func(*func) });
            }
        }
    }
    units
}

/// How functions of a base can differ in a derived contract.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Difference {
    /// They have to keep more invariants.
    Invariants,
    /// They may behave differently, or rely on different assumptions.
    Behaviour,
}

/// How functions of `base` differ in `derived`; `None` if what was proved for one holds for the other.
fn difference(decls: &Decls<'_>, base: ContractId, derived: ContractId) -> Option<Difference> {
    let [old, new] = [base, derived].map(|id| {
        decls.contracts[id]
            .invariants
            .iter()
            .map(|invariant| invariant.text.as_str())
            .collect::<BTreeSet<_>>()
    });
    let known: BTreeSet<&str> =
        decls.contracts[base].linear.iter().flat_map(|id| declared(decls, *id)).collect();
    let mut added =
        decls.contracts[derived].linear.iter().filter(|id| !decls.contracts[base].linear.contains(id));
    let is_redefined = added.any(|id| declared(decls, *id).any(|name| known.contains(name)));
    match () {
        () if is_redefined || !old.is_subset(&new) => Some(Difference::Behaviour),
        () if old != new => Some(Difference::Invariants),
        () => None,
    }
}

/// The names of functions, modifiers and state variables that a contract declares itself.
fn declared<'d>(decls: &'d Decls<'_>, id: ContractId) -> impl Iterator<Item = &'d str> {
    let contract = &decls.contracts[id];
    let functions = contract.scope.funcs.iter().chain(&contract.modifiers).map(|id| &decls.funcs[*id]);
    let named = functions.filter(|func| matches!(func.kind, FuncKind::Function | FuncKind::Modifier));
    named
        .map(|func| func.name.as_str())
        .chain(contract.slots.iter().map(|slot| decls.slots[*slot].name.as_str()))
}

/// Whether the verification of `units` includes the function `id`, as the contract of `user` calls it.
pub(crate) fn is_covered(decls: &Decls<'_>, units: &[Unit], user: &Unit, id: FuncId) -> bool {
    let owner = decls.funcs[id].contract;
    let body = Body::Func(id);
    let holds_here = match (owner, user.contract) {
        (Some(owner), Some(user)) if decls.contracts[user].linear.contains(&owner) => {
            difference(decls, owner, user).is_none()
        }
        _ => true,
    };
    units.contains(&Unit { contract: user.contract, body })
        || (holds_here && units.contains(&Unit { contract: owner, body }))
}
