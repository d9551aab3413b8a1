//! Functions of the C library and of POSIX that have neither a model nor a meaning of their own.
//!
//! What they do is laid down, and their arguments decide it, so they are no part of the environment of a program. The contract of functions
//! without a body allows all that they do, and more: a proof is right, but a violation after such a call need not be one of the program.
//! Functions whose results the environment decides, such as `select`, are not listed. Nor are those that a program may well have itself.

/// Whether a function without a body is one of the library that computes what its arguments say.
pub(in crate::lower) fn is_computed(name: &str) -> bool {
    let plain = ["__builtin_", "__isoc99_", "__isoc23_"]
        .iter()
        .find_map(|prefix| name.strip_prefix(prefix))
        .unwrap_or(name);
    let is_wide = |rest: &str| WIDE.contains(&rest);
    NAMES.contains(&plain)
        || is_float_function(plain)
        || plain.strip_prefix("wcs").is_some_and(is_wide)
        || plain.strip_prefix("wmem").is_some_and(is_wide)
        || plain.strip_prefix("isw").is_some_and(|class| CLASSES.contains(&class))
}

/// Functions of `math.h` and `complex.h`, with their variants for `float` and `long double`.
fn is_float_function(name: &str) -> bool {
    let is_known = |name: &str| FLOAT_FUNCTIONS.contains(&name);
    is_known(name)
        || name.strip_suffix('f').is_some_and(is_known)
        || name.strip_suffix('l').is_some_and(is_known)
}

const FLOAT_FUNCTIONS: [&str; 82] = [
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "cabs",
    "cacos",
    "cacosh",
    "carg",
    "casin",
    "casinh",
    "catan",
    "catanh",
    "cbrt",
    "ccos",
    "ccosh",
    "cexp",
    "cimag",
    "clog",
    "conj",
    "copysign",
    "cos",
    "cosh",
    "cpow",
    "cproj",
    "creal",
    "csin",
    "csinh",
    "csqrt",
    "ctan",
    "ctanh",
    "erf",
    "erfc",
    "exp",
    "exp10",
    "exp2",
    "expm1",
    "fdim",
    "fma",
    "fmod",
    "frexp",
    "gamma",
    "hypot",
    "ilogb",
    "j0",
    "j1",
    "jn",
    "ldexp",
    "lgamma",
    "llrint",
    "llround",
    "log",
    "log10",
    "log1p",
    "log2",
    "logb",
    "lrint",
    "lround",
    "modf",
    "nextafter",
    "nexttoward",
    "pow",
    "remainder",
    "remquo",
    "scalb",
    "scalbln",
    "scalbn",
    "significand",
    "sin",
    "sincos",
    "sinh",
    "strto",
    "tan",
    "tanh",
    "tgamma",
    "y0",
    "y1",
    "yn",
    "roundeven",
    "drem",
];

/// What comes after `wcs` or `wmem`.
const WIDE: [&str; 37] = [
    "cat", "chr", "cmp", "coll", "cpy", "cspn", "dup", "len", "ncat", "ncmp", "ncpy", "nlen", "pbrk", "rchr",
    "rtombs", "nrtombs", "spn", "str", "tod", "tof", "tok", "tol", "told", "toll", "toul", "toull", "toimax",
    "toumax", "tombs", "width", "xfrm", "casecmp", "ncasecmp", "ftime", "move", "pcpy", "set",
];

/// What comes after `isw`.
const CLASSES: [&str; 13] = [
    "alnum", "alpha", "blank", "cntrl", "ctype", "digit", "graph", "lower", "print", "punct", "space",
    "upper", "xdigit",
];

const NAMES: [&str; 117] = [
    "a64l",
    "argz_add",
    "argz_count",
    "argz_create",
    "argz_next",
    "asctime_r",
    "basename",
    "bindtextdomain",
    "btowc",
    "c16rtomb",
    "c32rtomb",
    "crypt",
    "ctermid",
    "ctime_r",
    "dcgettext",
    "dgettext",
    "dirname",
    "ecvt",
    "erand48",
    "fcvt",
    "ffsl",
    "fgetwc",
    "fgetws",
    "fnmatch",
    "fputwc",
    "fputws",
    "fwide",
    "fwprintf",
    "gcvt",
    "getopt",
    "getopt_long",
    "getopt_long_only",
    "getsubopt",
    "gettext",
    "globfree",
    "hcreate",
    "hdestroy",
    "hsearch",
    "iconv",
    "imaxdiv",
    "inet_addr",
    "inet_aton",
    "inet_ntoa",
    "inet_ntop",
    "inet_pton",
    "initstate",
    "insque",
    "jrand48",
    "l64a",
    "lcong48",
    "ldiv",
    "localeconv",
    "lsearch",
    "mblen",
    "mbrlen",
    "mbrtoc16",
    "mbrtoc32",
    "mbrtowc",
    "mbsinit",
    "mbsnrtowcs",
    "mbsrtowcs",
    "mbstowcs",
    "mbtowc",
    "memfrob",
    "ngettext",
    "nrand48",
    "obstack_free",
    "open_wmemstream",
    "qecvt",
    "qfcvt",
    "qgcvt",
    "qsort_r",
    "regcomp",
    "regerror",
    "regexec",
    "regfree",
    "remque",
    "seed48",
    "setlocale",
    "setstate",
    "sigaddset",
    "sigandset",
    "sigdelset",
    "sigemptyset",
    "sigfillset",
    "sigisemptyset",
    "sigismember",
    "sigorset",
    "strcoll_l",
    "strerror_l",
    "strerror_r",
    "strfmon",
    "strfroml",
    "strfry",
    "strptime",
    "strsignal",
    "strtod_l",
    "strtok_r",
    "strtol_l",
    "strverscmp",
    "strxfrm_l",
    "swprintf",
    "swscanf",
    "tdelete",
    "textdomain",
    "tfind",
    "timelocal",
    "toascii",
    "towctrans",
    "towlower",
    "towupper",
    "tsearch",
    "twalk",
    "vsscanf",
    "vswprintf",
    "wctob",
    "wctomb",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_of_the_library_are_known() {
        for name in ["hypotf", "wcslen", "wmemset", "iswalpha", "strptime", "__isoc99_vsscanf", "sinl"] {
            assert!(is_computed(name), "{name}");
        }
        for name in ["select", "poll", "frobnicate", "wcsfrobnicate", "f", "l"] {
            assert!(!is_computed(name), "{name}");
        }
    }
}
