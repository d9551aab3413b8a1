//! What `thetis interpolate` prints.

use std::fmt::Write;

use serde_json::{Value as Json, json};
use thetis_base::Statistics;
use thetis_expr::smtlib::{Dialect, print_name, print_sort, print_term, print_value};
use thetis_expr::{ExprId, Store, Value, VarId};
use thetis_ice::{Data, Label};
use thetis_model::Reason;

use super::formulas::Pair;
use crate::args::InterpolateFormat;
use crate::ending;
use crate::exit::Exit;

/// The outcome.
pub(super) enum Found {
    /// A proved interpolant.
    Interpolant(ExprId),
    /// A model of both formulas.
    Model(Vec<(VarId, Value)>),
    /// Why there is neither an interpolant nor a model.
    Unknown(Reason),
}

impl Found {
    pub(super) fn exit(&self) -> Exit {
        match self {
            Found::Interpolant(_) => Exit::Safe,
            Found::Model(_) => Exit::Unsafe,
            Found::Unknown(_) => Exit::Unknown,
        }
    }

    /// Definitions in SMT-LIB, or the line of an unknown verdict.
    pub(super) fn text(&self, pair: &Pair) -> String {
        match self {
            Found::Interpolant(formula) => format!("{}\n", definition(pair, *formula)),
            Found::Model(values) => {
                let mut text = String::from("sat\n");
                for (var, value) in values {
                    let (name, sort) =
                        (print_name(&pair.store, *var), print_sort(&pair.store, pair.store.var_sort(*var)));
                    // Writing to a string cannot fail.
                    let _ =
                        writeln!(text, "(define-fun {name} () {sort} {})", print_value(&pair.store, value));
                }
                text
            }
            Found::Unknown(reason) => ending::line(reason),
        }
    }

    pub(super) fn json(&self, pair: &Pair, engine: &str, statistics: &Statistics) -> Json {
        let mut report = self.answer(pair, engine);
        report["statistics"] = json!(statistics);
        report
    }

    fn answer(&self, pair: &Pair, engine: &str) -> Json {
        let store = &pair.store;
        match self {
            Found::Interpolant(formula) => json!({
                "verdict": "interpolant",
                "engine": engine,
                "interpolant": print_term(store, *formula, Dialect::Standard),
                "shared": pair.shared.iter().map(|var| print_name(store, *var)).collect::<Vec<_>>(),
            }),
            Found::Model(values) => {
                let value = |(var, value): &(VarId, Value)| {
                    (print_name(store, *var), json!(print_value(store, value)))
                };
                json!({
                    "verdict": "satisfiable",
                    "engine": engine,
                    "model": values.iter().map(value).collect::<serde_json::Map<_, _>>(),
                })
            }
            Found::Unknown(reason) => unknown(engine, reason),
        }
    }
}

/// The output if the command has to end before it has read the formulas.
pub(super) fn unanswered(format: InterpolateFormat, engine: &str, reason: &Reason) -> String {
    match format {
        InterpolateFormat::Text => ending::line(reason),
        InterpolateFormat::Json => format!("{:#}\n", unknown(engine, reason)),
    }
}

fn unknown(engine: &str, reason: &Reason) -> Json {
    json!({
        "verdict": "unknown",
        "engine": engine,
        "reason": { "code": reason.code(), "text": reason.to_string() },
    })
}

/// The interpolant as a function of the shared variables that it uses.
fn definition(pair: &Pair, formula: ExprId) -> String {
    let store = &pair.store;
    let formal =
        |var: &VarId| format!("({} {})", print_name(store, *var), print_sort(store, store.var_sort(*var)));
    let formals: Vec<String> = store.vars_of([formula]).iter().map(formal).collect();
    format!(
        "(define-fun interpolant ({}) Bool {})",
        formals.join(" "),
        print_term(store, formula, Dialect::Standard)
    )
}

/// The points that were learned from, one per line.
pub(super) fn csv(store: &Store, data: &Data) -> String {
    let names: Vec<String> = data.vars(0).iter().map(|var| quoted(&store.var_name(*var))).collect();
    let mut text = format!("label,{}\n", names.join(","));
    for (number, point) in data.points().iter().enumerate() {
        let label = match data.labels().get(number) {
            Some(Label::Positive) => "positive",
            Some(Label::Negative) => "negative",
            None => "",
        };
        let values: Vec<String> = point.values.iter().map(ToString::to_string).collect();
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{label},{}", values.join(","));
    }
    text
}

fn quoted(name: &str) -> String {
    match name.contains([',', '"', '\n']) {
        true => format!("\"{}\"", name.replace('"', "\"\"")),
        false => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A JSON report is printed even if the command has to end while it reads or splits the formulas.
    #[test]
    fn a_command_that_has_to_end_keeps_its_format() {
        let reason = Reason::Incomplete("nothing was found".into());
        let report: Json = serde_json::from_str(&unanswered(InterpolateFormat::Json, "ice", &reason))
            .expect("a report should be JSON");
        assert_eq!((&report["verdict"], &report["engine"]), (&json!("unknown"), &json!("ice")));
        assert!(unanswered(InterpolateFormat::Text, "ice", &reason).starts_with("unknown ("));
    }
}
