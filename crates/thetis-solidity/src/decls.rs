//! All declarations of a program: contracts, types, state variables, functions, events.

use std::collections::BTreeMap;

use indexmap::IndexMap;
use solang_parser::pt;
use thetis_base::{IndexVec, Span, tick};

use crate::annotation::{Annotated, Annotation, Comments, Formula, Target};
use crate::types::{ContractId, EnumId, EventId, FuncId, MAX_DEPTH, SlotId, StructId, Ty, UserTypeId};
use crate::version::Version;

/// The declarations of all files.
pub(crate) struct Decls<'a> {
    pub(crate) version: Version,
    pub(crate) contracts: IndexVec<ContractId, Contract<'a>>,
    pub(crate) structs: IndexVec<StructId, Struct>,
    pub(crate) enums: IndexVec<EnumId, Enum>,
    pub(crate) users: IndexVec<UserTypeId, UserType>,
    pub(crate) slots: IndexVec<SlotId, Slot<'a>>,
    pub(crate) funcs: IndexVec<FuncId, Func<'a>>,
    pub(crate) events: IndexVec<EventId, Event>,
    /// What stands outside of contracts.
    pub(crate) file: Scope,
    pub(crate) file_usings: Vec<Using<'a>>,
    /// Comments of each file, for the annotations of loops.
    pub(crate) comments: Vec<Comments<'a>>,
    /// Constants outside of contracts.
    pub(crate) constants: BTreeMap<String, SlotId>,
}

/// Named types, functions and events of a contract or file.
#[derive(Default)]
pub(crate) struct Scope {
    pub(crate) types: IndexMap<String, NamedType>,
    pub(crate) funcs: Vec<FuncId>,
    pub(crate) events: Vec<EventId>,
    pub(crate) errors: Vec<String>,
}

/// A name of a type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NamedType {
    Contract(ContractId),
    Struct(StructId),
    Enum(EnumId),
    User(UserTypeId),
}

/// What kind of contract.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ContractKind {
    Contract,
    Abstract,
    Interface,
    Library,
}

pub(crate) struct Contract<'a> {
    pub(crate) name: String,
    pub(crate) kind: ContractKind,
    pub(crate) span: Span,
    pub(crate) bases: Vec<(ContractId, Option<&'a [pt::Expression]>)>,
    /// This contract first, then its bases from the most derived to the most basic.
    pub(crate) linear: Vec<ContractId>,
    pub(crate) scope: Scope,
    pub(crate) slots: Vec<SlotId>,
    pub(crate) modifiers: Vec<FuncId>,
    pub(crate) constructor: Option<FuncId>,
    pub(crate) usings: Vec<Using<'a>>,
    pub(crate) invariants: Vec<Formula>,
}

/// `using L for T`.
pub(crate) struct Using<'a> {
    pub(crate) list: &'a pt::UsingList,
    pub(crate) ty: Option<Ty>,
}

pub(crate) struct Struct {
    pub(crate) name: String,
    pub(crate) span: Span,
    pub(crate) fields: Vec<(String, Ty)>,
}

pub(crate) struct Enum {
    pub(crate) name: String,
    pub(crate) span: Span,
    pub(crate) values: Vec<String>,
}

pub(crate) struct UserType {
    pub(crate) name: String,
    pub(crate) base: Ty,
}

/// A state variable or constant.
pub(crate) struct Slot<'a> {
    pub(crate) name: String,
    pub(crate) contract: Option<ContractId>,
    pub(crate) ty: Ty,
    pub(crate) span: Span,
    pub(crate) is_constant: bool,
    pub(crate) is_public: bool,
    pub(crate) is_private: bool,
    /// Whether only the constructor can assign it.
    pub(crate) is_immutable: bool,
    pub(crate) initializer: Option<&'a pt::Expression>,
}

/// What kind of function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FuncKind {
    Function,
    Constructor,
    Fallback,
    Receive,
    Modifier,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Visibility {
    External,
    Public,
    Internal,
    Private,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mutability {
    Pure,
    View,
    Payable,
    Other,
}

/// A parameter or result.
#[derive(Clone, Debug)]
pub(crate) struct Param {
    pub(crate) name: Option<String>,
    pub(crate) ty: Ty,
    pub(crate) span: Span,
}

pub(crate) struct Func<'a> {
    pub(crate) name: String,
    pub(crate) kind: FuncKind,
    pub(crate) contract: Option<ContractId>,
    pub(crate) span: Span,
    pub(crate) def: &'a pt::FunctionDefinition,
    pub(crate) params: Vec<Param>,
    pub(crate) returns: Vec<Param>,
    pub(crate) visibility: Visibility,
    pub(crate) mutability: Mutability,
    pub(crate) modifiers: Vec<&'a pt::Base>,
    pub(crate) body: Option<&'a pt::Statement>,
    pub(crate) annotations: Vec<Annotated>,
}

pub(crate) struct Event {
    pub(crate) name: String,
    pub(crate) contract: Option<ContractId>,
    pub(crate) params: Vec<Param>,
    pub(crate) annotations: Vec<Annotated>,
}

impl Func<'_> {
    /// Whether it can be called from outside.
    pub(crate) fn is_public(&self) -> bool {
        matches!(self.visibility, Visibility::Public | Visibility::External)
    }

    /// Whether it has annotations that replace its body at calls.
    pub(crate) fn is_annotated(&self) -> bool {
        self.annotations.iter().any(|annotated| {
            matches!(
                annotated.what,
                Annotation::Precondition(_)
                    | Annotation::Postcondition(_)
                    | Annotation::Specification(_)
                    | Annotation::Modifies { .. }
                    | Annotation::ContractInvariants
            )
        })
    }

    /// Whether calls are replaced by what the annotations say instead of the body.
    pub(crate) fn is_modular(&self) -> bool {
        self.is_public() || self.is_annotated()
    }

    /// Whether the contract's invariants are assumed at its start and shown at its end.
    pub(crate) fn keeps_invariants(&self) -> bool {
        self.is_public()
            || self
                .annotations
                .iter()
                .any(|annotated| matches!(annotated.what, Annotation::ContractInvariants))
    }

    pub(crate) fn preconditions(&self) -> impl Iterator<Item = &Formula> {
        self.annotations.iter().filter_map(|annotated| match &annotated.what {
            Annotation::Precondition(formula) => Some(formula),
            _ => None,
        })
    }

    pub(crate) fn postconditions(&self) -> impl Iterator<Item = &Formula> {
        self.annotations.iter().filter_map(|annotated| match &annotated.what {
            Annotation::Postcondition(formula) => Some(formula),
            _ => None,
        })
    }

    pub(crate) fn cases(&self) -> impl Iterator<Item = &(Formula, Formula)> {
        self.annotations.iter().flat_map(|annotated| match &annotated.what {
            Annotation::Specification(cases) => cases.as_slice(),
            _ => &[],
        })
    }

    pub(crate) fn modifies(&self) -> impl Iterator<Item = (&Target, Option<&Formula>)> {
        self.annotations.iter().filter_map(|annotated| match &annotated.what {
            Annotation::Modifies { target, condition } => Some((target, condition.as_ref())),
            _ => None,
        })
    }

    pub(crate) fn emits(&self) -> impl Iterator<Item = &str> {
        self.annotations.iter().filter_map(|annotated| match &annotated.what {
            Annotation::Emits(event) => Some(event.as_str()),
            _ => None,
        })
    }
}

impl<'a> Decls<'a> {
    /// The first declaration of type `name` that `contract` sees.
    pub(crate) fn find_type(&self, contract: Option<ContractId>, name: &str) -> Option<NamedType> {
        tick();
        let inherited = contract.into_iter().flat_map(|id| self.contracts[id].linear.iter());
        inherited
            .filter_map(|base| self.contracts[*base].scope.types.get(name))
            .next()
            .or_else(|| self.file.types.get(name))
            .copied()
    }

    /// The state variable or constant `name` that `contract` sees.
    pub(crate) fn find_slot(&self, contract: Option<ContractId>, name: &str) -> Option<SlotId> {
        tick();
        let inherited = contract.into_iter().flat_map(|id| self.contracts[id].linear.iter());
        let mut slots = inherited.flat_map(|base| self.contracts[*base].slots.iter());
        let is_visible = |slot: &Slot<'_>| !slot.is_private || slot.contract == contract;
        slots
            .find(|slot| self.slots[**slot].name == name && is_visible(&self.slots[**slot]))
            .or_else(|| self.constants.get(name))
            .copied()
    }

    /// All state variables of a contract, the most basic contract's first.
    pub(crate) fn slots_of(&self, contract: ContractId) -> Vec<SlotId> {
        let bases = self.contracts[contract].linear.iter().rev();
        bases.flat_map(|base| self.contracts[*base].slots.iter().copied()).collect()
    }

    /// The functions `name` that `contract` sees, overridden ones left out.
    pub(crate) fn find_funcs(&self, linear: &[ContractId], name: &str) -> Vec<FuncId> {
        tick();
        let mut found: Vec<FuncId> = Vec::new();
        for base in linear {
            for id in &self.contracts[*base].scope.funcs {
                let func = &self.funcs[*id];
                if func.name == name && !found.iter().any(|other| self.same_signature(*other, *id)) {
                    found.push(*id);
                }
            }
        }
        if found.is_empty() {
            found.extend(self.file.funcs.iter().filter(|id| self.funcs[**id].name == name));
        }
        found
    }

    /// Whether one of the functions overrides the other.
    pub(crate) fn same_signature(&self, left: FuncId, right: FuncId) -> bool {
        let (left, right) = (&self.funcs[left], &self.funcs[right]);
        left.params.len() == right.params.len()
            && left.params.iter().zip(&right.params).all(|(left, right)| left.ty.same_shape(&right.ty))
    }

    /// Whether values of two types in storage may have parts in common.
    pub(crate) fn may_overlap(&self, left: &Ty, right: &Ty) -> bool {
        self.may_contain(left, right, 0) || self.may_contain(right, left, 0)
    }

    fn may_contain(&self, whole: &Ty, part: &Ty, depth: usize) -> bool {
        if depth > MAX_DEPTH || whole.same_shape(part) {
            return true;
        }
        match whole {
            Ty::Struct(id, _) => {
                let mut fields = self.structs[*id].fields.iter();
                fields.any(|(_, field)| self.may_contain(field, part, depth + 1))
            }
            Ty::Mapping(_, inner) | Ty::Array(inner, ..) => self.may_contain(inner, part, depth + 1),
            _ => false,
        }
    }

    pub(crate) fn find_modifier(&self, linear: &[ContractId], name: &str) -> Option<FuncId> {
        tick();
        let mut all = linear.iter().flat_map(|base| self.contracts[*base].modifiers.iter());
        all.find(|id| self.funcs[**id].name == name).copied()
    }

    /// The events that `contract` sees.
    pub(crate) fn events_of(&self, contract: Option<ContractId>) -> Vec<EventId> {
        let inherited = contract.into_iter().flat_map(|id| self.contracts[id].linear.iter());
        inherited
            .flat_map(|base| self.contracts[*base].scope.events.iter())
            .chain(&self.file.events)
            .copied()
            .collect()
    }

    /// The type as users write it.
    pub(crate) fn show(&self, ty: &Ty) -> String {
        match ty {
            Ty::Bool => "bool".to_owned(),
            Ty::Int { signed, bits } => format!("{}int{bits}", if *signed { "" } else { "u" }),
            Ty::Address { payable: false } => "address".to_owned(),
            Ty::Address { payable: true } => "address payable".to_owned(),
            Ty::FixedBytes(size) => format!("bytes{size}"),
            Ty::Bytes(_) => "bytes".to_owned(),
            Ty::String(_) => "string".to_owned(),
            Ty::Enum(id) => self.enums[*id].name.clone(),
            Ty::Contract(id) => self.contracts[*id].name.clone(),
            Ty::User(id) => self.users[*id].name.clone(),
            Ty::Opaque(kind) => kind.name().to_owned(),
            Ty::Struct(id, _) => self.structs[*id].name.clone(),
            Ty::Array(element, Some(length), _) => format!("{}[{length}]", self.show(element)),
            Ty::Array(element, None, _) => format!("{}[]", self.show(element)),
            Ty::Mapping(key, value) => format!("mapping({} => {})", self.show(key), self.show(value)),
        }
    }

    /// Whether some function says what it modifies, so that all functions are checked for that.
    pub(crate) fn has_modifies(&self) -> bool {
        self.funcs.iter().any(|func| func.modifies().next().is_some())
    }

    /// Whether some function says which events it emits, so that all functions are checked for that.
    pub(crate) fn has_emits(&self) -> bool {
        self.funcs.iter().any(|func| func.emits().next().is_some())
            || self.events.iter().any(|event| !event.annotations.is_empty())
    }
}
