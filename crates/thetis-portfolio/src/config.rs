//! The configuration of a run: which engine, with which options.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thetis_bounded::{BmcConfig, ImcConfig, KindConfig};
use thetis_cegar::CegarConfig;
use thetis_horn::HornConfig;
use thetis_ic3::Ic3Config;
use thetis_ice::IceConfig;
use thetis_reach::{ExplicitConfig, StateEquationConfig};
use thetis_simulate::{ExhaustConfig, SimulateConfig};
use thetis_zones::ZonesConfig;
use thiserror::Error;
use toml::{Table, Value};

use crate::front_end::{Arithmetic, CConfig};
use crate::options::explain;
use crate::passes::Control;
use crate::portfolio::{GroupPass, Stage, conflict};
use crate::{EngineName, PassesConfig};

/// Plain data, as in `configs/*.toml`. Missing entries have the defaults of each part.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Config {
    /// The engine to run.
    pub engine: EngineName,
    /// Options of the passes before engines for automata.
    pub passes: PassesConfig,
    /// How integers of programs become terms.
    pub arithmetic: Arithmetic,
    /// Options of the front end for C.
    pub c: CConfig,
    /// Options of the engine `bmc`.
    pub bmc: BmcConfig,
    /// Options of the engine `kind`.
    pub kind: KindConfig,
    /// Options of the engine `imc`.
    pub imc: ImcConfig,
    /// Options of the engine `ic3`.
    pub ic3: Ic3Config,
    /// Options of the engine `cegar`.
    pub cegar: CegarConfig,
    /// Options of the engine `simulate`.
    pub simulate: SimulateConfig,
    /// Options of the engine `exhaust`.
    pub exhaust: ExhaustConfig,
    /// Options of the engine `horn`.
    pub horn: HornConfig,
    /// Options of the engine `ice`.
    pub ice: IceConfig,
    /// Options of the engine `state-equation`.
    pub state_equation: StateEquationConfig,
    /// Options of the engine `explicit`.
    pub explicit: ExplicitConfig,
    /// Options of the engine `zones`.
    pub zones: ZonesConfig,
    /// The stages of the engine `portfolio`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(skip)]
    pub stage: Vec<Stage>,
}

/// Why a configuration cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ConfigError {
    /// The text is not a configuration; the words of the parser.
    #[error("{0}")]
    Toml(String),
    /// The engine is for another formalism.
    #[error("the engine `{}` is not for {formalism}; `thetis engines` lists what there is", engine.as_str())]
    Engine {
        /// The engine.
        engine: EngineName,
        /// What the model is.
        formalism: &'static str,
    },
    /// Options do not fit together; one sentence.
    #[error("{0}")]
    Conflict(&'static str),
    /// A stage asks for something that cannot be or that nobody would read; one sentence, after the position in the file.
    #[error("{0}")]
    Stage(String),
    /// The pass of a group of stages is for another formalism.
    #[error("the pass `{}` is not for {formalism}", pass.name())]
    Pass {
        /// The pass.
        pass: GroupPass,
        /// What the model is.
        formalism: &'static str,
    },
    /// There is no such option.
    #[error("there is no option `{key}`{suggestion}")]
    UnknownOption {
        /// What was written.
        key: String,
        /// The option that may have been meant, in words.
        suggestion: String,
    },
    /// An option does not have such a value.
    #[error("`{key}` is {expected}, not `{value}`{suggestion}")]
    Value {
        /// The option.
        key: String,
        /// What was written.
        value: String,
        /// Which values it has.
        expected: String,
        /// The value that may have been meant, in words.
        suggestion: String,
    },
    /// A setting is not of the form `key=value`.
    #[error("`{0}` is not of the form key=value")]
    Setting(String),
}

impl Config {
    /// Reads a configuration.
    pub fn from_toml(text: &str) -> Result<Config, ConfigError> {
        let config: Config = toml::from_str(text).map_err(|error| ConfigError::Toml(error.to_string()))?;
        match conflict(&config.stage) {
            Some(conflict) => Err(ConfigError::Stage(conflict.located(text))),
            None => Ok(config),
        }
    }

    /// The text of this configuration, all entries included.
    pub fn to_toml(&self) -> String {
        toml::to_string(self).expect("a configuration should be representable as TOML")
    }

    /// This configuration with other stages.
    pub(crate) fn with_stages(&self, stage: Vec<Stage>) -> Config {
        Config { stage, ..self.clone() }
    }

    /// The configuration of one stage: this one with the stage's engine or inner stages, and its settings.
    pub fn of_stage(&self, stage: &Stage) -> Result<Config, ConfigError> {
        let engine = if stage.stages.is_empty() { stage.engine } else { EngineName::PORTFOLIO };
        let base = Config { engine, stage: stage.stages.clone(), ..self.clone() };
        let mut table = Table::try_from(&base).map_err(|error| ConfigError::Toml(error.to_string()))?;
        merge(&mut table, &stage.set);
        Config::try_from(table)
    }

    /// The configuration of a process that runs one stage.
    pub(crate) fn of_worker(&self, stage: &Stage) -> Result<Config, ConfigError> {
        if stage.stages.is_empty() {
            return self.of_stage(stage);
        }
        let alone = Stage {
            pass: stage.pass,
            set: stage.set.clone(),
            stages: stage.stages.clone(),
            worker: Some(false),
            ..Stage::default()
        };
        Ok(Config { engine: EngineName::PORTFOLIO, ..self.with_stages(vec![alone]) })
    }

    /// Whether the options fit together.
    pub(crate) fn check(&self) -> Result<(), ConfigError> {
        let chooses = self.engine == EngineName::AUTO
            && (self.passes.unfolding().is_some() || self.passes.control == Control::Variable);
        let conflict = self.cegar.conflict().or_else(|| self.imc.conflict()).or_else(|| self.ic3.conflict());
        match conflict {
            Some(conflict) => Err(ConfigError::Conflict(conflict)),
            None if self.engine == EngineName::AUTO && !self.stage.is_empty() => {
                Err(ConfigError::Conflict("the stages have no effect without `engine = \"portfolio\"`"))
            }
            None if chooses => {
                Err(ConfigError::Conflict("`auto` chooses `passes.unfold` and `passes.control` itself"))
            }
            None => Ok(()),
        }
    }

    /// This configuration with settings such as `bmc.max-bound=10` applied in order. A value that is not TOML is
    /// taken as a string.
    pub fn with_settings<S: AsRef<str>>(&self, settings: &[S]) -> Result<Config, ConfigError> {
        let mut table = Table::try_from(self).map_err(|error| ConfigError::Toml(error.to_string()))?;
        for setting in settings {
            let setting = setting.as_ref();
            let (key, value) =
                setting.split_once('=').ok_or_else(|| ConfigError::Setting(setting.to_string()))?;
            insert(&mut table, key, parse_value(value));
            if let Err(error) = Config::try_from(table.clone()) {
                return Err(explain(key, value).unwrap_or(error));
            }
        }
        Config::try_from(table)
    }
}

impl TryFrom<Table> for Config {
    type Error = ConfigError;

    fn try_from(table: Table) -> Result<Config, ConfigError> {
        table.try_into().map_err(|error: toml::de::Error| ConfigError::Toml(error.message().to_string()))
    }
}

fn parse_value(text: &str) -> Value {
    let parsed: Result<Table, _> = toml::from_str(&format!("value = {text}"));
    parsed.ok().and_then(|mut table| table.remove("value")).unwrap_or_else(|| Value::String(text.into()))
}

/// Puts `value` at a dotted `key`, making tables on the way.
fn insert(table: &mut Table, key: &str, value: Value) {
    match key.split_once('.') {
        None => {
            table.insert(key.into(), value);
        }
        Some((first, rest)) => {
            let inner = table.entry(first).or_insert_with(|| Value::Table(Table::new()));
            if !inner.is_table() {
                *inner = Value::Table(Table::new());
            }
            if let Value::Table(inner) = inner {
                insert(inner, rest, value);
            }
        }
    }
}

/// Puts all entries of `changes` into `table`, at any depth.
fn merge(table: &mut Table, changes: &Table) {
    for (key, change) in changes {
        match (table.get_mut(key), change) {
            (Some(Value::Table(inner)), Value::Table(changes)) => merge(inner, changes),
            _ => {
                table.insert(key.clone(), change.clone());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_override_defaults() {
        let config = Config::default().with_settings(&["bmc.max-bound=7", "engine=bmc"]).unwrap();
        assert_eq!(config.bmc.max_bound, 7);
    }

    #[test]
    fn stages_use_facts_as_their_engines_can() {
        let stage = |engine: &str, facts: &str| {
            Config::from_toml(&format!("[[stage]]\nengine = \"{engine}\"\nfacts = \"{facts}\""))
        };
        for (engine, facts) in [
            ("kind", "lemmas"),
            ("bmc", "lemmas"),
            ("auto", "lemmas"),
            ("cegar", "predicates"),
            ("bmc", "assumptions"),
        ] {
            assert!(stage(engine, facts).is_ok(), "{engine}, {facts}");
        }
        for (engine, facts) in [("imc", "lemmas"), ("kind", "predicates"), ("cegar", "lemmas")] {
            assert!(matches!(stage(engine, facts), Err(ConfigError::Stage(_))), "{engine}, {facts}");
        }
    }

    #[test]
    fn unknown_and_ill_typed_settings_are_rejected() {
        for setting in ["bmc.max-bond=7", "bmc.max-bound=many", "engine=magic", "bmc=1", "engine"] {
            assert!(Config::default().with_settings(&[setting]).is_err(), "{setting}");
        }
        assert!(Config::from_toml("[bmc]\nmax-bound = -1").is_err());
    }

    #[test]
    fn stages_change_what_they_mention() {
        let config = Config::from_toml(
            "engine = 'portfolio'\n[bmc]\nmax-bound = 5\n[[stage]]\nengine = 'cegar'\nset.cegar.domain = 'expl'\n",
        )
        .unwrap();
        let stage = config.of_stage(&config.stage[0]).unwrap();
        assert_eq!((stage.engine, stage.bmc.max_bound), (EngineName::new("cegar").unwrap(), 5));
        assert_eq!(stage.cegar.domain, thetis_cegar::DomainKind::Expl);
        assert_eq!(Config::from_toml(&config.to_toml()).unwrap(), config);
        assert!(
            config
                .of_stage(&Stage { set: toml::from_str("magic = 1").unwrap(), ..Stage::default() })
                .is_err()
        );
    }
}
