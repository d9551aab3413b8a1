//! Stages of a portfolio, as written in configurations.

use serde::{Deserialize, Serialize};
use toml::Table;

use super::features::{Features, When};
use crate::EngineKind;

/// One engine in a portfolio: with which options, for how long, on what, and what comes after it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Stage {
    /// The engine.
    pub engine: EngineKind,
    /// The percentage of the remaining time that the stage may use.
    pub share: u32,
    /// Options that differ from those of the whole configuration, such as `{ cegar = { domain = "expl" } }`.
    pub set: Table,
    /// Only for models with these features.
    pub when: When,
    /// Whether it runs beside the stage before it instead of after it.
    pub beside: bool,
    /// Whether it runs in a process of its own. Without, it starts quicker, but when it fails, all fails.
    pub worker: bool,
    /// What becomes of the facts that earlier stages have found.
    pub facts: UseOfFacts,
    /// Whether the facts it finds are handed on; to tell them costs a part of its time.
    pub hands_on: bool,
    /// What happens when it ends without an answer.
    pub after: After,
}

/// What a stage does with facts.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum UseOfFacts {
    /// Nothing.
    #[default]
    Ignore,
    /// Invariants become guards of the model (document 000, Algorithm 5).
    Assumptions,
    /// Invariants and predicates are candidates for lemmas. Only the engine `kind` can use them.
    Lemmas,
    /// Predicates and invariants become what is tracked from the start. Only the engine `cegar` can use them.
    Predicates,
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
    /// When its process ends without a word, or speaks nonsense.
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
            engine: EngineKind::default(),
            share: 100,
            set: Table::new(),
            when: When::default(),
            beside: false,
            worker: true,
            facts: UseOfFacts::default(),
            hands_on: false,
            after: After::default(),
        }
    }
}

impl Stage {
    /// What the stage asks of its engine that this cannot do.
    pub(crate) fn conflict(&self) -> Option<&'static str> {
        match (self.facts, self.engine) {
            (UseOfFacts::Lemmas, EngineKind::Bmc | EngineKind::Kind | EngineKind::Ic3 | EngineKind::Auto) => {
                None
            }
            (UseOfFacts::Lemmas, _) => {
                Some("`facts = \"lemmas\"` is for stages with `bmc`, `kind`, `ic3` or `auto`")
            }
            (UseOfFacts::Predicates, EngineKind::Cegar | EngineKind::Auto) => None,
            (UseOfFacts::Predicates, _) => {
                Some("`facts = \"predicates\"` is for stages with `cegar` or `auto`")
            }
            (UseOfFacts::Ignore | UseOfFacts::Assumptions, _) => None,
        }
    }
}

/// The stages that apply to a model with `features`, in groups that run side by side.
pub(super) fn groups(stages: &[Stage], features: &Features) -> Vec<Vec<Stage>> {
    let mut groups: Vec<Vec<Stage>> = Vec::new();
    let mut is_group_open = false;
    for stage in stages {
        if !stage.beside {
            is_group_open = false;
        }
        if !stage.when.fits(features) {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn engines(groups: &[Vec<Stage>]) -> Vec<Vec<EngineKind>> {
        groups.iter().map(|group| group.iter().map(|stage| stage.engine).collect()).collect()
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
        #[derive(Deserialize)]
        struct Stages {
            stage: Vec<Stage>,
        }
        let stages: Stages = toml::from_str(text).unwrap();
        let with = |arrays| groups(&stages.stage, &Features { arrays, ..Features::default() });
        use EngineKind::{Bmc, Cegar};
        assert_eq!(engines(&with(true)), [vec![Bmc], vec![Cegar, Bmc, Cegar]]);
        assert_eq!(engines(&with(false)), [vec![Bmc], vec![Bmc, Cegar]]);
    }
}
