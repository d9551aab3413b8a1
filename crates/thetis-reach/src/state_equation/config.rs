//! Options of the state-equation engine. Every extension of the basic algorithm can be switched off.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thetis_ilp::IlpConfig;

/// Options of [`StateEquation`](super::StateEquation).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct StateEquationConfig {
    /// In which order the solution space is searched.
    pub search: SearchOrder,
    /// Cut a branch that only fired an invariant, and go on from its better intermediate markings.
    pub t_invariant_filter: bool,
    /// Cut a branch that only failed to fire an invariant, if its origin was cut.
    pub remainder_filter: bool,
    /// Borrow tokens for an invariant that was cut from invariants next to it.
    pub distant_invariants: bool,
    /// From which intermediate markings of a cut branch the search continues.
    pub better_markings: BetterMarkings,
    /// Require transitions that empty inhibiting places.
    pub inhibitor_constraints: bool,
    /// Follow only a stubborn set of transitions from each marking.
    pub stubborn_sets: bool,
    /// Follow only one order of the same firings.
    pub merge_orders: bool,
    /// Add traps with a token at the start to the state equation as they are needed.
    pub traps: bool,
    /// Add the greatest siphon without a token at the start to the state equation.
    pub siphons: bool,
    /// Whether the solution space is drawn at the end; `--solution-space` sets it.
    pub draw_solution_space: bool,
    /// The greatest number of solution vectors for one disjunct of the target.
    pub max_solutions: u32,
    /// The greatest number of partial solutions of one solution vector.
    pub max_partial_solutions: u32,
    /// The greatest number of steps in the tree of partial solutions of one solution vector.
    pub max_steps: u64,
    /// The greatest number of cases into which the target is split.
    pub max_cases: u32,
    /// Limits of the integer programs.
    pub ilp: IlpConfig,
}

/// Orders of the search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SearchOrder {
    /// Depth first.
    Dfs,
    /// Breadth first: solution vectors with fewer firings first.
    Bfs,
    /// Depth first, but only from the least and the greatest partial solutions of each solution vector.
    Hybrid,
}

/// What makes a marking better than the one that a firing sequence ends in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum BetterMarkings {
    /// It is nearer to enabling a transition that could not fire.
    Remainder,
    /// Or it has more tokens than ever before on a place of the invariant that was cut; the search may not end.
    Invariant,
}

impl Default for StateEquationConfig {
    fn default() -> Self {
        StateEquationConfig {
            search: SearchOrder::Hybrid,
            t_invariant_filter: true,
            remainder_filter: true,
            distant_invariants: true,
            better_markings: BetterMarkings::Remainder,
            inhibitor_constraints: true,
            stubborn_sets: true,
            merge_orders: true,
            traps: true,
            siphons: true,
            draw_solution_space: false,
            max_solutions: 5_000,
            max_partial_solutions: 500,
            max_steps: 1_000_000,
            max_cases: 10_000,
            ilp: IlpConfig::default(),
        }
    }
}
