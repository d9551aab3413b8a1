//! Options of front ends. They are data of a run like those of engines; the program hands them on.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How machine integers become terms.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Arithmetic {
    /// Wrapped integers where that is faster, bit-vectors elsewhere; exact.
    #[default]
    Auto,
    /// Mathematical integers that never wrap: not what a machine does.
    Int,
    /// Bit-vectors.
    Bv,
    /// Mathematical integers that are wrapped after every operation.
    Mod,
}

/// What functions without a body may do.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Externals {
    /// Change every object that they can name or may have a pointer to, and call every function whose address they may know.
    Sound,
    /// The same, without what they could only get at by its name.
    Arguments,
    /// As `arguments`, and they free nothing and write only inside of the objects that they were given.
    Careful,
    /// Nothing: the convention of the competition on software verification.
    Svcomp,
}

/// What an operation of a C program gives that has no value, such as a division by zero.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Undefined {
    /// The convention of verifiers: a shift by too much shifts out all bits. Other operations give an arbitrary value,
    /// and a violation after them is unknown.
    #[default]
    Convention,
    /// Anything, and a violation after that is one.
    Arbitrary,
    /// Executing it violates the property.
    Error,
}

/// Options of the front end for C.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct CConfig {
    /// The number of the only assertion to check, in text order; 0 for all. For other properties, the number of the
    /// operation.
    pub assertion: u32,
    /// How many calls of one function may be pending at once; a run with more is not modelled.
    pub recursion_bound: u32,
    /// How many threads started by one call of `pthread_create` in a loop may run at once, up to 8; a run with more is
    /// not modelled.
    pub thread_bound: u32,
    /// The greatest number of edges of the automaton; a larger one is rejected.
    pub max_edges: usize,
    /// What functions without a body may do; `svcomp` for task definitions and `sound` otherwise, if nothing is said.
    pub externals: Option<Externals>,
    /// Addresses of device registers that a program may access: `0x40000000-0x5fffffff`, several ranges separated by
    /// commas.
    pub registers: String,
    /// The result of an undefined operation: a division by zero, a shift by too much, a conversion of a float that fits
    /// into no integer.
    pub undefined: Undefined,
}

impl Default for CConfig {
    fn default() -> CConfig {
        CConfig {
            assertion: 0,
            recursion_bound: 30,
            thread_bound: 4,
            max_edges: 2_000_000,
            externals: None,
            registers: String::new(),
            undefined: Undefined::Convention,
        }
    }
}
