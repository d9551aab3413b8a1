//! The semantics of Solidity, compared with the Ethereum machine: `solidity-*.txt` have constructors with assertions
//! that hold.
//!
//! Whether they hold was found out by running the code that solc generates (`contrib/solidity-evm.mjs`). Each is
//! verified as it stands, and once more with its last assertion negated, which must fail. A wrong semantics of anything
//! in between would change one of the two verdicts.

use serde_json::Value;

use super::{folder, thetis, write};

/// The cases of a file: names, declarations, and the statements of the constructor.
fn cases(text: &str) -> Vec<(&str, &str, &str)> {
    let parts = text.split("//// ").skip(1);
    parts
        .map(|part| {
            let (name, rest) = part.split_once('\n').expect("a case should have a name");
            let (declarations, body) = rest.split_once("\n---\n").expect("a case should have a body");
            (name.trim(), declarations.trim(), body.trim())
        })
        .collect()
}

/// The statements with the last assertion negated.
fn negated(body: &str) -> String {
    let (before, condition) = body.rsplit_once("assert(").expect("a case should have an assertion");
    let condition = condition.strip_suffix(");").expect("the assertion should come last");
    format!("{before}assert(!({condition}));")
}

/// The status of the constructor of each case.
fn statuses(pragma: &str, constructor: &str, bodies: &[(&str, String)]) -> Vec<String> {
    let contracts = bodies.iter().enumerate().map(|(number, (declarations, body))| {
        format!("contract T{number} {{ {declarations}\n{constructor} {{ {body} }} }}\n")
    });
    let text = format!("pragma solidity {pragma};\n{}", contracts.collect::<String>());
    let folder = folder();
    let file = write(&folder, "c.sol", text);
    let outcome = thetis(&["check", &file, "--arithmetic", "mod", "--format", "json"]);
    let report: Value = serde_json::from_str(&outcome.out).expect(&outcome.err);
    let functions = report["functions"].as_array().expect("there should be functions");
    let constructors =
        functions.iter().filter(|function| function["name"].as_str().unwrap().ends_with("::[constructor]"));
    constructors.map(|function| function["status"].as_str().unwrap().to_owned()).collect()
}

fn check(pragma: &str, constructor: &str, text: &str) {
    let cases = cases(text);
    let same: Vec<_> =
        cases.iter().map(|(_, declarations, body)| (*declarations, (*body).to_owned())).collect();
    let other: Vec<_> = cases.iter().map(|(_, declarations, body)| (*declarations, negated(body))).collect();
    for (bodies, expected) in [(same, "OK"), (other, "ERROR")] {
        let found = statuses(pragma, constructor, &bodies);
        assert_eq!(found.len(), cases.len());
        for ((name, ..), status) in cases.iter().zip(&found) {
            assert_eq!(status, expected, "{name} ({pragma})");
        }
    }
}

#[test]
fn constructors_do_what_the_machine_does() {
    check("^0.8.0", "constructor()", include_str!("solidity-0.8.txt"));
    check("^0.5.0", "constructor() public", include_str!("solidity-0.5.txt"));
}
