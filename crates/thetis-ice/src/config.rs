//! The options of learning.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Options of learning.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct IceConfig {
    /// What makes hypotheses of points.
    pub learner: LearnerKind,
    /// How many points are computed before the first hypothesis, half of them for each formula.
    pub initial: u32,
    /// How many points each failed check of a hypothesis gives.
    pub per_check: u32,
    /// Whether both conditions of a hypothesis are always checked.
    pub checks: Checks,
    /// Whether the first points include extreme ones.
    pub extreme: bool,
    /// How many random points are added to the first ones for two formulas; a query decides their labels.
    pub random: u32,
    /// The seed of the random points.
    pub seed: u64,
    /// Whether invariants start with the strongest bounds of terms that are inductive together.
    pub bounds: bool,
    /// After how many hypotheses learning gives up.
    pub max_iterations: u32,
    /// With how many points learning gives up.
    pub max_points: u32,
    /// How many milliseconds a single query of the teacher may take. For two formulas, `thetis interpolate` repeats a needed query with twice the time.
    pub query_time: u64,
}

/// What makes hypotheses of points.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum LearnerKind {
    /// Support vectors for few points in few dimensions, otherwise a decision tree.
    Auto,
    /// Half-spaces with the greatest distance from the points.
    Svm,
    /// A decision tree.
    Tree,
}

/// Which conditions of a hypothesis are checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Checks {
    /// All of them.
    Both,
    /// Only up to the first that fails.
    First,
}

impl Default for IceConfig {
    fn default() -> IceConfig {
        IceConfig {
            learner: LearnerKind::Auto,
            initial: 200,
            per_check: 5,
            checks: Checks::Both,
            extreme: true,
            random: 0,
            seed: 1,
            bounds: true,
            max_iterations: 1000,
            max_points: 20_000,
            query_time: 2000,
        }
    }
}
