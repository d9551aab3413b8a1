//! Variables and their versions.

use std::sync::Arc;

use crate::Sort;

/// A declared variable, or one of its versions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct VarId(pub(crate) u32);

/// Which copy of a variable is meant: the current one, the next one, or the one at a step of a path.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Version {
    /// `x`, the variable of the model itself.
    Current,
    /// `x'`, its value in the successor state.
    Next,
    /// `x⟨i⟩`, its value at step `i` of a path.
    Step(u32),
}

/// What the store knows about a variable.
#[derive(Clone, Debug)]
pub struct Symbol {
    /// The name of the base variable, without version.
    pub name: Arc<str>,
    /// The sort, the same for all versions.
    pub sort: Sort,
    /// The base variable; itself for the current version.
    pub base: VarId,
    /// The version.
    pub version: Version,
}

impl Symbol {
    /// The name with its version: `x`, `x'` or `x⟨3⟩`.
    pub fn full_name(&self) -> String {
        match self.version {
            Version::Current => self.name.to_string(),
            Version::Next => format!("{}'", self.name),
            Version::Step(step) => format!("{}⟨{step}⟩", self.name),
        }
    }
}

impl VarId {
    /// The dense index of this variable in its store, for tables.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}
