//! What expressions denote.

use std::collections::BTreeMap;

use thetis_expr::Rational;
use thetis_expr::{ExprId, Sort, VarId};

use crate::types::{ContractId, EnumId, EventId, FuncId, SlotId, StructId, Ty};

use super::encoding::Encoding;
use super::global::HashKind;

/// A value with its type.
#[derive(Clone, Debug)]
pub(crate) struct Typed {
    pub(crate) ty: Ty,
    pub(crate) val: Val,
}

/// A value.
#[derive(Clone, Debug)]
pub(crate) enum Val {
    /// A value type, the code of a text, or a reference of memory.
    Term(ExprId),
    /// Something in storage.
    Place(StoragePlace),
    /// A copy of something in storage, leaf by leaf.
    Leaves(Vec<ExprId>),
}

/// Something in storage.
#[derive(Clone, Debug)]
pub(crate) struct StoragePlace {
    pub(crate) root: Root,
    pub(crate) path: Vec<Sel>,
    pub(crate) ty: Ty,
}

/// Where a path starts.
#[derive(Clone, Debug)]
pub(crate) enum Root {
    /// A state variable of the contract at an address.
    Slot(SlotId, ExprId),
    /// Wherever a pointer points to, in the contract at an address.
    Pointer(Pointer, ExprId),
    /// What the parameter of a library function points to.
    Elsewhere(Ty),
}

/// A step of a path.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Sel {
    Index(ExprId),
    Field(usize),
    Length,
}

/// A storage pointer: which of the possible places (see `shapes`), with the indices on the way.
#[derive(Clone, Debug)]
pub(crate) struct Pointer {
    pub(crate) ty: Ty,
    pub(crate) kind: ExprId,
    pub(crate) indices: BTreeMap<(usize, Sort), ExprId>,
}

/// Where something can be assigned to.
#[derive(Clone, Debug)]
pub(crate) enum Place {
    Local(VarId, Ty),
    /// The pointer itself, not what it points to.
    Pointer(String, Ty),
    Storage(StoragePlace),
    /// A field of a structure in memory.
    Field {
        base: ExprId,
        of: StructId,
        field: usize,
        ty: Ty,
    },
    /// An element of an array in memory.
    Element {
        base: ExprId,
        index: ExprId,
        ty: Ty,
    },
}

/// What an expression stands for.
#[derive(Clone, Debug)]
pub(crate) enum Item {
    Value(Typed),
    Place(Place),
    /// A literal number, not yet of a type.
    Number(Rational),
    /// A literal text, not yet of a type.
    Text(Vec<u8>),
    Tuple(Vec<Option<Item>>),
    Type(Ty),
    EnumType(EnumId),
    Callee(Callee),
    Magic(Magic),
    Event(Vec<EventId>),
    Error,
}

impl Item {
    /// The type of a value or place.
    pub(crate) fn ty(&self) -> Option<Ty> {
        match self {
            Item::Value(typed) => Some(typed.ty.clone()),
            Item::Place(place) => Some(super::assign::place_type(place)),
            _ => None,
        }
    }
}

/// Names with special members.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Magic {
    Msg,
    Block,
    Tx,
    Abi,
    Super,
}

/// How a function is looked up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Dispatch {
    /// In the contract that is verified, so that overriding functions are found.
    Virtual,
    /// Exactly this function.
    Exact,
}

/// Ether and the like that goes with a call.
#[derive(Clone, Default, Debug)]
pub(crate) struct CallOptions {
    pub(crate) value: Option<ExprId>,
}

/// Something that can be called.
#[derive(Clone, Debug)]
pub(crate) enum Callee {
    /// Functions of this contract, of its bases, of a library or file; `this_arg` comes from `using for`.
    Internal {
        candidates: Vec<FuncId>,
        dispatch: Dispatch,
        this_arg: Option<Box<Item>>,
    },
    /// Functions of another contract, or of this one from outside.
    External {
        target: ExprId,
        contract: ContractId,
        candidates: Vec<FuncId>,
        options: CallOptions,
    },
    /// The getter of a public state variable.
    Getter {
        target: ExprId,
        slot: SlotId,
    },
    /// A member of an address.
    Address {
        target: ExprId,
        member: AddressMember,
        options: CallOptions,
    },
    /// `.value` or `.gas` of a callee, as old versions write it.
    Option {
        callee: Box<Callee>,
        name: &'static str,
    },
    Push(Place, Ty),
    Pop(Place, Ty),
    New(Ty, CallOptions),
    Hash(HashKind),
    Builtin(Builtin),
    /// `bytes.concat` or `string.concat`.
    Concat(Ty),
    Wrap(Ty),
    Unwrap,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum AddressMember {
    Transfer,
    Send,
    Call,
    StaticCall,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Builtin {
    Assert,
    Require,
    Revert,
    AddMod,
    MulMod,
    BlockHash,
    EcRecover,
    GasLeft,
    SelfDestruct,
    TypeOf,
    /// `abi.encode` and the like: a text that depends on the arguments.
    Encode(Encoding),
    EncodeCall,
    Decode,
    Old,
    Before,
    Equal,
    Sum,
}
