//! Dependencies between crates point down the layers, and stay apart where they must.

use std::collections::{BTreeMap, BTreeSet};

use super::findings::Findings;
use super::policy::{POLICY_PATH, Policy};
use super::tree::{Crate, Tree};

const TEST_SECTION: &str = "dev-dependencies";

pub(super) fn check(tree: &Tree, policy: &Policy, findings: &mut Findings) {
    let crates: Vec<Crate<'_>> = tree.crates().collect();
    let names: BTreeSet<&str> = crates.iter().map(|krate| krate.name.as_str()).collect();
    for listed in policy.layers.iter().flat_map(|layer| &layer.crates) {
        if !names.contains(listed.as_str()) {
            findings.error(POLICY_PATH, 1, format!("`{listed}` is listed but not in the workspace"));
        }
    }
    for krate in &crates {
        if policy.layer_of(&krate.name).is_none() {
            let message = format!("`{}` has no layer in {POLICY_PATH}", krate.name);
            findings.error(&krate.manifest.path, 1, message);
        }
        if krate.dir.rsplit('/').next() != Some(krate.name.as_str()) {
            let message = format!("the folder of `{}` has to carry its name", krate.name);
            findings.error(&krate.manifest.path, krate.line_of("package", "name"), message);
        }
        check_edges(krate, &names, policy, findings);
    }
    check_apart(&crates, &names, policy, findings);
}

/// A dependency on another crate of the workspace.
struct Edge {
    section: String,
    key: String,
    target: String,
}

fn check_edges(krate: &Crate<'_>, names: &BTreeSet<&str>, policy: &Policy, findings: &mut Findings) {
    for edge in edges(krate, names) {
        let is_test = edge.section.ends_with(TEST_SECTION);
        if is_test && policy.dev_dependencies.anywhere.contains(&edge.target) {
            continue;
        }
        let allowed = policy.only.get(&krate.name).filter(|_| !is_test);
        if allowed.is_some_and(|allowed| !allowed.contains(&edge.target)) {
            let message = format!("`{}` may only use the crates that {POLICY_PATH} lists for it", krate.name);
            findings.error(&krate.manifest.path, krate.line_of(&edge.section, &edge.key), message);
        }
        if let Err(message) = judge(&krate.name, &edge.target, policy) {
            findings.error(&krate.manifest.path, krate.line_of(&edge.section, &edge.key), message);
        }
    }
}

fn judge(from: &str, to: &str, policy: &Policy) -> Result<(), String> {
    let (Some(from_layer), Some(to_layer)) = (policy.layer_of(from), policy.layer_of(to)) else {
        return Ok(()); // Reported where the crate has no layer.
    };
    let (lower, upper) = (&policy.layers[from_layer], &policy.layers[to_layer]);
    if to_layer > from_layer {
        return Err(format!(
            "`{from}` ({}) may not use `{to}` of the higher layer {}",
            lower.name, upper.name
        ));
    }
    let is_listed = lower.edges.get(from).is_some_and(|targets| targets.iter().any(|target| target == to));
    if to_layer == from_layer && !is_listed {
        return Err(format!("`{from}` may not use `{to}` of its own layer {}", lower.name));
    }
    Ok(())
}

/// Follows the dependencies outside tests and complains where two layers that stay apart meet.
fn check_apart(crates: &[Crate<'_>], names: &BTreeSet<&str>, policy: &Policy, findings: &mut Findings) {
    let targets = |krate: &Crate<'_>| -> Vec<String> {
        let outside_tests =
            edges(krate, names).into_iter().filter(|edge| !edge.section.ends_with(TEST_SECTION));
        outside_tests.map(|edge| edge.target).collect()
    };
    let graph: BTreeMap<&str, Vec<String>> =
        crates.iter().map(|krate| (krate.name.as_str(), targets(krate))).collect();
    let layer_name = |name: &str| policy.layer_of(name).map(|index| policy.layers[index].name.as_str());
    for krate in crates.iter().filter(|krate| !policy.apart.except.contains(&krate.name)) {
        let known = reachable(&krate.name, &graph);
        let witness = |layer: &String| known.iter().find(|name| layer_name(name) == Some(layer));
        let witnesses: Vec<&&str> = policy.apart.layers.iter().filter_map(witness).collect();
        if let [first, second, ..] = witnesses[..] {
            let message = format!(
                "`{}` joins `{first}` and `{second}`, whose layers ({}) stay apart",
                krate.name,
                policy.apart.layers.join(", ")
            );
            findings.error(&krate.manifest.path, 1, message);
        }
    }
}

fn reachable<'g>(start: &'g str, graph: &'g BTreeMap<&str, Vec<String>>) -> BTreeSet<&'g str> {
    let mut known = BTreeSet::from([start]);
    let mut waiting = vec![start];
    while let Some(name) = waiting.pop() {
        for target in graph.get(name).into_iter().flatten() {
            if known.insert(target) {
                waiting.push(target);
            }
        }
    }
    known
}

/// The dependencies of a crate on the workspace, in all sections of its manifest.
fn edges(krate: &Crate<'_>, names: &BTreeSet<&str>) -> Vec<Edge> {
    let mut sections = vec![(String::new(), &krate.table)];
    for (platform, table) in krate.table.get("target").and_then(toml::Value::as_table).into_iter().flatten() {
        sections.extend(table.as_table().map(|table| (format!("target.'{platform}'."), table)));
    }
    let mut edges = Vec::new();
    for (prefix, table) in sections {
        for section in ["dependencies", "build-dependencies", TEST_SECTION] {
            for (key, value) in table.get(section).and_then(toml::Value::as_table).into_iter().flatten() {
                let target = value.get("package").and_then(toml::Value::as_str).unwrap_or(key);
                if names.contains(target) {
                    let section = format!("{prefix}{section}");
                    edges.push(Edge { section, key: key.clone(), target: target.to_owned() });
                }
            }
        }
    }
    edges
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::tidy::findings::found;

    const POLICY: &str = r#"
        [[layer]]
        name = "ground"
        crates = ["base"]
        [[layer]]
        name = "front-ends"
        crates = ["text"]
        [[layer]]
        name = "engines"
        crates = ["engine", "bmc", "ic3"]
        edges = { bmc = ["engine"] }
        [[layer]]
        name = "product"
        crates = ["report", "app"]
        [apart]
        layers = ["front-ends", "engines"]
        except = ["app"]
        [only]
        text = []
        [dev-dependencies]
        anywhere = ["report"]
    "#;

    /// Checks a workspace in which the named crate has the given sections and all others are empty.
    fn on(name: &str, sections: &str) -> Vec<String> {
        let crates = ["base", "text", "engine", "bmc", "ic3", "report", "app"];
        let manifest = |krate: &str| {
            let sections = if krate == name { sections } else { "" };
            (format!("crates/{krate}/Cargo.toml"), format!("[package]\nname = \"{krate}\"\n{sections}"))
        };
        let files: Vec<(String, String)> = crates.map(manifest).into();
        let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (&**path, &**text)).collect();
        found(check, POLICY, &files)
    }

    #[test]
    fn allowed_edges_pass() {
        assert_eq!(on("bmc", "[dependencies]\nbase.workspace = true\nengine.workspace = true"), [""; 0]);
        assert_eq!(on("app", "[dependencies]\ntext.workspace = true\nbmc.workspace = true"), [""; 0]);
        assert_eq!(on("base", "[dev-dependencies]\nreport.workspace = true"), [""; 0]);
    }

    #[test]
    fn edges_upwards_are_errors() {
        let message = "crates/base/Cargo.toml:4: error: `base` (ground) may not use `engine` of the higher layer engines";
        assert_eq!(on("base", "[dependencies]\nengine.workspace = true"), [message]);
        assert_eq!(on("base", "[dev-dependencies]\nengine.workspace = true"), [message]);
        assert_eq!(on("base", "[dependencies]\ne = { path = \"x\", package = \"engine\" }"), [message]);
        assert_eq!(on("base", "[target.'cfg(unix)'.build-dependencies]\nengine.workspace = true"), [message]);
    }

    #[test]
    fn edges_within_a_layer_have_to_be_listed() {
        let message = "crates/ic3/Cargo.toml:4: error: `ic3` may not use `bmc` of its own layer engines";
        assert_eq!(on("ic3", "[dependencies]\nbmc.workspace = true"), [message]);
    }

    #[test]
    fn some_crates_may_use_listed_crates_only() {
        let message = "crates/text/Cargo.toml:4: error: `text` may only use the crates that xtask/layers.toml lists for it";
        assert_eq!(on("text", "[dependencies]\nbase.workspace = true"), [message]);
        assert_eq!(on("text", "[dev-dependencies]\nbase.workspace = true"), [""; 0]);
    }

    #[test]
    fn layers_apart_do_not_meet() {
        let message = "crates/bmc/Cargo.toml:1: error: `bmc` joins `text` and `bmc`, whose layers (front-ends, engines) stay apart";
        assert_eq!(on("bmc", "[dependencies]\ntext.workspace = true"), [message]);
        let message = "crates/report/Cargo.toml:1: error: `report` joins `text` and `engine`, whose layers (front-ends, engines) stay apart";
        assert_eq!(on("report", "[dependencies]\ntext.workspace = true\nengine.workspace = true"), [message]);
    }

    #[test]
    fn folders_carry_the_name_of_their_crate() {
        let policy = "[[layer]]\nname = \"ground\"\ncrates = [\"base\"]";
        let message = "crates/ground/Cargo.toml:2: error: the folder of `base` has to carry its name";
        assert_eq!(
            found(check, policy, &[("crates/ground/Cargo.toml", "[package]\nname = \"base\"")]),
            [message]
        );
    }

    #[test]
    fn every_crate_has_a_layer_and_no_layer_has_more() {
        let files = [("crates/new/Cargo.toml", "[package]\nname = \"new\"")];
        let policy = "[[layer]]\nname = \"ground\"\ncrates = [\"old\"]";
        assert_eq!(
            found(check, policy, &files),
            [
                "xtask/layers.toml:1: error: `old` is listed but not in the workspace",
                "crates/new/Cargo.toml:1: error: `new` has no layer in xtask/layers.toml",
            ]
        );
    }
}
