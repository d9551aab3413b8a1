//! Rules of the language about declarations that the translation itself does not need.
//!
//! A text that the compiler rejects has no meaning, so it should not get a verdict. These rules concern only declarations; rules about statements
//! are checked where statements are translated. The rules are those of the version that the pragma asks for.

use std::collections::BTreeSet;

use solang_parser::pt;
use thetis_base::{Span, tick};

use crate::annotation::{Annotation, Formula};
use crate::collect::dotted;
use crate::decls::{Contract, ContractKind, Decls, Func, FuncKind, Mutability, Visibility};
use crate::fault::{Fault, FaultKind};
use crate::types::{ContractId, FuncId, SlotId, StructId, Ty};
use crate::version::Version;

/// Everything that is wrong with the declarations.
pub(crate) fn faults(decls: &Decls<'_>) -> Vec<Fault> {
    let mut rules = Rules { decls, faults: Vec::new() };
    for id in decls.contracts.indices() {
        rules.contract(id);
    }
    for (id, func) in decls.funcs.iter_enumerated() {
        rules.function(id, func);
    }
    for id in decls.structs.indices() {
        rules.structure(id);
    }
    for decl in decls.enums.iter() {
        rules.distinct(decl.values.iter().map(String::as_str), decl.span, "member");
    }
    rules.events();
    rules.faults
}

/// The state variable that an event says to track.
pub(crate) fn tracked(decls: &Decls<'_>, contract: Option<ContractId>, formula: &Formula) -> Option<SlotId> {
    dotted(&formula.body)?.last().and_then(|name| decls.find_slot(contract, name))
}

struct Rules<'d, 'a> {
    decls: &'d Decls<'a>,
    faults: Vec<Fault>,
}

impl Rules<'_, '_> {
    fn reject(&mut self, span: Span, message: impl Into<String>) {
        self.faults.push(Fault { kind: FaultKind::Invalid, span, message: message.into() });
    }

    fn since(&self, minor: u32) -> bool {
        self.decls.version >= Version(minor, 0)
    }

    /// Names that must not be given twice.
    fn distinct<'n>(&mut self, names: impl IntoIterator<Item = &'n str>, span: Span, what: &str) {
        let mut known = BTreeSet::new();
        for name in names.into_iter().filter(|name| !name.is_empty()) {
            if !known.insert(name) {
                self.reject(span, format!("there are two {what}s `{name}`"));
            }
        }
    }

    /// Annotations name events and state variables that exist.
    fn events(&mut self) {
        let decls = self.decls;
        for event in &decls.events {
            for annotated in &event.annotations {
                if let Annotation::TracksChangesIn(formula) = &annotated.what
                    && tracked(decls, event.contract, formula).is_none()
                {
                    self.reject(formula.span, "an event can only track state variables");
                }
            }
        }
        for func in &decls.funcs {
            for name in func.emits() {
                let last = name.rsplit('.').next().unwrap_or(name);
                if !decls.events.iter().any(|event| event.name == last) {
                    self.reject(func.span, format!("there is no event `{name}`"));
                }
            }
        }
    }

    fn contract(&mut self, id: ContractId) {
        let decls = self.decls;
        let contract = &decls.contracts[id];
        self.members(contract);
        match contract.kind {
            ContractKind::Interface => self.interface(contract),
            ContractKind::Library => {
                for slot in contract.slots.iter().filter(|slot| !decls.slots[**slot].is_constant) {
                    self.reject(decls.slots[*slot].span, "libraries have no state variables");
                }
            }
            ContractKind::Contract if self.since(6) => self.concrete(id),
            _ => {}
        }
    }

    /// Names inside a contract.
    fn members(&mut self, contract: &Contract<'_>) {
        let decls = self.decls;
        let slots: Vec<&str> = contract.slots.iter().map(|slot| decls.slots[*slot].name.as_str()).collect();
        let modifiers = contract.modifiers.iter().map(|id| decls.funcs[*id].name.as_str());
        let types = contract.scope.types.keys().map(String::as_str);
        let funcs: BTreeSet<&str> =
            contract.scope.funcs.iter().map(|id| decls.funcs[*id].name.as_str()).collect();
        let all = slots.iter().copied().chain(modifiers).chain(types).chain(funcs);
        self.distinct(all, contract.span, "declaration");
        for (at, id) in contract.scope.funcs.iter().enumerate() {
            let func = &decls.funcs[*id];
            let twin = |other: &FuncId| {
                let other_decl = &decls.funcs[*other];
                other_decl.name == func.name
                    && other_decl.kind == func.kind
                    && decls.same_signature(*other, *id)
            };
            if contract.scope.funcs[..at].iter().any(twin) {
                self.reject(
                    func.span,
                    format!("there are two functions `{}` with these parameters", func.name),
                );
            }
        }
        let visible = contract.linear.iter().skip(1).flat_map(|base| &decls.contracts[*base].slots);
        let is_strict = self.since(6);
        for other in visible.filter(|slot| is_strict && !decls.slots[**slot].is_private) {
            let other = &decls.slots[*other];
            if slots.contains(&other.name.as_str()) {
                self.reject(contract.span, format!("a base has a state variable `{}` too", other.name));
            }
        }
    }

    fn interface(&mut self, contract: &Contract<'_>) {
        let decls = self.decls;
        for slot in &contract.slots {
            self.reject(decls.slots[*slot].span, "interfaces have no state variables");
        }
        for func in contract.scope.funcs.iter().map(|id| &decls.funcs[*id]) {
            if func.body.is_some() {
                self.reject(func.span, "functions of interfaces have no bodies");
            }
            if func.visibility != Visibility::External && self.since(5) {
                self.reject(func.span, "functions of interfaces are external");
            }
        }
        if let Some(constructor) = contract.constructor {
            self.reject(decls.funcs[constructor].span, "interfaces have no constructors");
        }
    }

    /// A contract that is not abstract implements all functions and gives its bases their arguments.
    fn concrete(&mut self, id: ContractId) {
        let decls = self.decls;
        let contract = &decls.contracts[id];
        for func in contract.linear.iter().flat_map(|base| &decls.contracts[*base].scope.funcs) {
            let name = &decls.funcs[*func].name;
            let all = decls.find_funcs(&contract.linear, name);
            let is_getter = decls.find_slot(Some(id), name).is_some_and(|slot| decls.slots[slot].is_public);
            let implemented = all
                .iter()
                .any(|other| decls.same_signature(*other, *func) && decls.funcs[*other].body.is_some());
            if !implemented && !is_getter {
                self.reject(contract.span, format!("this contract should be abstract: `{name}` has no body"));
                return;
            }
        }
        for base in contract.linear.iter().skip(1) {
            let needs =
                decls.contracts[*base].constructor.is_some_and(|id| !decls.funcs[id].params.is_empty());
            let is_given = contract.linear.iter().any(|derived| decls.has_arguments_for(*derived, *base));
            if needs && !is_given {
                let name = &decls.contracts[*base].name;
                self.reject(contract.span, format!("the constructor of `{name}` gets no arguments"));
            }
        }
    }

    fn function(&mut self, id: FuncId, func: &Func<'_>) {
        let params = func.params.iter().chain(&func.returns).filter_map(|param| param.name.as_deref());
        self.distinct(params, func.span, "parameter");
        let Some(owner) = func.contract else { return };
        if self.since(5) {
            self.locations(func);
        }
        let contract = &self.decls.contracts[owner];
        let has_visibility = func
            .def
            .attributes
            .iter()
            .any(|attribute| matches!(attribute, pt::FunctionAttribute::Visibility(_)));
        match func.kind {
            FuncKind::Function if !has_visibility && self.since(5) => {
                self.reject(func.span, format!("`{}` needs a visibility", func.name));
            }
            FuncKind::Function if func.name == contract.name && self.since(5) => {
                self.reject(func.span, "a function cannot be called as its contract");
            }
            FuncKind::Receive if func.mutability != Mutability::Payable => {
                self.reject(func.span, "`receive` has to be payable");
            }
            FuncKind::Receive | FuncKind::Fallback
                if func.visibility != Visibility::External && self.since(6) =>
            {
                self.reject(func.span, "this function has to be external");
            }
            _ => {}
        }
        let is_internal = matches!(func.visibility, Visibility::Internal | Visibility::Private);
        if func.kind == FuncKind::Function && is_internal && func.mutability == Mutability::Payable {
            self.reject(func.span, "only functions that can be called from outside are payable");
        }
        if func.kind == FuncKind::Function && self.since(6) {
            self.overrides(id, func, owner);
        }
    }

    /// Parameters of reference types say where they live.
    fn locations(&mut self, func: &Func<'_>) {
        let written = func.def.params.iter().chain(&func.def.returns).filter_map(|(_, param)| param.as_ref());
        for (param, written) in func.params.iter().chain(&func.returns).zip(written) {
            let is_reference = param.ty.region().is_some();
            if is_reference && written.storage.is_none() {
                self.reject(param.span, "this parameter needs `memory`, `storage` or `calldata`");
            }
        }
    }

    fn overrides(&mut self, id: FuncId, func: &Func<'_>, owner: ContractId) {
        let decls = self.decls;
        let linear = &decls.contracts[owner].linear;
        let overridden =
            |other: &&FuncId| decls.funcs[**other].name == func.name && decls.same_signature(**other, id);
        let bases: Vec<FuncId> = linear
            .iter()
            .skip(1)
            .flat_map(|base| &decls.contracts[*base].scope.funcs)
            .filter(overridden)
            .copied()
            .collect();
        let named = func.def.attributes.iter().find_map(|attribute| match attribute {
            pt::FunctionAttribute::Override(_, names) => Some(names.len()),
            _ => None,
        });
        if named.is_some() && bases.is_empty() {
            self.reject(func.span, format!("`{}` overrides nothing", func.name));
        }
        let is_hidden = |base: &FuncId| {
            let owner = decls.funcs[*base].contract;
            let others = bases.iter().filter(|other| *other != base);
            others.filter_map(|other| decls.funcs[*other].contract).any(|other| {
                owner.is_some_and(|owner| other != owner && decls.contracts[other].linear.contains(&owner))
            })
        };
        if named == Some(0) && bases.iter().filter(|base| !is_hidden(base)).count() > 1 {
            self.reject(
                func.span,
                format!("`{}` overrides several functions and has to name their contracts", func.name),
            );
        }
        for base in bases.iter().map(|base| &decls.funcs[*base]) {
            // From version 0.8.8 on, functions of interfaces are overridden without a keyword.
            if named.is_none() && !(self.in_interface(base) && decls.version >= Version(8, 8)) {
                self.reject(func.span, format!("`{}` needs `override`", func.name));
            }
            self.overridden(func, base);
        }
    }

    fn in_interface(&self, func: &Func<'_>) -> bool {
        func.contract.is_some_and(|owner| self.decls.contracts[owner].kind == ContractKind::Interface)
    }

    fn overridden(&mut self, func: &Func<'_>, base: &Func<'_>) {
        let mut attributes = base.def.attributes.iter();
        let is_virtual = self.in_interface(base)
            || attributes.any(|attribute| matches!(attribute, pt::FunctionAttribute::Virtual(_)));
        if !is_virtual {
            self.reject(func.span, format!("`{}` is not virtual and cannot be overridden", func.name));
        }
        let opens = base.visibility == Visibility::External && func.visibility == Visibility::Public;
        if base.visibility != func.visibility && !opens {
            self.reject(func.span, format!("`{}` is overridden with another visibility", func.name));
        }
        let rank = |mutability| match mutability {
            Mutability::Pure => 2,
            Mutability::View => 1,
            _ => 0,
        };
        let payable = [base, func].map(|func| func.mutability == Mutability::Payable);
        if rank(func.mutability) < rank(base.mutability) || payable[0] != payable[1] {
            self.reject(func.span, format!("`{}` is overridden with another mutability", func.name));
        }
        let same = func.returns.len() == base.returns.len()
            && func.returns.iter().zip(&base.returns).all(|(left, right)| left.ty.same_shape(&right.ty));
        if !same {
            self.reject(func.span, format!("`{}` is overridden with other results", func.name));
        }
    }

    fn structure(&mut self, id: StructId) {
        let decl = &self.decls.structs[id];
        self.distinct(decl.fields.iter().map(|(name, _)| name.as_str()), decl.span, "field");
        if self.contains(id, id, &mut BTreeSet::new()) {
            self.reject(decl.span, format!("`{}` contains itself", decl.name));
        }
    }

    /// Whether values of one structure have a part of the type of the other.
    fn contains(&self, outer: StructId, inner: StructId, seen: &mut BTreeSet<StructId>) -> bool {
        if !seen.insert(outer) {
            return false;
        }
        self.decls.structs[outer].fields.iter().any(|(_, ty)| {
            let mut ty = ty;
            while let Ty::Array(element, Some(_), _) = ty {
                ty = element;
            }
            matches!(ty, Ty::Struct(id, _) if *id == inner || self.contains(*id, inner, seen))
        })
    }
}

impl Decls<'_> {
    /// Whether a contract says what the constructor of a base gets.
    fn has_arguments_for(&self, derived: ContractId, base: ContractId) -> bool {
        tick();
        let contract = &self.contracts[derived];
        let name = &self.contracts[base].name;
        let in_header = contract.bases.iter().any(|(id, args)| *id == base && args.is_some());
        let constructor = contract.constructor.map(|id| &self.funcs[id].modifiers);
        in_header
            || constructor.is_some_and(|modifiers| {
                modifiers.iter().any(|modifier| {
                    modifier.args.is_some()
                        && modifier.name.identifiers.last().is_some_and(|last| last.name == *name)
                })
            })
    }
}

/// Whether a variable is declared private.
pub(crate) fn is_private(def: &pt::VariableDefinition) -> bool {
    let is_private = |attribute: &pt::VariableAttribute| {
        matches!(attribute, pt::VariableAttribute::Visibility(pt::Visibility::Private(_)))
    };
    def.attrs.iter().any(is_private)
}
