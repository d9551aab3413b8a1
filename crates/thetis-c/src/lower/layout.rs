//! The scalars that types consist of.

use std::collections::{BTreeMap, BTreeSet};

use super::scalar::{Integer, Scalar};
use super::walk::{Part, walk, walk_body};
use crate::hir::{
    ArrayLength, BitField, Expr, ExprKind, Field, FloatKind, FunctionId, Initializer, PlaceKind, Program,
    RecordId, RecordKind, Step, StmtKind, Type, TypeId, Types,
};

/// A member of a record.
pub(super) type FieldKey = (RecordId, usize);

/// Scalars that may be the same memory: those of one kind.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) enum Kind {
    Bool,
    /// Integers of some number of bytes.
    Int(u32),
    Float(FloatKind),
    Pointer,
}

impl Kind {
    pub(super) fn of(scalar: Scalar) -> Kind {
        match scalar {
            Scalar::Bool => Kind::Bool,
            Scalar::Int(integer) => Kind::Int(integer.width.div_ceil(8)),
            Scalar::Float(kind) => Kind::Float(kind),
            Scalar::Pointer => Kind::Pointer,
        }
    }

    /// A scalar of this kind.
    pub(super) fn scalar(self) -> Scalar {
        match self {
            Kind::Bool => Scalar::Bool,
            Kind::Int(size) => Scalar::Int(Integer::unsigned(8 * size)),
            Kind::Float(kind) => Scalar::Float(kind),
            Kind::Pointer => Scalar::Pointer,
        }
    }

    /// Whether scalars of this kind can be taken apart into bytes.
    pub(super) fn has_bytes(self) -> bool {
        match self {
            Kind::Bool | Kind::Int(_) | Kind::Float(FloatKind::Float | FloatKind::Double) => true,
            Kind::Float(FloatKind::LongDouble) | Kind::Pointer => false,
        }
    }
}

/// A scalar in a type; all elements of an array count as one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Leaf {
    pub(super) scalar: Scalar,
    /// The innermost structure member on the way to it.
    pub(super) key: Option<FieldKey>,
}

/// A scalar in a type, with the path to it.
#[derive(Clone, Debug)]
pub(super) struct LeafPath {
    pub(super) steps: Vec<Step>,
    pub(super) ty: TypeId,
    pub(super) bits: Option<BitField>,
}

/// The scalars of a type, each once.
pub(super) fn leaves(types: &Types, ty: TypeId) -> BTreeSet<Leaf> {
    let mut found = BTreeSet::new();
    let mut pending = vec![(ty, None)];
    while let Some((ty, key)) = pending.pop() {
        match types.get(ty) {
            Type::Array(element, _) => pending.push((*element, key)),
            Type::Record(record) => {
                let is_union = types.record(*record).kind == RecordKind::Union;
                let fields = fields(types, *record).iter().enumerate();
                pending.extend(fields.map(|(number, field)| {
                    (field.ty, if is_union { None } else { Some((*record, number)) })
                }));
            }
            _ => found.extend(Scalar::of(types, ty).map(|scalar| Leaf { scalar, key })),
        }
    }
    found
}

/// Whether pointers share bytes with other scalars in a union inside a type.
pub(super) fn shares_pointers(types: &Types, ty: TypeId) -> bool {
    match types.get(ty) {
        Type::Array(element, _) => shares_pointers(types, *element),
        Type::Record(record) => records_inside(types, *record).into_iter().any(|record| {
            let members = fields(types, record).iter().flat_map(|field| leaves(types, field.ty));
            let kinds: BTreeSet<Kind> = members.map(|leaf| Kind::of(leaf.scalar)).collect();
            let is_union = types.record(record).kind == RecordKind::Union;
            is_union && kinds.len() > 1 && kinds.contains(&Kind::Pointer)
        }),
        _ => false,
    }
}

/// A record and all records inside it.
pub(super) fn records_inside(types: &Types, record: RecordId) -> BTreeSet<RecordId> {
    let mut found = BTreeSet::from([record]);
    let mut pending: Vec<TypeId> = fields(types, record).iter().map(|field| field.ty).collect();
    while let Some(ty) = pending.pop() {
        match types.get(ty) {
            Type::Array(element, _) => pending.push(*element),
            Type::Record(inner) if found.insert(*inner) => {
                pending.extend(fields(types, *inner).iter().map(|field| field.ty));
            }
            _ => {}
        }
    }
    found
}

/// Whether a bit-field reaches beyond the integer of its declared type, as it may in packed structures.
pub(super) fn is_straddling(types: &Types, field: &Field) -> bool {
    let size = types.size_of(field.ty).unwrap_or(0);
    field.bits.is_some_and(|bits| u64::from(bits.offset + bits.width) > 8 * size)
}

/// Whether a type has such bit-fields.
pub(super) fn has_straddling(types: &Types, ty: TypeId) -> bool {
    let mut ty = ty;
    while let Type::Array(element, _) = types.get(ty) {
        ty = *element;
    }
    let Type::Record(record) = types.get(ty) else { return false };
    let mut records = records_inside(types, *record).into_iter();
    records.any(|record| fields(types, record).iter().any(|field| is_straddling(types, field)))
}

/// The members of a record; none of an incomplete one.
pub(super) fn fields(types: &Types, record: RecordId) -> &[Field] {
    types.record(record).fields.as_deref().unwrap_or_default()
}

/// All scalars of a type in the order of memory, if there are at most `cap` of them.
pub(super) fn leaf_paths(types: &Types, ty: TypeId, cap: usize) -> Option<Vec<LeafPath>> {
    let mut found = Vec::new();
    let mut pending = vec![LeafPath { steps: Vec::new(), ty, bits: None }];
    while let Some(path) = pending.pop() {
        let step = |step, ty, bits| {
            let steps = path.steps.iter().copied().chain([step]).collect();
            LeafPath { steps, ty, bits }
        };
        match types.get(path.ty) {
            Type::Array(element, ArrayLength::Constant(length)) => {
                if *length > cap as u64 {
                    return None;
                }
                pending.extend((0..*length).rev().map(|number| step(Step::Index(number), *element, None)));
            }
            Type::Array(_, ArrayLength::Unknown) => {}
            Type::Array(_, ArrayLength::Variable(_)) => return None,
            Type::Record(record) => {
                let members = fields(types, *record).iter().enumerate().rev();
                pending
                    .extend(members.map(|(number, field)| step(Step::Field(number), field.ty, field.bits)));
            }
            _ if found.len() == cap => return None,
            _ => found.push(path),
        }
    }
    Some(found)
}

/// How unions are used: which of their members.
pub(super) struct UnionUse {
    members: BTreeMap<RecordId, BTreeSet<usize>>,
}

impl UnionUse {
    /// How some functions and all initial values use unions.
    pub(super) fn of(program: &Program, functions: impl Iterator<Item = FunctionId>) -> UnionUse {
        let mut usage = UnionUse { members: BTreeMap::new() };
        for global in &program.globals {
            if let Some(initializer) = &global.initializer {
                usage.initialize(program, global.ty, initializer);
                usage.walk(program, walk([Part::Initializer(initializer)]));
            }
        }
        for function in functions {
            let function = &program.functions[function];
            for part in walk_body(function.body.as_deref().unwrap_or_default()) {
                if let Part::Stmt(stmt) = part
                    && let StmtKind::Declare(local, Some(initializer)) = &stmt.kind
                {
                    usage.initialize(program, function.locals[*local].ty, initializer);
                }
            }
            usage.walk(program, walk_body(function.body.as_deref().unwrap_or_default()));
        }
        usage
    }

    fn walk<'h>(&mut self, program: &Program, parts: impl Iterator<Item = Part<'h>>) {
        for part in parts {
            let Part::Place(place) = part else { continue };
            match &place.kind {
                PlaceKind::Field(base, number) => {
                    if let Type::Record(record) = program.types.get(base.ty) {
                        self.note(&program.types, *record, *number);
                    }
                }
                PlaceKind::Literal(_, initializer) => self.initialize(program, place.ty, initializer),
                _ => {}
            }
        }
    }

    fn initialize(&mut self, program: &Program, ty: TypeId, initializer: &Initializer) {
        let Initializer::Parts(parts) = initializer else { return };
        let types = &program.types;
        for part in parts {
            let mut ty = ty;
            for step in &part.path {
                // If a whole member is zero, the union reads as zero through every member.
                if let (Type::Record(record), Step::Field(number)) = (types.get(ty), step)
                    && (!is_zero(&part.value) || !covers(types, *record, *number))
                {
                    self.note(types, *record, *number);
                }
                ty = step_type(types, ty, *step);
            }
        }
    }

    fn note(&mut self, types: &Types, record: RecordId, number: usize) {
        if types.record(record).kind == RecordKind::Union {
            self.members.entry(record).or_default().insert(number);
        }
    }

    /// The only scalar that a union is, if its members in use are one and the same kind of scalar.
    pub(super) fn as_scalar(&self, types: &Types, record: RecordId) -> Option<TypeId> {
        let used = self.members.get(&record)?;
        let members: Vec<&Field> = used.iter().map(|number| &fields(types, record)[*number]).collect();
        let kind = |field: &Field| Scalar::of(types, field.ty).map(Kind::of);
        let (first, rest) = members.split_first()?;
        let first_kind = kind(first)?;
        let is_one = members.iter().all(|field| field.bits.is_none());
        (is_one && rest.iter().all(|field| kind(field) == Some(first_kind))).then_some(first.ty)
    }

    /// Whether a union is, or may be, read through this member.
    pub(super) fn is_used(&self, types: &Types, record: RecordId, number: usize) -> bool {
        types.record(record).kind != RecordKind::Union
            || self.members.get(&record).is_none_or(|used| used.contains(&number))
    }

    /// Whether a union needs no sharing between members: at most one is used.
    pub(super) fn has_one_member(&self, record: RecordId) -> bool {
        self.members.get(&record).is_none_or(|used| used.len() <= 1)
    }

    /// Whether an object of this type can be made of one variable for each scalar.
    pub(super) fn is_splittable(&self, types: &Types, ty: TypeId) -> bool {
        match types.get(ty) {
            Type::Array(element, _) => self.is_splittable(types, *element),
            Type::Record(record) => {
                let is_struct = types.record(*record).kind == RecordKind::Struct;
                if !is_struct && self.as_scalar(types, *record).is_some() {
                    return true;
                }
                let is_apart = is_struct || self.has_one_member(*record);
                is_apart && fields(types, *record).iter().all(|field| self.is_splittable(types, field.ty))
            }
            _ => true,
        }
    }
}

/// Whether a member is as large as its record.
pub(super) fn covers(types: &Types, record: RecordId, number: usize) -> bool {
    types.size_of(fields(types, record)[number].ty) == Some(types.record(record).size)
}

/// The type of a part.
pub(super) fn step_type(types: &Types, ty: TypeId, step: Step) -> TypeId {
    match (types.get(ty), step) {
        (Type::Array(element, _), Step::Index(_)) => *element,
        (Type::Record(record), Step::Field(number)) => fields(types, *record)[number].ty,
        _ => ty,
    }
}

/// Whether an expression is plainly the constant zero.
pub(super) fn is_zero(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Int(number) => number.sign() == num_bigint::Sign::NoSign,
        ExprKind::Float(bits) => *bits == 0,
        ExprKind::Convert(inner) => is_zero(inner),
        _ => false,
    }
}
