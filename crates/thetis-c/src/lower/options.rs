//! What is asked about a program, and how its numbers become terms.

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
    /// An access outside of live objects, a wrong `free`, or (with a global meaning) a lost block.
    MemorySafety,
    /// A block that is still allocated when the program ends.
    MemoryCleanup,
}

/// What [`lower`](super::lower) is told.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LowerOptions {
    /// How machine integers are expressed.
    pub arithmetic: Arithmetic,
    /// What must not happen.
    pub property: Property,
    /// How many calls of one function may be pending at once; a run with more of them ends at a limit.
    pub recursion_bound: u32,
    /// The greatest number of edges; a larger automaton is refused.
    pub max_edges: usize,
}

impl Default for LowerOptions {
    fn default() -> LowerOptions {
        LowerOptions {
            arithmetic: Arithmetic::Auto,
            property: Property::UnreachCall("reach_error".to_string()),
            recursion_bound: 30,
            max_edges: 2_000_000,
        }
    }
}
