//! Reachability in Petri nets by the state equation and its refinement.
//!
//! # Problem
//! Is a marking reachable that satisfies a target, a Boolean combination of linear constraints? Nets may have weights
//! and inhibitor arcs, and their state space may be infinite.
//!
//! # Method
//! If firing `x(t)` times each transition `t` leads from `m0` to `m`, then `m = m0 + C·x`: the *state equation*. It has as
//! many unknowns as there are transitions, whatever the size of the state space. The algorithm is that of Wimmel and Wolf
//! (2011), a refinement guided by counterexamples, with the extensions of Hajdu, Vörös and Bartha (2013–2016): predicates as
//! targets, inhibitor arcs, distant invariants, and the hybrid search. The source collects all of it as algorithms 1.1 to
//! 1.11, whose names the files use:
//!
//! 1. An integer program gives a small *solution vector* ([`equation`]). If there is none, the target is unreachable.
//! 2. The tree of firing sequences within the vector is searched ([`realise`]). A sequence to the target ends the search.
//! 3. Otherwise its leaves, the *partial solutions*, say which places lack tokens (or have too many, with inhibitor arcs), and
//!    *increment* constraints ask for transitions that change that ([`increments`]); *jump* constraints lead to incomparable solutions
//!    ([`constraints`]).
//! 4. Filters cut branches that only go in circles ([`filters`]), better intermediate markings are resumed
//!    ([`partial`]), and tokens are borrowed from distant invariants ([`invariants`]).
//!
//! # Answers
//! * `Unsafe` with the firing sequence.
//! * `Safe` only if the state equation, with traps and siphons ([`structure`]), has no solution in any case of the target
//!   ([`engine`]). The certificate of each integer program becomes a part of the proof ([`proof`]).
//! * `Unknown` otherwise. Here we differ from the source, which answers "not reachable" when it has searched the solution
//!   space and no filter cut anything: the estimates in increment constraints can exceed the need, so that this answer is
//!   wrong for some nets, and it comes with nothing that could be checked.

mod agenda;
mod config;
mod constraints;
mod dependency;
mod engine;
mod equation;
mod filters;
mod increments;
mod invariants;
mod partial;
mod proof;
mod realise;
mod search;
mod space;
mod stats;
mod structure;
mod stubborn;
mod subnet;

pub use config::{BetterMarkings, SearchOrder, StateEquationConfig};
pub use constraints::Increment;
pub use engine::StateEquation;
pub use space::{PartialId, SolutionId, SolutionSpace};
