//! Solidity contracts with annotations, as one automaton for each function.
//!
//! Text is parsed by `solang-parser`; [`read`] collects declarations and annotations, checks names and types, and
//! translates each function that can be called from outside or has annotations of its own. A function that is legal but
//! uses something that is not modelled is *skipped*, with the reason. The verifier never sees Solidity: each
//! [`FunctionTask`] is a [`Task`] over an automaton without cycles whose error locations are the [`Check`]s of the function.
//!
//! The annotations and their meaning are those of solc-verify (Hajdu and Jovanović, "solc-verify: A modular verifier for Solidity
//! smart contracts", 2019).

mod annotation;
mod check;
mod collect;
mod contract;
mod decls;
mod fault;
mod invariants;
mod legality;
mod lengths;
mod linear;
mod lower;
mod nesting;
mod read;
mod shrinking;
mod throw;
mod types;
mod version;

pub use check::{Check, CheckKind, Moment, OverflowAt};
pub use contract::{ContractTask, read_contract};
pub use lower::{Arithmetic, Callees, ContractStep, Meaning, Variable};
pub use read::{FunctionId, FunctionOutcome, FunctionTask, Options, Skipped, Translated, imports, read};
