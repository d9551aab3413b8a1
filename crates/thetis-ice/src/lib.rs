//! Interpolants and invariants learned from examples, counterexamples and implications (ICE).
//!
//! A *teacher* knows formulas, a *learner* only points. The teacher gives points that the target formula must contain
//! (positive), must not contain (negative), or must contain if it contains another one (implications). The learner
//! proposes formulas that agree with all points; the teacher checks them with a solver and, if they are wrong, adds
//! points that show why.
//!
//! | part | where |
//! |---|---|
//! | points, labels, implications | [`Data`] |
//! | learners with a common trait | [`Learner`]: [`SupportVectors`], [`DecisionTree`] |
//! | teacher of one interpolant, and the loop | [`Pairs`] |
//! | teacher of the solutions of Horn clauses, and the loop | [`IceHorn`] |
//! | what holds before anything is learned | `bounds` |
//! | interpolants of chains, for engines | [`IceChains`] |
//! | one unsatisfiable conjunction as two formulas | [`split`] |
//!
//! The framework is that of Garg, Löding, Madhusudan and Neider (*ICE: a robust framework for learning invariants*, 2014); the use for
//! interpolants goes back to Sharma, Nori and Aiken (*Interpolants as classifiers*, 2012).
//!
//! No result is unproved: a hypothesis is evaluated on all points before it is proposed, and proved by the teacher's
//! solver before it is returned.

mod bounds;
mod chains;
mod config;
mod data;
mod horn;
mod learner;
mod models;
mod pairs;
mod split;
mod svm;
mod tree;

pub use chains::IceChains;
pub use config::{Checks, IceConfig, LearnerKind};
pub use data::{Contradiction, Data, Label, Labels, Point, PointId};
pub use horn::IceHorn;
pub use learner::{Hints, Learner, is_consistent, learner_of};
pub use pairs::{IceStats, Lesson, PairAnswer, Pairs};
pub use split::{Split, SplitStrategy, split};
pub use svm::SupportVectors;
pub use tree::DecisionTree;
