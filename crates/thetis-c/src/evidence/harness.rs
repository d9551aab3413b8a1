//! A C file that makes the compiled program violate its property.
//!
//! The file defines the functions that the program declares and leaves to its environment. Input functions return the
//! values of a run, in order; the violation prints a line and ends the program with a special status. Whether the
//! program reaches it depends only on the compiler, so a harness is evidence that does not rely on the model.
//!
//! How the violation is detected depends on the property. A call of a function without a body is a call of the harness.
//! A call of a function with a body is detected by the hook of `-finstrument-functions`, and also without that option
//! if the function fails an assertion, as `reach_error` usually does. Failing assertions end in `__assert_fail`, which
//! the harness defines. Overflow becomes a trap by `-fsanitize`, and the harness handles its signal. Invalid accesses
//! and frees are detected by the address sanitizer, which calls the harness.
//!
//! The C library is not replaced. The program's input comes from a pipe that the harness puts on standard input, or
//! from memory that the library opens as a stream; to set the arguments of `main`, the program is restarted with them.
//!
//! A harness cannot control values that no function returns: uninitialised variables and addresses of objects. For the
//! former there is a remedy: if the inputs also reach the violation when the compiler fills such variables, the
//! instructions in the file request that option ([`simulate`](super::simulate)); otherwise the harness leaves a word on
//! the stack with which they do, if there is one.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use num_bigint::BigInt;
use num_traits::Signed;
use thetis_base::printable;
use thetis_expr::Value;
use thetis_model::cfa::{CfaTrace, Rounds};
use thiserror::Error;

use super::Translated;
use super::arguments::arguments;
use super::inputs::{Delivered, deliveries, has_model, inputs};
use super::simulate::{Filling, has_open_values, reaches, words};
use super::stdin::{Text, reads_text, text};
use super::value::{float, number};
use crate::hir::{Callee, ExprKind, FloatKind, Function, Machine, Program, Type, TypeId};
use crate::library::MODEL_PREFIX;
use crate::lower::{MemoryRule, Part, Property, ViolationKind, is_input, split_pointer, walk_body};
use crate::property;

/// What a violation prints on standard error.
pub const MARKER: &str = "thetis: the violation is reached";

/// The status with which a program ends at the violation.
pub const REACHED: u8 = 10;

/// Functions of the harness other than inputs, if the program declares but does not define them.
const ASSUMPTIONS: [&str; 2] = ["__VERIFIER_assume", "assume"];
const ASSERTIONS: [&str; 2] = ["__VERIFIER_assert", "assert"];
const SILENT: [&str; 2] = ["__VERIFIER_atomic_begin", "__VERIFIER_atomic_end"];

/// A file that makes the compiled program violate its property.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Harness {
    /// The file, in C.
    pub text: String,
    /// The options with which a compiler has to build the program and the file.
    pub options: Vec<&'static str>,
    /// The machine that it is for.
    pub machine: Machine,
}

/// Why a run has no harness.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum NoHarness {
    /// A step stands for calls that are not among the steps.
    #[error("its calls are deeper than `c.recursion-bound`")]
    DeepCalls,
    /// A step stands for loop iterations that read inputs.
    #[error("it reads the same input too often")]
    RepeatedInputs,
    /// The program starts with another function than `main`.
    #[error("a function by itself is not called by a compiled program")]
    FunctionAlone,
    /// The run depends on the order of steps.
    #[error("a compiled program decides itself which thread takes the next step")]
    Threads,
    /// The property is about a label.
    #[error("arriving at a label cannot be seen from outside the program")]
    Label,
    /// The property is about assertions that are not code.
    #[error("assertions in comments are not compiled")]
    Comment,
    /// The property has no counterpart in the compiler; its name.
    #[error("the compiler has no check for {0}")]
    Unchecked(String),
    /// The index leaves an array but not its object.
    #[error("the address sanitizer does not see an index that leaves an array inside its object")]
    InnerBounds,
    /// Memory is leaked.
    #[error("blocks that are lost or left cannot be seen from outside the program")]
    LostBlocks,
}

/// The harness for a run that violates `property`. `program` is the file name for the instructions in it. Some
/// properties cannot be observed from outside.
pub fn harness(
    translated: Translated<'_>,
    trace: &CfaTrace,
    property: &Property,
    program: &str,
) -> Result<Harness, NoHarness> {
    if let Some(reason) = lost_inputs(trace) {
        return Err(reason);
    }
    let violation = violation(translated, trace, property)?;
    let open = filling(translated, trace);
    let machine = translated.program.types.machine();
    let surroundings = surroundings(translated, trace, property);
    let options = [options(property, machine, &open), surroundings.options].concat();
    let text = head(program, &options, &open, None) + &violation + &surroundings.text;
    Ok(Harness { text, options, machine })
}

/// Why the steps of a run lack some inputs of the program, if they do.
fn lost_inputs(trace: &CfaTrace) -> Option<NoHarness> {
    let in_rounds = |rounds: &Rounds| &trace.steps[rounds.first..rounds.first + rounds.len];
    let mut repeated = trace.rounds.iter().flat_map(in_rounds);
    match trace.deep {
        Some(_) => Some(NoHarness::DeepCalls),
        None if repeated.any(|step| !step.inputs.is_empty()) => Some(NoHarness::RepeatedInputs),
        None => None,
    }
}

/// A file that makes the compiled program take a run, which reaches what `goal` says.
pub fn test(
    translated: Translated<'_>,
    trace: &CfaTrace,
    property: &Property,
    program: &str,
    goal: &str,
) -> String {
    let open = if has_open_values(translated, trace) { Open::Uncontrolled } else { Open::Nothing };
    let noticed = violation(translated, trace, property).unwrap_or_default();
    let surroundings = surroundings(translated, trace, property);
    let options = options(property, translated.program.types.machine(), &open);
    let options = [options, surroundings.options].concat();
    head(program, &options, &open, Some(goal)) + &noticed + &surroundings.text
}

/// The values that environment functions return in a run, as C constants.
pub fn input_values(translated: Translated<'_>, trace: &CfaTrace) -> Vec<String> {
    let delivered = deliveries(translated, trace).into_iter();
    delivered.map(|(_, (ty, value))| constant(translated, ty, &value)).collect()
}

/// What a run gets from outside the program.
struct Surroundings {
    /// In C.
    text: String,
    /// The options that it needs.
    options: Vec<&'static str>,
}

fn surroundings(translated: Translated<'_>, trace: &CfaTrace, property: &Property) -> Surroundings {
    let inputs = inputs(translated, trace);
    let mut options = Vec::new();
    let mut text = match text(translated, trace) {
        None => String::new(),
        Some(Text::Standard(input)) => feeding(&input),
        Some(Text::File { text, opened }) => {
            options.push("-Wl,--wrap=fopen");
            opening(&text, &opened)
        }
    };
    if let Some(arguments) = arguments(translated, trace) {
        text.push_str(&starting(&arguments));
    }
    for function in undefined(translated, property, &inputs) {
        let name = function.name.as_str();
        let is_violation = matches!(property, Property::UnreachCall(error) if error == name);
        let is_known = !is_input(&translated.program.types, function);
        let result = c_type(translated, function.ty.result);
        // Writing to a string cannot fail.
        let _ = if is_violation {
            writeln!(text, "\nvoid {name}() {{ violation_reached(); }}")
        } else if is_known && ASSUMPTIONS.contains(&name) {
            writeln!(text, "\nvoid {name}(int holds) {{ if (!holds) ended(\"an assumption fails\"); }}")
        } else if is_known && ASSERTIONS.contains(&name) {
            let failed = match property {
                Property::Assertion => "violation_reached()",
                _ => "ended(\"an assertion fails\")",
            };
            writeln!(text, "\nvoid {name}(int holds) {{ if (!holds) {failed}; }}")
        } else if SILENT.contains(&name) || result.is_none() {
            writeln!(text, "\nvoid {name}() {{ }}")
        } else {
            let values = inputs.get(name).map_or(&[][..], Vec::as_slice);
            let values: Vec<String> =
                values.iter().map(|(ty, value)| constant(translated, *ty, value)).collect();
            writeln!(text, "\n{}", input_function(name, &result.unwrap_or_default(), &values))
        };
    }
    Surroundings { text, options }
}

/// The compiler options that a property, a machine and uninitialised variables need.
fn options(property: &Property, machine: Machine, open: &Open) -> Vec<&'static str> {
    let mut options = match machine {
        // The verdict is about rounded numbers.
        Machine::I386 => vec!["-m32", "-msse2", "-mfpmath=sse"],
        _ => Vec::new(),
    };
    options.extend_from_slice(match property {
        Property::UnreachCall(_) => &["-fwrapv", "-finstrument-functions"],
        Property::NoOverflow => &["-fsanitize=signed-integer-overflow", "-fsanitize-undefined-trap-on-error"],
        Property::NoDivisionByZero => {
            &["-fwrapv", "-fsanitize=integer-divide-by-zero", "-fsanitize-undefined-trap-on-error"]
        }
        Property::ValidShift => {
            &["-fwrapv", "-fsanitize=shift-exponent", "-fsanitize-undefined-trap-on-error"]
        }
        Property::Memory(_) => &["-fwrapv", "-fsanitize=address"],
        Property::Assertion
        | Property::Label(_)
        | Property::AcslAssert
        | Property::NoUnsignedOverflow
        | Property::NoLossyConversion
        | Property::ValidInit => &["-fwrapv"],
    });
    match open {
        Open::Option(option) => options.push(option),
        Open::Word(_) => options.extend(["-O0", "-Wl,--wrap=main"]),
        Open::Nothing | Open::Uncontrolled => {}
    }
    options
}

/// How the compiler must treat uninitialised variables.
enum Open {
    /// The run has none.
    Nothing,
    /// This option makes the program violate its property.
    Option(&'static str),
    /// So does a stack full of this word.
    Word(u32),
    /// None of these does.
    Uncontrolled,
}

fn filling(translated: Translated<'_>, trace: &CfaTrace) -> Open {
    if !has_open_values(translated, trace) {
        Open::Nothing
    } else if reaches(translated, trace, Filling::Zero) {
        Open::Option("-ftrivial-auto-var-init=zero")
    } else if reaches(translated, trace, Filling::Pattern) {
        Open::Option("-ftrivial-auto-var-init=pattern")
    } else {
        let word = words(trace).into_iter().find(|word| reaches(translated, trace, Filling::Word(*word)));
        word.map_or(Open::Uncontrolled, Open::Word)
    }
}

/// Fills the stack with a word where the frames of `main` and its callees will be. The linker redirects the call of
/// `main` here, because the C library leaves other words there before that call.
fn stack_of(word: u32) -> String {
    format!(
        "\n/* What the program does not initialise holds what was on the stack. */\n\
         __attribute__((noinline)) QUIET static void fill_stack(void) {{\n\
         \x20   volatile unsigned words[16384];\n\
         \x20   for (int number = 0; number < 16384; number++) words[number] = {word}u;\n}}\n\n\
         extern int __real_main(int, char **, char **);\n\n\
         QUIET int __wrap_main(int count, char **arguments, char **environment) {{\n\
         \x20   fill_stack();\n\
         \x20   /* The frame of main starts below that of fill_stack. */\n\
         \x20   __builtin_alloca(256);\n\
         \x20   return __real_main(count, arguments, environment);\n}}\n"
    )
}

/// A text as it can stand in a comment.
fn commented(text: &[u8]) -> String {
    String::from_utf8_lossy(text).escape_debug().to_string().replace("*/", "*\\/")
}

/// Starts the program again with the arguments of the run: only the system can give them to `main`.
fn starting(arguments: &[Vec<u8>]) -> String {
    let strings = arguments.iter().map(|argument| {
        let bytes: String = argument.iter().map(|byte| format!("\\{byte:03o}")).collect();
        format!("(char *)\"{bytes}\", ")
    });
    let shown: Vec<String> =
        arguments.iter().map(|argument| format!("\"{}\"", commented(argument))).collect();
    format!(
        "\n/* The arguments of the program, the first of which is its name: {} */\n\
         extern int execv(const char *, char *const *), setenv(const char *, const char *, int);\n\
         extern char *getenv(const char *);\n\n\
         __attribute__((constructor)) QUIET static void give_arguments(void) {{\n\
         \x20   static char *arguments[] = {{ {}0 }};\n\
         \x20   if (getenv(\"THETIS_ARGUMENTS\")) return;\n\
         \x20   setenv(\"THETIS_ARGUMENTS\", \"given\", 1);\n\
         \x20   execv(\"/proc/self/exe\", arguments);\n}}\n",
        shown.join(" "),
        strings.collect::<String>(),
    )
}

/// Lets the program open a file with a text. The linker redirects calls of `fopen` here.
fn opening(text: &[u8], opened: &[bool]) -> String {
    let bytes: String = text.iter().map(|byte| format!("{byte}, ")).collect();
    let opened: String = opened.iter().map(|is_open| format!("{}, ", u8::from(*is_open))).collect();
    format!(
        "\n/* What the program reads from the file that it opens: \"{}\" */\n\
         extern void *fmemopen(void *, unsigned long, const char *);\n\
         extern void *__real_fopen(const char *, const char *);\n\n\
         static unsigned char contents[] = {{ {bytes}0 }};\n\n\
         QUIET void *__wrap_fopen(const char *name, const char *mode) {{\n\
         \x20   static const char is_opened[] = {{ {opened}0 }};\n\
         \x20   static unsigned next;\n\
         \x20   if (next + 1 == sizeof is_opened) ended(\"fopen is called more often than in the run\");\n\
         \x20   if (!is_opened[next++]) return 0;\n\
         \x20   if (*mode != 'r' || sizeof contents == 1) return __real_fopen(\"/dev/null\", mode);\n\
         \x20   return fmemopen(contents, sizeof contents - 1, \"r\");\n}}\n",
        commented(text),
    )
}

/// Puts a text on standard input, where the C library finds it.
fn feeding(input: &[u8]) -> String {
    let bytes: Vec<String> = input.iter().map(u8::to_string).collect();
    let shown = commented(input);
    format!(
        "\n/* What the program reads from standard input: \"{shown}\" */\n\
         extern int pipe(int *), dup2(int, int), close(int);\n\n\
         static const unsigned char input[] = {{ {}{}0 }};\n\n\
         __attribute__((constructor)) QUIET static void feed_input(void) {{\n\
         \x20   int ends[2];\n\
         \x20   if (pipe(ends)) return;\n\
         \x20   write(ends[1], input, sizeof input - 1);\n\
         \x20   close(ends[1]);\n\
         \x20   dup2(ends[0], 0);\n\
         \x20   close(ends[0]);\n}}\n",
        bytes.join(", "),
        if bytes.is_empty() { "" } else { ", " },
    )
}

fn head(program: &str, options: &[&str], open: &Open, goal: Option<&str>) -> String {
    let options = options.join(" ");
    let stack = match open {
        Open::Word(word) => stack_of(*word),
        _ => String::new(),
    };
    let remark = match open {
        Open::Nothing | Open::Option(_) | Open::Word(_) => "",
        Open::Uncontrolled => {
            " *\n * The run depends on variables that the program never initialises. Their values are the compiler's choice,\n \
             * so it may happen that the program takes another run.\n"
        }
    };
    let program = shell_word(program);
    let (purpose, output) = match goal {
        None => ("violates its property".to_owned(), "violation"),
        // A line break after a backslash would join what stands around it.
        Some(goal) => (format!("takes a run to {}", printable(goal).replace("*/", "* /")), "program"),
    };
    let end = match goal {
        None => format!("ends with status {REACHED} and prints \"{MARKER}\""),
        Some(_) => format!("takes it; if the property is violated there, it ends with status {REACHED}"),
    };
    format!(
        "/* The surroundings in which {program} {purpose}.\n\
         \x20*\n\
         \x20*     gcc -w {options} -o {output} {program} THIS_FILE && ./{output}\n\
         \x20*\n\
         \x20* {end}.\n\
         {remark}\
         \x20*/\n\
         extern long write(int, const void *, unsigned long);\n\
         extern void _exit(int);\n\
         \n\
         #define QUIET __attribute__((no_instrument_function))\n\
         \n\
         QUIET static void say(const char *text) {{\n\
         \x20   unsigned long length = 0;\n\
         \x20   while (text[length]) length++;\n\
         \x20   write(2, text, length);\n\
         \x20   write(2, \"\\n\", 1);\n\
         }}\n\
         \n\
         QUIET static void violation_reached(void) {{\n\
         \x20   say(\"{MARKER}\");\n\
         \x20   _exit({REACHED});\n\
         }}\n\
         \n\
         QUIET static void ended(const char *why) {{\n\
         \x20   say(why);\n\
         \x20   _exit(11);\n\
         }}\n\
         {stack}"
    )
}

/// The name of a file as one word of a shell command inside a comment of C, or `PROGRAM` if there is no such word. A name that
/// starts like an option is given with its folder.
fn shell_word(name: &str) -> String {
    if name.contains(char::is_control) || name.contains("*/") {
        return "PROGRAM".to_owned();
    }
    let folder = if name.starts_with(['-', '@']) { "./" } else { "" };
    let is_plain = |letter: char| letter.is_alphanumeric() || "_./+-@".contains(letter);
    if name.chars().all(is_plain) {
        return format!("{folder}{name}");
    }
    format!("'{folder}{}'", name.replace('\'', "'\\''"))
}

/// The code that detects the violation, besides functions without a body.
fn violation(translated: Translated<'_>, trace: &CfaTrace, property: &Property) -> Result<String, NoHarness> {
    match property {
        Property::UnreachCall(name) => {
            let functions = &translated.program.functions;
            let is_defined =
                functions.iter().any(|function| function.name == *name && function.body.is_some());
            if !is_defined {
                return Ok(String::new());
            }
            let assertion = assert_fail(
                translated,
                &format!(
                    "const char *name = \"{name}\";\n    while (*name && *name == *function) name++, \
                     function++;\n    if (*name == *function) violation_reached();\n    \
                     ended(\"an assertion fails\");"
                ),
            );
            Ok(format!(
                "\n__attribute__((weak)) void {name}();\n\n\
                 QUIET void __cyg_profile_func_enter(void *function, void *site) {{\n\
                 \x20   if (function == (void *)&{name}) violation_reached();\n}}\n\n\
                 QUIET void __cyg_profile_func_exit(void *function, void *site) {{ }}\n{assertion}"
            ))
        }
        Property::Assertion => Ok(assert_fail(translated, "violation_reached();")),
        Property::NoOverflow | Property::NoDivisionByZero | Property::ValidShift => {
            Ok("\nextern void (*signal(int, void (*)(int)))(int);\n\n\
             static void trapped(int number) { violation_reached(); }\n\n\
             __attribute__((constructor)) static void handle_traps(void) {\n\
             \x20   signal(4, trapped); /* SIGILL */\n\
             \x20   signal(5, trapped); /* SIGTRAP */\n}\n"
                .to_owned())
        }
        Property::Label(_) => Err(NoHarness::Label),
        Property::AcslAssert => Err(NoHarness::Comment),
        Property::NoUnsignedOverflow | Property::NoLossyConversion | Property::ValidInit => {
            Err(NoHarness::Unchecked(property::name(property).to_string()))
        }
        Property::Memory(_) => invalid_access(translated, trace),
    }
}

/// The code that detects accesses and frees that the address sanitizer reports.
fn invalid_access(translated: Translated<'_>, trace: &CfaTrace) -> Result<String, NoHarness> {
    let violation = translated.lowered.violation_of(trace);
    let is_access = |kind| {
        matches!(kind, ViolationKind::Memory(MemoryRule::Deref) | ViolationKind::Memory(MemoryRule::Free))
    };
    if !violation.is_some_and(|violation| is_access(violation.kind)) {
        return Err(match violation.map(|violation| violation.kind) {
            Some(ViolationKind::Memory(MemoryRule::Bounds)) => NoHarness::InnerBounds,
            _ => NoHarness::LostBlocks,
        });
    }
    Ok(format!(
        "\nconst char *__asan_default_options(void) {{\n\
         \x20   return \"detect_leaks=0:detect_stack_use_after_return=1:exitcode={REACHED}\";\n}}\n\n\
         void __asan_on_error(void) {{ say(\"{MARKER}\"); }}\n"
    ))
}

/// What failing assertions call, unless the program defines it.
fn assert_fail(translated: Translated<'_>, action: &str) -> String {
    let name = "__assert_fail";
    let functions = &translated.program.functions;
    if functions.iter().any(|function| function.name == name && function.body.is_some()) {
        return String::new();
    }
    format!(
        "\nvoid {name}(const char *condition, const char *file, unsigned line, const char *function) {{\n    \
         {action}\n}}\n"
    )
}

/// The functions that the program calls but does not define, and that no C library has.
fn undefined<'a>(
    translated: Translated<'a>,
    property: &Property,
    inputs: &BTreeMap<String, Vec<Delivered>>,
) -> Vec<&'a Function> {
    let program = translated.program;
    let mut called = BTreeSet::new();
    for function in &program.functions {
        for part in walk_body(function.body.as_deref().unwrap_or_default()) {
            if let Part::Expr(expr) = part {
                match &expr.kind {
                    ExprKind::Call(Callee::Function(callee), _) => drop(called.insert(*callee)),
                    ExprKind::FunctionAddress(callee) => drop(called.insert(*callee)),
                    _ => {}
                }
            }
        }
    }
    let functions = called.into_iter().map(|function| &program.functions[function]);
    let is_ours = |function: &Function| match &function.name {
        name if matches!(property, Property::UnreachCall(error) if error == name) => true,
        name if has_model(program, function) => inputs.contains_key(name) && !reads_text(translated, name),
        _ => is_surrounding(program, function),
    };
    let is_internal = |function: &Function| function.name.starts_with(MODEL_PREFIX);
    let functions = functions.filter(|function| function.body.is_none() && !is_internal(function));
    functions.filter(|function| is_ours(function)).collect()
}

/// Whether harnesses define a function without a body: an input, a verifier function, or an unknown one.
fn is_surrounding(program: &Program, function: &Function) -> bool {
    let name = &*function.name;
    let is_own = ASSUMPTIONS.contains(&name) || ASSERTIONS.contains(&name) || SILENT.contains(&name);
    is_own || is_input(&program.types, function)
}

fn input_function(name: &str, result: &str, values: &[String]) -> String {
    if values.is_empty() {
        return format!("{result} {name}() {{ return 0; }}");
    }
    let list = values.join(", ");
    format!(
        "{result} {name}() {{\n    static const {result} values[] = {{ {list} }};\n    static unsigned next;\n    \
         if (next == sizeof values / sizeof *values) ended(\"{name} is called more often than in the run\");\n    \
         return values[next++];\n}}"
    )
}

/// The name of a scalar type that every C file knows; none of `void` and structures.
fn c_type(translated: Translated<'_>, ty: TypeId) -> Option<String> {
    let name = match translated.program.types.get(ty) {
        Type::Int(kind) => kind.name(),
        Type::Float(FloatKind::Float) => "float",
        Type::Float(FloatKind::Double) => "double",
        Type::Float(FloatKind::LongDouble) => "long double",
        Type::Pointer(_) => "void *",
        Type::Void | Type::Array(..) | Type::Record(_) | Type::Function(_) => return None,
    };
    Some(name.to_owned())
}

/// A value as a constant of C.
fn constant(translated: Translated<'_>, ty: TypeId, value: &Value) -> String {
    let types = &translated.program.types;
    match types.get(ty) {
        Type::Float(kind) => float(*kind, value).unwrap_or_else(|| "0".to_owned()),
        Type::Pointer(_) => match split_pointer(value) {
            Some((object, offset)) => format!("(void *){}ULL", (object << 32) | u64::from(offset)),
            None => "0".to_owned(),
        },
        _ => number(types, ty, value).map_or_else(|| "0".to_owned(), |number| integer_constant(&number)),
    }
}

/// An integer as a constant expression of C that has its value, whatever the sizes of types.
pub(super) fn integer_constant(number: &BigInt) -> String {
    let magnitude = number.abs();
    let limit = BigInt::from(i64::MAX);
    if *number == BigInt::from(i64::MIN) {
        return format!("(-{limit}LL - 1)");
    }
    if magnitude > BigInt::from(u64::MAX) || (number.is_negative() && magnitude > limit) {
        let unsigned =
            if number.is_negative() { number + (BigInt::from(1) << 128u32) } else { number.clone() };
        let (high, low) = (&unsigned >> 64u32, &unsigned & BigInt::from(u64::MAX));
        let joined = format!("(((unsigned __int128){high}ULL << 64) | {low}ULL)");
        return if number.is_negative() { format!("((__int128){joined})") } else { joined };
    }
    let suffix = match () {
        () if magnitude > limit => "ULL",
        () if magnitude > BigInt::from(i32::MAX) => "LL",
        () => "",
    };
    format!("{number}{suffix}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_are_words_and_stay_in_the_comment() {
        for (name, expected) in [
            ("dir/a-b.c", "dir/a-b.c"),
            ("@x.c", "./@x.c"),
            ("-o.c", "./-o.c"),
            ("a b$(id).c", "'a b$(id).c'"),
            ("it's.c", "'it'\\''s.c'"),
            ("a*/b.c", "PROGRAM"),
            ("a\nb.c", "PROGRAM"),
        ] {
            assert_eq!(shell_word(name), expected);
        }
    }
}
