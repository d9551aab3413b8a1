//! Most crates are functions of their arguments: only some may touch files, streams, clock or processes.

use super::findings::Findings;
use super::paths::named_paths;
use super::policy::Policy;
use super::source::line_of;
use super::tree::Tree;

/// A power, the paths that use it, and how messages call it.
struct Power {
    paths: &'static [&'static str],
    holders: fn(&Policy) -> &[String],
    what: &'static str,
}

const POWERS: [Power; 3] = [
    Power {
        paths: &[
            "std::fs",
            "std::env",
            "std::process::exit",
            "std::process::abort",
            "std::io::stdin",
            "std::io::stdout",
            "std::io::stderr",
            "println!",
            "print!",
            "eprintln!",
            "eprint!",
        ],
        holders: |policy| &policy.powers.outside,
        what: "files, environment, standard streams and exit",
    },
    Power {
        paths: &["std::time::Instant", "std::time::SystemTime"],
        holders: |policy| &policy.powers.clock,
        what: "the clock",
    },
    Power {
        paths: &["std::process::Command"],
        holders: |policy| &policy.powers.processes,
        what: "child processes",
    },
];

pub(super) fn check(tree: &Tree, policy: &Policy, findings: &mut Findings) {
    for file in tree.files.iter().filter(|file| file.is_product_code()) {
        let Some(name) = file.crate_name() else { continue };
        for named in named_paths(&file.source.product) {
            for power in POWERS.iter().filter(|power| power.covers(&named.path)) {
                let holders = (power.holders)(policy);
                if !holders.iter().any(|holder| holder == name) {
                    let line = line_of(&file.source.product, named.offset);
                    let message =
                        format!("`{}`: only {} may use {}", named.path, holders.join(", "), power.what);
                    findings.error(&file.path, line, message);
                }
            }
        }
    }
}

impl Power {
    fn covers(&self, path: &str) -> bool {
        self.paths.iter().any(|power| {
            path.strip_prefix(power).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::tidy::findings::found;

    const POLICY: &str = "[powers]\noutside = [\"app\"]\nclock = [\"base\"]\nprocesses = [\"smt\", \"app\"]";

    fn on(path: &str, text: &str) -> Vec<String> {
        found(check, POLICY, &[(path, text)])
    }

    fn is_found(name: &str, text: &str) -> bool {
        !on(&format!("crates/{name}/src/lib.rs"), text).is_empty()
    }

    #[test]
    fn powers_belong_to_their_crates() {
        for (text, holder) in [
            ("use std::fs::File;", "app"),
            ("use std::{env, fmt};", "app"),
            ("fn f() { std::process::exit(1) }", "app"),
            ("fn f() { println!(\"x\") }", "app"),
            ("fn f() { eprint!(\"x\") }", "app"),
            ("use std::io::{self, Write}; fn f() { io::stdout() }", "app"),
            ("use std::time::{Duration, Instant};", "base"),
            ("fn f() { std::time::SystemTime::now() }", "base"),
            ("use std::process::{Child, Command};", "smt"),
        ] {
            assert!(is_found("model", text), "{text}");
            assert!(!is_found(holder, text), "{text}");
        }
    }

    #[test]
    fn messages_say_where_and_whose() {
        let message = "crates/model/src/lib.rs:2: error: `std::process::Command`: only smt, app may use child processes";
        assert_eq!(on("crates/model/src/lib.rs", "//! Docs.\nuse std::process::Command;"), [message]);
    }

    #[test]
    fn tests_and_harmless_uses_pass() {
        assert!(!is_found("model", "#[cfg(test)]\nmod tests { use std::fs; }"));
        assert!(!is_found("model", "// std::fs\nconst X: &str = \"std::env\"; use std::time::Duration;"));
        assert!(!is_found(
            "model",
            "use std::process::ExitCode; const V: &str = env!(\"CARGO_PKG_VERSION\");"
        ));
        assert_eq!(on("crates/model/tests/a.rs", "use std::fs;"), [""; 0]);
        assert_eq!(on("crates/model/build.rs", "fn main() { println!() }"), [""; 0]);
    }
}
