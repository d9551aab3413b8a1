//! SMT-LIB 2.6 scripts as input: formulas, and constrained Horn clauses.
//!
//! A script with `(set-logic HORN)` is a system of [Horn clauses](horn::Clauses), every other one a conjunction of
//! [assertions](Script). Terms are read by `thetis_expr::smtlib`; this crate adds commands, declarations and definitions.
//!
//! # What is supported `set-logic`, `set-info`, `set-option`, `declare-fun` and `declare-const` without arguments (with
//! arguments: the predicates of Horn clauses), `define-fun` and `define-const` (expanded where they are used), `assert`
//! (with `:named`), one `check-sat`, `exit`. Commands after `check-sat`, such as `get-model`, are ignored with a
//! warning. Everything else is rejected at its position, `push` and `pop` included.
//!
//! # Partial functions In SMT-LIB, `(div x 0)` may have any value, while our operators are total. So that no verdict
//! depends on the difference, a script may divide only by non-zero literals, and may not use floating-point functions
//! whose result SMT-LIB leaves unspecified.
//!
//! No input makes this crate panic or overflow the stack.
//!
//! ```
//! use thetis_base::{Diagnostics, SourceMap};
//! use thetis_script::{Input, parse};
//! let mut sources = SourceMap::new();
//! let file = sources.add("f.smt2", "(declare-const x Int) (assert (! (< x 3) :named small)) (check-sat)");
//! let Ok(Input::Script(script)) = parse(&sources, file, &mut Diagnostics::new()) else { panic!() };
//! assert_eq!(script.assertions[0].name.as_deref(), Some("small"));
//! ```

pub mod code;
mod commands;
pub mod horn;
mod names;
mod script;

pub use commands::parse;
pub use script::{Assertion, Input, Script};
