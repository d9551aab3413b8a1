//! Calls of functions whose parameters the caller does not know.
//!
//! A declaration such as `int f();`, an old-style definition, and a call without a declaration say nothing about parameters. The
//! arguments of such a call are promoted but not converted to the types of the parameters, which may be declared later or in another
//! unit. If a function expects another type than the one that arrives, C leaves the behaviour undefined (C11 6.5.2.2 p6), and machines pass
//! values of different types in different registers, or only some of the bits. An integer of the same size arrives as it is, and so does
//! a small constant, whose other bits are zero.
//!
//! Bodies are checked after all declarations of their unit, so this file remembers where the first prototype of each function stands.

use num_bigint::BigInt;
use num_traits::Signed as _;
use rustc_hash::FxHashMap;

use super::literal::unsupported;
use super::{Checked, Checker};
use crate::hir::{Expr, FloatKind, FunctionId, FunctionType, TypeId};
use crate::library::model_name;
use crate::syntax::ast::{self, Derived, Parameters};

/// Where prototypes stand in the text.
#[derive(Default)]
pub(super) struct Prototypes {
    /// How many items precede the one at hand.
    pub(super) position: usize,
    /// The first item of a unit that has a prototype of a function.
    first: FxHashMap<(usize, FunctionId), usize>,
}

/// Whether a declaration of a function says what its parameters are.
pub(super) fn has_prototype(ty: &FunctionType, declarator: &ast::Declarator) -> bool {
    let parameters = declarator.derived.first();
    !is_open(ty) && !matches!(parameters, Some(Derived::Function(Parameters::OldStyle(_))))
}

/// Whether the parameters of a function are unknown, as after `int f();`.
fn is_open(ty: &FunctionType) -> bool {
    ty.params.is_empty() && ty.is_variadic
}

impl Checker<'_, '_> {
    /// Notes that calls know the parameters of a function from here on.
    pub(super) fn note_prototype(&mut self, function: FunctionId) {
        let position = self.prototypes.position;
        self.prototypes.first.entry((self.units.current, function)).or_insert(position);
    }

    /// The parameters that a function expects, and whether calls at hand know them.
    pub(super) fn expected_params(&mut self, function: FunctionId) -> (Vec<TypeId>, bool) {
        let (name, ty) = (self.functions[function].name.clone(), self.functions[function].ty.clone());
        if name.starts_with("__builtin_") {
            return (self.params_of_library(&name).unwrap_or(ty.params), true);
        }
        let first = self.prototypes.first.get(&(self.units.current, function));
        if first.is_some_and(|first| *first <= self.prototypes.position) {
            return (ty.params, true);
        }
        let is_declared_only = is_open(&ty) && self.functions[function].body.is_none();
        let library = is_declared_only.then(|| self.params_of_library(&name)).flatten();
        (library.unwrap_or(ty.params), false)
    }

    /// The parameters of a function of the library.
    fn params_of_library(&mut self, name: &str) -> Option<Vec<TypeId>> {
        let model = model_name(name);
        let model = self.functions.iter().find(|function| function.name == model).map(|model| &model.ty);
        model.cloned().or_else(|| self.library_type(name)).map(|ty| ty.params)
    }

    /// A promoted argument as the function gets it that has a parameter for it.
    pub(super) fn unconverted(&mut self, value: Expr, param: TypeId, is_old_style: bool) -> Checked<Expr> {
        let span = value.span;
        let promoted = self.promote_argument(value);
        if self.arrives(&promoted, param, is_old_style) {
            return self.assign_convert(promoted, param, "argument");
        }
        let reason = "an argument without a prototype that has another type than the parameter";
        Ok(unsupported(reason, param, span))
    }

    /// Whether a function with a parameter of some type gets a promoted argument as it is. One with an old-style definition expects
    /// promoted arguments.
    fn arrives(&mut self, value: &Expr, param: TypeId, is_old_style: bool) -> bool {
        let [from, to] = [value.ty, param].map(|ty| self.types.plain(ty));
        if !self.is_scalar(from) || !self.is_scalar(to) {
            return from == to;
        }
        match (self.float_kind(from), self.float_kind(to)) {
            (None, None) => {}
            (from, Some(FloatKind::Float)) => return is_old_style && from == Some(FloatKind::Double),
            (from, to) => return from == to,
        }
        let expected = match self.promoted_type(to, None) {
            Some(promoted) if is_old_style => promoted,
            _ => to,
        };
        let sizes = [from, expected].map(|ty| self.types.size_of(ty));
        let in_register = sizes[1] <= Some(self.model().pointer_size());
        let kind = self.int_kind(expected);
        let is_small =
            |constant: &BigInt| !constant.is_negative() && kind.is_none_or(|kind| self.holds(kind, constant));
        let has_zeros = in_register && self.constant_int(value).is_some_and(|constant| is_small(&constant));
        sizes[0] == sizes[1] || has_zeros
    }
}
