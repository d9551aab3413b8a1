//! The expected types of functions that are known without a body.
//!
//! A program may define its own function `free`, `assume` or `round` in another file. If its declared type differs from
//! that of the well-known function, it is a different function. Old programs declare functions without parameters,
//! without a result or with integers and pointers of other types, which does not count as a difference. A result where
//! the well-known function has none, or numbers where it takes text, does.
//!
//! A signature is written as its result with its parameters in parentheses: `p` is a pointer, `s` one to text, `i` an integer,
//! `f` a floating number, `v` nothing, and `.` stands for further arguments.

use crate::hir::{FloatKind, Function, FunctionType, Type, TypeId, Types};

/// Whether a function may be the well-known one of its name.
pub(crate) fn fits(types: &Types, function: &Function) -> bool {
    let name = &*function.name;
    if is_reserved(name) {
        return true;
    }
    let is_old_style = function.ty.params.is_empty() && function.ty.is_variadic;
    match signatures(name) {
        [] => true,
        _ if is_old_style => !is_unknown_input(name),
        known => {
            let is_declared = |signature: &&str| is_declared_as(types, &function.ty, signature);
            known.iter().any(is_declared) && has_precision(types, function)
        }
    }
}

/// Whether a mathematical function that computes a number is declared with the precision that its name says. Machines pass and return numbers
/// of different precision in different forms.
fn has_precision(types: &Types, function: &Function) -> bool {
    if super::math(&function.name).is_none() || !matches!(types.get(function.ty.result), Type::Float(_)) {
        return true;
    }
    let is_plain =
        function.name.strip_suffix(['f', 'l']).is_none_or(|shorter| super::math(shorter).is_none());
    let expected = match function.name.chars().last() {
        Some('f') if !is_plain => FloatKind::Float,
        Some('l') if !is_plain => FloatKind::LongDouble,
        _ => FloatKind::Double,
    };
    let mut declared = function.ty.params.iter().chain([&function.ty.result]).map(|ty| types.get(*ty));
    declared.all(|ty| !matches!(ty, Type::Float(kind) if *kind != expected))
}

/// Whether a name is reserved, so that a program cannot define it.
fn is_reserved(name: &str) -> bool {
    let mut characters = name.chars();
    characters.next() == Some('_') && characters.next().is_some_and(|next| next == '_' || next.is_uppercase())
}

/// Names that benchmarks use for inputs. Functions with arguments do not count.
fn is_unknown_input(name: &str) -> bool {
    matches!(name, "unknown" | "nondet" | "nondet_int")
}

/// The signatures of a function; empty if its type does not matter, because its calls are not modelled.
fn signatures(name: &str) -> &'static [&'static str] {
    match name {
        "abort" => &["v()"],
        "assume" | "assert" | "exit" | "_exit" | "quick_exit" => &["v(i)"],
        "malloc" | "valloc" | "alloca" => &["p(i)"],
        "kmalloc" | "ldv_malloc" | "kzalloc" => &["p(i)", "p(ii)"],
        "calloc" => &["p(ii)"],
        "realloc" => &["p(pi)"],
        "free" | "cfree" | "kfree" => &["v(p)"],
        "memcpy" | "memmove" | "mempcpy" => &["p(ppi)"],
        "memset" => &["p(pii)"],
        "make_symbolic" | "klee_make_symbolic" => &["v(pip)"],
        "scanf" | "printf" | "printk" => &["i(s.)"],
        "fscanf" | "sscanf" | "fprintf" | "sprintf" => &["i(ps.)"],
        "dprintf" => &["i(is.)"],
        "snprintf" => &["i(sis.)"],
        "vprintf" | "vfprintf" => &["i(s.)", "i(ps.)", "i(psp)", "i(sp)"],
        "puts" => &["i(s)"],
        "fflush" => &["i(p)"],
        "perror" => &["v(s)"],
        "putchar" => &["i(i)"],
        "srand" | "srandom" => &["v(i)"],
        "fputs" => &["i(sp)"],
        "fputc" | "putc" => &["i(ip)"],
        "rand" | "random" | "getchar" | "unknown" | "nondet" | "nondet_int" => &["i()", "p()", "f()"],
        "nan" | "nanf" | "nanl" => &["f(s)"],
        _ => match super::math(name) {
            Some(_) => &["f(f)", "i(f)", "f(ff)"],
            None => &[],
        },
    }
}

fn is_declared_as(types: &Types, declared: &FunctionType, signature: &str) -> bool {
    let (result, parameters) = signature.split_once('(').unwrap_or((signature, ""));
    let parameters = parameters.trim_end_matches(')');
    let (parameters, may_go_on) = match parameters.strip_suffix('.') {
        Some(parameters) => (parameters, true),
        None => (parameters, false),
    };
    let is = |ty: &TypeId, letter: char| match types.get(*ty) {
        Type::Void => letter == 'v',
        Type::Int(_) => letter == 'i',
        Type::Float(_) => letter == 'f',
        Type::Pointer(target) => letter == 'p' || (letter == 's' && may_be_text(types, *target)),
        _ => false,
    };
    let has_result = matches!(types.get(declared.result), Type::Void)
        || result.chars().all(|letter| is(&declared.result, letter));
    has_result
        && declared.is_variadic == may_go_on
        && declared.params.len() == parameters.len()
        && declared.params.iter().zip(parameters.chars()).all(|(ty, letter)| is(ty, letter))
}

/// Whether a pointer target may be text: characters, or a type that the program does not define.
pub(crate) fn may_be_text(types: &Types, target: TypeId) -> bool {
    match types.get(target) {
        Type::Int(_) => types.size_of(target) == Some(1),
        Type::Float(_) | Type::Record(_) | Type::Pointer(_) => false,
        _ => true,
    }
}
