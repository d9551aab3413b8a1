//! From parse trees to declarations.

use std::collections::BTreeMap;

use solang_parser::pt;
use thetis_base::{IndexVec, Span};

use crate::annotation::{Annotated, Annotation, Comments};
use crate::decls::{
    Contract, ContractKind, Decls, Enum, Event, Func, FuncKind, Mutability, NamedType, Param, Scope, Slot,
    Struct, UserType, Using, Visibility,
};
use crate::fault::{Fault, Res, invalid, span};
use crate::types::{ContractId, FuncId, Region, Ty, Unmodelled};
use crate::version::Version;

/// A parsed file.
pub(crate) struct ParsedFile<'a> {
    pub(crate) unit: &'a pt::SourceUnit,
    pub(crate) comments: Comments<'a>,
}

/// Collects the declarations of all files. Faults are added to `faults`; what they concern is left out.
pub(crate) fn collect<'a>(
    files: Vec<ParsedFile<'a>>,
    version: Version,
    faults: &mut Vec<Fault>,
) -> Decls<'a> {
    let units: Vec<&'a pt::SourceUnit> = files.iter().map(|file| file.unit).collect();
    let decls = Decls {
        version,
        contracts: IndexVec::new(),
        structs: IndexVec::new(),
        enums: IndexVec::new(),
        users: IndexVec::new(),
        slots: IndexVec::new(),
        funcs: IndexVec::new(),
        events: IndexVec::new(),
        file: Scope::default(),
        file_usings: Vec::new(),
        comments: files.into_iter().map(|file| file.comments).collect(),
        constants: BTreeMap::new(),
    };
    let mut collector = Collector { decls, faults };
    for unit in &units {
        collector.declare_unit(unit);
    }
    for unit in &units {
        collector.bases(unit);
    }
    collector.linearise();
    for unit in &units {
        collector.struct_fields(unit);
    }
    for unit in &units {
        collector.members(unit);
    }
    if collector.faults.is_empty() {
        collector.faults.extend(crate::legality::faults(&collector.decls));
    }
    collector.decls
}

pub(crate) struct Collector<'a, 'f> {
    pub(crate) decls: Decls<'a>,
    faults: &'f mut Vec<Fault>,
}

fn name_of(name: Option<&pt::Identifier>) -> String {
    name.map_or_else(String::new, |name| name.name.clone())
}

impl<'a> Collector<'a, '_> {
    pub(crate) fn note<T>(&mut self, result: Res<T>) -> Option<T> {
        result.map_err(|fault| self.faults.push(fault)).ok()
    }

    fn annotations(&mut self, loc: &pt::Loc) -> Vec<Annotated> {
        let found = self.decls.comments.get(span(loc).file.index()).map(|comments| comments.annotations(loc));
        found.and_then(|found| self.note(found)).unwrap_or_default()
    }

    fn declare_unit(&mut self, unit: &'a pt::SourceUnit) {
        for part in &unit.0 {
            match part {
                pt::SourceUnitPart::ContractDefinition(def) => self.declare_contract(def),
                pt::SourceUnitPart::StructDefinition(def) => self.declare_struct(def, None),
                pt::SourceUnitPart::EnumDefinition(def) => self.declare_enum(def, None),
                pt::SourceUnitPart::TypeDefinition(def) => self.declare_user_type(def, None),
                pt::SourceUnitPart::ErrorDefinition(def) => {
                    self.decls.file.errors.push(name_of(def.name.as_ref()));
                }
                _ => {}
            }
        }
    }

    fn declare_contract(&mut self, def: &'a pt::ContractDefinition) {
        let kind = match def.ty {
            pt::ContractTy::Abstract(_) => ContractKind::Abstract,
            pt::ContractTy::Contract(_) => ContractKind::Contract,
            pt::ContractTy::Interface(_) => ContractKind::Interface,
            pt::ContractTy::Library(_) => ContractKind::Library,
        };
        let annotations = self.annotations(&def.loc);
        let name = name_of(def.name.as_ref());
        let id = self.decls.contracts.push(Contract {
            name: name.clone(),
            kind,
            span: span(&def.loc),
            bases: Vec::new(),
            linear: Vec::new(),
            scope: Scope::default(),
            slots: Vec::new(),
            modifiers: Vec::new(),
            constructor: None,
            usings: Vec::new(),
            invariants: invariants(annotations),
        });
        if self.decls.file.types.insert(name.clone(), NamedType::Contract(id)).is_some() {
            let _: Option<()> = self.note(invalid(span(&def.loc), format!("`{name}` is declared twice")));
        }
        for part in &def.parts {
            match part {
                pt::ContractPart::StructDefinition(def) => self.declare_struct(def, Some(id)),
                pt::ContractPart::EnumDefinition(def) => self.declare_enum(def, Some(id)),
                pt::ContractPart::TypeDefinition(def) => self.declare_user_type(def, Some(id)),
                pt::ContractPart::ErrorDefinition(def) => {
                    self.decls.contracts[id].scope.errors.push(name_of(def.name.as_ref()));
                }
                _ => {}
            }
        }
    }

    fn scope(&mut self, contract: Option<ContractId>) -> &mut Scope {
        match contract {
            Some(id) => &mut self.decls.contracts[id].scope,
            None => &mut self.decls.file,
        }
    }

    fn declare_struct(&mut self, def: &pt::StructDefinition, contract: Option<ContractId>) {
        let name = name_of(def.name.as_ref());
        let id =
            self.decls.structs.push(Struct { name: name.clone(), span: span(&def.loc), fields: Vec::new() });
        self.scope(contract).types.insert(name, NamedType::Struct(id));
    }

    fn declare_enum(&mut self, def: &pt::EnumDefinition, contract: Option<ContractId>) {
        let name = name_of(def.name.as_ref());
        let values = def.values.iter().map(|value| name_of(value.as_ref())).collect();
        let id = self.decls.enums.push(Enum { name: name.clone(), span: span(&def.loc), values });
        self.scope(contract).types.insert(name, NamedType::Enum(id));
    }

    fn declare_user_type(&mut self, def: &pt::TypeDefinition, contract: Option<ContractId>) {
        let base = self.decls.ty(contract, &def.ty, Region::Storage);
        let Some(base) = self.note(base) else { return };
        let id = self.decls.users.push(UserType { name: def.name.name.clone(), base });
        self.scope(contract).types.insert(def.name.name.clone(), NamedType::User(id));
    }

    fn bases(&mut self, unit: &'a pt::SourceUnit) {
        for (id, def) in self.contracts_of(unit) {
            for base in &def.base {
                let found = self.decls.type_by_path(None, &base.name);
                match self.note(found) {
                    Some(NamedType::Contract(base_id)) if base_id != id => {
                        self.decls.contracts[id].bases.push((base_id, base.args.as_deref()));
                    }
                    Some(_) => {
                        let _: Option<()> =
                            self.note(invalid(span(&base.loc), "a base should be another contract"));
                    }
                    None => {}
                }
            }
        }
    }

    fn contracts_of(&self, unit: &'a pt::SourceUnit) -> Vec<(ContractId, &'a pt::ContractDefinition)> {
        let defs = unit.0.iter().filter_map(|part| match part {
            pt::SourceUnitPart::ContractDefinition(def) => Some(&**def),
            _ => None,
        });
        let with_ids = defs.filter_map(|def| match self.decls.file.types.get(&name_of(def.name.as_ref())) {
            Some(NamedType::Contract(id)) if self.decls.contracts[*id].span == span(&def.loc) => {
                Some((*id, def))
            }
            _ => None,
        });
        with_ids.collect()
    }

    fn struct_fields(&mut self, unit: &'a pt::SourceUnit) {
        for part in &unit.0 {
            if let pt::SourceUnitPart::StructDefinition(def) = part {
                self.fields(def, None);
            }
        }
        for (id, def) in self.contracts_of(unit) {
            for part in &def.parts {
                if let pt::ContractPart::StructDefinition(def) = part {
                    self.fields(def, Some(id));
                }
            }
        }
    }

    fn fields(&mut self, def: &pt::StructDefinition, contract: Option<ContractId>) {
        let mut fields = Vec::new();
        for field in &def.fields {
            let ty = self.decls.ty(contract, &field.ty, Region::Storage);
            if let Some(ty) = self.note(ty) {
                fields.push((name_of(field.name.as_ref()), ty));
            }
        }
        if let Some(NamedType::Struct(id)) =
            self.scope(contract).types.get(&name_of(def.name.as_ref())).copied()
        {
            self.decls.structs[id].fields = fields;
        }
    }

    fn members(&mut self, unit: &'a pt::SourceUnit) {
        for part in &unit.0 {
            match part {
                pt::SourceUnitPart::FunctionDefinition(def) => self.function(def, None),
                pt::SourceUnitPart::VariableDefinition(def) => self.variable(def, None),
                pt::SourceUnitPart::EventDefinition(def) => self.event(def, None),
                pt::SourceUnitPart::Using(def) => self.using(def, None),
                _ => {}
            }
        }
        for (id, def) in self.contracts_of(unit) {
            for part in &def.parts {
                match part {
                    pt::ContractPart::FunctionDefinition(def) => self.function(def, Some(id)),
                    pt::ContractPart::VariableDefinition(def) => self.variable(def, Some(id)),
                    pt::ContractPart::EventDefinition(def) => self.event(def, Some(id)),
                    pt::ContractPart::Using(def) => self.using(def, Some(id)),
                    _ => {}
                }
            }
        }
    }

    fn using(&mut self, def: &'a pt::Using, contract: Option<ContractId>) {
        let ty = def.ty.as_ref().map(|ty| self.decls.ty(contract, ty, Region::Storage)).transpose();
        let Some(ty) = self.note(ty) else { return };
        let using = Using { list: &def.list, ty };
        match contract {
            Some(id) => self.decls.contracts[id].usings.push(using),
            None => self.decls.file_usings.push(using),
        }
    }

    fn variable(&mut self, def: &'a pt::VariableDefinition, contract: Option<ContractId>) {
        let ty = self.decls.ty(contract, &def.ty, Region::Storage);
        let Some(ty) = self.note(ty) else { return };
        let has = |wanted: fn(&pt::VariableAttribute) -> bool| def.attrs.iter().any(wanted);
        let slot = Slot {
            name: name_of(def.name.as_ref()),
            contract,
            ty,
            span: span(&def.loc),
            is_constant: has(|attr| matches!(attr, pt::VariableAttribute::Constant(_))),
            is_public: has(|attr| {
                matches!(attr, pt::VariableAttribute::Visibility(pt::Visibility::Public(_)))
            }),
            is_private: crate::legality::is_private(def),
            is_immutable: has(|attr| matches!(attr, pt::VariableAttribute::Immutable(_))),
            initializer: def.initializer.as_ref(),
        };
        let name = slot.name.clone();
        let id = self.decls.slots.push(slot);
        match contract {
            Some(contract) => self.decls.contracts[contract].slots.push(id),
            None => {
                self.decls.constants.insert(name, id);
            }
        }
    }

    fn event(&mut self, def: &pt::EventDefinition, contract: Option<ContractId>) {
        let mut params = Vec::new();
        for field in &def.fields {
            let ty = self.decls.ty(contract, &field.ty, Region::Memory);
            if let Some(ty) = self.note(ty) {
                params.push(Param {
                    name: field.name.as_ref().map(|name| name.name.clone()),
                    ty,
                    span: span(&field.loc),
                });
            }
        }
        let annotations = self.annotations(&def.loc);
        let id =
            self.decls.events.push(Event { name: name_of(def.name.as_ref()), contract, params, annotations });
        self.scope(contract).events.push(id);
    }

    fn function(&mut self, def: &'a pt::FunctionDefinition, contract: Option<ContractId>) {
        let func = match self.func(def, contract) {
            Ok(func) => func,
            Err(fault) => return self.faults.push(fault),
        };
        let kind = func.kind;
        let id: FuncId = self.decls.funcs.push(func);
        match (kind, contract) {
            (FuncKind::Modifier, Some(contract)) => self.decls.contracts[contract].modifiers.push(id),
            (FuncKind::Constructor, Some(contract)) => self.decls.contracts[contract].constructor = Some(id),
            _ => self.scope(contract).funcs.push(id),
        }
    }

    fn func(&mut self, def: &'a pt::FunctionDefinition, contract: Option<ContractId>) -> Res<Func<'a>> {
        let name = name_of(def.name.as_ref());
        let owner = contract.map(|id| &self.decls.contracts[id]);
        let is_named_constructor =
            self.decls.version < Version(5, 0) && owner.is_some_and(|owner| owner.name == name);
        let kind = match def.ty {
            pt::FunctionTy::Constructor => FuncKind::Constructor,
            pt::FunctionTy::Function if is_named_constructor => FuncKind::Constructor,
            pt::FunctionTy::Function if name.is_empty() => FuncKind::Fallback,
            pt::FunctionTy::Function => FuncKind::Function,
            pt::FunctionTy::Fallback => FuncKind::Fallback,
            pt::FunctionTy::Receive => FuncKind::Receive,
            pt::FunctionTy::Modifier => FuncKind::Modifier,
        };
        let in_interface = owner.is_some_and(|owner| owner.kind == ContractKind::Interface);
        // Functions of a file belong to no contract that could be called.
        let visibility = match contract {
            Some(_) => visibility(def, kind, in_interface),
            None => Visibility::Internal,
        };
        // Without an explicit location, old versions copy parameters of public functions to memory.
        let region = if visibility == Visibility::External { Region::Calldata } else { Region::Memory };
        Ok(Func {
            kind,
            contract,
            span: span(&def.loc),
            def,
            params: self.params(&def.params, contract, region)?,
            returns: self.params(&def.returns, contract, Region::Memory)?,
            visibility,
            mutability: mutability(def),
            modifiers: def.attributes.iter().filter_map(base_or_modifier).collect(),
            body: def.body.as_ref(),
            annotations: self.annotations(&def.loc),
            name,
        })
    }

    fn params(
        &self,
        list: &pt::ParameterList,
        contract: Option<ContractId>,
        region: Region,
    ) -> Res<Vec<Param>> {
        let params = list.iter().filter_map(|(_, param)| param.as_ref());
        params
            .map(|param| {
                let region = param.storage.as_ref().map_or(region, region_of);
                let ty = self.decls.ty(contract, &param.ty, region)?;
                Ok(Param {
                    name: param.name.as_ref().map(|name| name.name.clone()),
                    ty,
                    span: span(&param.loc),
                })
            })
            .collect()
    }
}

/// The region that a declaration names.
pub(crate) fn region_of(location: &pt::StorageLocation) -> Region {
    match location {
        pt::StorageLocation::Memory(_) => Region::Memory,
        pt::StorageLocation::Storage(_) => Region::Storage,
        pt::StorageLocation::Calldata(_) => Region::Calldata,
    }
}

fn base_or_modifier(attribute: &pt::FunctionAttribute) -> Option<&pt::Base> {
    match attribute {
        pt::FunctionAttribute::BaseOrModifier(_, base) => Some(base),
        _ => None,
    }
}

fn invariants(annotations: Vec<Annotated>) -> Vec<crate::annotation::Formula> {
    let formulas = annotations.into_iter().filter_map(|annotated| match annotated.what {
        Annotation::Invariant(formula) => Some(formula),
        _ => None,
    });
    formulas.collect()
}

fn visibility(def: &pt::FunctionDefinition, kind: FuncKind, in_interface: bool) -> Visibility {
    let given = def.attributes.iter().find_map(|attribute| match attribute {
        pt::FunctionAttribute::Visibility(visibility) => Some(visibility),
        _ => None,
    });
    match given {
        Some(pt::Visibility::External(_)) => Visibility::External,
        Some(pt::Visibility::Public(_)) => Visibility::Public,
        Some(pt::Visibility::Internal(_)) => Visibility::Internal,
        Some(pt::Visibility::Private(_)) => Visibility::Private,
        None if in_interface || matches!(kind, FuncKind::Fallback | FuncKind::Receive) => {
            Visibility::External
        }
        None if kind == FuncKind::Modifier => Visibility::Internal,
        // Version 0.4 makes functions public by default.
        None => Visibility::Public,
    }
}

fn mutability(def: &pt::FunctionDefinition) -> Mutability {
    let given = def.attributes.iter().find_map(|attribute| match attribute {
        pt::FunctionAttribute::Mutability(mutability) => Some(mutability),
        _ => None,
    });
    match given {
        Some(pt::Mutability::Pure(_)) => Mutability::Pure,
        Some(pt::Mutability::View(_) | pt::Mutability::Constant(_)) => Mutability::View,
        Some(pt::Mutability::Payable(_)) => Mutability::Payable,
        None => Mutability::Other,
    }
}

impl Decls<'_> {
    /// What a dotted name of a type stands for.
    pub(crate) fn type_by_path(
        &self,
        contract: Option<ContractId>,
        path: &pt::IdentifierPath,
    ) -> Res<NamedType> {
        let names: Vec<&str> = path.identifiers.iter().map(|part| part.name.as_str()).collect();
        self.type_by_names(contract, &names, span(&path.loc))
    }

    fn type_by_names(&self, contract: Option<ContractId>, names: &[&str], place: Span) -> Res<NamedType> {
        let mut found = match names.first().and_then(|name| self.find_type(contract, name)) {
            Some(found) => found,
            None => return invalid(place, format!("unknown type `{}`", names.join("."))),
        };
        for name in &names[1..] {
            found = match found {
                NamedType::Contract(id) => match self.find_type(Some(id), name) {
                    Some(inner) => inner,
                    None => return invalid(place, format!("unknown type `{}`", names.join("."))),
                },
                _ => return invalid(place, format!("unknown type `{}`", names.join("."))),
            };
        }
        Ok(found)
    }

    /// The type that an expression names, with values in `region`.
    pub(crate) fn ty(&self, contract: Option<ContractId>, expr: &pt::Expression, region: Region) -> Res<Ty> {
        match expr {
            pt::Expression::Type(_, ty) => self.elementary(contract, ty, region),
            pt::Expression::Parenthesis(_, inner) => self.ty(contract, inner, region),
            pt::Expression::Variable(name) if name.name == "byte" => Ok(Ty::FixedBytes(1)),
            pt::Expression::Variable(name) if is_fixed_point(&name.name) => {
                Ok(Ty::Opaque(Unmodelled::FixedPoint))
            }
            pt::Expression::Variable(name) => {
                Ok(self.named(self.type_by_names(contract, &[&name.name], span(&name.loc))?, region))
            }
            pt::Expression::MemberAccess(loc, ..) => {
                let Some(names) = dotted(expr) else { return invalid(span(loc), "this is not a type") };
                Ok(self.named(self.type_by_names(contract, &names, span(loc))?, region))
            }
            pt::Expression::ArraySubscript(loc, element, length) => {
                let element = self.ty(contract, element, region)?;
                let length = match length {
                    Some(length) => Some(self.constant_length(contract, length, span(loc))?),
                    None => None,
                };
                Ok(Ty::Array(Box::new(element), length, region))
            }
            other => invalid(span(&pt::CodeLocation::loc(other)), "this is not a type"),
        }
    }

    fn named(&self, named: NamedType, region: Region) -> Ty {
        match named {
            NamedType::Contract(id) => Ty::Contract(id),
            NamedType::Struct(id) => Ty::Struct(id, region),
            NamedType::Enum(id) => Ty::Enum(id),
            NamedType::User(id) => Ty::User(id),
        }
    }

    fn elementary(&self, contract: Option<ContractId>, ty: &pt::Type, region: Region) -> Res<Ty> {
        Ok(match ty {
            pt::Type::Address => Ty::Address { payable: self.version < Version(5, 0) },
            pt::Type::AddressPayable | pt::Type::Payable => Ty::Address { payable: true },
            pt::Type::Bool => Ty::Bool,
            pt::Type::String => Ty::String(region),
            pt::Type::Int(bits) => Ty::Int { signed: true, bits: *bits },
            pt::Type::Uint(bits) => Ty::Int { signed: false, bits: *bits },
            pt::Type::Bytes(size) => Ty::FixedBytes(*size),
            pt::Type::DynamicBytes => Ty::Bytes(region),
            pt::Type::Mapping { key, value, .. } => Ty::Mapping(
                Box::new(self.ty(contract, key, Region::Storage)?),
                Box::new(self.ty(contract, value, Region::Storage)?),
            ),
            pt::Type::Rational => Ty::Opaque(Unmodelled::FixedPoint),
            pt::Type::Function { .. } => Ty::Opaque(Unmodelled::Function),
        })
    }
}

/// Whether a type is called `fixed`, `ufixed128x18` or the like.
fn is_fixed_point(name: &str) -> bool {
    let size = name.strip_prefix('u').unwrap_or(name).strip_prefix("fixed");
    size.is_some_and(|size| size.chars().all(|c| c.is_ascii_digit() || c == 'x'))
}

/// The names of a dotted expression.
pub(crate) fn dotted(expr: &pt::Expression) -> Option<Vec<&str>> {
    match expr {
        pt::Expression::Variable(name) => Some(vec![&name.name]),
        pt::Expression::MemberAccess(_, base, name) => {
            let mut names = dotted(base)?;
            names.push(&name.name);
            Some(names)
        }
        _ => None,
    }
}
