//! The configurations of a campaign: named texts in TOML, kept in the result file as they were.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::BenchError;

/// A configuration of `thetis check`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Configuration {
    /// The name in tables: the file's without its ending.
    pub name: String,
    /// The text in TOML; empty for the defaults.
    pub text: String,
    /// The file, while a campaign runs.
    #[serde(skip)]
    pub file: Option<PathBuf>,
}

impl Configuration {
    /// What `thetis check` does when nothing is said.
    pub fn default_one() -> Configuration {
        Configuration { name: "default".to_owned(), text: String::new(), file: None }
    }

    /// Reads the files of configurations; their names must differ.
    pub fn read_all(files: &[PathBuf]) -> Result<Vec<Configuration>, BenchError> {
        if files.is_empty() {
            return Ok(vec![Configuration::default_one()]);
        }
        let all: Vec<Configuration> =
            files.iter().map(|file| Configuration::read(file)).collect::<Result<_, _>>()?;
        for (number, configuration) in all.iter().enumerate() {
            if all[..number].iter().any(|other| other.name == configuration.name) {
                let message = format!("two configurations are called `{}`", configuration.name);
                return Err(BenchError::Configuration(message));
            }
        }
        Ok(all)
    }

    fn read(file: &Path) -> Result<Configuration, BenchError> {
        let text = std::fs::read_to_string(file).map_err(|error| BenchError::file(file, error))?;
        let name = file.file_stem().map(|stem| stem.display().to_string()).unwrap_or_default();
        Ok(Configuration { name, text, file: Some(file.to_path_buf()) })
    }

    /// The options as a flat list, `cegar.domain` to `expl`. A text that is no TOML has no options.
    pub fn options(&self) -> BTreeMap<String, String> {
        let mut options = BTreeMap::new();
        let Ok(table) = self.text.parse::<toml::Table>() else { return options };
        let mut pending: Vec<(String, toml::Value)> = table.into_iter().collect();
        while let Some((key, value)) = pending.pop() {
            match value {
                toml::Value::Table(table) => {
                    pending.extend(table.into_iter().map(|(inner, value)| (format!("{key}.{inner}"), value)));
                }
                toml::Value::String(text) => {
                    options.insert(key, text);
                }
                value => {
                    options.insert(key, value.to_string());
                }
            }
        }
        options
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_flat() {
        let text = "engine = \"cegar\"\n[cegar]\nmax-enum = 5\ndomain = \"expl\"\n".to_owned();
        let configuration = Configuration { text, ..Configuration::default_one() };
        let options: Vec<_> = configuration.options().into_iter().collect();
        let expected = [("cegar.domain", "expl"), ("cegar.max-enum", "5"), ("engine", "cegar")];
        assert_eq!(options, expected.map(|(key, value)| (key.to_owned(), value.to_owned())));
    }
}
