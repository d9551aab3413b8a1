//! Functions that the compiler knows.
//!
//! `__builtin_expect` and the like are expanded; `__builtin_memcpy` is `memcpy`; library functions that are called
//! without a declaration have their true types. Other builtins are unsupported rather than arbitrary functions: an
//! arbitrary result could cause a false violation.

use num_traits::Zero;
use thetis_base::Span;
use thetis_expr::{Float, FloatSign};

use super::atomic::is_atomic;
use super::expr::Operand;
use super::float::sort_of;
use super::literal::unsupported;
use super::overflow::overflow_operation;
use super::scope::{Linked, Symbol};
use super::{Checked, Checker};
use crate::hir::{Callee, CompareOp, Expr, ExprKind, FloatKind, FunctionId, FunctionType, IntKind, TypeId};
use crate::syntax::ast::{self, Name};

/// Library functions, and functions of the compiler that are none and so keep their prefix (a program may have a `popcount` of
/// its own): the result, then the parameters. `v` is `void`, `i` `int`, `t` `unsigned short`, `u` `unsigned`, `l` `long`, `m` `unsigned long`, `q` `long long`, `r`
/// `unsigned long long`, `z` `size_t`, `p` a pointer to `void`, `s` to `char`, `f` `float`, `d` `double`, `e` `long double`, `.` any more
/// arguments.
const LIBRARY: [(&str, &str); 154] = [
    ("abort", "v"),
    ("exit", "vi"),
    ("_exit", "vi"),
    ("malloc", "pz"),
    ("calloc", "pzz"),
    ("realloc", "ppz"),
    ("free", "vp"),
    ("alloca", "pz"),
    ("memcpy", "pppz"),
    ("memmove", "pppz"),
    ("memset", "ppiz"),
    ("memcmp", "ippz"),
    ("memchr", "ppiz"),
    ("strlen", "zs"),
    ("strcpy", "sss"),
    ("strncpy", "sssz"),
    ("strcat", "sss"),
    ("strncat", "sssz"),
    ("strcmp", "iss"),
    ("strncmp", "issz"),
    ("strchr", "ssi"),
    ("strrchr", "ssi"),
    ("strstr", "sss"),
    ("printf", "is."),
    ("fprintf", "ips."),
    ("sprintf", "iss."),
    ("snprintf", "iszs."),
    ("scanf", "is."),
    ("sscanf", "iss."),
    ("puts", "is"),
    ("putchar", "ii"),
    ("abs", "ii"),
    ("labs", "ll"),
    ("llabs", "qq"),
    ("isalpha", "ii"),
    ("isdigit", "ii"),
    ("isspace", "ii"),
    ("isupper", "ii"),
    ("islower", "ii"),
    ("toupper", "ii"),
    ("tolower", "ii"),
    ("fabs", "dd"),
    ("fabsf", "ff"),
    ("fabsl", "ee"),
    ("sqrt", "dd"),
    ("sqrtf", "ff"),
    ("floor", "dd"),
    ("floorf", "ff"),
    ("ceil", "dd"),
    ("ceilf", "ff"),
    ("round", "dd"),
    ("roundf", "ff"),
    ("trunc", "dd"),
    ("truncf", "ff"),
    ("fmod", "ddd"),
    ("fmodf", "fff"),
    ("fmin", "ddd"),
    ("fminf", "fff"),
    ("fmax", "ddd"),
    ("fmaxf", "fff"),
    ("copysign", "ddd"),
    ("copysignf", "fff"),
    ("_Exit", "vi"),
    ("stpcpy", "sss"),
    ("stpncpy", "sssz"),
    ("strdup", "ss"),
    ("strndup", "ssz"),
    ("strspn", "zss"),
    ("strcspn", "zss"),
    ("strpbrk", "sss"),
    ("strcasecmp", "iss"),
    ("strncasecmp", "issz"),
    ("strnlen", "zsz"),
    ("index", "ssi"),
    ("rindex", "ssi"),
    ("bcmp", "ippz"),
    ("bzero", "vpz"),
    ("mempcpy", "pppz"),
    ("ffs", "ii"),
    ("isalnum", "ii"),
    ("isblank", "ii"),
    ("iscntrl", "ii"),
    ("isgraph", "ii"),
    ("isprint", "ii"),
    ("ispunct", "ii"),
    ("isxdigit", "ii"),
    ("isascii", "ii"),
    ("toascii", "ii"),
    ("atoi", "is"),
    ("atol", "ls"),
    ("atof", "ds"),
    ("rand", "i"),
    ("srand", "vu"),
    ("getchar", "i"),
    ("remainder", "ddd"),
    ("fdim", "ddd"),
    ("ldexp", "ddi"),
    ("frexp", "ddp"),
    ("modf", "ddp"),
    ("rint", "dd"),
    ("rintf", "ff"),
    ("nearbyint", "dd"),
    ("truncl", "ee"),
    ("floorl", "ee"),
    ("ceill", "ee"),
    ("sqrtl", "ee"),
    ("copysignl", "eee"),
    ("fmodl", "eee"),
    ("lround", "ld"),
    ("llround", "qd"),
    ("lrint", "ld"),
    ("llrint", "qd"),
    ("pow", "ddd"),
    ("powf", "fff"),
    ("sin", "dd"),
    ("cos", "dd"),
    ("tan", "dd"),
    ("exp", "dd"),
    ("log", "dd"),
    ("log2", "dd"),
    ("log10", "dd"),
    ("sinf", "ff"),
    ("cosf", "ff"),
    ("expf", "ff"),
    ("logf", "ff"),
    ("__strcpy_chk", "sssz"),
    ("__stpcpy_chk", "sssz"),
    ("__strncpy_chk", "ssszz"),
    ("__strcat_chk", "sssz"),
    ("__strncat_chk", "ssszz"),
    ("__memcpy_chk", "pppzz"),
    ("__memmove_chk", "pppzz"),
    ("__memset_chk", "ppizz"),
    ("__builtin_popcount", "iu"),
    ("__builtin_popcountl", "im"),
    ("__builtin_popcountll", "ir"),
    ("__builtin_parity", "iu"),
    ("__builtin_parityl", "im"),
    ("__builtin_parityll", "ir"),
    ("__builtin_ffs", "ii"),
    ("__builtin_ffsl", "il"),
    ("__builtin_ffsll", "iq"),
    ("__builtin_clz", "iu"),
    ("__builtin_clzl", "im"),
    ("__builtin_clzll", "ir"),
    ("__builtin_ctz", "iu"),
    ("__builtin_ctzl", "im"),
    ("__builtin_ctzll", "ir"),
    ("__builtin_clrsb", "ii"),
    ("__builtin_clrsbl", "il"),
    ("__builtin_clrsbll", "iq"),
    ("__builtin_bswap16", "tt"),
    ("__builtin_bswap32", "uu"),
    ("__builtin_bswap64", "rr"),
];

/// The name in [`LIBRARY`] of something that starts with `__builtin_`.
fn library_name(name: &str) -> Option<&str> {
    let is_of_the_compiler = LIBRARY.iter().any(|(known, _)| *known == name);
    let plain = name.strip_prefix("__builtin_")?;
    Some(if is_of_the_compiler { name } else { plain })
}

impl Checker<'_, '_> {
    /// The type of a library function.
    pub(super) fn library_type(&mut self, name: &str) -> Option<FunctionType> {
        if let Some(input) = name.strip_prefix("__VERIFIER_nondet_") {
            let result = self.input_type(input)?;
            return Some(FunctionType { result, params: Vec::new(), is_variadic: true });
        }
        let (_, signature) = LIBRARY.iter().find(|(known, _)| *known == name)?;
        let mut letters = signature.chars();
        let result = letters.next()?;
        let is_variadic = signature.ends_with('.');
        let params =
            letters.filter(|letter| *letter != '.').map(|letter| self.type_of_letter(letter)).collect();
        Some(FunctionType { result: self.type_of_letter(result), params, is_variadic })
    }

    /// The type of the values of `__VERIFIER_nondet_X`, by the rules of the competition on software verification.
    fn input_type(&mut self, name: &str) -> Option<TypeId> {
        let kind = match name {
            "bool" | "_Bool" => IntKind::Bool,
            "char" => self.types.machine().char_kind(),
            "S8" => IntKind::SignedChar,
            "uchar" | "U8" | "u8" => IntKind::UnsignedChar,
            "short" | "S16" => IntKind::Short,
            "ushort" | "U16" | "u16" => IntKind::UnsignedShort,
            "int" | "S32" => IntKind::Int,
            "uint" | "unsigned" | "U32" | "u32" => IntKind::UnsignedInt,
            "long" => IntKind::Long,
            "ulong" | "sector_t" | "pthread_t" => IntKind::UnsignedLong,
            "longlong" | "loff_t" | "S64" => IntKind::LongLong,
            "ulonglong" | "U64" | "u64" => IntKind::UnsignedLongLong,
            "int128" => IntKind::Int128,
            "uint128" => IntKind::UnsignedInt128,
            "size_t" => return Some(self.size_type()),
            "float" => return Some(self.float_type(FloatKind::Float)),
            "double" => return Some(self.float_type(FloatKind::Double)),
            "pointer" => return Some(self.type_of_letter('p')),
            "pchar" | "charp" => return Some(self.type_of_letter('s')),
            _ => return None,
        };
        Some(self.int_type(kind))
    }

    fn type_of_letter(&mut self, letter: char) -> TypeId {
        match letter {
            'i' => self.int(),
            't' => self.int_type(IntKind::UnsignedShort),
            'u' => self.int_type(IntKind::UnsignedInt),
            'l' => self.int_type(IntKind::Long),
            'm' => self.int_type(IntKind::UnsignedLong),
            'q' => self.int_type(IntKind::LongLong),
            'r' => self.int_type(IntKind::UnsignedLongLong),
            'z' => self.size_type(),
            'f' => self.float_type(FloatKind::Float),
            'd' => self.float_type(FloatKind::Double),
            'e' => self.long_double(),
            'p' => {
                let void = self.void();
                self.pointer_to(void)
            }
            's' => {
                let character = self.int_type(self.types.machine().char_kind());
                self.pointer_to(character)
            }
            _ => self.void(),
        }
    }

    /// `__builtin_memcpy` and the like are the library functions.
    pub(super) fn implicit_builtin(&mut self, name: &str, span: Span) -> Option<FunctionId> {
        let name: Name = library_name(name)?.into();
        self.library_function(&name, span)
    }

    fn library_function(&mut self, name: &Name, span: Span) -> Option<FunctionId> {
        match self.scopes.find_linked(name) {
            Some(Linked::Function(function)) => {
                // Another unit may have called it first. A builtin that is not in scope would be looked for again.
                if name.starts_with("__builtin_") && self.scopes.find(name).is_none() {
                    self.scopes.declare_at_file_scope(name.clone(), Symbol::Function(function));
                }
                Some(function)
            }
            Some(Linked::Global(_)) => None,
            None => {
                let ty = self.library_type(name)?;
                let function = self.add_function(name, ty, span);
                self.note_prototype(function);
                self.scopes.declare_at_file_scope(name.clone(), Symbol::Function(function));
                Some(function)
            }
        }
    }

    /// A call of something the compiler knows and the program does not declare; `None` if it is an ordinary function.
    pub(super) fn builtin_call(
        &mut self,
        name: &str,
        arguments: &[ast::Expr],
        span: Span,
    ) -> Checked<Option<Operand>> {
        let Some(short) = name.strip_prefix("__builtin_") else {
            if !is_atomic(name) {
                return Ok(None);
            }
            return self.atomic_call(name, arguments, span).map(|value| Some(Operand::Value(value)));
        };
        let value = match (short, arguments) {
            ("expect", [value, _]) | ("expect_with_probability", [value, _, _]) => {
                let value = self.value(value)?;
                let long = self.int_type(IntKind::Long);
                self.assign_convert(value, long, "argument")?
            }
            ("constant_p", [value]) => self.is_constant(value, span)?,
            ("choose_expr", [condition, then, otherwise]) => {
                let condition = self.integer_constant(condition)?;
                return self.operand(if condition.is_zero() { otherwise } else { then }).map(Some);
            }
            ("trap", []) => {
                let abort: Name = "abort".into();
                let Some(function) = self.library_function(&abort, span) else { return Ok(None) };
                let void = self.void();
                Expr { kind: ExprKind::Call(Callee::Function(function), Vec::new()), ty: void, span }
            }
            ("classify_type", [value]) => {
                let value = self.value(value)?;
                let class = self.type_class(value.ty);
                let int = self.int();
                self.int_expr(class, int, span)
            }
            (name, [left, right, result]) if overflow_operation(name).is_some() => {
                return self.checked_operation(name, [left, right, result], span).map(Some);
            }
            ("va_start" | "c23_va_start", [list, ..]) => self.start_arguments(list, span)?,
            ("va_copy", [to, from]) => self.copy_arguments(to, from, span)?,
            ("va_end", [list]) => self.end_arguments(list, span)?,
            ("prefetch", [_, ..]) => {
                let (int, void) = (self.int(), self.void());
                let nothing = self.int_expr(0, int, span);
                self.convert(nothing, void)
            }
            _ => match self.float_builtin(short, arguments, span)? {
                Some(value) => value,
                None if self.implicit_builtin(name, span).is_some() => {
                    return self.library_call(library_name(name).unwrap_or(short), arguments, span);
                }
                None => {
                    let int = self.int();
                    unsupported(format!("`{name}`"), int, span)
                }
            },
        };
        Ok(Some(Operand::Value(value)))
    }

    /// `__builtin_constant_p` as gcc evaluates it without optimisation: 1 for constants and strings, 0 for what clearly
    /// depends on the run. Its value for `x * 0` is not known here.
    fn is_constant(&mut self, value: &ast::Expr, span: Span) -> Checked<Expr> {
        let is_text = matches!(value.kind, ast::ExprKind::Text(_));
        let value = self.value(value)?;
        let int = self.int();
        let is_constant = is_text || self.constant(&value).is_some();
        if !is_constant && !plainly_depends(&value) {
            return Ok(unsupported("whether an expression is constant", int, span));
        }
        Ok(self.int_expr(u8::from(is_constant), int, span))
    }

    fn library_call(&mut self, name: &str, arguments: &[ast::Expr], span: Span) -> Checked<Option<Operand>> {
        let callee = ast::Expr { kind: ast::ExprKind::Name(name.into()), span };
        self.call(&callee, arguments, span).map(Some)
    }

    /// Special values and comparisons of floats.
    fn float_builtin(&mut self, name: &str, arguments: &[ast::Expr], span: Span) -> Checked<Option<Expr>> {
        let (bare, kind) = match name.strip_suffix('f').filter(|bare| !bare.ends_with("in")) {
            Some(bare) => (bare, FloatKind::Float),
            None if matches!(name, "inff") => ("inf", FloatKind::Float),
            None => match name.strip_suffix('l').filter(|bare| !bare.ends_with("va") && *bare != "isnorma") {
                Some(bare) => (bare, FloatKind::LongDouble),
                None => (name, FloatKind::Double),
            },
        };
        let compared = match name {
            "isgreater" => Some(CompareOp::Gt),
            "isgreaterequal" => Some(CompareOp::Ge),
            "isless" => Some(CompareOp::Lt),
            "islessequal" => Some(CompareOp::Le),
            _ => None,
        };
        let format = self.format_of(kind);
        if format.is_none() && matches!(bare, "inf" | "huge_val" | "nan") {
            return Ok(Some(self.wide_constant(span)));
        }
        let kind = format.unwrap_or(kind);
        Ok(match (bare, compared, arguments) {
            ("inf" | "huge_val", _, []) => {
                Some(self.float_expr(kind, &Float::infinity(sort_of(kind), FloatSign::Positive), span))
            }
            ("nan", _, [_]) => Some(self.float_expr(kind, &Float::nan(sort_of(kind)), span)),
            (_, Some(op), [left, right]) => {
                let (left, right) = (self.value(left)?, self.value(right)?);
                Some(self.comparison(op, left, right, span)?)
            }
            (
                "isnan" | "isinf_sign" | "isinf" | "isfinite" | "finite" | "isnormal" | "signbit",
                _,
                [value],
            ) => {
                let function = if bare == "isinf_sign" { "isinf" } else { bare };
                Some(self.classification(function, value, span)?)
            }
            _ => None,
        })
    }

    /// `isnan(x)` and the like, for the type of the argument, as the functions of glibc: `__isnanf`, `__isnan`, `__isnanl`.
    fn classification(&mut self, function: &str, value: &ast::Expr, span: Span) -> Checked<Expr> {
        let value = self.value(value)?;
        let int = self.int();
        let Some(kind) = self.float_kind(value.ty) else {
            return self
                .type_error(span, format!("expected a floating number, found `{}`", self.show(value.ty)));
        };
        let suffix = match kind {
            FloatKind::Float => "f",
            FloatKind::Double => "",
            FloatKind::LongDouble => "l",
        };
        let function = if function == "isfinite" { "finite" } else { function };
        let name: Name = format!("__{function}{suffix}").into();
        let function = match self.scopes.find_linked(&name) {
            Some(Linked::Function(function)) => function,
            _ => {
                let ty = FunctionType { result: int, params: vec![value.ty], is_variadic: false };
                self.add_function(&name, ty, span)
            }
        };
        Ok(Expr { kind: ExprKind::Call(Callee::Function(function), vec![value]), ty: int, span })
    }
}

/// Whether an expression reads an object or calls a function, and does nothing with the value.
fn plainly_depends(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Convert(operand) | ExprKind::Unary(_, operand) => plainly_depends(operand),
        ExprKind::Load(_) | ExprKind::AddressOf(_) | ExprKind::Decay(_) | ExprKind::Call(..) => true,
        ExprKind::FunctionAddress(_) | ExprKind::Step { .. } | ExprKind::Comma(..) => true,
        _ => false,
    }
}
