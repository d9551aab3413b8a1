//! From types to sorts.

use thetis_base::{Sink, Span};
use thetis_expr::{FloatSort, Sort, Store};

use super::ast::{Ast, Type, TypeIndex, TypeKind};
use super::code;
use super::literal;

/// How deeply array types may be nested. Values of arrays are nested data, which other parts of Thetis walk through
/// by recursion.
const MAX_ARRAY_NESTING: u32 = 64;

/// What floating-point formats there are, as a message.
pub(crate) const FORMATS: &str =
    "floating-point formats have 2 to 20 bits of exponent and 2 to 65535 bits of significand";

/// The sorts of all types of a file; none where an error was reported.
pub(crate) struct Sorts {
    sorts: Vec<Option<Sort>>,
}

impl Sorts {
    /// Checks all types in the order of the file.
    pub(crate) fn check(ast: &Ast, text: &str, store: &Store, sink: &mut Sink<'_>) -> Sorts {
        let mut checker = TypeChecker { text, store, sink, checked: Vec::with_capacity(ast.types.len()) };
        for ty in &ast.types {
            let checked = checker.check(ty);
            checker.checked.push(checked);
        }
        Sorts { sorts: checker.checked.into_iter().map(|checked| checked.map(|(sort, _)| sort)).collect() }
    }

    pub(crate) fn of(&self, ty: TypeIndex) -> Option<Sort> {
        self.sorts[ty.0 as usize]
    }
}

struct TypeChecker<'a, 'd> {
    text: &'a str,
    store: &'a Store,
    sink: &'a mut Sink<'d>,
    /// The sorts so far, with how deeply arrays are nested in them.
    checked: Vec<Option<(Sort, u32)>>,
}

impl TypeChecker<'_, '_> {
    fn check(&mut self, ty: &Type) -> Option<(Sort, u32)> {
        match ty.kind {
            TypeKind::Bool => Some((Sort::Bool, 0)),
            TypeKind::Int => Some((Sort::Int, 0)),
            TypeKind::Rat => Some((Sort::Real, 0)),
            TypeKind::Bv(width) => self.width(width).map(|width| (Sort::bitvec(width), 0)),
            TypeKind::Fp(exponent, significand) => self.float(ty, exponent, significand),
            TypeKind::Array(index, element) => self.array(ty, index, element),
            TypeKind::Poison => None,
        }
    }

    fn float(&mut self, ty: &Type, exponent: Span, significand: Span) -> Option<(Sort, u32)> {
        let width = |span: Span| literal::width(&self.text[span.start as usize..span.end as usize]).ok();
        let format = width(exponent).zip(width(significand));
        let format = format.and_then(|(exponent, significand)| FloatSort::new(exponent, significand));
        if format.is_none() {
            self.sink.error(ty.span, code::WIDTH, FORMATS);
        }
        format.map(|format| (Sort::Float(format), 0))
    }

    fn width(&mut self, span: Span) -> Option<u32> {
        let width = literal::width(&self.text[span.start as usize..span.end as usize]);
        width.map_err(|message| self.sink.error(span, code::WIDTH, message)).ok()
    }

    fn array(&mut self, ty: &Type, index: TypeIndex, element: TypeIndex) -> Option<(Sort, u32)> {
        let (index, _) = self.checked[index.0 as usize]?;
        let (element, depth) = self.checked[element.0 as usize]?;
        if matches!(index, Sort::Array(_)) {
            self.sink.error(ty.span, code::UNSUPPORTED, "arrays indexed by arrays are not supported");
            return None;
        }
        if depth == MAX_ARRAY_NESTING {
            let message = format!("arrays nested more than {MAX_ARRAY_NESTING} times are not supported");
            self.sink.error(ty.span, code::UNSUPPORTED, message);
            return None;
        }
        Some((self.store.array_sort(index, element), depth + 1))
    }
}

/// How many arrays are nested in a sort.
pub(crate) fn is_nested_to_the_limit(store: &Store, mut sort: Sort) -> bool {
    let mut depth = 0;
    while let Sort::Array(array) = sort {
        sort = store.array_parts(array).1;
        depth += 1;
    }
    depth >= MAX_ARRAY_NESTING
}
