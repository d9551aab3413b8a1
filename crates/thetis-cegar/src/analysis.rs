//! What the abstraction-refinement loop needs to know about a domain and a formalism.

use std::hash::Hash;

use thetis_base::{Run, Statistics, Stop};
use thetis_expr::ExprId;

/// An abstract state space: states, their successors, and which of them are bad.
///
/// The graph, the abstractor, the waiting list and the loop are written against this trait only; they know neither the
/// domain nor the formalism. Implementations keep the *abstraction property*: every concrete successor of a concrete
/// state that `from` represents is represented by some successor of `from`, whatever the precision.
pub trait Analysis {
    /// An abstract state.
    type State: Clone + Eq + Hash;
    /// A transition that can be taken in some states.
    type Action: Copy + Eq;
    /// What the abstraction can tell apart.
    type Precision: Clone + Eq;

    /// States that together cover all initial states.
    fn initial(&mut self, precision: &Self::Precision, run: &Run) -> Result<Vec<Self::State>, Stop>;

    /// The transitions that may be possible in `state`.
    fn actions(&self, state: &Self::State) -> Vec<Self::Action>;

    /// States that together cover all successors of `from` by `action`.
    fn successors(
        &mut self,
        from: &Self::State,
        action: Self::Action,
        precision: &Self::Precision,
        run: &Run,
    ) -> Result<Vec<Self::State>, Stop>;

    /// Whether `general` stands for all concrete states that `special` stands for; `false` if in doubt.
    fn covers(&mut self, general: &Self::State, special: &Self::State) -> Result<bool, Stop>;

    /// States that can cover one another have the same key; keys partition the states for look-up.
    fn key(&self, state: &Self::State) -> usize;

    /// Whether reaching `state` would be a violation.
    fn is_target(&self, state: &Self::State) -> bool;

    /// A cheap estimate of the least number of actions to a target state.
    fn distance(&self, state: &Self::State) -> u32;
}

/// An abstract domain of data states, without control. See [`Located`](crate::located::Located) for the control.
///
/// `A` describes one transition; see [`Action`](crate::program::Action).
pub trait Domain<A> {
    /// An abstract data state; never the empty one.
    type State: Clone + Eq + Hash;
    /// What is tracked at one location.
    type Precision: Clone + Eq;

    /// The state that stands for everything.
    fn top(&self) -> Self::State;

    /// States that together cover all successors of `from` by `action`; none if there surely is no successor.
    fn successors(
        &mut self,
        from: &Self::State,
        action: &A,
        precision: &Self::Precision,
        run: &Run,
    ) -> Result<Vec<Self::State>, Stop>;

    /// Whether `general` stands for all data states that `special` stands for; `false` if in doubt.
    fn covers(&mut self, general: &Self::State, special: &Self::State) -> Result<bool, Stop>;

    /// The formula over current variables that describes `state` exactly.
    fn formula(&self, state: &Self::State) -> ExprId;

    /// The number of solver queries so far.
    fn num_queries(&self) -> u64;

    /// What the domain has counted.
    fn statistics(&self) -> Statistics;
}
