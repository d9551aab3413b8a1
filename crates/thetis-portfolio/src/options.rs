//! All options of a [`Config`], each with its values, its default and its meaning.
//!
//! An option is declared once, as a field of a configuration with a doc comment. Its schema says the rest: which values the field has,
//! and what each of them means. Lists for users, tables in the documents and messages about wrong settings are made from it.

use schemars::Schema;
use serde_json::Value;
use toml::Table;

use crate::{Config, ConfigError};

/// An option.
#[derive(Clone, PartialEq, Debug)]
pub struct OptionInfo {
    /// Its name for `--set`, such as `bmc.max-bound`.
    pub key: String,
    /// What it means, in one or more sentences.
    pub meaning: String,
    /// Which values it has.
    pub values: Values,
    /// The default, as TOML.
    pub default: String,
}

/// The values of an option.
#[derive(Clone, PartialEq, Debug)]
pub enum Values {
    /// `true` or `false`.
    Flag,
    /// Numbers without a sign.
    Number,
    /// Numbers with a fractional part.
    Decimal,
    /// One of some words, with what they mean.
    Choice(Vec<(String, String)>),
    /// A list of such words.
    List(Vec<(String, String)>),
    /// Something else.
    Other,
}

impl Values {
    /// What is expected, for messages.
    fn expected(&self) -> String {
        let words = |choices: &[(String, String)]| {
            let words: Vec<&str> = choices.iter().map(|(word, _)| word.as_str()).collect();
            words.join(", ")
        };
        match self {
            Values::Flag => "`true` or `false`".to_owned(),
            Values::Number => "a whole number".to_owned(),
            Values::Decimal => "a number such as 1.5".to_owned(),
            Values::Choice(choices) => format!("one of {}", words(choices)),
            Values::List(choices) => format!("a list of {}", words(choices)),
            Values::Other => "another kind of value".to_owned(),
        }
    }

    /// The word that may have been meant.
    fn suggestion(&self, text: &str) -> Option<&str> {
        match self {
            Values::Choice(choices) => closest(text, choices.iter().map(|(word, _)| word.as_str())),
            _ => None,
        }
    }
}

/// All options, in the order of the configuration.
pub fn options() -> Vec<OptionInfo> {
    let schema = schemars::schema_for!(Config);
    let defaults =
        Table::try_from(Config::default()).expect("a configuration should be representable as TOML");
    let mut options = Vec::new();
    collect(&schema, schema.as_value(), "", &defaults, &mut options);
    options
}

/// Appends the options below `prefix`, whose schema is `node`.
fn collect(root: &Schema, node: &Value, prefix: &str, defaults: &Table, options: &mut Vec<OptionInfo>) {
    let properties = node["properties"].as_object();
    for (name, default) in defaults {
        let Some(property) = properties.and_then(|properties| properties.get(name)) else { continue };
        let key = format!("{prefix}{name}");
        let resolved = resolve(root, property);
        match default {
            toml::Value::Table(inner) => collect(root, resolved, &format!("{key}."), inner, options),
            default => options.push(OptionInfo {
                meaning: description(property),
                values: values(root, resolved),
                default: default.to_string(),
                key,
            }),
        }
    }
}

/// The schema that another one refers to.
fn resolve<'s>(root: &'s Schema, node: &'s Value) -> &'s Value {
    let name = node["$ref"].as_str().and_then(|path| path.strip_prefix("#/$defs/"));
    name.map_or(node, |name| &root.as_value()["$defs"][name])
}

fn description(node: &Value) -> String {
    let text = node["description"].as_str().unwrap_or_default();
    text.split_whitespace().collect::<Vec<&str>>().join(" ")
}

fn values(root: &Schema, node: &Value) -> Values {
    let is = |name: &str| node["type"].as_str() == Some(name);
    match () {
        () if is("boolean") => Values::Flag,
        () if is("integer") => Values::Number,
        () if is("number") => Values::Decimal,
        () if is("array") => Values::List(choices(resolve(root, &node["items"]))),
        () if !choices(node).is_empty() => Values::Choice(choices(node)),
        () => Values::Other,
    }
}

/// The words of an enumeration.
fn choices(node: &Value) -> Vec<(String, String)> {
    let plain = node["enum"].as_array().into_iter().flatten().map(|word| (word, String::new()));
    let described = node["oneOf"].as_array().into_iter().flatten();
    let described = described.map(|choice| (&choice["const"], description(choice)));
    let words =
        plain.chain(described).filter_map(|(word, meaning)| Some((word.as_str()?.to_owned(), meaning)));
    words.collect()
}

/// The one of `words` that is closest to `text`, if at most a third of its letters are wrong.
pub fn closest<'w>(text: &str, words: impl Iterator<Item = &'w str>) -> Option<&'w str> {
    let distances = words.map(|word| (strsim::osa_distance(text, word), word));
    let (distance, word) = distances.min_by_key(|(distance, _)| *distance)?;
    (distance * 3 <= word.len().max(text.len())).then_some(word)
}

/// Why the setting `key=value` was rejected.
pub(crate) fn explain(key: &str, value: &str) -> Option<ConfigError> {
    let options = options();
    match options.iter().find(|option| option.key == key) {
        None if is_group(&options, key) => None,
        None => {
            let suggestion = closest(key, options.iter().map(|option| option.key.as_str()));
            Some(ConfigError::UnknownOption { key: key.to_owned(), suggestion: advice(suggestion) })
        }
        Some(option) => Some(ConfigError::Value {
            key: key.to_owned(),
            value: value.to_owned(),
            expected: option.values.expected(),
            suggestion: advice(option.values.suggestion(value)),
        }),
    }
}

/// Whether options begin with `key`: tables can be set too.
fn is_group(options: &[OptionInfo], key: &str) -> bool {
    options.iter().any(|option| option.key.strip_prefix(key).is_some_and(|rest| rest.starts_with('.')))
}

fn advice(suggestion: Option<&str>) -> String {
    suggestion.map(|word| format!("; did you mean `{word}`?")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn option(key: &str) -> OptionInfo {
        options().into_iter().find(|option| option.key == key).unwrap()
    }

    #[test]
    fn every_option_says_what_it_means() {
        let options = options();
        assert!(options.len() > 40, "{}", options.len());
        for option in options {
            assert!(!option.meaning.is_empty(), "{}", option.key);
        }
    }

    #[test]
    fn values_and_defaults_come_from_the_declaration() {
        assert_eq!(option("bmc.max-bound").values, Values::Number);
        assert_eq!(option("passes.slice").values, Values::Flag);
        assert_eq!(option("cegar.domain").default, "\"auto\"");
        let Values::Choice(domains) = option("cegar.domain").values else { panic!("a choice was expected") };
        assert!(domains.iter().any(|(word, meaning)| word == "pred-cart" && !meaning.is_empty()));
        let Values::List(kinds) = option("cegar.interpolators").values else { panic!("a list was expected") };
        assert!(kinds.iter().any(|(word, _)| word == "farkas"));
    }

    #[test]
    fn wrong_settings_are_explained() {
        let default = Config::default();
        let message = |setting: &str| default.with_settings(&[setting]).unwrap_err().to_string();
        assert_eq!(
            message("bmc.max-bond=7"),
            "there is no option `bmc.max-bond`; did you mean `bmc.max-bound`?"
        );
        assert_eq!(message("bmc.max-bound=many"), "`bmc.max-bound` is a whole number, not `many`");
        let wrong = message("cegar.search=bsf");
        assert!(wrong.starts_with("`cegar.search` is one of bfs, dfs,"), "{wrong}");
        assert!(wrong.ends_with("; did you mean `bfs`?"), "{wrong}");
        assert!(message("engine=bcm").ends_with("; did you mean `bmc`?"), "{}", message("engine=bcm"));
    }
}
