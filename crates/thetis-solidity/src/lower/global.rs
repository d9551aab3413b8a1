//! The variables that all functions share.

use crate::types::{ContractId, SlotId, StructId, Ty};

use super::encoding::Encoding;

/// A hash function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) enum HashKind {
    Keccak256,
    Sha256,
    Ripemd160,
}

/// A variable that all functions share.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) enum Global {
    /// A leaf of a state variable: an array over the addresses of contracts.
    State(SlotId, usize),
    /// The sum over a leaf of a state variable, by contract.
    Sum(SlotId, usize),
    /// What an unknown storage pointer of a library points to.
    Elsewhere(Ty, usize),
    /// The balances of all addresses.
    Balance,
    /// The next free reference of memory.
    NextReference,
    /// A field of all structures in memory.
    Field(StructId, usize),
    /// The lengths of arrays in memory, by the type of elements.
    Length(Ty),
    /// The elements of arrays in memory.
    Elements(Ty),
    /// The lengths of texts, by their codes.
    TextLength,
    /// The bytes of texts, by their codes.
    TextBytes,
    /// A hash function, as an unknown map from codes of texts.
    Hash(HashKind),
    /// An encoding of values of these types, as an unknown map to codes of texts.
    Encoding(Encoding, Vec<Ty>),
    /// What is decoded for one of these types, as an unknown map from codes of texts.
    Decoding(Vec<Ty>, usize),
    /// The number that identifies an interface.
    Interface(ContractId),
    /// A property of the block or transaction.
    Environment(&'static str),
    /// Whether data that events track were changed since the last checkpoint.
    Changed(SlotId),
    /// Whether an arithmetic operation overflowed.
    Overflow,
    /// The call of unknown code that the transaction at a level waits for.
    Waiting(usize),
}

impl Global {
    /// Whether unknown code can change it.
    pub(crate) fn is_state(&self) -> bool {
        matches!(self, Global::State(..) | Global::Sum(..) | Global::Balance | Global::Elsewhere(..))
    }

    /// Whether it has the same value for a transaction and those that are nested in it.
    pub(crate) fn is_lasting(&self) -> bool {
        !self.is_memory() && *self != Global::Overflow
    }

    /// Whether it survives the function.
    pub(crate) fn is_shared(&self) -> bool {
        self.is_state() || self.is_memory()
    }

    /// Whether it is a part of memory.
    pub(crate) fn is_memory(&self) -> bool {
        matches!(self, Global::NextReference | Global::Field(..) | Global::Length(_) | Global::Elements(_))
    }
}
