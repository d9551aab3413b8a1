//! The limits of the integer-program solver. All but the arbiter's are in deterministic units.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Options of [`IlpSolver`](crate::IlpSolver).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct IlpConfig {
    /// The greatest number of branch-and-bound nodes of one floating-point search.
    pub max_nodes: u64,
    /// The greatest number of leaves of an exact refutation by case splits.
    pub max_leaves: u32,
    /// The greatest number of pivots of one exact simplex run.
    pub max_pivots: u32,
    /// The greatest number of table entries for which an exact simplex run is tried.
    pub max_table: u64,
    /// The time limit of the arbiter for one problem, in milliseconds.
    pub arbiter_milliseconds: u64,
}

impl Default for IlpConfig {
    fn default() -> Self {
        IlpConfig {
            max_nodes: 5_000,
            max_leaves: 128,
            max_pivots: 2_000,
            max_table: 200_000,
            arbiter_milliseconds: 2_000,
        }
    }
}
