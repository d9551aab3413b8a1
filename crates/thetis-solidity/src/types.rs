//! The types of Solidity as the front end sees them.

use thetis_base::define_index_type;

define_index_type! {
    /// A contract, interface or library.
    pub(crate) struct ContractId = u32;
}
define_index_type! {
    /// A structure.
    pub(crate) struct StructId = u32;
}
define_index_type! {
    /// An enumeration.
    pub(crate) struct EnumId = u32;
}
define_index_type! {
    /// A user-defined value type.
    pub(crate) struct UserTypeId = u32;
}
define_index_type! {
    /// A state variable.
    pub(crate) struct SlotId = u32;
}
define_index_type! {
    /// A function, constructor or modifier.
    pub(crate) struct FuncId = u32;
}
define_index_type! {
    /// An event.
    pub(crate) struct EventId = u32;
}

/// How deep types in storage may be nested.
pub(crate) const MAX_DEPTH: usize = 12;

/// Where a value of a reference type lives.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) enum Region {
    Storage,
    Memory,
    Calldata,
}

/// A kind of types that are legal but not modelled.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) enum Unmodelled {
    Function,
    FixedPoint,
}

impl Unmodelled {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Unmodelled::Function => "function",
            Unmodelled::FixedPoint => "fixed",
        }
    }

    /// Why a function that uses such a value is skipped.
    pub(crate) fn reason(self) -> &'static str {
        match self {
            Unmodelled::Function => "function types are not supported",
            Unmodelled::FixedPoint => "fixed-point numbers are not supported",
        }
    }
}

/// A type. Reference types carry their region, also inside other types.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) enum Ty {
    Bool,
    Int {
        signed: bool,
        bits: u16,
    },
    Address {
        payable: bool,
    },
    FixedBytes(u8),
    Bytes(Region),
    String(Region),
    Enum(EnumId),
    Contract(ContractId),
    User(UserTypeId),
    /// A legal type whose values are not modelled. They can be kept and copied, but not used.
    Opaque(Unmodelled),
    Struct(StructId, Region),
    /// Elements, and the length of arrays of fixed size.
    Array(Box<Ty>, Option<u64>, Region),
    Mapping(Box<Ty>, Box<Ty>),
}

impl Ty {
    pub(crate) const UINT: Ty = Ty::Int { signed: false, bits: 256 };
    pub(crate) const INT: Ty = Ty::Int { signed: true, bits: 256 };
    pub(crate) const ADDRESS: Ty = Ty::Address { payable: false };

    /// Whether values are copied by assignment.
    pub(crate) fn is_value(&self) -> bool {
        !matches!(self, Ty::Bytes(_) | Ty::String(_) | Ty::Struct(..) | Ty::Array(..) | Ty::Mapping(..))
    }

    /// Whether this is `bytes` or `string`.
    pub(crate) fn is_text(&self) -> bool {
        matches!(self, Ty::Bytes(_) | Ty::String(_))
    }

    /// Where values live, if this is a reference type.
    pub(crate) fn region(&self) -> Option<Region> {
        match self {
            Ty::Bytes(region) | Ty::String(region) | Ty::Struct(_, region) | Ty::Array(_, _, region) => {
                Some(*region)
            }
            Ty::Mapping(..) => Some(Region::Storage),
            _ => None,
        }
    }

    /// The same type in another region.
    pub(crate) fn in_region(&self, region: Region) -> Ty {
        match self {
            Ty::Bytes(_) => Ty::Bytes(region),
            Ty::String(_) => Ty::String(region),
            Ty::Struct(id, _) => Ty::Struct(*id, region),
            Ty::Array(element, length, _) => Ty::Array(Box::new(element.in_region(region)), *length, region),
            other => other.clone(),
        }
    }

    /// Whether the types are equal up to regions.
    pub(crate) fn same_shape(&self, other: &Ty) -> bool {
        self.in_region(Region::Memory) == other.in_region(Region::Memory)
    }

    pub(crate) fn is_integer(&self) -> bool {
        matches!(self, Ty::Int { .. })
    }

    pub(crate) fn is_signed(&self) -> bool {
        matches!(self, Ty::Int { signed: true, .. })
    }
}
