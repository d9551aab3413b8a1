//! Formulas over floating-point numbers, decided by branch and bound.
//!
//! # Problem
//! Solvers turn floating-point arithmetic into bits. A few multiplications and divisions of one input then become a circuit that no
//! solver can handle, although a plot of the function would show the answer.
//!
//! # Method
//! Interval analysis (Moore 1966) with splitting, as constraint solvers over floats do it (Michel 2002; Botella, Gotlieb and Michel 2006). A *box* has
//! a range for every variable. One pass over the formula gives the possible values of each term in the box, because [rounding is monotone](floats). A
//! conjunct that is certainly false closes the box. Otherwise comparisons and equations narrow the ranges of variables, the middle of the box is tried
//! as a model with the exact evaluator, and the box is split: truth values first, then the float with the widest range. Ranges are of floats, not of
//! real numbers, so there is no rounding error to account for, and a box with one point is exact.
//!
//! If all boxes are closed, there is no model: the boxes cover everything, since the two halves of each split together make up the
//! whole box. If too little is closed after a number of boxes, the search gives up, and another solver is asked.
//!
//! # Where we differ
//! Ranges are propagated from arguments to terms, and back only to variables that are compared directly. For inputs of programs that is
//! usually enough, and there are no inverse operations that could be wrong. Values of other sorts are either known or unknown.

pub mod floats;
mod meaning;
mod problem;
mod search;
mod solver;

pub use meaning::{Range, meaning};
pub use solver::BoxesFactory;
