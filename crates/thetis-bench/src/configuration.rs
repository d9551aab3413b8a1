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
    /// Settings that change it, as for `--set`.
    #[serde(default)]
    pub settings: Vec<String>,
    /// The file, while a campaign runs.
    #[serde(skip)]
    pub file: Option<PathBuf>,
}

impl Configuration {
    /// What `thetis check` does by default.
    pub fn default_one() -> Configuration {
        Configuration { name: "default".to_owned(), text: String::new(), settings: Vec::new(), file: None }
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
        Ok(Configuration { name, text, settings: Vec::new(), file: Some(file.to_path_buf()) })
    }

    /// Every one of `bases` with every combination of the variations, each `KEY=VALUE,VALUE,…`. The names consist of the
    /// varied values: `bfs_0`, `bfs_1`, …, after the name of the base if there are several.
    pub fn vary(bases: Vec<Configuration>, variations: &[String]) -> Result<Vec<Configuration>, BenchError> {
        if variations.is_empty() {
            return Ok(bases);
        }
        let has_one_base = bases.len() == 1;
        let default_name = bases.first().map(|base| base.name.clone()).unwrap_or_default();
        let mut varied: Vec<(Vec<String>, Configuration)> = bases
            .into_iter()
            .map(|base| (if has_one_base { Vec::new() } else { vec![base.name.clone()] }, base))
            .collect();
        for variation in variations {
            let (key, values) = variation.split_once('=').ok_or_else(|| {
                BenchError::Configuration(format!("`{variation}` is no variation, write KEY=VALUE,VALUE"))
            })?;
            let values: Vec<&str> = values.split(',').map(str::trim).collect();
            varied = varied
                .iter()
                .flat_map(|(parts, base)| {
                    let values = &values;
                    values.iter().map(move |value| {
                        let mut parts = parts.clone();
                        if values.len() > 1 {
                            parts.push((*value).to_owned());
                        }
                        let mut one = base.clone();
                        one.settings.push(format!("{key}={value}"));
                        (parts, one)
                    })
                })
                .collect();
        }
        let named = |(parts, one): (Vec<String>, Configuration)| {
            let name = if parts.is_empty() { default_name.clone() } else { parts.join("_") };
            Configuration { name, ..one }
        };
        Ok(varied.into_iter().map(named).collect())
    }

    /// The options as a flat list, `cegar.domain` to `expl`. A text that is no TOML has no options.
    pub fn options(&self) -> BTreeMap<String, String> {
        let mut options = BTreeMap::new();
        let table: toml::Table = self.text.parse().unwrap_or_default();
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
        let settings = self.settings.iter().filter_map(|setting| setting.split_once('='));
        options.extend(settings.map(|(key, value)| (key.to_owned(), value.to_owned())));
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

    #[test]
    fn variations_are_combined() {
        let vary = |variations: &[&str]| {
            let variations: Vec<String> = variations.iter().map(|text| (*text).to_owned()).collect();
            Configuration::vary(vec![Configuration::default_one()], &variations)
        };
        let all = vary(&["cegar.search=bfs,dfs", "cegar.max-enum=0,1,5"]).unwrap();
        let names: Vec<&str> = all.iter().map(|one| one.name.as_str()).collect();
        assert_eq!(names, ["bfs_0", "bfs_1", "bfs_5", "dfs_0", "dfs_1", "dfs_5"]);
        assert_eq!(all[5].settings, ["cegar.search=dfs", "cegar.max-enum=5"]);
        assert_eq!(all[5].options()["cegar.max-enum"], "5");
        let one = vary(&["engine=cegar", "cegar.search=bfs,dfs"]).unwrap();
        assert_eq!((one[0].name.as_str(), one[0].settings.len()), ("bfs", 2));
        assert_eq!(vary(&["engine=cegar"]).unwrap()[0].name, "default");
        assert_eq!(vary(&[]).unwrap(), [Configuration::default_one()]);
        assert!(vary(&["bfs"]).is_err());
    }
}
