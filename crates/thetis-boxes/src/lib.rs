//! Formulas over floating-point numbers, decided by branch and bound.
//!
//! # Problem
//! Solvers turn floating-point arithmetic into bits. A few multiplications and divisions of one input then make a circuit that nobody
//! solves, although a plot of the function would show the answer.
//!
//! # Method
//! Interval analysis (Moore 1966) with splitting, as constraint solvers over floats do it (Michel 2002; Botella, Gotlieb and Michel 2006).
//! A *box* has a range for every variable. Going through the formula once says what each term can be in the box, because
//! [rounding is monotone](floats). A conjunct that is surely false closes the box. Otherwise comparisons and equations narrow the ranges of variables,
//! the middle of the box is tried as a model with the exact evaluator, and the box is split: truth values first, then the float that is least
//! known. Ranges are of floats, not of real numbers, so there is no rounding error to account for, and a box with one point is exact.
//!
//! If all boxes are closed there is no model: the boxes cover everything, since each split is into two halves that are the whole. If
//! too little is closed after a number of boxes, the search gives up, and another solver is asked.
//!
//! # Where we differ
//! Ranges are propagated from arguments to terms, and back only to variables that are compared directly. For inputs of programs that is mostly
//! enough, and there is no inverse of an operation that could be wrong. Values of other sorts are known or not.

pub mod floats;
mod meaning;
mod problem;
mod search;
mod solver;

pub use meaning::{Range, meaning};
pub use solver::BoxesFactory;
