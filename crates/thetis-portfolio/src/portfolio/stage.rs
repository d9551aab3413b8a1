//! Stages of a portfolio, as written in configurations.

use serde::{Deserialize, Serialize};
use thetis_model::Task;
use toml::Table;

use super::features::{Circumstances, When};
use crate::passes::{MERGING, SIMPLIFYING};
use crate::{EngineName, Formalism};

/// A part of a portfolio: an engine or a group of stages, with which options, for how long, on what, and what comes after it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Stage {
    /// What it is called in statistics, if not like its engine.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The engine, if there are no inner stages.
    pub engine: EngineName,
    /// The percentage of the remaining time that the stage may use.
    pub share: u32,
    /// The same when it runs beside another stage.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub share_beside: Option<u32>,
    /// The pass before the inner stages, which is applied once for all of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pass: Option<GroupPass>,
    /// Whether it may run beside the stage before it instead of after it.
    pub beside: bool,
    /// Whether it runs in a process of its own. Without, it starts quicker, but when it fails, all fails. Inner stages cannot have
    /// one, other stages do if nothing else is said. Stages that run side by side always have one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub worker: Option<bool>,
    /// What becomes of the facts that earlier stages have found. If nothing is said, inner stages do what is said of the group.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub facts: Option<UseOfFacts>,
    /// Whether the facts it finds are handed on; to report them costs a part of its time.
    pub hands_on: bool,
    /// Options that differ from those of the whole configuration, such as `{ cegar = { domain = "expl" } }`.
    pub set: Table,
    /// Only for tasks with these features.
    pub when: When,
    /// What happens when it ends without an answer.
    pub after: After,
    /// The inner stages.
    #[serde(rename = "stage", skip_serializing_if = "Vec::is_empty")]
    pub stages: Vec<Stage>,
}

/// A pass that the stages of a group share.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GroupPass {
    /// Automata: the passes that make statements simpler.
    Simplify,
    /// Automata: merges edges.
    Merge,
    /// Automata: as if arithmetic did not wrap around.
    WithoutWraps,
    /// Transition systems: only what the property depends on.
    Cone,
    /// Petri nets: the stages are for the transition system of the net.
    System,
    /// Programs: numbers are bit-vectors, not integers that are wrapped.
    BitVectors,
}

impl GroupPass {
    /// Its name in stage files.
    pub(crate) fn name(self) -> &'static str {
        match self {
            GroupPass::Simplify => "simplify",
            GroupPass::Merge => "merge",
            GroupPass::WithoutWraps => "without-wraps",
            GroupPass::Cone => "cone",
            GroupPass::System => "system",
            GroupPass::BitVectors => "bit-vectors",
        }
    }

    /// The options that it reads; what inner stages say about them comes too late.
    pub(crate) fn options(self) -> &'static [&'static str] {
        match self {
            GroupPass::Simplify => SIMPLIFYING,
            GroupPass::Merge => MERGING,
            GroupPass::Cone => &["passes.cone"],
            GroupPass::WithoutWraps | GroupPass::System | GroupPass::BitVectors => &[],
        }
    }
}

/// What a stage does with facts.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum UseOfFacts {
    /// Nothing.
    #[default]
    Ignore,
    /// Invariants become guards of the model (Imeri 2025, Algorithm 5).
    Assumptions,
    /// Invariants and predicates are candidates for lemmas, for engines that prove some.
    Lemmas,
    /// Predicates and invariants become what is tracked from the start. Only the engine `cegar` can use them.
    Predicates,
    /// What suits the engine: lemmas or predicates if it can use them, assumptions otherwise.
    Best,
}

/// What happens when a stage ends without an answer.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct After {
    /// When it gives up.
    pub unknown: Then,
    /// When its time is over.
    pub timeout: Then,
    /// When its memory is full.
    pub memory: Then,
    /// When its process ends without a word, or sends an invalid message.
    pub crash: Then,
}

/// How a portfolio goes on.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Then {
    /// With the next stage.
    #[default]
    Next,
    /// Not at all.
    Stop,
}

impl Default for Stage {
    fn default() -> Stage {
        Stage {
            name: None,
            engine: EngineName::default(),
            share: 100,
            share_beside: None,
            pass: None,
            beside: false,
            worker: None,
            facts: None,
            hands_on: false,
            set: Table::new(),
            when: When::default(),
            after: After::default(),
            stages: Vec::new(),
        }
    }
}

impl Stage {
    /// Whether one application of the pass can serve both stages, because they have the same pass and agree in all
    /// settings that belong to a group as a whole. Inside the group, the conditions of a stage are asked of the model after the
    /// pass, so the pass must stay within the formalism.
    fn shares_pass_with(&self, other: &Stage) -> bool {
        let is_joinable = |stage: &Stage| {
            let is_plain = stage.after == After::default() && !stage.hands_on && stage.facts.is_none();
            let keeps_formalism = stage.pass.is_some_and(|pass| pass != GroupPass::System);
            keeps_formalism && stage.worker == Some(false) && is_plain
        };
        is_joinable(self) && is_joinable(other) && self.pass == other.pass && self.set == other.set
    }

    /// The stage as an inner one of a stage that has its pass.
    fn without_pass(self) -> Stage {
        Stage { pass: None, worker: None, beside: false, share_beside: None, set: Table::new(), ..self }
    }

    /// A stage with the pass of this one, and this one within it.
    fn around(self) -> Stage {
        let (pass, worker, set) = (self.pass, self.worker, self.set.clone());
        Stage { pass, worker, set, stages: vec![self.without_pass()], ..Stage::default() }
    }

    /// What it is called.
    pub(super) fn label(&self) -> &str {
        match &self.name {
            Some(name) => name,
            None if self.stages.is_empty() => self.engine.as_str(),
            None => "stages",
        }
    }
}

/// The stages that are for `task`, in groups that may run side by side.
pub(super) fn groups<M: Formalism>(
    stages: &[Stage],
    task: &Task<M>,
    circumstances: Circumstances,
) -> Vec<Vec<Stage>> {
    let mut groups: Vec<Vec<Stage>> = Vec::new();
    let mut is_group_open = false;
    for stage in stages {
        if !stage.beside {
            is_group_open = false;
        }
        if !stage.when.fits(task, circumstances) {
            continue;
        }
        match groups.last_mut() {
            Some(group) if is_group_open => group.push(stage.clone()),
            _ => groups.push(vec![stage.clone()]),
        }
        is_group_open = true;
    }
    groups
}

/// Stages that run one after the other, as groups of one. Neighbours that begin with the same pass in this process become one stage
/// with inner ones, so that the pass is applied once.
pub(super) fn in_turn(groups: Vec<Vec<Stage>>) -> Vec<Vec<Stage>> {
    let mut joined: Vec<Vec<Stage>> = Vec::new();
    for stage in groups.into_iter().flatten() {
        match joined.last_mut().and_then(|group| group.last_mut()) {
            Some(last) if last.shares_pass_with(&stage) => last.stages.push(stage.without_pass()),
            _ if stage.shares_pass_with(&stage) => joined.push(vec![stage.around()]),
            _ => joined.push(vec![stage]),
        }
    }
    joined
}

#[cfg(test)]
mod tests {
    use thetis_expr::{Sort, Store};
    use thetis_model::cfa::{Cfa, CfaBuilder, CfaProperty};

    use super::*;

    fn task(has_arrays: bool) -> Task<Cfa> {
        let store = Store::new();
        let mut builder = CfaBuilder::new("stages");
        if has_arrays {
            builder.var(store.declare("a", store.array_sort(Sort::Int, Sort::Int)));
        }
        let start = builder.location("start", None);
        builder.initial(start);
        let model = builder.build(&store).unwrap();
        Task { store, model, property: CfaProperty::ErrorLocation }
    }

    #[test]
    fn stages_that_do_not_fit_leave_their_group_intact() {
        let text = r#"
            [[stage]]
            engine = "bmc"
            [[stage]]
            engine = "cegar"
            when = { arrays = true }
            [[stage]]
            engine = "bmc"
            beside = true
            [[stage]]
            engine = "cegar"
            beside = true
        "#;
        let stages: Stage = toml::from_str(text).unwrap();
        let with = |has_arrays| -> Vec<Vec<&'static str>> {
            let groups = groups(&stages.stages, &task(has_arrays), Circumstances::of_jobs(2));
            groups.iter().map(|group| group.iter().map(|stage| stage.engine.as_str()).collect()).collect()
        };
        assert_eq!(with(true), [vec!["bmc"], vec!["cegar", "bmc", "cegar"]]);
        assert_eq!(with(false), [vec!["bmc"], vec!["bmc", "cegar"]]);
    }

    #[test]
    fn neighbours_share_a_pass() {
        let text = r#"
            [[stage]]
            engine = "bmc"
            [[stage]]
            name = "first"
            share = 20
            pass = "merge"
            worker = false
            [[stage.stage]]
            engine = "bmc"
            [[stage]]
            name = "second"
            beside = true
            pass = "merge"
            worker = false
            [[stage.stage]]
            engine = "kind"
            [[stage]]
            name = "third"
            pass = "simplify"
            worker = false
            [[stage.stage]]
            engine = "cegar"
        "#;
        let stages: Stage = toml::from_str(text).unwrap();
        let joined = in_turn(groups(&stages.stages, &task(false), Circumstances::of_jobs(1)));
        let shown = joined.iter().flatten().map(|stage| {
            let inner = stage.stages.iter().map(|inner| (inner.label(), inner.pass, inner.share));
            (stage.pass, stage.share, inner.collect())
        });
        let expected: [(_, _, Vec<_>); 3] = [
            (None, 100, Vec::new()),
            (Some(GroupPass::Merge), 100, vec![("first", None, 20), ("second", None, 100)]),
            (Some(GroupPass::Simplify), 100, vec![("third", None, 100)]),
        ];
        assert_eq!(shown.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn conditions_are_asked_before_a_pass_to_another_formalism() {
        let text = r#"
            [[stage]]
            pass = "system"
            worker = false
            when.target = true
            [[stage.stage]]
            engine = "bmc"
        "#;
        let stages: Stage = toml::from_str(text).unwrap();
        let joined = in_turn(vec![stages.stages]);
        let inner: Vec<&str> =
            joined.iter().flatten().flat_map(|stage| &stage.stages).map(Stage::label).collect();
        assert_eq!(inner, ["bmc"], "the condition about nets should not be asked of the system");
    }
}
