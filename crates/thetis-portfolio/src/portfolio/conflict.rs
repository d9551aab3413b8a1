//! Entries of stage files that contradict others or have no effect.
//!
//! Whoever writes an option expects that it matters. An option of another engine, one that a pass around has already used, or an entry about
//! stages side by side where there are none would be ignored in silence, so each of them is an error at its place in the file.

use toml::{Spanned, Table, Value};

use super::stage::{GroupPass, Stage, UseOfFacts};
use crate::catalog::{Listed, engines};
use crate::options::explain;
use crate::{Config, EngineName};

/// What is wrong with an entry.
#[derive(Debug)]
pub(crate) struct Conflict {
    /// The names of the tables around the entry, the numbers of stages, and the entry itself.
    place: Vec<Key>,
    message: String,
}

#[derive(Debug)]
enum Key {
    Name(String),
    Number(usize),
}

/// What is said around a stage.
#[derive(Clone, Default)]
struct Around {
    /// Whether it is an inner stage.
    is_inner: bool,
    facts: Option<UseOfFacts>,
    passes: Vec<GroupPass>,
}

/// The first conflict in the stages of a file.
pub(crate) fn conflict(stages: &[Stage]) -> Option<Conflict> {
    Checker { engines: engines() }.in_stages(stages, &Around::default())
}

impl Conflict {
    /// About an entry of a stage, whose name may have dots.
    fn at(entry: &str, message: impl Into<String>) -> Conflict {
        Conflict {
            place: entry.split('.').map(|name| Key::Name(name.to_owned())).collect(),
            message: message.into(),
        }
    }

    fn in_stage(mut self, number: usize) -> Conflict {
        self.place.splice(0..0, [Key::Name("stage".to_owned()), Key::Number(number)]);
        self
    }

    /// The message, with the position of the entry in the text of the file.
    pub(crate) fn located(&self, text: &str) -> String {
        let Some(offset) = self.offset(text) else { return self.message.clone() };
        let before = &text[..offset];
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        format!("line {line}, column {column}: {}", self.message)
    }

    /// Where the entry, or the innermost part of the file around it, begins.
    fn offset(&self, text: &str) -> Option<usize> {
        let document = toml::de::DeTable::parse(text).ok()?;
        let mut offset = None;
        let mut tables = Some(document.get_ref());
        let mut value: Option<&Spanned<toml::de::DeValue<'_>>> = None;
        for key in &self.place {
            match key {
                Key::Name(name) => {
                    let entry = tables.and_then(|table| {
                        table.iter().find(|(key, _)| key.get_ref().as_ref() == name.as_str())
                    });
                    let Some((key, found)) = entry else { break };
                    offset = Some(key.span().start);
                    value = Some(found);
                }
                Key::Number(number) => {
                    let found = value.and_then(|value| value.get_ref().get(*number));
                    let Some(found) = found else { break };
                    offset = Some(found.span().start);
                    value = Some(found);
                }
            }
            tables = value.and_then(|value| value.get_ref().as_table());
        }
        offset
    }
}

struct Checker {
    engines: Vec<Listed>,
}

impl Checker {
    fn in_stages(&self, stages: &[Stage], around: &Around) -> Option<Conflict> {
        stages.iter().enumerate().find_map(|(number, stage)| {
            let conflict = among(stages, number, around);
            conflict.or_else(|| self.in_stage(stage, around)).map(|conflict| conflict.in_stage(number))
        })
    }

    fn in_stage(&self, stage: &Stage, around: &Around) -> Option<Conflict> {
        let inside = Around {
            is_inner: true,
            facts: stage.facts.or(around.facts),
            passes: around.passes.iter().copied().chain(stage.pass).collect(),
        };
        shape(stage, around)
            .or_else(|| self.in_settings(stage, around))
            .or_else(|| self.about_facts(stage, around))
            .or_else(|| self.in_stages(&stage.stages, &inside))
    }

    /// The engine of a stage without inner ones.
    fn engine(&self, stage: &Stage) -> Option<&Listed> {
        self.engines.iter().find(|listed| listed.info.name == stage.engine.as_str())
    }

    /// Options that do not exist, or that nobody reads.
    fn in_settings(&self, stage: &Stage, around: &Around) -> Option<Conflict> {
        settings(&stage.set, "").into_iter().find_map(|(key, value)| {
            let entry = format!("set.{key}");
            if let Some(message) = wrong_setting(&key, &value) {
                return Some(Conflict::at(&entry, message));
            }
            if let Some(pass) = around.passes.iter().find(|pass| is_among(pass.options(), &key)) {
                let message = format!(
                    "`{key}` has no effect after the pass `{}`; it belongs to the stage with the pass",
                    pass.name()
                );
                return Some(Conflict::at(&entry, message));
            }
            let message = match stage.stages.is_empty() {
                _ if self.reads(stage, &key) => return None,
                true => {
                    format!("`{key}` has no effect: the engine `{}` does not read it", stage.engine.as_str())
                }
                false => format!("`{key}` has no effect: no inner stage reads it"),
            };
            Some(Conflict::at(&entry, message))
        })
    }

    /// Whether a stage or one inside of it reads an option.
    fn reads(&self, stage: &Stage, key: &str) -> bool {
        stage.pass.is_some_and(|pass| is_among(pass.options(), key))
            || stage.stages.iter().any(|inner| self.reads(inner, key))
            || (stage.stages.is_empty()
                && self.engine(stage).is_some_and(|listed| is_among(&listed.options, key)))
    }

    /// Facts that nobody uses or reports.
    fn about_facts(&self, stage: &Stage, around: &Around) -> Option<Conflict> {
        if stage.hands_on && !self.reports(stage) {
            let able = self.names(|listed| listed.reports);
            return Some(Conflict::at("hands-on", format!("only {able} find facts that can be handed on")));
        }
        let wanted = stage.facts.or(around.facts)?;
        let word = match wanted {
            UseOfFacts::Ignore | UseOfFacts::Best => return None,
            UseOfFacts::Assumptions => "assumptions",
            UseOfFacts::Lemmas => "lemmas",
            UseOfFacts::Predicates => "predicates",
        };
        let is_able = |listed: &Listed| listed.uses.contains(&wanted);
        if !stage.stages.is_empty() || self.engine(stage).is_some_and(is_able) {
            return None;
        }
        let entry = if stage.facts.is_some() { "facts" } else { "engine" };
        Some(Conflict::at(entry, format!("`facts = \"{word}\"` is for stages with {}", self.names(is_able))))
    }

    fn reports(&self, stage: &Stage) -> bool {
        match stage.stages.is_empty() {
            true => self.engine(stage).is_some_and(|listed| listed.reports),
            false => stage.stages.iter().any(|inner| self.reports(inner)),
        }
    }

    fn names(&self, is_wanted: impl Fn(&Listed) -> bool) -> String {
        let names = self.engines.iter().filter(|listed| is_wanted(listed)).map(|listed| listed.info.name);
        names.collect::<Vec<&str>>().join(", ")
    }
}

/// Entries about stages side by side, for the stage with this number.
fn among(stages: &[Stage], number: usize, around: &Around) -> Option<Conflict> {
    let stage = &stages[number];
    if around.is_inner {
        let is_wrong = stage.beside || stage.share_beside.is_some();
        let entry = if stage.beside { "beside" } else { "share-beside" };
        return is_wrong.then(|| Conflict::at(entry, "inner stages run one after the other"));
    }
    if stage.beside && number == 0 {
        return Some(Conflict::at("beside", "there is no stage before the first one"));
    }
    let is_alone = !stage.beside && stages.get(number + 1).is_none_or(|next| !next.beside);
    if stage.share_beside.is_some() && is_alone {
        return Some(Conflict::at("share-beside", "no stage runs beside this one"));
    }
    let conflict = || Conflict::at("pass", "a stage with `pass = \"bit-vectors\"` cannot run beside others");
    (stage.pass == Some(GroupPass::BitVectors) && !is_alone).then(conflict)
}

/// Entries that contradict each other, for a stage alone.
fn shape(stage: &Stage, around: &Around) -> Option<Conflict> {
    let is_group = !stage.stages.is_empty();
    let is_on_bit_vectors = stage.pass == Some(GroupPass::BitVectors);
    let conflicts = [
        (stage.pass.is_some() && !is_group, "pass", "`pass` is for stages with inner stages"),
        (
            is_group && ![EngineName::AUTO, EngineName::PORTFOLIO].contains(&stage.engine),
            "engine",
            "a stage has an engine or inner stages, not both",
        ),
        (
            !is_group && stage.engine == EngineName::PORTFOLIO,
            "engine",
            "a stage with the engine `portfolio` needs inner stages",
        ),
        (
            around.is_inner && stage.worker == Some(true),
            "worker",
            "an inner stage cannot have a process of its own",
        ),
        (is_on_bit_vectors && around.is_inner, "pass", "`pass = \"bit-vectors\"` is for outermost stages"),
        (
            is_on_bit_vectors && stage.worker != Some(false),
            "pass",
            "a stage with `pass = \"bit-vectors\"` needs `worker = false`",
        ),
        (
            is_on_bit_vectors && stage.hands_on,
            "hands-on",
            "facts about bit-vectors are of no use to other stages",
        ),
        (
            is_on_bit_vectors && stage.facts.is_some(),
            "facts",
            "facts of other stages are of no use to a stage with `pass = \"bit-vectors\"`",
        ),
    ];
    let conflict = conflicts.into_iter().find(|(is_wrong, ..)| *is_wrong);
    conflict.map(|(_, entry, message)| Conflict::at(entry, message))
}

/// Why a stage cannot set an option to a value.
fn wrong_setting(key: &str, value: &Value) -> Option<String> {
    let group = key.split('.').next().unwrap_or(key);
    match group {
        "engine" | "stage" => return Some(format!("`{group}` is no option but an entry of the stage")),
        "arithmetic" | "c" => {
            return Some(format!(
                "`{key}` is for the whole file: the program is translated before the first stage"
            ));
        }
        _ => {}
    }
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let error = Config::default().with_settings(&[format!("{key}={value}")]).err()?;
    Some(explain(key, &text).unwrap_or(error).to_string())
}

/// The options in a table, with their values.
fn settings(table: &Table, prefix: &str) -> Vec<(String, Value)> {
    let entries = table.iter().flat_map(|(name, value)| match value {
        Value::Table(inner) => settings(inner, &format!("{prefix}{name}.")),
        value => vec![(format!("{prefix}{name}"), value.clone())],
    });
    entries.collect()
}

/// Whether an option is one of `options`, some of which are tables.
fn is_among(options: &[&str], key: &str) -> bool {
    options
        .iter()
        .any(|option| key.strip_prefix(option).is_some_and(|rest| rest.is_empty() || rest.starts_with('.')))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(text: &str) -> String {
        let text = format!("engine = 'portfolio'\n{text}");
        Config::from_toml(&text).map_or_else(|error| error.to_string(), |_| "accepted".to_owned())
    }

    #[test]
    fn entries_without_an_effect_are_rejected_at_their_place() {
        for (text, expected) in [
            (
                "[[stage]]\nengine = 'bmc'\nset.cegar.domain = 'expl'",
                "line 4, column 11: `cegar.domain` has no effect: the engine `bmc` does",
            ),
            (
                "[[stage]]\nengine = 'bmc'\n[stage.set.kind]\nmax-k = 3",
                "line 5, column 1: `kind.max-k` has no effect",
            ),
            (
                "[[stage]]\nengine = 'bmc'\nset = { bmc = { max-bound = 2 }, kind = { max-k = 3 } }",
                "line 4, column 43: `kind.max-k`",
            ),
            (
                "[[stage]]\nengine = 'bmc'\nset.bmc.max-bond = 3",
                "line 4, column 9: there is no option `bmc.max-bond`; did you mean `bmc.max-bound`?",
            ),
            (
                "[[stage]]\nengine = 'bmc'\nset.bmc.max-bound = 'many'",
                "line 4, column 9: `bmc.max-bound` is a whole number, not `many`",
            ),
            ("[[stage]]\nengine = 'bmc'\nset.engine = 'kind'", "line 4, column 5: `engine` is no option"),
            (
                "[[stage]]\nset.c.recursion-bound = 3",
                "line 3, column 7: `c.recursion-bound` is for the whole file",
            ),
            ("[[stage]]\nset.arithmetic = 'bv'", "`arithmetic` is for the whole file"),
            (
                "[[stage]]\nengine = 'exhaust'\nset.passes.slice = false",
                "the engine `exhaust` does not read it",
            ),
            ("[[stage]]\nengine = 'bmc'\nset.passes.unfold = 50", "the engine `bmc` does not read it"),
            ("[[stage]]\nset.ice.seed = 7\n[[stage.stage]]\nengine = 'exhaust'", "`ice.seed`"),
            ("[[stage]]\nset.bmc.max-bound = 3\n[[stage.stage]]\nengine = 'kind'", "no inner stage reads it"),
            (
                "[[stage]]\npass = 'simplify'\n[[stage.stage]]\nengine = 'bmc'\nset.passes.slice = false",
                "line 6, column 12: `passes.slice` has no effect after the pass `simplify`",
            ),
            (
                "[[stage]]\npass = 'merge'\n[[stage.stage]]\nengine = 'bmc'\nset.passes.max-block = 7",
                "after the pass `merge`",
            ),
            (
                "[[stage]]\npass = 'merge'\nengine = 'bmc'",
                "line 3, column 1: `pass` is for stages with inner stages",
            ),
            (
                "[[stage]]\nengine = 'bmc'\n[[stage.stage]]\nengine = 'kind'",
                "line 3, column 1: a stage has an engine or inner stages",
            ),
            ("[[stage]]\nengine = 'portfolio'", "needs inner stages"),
            ("[[stage]]\nengine = 'bmc'\nbeside = true", "line 4, column 1: there is no stage before"),
            ("[[stage]]\nengine = 'bmc'\nshare-beside = 50", "no stage runs beside this one"),
            (
                "[[stage]]\n[[stage.stage]]\nengine = 'bmc'\n[[stage.stage]]\nengine = 'kind'\nbeside = true",
                "line 7, column 1: inner stages run one after the other",
            ),
            (
                "[[stage]]\n[[stage.stage]]\nengine = 'bmc'\nworker = true",
                "line 5, column 1: an inner stage cannot",
            ),
            (
                "[[stage]]\nengine = 'imc'\nhands-on = true",
                "line 4, column 1: only auto, kind, ic3, cegar find facts",
            ),
            (
                "[[stage]]\nengine = 'exhaust'\nfacts = 'assumptions'",
                "line 4, column 1: `facts = \"assumptions\"` is for stages with",
            ),
            (
                "[[stage]]\nfacts = 'lemmas'\n[[stage.stage]]\nengine = 'cegar'",
                "line 5, column 1: `facts = \"lemmas\"` is for stages with auto, bmc, kind, ic3",
            ),
        ] {
            let message = message(text);
            assert!(message.contains(expected), "{text}\n{message}");
        }
    }

    #[test]
    fn stages_on_bit_vectors_are_alone() {
        const STAGE: &str = "[[stage]]\npass = 'bit-vectors'\nworker = false\n";
        const INNER: &str = "[[stage.stage]]\nengine = 'bmc'\n";
        for (text, expected) in [
            (format!("{STAGE}{INNER}"), "accepted"),
            (format!("{STAGE}{INNER}[[stage]]\nengine = 'bmc'"), "accepted"),
            (
                format!("{STAGE}{INNER}[[stage]]\nengine = 'bmc'\nbeside = true"),
                "line 3, column 1: a stage with `pass = \"bit-vectors\"` cannot run beside",
            ),
            (format!("[[stage]]\nengine = 'bmc'\n{STAGE}beside = true\n{INNER}"), "cannot run beside"),
            (format!("{STAGE}facts = 'best'\n{INNER}"), "line 5, column 1: facts of other stages"),
            (
                format!("{STAGE}hands-on = true\n[[stage.stage]]\nengine = 'cegar'"),
                "line 5, column 1: facts about bit-vectors",
            ),
        ] {
            assert!(message(&text).contains(expected), "{text}\n{}", message(&text));
        }
    }

    #[test]
    fn entries_with_an_effect_are_accepted() {
        for text in [
            "[[stage]]\nset.cegar.domain = 'expl'\nset.passes.slice = false",
            "[[stage]]\nengine = 'cegar'\nset.passes.unfold = 50\nset.ice.seed = 7\nset.cegar.rls.multiplier = 2.0",
            "[[stage]]\nengine = 'ice'\nset.bmc.max-bound = 50",
            "[[stage]]\nset.bmc.max-bound = 3\nset.passes.slice = false\npass = 'simplify'\n[[stage.stage]]\nengine = 'bmc'",
            "[[stage]]\nengine = 'bmc'\nshare-beside = 50\n[[stage]]\nengine = 'kind'\nbeside = true\nhands-on = true",
            "[[stage]]\nfacts = 'lemmas'\n[[stage.stage]]\nengine = 'kind'",
            "[[stage]]\nengine = 'portfolio'\n[[stage.stage]]\nengine = 'kind'",
        ] {
            assert_eq!(message(text), "accepted", "{text}");
        }
    }

    /// Every option belongs to an engine, a pass or the front end, so a new one is not forgotten here.
    #[test]
    fn every_option_is_read_by_somebody() {
        let engines = engines();
        for option in crate::options::options() {
            let key = option.key.as_str();
            let is_for_files = is_among(&["engine", "arithmetic", "c"], key);
            let readers = engines.iter().filter(|listed| listed.info.name != EngineName::AUTO.as_str());
            let is_read = readers.into_iter().any(|listed| is_among(&listed.options, key));
            assert!(is_for_files != is_read, "{key}");
        }
        for listed in &engines {
            let group = [listed.info.name];
            let has_options = crate::options::options().iter().any(|option| is_among(&group, &option.key));
            assert!(!has_options || listed.options.contains(&listed.info.name), "{}", listed.info.name);
        }
    }
}
