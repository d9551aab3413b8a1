//! Functions that are known without a body.

mod known;
mod signature;

use crate::hir::{Function, Types};
pub(super) use known::{is_computed, is_name_of_program, is_of_library, is_variable_of_library};
pub(crate) use signature::{fits, may_be_text};

/// What a function does that the program declares and does not define.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Builtin {
    /// Delivers an arbitrary value of its type, as it is meant to.
    Input,
    /// Delivers an arbitrary value and has no effect that programs see: `printf`.
    Harmless,
    /// Lets only runs go on in which its argument is not zero.
    Assume,
    /// Ends the program.
    End,
    /// Reports a failed assertion and ends the program.
    AssertFail,
    /// A failed assertion if its argument is zero.
    Assert,
    /// Allocates as many bytes as its argument says, with arbitrary contents.
    Malloc,
    /// Allocates as `malloc` what is never freed, for models.
    Lasting,
    /// Allocates as `malloc` what is freed when the function returns.
    Alloca,
    /// Allocates the product of its arguments, all zero.
    Calloc,
    /// Changes the size of a block.
    Realloc,
    /// Frees a block.
    Free,
    /// Copies bytes: `memcpy`, `memmove`.
    Copy,
    /// Sets bytes.
    Fill,
    /// Makes what its first argument points to arbitrary.
    Scramble,
    /// Makes what its arguments point to arbitrary, after a format: `scanf`.
    Scan,
    /// Its first argument.
    Identity,
    /// Its argument, a pointer to something that code outside the program has a pointer to as well.
    Shared,
    /// A mathematical function.
    Math(Math),
    /// Says that the model which calls it does more than the function that it stands for.
    Approximate,
    /// Ends the run at a limit; the reason is its argument.
    Limit,
    /// Whether memory safety is asked, for models.
    ChecksMemory,
    /// Whether it is asked what may be read, for models.
    ChecksReads,
    /// A stream by its number, which is no object of the program.
    StreamAt,
    /// Whether a pointer is the stream with a number.
    IsStream,
    /// Says that the bytes at its first argument can be accessed, as many as the second says.
    Require,
    /// Says that the bytes that are written and those that are read do not overlap.
    Separate,
    /// Says that its argument, a call that is not evaluated, may happen any number of times.
    OpenCalls,
    /// Whether the program looks at `errno`, for models.
    SeesErrno,
    /// Whether the program looks at a variable of the library.
    SeesVariable,
    /// The position of the first variable argument of the function at hand.
    VaFirst,
    /// The variable argument at a position.
    VaValue,
    /// What threads are made of.
    Thread(Concurrent),
    /// A function about threads that is not modelled.
    UnknownThread,
    /// Leaves the function in a way that is not modelled: `longjmp`.
    Unsupported,
}

/// What the models of functions about threads are written with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Concurrent {
    /// Starts a thread.
    Spawn,
    /// Waits for the end of one.
    Await,
    /// Says that nobody will wait for one.
    Detach,
    /// Ends the thread itself.
    End,
    /// The number of the thread itself.
    Own,
    Lock,
    Unlock,
    TryLock,
    /// From here on no other thread takes a step.
    EnterAtomic,
    LeaveAtomic,
}

/// Functions on floating-point numbers that have exact meanings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the names are those of math.h")]
pub(super) enum Math {
    Abs,
    Sqrt,
    Floor,
    Ceil,
    Trunc,
    Round,
    NearbyInt,
    Min,
    Max,
    IsNan,
    IsInf,
    IsFinite,
    IsNormal,
    SignBit,
    Classify,
    Infinity,
    NotANumber,
}

/// The meaning of a function without a body. A function of the program that only has the name of one of these has none, which its type shows.
pub(super) fn builtin(types: &Types, function: &Function) -> Option<Builtin> {
    named(&function.name).filter(|_| fits(types, function))
}

/// The meaning that goes with a name.
fn named(name: &str) -> Option<Builtin> {
    if name.starts_with("__VERIFIER_nondet_memory") {
        return Some(Builtin::Scramble);
    }
    if name.starts_with("__VERIFIER_nondet") {
        return Some(Builtin::Input);
    }
    let is_semaphore = matches!(
        name,
        "sem_init"
            | "sem_wait"
            | "sem_trywait"
            | "sem_timedwait"
            | "sem_post"
            | "sem_getvalue"
            | "sem_destroy"
    );
    if is_semaphore || (name.starts_with("pthread_") && !name.contains("attr")) {
        return Some(Builtin::UnknownThread);
    }
    if let Some(primitive) = name.strip_prefix("__thetis_") {
        return primitive_of_models(primitive);
    }
    if let Some(plain) = name.strip_prefix("__builtin_") {
        return compilers_own(plain).or_else(|| plainly_named(plain));
    }
    plainly_named(name.strip_prefix("__isoc99_").unwrap_or(name))
}

/// Functions that are only known as `__builtin_…`, so that programs may use their names.
fn compilers_own(name: &str) -> Option<Builtin> {
    Some(match name {
        "unreachable" | "trap" => Builtin::End,
        "alloca_with_align" => Builtin::Alloca,
        "expect" | "expect_with_probability" => Builtin::Identity,
        "va_first" => Builtin::VaFirst,
        "va_value" => Builtin::VaValue,
        "prefetch" | "object_size" => Builtin::Harmless,
        "isinf_sign" => Builtin::Math(Math::IsInf),
        "inf" | "inff" | "infl" | "huge_val" | "huge_valf" | "huge_vall" => Builtin::Math(Math::Infinity),
        _ => return None,
    })
}

fn plainly_named(name: &str) -> Option<Builtin> {
    let known = match name {
        "__VERIFIER_assume" | "assume" | "__CPROVER_assume" | "__ESBMC_assume" => Builtin::Assume,
        "abort" | "exit" | "_exit" | "_Exit" | "quick_exit" => Builtin::End,
        "__assert_fail" | "__assert" | "__assert_rtn" | "__assert_func" | "__assert_perror_fail" => {
            Builtin::AssertFail
        }
        "assert" | "__VERIFIER_assert" | "__CPROVER_assert" | "__ESBMC_assert" => Builtin::Assert,
        "malloc" | "valloc" | "kmalloc" | "ldv_malloc" => Builtin::Malloc,
        "alloca" => Builtin::Alloca,
        "calloc" | "kzalloc" => Builtin::Calloc,
        "realloc" => Builtin::Realloc,
        "free" | "cfree" | "kfree" => Builtin::Free,
        "memcpy" | "memmove" | "__memcpy" | "__memcpy_chk" | "__memmove_chk" | "mempcpy" => Builtin::Copy,
        "memset" | "__memset_chk" => Builtin::Fill,
        "make_symbolic" | "klee_make_symbolic" => Builtin::Scramble,
        "scanf" | "fscanf" | "sscanf" => Builtin::Scan,
        "longjmp" | "_longjmp" | "__longjmp_chk" | "siglongjmp" => Builtin::Unsupported,
        "setjmp" | "_setjmp" | "sigsetjmp" | "__sigsetjmp" => Builtin::Unsupported,
        "getcontext" | "setcontext" | "swapcontext" | "makecontext" => Builtin::Unsupported,
        "va_start" | "va_arg" | "va_copy" | "fork" | "vfork" | "execve" | "signal" => Builtin::Unsupported,
        "va_end" => Builtin::Harmless,
        _ => return math(name).map(Builtin::Math).or_else(|| harmless(name)),
    };
    Some(known)
}

/// What the models of library functions are written with.
fn primitive_of_models(name: &str) -> Option<Builtin> {
    match name {
        "assume" => Some(Builtin::Assume),
        "approximate" => Some(Builtin::Approximate),
        "limit" => Some(Builtin::Limit),
        "checks_memory" => Some(Builtin::ChecksMemory),
        "checks_reads" => Some(Builtin::ChecksReads),
        "lasting_block" => Some(Builtin::Lasting),
        "stream_at" => Some(Builtin::StreamAt),
        "is_stream" => Some(Builtin::IsStream),
        "require" => Some(Builtin::Require),
        "separate" => Some(Builtin::Separate),
        "open_calls" => Some(Builtin::OpenCalls),
        "sees_errno" => Some(Builtin::SeesErrno),
        "sees_variable" => Some(Builtin::SeesVariable),
        "root" | "rootf" | "rootl" => Some(Builtin::Math(Math::Sqrt)),
        "outside_pointer" => Some(Builtin::Input),
        "shared_pointer" => Some(Builtin::Shared),
        "spawn" => Some(Builtin::Thread(Concurrent::Spawn)),
        "await" => Some(Builtin::Thread(Concurrent::Await)),
        "detach_thread" => Some(Builtin::Thread(Concurrent::Detach)),
        "end_thread" => Some(Builtin::Thread(Concurrent::End)),
        "own_thread" => Some(Builtin::Thread(Concurrent::Own)),
        "lock" => Some(Builtin::Thread(Concurrent::Lock)),
        "unlock" => Some(Builtin::Thread(Concurrent::Unlock)),
        "try_lock" => Some(Builtin::Thread(Concurrent::TryLock)),
        "enter_atomic" => Some(Builtin::Thread(Concurrent::EnterAtomic)),
        "leave_atomic" => Some(Builtin::Thread(Concurrent::LeaveAtomic)),
        _ => name.starts_with("any_").then_some(Builtin::Input),
    }
}

/// Whether calls of a function without a body deliver values from outside: it is meant to, or nobody knows it.
pub(crate) fn is_input(types: &Types, function: &Function) -> bool {
    matches!(builtin(types, function), Some(Builtin::Input) | None)
}

/// Whether a function that ends the program does so in an orderly way.
pub(super) fn is_exit(name: &str) -> bool {
    let plain = name.strip_prefix("__builtin_").unwrap_or(name);
    matches!(plain, "exit" | "_exit" | "_Exit" | "quick_exit")
}

fn math(name: &str) -> Option<Math> {
    let known = |name: &str| {
        Some(match name {
            "fabs" => Math::Abs,
            "sqrt" => Math::Sqrt,
            "floor" => Math::Floor,
            "ceil" => Math::Ceil,
            "trunc" => Math::Trunc,
            "round" => Math::Round,
            "nearbyint" | "rint" => Math::NearbyInt,
            "fmin" => Math::Min,
            "fmax" => Math::Max,
            "isnan" | "__isnan" => Math::IsNan,
            "isinf" | "__isinf" => Math::IsInf,
            "isfinite" | "__finite" | "finite" => Math::IsFinite,
            "isnormal" | "__isnormal" => Math::IsNormal,
            "signbit" | "__signbit" => Math::SignBit,
            "__fpclassify" => Math::Classify,
            "nan" => Math::NotANumber,
            _ => return None,
        })
    };
    known(name).or_else(|| known(name.strip_suffix('f')?)).or_else(|| known(name.strip_suffix('l')?))
}

/// Output, and bookkeeping of the verifier.
fn harmless(name: &str) -> Option<Builtin> {
    let is_harmless = matches!(
        name,
        "printf"
            | "fprintf"
            | "puts"
            | "putchar"
            | "fputs"
            | "fputc"
            | "putc"
            | "perror"
            | "fflush"
            | "vprintf"
            | "vfprintf"
            | "__printf_chk"
            | "__fprintf_chk"
            | "printk"
            | "srand"
            | "srandom"
    );
    let is_input = matches!(name, "rand" | "random" | "unknown" | "nondet" | "nondet_int" | "getchar");
    if is_input {
        return Some(Builtin::Input);
    }
    is_harmless.then_some(Builtin::Harmless)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_known_with_their_variants() {
        assert_eq!(named("__VERIFIER_nondet_uint"), Some(Builtin::Input));
        assert_eq!(named("__builtin_memcpy"), Some(Builtin::Copy));
        assert_eq!(named("fabsf"), Some(Builtin::Math(Math::Abs)));
        assert_eq!(named("sqrtl"), Some(Builtin::Math(Math::Sqrt)));
        assert_eq!(named("__isinff"), Some(Builtin::Math(Math::IsInf)));
        assert_eq!(named("pthread_barrier_wait"), Some(Builtin::UnknownThread));
        assert_eq!(named("__thetis_spawn"), Some(Builtin::Thread(Concurrent::Spawn)));
        assert_eq!(named("__builtin_trap"), Some(Builtin::End));
        assert_eq!(named("trap"), None);
        assert_eq!(named("frobnicate"), None);
    }
}
