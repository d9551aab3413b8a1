//! IC3 on control-flow automata.
//!
//! # The problem IC3 (Bradley, *SAT-based model checking without unrolling*, 2011) proves that no bad state can be
//! reached by learning clauses that hold in all states within a growing number of steps. For a program, the location of
//! control could be one more variable, but then every query is about the whole program. Lange, Neuhäußer and Noll (*IC3
//! software model checking on control flow automata*, 2015) keep the automaton explicit instead. This is their
//! algorithm with the extensions of Mertens (*Efficient reuse of learnt information for control-flow oriented IC3
//! algorithms*, master's thesis, 2016), whose names for steps the code uses.
//!
//! # The method
//! The frame `F(i, l)` contains every state in which a run can be at location `l` after at most `i` edges. At level 0 that is everything at the initial
//! location and nothing elsewhere; all others start as everything and lose *cubes*, conjunctions of literals
//! (`frames`). Iteration `k` makes sure that no edge leads from `F(k, ·)` to an error location:
//!
//! * States from which one does are an *obligation* at level `k` (`obligations`). For an obligation `(i, l, cube)`
//!   there is a query about each incoming edge (`questions`): does it lead from `F(i - 1, source)` into the cube? If
//!   so, the source states are an obligation at level `i - 1`: a part of the weakest existential precondition, by an
//!   implicant of the model and a projection of the inputs. If the source is the initial location, there is a violating
//!   run (`trace`).
//! * If no edge leads into it, the cube is *generalised* (`generalize`, `family`, `combine`, `drift`) and excluded up to level `i`.
//! * Finally cubes are pushed to other locations and levels (`push`). If the frames of two levels are equal, they are
//!   an invariant (`termination`).
//!
//! # What always holds
//! `F(i, l)` contains `F(j, l)` for `j < i`; no edge leads from `F(i, source)` out of `F(i + 1, target)`; after iteration `k` no edge
//! leads from `F(k, ·)` to an error location. Every cube that is excluded at level `i` was unreachable over **all** incoming edges
//! from level `i - 1`. From every state of an obligation an error location can be reached along its edges.
//!
//! # Where we differ
//! * Mertens blocks a cube for each predecessor that cannot reach it; here a cube is excluded only when none can.
//! * The initial location may have incoming edges. Runs start there with arbitrary values, so nothing is ever excluded there.
//! * An edge to an error location can have several cubes. They are enumerated as long as the frame contains any; once
//!   they are complete, the edge needs no further queries.
//! * Reused obligations contain each cube once. Whether an obligation is already excluded is decided without a query.
//!   For an obligation that returns, the cube that excluded it one level lower is tried first, which costs one query
//!   per edge; the obligation is generalised again only if that fails.
//! * Skipping applies to propagation too: an edge whose source has not changed needs no new query.
//! * Propagation within a location is a separate option; without it the frames are those of Mertens.
//! * The termination criteria by elementary cycles must find an inductive frame.
//! * Pushing without a query requires that all parallel edges leave the variables unchanged.
//! * Cubes come from implicants and model-based projection, not from values; they are generalised by cores, by literals with
//!   counterexamples to generalisation, by inequalities, by families and by combinations of their literals;
//!   what keeps bounds with other coefficients apart is excluded in addition.

mod combine;
mod comparison;
mod cube;
mod cycles;
mod drift;
mod engine;
mod facts;
mod family;
mod form;
mod frames;
mod generalize;
mod obligations;
mod push;
mod questions;
mod search;
mod stats;
mod termination;
mod trace;
mod transition;

pub use engine::{CfaIc3, Reports};
