//! No file names a place of one machine: home folders, work folders, or hosts that packages come from.

use super::findings::Findings;
use super::policy::Policy;
use super::tree::Tree;

/// Absolute folders that exist on some machines only. Written in pieces, as this file is checked as well.
const FOLDERS: [&[&str]; 4] = [&["", "root", ""], &["", "home", ""], &["", "work", ""], &["", "Users", ""]];

/// Hosts of package registries, in pieces.
const HOSTS: [&[&str]; 7] = [
    &["pypi", "org"],
    &["pythonhosted", "org"],
    &["index", "crates", "io"],
    &["static", "crates", "io"],
    &["deb", "debian", "org"],
    &["security", "debian", "org"],
    &["registry", "npmjs", "org"],
];

pub(super) fn check(tree: &Tree, _policy: &Policy, findings: &mut Findings) {
    let folders: Vec<String> = FOLDERS.iter().map(|pieces| pieces.join("/")).collect();
    let hosts: Vec<String> = HOSTS.iter().map(|pieces| pieces.join(".")).collect();
    for file in tree.files.iter().filter(|file| file.path != "Cargo.lock") {
        for (index, line) in file.text.lines().enumerate() {
            for folder in folders.iter().filter(|folder| names_folder(line, folder)) {
                findings.error(&file.path, index + 1, format!("a path of one machine (`{folder}...`)"));
            }
            for host in hosts.iter().filter(|host| line.contains(host.as_str())) {
                findings.error(
                    &file.path,
                    index + 1,
                    format!("a registry host (`{host}`); use its client by package name"),
                );
            }
        }
    }
}

/// Whether the line has an absolute path below `folder`: nothing of a path before it, and a name after it.
fn names_folder(line: &str, folder: &str) -> bool {
    line.match_indices(folder).any(|(offset, _)| {
        let before = line[..offset].chars().next_back();
        let after = line[offset + folder.len()..].chars().next();
        let is_path_char = |character: char| character.is_alphanumeric() || "_.-/*})$".contains(character);
        !before.is_some_and(is_path_char)
            && after.is_some_and(|after| after.is_alphanumeric() || "._".contains(after))
    })
}

#[cfg(test)]
mod tests {
    use super::{HOSTS, check};
    use crate::tidy::findings::found;

    fn on(text: &str) -> usize {
        found(check, "", &[("docs/a.md", text)]).len()
    }

    #[test]
    fn machine_paths_are_found() {
        for folder in ["root", "home", "work"] {
            assert_eq!(on(&format!("see /{folder}/x for more")), 1);
            assert_eq!(on(&format!("a relative some/{folder}/x is fine")), 0);
            assert_eq!(on(&format!("a variable $DIR/{folder}/x is fine")), 0);
        }
    }

    #[test]
    fn registry_hosts_are_found() {
        assert_eq!(on(&format!("fetch from https://{}/simple", HOSTS[0].join("."))), 1);
    }
}
