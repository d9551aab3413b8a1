//! The types with which functions are declared that are known without a body.
//!
//! A program may have a function of its own in another file that is called `free`, `assume` or `round`. If it is declared with another type than
//! the function that everybody knows, it is another function. Old programs declare functions without parameters, without a result or with
//! integers and pointers of other types, which says nothing. But nobody gives a result to a function that has none, or takes text as numbers.
//!
//! A signature is written as its result with its parameters in parentheses: `p` is a pointer, `s` one to text, `i` an integer,
//! `f` a floating number, `v` nothing, and `.` stands for further arguments.

use crate::hir::{Function, FunctionType, Type, TypeId, Types};

/// Whether a function may be the one that everybody knows by its name.
pub(crate) fn fits(types: &Types, function: &Function) -> bool {
    let name = &*function.name;
    if is_reserved(name) {
        return true;
    }
    let is_old_style = function.ty.params.is_empty() && function.ty.is_variadic;
    match signatures(name) {
        [] => true,
        _ if is_old_style => !is_unknown_input(name),
        known => known.iter().any(|signature| is_declared_as(types, &function.ty, signature)),
    }
}

/// Whether a program may not use a name for a function of its own.
fn is_reserved(name: &str) -> bool {
    let mut characters = name.chars();
    characters.next() == Some('_') && characters.next().is_some_and(|next| next == '_' || next.is_uppercase())
}

/// Names that benchmarks have for inputs. With arguments they are something else.
fn is_unknown_input(name: &str) -> bool {
    matches!(name, "unknown" | "nondet" | "nondet_int")
}

/// The signatures of a function; none if its type does not matter, since calls of it are not modelled.
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

/// Whether what a pointer points to may be text: characters, or something that the program does not say.
pub(crate) fn may_be_text(types: &Types, target: TypeId) -> bool {
    match types.get(target) {
        Type::Int(_) => types.size_of(target) == Some(1),
        Type::Float(_) | Type::Record(_) | Type::Pointer(_) => false,
        _ => true,
    }
}
