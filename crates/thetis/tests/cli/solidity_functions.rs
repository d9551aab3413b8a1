//! Functions as developers write them, whose truth is known: `solidity-functions.txt`.
//!
//! Each case is a title, the functions with their statuses, and the contracts. What does not hold must not be `OK`; what is not modelled is skipped.

use serde_json::Value;

use super::{folder, thetis, write};

/// The functions of a case with their statuses, sorted: functions can be overloaded.
fn statuses(contracts: &str) -> Vec<String> {
    let folder = folder();
    let file = write(&folder, "c.sol", format!("pragma solidity ^0.8.0;\n{contracts}"));
    let outcome = thetis(&["check", &file, "--arithmetic", "mod", "--format", "json"]);
    let report: Value = serde_json::from_str(&outcome.out).expect(&outcome.err);
    let functions = report["functions"].as_array().expect("there should be functions");
    let words = functions.iter().map(|function| {
        format!("{} {}", function["name"].as_str().unwrap(), function["status"].as_str().unwrap())
    });
    words.collect()
}

/// Checks every fourth case.
fn check(first: usize) {
    let cases = include_str!("solidity-functions.txt").split("//// ").skip(1);
    for case in cases.skip(first).step_by(4) {
        let (head, contracts) = case.split_once('\n').expect("a case should have contracts");
        let (title, expected) = head.split_once(": ").expect("a case should have verdicts");
        let mut found = statuses(contracts);
        for function in expected.split(", ") {
            let at = found.iter().position(|status| status == function);
            assert!(at.is_some(), "{title}: {function} is not among {found:?}");
            found.remove(at.unwrap());
        }
    }
}

#[test]
fn functions_have_their_verdicts_1() {
    check(0);
}

#[test]
fn functions_have_their_verdicts_2() {
    check(1);
}

#[test]
fn functions_have_their_verdicts_3() {
    check(2);
}

#[test]
fn functions_have_their_verdicts_4() {
    check(3);
}

const TWO: &str = "pragma solidity ^0.8.0;\ncontract C { uint x; function f(uint a) public { uint b = a; x = b; b = 7; assert(x != 5); }\n\
                   function g(uint n) public pure { uint i = 0; while (i < n) { i++; } assert(i == n); } }";

/// The evidence about all functions is kept, and changes to it are detected.
#[test]
fn certificates_of_functions_are_examined() {
    let folder = folder();
    let (file, kept) = (write(&folder, "c.sol", TWO), write(&folder, "c.json", ""));
    let check = |arithmetic: &str| {
        let outcome = thetis(&["check", &file, "--arithmetic", arithmetic, "--certificate", &kept]);
        assert_eq!(outcome.code, 10, "{}", outcome.err);
    };
    check("mod");
    let outcome = thetis(&["certify", &file, &kept]);
    assert_eq!(outcome.code, 10, "{}{}", outcome.out, outcome.err);
    assert!(outcome.out.starts_with("C::f: unsafe\n"), "{}", outcome.out);
    assert!(outcome.out.contains("\nC::g: safe\n"), "{}", outcome.out);
    let mut certificates: Value = serde_json::from_str(&std::fs::read_to_string(&kept).unwrap()).unwrap();
    // A proof about fewer checks is no proof about the function.
    let answers = certificates["functions"][1]["answers"].as_array_mut().unwrap();
    answers.last_mut().unwrap()["checks"].as_array_mut().unwrap().pop();
    let outcome = thetis(&["certify", &file, &write(&folder, "less.json", certificates.to_string())]);
    assert!(outcome.out.contains("C::g: unknown"), "{}", outcome.out);
    // Another text, and another translation.
    let other = write(&folder, "other.sol", TWO.replace("!= 5", "!= 6"));
    let outcome = thetis(&["certify", &other, &kept]);
    assert_eq!(outcome.code, 2, "{}", outcome.out);
    certificates["arithmetic"] = "bv".into();
    let outcome = thetis(&["certify", &file, &write(&folder, "bv.json", certificates.to_string())]);
    assert!(
        outcome.out.contains("C::f: unknown") && outcome.out.contains("C::g: unknown"),
        "{}",
        outcome.out
    );
}

/// A violation is shown statement by statement.
#[test]
fn violations_have_values_step_by_step() {
    let folder = folder();
    let file = write(&folder, "c.sol", TWO);
    let outcome = thetis(&["check", &file, "--format", "json"]);
    let report: Value = serde_json::from_str(&outcome.out).expect(&outcome.err);
    let run = report["functions"][0]["violations"][0]["run"].as_array().unwrap().clone();
    let told: Vec<String> = run
        .iter()
        .flat_map(|step| step["values"].as_array().unwrap())
        .map(|value| format!("{} = {}", value["name"].as_str().unwrap(), value["value"].as_str().unwrap()))
        .collect();
    assert!(told.ends_with(&["b = 5".into(), "x = 5".into(), "b = 7".into()]), "{told:?}");
    assert!(outcome.err.contains(": x = 5\n"), "{}", outcome.err);
}
