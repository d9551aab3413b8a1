//! Functions of the C library and of POSIX that have neither a model nor a meaning of their own.
//!
//! What they do is laid down, and their arguments decide it, so they are no part of the environment of a program. The contract of functions
//! without a body allows all that they do, and more: a proof is right, but a violation after such a call need not be one of the program.
//! Functions that a header of the system declares are such functions whatever their names are. The list is for programs that declare them
//! themselves; functions whose results the environment decides, such as `select`, are not listed. Nor are those that a program may well have itself.
//! A library knows no variables of the program by name, except for some that programs may define in its place.

use crate::hir::Function;

/// Whether a function without a body is known by its name, or belongs to a library of the system.
pub(in crate::lower) fn is_of_library(function: &Function) -> bool {
    function.is_system || is_computed(&function.name)
}

/// Variables of the library. Programs may define some of them themselves, which the library then uses.
pub(in crate::lower) fn is_variable_of_library(name: &str) -> bool {
    VARIABLES.contains(&name)
}

/// Whether a variable of the C library points to the name of the program, which is its first argument.
pub(in crate::lower) fn is_name_of_program(name: &str) -> bool {
    ["program_invocation_name", "program_invocation_short_name", "__progname", "__progname_full"]
        .contains(&name)
}

const VARIABLES: [&str; 18] = [
    "__environ",
    "_environ",
    "daylight",
    "environ",
    "getdate_err",
    "h_errno",
    "optarg",
    "opterr",
    "optind",
    "optopt",
    "program_invocation_name",
    "program_invocation_short_name",
    "signgam",
    "stderr",
    "stdin",
    "stdout",
    "timezone",
    "tzname",
];

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

const NAMES: [&str; 143] = [
    "a64l",
    "alphasort",
    "argz_add",
    "argz_count",
    "argz_create",
    "argz_next",
    "asctime_r",
    "basename",
    "bindtextdomain",
    "brk",
    "btowc",
    "c16rtomb",
    "c32rtomb",
    "clearenv",
    "crypt",
    "ctermid",
    "ctime_r",
    "dcgettext",
    "dgettext",
    "dirname",
    "ecvt",
    "erand48",
    "ether_aton",
    "fcvt",
    "fgetwc",
    "fgetws",
    "fnmatch",
    "fputwc",
    "fputws",
    "ftw",
    "fwide",
    "fwprintf",
    "fwscanf",
    "gcvt",
    "getopt",
    "getopt_long",
    "getopt_long_only",
    "getsubopt",
    "gettext",
    "getwc",
    "glob",
    "globfree",
    "hcreate",
    "hdestroy",
    "hsearch",
    "iconv",
    "iconv_close",
    "iconv_open",
    "imaxdiv",
    "inet_addr",
    "inet_aton",
    "inet_network",
    "inet_ntoa",
    "inet_ntop",
    "inet_pton",
    "initstate",
    "insque",
    "jrand48",
    "l64a",
    "lcong48",
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
    "mmap",
    "mremap",
    "munmap",
    "nftw",
    "ngettext",
    "nl_langinfo",
    "nrand48",
    "putenv",
    "putwc",
    "putwchar",
    "qecvt",
    "qfcvt",
    "qgcvt",
    "regcomp",
    "regerror",
    "regexec",
    "regfree",
    "remque",
    "sbrk",
    "scandir",
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
    "strtod_l",
    "strtol_l",
    "strtoq",
    "strtouq",
    "strverscmp",
    "strxfrm_l",
    "swprintf",
    "swscanf",
    "tdelete",
    "textdomain",
    "tfind",
    "timelocal",
    "towctrans",
    "towlower",
    "towupper",
    "tsearch",
    "twalk",
    "versionsort",
    "vfscanf",
    "vfwprintf",
    "vscanf",
    "vsscanf",
    "vswprintf",
    "vwprintf",
    "wcrtomb",
    "wctob",
    "wctomb",
    "wctrans",
    "wctype",
    "wordexp",
    "wprintf",
    "wscanf",
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
