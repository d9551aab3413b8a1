//! Contracts as a whole: constructor, then any sequence of transactions.

use super::{Outcome, folder, thetis, write};

fn check(source: &str, options: &[&str]) -> Outcome {
    let folder = folder();
    let file = write(&folder, "c.sol", format!("pragma solidity ^0.8.0;\n{source}"));
    let args = ["check", &file, "--property", "contract", "--time", "60s"];
    thetis(&args.into_iter().chain(options.iter().copied()).collect::<Vec<_>>())
}

/// A bank whose `withdraw` has these statements and whose functions have these modifiers, `check` the last ones.
fn bank(modifiers: &str, withdraw: &str, of_check: &str) -> String {
    format!(
        "contract Bank {{ uint deposits; bool locked;\n\
         modifier guarded() {{ require(!locked); locked = true; _; locked = false; }}\n\
         function deposit() public payable {modifiers} {{ deposits += msg.value; }}\n\
         function withdraw(uint amount) public {modifiers} {{ require(amount <= deposits); {withdraw} }}\n\
         function check() public {of_check} {{ assert(deposits <= address(this).balance); }} }}"
    )
}

const CALL: &str = "(bool ok, ) = msg.sender.call{value: amount}(\"\"); require(ok);";

#[test]
fn transactions_are_any_sequence_by_anybody() {
    for (source, engine, verdict) in [
        (
            "contract C { uint x; uint y; function f() public { x += 1; y += 1; } function g() public view { assert(x == y); } }",
            "ic3",
            "safe",
        ),
        (
            "contract C { uint x; function f(uint n) public { require(n < 5); x += n; } function g() public view { assert(x < 7); } }",
            "bmc",
            "unsafe",
        ),
        (
            "contract C { address owner = msg.sender; uint x; function f() public { require(msg.sender == owner); x = 1; } function g() public view { assert(x == 0); } }",
            "bmc",
            "unsafe",
        ),
        (
            "contract C { address owner; uint x; function f() public { require(msg.sender == owner && msg.sender != address(0)); x = 1; } function g() public view { assert(x == 0); } }",
            "ic3",
            "safe",
        ),
        (
            "contract C { uint end = block.timestamp + 9; bool over; function f() public { require(block.timestamp >= end); over = true; } function g() public view { assert(!over || block.timestamp >= end); } }",
            "ic3",
            "safe",
        ),
        ("contract C { function f() public payable { assert(msg.value == 0); } }", "bmc", "unsafe"),
        ("contract C { function f() public { assert(msg.sender != address(this)); } }", "ic3", "safe"),
        (
            "contract C { uint x; function f() public { this.g(); } function g() public { x += 1; if (msg.sender == address(this)) x = 9; } function h() public view { assert(x != 9); } }",
            "bmc",
            "unsafe",
        ),
        (
            "/// @notice invariant x <= 3\ncontract C { uint x; function f() public { if (x < 3) x += 1; } }",
            "ic3",
            "safe",
        ),
        (
            "/// @notice invariant x <= 2\ncontract C { uint x; function f() public { if (x < 3) x += 1; } }",
            "bmc",
            "unsafe",
        ),
        (
            "contract C { uint x; function f() public { assembly { sstore(0, 1) } } function g() public view { assert(x == 0); } }",
            "bmc",
            "unknown",
        ),
    ] {
        let outcome = check(source, &["--engine", engine]);
        assert!(outcome.out.starts_with(verdict), "{source}\n{}{}", outcome.out, outcome.err);
    }
}

#[test]
fn callees_can_call_back() {
    let book_late = format!("{CALL} deposits -= amount;");
    let book_stale = format!("uint rest = deposits - amount; {CALL} deposits = rest;");
    for (source, engine, verdict) in [
        // The call comes last, or functions are locked.
        (bank("", &format!("deposits -= amount; {CALL}"), ""), "ic3", "safe"),
        (bank("guarded", &book_late, "guarded"), "ic3", "safe"),
        // The lock is of no use to a function without it.
        (bank("guarded", &book_late, ""), "bmc", "unsafe"),
        (bank("", &book_stale, ""), "bmc", "unsafe"),
    ] {
        let outcome = check(&source, &["--engine", engine]);
        assert!(outcome.out.starts_with(verdict), "{source}\n{}{}", outcome.out, outcome.err);
        if verdict == "unsafe" {
            assert!(outcome.err.contains("calls unknown code, which calls back"), "{}", outcome.err);
        }
    }
}

#[test]
fn evidence_is_kept_and_invariants_are_written() {
    let folder = folder();
    let source = "contract C { uint x; uint y; function f() public { x += 1; y += 1; } \
                  function g() public view { assert(x == y); } }";
    let file = write(&folder, "c.sol", format!("pragma solidity ^0.8.0;\n{source}"));
    let certificate = folder.path().join("c.json").display().to_string();
    let annotated = folder.path().join("a.sol").display().to_string();
    let asked = ["--property", "contract"];
    let options = ["--engine", "ic3", "--certificate", &certificate, "--write-annotations", &annotated];
    let outcome = thetis(&[&["check", &file], &asked[..], &options[..]].concat());
    assert!(outcome.out.starts_with("safe"), "{}", outcome.err);
    assert!(thetis(&[&["certify", &file, &certificate], &asked[..]].concat()).out.starts_with("safe"));
    let text = std::fs::read_to_string(&annotated).unwrap();
    assert!(text.contains("/// @notice invariant x == y"), "{text}");
    let json = thetis(&[&["check", &file], &asked[..], &["--engine", "ic3", "--format", "json"]].concat());
    let report: serde_json::Value = serde_json::from_str(&json.out).unwrap();
    assert!(report["invariants"].as_array().unwrap().contains(&"x == y".into()), "{}", report["invariants"]);
    // What was inferred is inductive, so every function keeps it.
    let again = thetis(&["check", &annotated, "--arithmetic", "mod"]);
    assert!(again.out.contains("safe: all checks of 4 functions hold"), "{text}\n{}", again.out);
}

#[test]
fn a_file_with_several_contracts_needs_a_name() {
    let source = "contract A { function f() public pure { assert(false); } } contract B { uint x; }";
    let outcome = check(source, &[]);
    assert_eq!(outcome.code, 2, "{}", outcome.err);
    assert!(outcome.err.contains("say which contract is meant, as in `contract:A`: A, B"), "{}", outcome.err);
}
