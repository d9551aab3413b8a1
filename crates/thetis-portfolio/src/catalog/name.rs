//! Names of engines.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};

use super::engines;

/// The name of an engine that some formalism has.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct EngineName(&'static str);

impl EngineName {
    /// The default portfolio of the formalism.
    pub const AUTO: EngineName = EngineName("auto");
    /// The stages of the configuration.
    pub const PORTFOLIO: EngineName = EngineName("portfolio");

    /// The engine called `name`, if there is one.
    pub fn new(name: &str) -> Option<EngineName> {
        engines().iter().find(|listed| listed.info.name == name).map(|listed| EngineName(listed.info.name))
    }

    /// The name.
    pub const fn as_str(self) -> &'static str {
        self.0
    }
}

impl Default for EngineName {
    fn default() -> EngineName {
        EngineName::AUTO
    }
}

impl JsonSchema for EngineName {
    fn schema_name() -> Cow<'static, str> {
        "EngineName".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let names = engines()
            .into_iter()
            .map(|listed| json_schema!({ "const": listed.info.name, "description": listed.info.summary }));
        json_schema!({ "oneOf": names.collect::<Vec<Schema>>() })
    }
}

impl<'de> Deserialize<'de> for EngineName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<EngineName, D::Error> {
        let name = String::deserialize(deserializer)?;
        EngineName::new(&name).ok_or_else(|| {
            let names: Vec<&str> = engines().iter().map(|listed| listed.info.name).collect();
            D::Error::custom(format!("there is no engine `{name}`, expected one of {}", names.join(", ")))
        })
    }
}
