//! The property of a program, and how its numbers become terms.

use std::collections::BTreeSet;
use std::num::NonZeroU32;

use super::safety::Registers;

/// How machine integers are expressed.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Arithmetic {
    /// `Mod` if every reachable operation has a plain arithmetic meaning there, `Bv` otherwise.
    #[default]
    Auto,
    /// Mathematical integers that never wrap: not what a machine does.
    Int,
    /// Bit-vectors.
    Bv,
    /// Mathematical integers that are wrapped after every operation.
    Mod,
}

/// What functions without a body, a model or a declared meaning may do.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Externals {
    /// They may write every object whose address they may know and every global variable that other translation units can
    /// name, return anything, and call every function whose address they may know.
    #[default]
    Sound,
    /// As [`Externals::Sound`], but they do not access global variables by name.
    Arguments,
    /// As [`Externals::Arguments`], but they free nothing and write only inside the objects that they were given.
    Careful,
    /// They return anything and change nothing, as the competition on software verification prescribes.
    Svcomp,
}

impl Externals {
    /// Its name in configurations.
    pub fn name(self) -> &'static str {
        match self {
            Externals::Sound => "sound",
            Externals::Arguments => "arguments",
            Externals::Careful => "careful",
            Externals::Svcomp => "svcomp",
        }
    }
}

/// The result of an undefined operation, such as a division by zero.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
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

impl Undefined {
    /// Its name in configurations.
    pub fn name(self) -> &'static str {
        match self {
            Undefined::Convention => "convention",
            Undefined::Arbitrary => "arbitrary",
            Undefined::Error => "error",
        }
    }
}

impl Arithmetic {
    /// Its name in configurations.
    pub fn name(self) -> &'static str {
        match self {
            Arithmetic::Auto => "auto",
            Arithmetic::Int => "int",
            Arithmetic::Bv => "bv",
            Arithmetic::Mod => "mod",
        }
    }
}

/// What must not happen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Property {
    /// A call of the function with this name, whatever its body does.
    UnreachCall(String),
    /// Arriving at a label with this name.
    Label(String),
    /// A failing assertion: `assert(e)`, `__VERIFIER_assert(e)` without a definition, a call of `__assert_fail`.
    Assertion,
    /// A failing `//@ assert e`.
    AcslAssert,
    /// A signed operation whose mathematical result is not representable.
    NoOverflow,
    /// An unsigned operation whose mathematical result is not representable.
    NoUnsignedOverflow,
    /// A conversion to an integer type that cannot represent the value.
    NoLossyConversion,
    /// An integer division or remainder by zero.
    NoDivisionByZero,
    /// A shift by a negative number, or by the width of the left operand or more.
    ValidShift,
    /// A read of an uninitialised object.
    ValidInit,
    /// A violation of any of these rules about memory.
    Memory(BTreeSet<MemoryRule>),
}

/// A rule about memory.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum MemoryRule {
    /// Every access stays inside a live object.
    Deref,
    /// Every index stays inside its array, also where the array is a part of a larger object.
    Bounds,
    /// Only allocated blocks that are not yet freed are freed, by a pointer to their first byte.
    Free,
    /// No allocated block is lost: the program can always reach it.
    Track,
    /// No block is allocated when the program ends.
    Cleanup,
}

impl MemoryRule {
    /// All of them.
    pub const ALL: [MemoryRule; 5] =
        [MemoryRule::Free, MemoryRule::Deref, MemoryRule::Bounds, MemoryRule::Track, MemoryRule::Cleanup];

    /// Its name in property files and verdicts.
    pub fn name(self) -> &'static str {
        match self {
            MemoryRule::Deref => "valid-deref",
            MemoryRule::Bounds => "valid-bounds",
            MemoryRule::Free => "valid-free",
            MemoryRule::Track => "valid-memtrack",
            MemoryRule::Cleanup => "valid-memcleanup",
        }
    }
}

impl Property {
    /// The three rules that are called memory safety.
    pub fn memory_safety() -> Property {
        Property::Memory([MemoryRule::Free, MemoryRule::Deref, MemoryRule::Track].into())
    }

    /// Memory safety, and no index leaves its array.
    pub fn memory() -> Property {
        let rules = [MemoryRule::Free, MemoryRule::Deref, MemoryRule::Bounds, MemoryRule::Track];
        Property::Memory(rules.into())
    }

    /// Every access stays inside a live object, and every index inside its array.
    pub fn bounds() -> Property {
        Property::Memory([MemoryRule::Deref, MemoryRule::Bounds].into())
    }

    /// Whether a rule about memory is asked.
    pub fn asks(&self, rule: MemoryRule) -> bool {
        matches!(self, Property::Memory(rules) if rules.contains(&rule))
    }
}

/// The options of [`lower`](super::lower).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LowerOptions {
    /// How machine integers are expressed.
    pub arithmetic: Arithmetic,
    /// What must not happen.
    pub property: Property,
    /// What functions without a body may do.
    pub externals: Externals,
    /// The result of undefined operations.
    pub undefined: Undefined,
    /// The addresses of device registers, which a program may access although they belong to no object.
    pub registers: Registers,
    /// The only place to check, by its number from 1 in text order among those where the property could be violated.
    pub assertion: Option<NonZeroU32>,
    /// How many calls of one function may be pending at once; a run with more of them ends at a limit.
    pub recursion_bound: u32,
    /// How many threads started by one call of `pthread_create` in a loop may run at once; a run with more of them ends
    /// at a limit.
    pub thread_bound: u32,
    /// The greatest number of edges; a larger automaton is rejected.
    pub max_edges: usize,
}

impl Default for LowerOptions {
    fn default() -> LowerOptions {
        LowerOptions {
            arithmetic: Arithmetic::Auto,
            property: Property::UnreachCall("reach_error".to_string()),
            externals: Externals::default(),
            undefined: Undefined::default(),
            registers: Registers::new(),
            assertion: None,
            recursion_bound: 30,
            thread_bound: 4,
            max_edges: 2_000_000,
        }
    }
}
