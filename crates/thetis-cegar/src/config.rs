//! The options of abstraction refinement.

use serde::{Deserialize, Serialize};

use crate::waitlist::Search;

/// Options of [`Cegar`](crate::Cegar).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct CegarConfig {
    /// What abstract states are.
    pub domain: DomainKind,
    /// How many successors the explicit domain enumerates with the solver before a value becomes unknown; 0: no limit.
    pub max_enum: u32,
    /// How a spurious counterexample is turned into precision.
    pub refinement: Refinement,
    /// Which node is expanded next.
    pub search: Search,
    /// How predicates are split before they are tracked.
    pub pred_split: PredSplit,
    /// Whether all locations share what is tracked.
    pub precision: Granularity,
    /// What is tracked from the start.
    pub initial_precision: InitialPrecision,
    /// How much of the graph a refinement removes.
    pub prune: Prune,
}

impl Default for CegarConfig {
    fn default() -> Self {
        CegarConfig {
            domain: DomainKind::PredCart,
            max_enum: 1,
            refinement: Refinement::SeqItp,
            search: Search::Err,
            pred_split: PredSplit::Whole,
            precision: Granularity::Global,
            initial_precision: InitialPrecision::Empty,
            prune: Prune::Lazy,
        }
    }
}

/// The abstract domain.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DomainKind {
    /// Explicit values of some variables.
    Expl,
    /// Conjunctions of predicates and negated predicates.
    PredCart,
    /// Boolean combinations of predicates, one state each.
    PredBool,
    /// Boolean combinations of predicates, one state for each disjunct.
    PredSplit,
}

/// The refinement strategy.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Refinement {
    /// An interpolant at every location of the counterexample.
    SeqItp,
    /// One interpolant, where the longest feasible prefix ends.
    FwBinItp,
    /// One interpolant, where the longest feasible suffix starts.
    BwBinItp,
    /// Sequences for all counterexamples of a completely explored graph.
    MultiSeq,
    /// Of the two binary ones, that which prunes closer to the start.
    MinPrune,
    /// Of the two binary ones, that which prunes closer to the error.
    MaxPrune,
    /// The variables of an unsatisfiable core; for explicit values only.
    UnsatCore,
}

/// How a formula becomes predicates.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PredSplit {
    /// As it is.
    Whole,
    /// Each conjunct is one.
    Conjuncts,
    /// Each atom is one.
    Atoms,
}

/// Whether all locations share what is tracked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Granularity {
    /// Everything is tracked everywhere.
    Global,
    /// Each location has its own.
    Local,
}

/// What is tracked from the start.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum InitialPrecision {
    /// Nothing.
    Empty,
    /// All variables; for explicit values.
    AllVars,
    /// The conditions of all edges; for predicates.
    AllAssumes,
}

/// How much of the graph a refinement removes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Prune {
    /// The subtree below the first state that is refined.
    Lazy,
    /// All.
    Full,
}

impl CegarConfig {
    /// Why the options do not fit together, if they do not.
    pub fn conflict(&self) -> Option<&'static str> {
        let is_explicit = self.domain == DomainKind::Expl;
        match (self.refinement, self.initial_precision) {
            (Refinement::UnsatCore, _) if !is_explicit => {
                Some("`unsat-core` finds variables, which only the domain `expl` tracks")
            }
            (_, InitialPrecision::AllVars) if !is_explicit => {
                Some("the initial precision `all-vars` is for the domain `expl`")
            }
            (_, InitialPrecision::AllAssumes) if is_explicit => {
                Some("the initial precision `all-assumes` is for predicate domains")
            }
            _ => None,
        }
    }
}
