//! Sorts as SMT-LIB text.
//!
//! Sorts nest only as deep as arrays of arrays, so printing recurses; the parser bounds the nesting it accepts.

use std::fmt::Write;

use super::ParseError;
use super::floats::format_of;
use super::sexpr::{Sexpr, SexprKind};
use crate::{Sort, Store};

/// The widest bit-vector that the parser accepts, so that no input makes us allocate without bound.
pub(super) const MAX_WIDTH: u32 = 1 << 20;

const MAX_NESTING: usize = 256;

/// The SMT-LIB text of `sort`.
pub fn print_sort(store: &Store, sort: Sort) -> String {
    let mut out = String::new();
    write_sort(store, sort, &mut out);
    out
}

pub(super) fn write_sort(store: &Store, sort: Sort, out: &mut String) {
    match sort {
        Sort::Bool => out.push_str("Bool"),
        Sort::Int => out.push_str("Int"),
        Sort::Real => out.push_str("Real"),
        Sort::BitVec(width) => {
            write!(out, "(_ BitVec {width})").expect("writing to a string should succeed");
        }
        Sort::Float(format) => {
            let (exponent, significand) = (format.exponent_bits(), format.significand_bits());
            write!(out, "(_ FloatingPoint {exponent} {significand})")
                .expect("writing to a string should succeed");
        }
        Sort::Array(array) => {
            let (index, element) = store.array_parts(array);
            out.push_str("(Array ");
            write_sort(store, index, out);
            out.push(' ');
            write_sort(store, element, out);
            out.push(')');
        }
    }
}

/// The sort that an s-expression is.
pub fn sort_of(store: &Store, expr: Sexpr<'_>) -> Result<Sort, ParseError> {
    sort_in(store, expr, &|_| None)
}

/// The sort that an s-expression is, where `named` knows sorts that the theories do not have.
pub fn sort_in(
    store: &Store,
    expr: Sexpr<'_>,
    named: &dyn Fn(&str) -> Option<Sort>,
) -> Result<Sort, ParseError> {
    sort_within(store, expr, named, MAX_NESTING)
}

fn sort_within(
    store: &Store,
    expr: Sexpr<'_>,
    named: &dyn Fn(&str) -> Option<Sort>,
    depth: usize,
) -> Result<Sort, ParseError> {
    if depth == 0 {
        return Err(expr.error("the sort is nested too deeply"));
    }
    match expr.symbol() {
        Some("Bool") => return Ok(Sort::Bool),
        Some("Int") => return Ok(Sort::Int),
        Some("Real") => return Ok(Sort::Real),
        Some("Float16") => return Ok(Sort::float(5, 11)),
        Some("Float32") => return Ok(Sort::float(8, 24)),
        Some("Float64") => return Ok(Sort::float(11, 53)),
        Some("Float128") => return Ok(Sort::float(15, 113)),
        Some(other) => {
            return named(other).ok_or_else(|| expr.error(format!("unknown sort `{other}`")));
        }
        None => {}
    }
    let parts: Vec<_> = expr.children().take(5).collect();
    match parts[..] {
        [head, name, width] if head.is_word("_") && name.is_word("BitVec") => {
            width_of(width).map(Sort::bitvec)
        }
        [head, name, exponent, significand] if head.is_word("_") && name.is_word("FloatingPoint") => {
            format_of(exponent, significand).map(Sort::Float)
        }
        [head, index, element] if head.is_word("Array") => {
            let index_sort = sort_within(store, index, named, depth - 1)?;
            if matches!(index_sort, Sort::Array(_)) {
                return Err(index.error("arrays indexed by arrays are not supported"));
            }
            let element_sort = sort_within(store, element, named, depth - 1)?;
            // Names of sorts can stand for sorts that are nested already.
            if nesting(store, element_sort) >= MAX_NESTING {
                return Err(element.error("the sort is nested too deeply"));
            }
            Ok(store.array_sort(index_sort, element_sort))
        }
        _ => Err(expr.error("expected a sort")),
    }
}

/// How many arrays are nested in `sort`.
fn nesting(store: &Store, mut sort: Sort) -> usize {
    let mut depth = 0;
    while let Sort::Array(array) = sort {
        sort = store.array_parts(array).1;
        depth += 1;
    }
    depth
}

/// The number that an index of an identifier such as `(_ extract 7 0)` is.
pub(super) fn index_of(expr: Sexpr<'_>) -> Result<u32, ParseError> {
    let number = (expr.kind() == SexprKind::Numeral).then(|| expr.text().parse().ok()).flatten();
    number.ok_or_else(|| expr.error("expected a number below 2^32"))
}

pub(super) fn width_of(expr: Sexpr<'_>) -> Result<u32, ParseError> {
    let width = index_of(expr)?;
    if (1..=MAX_WIDTH).contains(&width) {
        return Ok(width);
    }
    Err(expr.error(format!("a bit-vector should have between 1 and {MAX_WIDTH} bits")))
}
