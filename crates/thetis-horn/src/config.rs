//! Options.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Options of the engine `horn`, also where it is a stage of `auto`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct HornConfig {
    /// Whether invariants about all cells of arrays are inferred, if there are arrays.
    pub cells: bool,
}

impl Default for HornConfig {
    fn default() -> HornConfig {
        HornConfig { cells: true }
    }
}
