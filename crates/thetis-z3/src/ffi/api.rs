//! The functions of Z3 that are used, as a table filled from the shared library.
//!
//! The library is loaded with `dlopen` instead of being linked, so that `thetis` starts without it, and a missing or
//! wrong one is one sentence instead of a loader error. It is looked up by its version name, first where the run path
//! of the executable points (`third_party/z3/lib` beside a build, `lib/thetis` beside an installed binary).

use std::ffi::{c_char, c_int, c_uint, c_void};
use std::sync::OnceLock;

use libloading::Library;
use thetis_solver::SolverError;

/// The name of the library: its `SONAME` up to the minor version. Enumerations of Z3 change between minor versions.
const LIBRARY: &str = "libz3.so.5.3";
const VERSION: (c_uint, c_uint) = (5, 3);

macro_rules! pointers {
    ($($(#[$doc:meta])* $name:ident;)*) => {
        $($(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[repr(transparent)]
        pub(crate) struct $name(pub(super) *mut c_void);)*
    };
}

pointers! {
    /// `Z3_config`.
    RawConfig;
    /// `Z3_context`.
    RawContext;
    /// `Z3_ast`, and `Z3_sort`, `Z3_func_decl`, `Z3_app`, which are kinds of it: Z3's casts are identities.
    RawAst;
    /// `Z3_symbol`; not reference counted.
    RawSymbol;
    /// `Z3_solver`.
    RawSolverPointer;
    /// `Z3_model`.
    RawModel;
    /// `Z3_ast_vector`.
    RawVector;
    /// `Z3_params`.
    RawParams;
    /// `Z3_func_interp`.
    RawInterpretation;
    /// `Z3_func_entry`.
    RawEntry;
}

macro_rules! constructors {
    ($($(#[$doc:meta])* $name:ident($($arg:ty),*);)*) => {
        $($(#[$doc])*
        ///
        /// The field is private to the foreign module: only functions of Z3 of this kind are wrapped.
        #[derive(Clone, Copy)]
        #[repr(transparent)]
        pub(crate) struct $name(pub(super) unsafe extern "C" fn(RawContext $(, $arg)*) -> RawAst);)*
    };
}

constructors! {
    /// A function that makes a term from nothing.
    Nullary();
    /// A function that makes a term from one.
    Unary(RawAst);
    /// A function that makes a term from two.
    Binary(RawAst, RawAst);
    /// A function that makes a term from three.
    Ternary(RawAst, RawAst, RawAst);
    /// A function that makes a term from four.
    Quaternary(RawAst, RawAst, RawAst, RawAst);
    /// A function that makes a term from two and a number.
    Sized(RawAst, RawAst, c_uint);
    /// A function that makes a term from a list.
    Nary(c_uint, *const RawAst);
    /// A function that makes a term from a number and a term.
    Indexed(c_uint, RawAst);
}

/// `Z3_error_handler`.
pub(super) type ErrorHandler = extern "C" fn(RawContext, c_int);

macro_rules! api {
    ($($field:ident = $symbol:literal: $kind:ty;)*) => {
        /// The loaded functions, named as in Z3 without `Z3_`.
        pub(crate) struct Api {
            $(pub(crate) $field: $kind,)*
            /// Keeps the functions valid.
            _library: Library,
        }

        impl Api {
            /// # Safety
            /// `library` must be the Z3 whose header the types below were written from.
            unsafe fn link(library: Library) -> Result<Api, libloading::Error> {
                // SAFETY: the caller guarantees that the symbols have these types.
                unsafe {
                    Ok(Api {
                        $($field: *library.get::<$kind>($symbol)?,)*
                        _library: library,
                    })
                }
            }
        }
    };
}

api! {
    get_version = "Z3_get_version":
        unsafe extern "C" fn(*mut c_uint, *mut c_uint, *mut c_uint, *mut c_uint);
    mk_config = "Z3_mk_config": unsafe extern "C" fn() -> RawConfig;
    del_config = "Z3_del_config": unsafe extern "C" fn(RawConfig);
    mk_context_rc = "Z3_mk_context_rc": unsafe extern "C" fn(RawConfig) -> RawContext;
    set_error_handler = "Z3_set_error_handler": unsafe extern "C" fn(RawContext, ErrorHandler);
    get_error_code = "Z3_get_error_code": unsafe extern "C" fn(RawContext) -> c_int;
    get_error_msg = "Z3_get_error_msg": unsafe extern "C" fn(RawContext, c_int) -> *const c_char;
    interrupt = "Z3_interrupt": unsafe extern "C" fn(RawContext);
    inc_ref = "Z3_inc_ref": unsafe extern "C" fn(RawContext, RawAst);
    dec_ref = "Z3_dec_ref": unsafe extern "C" fn(RawContext, RawAst);
    mk_string_symbol = "Z3_mk_string_symbol": unsafe extern "C" fn(RawContext, *const c_char) -> RawSymbol;

    mk_bool_sort = "Z3_mk_bool_sort": unsafe extern "C" fn(RawContext) -> RawAst;
    mk_int_sort = "Z3_mk_int_sort": unsafe extern "C" fn(RawContext) -> RawAst;
    mk_real_sort = "Z3_mk_real_sort": unsafe extern "C" fn(RawContext) -> RawAst;
    mk_bv_sort = "Z3_mk_bv_sort": unsafe extern "C" fn(RawContext, c_uint) -> RawAst;
    mk_array_sort = "Z3_mk_array_sort": Binary;
    mk_const = "Z3_mk_const": unsafe extern "C" fn(RawContext, RawSymbol, RawAst) -> RawAst;
    mk_numeral = "Z3_mk_numeral": unsafe extern "C" fn(RawContext, *const c_char, RawAst) -> RawAst;
    mk_int64 = "Z3_mk_int64": unsafe extern "C" fn(RawContext, i64, RawAst) -> RawAst;
    mk_true = "Z3_mk_true": unsafe extern "C" fn(RawContext) -> RawAst;
    mk_false = "Z3_mk_false": unsafe extern "C" fn(RawContext) -> RawAst;

    mk_not = "Z3_mk_not": Unary;
    mk_and = "Z3_mk_and": Nary;
    mk_or = "Z3_mk_or": Nary;
    mk_xor = "Z3_mk_xor": Binary;
    mk_implies = "Z3_mk_implies": Binary;
    mk_ite = "Z3_mk_ite": Ternary;
    mk_eq = "Z3_mk_eq": Binary;
    mk_unary_minus = "Z3_mk_unary_minus": Unary;
    mk_add = "Z3_mk_add": Nary;
    mk_sub = "Z3_mk_sub": Nary;
    mk_mul = "Z3_mk_mul": Nary;
    mk_div = "Z3_mk_div": Binary;
    mk_mod = "Z3_mk_mod": Binary;
    mk_le = "Z3_mk_le": Binary;
    mk_lt = "Z3_mk_lt": Binary;
    mk_int2real = "Z3_mk_int2real": Unary;
    mk_real2int = "Z3_mk_real2int": Unary;
    mk_bvnot = "Z3_mk_bvnot": Unary;
    mk_bvneg = "Z3_mk_bvneg": Unary;
    mk_bvand = "Z3_mk_bvand": Binary;
    mk_bvor = "Z3_mk_bvor": Binary;
    mk_bvxor = "Z3_mk_bvxor": Binary;
    mk_bvadd = "Z3_mk_bvadd": Binary;
    mk_bvsub = "Z3_mk_bvsub": Binary;
    mk_bvmul = "Z3_mk_bvmul": Binary;
    mk_bvudiv = "Z3_mk_bvudiv": Binary;
    mk_bvurem = "Z3_mk_bvurem": Binary;
    mk_bvsdiv = "Z3_mk_bvsdiv": Binary;
    mk_bvsrem = "Z3_mk_bvsrem": Binary;
    mk_bvsmod = "Z3_mk_bvsmod": Binary;
    mk_bvshl = "Z3_mk_bvshl": Binary;
    mk_bvlshr = "Z3_mk_bvlshr": Binary;
    mk_bvashr = "Z3_mk_bvashr": Binary;
    mk_bvult = "Z3_mk_bvult": Binary;
    mk_bvule = "Z3_mk_bvule": Binary;
    mk_bvslt = "Z3_mk_bvslt": Binary;
    mk_bvsle = "Z3_mk_bvsle": Binary;
    mk_concat = "Z3_mk_concat": Binary;
    mk_extract = "Z3_mk_extract": unsafe extern "C" fn(RawContext, c_uint, c_uint, RawAst) -> RawAst;
    mk_zero_ext = "Z3_mk_zero_ext": Indexed;
    mk_sign_ext = "Z3_mk_sign_ext": Indexed;
    mk_bv2int = "Z3_mk_bv2int": unsafe extern "C" fn(RawContext, RawAst, bool) -> RawAst;
    mk_int2bv = "Z3_mk_int2bv": Indexed;
    mk_select = "Z3_mk_select": Binary;
    mk_store = "Z3_mk_store": Ternary;
    mk_const_array = "Z3_mk_const_array": Binary;

    mk_fpa_sort = "Z3_mk_fpa_sort": unsafe extern "C" fn(RawContext, c_uint, c_uint) -> RawAst;
    mk_fpa_rne = "Z3_mk_fpa_rne": Nullary;
    mk_fpa_rna = "Z3_mk_fpa_rna": Nullary;
    mk_fpa_rtp = "Z3_mk_fpa_rtp": Nullary;
    mk_fpa_rtn = "Z3_mk_fpa_rtn": Nullary;
    mk_fpa_rtz = "Z3_mk_fpa_rtz": Nullary;
    mk_fpa_nan = "Z3_mk_fpa_nan": Unary;
    mk_fpa_abs = "Z3_mk_fpa_abs": Unary;
    mk_fpa_neg = "Z3_mk_fpa_neg": Unary;
    mk_fpa_add = "Z3_mk_fpa_add": Ternary;
    mk_fpa_sub = "Z3_mk_fpa_sub": Ternary;
    mk_fpa_mul = "Z3_mk_fpa_mul": Ternary;
    mk_fpa_div = "Z3_mk_fpa_div": Ternary;
    mk_fpa_fma = "Z3_mk_fpa_fma": Quaternary;
    mk_fpa_sqrt = "Z3_mk_fpa_sqrt": Binary;
    mk_fpa_rem = "Z3_mk_fpa_rem": Binary;
    mk_fpa_round_to_integral = "Z3_mk_fpa_round_to_integral": Binary;
    mk_fpa_min = "Z3_mk_fpa_min": Binary;
    mk_fpa_max = "Z3_mk_fpa_max": Binary;
    mk_fpa_leq = "Z3_mk_fpa_leq": Binary;
    mk_fpa_lt = "Z3_mk_fpa_lt": Binary;
    mk_fpa_eq = "Z3_mk_fpa_eq": Binary;
    mk_fpa_is_normal = "Z3_mk_fpa_is_normal": Unary;
    mk_fpa_is_subnormal = "Z3_mk_fpa_is_subnormal": Unary;
    mk_fpa_is_zero = "Z3_mk_fpa_is_zero": Unary;
    mk_fpa_is_infinite = "Z3_mk_fpa_is_infinite": Unary;
    mk_fpa_is_nan = "Z3_mk_fpa_is_nan": Unary;
    mk_fpa_is_negative = "Z3_mk_fpa_is_negative": Unary;
    mk_fpa_is_positive = "Z3_mk_fpa_is_positive": Unary;
    mk_fpa_to_fp_bv = "Z3_mk_fpa_to_fp_bv": Binary;
    mk_fpa_to_fp_float = "Z3_mk_fpa_to_fp_float": Ternary;
    mk_fpa_to_fp_real = "Z3_mk_fpa_to_fp_real": Ternary;
    mk_fpa_to_fp_signed = "Z3_mk_fpa_to_fp_signed": Ternary;
    mk_fpa_to_fp_unsigned = "Z3_mk_fpa_to_fp_unsigned": Ternary;
    mk_fpa_to_ubv = "Z3_mk_fpa_to_ubv": Sized;
    mk_fpa_to_sbv = "Z3_mk_fpa_to_sbv": Sized;
    mk_fpa_to_real = "Z3_mk_fpa_to_real": Unary;
    mk_fpa_to_ieee_bv = "Z3_mk_fpa_to_ieee_bv": Unary;

    get_ast_kind = "Z3_get_ast_kind": unsafe extern "C" fn(RawContext, RawAst) -> c_int;
    get_numeral_string = "Z3_get_numeral_string": unsafe extern "C" fn(RawContext, RawAst) -> *const c_char;
    get_app_decl = "Z3_get_app_decl": Unary;
    get_app_num_args = "Z3_get_app_num_args": unsafe extern "C" fn(RawContext, RawAst) -> c_uint;
    get_app_arg = "Z3_get_app_arg": unsafe extern "C" fn(RawContext, RawAst, c_uint) -> RawAst;
    get_decl_kind = "Z3_get_decl_kind": unsafe extern "C" fn(RawContext, RawAst) -> c_int;
    get_as_array_func_decl = "Z3_get_as_array_func_decl": Unary;
    is_lambda = "Z3_is_lambda": unsafe extern "C" fn(RawContext, RawAst) -> bool;
    get_quantifier_body = "Z3_get_quantifier_body": Unary;
    eval_smtlib2_string = "Z3_eval_smtlib2_string":
        unsafe extern "C" fn(RawContext, *const c_char) -> *const c_char;
    ast_to_string = "Z3_ast_to_string": unsafe extern "C" fn(RawContext, RawAst) -> *const c_char;

    mk_solver = "Z3_mk_solver": unsafe extern "C" fn(RawContext) -> RawSolverPointer;
    mk_simple_solver = "Z3_mk_simple_solver": unsafe extern "C" fn(RawContext) -> RawSolverPointer;
    mk_solver_for_logic = "Z3_mk_solver_for_logic":
        unsafe extern "C" fn(RawContext, RawSymbol) -> RawSolverPointer;
    solver_inc_ref = "Z3_solver_inc_ref": unsafe extern "C" fn(RawContext, RawSolverPointer);
    solver_dec_ref = "Z3_solver_dec_ref": unsafe extern "C" fn(RawContext, RawSolverPointer);
    solver_push = "Z3_solver_push": unsafe extern "C" fn(RawContext, RawSolverPointer);
    solver_pop = "Z3_solver_pop": unsafe extern "C" fn(RawContext, RawSolverPointer, c_uint);
    solver_assert = "Z3_solver_assert": unsafe extern "C" fn(RawContext, RawSolverPointer, RawAst);
    solver_from_string = "Z3_solver_from_string":
        unsafe extern "C" fn(RawContext, RawSolverPointer, *const c_char);
    solver_check_assumptions = "Z3_solver_check_assumptions":
        unsafe extern "C" fn(RawContext, RawSolverPointer, c_uint, *const RawAst) -> c_int;
    solver_get_unsat_core = "Z3_solver_get_unsat_core":
        unsafe extern "C" fn(RawContext, RawSolverPointer) -> RawVector;
    solver_get_model = "Z3_solver_get_model": unsafe extern "C" fn(RawContext, RawSolverPointer) -> RawModel;
    solver_get_reason_unknown = "Z3_solver_get_reason_unknown":
        unsafe extern "C" fn(RawContext, RawSolverPointer) -> *const c_char;
    solver_set_params = "Z3_solver_set_params":
        unsafe extern "C" fn(RawContext, RawSolverPointer, RawParams);
    mk_params = "Z3_mk_params": unsafe extern "C" fn(RawContext) -> RawParams;
    params_inc_ref = "Z3_params_inc_ref": unsafe extern "C" fn(RawContext, RawParams);
    params_dec_ref = "Z3_params_dec_ref": unsafe extern "C" fn(RawContext, RawParams);
    params_set_bool = "Z3_params_set_bool": unsafe extern "C" fn(RawContext, RawParams, RawSymbol, bool);
    params_set_uint = "Z3_params_set_uint": unsafe extern "C" fn(RawContext, RawParams, RawSymbol, c_uint);
    ast_vector_inc_ref = "Z3_ast_vector_inc_ref": unsafe extern "C" fn(RawContext, RawVector);
    ast_vector_dec_ref = "Z3_ast_vector_dec_ref": unsafe extern "C" fn(RawContext, RawVector);
    ast_vector_size = "Z3_ast_vector_size": unsafe extern "C" fn(RawContext, RawVector) -> c_uint;
    ast_vector_get = "Z3_ast_vector_get": unsafe extern "C" fn(RawContext, RawVector, c_uint) -> RawAst;

    model_inc_ref = "Z3_model_inc_ref": unsafe extern "C" fn(RawContext, RawModel);
    model_dec_ref = "Z3_model_dec_ref": unsafe extern "C" fn(RawContext, RawModel);
    model_eval = "Z3_model_eval":
        unsafe extern "C" fn(RawContext, RawModel, RawAst, bool, *mut RawAst) -> bool;
    model_to_string = "Z3_model_to_string": unsafe extern "C" fn(RawContext, RawModel) -> *const c_char;
    model_get_func_interp = "Z3_model_get_func_interp":
        unsafe extern "C" fn(RawContext, RawModel, RawAst) -> RawInterpretation;
    func_interp_inc_ref = "Z3_func_interp_inc_ref": unsafe extern "C" fn(RawContext, RawInterpretation);
    func_interp_dec_ref = "Z3_func_interp_dec_ref": unsafe extern "C" fn(RawContext, RawInterpretation);
    func_interp_get_num_entries = "Z3_func_interp_get_num_entries":
        unsafe extern "C" fn(RawContext, RawInterpretation) -> c_uint;
    func_interp_get_entry = "Z3_func_interp_get_entry":
        unsafe extern "C" fn(RawContext, RawInterpretation, c_uint) -> RawEntry;
    func_interp_get_else = "Z3_func_interp_get_else":
        unsafe extern "C" fn(RawContext, RawInterpretation) -> RawAst;
    func_entry_inc_ref = "Z3_func_entry_inc_ref": unsafe extern "C" fn(RawContext, RawEntry);
    func_entry_dec_ref = "Z3_func_entry_dec_ref": unsafe extern "C" fn(RawContext, RawEntry);
    func_entry_get_arg = "Z3_func_entry_get_arg":
        unsafe extern "C" fn(RawContext, RawEntry, c_uint) -> RawAst;
    func_entry_get_value = "Z3_func_entry_get_value": unsafe extern "C" fn(RawContext, RawEntry) -> RawAst;
}

impl Api {
    /// The functions of Z3, loaded once for the process.
    pub(crate) fn get() -> Result<&'static Api, SolverError> {
        static API: OnceLock<Result<Api, SolverError>> = OnceLock::new();
        API.get_or_init(|| Api::load(LIBRARY)).as_ref().map_err(Clone::clone)
    }

    fn load(name: &str) -> Result<Api, SolverError> {
        // SAFETY: the initialisers of Z3 only set up its own global tables.
        let library = unsafe { Library::new(name) }
            .map_err(|_| missing(&format!("Z3 is not installed: `{name}` was not found")))?;
        // SAFETY: the name stands for the interface of this version, and the version is verified below.
        let api = unsafe { Api::link(library) }
            .map_err(|_| missing(&format!("`{name}` is not the Z3 that Thetis needs")))?;
        match api.version() {
            VERSION => Ok(api),
            (major, minor) => Err(missing(&format!("`{name}` is version {major}.{minor} of Z3"))),
        }
    }

    fn version(&self) -> (c_uint, c_uint) {
        let (mut major, mut minor, mut build, mut revision) = (0, 0, 0, 0);
        // SAFETY: Z3 writes to the four given numbers.
        unsafe { (self.get_version)(&mut major, &mut minor, &mut build, &mut revision) };
        (major, minor)
    }
}

fn missing(what: &str) -> SolverError {
    SolverError::Missing(format!("{what}; run `./setup.sh` to install it"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_or_wrong_library_is_one_sentence_with_the_command() {
        for (name, expected) in [
            (
                "libz3.so.0.0",
                "Z3 is not installed: `libz3.so.0.0` was not found; run `./setup.sh` to install it",
            ),
            ("libm.so.6", "`libm.so.6` is not the Z3 that Thetis needs; run `./setup.sh` to install it"),
        ] {
            assert_eq!(Api::load(name).err(), Some(SolverError::Missing(expected.into())));
        }
    }
}
