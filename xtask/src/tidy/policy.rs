//! The architecture as data: `xtask/layers.toml`.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;

/// Where the policy stands, for messages.
pub(super) const POLICY_PATH: &str = "xtask/layers.toml";

/// The layers of the workspace and the exceptions that crates have.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub(super) struct Policy {
    /// Layers from the ground up.
    #[serde(rename = "layer")]
    pub(super) layers: Vec<Layer>,
    pub(super) apart: Apart,
    /// By crate, all that it may use outside tests, where that is less than its layer allows.
    pub(super) only: BTreeMap<String, Vec<String>>,
    pub(super) dev_dependencies: DevDependencies,
    /// By crate, the lints of the workspace that it may set differently.
    pub(super) lints: BTreeMap<String, Vec<String>>,
    pub(super) powers: Powers,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Layer {
    pub(super) name: String,
    pub(super) crates: Vec<String>,
    /// By crate, what it may use within the layer.
    #[serde(default)]
    pub(super) edges: BTreeMap<String, Vec<String>>,
}

/// Layers that no crate may join, with the exceptions.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Apart {
    pub(super) layers: Vec<String>,
    pub(super) except: Vec<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct DevDependencies {
    /// What tests may use whatever the layers.
    pub(super) anywhere: Vec<String>,
}

/// The crates that may reach out of the program.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Powers {
    pub(super) outside: Vec<String>,
    pub(super) clock: Vec<String>,
    pub(super) processes: Vec<String>,
}

impl Policy {
    pub(super) fn read(root: &Path) -> Result<Policy, String> {
        let text = std::fs::read_to_string(root.join(POLICY_PATH))
            .map_err(|error| format!("cannot read {POLICY_PATH}: {error}"))?;
        Policy::parse(&text)
    }

    pub(super) fn parse(text: &str) -> Result<Policy, String> {
        toml::from_str(text).map_err(|error| format!("{POLICY_PATH}: {error}"))
    }

    /// The index of the layer of a crate, from the ground up.
    pub(super) fn layer_of(&self, name: &str) -> Option<usize> {
        self.layers.iter().position(|layer| layer.crates.iter().any(|listed| listed == name))
    }
}

#[cfg(test)]
mod tests {
    use super::Policy;

    #[test]
    fn unknown_words_are_rejected() {
        assert!(Policy::parse("[powers]\nnetwork = []").is_err());
        assert!(Policy::parse("[[layer]]\nname = \"a\"\ncrates = []\nedge = {}").is_err());
    }
}
