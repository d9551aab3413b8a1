//! What portfolios solve because their stages pass on the facts that they have found.
//!
//! By their stages, the configurations of a result file are of three kinds: a single engine, several engines that do not share facts, and
//! several engines of which one uses facts of another. A task is solved *only through transfer* if a configuration of the last kind
//! solves it, the stage that answered had used facts, and no configuration of the other kinds solves it. The second condition excludes
//! tasks that are solved by chance, in a run that barely finishes in time.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::{Configuration, ResultFile, Row, RowOutcome, Summary};

/// One configuration of a file.
#[derive(Clone, Debug)]
pub struct Transfer {
    /// Its name.
    pub configuration: String,
    /// All its results.
    pub summary: Summary,
    /// The tasks it solves that no engine alone does.
    pub beyond_engines: Vec<String>,
    /// The tasks it solves only through transfer; `None` if its stages pass on nothing.
    pub only_through_transfer: Option<Vec<String>>,
}

/// How the stages of a configuration work together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Composition {
    Alone,
    Apart,
    Cooperating,
}

/// All configurations of `file`, in its order.
pub fn transfers(file: &ResultFile) -> Vec<Transfer> {
    let configurations = &file.header.configurations;
    let solved_by = |kinds: &[Composition]| -> BTreeSet<(&str, &str)> {
        let some = configurations.iter().filter(|one| kinds.contains(&kind(one)));
        some.flat_map(|one| solved(file, &one.name)).map(Row::task_key).collect()
    };
    let alone = solved_by(&[Composition::Alone]);
    let without = solved_by(&[Composition::Alone, Composition::Apart]);
    let transfer = |one: &Configuration| {
        let names = |passes: &dyn Fn(&Row) -> bool| -> Vec<String> {
            solved(file, &one.name).filter(|row| passes(row)).map(|row| row.task.clone()).collect()
        };
        let through = || names(&|row| !without.contains(&row.task_key()) && used_facts(&row.statistics));
        let own = file.rows.iter().filter(|row| row.configuration == one.name);
        Transfer {
            configuration: one.name.clone(),
            summary: Summary::new(own.map(Some)),
            beyond_engines: names(&|row| !alone.contains(&row.task_key())),
            only_through_transfer: (kind(one) == Composition::Cooperating).then(through),
        }
    };
    configurations.iter().map(transfer).collect()
}

fn solved<'f>(file: &'f ResultFile, configuration: &str) -> impl Iterator<Item = &'f Row> {
    let is_solved = move |row: &&Row| row.configuration == configuration && row.outcome.is_solved();
    file.rows.iter().filter(is_solved)
}

fn kind(configuration: &Configuration) -> Composition {
    let table: toml::Table = configuration.text.parse().unwrap_or_default();
    let stages = table.get("stage").and_then(toml::Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let uses_facts = |stage: &toml::Value| {
        stage.get("facts").and_then(toml::Value::as_str).is_some_and(|facts| facts != "ignore")
    };
    match stages {
        [] | [_] => Composition::Alone,
        stages if stages.iter().any(uses_facts) => Composition::Cooperating,
        _ => Composition::Apart,
    }
}

/// Whether the stage with the answer had guards that came from facts.
fn used_facts(statistics: &Value) -> bool {
    let parts = |part: &Value| part["parts"].as_array().cloned().unwrap_or_default();
    let entry = |part: &Value, name: &str| {
        let mut entries = part["entries"].as_array().into_iter().flatten();
        entries.find(|entry| entry[0] == name).map(|entry| entry[1].clone())
    };
    parts(statistics).iter().any(|stage| {
        let has_guards = |part: &Value| {
            part["name"] == "inject"
                && entry(part, "guards").and_then(|count| count.as_u64()).is_some_and(|count| count > 0)
        };
        entry(stage, "outcome").is_some_and(|outcome| outcome == "answer")
            && parts(stage).iter().any(has_guards)
    })
}

impl Transfer {
    /// How many runs had no answer in time.
    pub fn num_timeouts(&self) -> usize {
        self.summary.count(RowOutcome::Timeout)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::samples::{header, row};

    fn portfolio(name: &str, text: &str) -> Configuration {
        Configuration { name: name.to_owned(), text: text.to_owned(), ..Configuration::default_one() }
    }

    fn statistics(outcome: &str, guards: u64) -> Value {
        let inject = json!({"name": "inject", "entries": [["guards", guards]], "parts": []});
        let stage = json!({"name": "kind", "entries": [["k", 2], ["outcome", outcome]], "parts": [inject]});
        json!({"name": "portfolio", "entries": [], "parts": [stage]})
    }

    #[test]
    fn transfer_has_to_make_the_difference() {
        let mut header = header();
        let two = "[[stage]]\nengine = 'cegar'\n[[stage]]\nengine = 'kind'\n";
        header.configurations = vec![
            portfolio("alone", "[[stage]]\nengine = 'kind'\n"),
            portfolio("apart", two),
            portfolio("together", &format!("{two}facts = 'assumptions'\n")),
        ];
        let unsolved = |configuration, task| Row { outcome: RowOutcome::Timeout, ..row(configuration, task) };
        let guarded =
            |task, guards| Row { statistics: statistics("answer", guards), ..row("together", task) };
        let rows = vec![
            row("alone", "1"),
            row("apart", "1"),
            guarded("1", 5),
            unsolved("alone", "2"),
            row("apart", "2"),
            guarded("2", 5),
            unsolved("alone", "3"),
            unsolved("apart", "3"),
            guarded("3", 5),
            unsolved("alone", "4"),
            unsolved("apart", "4"),
            guarded("4", 0),
            unsolved("alone", "5"),
            unsolved("apart", "5"),
            unsolved("together", "5"),
        ];
        let all = transfers(&ResultFile { path: "r".into(), header, rows });
        let solved: Vec<usize> = all.iter().map(|one| one.summary.num_solved()).collect();
        assert_eq!(solved, [1, 2, 4]);
        assert_eq!(all[1].beyond_engines, ["2"]);
        assert_eq!(all[2].beyond_engines, ["2", "3", "4"]);
        let through: Vec<_> = all.iter().map(|one| one.only_through_transfer.clone()).collect();
        assert_eq!(through, [None, None, Some(vec!["3".to_owned()])]);
        assert_eq!(all[2].num_timeouts(), 1);
    }
}
