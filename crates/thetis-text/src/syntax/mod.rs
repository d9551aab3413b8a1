//! The types and expressions that the languages share, from characters to terms.
//!
//! `lexer` → `parser` with `parse_expr` and `parse_type` → `ast` → `check_expr` and `check_type` → terms. The languages differ in a few words, which [`token::Dialect`] lists.

pub(crate) mod ast;
mod check_bits;
pub(crate) mod check_expr;
pub(crate) mod check_float;
pub(crate) mod check_type;
pub mod code;
pub(crate) mod division;
mod lexer;
mod literal;
mod operator;
mod parse_expr;
mod parse_type;
pub(crate) mod parser;
pub(crate) mod token;
