//! Sorts, values, hash-consed terms, evaluator, simplifier and text forms.
//!
//! Terms belong to a [`Store`], never to a solver. An [`ExprId`] is a `Copy` 32-bit index; inside one store,
//! equal ids mean equal terms, so comparing terms costs one integer comparison. Smart constructors such as
//! [`Store::and`] check sorts and fold constants; nothing in this crate recurses over the depth of a term.
//!
//! ```
//! use thetis_expr::{Sort, Store};
//! let store = Store::new();
//! let x = store.var("x", Sort::Int);
//! let next = store.add(x, store.int(1));
//! assert_eq!(next, store.add(x, store.int(1)), "equal terms have equal ids");
//! assert_eq!(store.add(store.int(2), store.int(3)), store.int(5), "constants fold");
//! ```

mod apply;
mod big;
mod bitvec;
mod build;
mod eval;
mod float;
mod import;
pub mod infix;
mod integer;
mod op;
mod partial;
mod signs;
pub mod simplify;
mod small_range;
pub mod smtlib;
mod sort;
mod sort_check;
mod store;
mod substitute;
mod symbol;
mod traverse;
mod value;
mod version;

pub use big::{from_decimal, to_decimal};
pub use bitvec::BitVec;
pub use eval::{Assignment, EvalError, apply, evaluate, evaluate_all};
pub use float::{Float, FloatClass, FloatSign, FloatSort, IntegerRange, RoundingMode};
pub use integer::{Integer, toward_zero};
pub use op::Op;
pub use partial::PartialTruth;
pub use signs::Signs;
pub use small_range::SmallRange;
pub use sort::{ArraySort, Sort};
pub use sort_check::SortError;
pub use store::{Args, ExprId, Store};
pub use substitute::Substitution;
pub use symbol::{Symbol, VarId, Version};
pub use traverse::{Postorder, Replacer};
pub use value::{ArrayValue, Rational, Value, default_value};
