//! Tasks: one question about one model, with the verdict that its source states.

mod collect;
mod definition;
mod manifest;
mod selection;

use std::fmt;
use std::path::{Path, PathBuf};

pub use collect::collect;
pub use selection::{Selection, Share};

/// One question about one model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BenchTask {
    /// The model's path relative to the task list; together with the text of the question it identifies the
    /// task in results.
    pub name: String,
    /// Where the model is.
    pub file: PathBuf,
    /// Where the other files of the model are, if it has several.
    pub further: Vec<PathBuf>,
    /// The kind of input, such as `cfa` or `petri`.
    pub family: String,
    /// The group that tables give a column to.
    pub set: String,
    /// What is asked.
    pub question: Question,
    /// What is known about the answer.
    pub expected: Expected,
}

impl BenchTask {
    /// Whether the model is a C program. The verdicts that are stated for those follow the conventions of the competition on software
    /// verification.
    pub fn is_c_program(&self) -> bool {
        self.file.extension().is_some_and(|extension| extension == "c" || extension == "i")
    }

    /// The files of the model and of the property.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        let model = std::iter::once(&self.file).chain(&self.further);
        model.chain(&self.question.property_file).map(PathBuf::as_path)
    }
}

/// The question about a model.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Question {
    /// The question as written in the task list.
    pub words: String,
    /// For `--property`; without it, the model contains the property.
    pub property: Option<String>,
    /// The file that states the property, if it is not the task list.
    pub property_file: Option<PathBuf>,
    /// For `--data-model`.
    pub data_model: Option<String>,
    /// What the integers of a program are.
    pub integers: Integers,
    /// For `--arithmetic`: how the numbers of a contract are encoded.
    pub arithmetic: Option<String>,
}

/// What the integers of a program are.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Integers {
    /// Those of the machine, with their widths.
    #[default]
    Machine,
    /// Unbounded ones: the stated verdict is for mathematics and need not hold on a machine.
    Unbounded,
}

/// The question about a script that is not a system of Horn clauses.
const INTERPOLANT: &str = "interpolant";

impl Question {
    /// Reads the column `property` of a manifest.
    ///
    /// For C programs it is a property and then, where they are stated, the data model (`ILP32` or `LP64`) and `math-int` for
    /// unbounded integers: `unreach-call ILP32`, `assertion math-int`. For SMT-LIB scripts it is the logic: Horn clauses are
    /// their own question, and for other scripts the question is an interpolant. For contracts it is `solc-verify
    /// arithmetic=MODE`: their annotations are the property. For everything else the whole text is the property.
    pub fn from_words(words: &str, family: &str) -> Question {
        let mut question = Question { words: words.to_owned(), ..Question::default() };
        let mut property: Vec<&str> = vec![words.trim()];
        if family == "c" {
            property = words.split_whitespace().collect();
            while let Some(last) = property.pop() {
                match last {
                    "ILP32" | "LP64" => question.data_model = Some(last.to_owned()),
                    "math-int" => question.integers = Integers::Unbounded,
                    _ => {
                        property.push(last);
                        break;
                    }
                }
            }
        }
        if family == "smt" {
            property = if words.starts_with("HORN") { Vec::new() } else { vec![INTERPOLANT] };
        }
        if family == "solidity" {
            let mode = words.split_whitespace().find_map(|word| word.strip_prefix("arithmetic="));
            question.arithmetic = mode.map(str::to_owned);
            property.clear();
        }
        question.property = Some(property.join(" ")).filter(|property| !property.is_empty());
        question
    }

    /// Whether the question is an interpolant of a script.
    pub fn is_interpolant(&self) -> bool {
        self.property.as_deref() == Some(INTERPOLANT)
    }

    /// Whether the model only has to be read.
    pub fn is_parse(&self) -> bool {
        self.property.as_deref() == Some("parse")
    }
}

/// What a task list states about the answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Expected {
    /// The property holds; nothing bad is reachable.
    Safe,
    /// It is violated; something bad is reachable.
    Unsafe,
    /// So many states are reachable.
    States(u128),
    /// The input is accepted.
    Accepted,
    /// The input is rejected.
    Rejected,
    /// Nothing is stated, or nothing that can be compared with a verdict.
    Unstated,
}

impl Expected {
    /// Reads the column `expected` of a manifest; `property` is the column of that name.
    ///
    /// | word | meaning |
    /// | --- | --- |
    /// | `safe`, `unreachable`, `holds` | `Safe` |
    /// | `unsafe`, `reachable`, `fails`, `violations:N` | `Unsafe` |
    /// | `states:N` | `States` |
    /// | `ok` | `Accepted` if the property is `parse`, else `Safe`: a report without findings |
    /// | `rejected`, `error` | `Rejected` |
    /// | `sat`, `unsat` | `Safe` and `Unsafe` for Horn clauses; `Unsafe` (a model) and `Safe` (an interpolant) for other scripts |
    /// | `unknown` | `Unstated` |
    pub fn from_word(word: &str, property: &str) -> Option<Expected> {
        let is_horn = property.starts_with("HORN");
        Some(match word {
            "safe" | "unreachable" | "holds" => Expected::Safe,
            "unsafe" | "reachable" | "fails" => Expected::Unsafe,
            "ok" if property == "parse" => Expected::Accepted,
            "ok" => Expected::Safe,
            "rejected" | "error" => Expected::Rejected,
            "sat" if is_horn => Expected::Safe,
            "unsat" if is_horn => Expected::Unsafe,
            "sat" => Expected::Unsafe,
            "unsat" => Expected::Safe,
            "unknown" => Expected::Unstated,
            _ => match word.split_once(':')? {
                ("states", number) => Expected::States(number.parse().ok()?),
                ("violations", number) => number.parse().map(|_: u64| Expected::Unsafe).ok()?,
                _ => return None,
            },
        })
    }
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Expected::Safe => f.write_str("safe"),
            Expected::Unsafe => f.write_str("unsafe"),
            Expected::States(number) => write!(f, "states:{number}"),
            Expected::Accepted => f.write_str("accepted"),
            Expected::Rejected => f.write_str("rejected"),
            Expected::Unstated => f.write_str("unknown"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_about_programs_end_with_the_data_model() {
        let read = |words| {
            let question = Question::from_words(words, "c");
            (question.property, question.data_model, question.integers)
        };
        let text = |text: &str| Some(text.to_owned());
        assert_eq!(read("unreach-call ILP32"), (text("unreach-call"), text("ILP32"), Integers::Machine));
        assert_eq!(read("assertion math-int"), (text("assertion"), None, Integers::Unbounded));
        assert_eq!(read("assertion LP64 math-int"), (text("assertion"), text("LP64"), Integers::Unbounded));
        assert_eq!(read("acsl-assert"), (text("acsl-assert"), None, Integers::Machine));
        let contract = Question::from_words("solc-verify arithmetic=mod", "solidity");
        assert_eq!((contract.property, contract.arithmetic), (None, text("mod")));
        let net = Question::from_words("EF p = ILP32", "petri");
        assert_eq!((net.property, net.data_model), (text("EF p = ILP32"), None));
    }

    #[test]
    fn scripts_are_asked_for_what_their_logic_allows() {
        assert_eq!(Question::from_words("HORN LIA-Lin", "smt").property, None);
        assert!(Question::from_words("QF_LIA", "smt").is_interpolant());
        assert!(!Question::from_words("QF_LIA", "cfa").is_interpolant());
    }

    #[test]
    fn stated_verdicts_have_many_words() {
        for (word, property, expected) in [
            ("safe", "G", Some(Expected::Safe)),
            ("unreachable", "deadlock", Some(Expected::Safe)),
            ("reachable", "EF p >= 1", Some(Expected::Unsafe)),
            ("states:6144", "state-space", Some(Expected::States(6144))),
            ("ok", "parse", Some(Expected::Accepted)),
            ("ok", "solc-verify arithmetic=int", Some(Expected::Safe)),
            ("violations:3", "solc-verify arithmetic=int", Some(Expected::Unsafe)),
            ("rejected", "parse", Some(Expected::Rejected)),
            ("sat", "HORN LIA", Some(Expected::Safe)),
            ("sat", "QF_LIA", Some(Expected::Unsafe)),
            ("unsat", "QF_LIA", Some(Expected::Safe)),
            ("unknown", "explore", Some(Expected::Unstated)),
            ("states:many", "state-space", None),
            ("perhaps", "G", None),
        ] {
            assert_eq!(Expected::from_word(word, property), expected, "{word} {property}");
        }
    }
}
