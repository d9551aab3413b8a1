//! Properties of programs: the names on the command line, and the property files of the competition on software
//! verification, which are recognised by their content, not by their names.
//!
//! ```text
//! CHECK( init(main()), LTL(G ! call(reach_error())) )
//! ```

use std::collections::BTreeSet;
use std::num::NonZeroU32;

use crate::hir::Program;
use crate::lower::{Asked, MemoryRule, Property};

/// The default error functions: the current one, and the one before 2020.
const ERROR_FUNCTIONS: [&str; 2] = ["reach_error", "__VERIFIER_error"];

/// The label whose reachability is a violation in old tasks.
const ERROR_LABEL: &str = "ERROR";

/// The words that [`parse`] knows.
pub const WORDS: [&str; 17] = [
    "unreach-call",
    "unreach-label",
    "assertion",
    "acsl-assert",
    "no-overflow",
    "no-unsigned-overflow",
    "no-lossy-conversion",
    "no-division-by-zero",
    "valid-shift",
    "valid-init",
    "valid-memory",
    "valid-memsafety",
    "valid-free",
    "valid-deref",
    "valid-bounds",
    "valid-memtrack",
    "valid-memcleanup",
];

/// The property in `text`: a word such as `unreach-call`, or the content of a property file. An error is in words.
pub fn parse(text: &str, program: &Program) -> Result<Property, String> {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("//"));
    let lines: Vec<&str> = lines.collect();
    if lines.iter().any(|line| line.starts_with("CHECK")) {
        return of_checks(&lines);
    }
    match text.trim() {
        "unreach-call" => error_function(program),
        "unreach-label" => Ok(Property::Label(ERROR_LABEL.to_owned())),
        "assertion" => Ok(Property::Assertion),
        "acsl-assert" => Ok(Property::AcslAssert),
        "no-overflow" => Ok(Property::NoOverflow),
        "no-unsigned-overflow" => Ok(Property::NoUnsignedOverflow),
        "no-lossy-conversion" => Ok(Property::NoLossyConversion),
        "no-division-by-zero" => Ok(Property::NoDivisionByZero),
        "valid-shift" => Ok(Property::ValidShift),
        "valid-init" => Ok(Property::ValidInit),
        "valid-memory" => Ok(Property::memory()),
        "valid-memsafety" => Ok(Property::memory_safety()),
        "valid-bounds" => Ok(Property::bounds()),
        other => match memory_rule(other) {
            Some(rule) => Ok(Property::Memory([rule].into())),
            None => Err(unsupported(other)),
        },
    }
}

/// The default property: no call of an error function, or no failing assertion if there is no error function.
pub fn usual(program: &Program) -> Result<Property, String> {
    if ERROR_FUNCTIONS.iter().any(|name| has_function(program, name)) {
        return error_function(program);
    }
    Ok(Property::Assertion)
}

/// The name of a property in reports: the word of the command line where there is one.
pub fn name(property: &Property) -> String {
    let with = |word: &str, name: &str, is_usual: bool| match is_usual {
        true => word.to_owned(),
        false => format!("{word}({name})"),
    };
    match property {
        Property::UnreachCall(name) => with("unreach-call", name, ERROR_FUNCTIONS.contains(&name.as_str())),
        Property::Label(name) => with("unreach-label", name, name == ERROR_LABEL),
        Property::Assertion => "assertion".to_owned(),
        Property::AcslAssert => "acsl-assert".to_owned(),
        Property::NoOverflow => "no-overflow".to_owned(),
        Property::NoUnsignedOverflow => "no-unsigned-overflow".to_owned(),
        Property::NoLossyConversion => "no-lossy-conversion".to_owned(),
        Property::NoDivisionByZero => "no-division-by-zero".to_owned(),
        Property::ValidShift => "valid-shift".to_owned(),
        Property::ValidInit => "valid-init".to_owned(),
        memory if *memory == Property::memory() => "valid-memory".to_owned(),
        memory if *memory == Property::memory_safety() => "valid-memsafety".to_owned(),
        memory if *memory == Property::bounds() => "valid-bounds".to_owned(),
        Property::Memory(rules) => rules.iter().map(|rule| rule.name()).collect::<Vec<_>>().join(", "),
    }
}

/// Two sentences: one that is true if the property holds, and one that is true if it is violated.
pub fn sentences(property: &Property) -> [String; 2] {
    match property {
        Property::UnreachCall(name) => [format!("No run calls `{name}`."), format!("A run calls `{name}`.")],
        Property::Label(name) => [
            format!("No run arrives at the label `{name}`."),
            format!("A run arrives at the label `{name}`."),
        ],
        Property::Assertion => ["No assertion fails.", "An assertion fails."].map(str::to_owned),
        Property::AcslAssert => {
            ["No annotated assertion fails.", "An annotated assertion fails."].map(str::to_owned)
        }
        Property::NoOverflow => {
            ["No signed operation overflows.", "A signed operation overflows."].map(str::to_owned)
        }
        Property::NoUnsignedOverflow => {
            ["No unsigned operation wraps around.", "An unsigned operation wraps around."].map(str::to_owned)
        }
        Property::NoLossyConversion => [
            "No conversion to an integer type changes a value.",
            "A conversion to an integer type changes a value.",
        ]
        .map(str::to_owned),
        Property::NoDivisionByZero => {
            ["No integer is divided by zero.", "An integer is divided by zero."].map(str::to_owned)
        }
        Property::ValidShift => ["No shift is out of range.", "A shift is out of range."].map(str::to_owned),
        Property::ValidInit => {
            ["No variable is read before it has a value.", "A variable is read before it has a value."]
                .map(str::to_owned)
        }
        Property::Memory(_) => ["Every run satisfies", "A run violates"]
            .map(|words| format!("{words} the rules about memory: {}.", name(property))),
    }
}

/// The places of a program that a verdict is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Places<'a> {
    /// All of them.
    All(&'a Asked),
    /// The one with this number, in the order of the text.
    Only(NonZeroU32),
}

/// What a proof of the property covers, given the places where it could be violated, and what it does not cover.
pub fn scope(property: &Property, places: Places<'_>) -> String {
    let asked = match places {
        Places::All(asked) => asked,
        Places::Only(assertion) => {
            return format!("place {assertion} of {}; not checked: all others", name(property));
        }
    };
    let num_places = asked.others.len();
    let checked = match property {
        Property::Assertion => counted(num_places, "assertion"),
        Property::AcslAssert => counted(num_places, "annotated assertion"),
        Property::UnreachCall(name) if num_places == 0 => format!("no call of {name} to check"),
        Property::UnreachCall(name) if num_places == 1 => format!("1 call of {name}"),
        Property::UnreachCall(name) => format!("{num_places} calls of {name}"),
        Property::Label(name) => counted(num_places, &format!("label {name}")),
        Property::NoOverflow => counted(num_places, "signed operation"),
        Property::NoUnsignedOverflow => counted(num_places, "unsigned operation"),
        Property::NoLossyConversion => counted(num_places, "conversion"),
        Property::NoDivisionByZero => counted(num_places, "division"),
        Property::ValidShift => counted(num_places, "shift"),
        Property::ValidInit => counted(num_places, "read"),
        Property::Memory(rules) => memory_scope(rules, asked),
    };
    let others = [
        ("assertions", matches!(property, Property::Assertion)),
        ("overflow", matches!(property, Property::NoOverflow)),
        ("division by zero", matches!(property, Property::NoDivisionByZero)),
        ("shifts", matches!(property, Property::ValidShift)),
        ("memory safety", matches!(property, Property::Memory(_))),
        ("initial values", matches!(property, Property::ValidInit)),
    ];
    let others: Vec<&str> =
        others.into_iter().filter(|(_, is_asked)| !is_asked).map(|(word, _)| word).collect();
    format!("{checked}; not checked: {}", others.join(", "))
}

fn counted(number: usize, word: &str) -> String {
    match number {
        0 => format!("no {word} to check"),
        1 => format!("1 {word}"),
        number => format!("{number} {word}s"),
    }
}

/// The places that rules about memory apply to. Accesses to variables by name need no check and are not counted.
fn memory_scope(rules: &BTreeSet<MemoryRule>, asked: &Asked) -> String {
    let asks = |rule: MemoryRule| rules.contains(&rule);
    let accesses = match asked.others.len() {
        1 => "1 access".to_owned(),
        number => format!("{number} accesses"),
    };
    let parts = [
        (accesses, !asked.others.is_empty()),
        (counted(asked.frees.len(), "free"), asks(MemoryRule::Free) && !asked.frees.is_empty()),
        ("lost blocks".to_owned(), asks(MemoryRule::Track) || asks(MemoryRule::Cleanup)),
    ];
    let parts: Vec<String> =
        parts.into_iter().filter(|(_, is_asked)| *is_asked).map(|(part, _)| part).collect();
    match parts.is_empty() {
        true if asks(MemoryRule::Deref) => counted(0, "access"),
        true => counted(0, "free"),
        false => parts.join(", "),
    }
}

/// The property as a property file says it: a line for each of its rules.
pub fn specification(property: &Property) -> String {
    let formula = match property {
        Property::Memory(rules) => {
            let asked = MemoryRule::ALL.into_iter().filter(|rule| rules.contains(rule));
            let lines = asked.map(|rule| check(&format!("G {}", rule.name())));
            return lines.collect::<Vec<_>>().join("\n");
        }
        Property::UnreachCall(name) => format!("G ! call({name}())"),
        Property::Label(name) => format!("G ! label({name})"),
        Property::Assertion => "G assert".to_owned(),
        Property::AcslAssert => "G acsl-assert".to_owned(),
        Property::NoOverflow => "G ! overflow".to_owned(),
        Property::NoUnsignedOverflow => "G ! unsigned-overflow".to_owned(),
        Property::NoLossyConversion => "G ! lossy-conversion".to_owned(),
        Property::NoDivisionByZero => "G ! division-by-zero".to_owned(),
        Property::ValidShift => "G valid-shift".to_owned(),
        Property::ValidInit => "G valid-init".to_owned(),
    };
    check(&formula)
}

fn check(formula: &str) -> String {
    format!("CHECK( init(main()), LTL({formula}) )")
}

fn memory_rule(name: &str) -> Option<MemoryRule> {
    MemoryRule::ALL.into_iter().find(|rule| rule.name() == name)
}

fn unsupported(property: &str) -> String {
    let words = WORDS.join(", ");
    format!(
        "property `{property}` is not supported for C programs, expected {words}, or a `.prp` file (`thetis check` also takes `all`)"
    )
}

fn has_function(program: &Program, name: &str) -> bool {
    program.functions.iter().any(|function| function.name == name)
}

fn error_function(program: &Program) -> Result<Property, String> {
    let present: Vec<&str> = ERROR_FUNCTIONS.into_iter().filter(|name| has_function(program, name)).collect();
    match present.as_slice() {
        [_, _, ..] => Err(format!(
            "the program has the functions `{}`; say which one must not be called: \
             CHECK( init(main()), LTL(G ! call(NAME())) )",
            present.join("` and `")
        )),
        [name] => Ok(Property::UnreachCall((*name).to_owned())),
        [] => Ok(Property::UnreachCall(ERROR_FUNCTIONS[0].to_owned())),
    }
}

/// The property of the lines of a file. Several lines are rules about memory.
fn of_checks(lines: &[&str]) -> Result<Property, String> {
    let mut property = None;
    for line in lines {
        let next = of_formula(formula(line)?)?;
        property = Some(match property {
            None => next,
            Some(known) => joined(known, next)?,
        });
    }
    property.ok_or_else(|| "the property file asks nothing".to_owned())
}

fn joined(left: Property, right: Property) -> Result<Property, String> {
    match (left, right) {
        (Property::Memory(left), Property::Memory(right)) => {
            Ok(Property::Memory(left.union(&right).copied().collect()))
        }
        (left, right) if left == right => Ok(left),
        _ => Err("the property file asks several things at once".to_owned()),
    }
}

/// The formula of `CHECK( init(main()), LTL(formula) )`.
fn formula(line: &str) -> Result<String, String> {
    let text: String = line.chars().filter(|letter| !letter.is_whitespace()).collect();
    let inner = text.strip_prefix("CHECK(init(").and_then(|rest| rest.strip_suffix("))"));
    let (entry, formula) = inner
        .and_then(|inner| inner.split_once("()),LTL("))
        .ok_or_else(|| format!("`{line}` is not of the form CHECK( init(main()), LTL(…) )"))?;
    if entry != "main" {
        return Err(format!("programs start with `main`, not with `{entry}`"));
    }
    Ok(formula.to_owned())
}

fn of_formula(formula: String) -> Result<Property, String> {
    let named = |prefix: &str, suffix: &str| {
        let name = formula.strip_prefix(prefix)?.strip_suffix(suffix)?;
        Some(name.to_owned())
    };
    if let Some(function) = named("G!call(", "())") {
        return Ok(Property::UnreachCall(function));
    }
    if let Some(label) = named("G!label(", ")") {
        return Ok(Property::Label(label));
    }
    match formula.as_str() {
        "G!overflow" => Ok(Property::NoOverflow),
        "G!unsigned-overflow" => Ok(Property::NoUnsignedOverflow),
        "G!lossy-conversion" => Ok(Property::NoLossyConversion),
        "G!division-by-zero" => Ok(Property::NoDivisionByZero),
        "Gvalid-shift" => Ok(Property::ValidShift),
        "Gvalid-init" => Ok(Property::ValidInit),
        "Gassert" => Ok(Property::Assertion),
        "Gacsl-assert" => Ok(Property::AcslAssert),
        _ => match formula.strip_prefix('G').and_then(memory_rule) {
            Some(rule) => Ok(Property::Memory([rule].into())),
            None => Err(unsupported(&formula)),
        },
    }
}

#[cfg(test)]
mod tests {
    use thetis_base::{Diagnostics, FileId, SourceMap, Span};

    use super::*;
    use crate::SourceOptions;

    fn program(text: &str) -> Program {
        let mut sources = SourceMap::new();
        let file = sources.add("test.c", text);
        crate::check(&sources, file, &SourceOptions::default(), &mut Diagnostics::new()).unwrap()
    }

    #[test]
    fn scopes_count_what_was_asked() {
        let spans = |number: u32| {
            (0..number).map(|at| Span { file: FileId::new(0), start: at, end: at + 1 }).collect()
        };
        let others = "overflow, division by zero, shifts, memory safety, initial values";
        for (property, places, frees, expected) in [
            (Property::Assertion, 0, 0, format!("no assertion to check; not checked: {others}")),
            (Property::Assertion, 3, 0, format!("3 assertions; not checked: {others}")),
            (
                Property::UnreachCall("f".to_owned()),
                1,
                0,
                format!("1 call of f; not checked: assertions, {others}"),
            ),
        ] {
            let asked = Asked { others: spans(places), frees: spans(frees) };
            assert_eq!(scope(&property, Places::All(&asked)), expected);
        }
        for (property, places, frees, expected) in [
            (Property::NoOverflow, 12, 0, "12 signed operations"),
            (Property::ValidInit, 1, 0, "1 read"),
            (Property::ValidShift, 0, 0, "no shift to check"),
            (Property::memory(), 12, 2, "12 accesses, 2 frees, lost blocks"),
            (Property::memory(), 0, 0, "lost blocks"),
            (Property::bounds(), 0, 0, "no access to check"),
            (Property::bounds(), 1, 0, "1 access"),
            (Property::Memory([MemoryRule::Free].into()), 0, 0, "no free to check"),
        ] {
            let asked = Asked { others: spans(places), frees: spans(frees) };
            let scope = scope(&property, Places::All(&asked));
            assert_eq!(scope.split_once("; not checked: assertions, ").unwrap().0, expected);
        }
    }

    #[test]
    fn files_are_known_by_their_content() {
        let program = program("int main(void) { return 0; }");
        for (text, expected) in [
            ("CHECK( init(main()), LTL(G ! call(f_1())) )\n", Ok(Property::UnreachCall("f_1".to_owned()))),
            (
                "// a comment\n\nCHECK(init(main()),LTL(G ! label(ERROR)))",
                Ok(Property::Label("ERROR".to_owned())),
            ),
            ("CHECK( init(main()), LTL(G ! overflow) )", Ok(Property::NoOverflow)),
            (
                "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )",
                Ok(Property::Memory([MemoryRule::Free, MemoryRule::Deref].into())),
            ),
            (
                "CHECK( init(main()), LTL(G valid-memcleanup) )",
                Ok(Property::Memory([MemoryRule::Cleanup].into())),
            ),
            ("valid-memtrack", Ok(Property::Memory([MemoryRule::Track].into()))),
            ("valid-memsafety", Ok(Property::memory_safety())),
        ] {
            assert_eq!(parse(text, &program), expected, "{text}");
            let written = specification(expected.as_ref().unwrap());
            assert_eq!(parse(&written, &program), expected, "{written}");
        }
        for (text, expected) in [
            ("unreach-call", "unreach-call"),
            ("CHECK( init(main()), LTL(G ! call(f())) )", "unreach-call(f)"),
            ("unreach-label", "unreach-label"),
            ("acsl-assert", "acsl-assert"),
            ("no-overflow", "no-overflow"),
            ("no-unsigned-overflow", "no-unsigned-overflow"),
            ("no-lossy-conversion", "no-lossy-conversion"),
            ("valid-init", "valid-init"),
            ("no-division-by-zero", "no-division-by-zero"),
            ("valid-shift", "valid-shift"),
            ("valid-deref", "valid-deref"),
            ("valid-memsafety", "valid-memsafety"),
        ] {
            let property = parse(text, &program).unwrap();
            assert_eq!(name(&property), expected);
            assert_eq!(parse(&specification(&property), &program), Ok(property), "{text}");
        }
        for text in [
            "CHECK( init(main()), LTL(F end) )",
            "CHECK( init(other()), LTL(G ! overflow) )",
            "CHECK( main, G ! overflow )",
            "CHECK( init(main()), LTL(G ! overflow) )\nCHECK( init(main()), LTL(G valid-free) )",
            "termination",
            "",
        ] {
            assert!(parse(text, &program).is_err(), "{text}");
        }
    }

    #[test]
    fn the_program_says_which_function_is_the_error() {
        let asked = |text: &str| parse("unreach-call", &program(text));
        let call = |name: &str| Ok(Property::UnreachCall(name.to_owned()));
        assert_eq!(asked("void reach_error(void);"), call("reach_error"));
        assert_eq!(asked("void __VERIFIER_error(void);"), call("__VERIFIER_error"));
        assert_eq!(asked("int x;"), call("reach_error"));
        assert!(asked("void reach_error(void), __VERIFIER_error(void);").is_err());
        assert_eq!(usual(&program("int x;")), Ok(Property::Assertion));
        assert_eq!(usual(&program("void __VERIFIER_error(void);")), call("__VERIFIER_error"));
    }
}
