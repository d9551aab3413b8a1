//! Types of C, interned, with the sizes of a data model.

use rustc_hash::FxHashMap;
use thetis_base::{IndexVec, define_index_type};

use super::{LocalId, Machine};

/// The tag of lists of variable arguments.
pub(crate) const ARGUMENT_LIST: &str = "#va_list";

define_index_type! {
    /// A type. Equal ids mean equal types; a `volatile` type has an id of its own and is otherwise like the plain one.
    pub struct TypeId = u32;
}

define_index_type! {
    /// A structure or union.
    pub struct RecordId = u32;
}

/// The sizes of integers and pointers.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum DataModel {
    /// `int`, `long` and pointers have 32 bits.
    Ilp32,
    /// `long` and pointers have 64 bits.
    #[default]
    Lp64,
}

impl DataModel {
    /// Its usual name.
    pub fn name(self) -> &'static str {
        match self {
            DataModel::Ilp32 => "ILP32",
            DataModel::Lp64 => "LP64",
        }
    }
}

/// A type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    /// `void`
    Void,
    /// An integer type; enumerations are the integer type that represents them.
    Int(IntKind),
    /// A floating type.
    Float(FloatKind),
    /// A pointer.
    Pointer(TypeId),
    /// An array.
    Array(TypeId, ArrayLength),
    /// A structure or union.
    Record(RecordId),
    /// A function.
    Function(FunctionType),
}

/// How many elements an array has.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ArrayLength {
    /// A constant.
    Constant(u64),
    /// The value of a (compiler-made) variable of type `size_t` of the function at hand.
    Variable(LocalId),
    /// Not known: an incomplete type, or a flexible member.
    Unknown,
}

/// Integer types.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[allow(missing_docs, reason = "the names say it")]
pub enum IntKind {
    Bool,
    /// `char` where it is signed.
    Char,
    /// `char` where it is unsigned.
    PlainUnsignedChar,
    SignedChar,
    UnsignedChar,
    Short,
    UnsignedShort,
    Int,
    UnsignedInt,
    Long,
    UnsignedLong,
    LongLong,
    UnsignedLongLong,
    Int128,
    UnsignedInt128,
}

/// Floating types.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[allow(missing_docs, reason = "the names say it")]
pub enum FloatKind {
    Float,
    Double,
    /// The 80-bit format of x86.
    LongDouble,
}

/// The type of a function.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct FunctionType {
    /// What it returns.
    pub result: TypeId,
    /// The types of its parameters.
    pub params: Vec<TypeId>,
    /// Whether more arguments may follow, or nothing is known about the parameters (old-style).
    pub is_variadic: bool,
}

/// A structure or union. Incomplete while `fields` is `None`.
#[derive(Clone, Debug)]
pub struct Record {
    /// `struct` or `union`.
    pub kind: RecordKind,
    /// Its tag; nameless ones get a name with a `#`.
    pub tag: String,
    /// Its members with their places.
    pub fields: Option<Vec<Field>>,
    /// Its size in bytes, with padding.
    pub size: u64,
    /// Its alignment in bytes.
    pub align: u64,
}

/// `struct` or `union`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the names say it")]
pub enum RecordKind {
    Struct,
    Union,
}

/// A member of a structure or union. Members of nameless members are reached in two steps.
#[derive(Clone, Debug)]
pub struct Field {
    /// Its name; `None` for nameless structures and unions in the record.
    pub name: Option<String>,
    /// Its type.
    pub ty: TypeId,
    /// Where it starts, in bytes; for a bit-field its storage unit.
    pub offset: u64,
    /// Which bits, if it is a bit-field.
    pub bits: Option<BitField>,
}

/// The place of a bit-field in its storage unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BitField {
    /// The lowest bit.
    pub offset: u32,
    /// How many bits.
    pub width: u32,
}

/// All types of a program.
#[derive(Clone, Debug)]
pub struct Types {
    machine: Machine,
    types: IndexVec<TypeId, Type>,
    ids: FxHashMap<Type, TypeId>,
    /// The volatile types by the plain ones.
    volatile: FxHashMap<TypeId, TypeId>,
    /// The plain types by the volatile ones.
    plain: FxHashMap<TypeId, TypeId>,
    records: IndexVec<RecordId, Record>,
}

impl IntKind {
    /// How C calls the type.
    pub fn name(self) -> &'static str {
        match self {
            IntKind::Bool => "_Bool",
            IntKind::Char | IntKind::PlainUnsignedChar => "char",
            IntKind::SignedChar => "signed char",
            IntKind::UnsignedChar => "unsigned char",
            IntKind::Short => "short",
            IntKind::UnsignedShort => "unsigned short",
            IntKind::Int => "int",
            IntKind::UnsignedInt => "unsigned int",
            IntKind::Long => "long",
            IntKind::UnsignedLong => "unsigned long",
            IntKind::LongLong => "long long",
            IntKind::UnsignedLongLong => "unsigned long long",
            IntKind::Int128 => "__int128",
            IntKind::UnsignedInt128 => "unsigned __int128",
        }
    }

    /// Whether values can be negative.
    pub fn is_signed(self) -> bool {
        use IntKind::{Char, Int, Int128, Long, LongLong, Short, SignedChar};
        matches!(self, Char | SignedChar | Short | Int | Long | LongLong | Int128)
    }

    /// The size in bytes.
    pub fn size(self, model: DataModel) -> u64 {
        match self {
            IntKind::Bool
            | IntKind::Char
            | IntKind::PlainUnsignedChar
            | IntKind::SignedChar
            | IntKind::UnsignedChar => 1,
            IntKind::Short | IntKind::UnsignedShort => 2,
            IntKind::Int | IntKind::UnsignedInt => 4,
            IntKind::Long | IntKind::UnsignedLong => model.pointer_size(),
            IntKind::LongLong | IntKind::UnsignedLongLong => 8,
            IntKind::Int128 | IntKind::UnsignedInt128 => 16,
        }
    }

    /// The number of bits that carry the value: one for `_Bool`.
    pub fn width(self, model: DataModel) -> u32 {
        match self {
            IntKind::Bool => 1,
            kind => 8 * kind.size(model) as u32,
        }
    }
}

impl FloatKind {
    /// The size in bytes.
    pub fn size(self, model: DataModel) -> u64 {
        match (self, model) {
            (FloatKind::Float, _) => 4,
            (FloatKind::Double, _) => 8,
            (FloatKind::LongDouble, DataModel::Ilp32) => 12,
            (FloatKind::LongDouble, DataModel::Lp64) => 16,
        }
    }
}

impl DataModel {
    /// The size of a pointer, `long` and `size_t` in bytes.
    pub fn pointer_size(self) -> u64 {
        match self {
            DataModel::Ilp32 => 4,
            DataModel::Lp64 => 8,
        }
    }
}

impl Types {
    /// No types but those that are asked for.
    pub fn new(machine: Machine) -> Types {
        Types {
            machine,
            types: IndexVec::new(),
            ids: FxHashMap::default(),
            volatile: FxHashMap::default(),
            plain: FxHashMap::default(),
            records: IndexVec::new(),
        }
    }

    /// The machine.
    pub fn machine(&self) -> Machine {
        self.machine
    }

    /// The data model of the machine.
    pub fn model(&self) -> DataModel {
        self.machine.model()
    }

    /// The id of `ty`.
    pub fn intern(&mut self, ty: Type) -> TypeId {
        if let Some(id) = self.ids.get(&ty) {
            return *id;
        }
        let id = self.types.push(ty.clone());
        self.ids.insert(ty, id);
        id
    }

    /// The type with an id.
    pub fn get(&self, id: TypeId) -> &Type {
        &self.types[id]
    }

    /// The volatile type of a type; of an array, the array of volatile elements.
    pub fn volatile_of(&mut self, id: TypeId) -> TypeId {
        if let Type::Array(element, length) = *self.get(id) {
            let element = self.volatile_of(element);
            return self.intern(Type::Array(element, length));
        }
        let plain = self.plain(id);
        if let Some(known) = self.volatile.get(&plain) {
            return *known;
        }
        let copy = self.get(plain).clone();
        let new = self.types.push(copy);
        self.volatile.insert(plain, new);
        self.plain.insert(new, plain);
        new
    }

    /// The type without `volatile`.
    pub fn plain(&self, id: TypeId) -> TypeId {
        self.plain.get(&id).copied().unwrap_or(id)
    }

    /// Whether objects of the type may change at any time.
    pub fn is_volatile(&self, id: TypeId) -> bool {
        self.plain.contains_key(&id)
    }

    /// A new record type.
    pub fn add_record(&mut self, record: Record) -> RecordId {
        self.records.push(record)
    }

    /// A record.
    pub fn record(&self, id: RecordId) -> &Record {
        &self.records[id]
    }

    /// Whether a structure is a list of variable arguments.
    pub(crate) fn is_argument_list(&self, id: RecordId) -> bool {
        self.records[id].tag == ARGUMENT_LIST
    }

    /// A record that gets its members.
    pub fn record_mut(&mut self, id: RecordId) -> &mut Record {
        &mut self.records[id]
    }

    /// Whether it is the structure behind `FILE`, as the headers of C libraries call it.
    pub fn is_file(&self, id: TypeId) -> bool {
        matches!(self.get(id), Type::Record(record) if ["_IO_FILE", "__sFILE"].contains(&self.record(*record).tag.as_str()))
    }

    /// Whether it is `FILE *`.
    pub fn is_stream(&self, id: TypeId) -> bool {
        matches!(self.get(id), Type::Pointer(target) if self.is_file(*target))
    }

    /// The alignment of a complete type inside structures, in bytes.
    pub fn align_of(&self, id: TypeId) -> u64 {
        let (model, widest) = (self.model(), self.machine.widest_scalar());
        match self.get(id) {
            Type::Void | Type::Function(_) => 1,
            Type::Int(kind) => kind.size(model).min(widest),
            Type::Float(kind) => kind.size(model).min(widest),
            Type::Pointer(_) => model.pointer_size(),
            Type::Array(element, _) => self.align_of(*element),
            Type::Record(record) => self.record(*record).align,
        }
    }

    /// The size of a complete type of constant size in bytes; as in GNU C, 1 for `void` and functions.
    pub fn size_of(&self, id: TypeId) -> Option<u64> {
        match self.get(id) {
            Type::Void | Type::Function(_) => Some(1),
            Type::Int(kind) => Some(kind.size(self.model())),
            Type::Float(kind) => Some(kind.size(self.model())),
            Type::Pointer(_) => Some(self.model().pointer_size()),
            Type::Array(element, ArrayLength::Constant(length)) => {
                self.size_of(*element)?.checked_mul(*length)
            }
            Type::Array(_, ArrayLength::Variable(_) | ArrayLength::Unknown) => None,
            Type::Record(record) => {
                let record = self.record(*record);
                record.fields.as_ref().map(|_| record.size)
            }
        }
    }
}
