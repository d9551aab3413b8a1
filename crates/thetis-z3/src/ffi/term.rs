//! Terms and sorts of Z3 as owning handles, how they are made and how they are taken apart.

use std::ffi::{c_int, c_uint};
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use smallvec::SmallVec;
use thetis_solver::SolverError;

use super::api::{Binary, Indexed, Nary, RawAst, RawSymbol, Ternary, Unary};
use super::context::{Context, c_string};

/// A term, sort or declaration of Z3, with one reference to it.
pub(crate) struct Term {
    context: Rc<Context>,
    raw: RawAst,
}

impl Clone for Term {
    fn clone(&self) -> Term {
        // SAFETY: the handle owns a reference to the object, so it is alive.
        unsafe { (self.context.api().inc_ref)(self.context.raw(), self.raw) };
        Term { context: self.context.clone(), raw: self.raw }
    }
}

impl Drop for Term {
    fn drop(&mut self) {
        // SAFETY: the handle owns the reference that it gives back.
        unsafe { (self.context.api().dec_ref)(self.context.raw(), self.raw) };
    }
}

/// Z3 shares equal terms of one context, so equal pointers mean equal terms.
impl PartialEq for Term {
    fn eq(&self, other: &Term) -> bool {
        self.raw == other.raw
    }
}

impl Eq for Term {}

impl Hash for Term {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.raw.hash(state);
    }
}

/// What a value of a model is made of.
pub(crate) enum Shape {
    /// `true` or `false`.
    Bool(bool),
    /// A number or bit-vector, in Z3's decimal notation: `-3`, `1/2`.
    Numeral(String),
    /// An array that holds one value everywhere.
    ConstArray(Term),
    /// An array with one element replaced: array, index, element.
    Store(Term, Term, Term),
    /// The array that is the graph of this function declaration.
    AsArray(Term),
    /// An array given by a term over its index, which is [`Shape::Bound`].
    Lambda(Term),
    /// The index of a [`Shape::Lambda`].
    Bound,
    /// If-then-else.
    Ite(Term, Term, Term),
    /// Equality.
    Eq(Term, Term),
    /// Anything else.
    Other,
}

/// Values of `Z3_ast_kind` and `Z3_decl_kind`, from the header of Z3 5.3.
mod kind {
    use std::ffi::c_int;

    pub(super) const NUMERAL: c_int = 0;
    pub(super) const APP: c_int = 1;
    pub(super) const VAR: c_int = 2;
    pub(super) const QUANTIFIER: c_int = 3;

    pub(super) const TRUE: c_int = 0x100;
    pub(super) const FALSE: c_int = 0x101;
    pub(super) const EQ: c_int = 0x102;
    pub(super) const ITE: c_int = 0x104;
    pub(super) const STORE: c_int = 0x300;
    pub(super) const CONST_ARRAY: c_int = 0x302;
    pub(super) const AS_ARRAY: c_int = 0x30a;
}

type Made = Result<Term, SolverError>;

impl Context {
    /// Takes a reference to what Z3 has just made, or reports why it made nothing.
    pub(super) fn own(self: &Rc<Self>, raw: RawAst) -> Made {
        self.check()?;
        if raw.0.is_null() {
            return Err(SolverError::Died("Z3 made no term".into()));
        }
        // SAFETY: `raw` is an object of this context that Z3 keeps alive until its next call.
        unsafe { (self.api().inc_ref)(self.raw(), raw) };
        Ok(Term { context: self.clone(), raw })
    }

    pub(super) fn symbol(&self, name: &str) -> RawSymbol {
        // SAFETY: Z3 copies the string.
        unsafe { (self.api().mk_string_symbol)(self.raw(), c_string(name).as_ptr()) }
    }

    /// The sort of truth values.
    pub(crate) fn bool_sort(self: &Rc<Self>) -> Made {
        // SAFETY: the context is valid.
        self.own(unsafe { (self.api().mk_bool_sort)(self.raw()) })
    }

    /// The sort of integers.
    pub(crate) fn int_sort(self: &Rc<Self>) -> Made {
        // SAFETY: the context is valid.
        self.own(unsafe { (self.api().mk_int_sort)(self.raw()) })
    }

    /// The sort of reals.
    pub(crate) fn real_sort(self: &Rc<Self>) -> Made {
        // SAFETY: the context is valid.
        self.own(unsafe { (self.api().mk_real_sort)(self.raw()) })
    }

    /// The sort of bit-vectors of `width` bits.
    pub(crate) fn bitvec_sort(self: &Rc<Self>, width: u32) -> Made {
        // SAFETY: the context is valid.
        self.own(unsafe { (self.api().mk_bv_sort)(self.raw(), width) })
    }

    /// `true` or `false`.
    pub(crate) fn boolean(self: &Rc<Self>, value: bool) -> Made {
        let make = if value { self.api().mk_true } else { self.api().mk_false };
        // SAFETY: the context is valid.
        self.own(unsafe { make(self.raw()) })
    }

    /// The constant `name`.
    pub(crate) fn constant(self: &Rc<Self>, name: &str, sort: &Term) -> Made {
        let symbol = self.symbol(name);
        // SAFETY: symbol and sort belong to this context.
        self.own(unsafe { (self.api().mk_const)(self.raw(), symbol, sort.raw) })
    }

    /// A number in decimal notation, `-3` or `1/2`.
    pub(crate) fn numeral(self: &Rc<Self>, text: &str, sort: &Term) -> Made {
        // SAFETY: Z3 copies the string; the sort belongs to this context.
        self.own(unsafe { (self.api().mk_numeral)(self.raw(), c_string(text).as_ptr(), sort.raw) })
    }

    /// A small number.
    pub(crate) fn small_numeral(self: &Rc<Self>, number: i64, sort: &Term) -> Made {
        // SAFETY: the sort belongs to this context.
        self.own(unsafe { (self.api().mk_int64)(self.raw(), number, sort.raw) })
    }

    /// The term that `make` makes of one.
    pub(crate) fn unary(self: &Rc<Self>, make: Unary, arg: &Term) -> Made {
        // SAFETY: `make` is a constructor of Z3; handles of one thread belong to its one context.
        self.own(unsafe { (make.0)(self.raw(), arg.raw) })
    }

    /// The term that `make` makes of two.
    pub(crate) fn binary(self: &Rc<Self>, make: Binary, left: &Term, right: &Term) -> Made {
        // SAFETY: as in `unary`.
        self.own(unsafe { (make.0)(self.raw(), left.raw, right.raw) })
    }

    /// The term that `make` makes of three.
    pub(crate) fn ternary(self: &Rc<Self>, make: Ternary, args: [&Term; 3]) -> Made {
        // SAFETY: as in `unary`.
        self.own(unsafe { (make.0)(self.raw(), args[0].raw, args[1].raw, args[2].raw) })
    }

    /// The term that `make` makes of a list.
    pub(crate) fn nary(self: &Rc<Self>, make: Nary, args: &[Term]) -> Made {
        let raw = raws(args);
        // SAFETY: as in `unary`; the list is alive during the call.
        self.own(unsafe { (make.0)(self.raw(), raw.len() as c_uint, raw.as_ptr()) })
    }

    /// The term that `make` makes of a number and a term.
    pub(crate) fn indexed(self: &Rc<Self>, make: Indexed, number: u32, arg: &Term) -> Made {
        // SAFETY: as in `unary`.
        self.own(unsafe { (make.0)(self.raw(), number, arg.raw) })
    }

    /// The bits from `lowest` to `highest`.
    pub(crate) fn extract(self: &Rc<Self>, highest: u32, lowest: u32, bits: &Term) -> Made {
        // SAFETY: as in `unary`.
        self.own(unsafe { (self.api().mk_extract)(self.raw(), highest, lowest, bits.raw) })
    }

    /// The unsigned value of a bit-vector.
    pub(crate) fn bits_to_int(self: &Rc<Self>, bits: &Term) -> Made {
        // SAFETY: as in `unary`.
        self.own(unsafe { (self.api().mk_bv2int)(self.raw(), bits.raw, false) })
    }
}

impl Term {
    /// For the other files of the foreign module.
    pub(super) fn raw(&self) -> RawAst {
        self.raw
    }

    /// How the root of this term, a value of a model, is made.
    pub(crate) fn shape(&self) -> Result<Shape, SolverError> {
        let (context, api) = (&self.context, self.context.api());
        // SAFETY: the handle keeps the term alive.
        match unsafe { (api.get_ast_kind)(context.raw(), self.raw) } {
            kind::NUMERAL => Ok(Shape::Numeral(self.numeral_text()?)),
            kind::VAR => Ok(Shape::Bound),
            kind::APP => self.app_shape(),
            // SAFETY: the handle keeps the term alive.
            kind::QUANTIFIER if unsafe { (api.is_lambda)(context.raw(), self.raw) } => {
                Ok(Shape::Lambda(context.unary(api.get_quantifier_body, self)?))
            }
            _ => Ok(Shape::Other),
        }
    }

    fn app_shape(&self) -> Result<Shape, SolverError> {
        Ok(match self.decl_kind()? {
            kind::TRUE => Shape::Bool(true),
            kind::FALSE => Shape::Bool(false),
            kind::EQ => Shape::Eq(self.arg(0)?, self.arg(1)?),
            kind::ITE => Shape::Ite(self.arg(0)?, self.arg(1)?, self.arg(2)?),
            // A store with several indices would have more arguments; our sorts have one.
            kind::STORE if self.num_args() == 3 => Shape::Store(self.arg(0)?, self.arg(1)?, self.arg(2)?),
            kind::CONST_ARRAY => Shape::ConstArray(self.arg(0)?),
            kind::AS_ARRAY => {
                Shape::AsArray(self.context.unary(self.context.api().get_as_array_func_decl, self)?)
            }
            _ => Shape::Other,
        })
    }

    fn decl_kind(&self) -> Result<c_int, SolverError> {
        let decl = self.context.unary(self.context.api().get_app_decl, self)?;
        // SAFETY: the handle keeps the declaration alive.
        Ok(unsafe { (self.context.api().get_decl_kind)(self.context.raw(), decl.raw) })
    }

    fn num_args(&self) -> u32 {
        // SAFETY: the handle keeps the application alive.
        unsafe { (self.context.api().get_app_num_args)(self.context.raw(), self.raw) }
    }

    fn arg(&self, position: u32) -> Made {
        // SAFETY: the handle keeps the application alive; Z3 checks the position.
        self.context.own(unsafe { (self.context.api().get_app_arg)(self.context.raw(), self.raw, position) })
    }

    fn numeral_text(&self) -> Result<String, SolverError> {
        // SAFETY: the handle keeps the term alive.
        let text = unsafe { (self.context.api().get_numeral_string)(self.context.raw(), self.raw) };
        self.context.check()?;
        // SAFETY: Z3 gives a string that is valid until the next call.
        Ok(unsafe { self.context.text(text) })
    }
}

/// The term in SMT-LIB, for messages.
impl std::fmt::Display for Term {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // SAFETY: the handle keeps the term alive, and the string is valid until the next call.
        let text = unsafe {
            let text = (self.context.api().ast_to_string)(self.context.raw(), self.raw);
            self.context.text(text)
        };
        f.write_str(&text)
    }
}

/// The pointers of a list of terms, for a call.
pub(super) fn raws(terms: &[Term]) -> SmallVec<[RawAst; 8]> {
    terms.iter().map(Term::raw).collect()
}
