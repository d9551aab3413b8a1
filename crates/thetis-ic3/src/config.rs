//! The options of both engines.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Options of [`Ic3`](crate::Ic3) and [`CfaIc3`](crate::CfaIc3). The first two are for both, all others for automata only.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Ic3Config {
    /// How deeply counterexamples to generalisation are generalised themselves.
    pub ctg_depth: u32,
    /// How many counterexamples one attempt to generalise may exclude.
    pub max_ctgs: u32,
    /// Whether obligations are kept from one iteration to the next.
    pub reuse: bool,
    /// Whether obligations whose predecessors have not changed are blocked without a query.
    pub skip: bool,
    /// When the search for an inductive frame goes beyond frames that are equal.
    pub termination: Termination,
    /// Whether cubes move on to the next level of their own location.
    pub propagate: bool,
    /// Which cubes are pushed to the successors of their locations.
    pub push: Push,
    /// Whether the solver also decides pushes that need no query.
    pub push_query: bool,
    /// Whether obligations whose target a pushed cube excludes are dropped; needs `queue = "tree"`.
    pub prune: bool,
    /// How obligations are kept.
    pub queue: Queue,
    /// Whether query results are cached.
    pub cache: bool,
    /// Whether cubes that differ only in constants are replaced by what they have in common.
    pub widen: bool,
}

/// When an automaton is known to be safe, apart from equal frames. The two further criteria only say when to search for
/// an inductive frame with the solver.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Termination {
    /// Only equal frames.
    Original,
    /// More stable iterations than the elementary cycles have edges.
    New,
    /// The same, where parallel edges count once.
    Greedy,
}

/// Which cubes are pushed from the location where they are excluded to its successors.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Push {
    /// None are.
    Off,
    /// All are: there is no filter.
    None,
    /// Those to locations with one predecessor.
    Predecessor,
    /// Those whose variables are not assigned on the way.
    Assign,
    /// Those to locations with one predecessor whose variables are not assigned on the way.
    Restrictive,
}

/// How obligations are kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Queue {
    /// In the order of their levels.
    Priority,
    /// The same, and each obligation knows those derived from it.
    Tree,
}

impl Default for Ic3Config {
    fn default() -> Self {
        Ic3Config {
            ctg_depth: 1,
            max_ctgs: 3,
            reuse: true,
            skip: true,
            termination: Termination::Greedy,
            propagate: true,
            push: Push::Restrictive,
            push_query: false,
            prune: false,
            queue: Queue::Priority,
            cache: true,
            widen: true,
        }
    }
}

impl Ic3Config {
    /// Which options conflict, if any.
    pub fn conflict(&self) -> Option<&'static str> {
        if self.prune && self.queue != Queue::Tree {
            return Some("`ic3.prune` needs `ic3.queue = \"tree\"`");
        }
        if self.prune && (!self.reuse || self.push == Push::Off) {
            return Some("`ic3.prune` needs `ic3.reuse` and `ic3.push`");
        }
        if self.skip && !self.reuse {
            return Some("`ic3.skip` needs `ic3.reuse`");
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conflicts_are_found() {
        let default = Ic3Config::default;
        assert_eq!(default().conflict(), None);
        assert!(Ic3Config { prune: true, ..default() }.conflict().is_some());
        assert!(Ic3Config { reuse: false, ..default() }.conflict().is_some());
        assert_eq!(Ic3Config { reuse: false, skip: false, ..default() }.conflict(), None);
        assert_eq!(Ic3Config { prune: true, queue: Queue::Tree, ..default() }.conflict(), None);
    }
}
