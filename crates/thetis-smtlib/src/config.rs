//! Which program to start, and how.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// An external solver.
///
/// ```toml
/// name = "bitwuzla"
/// command = ["python3", "contrib/bitwuzla-stdio.py"]
/// logic = "QF_ABV"
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct SmtlibConfig {
    /// The name in configurations and statistics.
    pub name: String,
    /// The program and its arguments; it reads SMT-LIB commands from its standard input.
    pub command: Vec<String>,
    /// The logic to set.
    #[serde(default = "all_logics")]
    pub logic: String,
    /// Options to set besides those that Thetis needs, without the colon: `random-seed = "7"`.
    #[serde(default)]
    pub options: BTreeMap<String, String>,
    /// Whether the solver knows `get-unsat-assumptions`. If not, all assumptions are taken for the core.
    #[serde(default = "yes")]
    pub unsat_assumptions: bool,
    /// Whether values of models are asked for. Solvers that only have to answer are faster. It depends on the use of the solver, so files do not say it.
    #[serde(skip, default = "yes")]
    pub models: bool,
    /// Whether `(reset)` makes the solver forget everything, so that one process can serve one solver of Thetis after the other.
    #[serde(default)]
    pub reusable: bool,
}

impl SmtlibConfig {
    /// The program `command` with all defaults.
    pub fn new(
        name: impl Into<String>,
        command: impl IntoIterator<Item = impl Into<String>>,
    ) -> SmtlibConfig {
        SmtlibConfig {
            name: name.into(),
            command: command.into_iter().map(Into::into).collect(),
            logic: all_logics(),
            options: BTreeMap::new(),
            unsat_assumptions: yes(),
            models: yes(),
            reusable: false,
        }
    }

    /// The same for a solver that only answers: nobody asks it for values or cores.
    #[must_use]
    pub fn answers_only(self) -> SmtlibConfig {
        SmtlibConfig { unsat_assumptions: false, models: false, ..self }
    }

    /// The commands that a new process gets first.
    pub(crate) fn prologue(&self) -> String {
        let mut text = String::from("(set-option :global-declarations true)\n");
        if self.models {
            text.push_str("(set-option :produce-models true)\n");
        }
        if self.unsat_assumptions {
            text.push_str("(set-option :produce-unsat-assumptions true)\n");
        }
        for (name, value) in &self.options {
            text.push_str(&format!("(set-option :{name} {value})\n"));
        }
        text.push_str(&format!("(set-logic {})\n", self.logic));
        text
    }
}

fn all_logics() -> String {
    "ALL".into()
}

fn yes() -> bool {
    true
}
