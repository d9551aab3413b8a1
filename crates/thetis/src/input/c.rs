//! C programs: the preprocessor, the property, and the way into an automaton.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};

use thetis_base::{Diagnostics, FileId, SourceMap, Span};
use thetis_c::hir::{DataModel, Program};
use thetis_c::lower::{Arithmetic, LowerOptions, Lowered, Property, lower};
use thetis_c::{LineMarkers, SourceOptions};
use thetis_model::cfa::LocId;

use super::{Asked, read_text, reporting, show};
use crate::args::{ArithmeticArg, DataModelArg, QuestionArgs};
use crate::failure::Failure;

/// A program that was read.
pub(super) struct Loaded {
    pub(super) lowered: Lowered,
    /// What the limits of the automaton are, and where.
    pub(super) limits: BTreeMap<LocId, String>,
}

/// Reads the program in `file`; what is asked of it may name a data model and unbounded integers.
pub(super) fn read(
    path: &Path,
    file: FileId,
    sources: &mut SourceMap,
    question: &QuestionArgs,
    asked: &Asked<'_>,
) -> Result<Loaded, Failure> {
    let words = Words::of(asked)?;
    let data_model = words.data_model.or(question.data_model).unwrap_or(DataModelArg::Lp64);
    let data_model = match data_model {
        DataModelArg::Ilp32 => DataModel::Ilp32,
        DataModelArg::Lp64 => DataModel::Lp64,
    };
    let (text, line_markers) = preprocess(path, file, sources)?;
    let options = SourceOptions { data_model, line_markers };
    let program = check(sources, text, &options)?;
    let arithmetic = match question.arithmetic {
        ArithmeticArg::Auto if words.is_math => Arithmetic::Int,
        ArithmeticArg::Auto => Arithmetic::Auto,
        ArithmeticArg::Int => Arithmetic::Int,
        ArithmeticArg::Bv => Arithmetic::Bv,
        ArithmeticArg::Mod => Arithmetic::Mod,
    };
    let options = LowerOptions {
        arithmetic,
        property: words.property(&program),
        recursion_bound: question.recursion_bound,
        ..LowerOptions::default()
    };
    let whole = Span { file, start: 0, end: 0 };
    let lowered = reporting(sources, |diagnostics| lower(&program, &options, whole, diagnostics))?;
    let limits = lowered.origin.limits.iter();
    let limits = limits.map(|limit| (limit.location, told(sources, limit.span, &limit.reason))).collect();
    Ok(Loaded { lowered, limits })
}

/// Reads the text and shows what there is to say about it.
fn check(sources: &mut SourceMap, text: FileId, options: &SourceOptions) -> Result<Program, Failure> {
    let mut diagnostics = Diagnostics::new();
    let program = thetis_c::check_with_library(sources, text, options, &mut diagnostics);
    show(&diagnostics, sources);
    program.map_err(|_reported| Failure::reported())
}

/// `file:line: words`.
fn told(sources: &SourceMap, span: Span, words: &str) -> String {
    format!("{}:{}: {words}", sources.file(span.file).name(), sources.start(span).line)
}

/// The words of a question about a program.
#[derive(Default)]
struct Words {
    property: Option<Asking>,
    data_model: Option<DataModelArg>,
    is_math: bool,
}

/// A property as users name it.
enum Asking {
    /// No call of a function; without a name, of the usual one.
    Call(Option<String>),
    Other(Property),
}

impl Words {
    fn of(asked: &Asked<'_>) -> Result<Words, Failure> {
        let text = match asked {
            Asked::Nothing | Asked::Default => return Ok(Words::default()),
            Asked::Target(_) => return Err(Failure::usage("`--target` is for Petri nets")),
            Asked::Property(text) => *text,
        };
        if Path::new(text).extension().is_some_and(|extension| extension == "prp") {
            let property = property_file(&read_text(Path::new(text))?)
                .map_err(|message| Failure::input(format!("{text}: {message}")))?;
            return Ok(Words { property: Some(property), ..Words::default() });
        }
        let mut words = Words::default();
        for word in text.split_whitespace() {
            match word {
                "ILP32" => words.data_model = Some(DataModelArg::Ilp32),
                "LP64" => words.data_model = Some(DataModelArg::Lp64),
                "math-int" => words.is_math = true,
                _ => words.property = Some(named(word).map_err(Failure::input)?),
            }
        }
        Ok(words)
    }

    /// The property, if it is open: no call of the usual error function where there is one, else no failing assertion.
    fn property(self, program: &Program) -> Property {
        let has = |name: &str| program.functions.iter().any(|function| function.name == name);
        let usual = ["reach_error", "__VERIFIER_error"].into_iter().find(|name| has(name));
        match self.property {
            Some(Asking::Other(property)) => property,
            Some(Asking::Call(Some(name))) => Property::UnreachCall(name),
            Some(Asking::Call(None)) => Property::UnreachCall(usual.unwrap_or("reach_error").to_owned()),
            None => usual.map_or(Property::Assertion, |name| Property::UnreachCall(name.to_owned())),
        }
    }
}

/// A property by its name.
fn named(word: &str) -> Result<Asking, String> {
    Ok(match word {
        "unreach-call" => Asking::Call(None),
        "unreach-label" => Asking::Other(Property::Label("ERROR".to_owned())),
        "assertion" => Asking::Other(Property::Assertion),
        "acsl-assert" => Asking::Other(Property::AcslAssert),
        "no-overflow" => Asking::Other(Property::NoOverflow),
        "valid-memsafety" => Asking::Other(Property::MemorySafety),
        "valid-memcleanup" => Asking::Other(Property::MemoryCleanup),
        "termination" | "no-data-race" => return Err(format!("the property `{word}` is not supported")),
        _ => {
            return Err(format!(
                "unknown property `{word}`, expected `unreach-call`, `unreach-label`, `assertion`, `acsl-assert`, \
                 `no-overflow`, `valid-memsafety`, `valid-memcleanup` or a `.prp` file"
            ));
        }
    })
}

/// The property of a `.prp` file: lines such as `CHECK( init(main()), LTL(G ! call(reach_error())) )`.
fn property_file(text: &str) -> Result<Asking, String> {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("//"));
    let formulas: Vec<String> = lines.map(formula_of).collect::<Result<_, _>>()?;
    let formulas: Vec<&str> = formulas.iter().map(String::as_str).collect();
    Ok(match &formulas[..] {
        ["G!overflow"] => Asking::Other(Property::NoOverflow),
        ["Gvalid-memcleanup"] => Asking::Other(Property::MemoryCleanup),
        [one] if let Some(name) = one.strip_prefix("G!call(").and_then(|rest| rest.strip_suffix("())")) => {
            Asking::Call(Some(name.to_owned()))
        }
        [one] if let Some(name) = one.strip_prefix("G!label(").and_then(|rest| rest.strip_suffix(')')) => {
            Asking::Other(Property::Label(name.to_owned()))
        }
        parts if !parts.is_empty() && parts.iter().all(|part| is_memory_safety(part)) => {
            Asking::Other(Property::MemorySafety)
        }
        [] => return Err("there is no property in the file".to_owned()),
        others => return Err(format!("the property `{}` is not supported", others.join(", "))),
    })
}

fn is_memory_safety(formula: &str) -> bool {
    matches!(formula, "Gvalid-free" | "Gvalid-deref" | "Gvalid-memtrack")
}

/// The formula of `CHECK( init(main()), LTL(formula) )`, without blanks.
fn formula_of(line: &str) -> Result<String, String> {
    let line: String = line.split_whitespace().collect();
    let inner = line.strip_prefix("CHECK(init(main()),LTL(").and_then(|rest| rest.strip_suffix("))"));
    inner
        .map(str::to_owned)
        .ok_or_else(|| format!("expected `CHECK( init(main()), LTL(…) )`, found `{line}`"))
}

/// The file to parse and what its line markers mean. A text with directives goes through the preprocessor of the system.
fn preprocess(path: &Path, file: FileId, sources: &mut SourceMap) -> Result<(FileId, LineMarkers), Failure> {
    let is_done = path.extension().is_some_and(|extension| extension == "i");
    if is_done || !has_directives(sources.file(file).text()) {
        return Ok((file, LineMarkers::Ignore));
    }
    let output = Command::new("cc")
        .args(["-E", "-x", "c"])
        .arg(path)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| {
            Failure::input(format!(
                "{}: has preprocessor directives, and the preprocessor `cc -E` cannot be started ({error}); give the \
                 file in preprocessed form (`.i`)",
                path.display()
            ))
        })?;
    if !output.status.success() {
        let words = String::from_utf8_lossy(&output.stderr);
        return Err(Failure::input(format!(
            "{}: the preprocessor failed:\n{}",
            path.display(),
            words.trim_end()
        )));
    }
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let name = path.display().to_string();
    let preprocessed = sources.add(format!("{name} (preprocessed)"), text);
    Ok((preprocessed, LineMarkers::Follow(BTreeMap::from([(name, file)]))))
}

/// Whether a line is a directive other than `#pragma` and line markers.
fn has_directives(text: &str) -> bool {
    text.lines().any(|line| {
        let directive = line.trim_start().strip_prefix('#').map(str::trim_start);
        directive.is_some_and(|directive| {
            let word: String = directive.chars().take_while(char::is_ascii_alphabetic).collect();
            !word.is_empty() && !matches!(word.as_str(), "pragma" | "line" | "ident")
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(asking: Result<Asking, String>) -> String {
        match asking {
            Ok(Asking::Call(name)) => format!("{name:?}"),
            Ok(Asking::Other(property)) => format!("{property:?}"),
            Err(message) => message,
        }
    }

    #[test]
    fn property_files_are_read_by_their_content() {
        let line = |formula: &str| format!("CHECK( init(main()), LTL({formula}) )\n");
        for (formula, expected) in [
            ("G ! call(reach_error())", "Some(\"reach_error\")"),
            ("G ! call(__VERIFIER_error())", "Some(\"__VERIFIER_error\")"),
            ("G ! label(ERROR)", "Label(\"ERROR\")"),
            ("G ! overflow", "NoOverflow"),
            ("G valid-memcleanup", "MemoryCleanup"),
            ("F end", "the property `Fend` is not supported"),
        ] {
            assert_eq!(shown(property_file(&line(formula))), expected);
        }
        let three = ["G valid-free", "G valid-deref", "G valid-memtrack"].map(line).join("\n");
        assert_eq!(shown(property_file(&three)), "MemorySafety");
        assert_eq!(shown(property_file("// nothing\n")), "there is no property in the file");
        assert!(shown(property_file("CHECK(")).starts_with("expected"));
    }

    #[test]
    fn directives_are_told_from_markers() {
        assert!(has_directives("#include <stdio.h>\n"));
        assert!(has_directives("int x;\n  # define A 1\n"));
        assert!(!has_directives("# 12 \"a.c\"\n#pragma once\nint x; // #include\n"));
    }
}
