//! Contracts as automata: which functions there are, what is checked, and what is skipped or rejected.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use thetis_base::{Diagnostics, SourceMap};
use thetis_solidity::{FunctionOutcome, FunctionTask, Options, imports, read, read_contract};

fn functions(text: &str) -> Result<Vec<FunctionTask>, Vec<String>> {
    let mut sources = SourceMap::new();
    let file = sources.add("c.sol", text);
    let mut diags = Diagnostics::new();
    read(&sources, &[file], &Options::default(), &mut diags).map_err(|_| {
        diags.iter().map(|diag| format!("{}: {}", sources.start(diag.span).line, diag.message)).collect()
    })
}

/// How many checks a contract has as a whole, with its limits; or what is wrong with it.
fn whole(text: &str) -> String {
    let mut sources = SourceMap::new();
    let file = sources.add("c.sol", text);
    let mut diags = Diagnostics::new();
    match read_contract(&sources, &[file], None, &Options::default(), &mut diags) {
        Ok(contract) => {
            contract.task.model.validate(&contract.task.store).unwrap();
            let limits: Vec<&String> = contract.task.model.limits.values().collect();
            format!("{} {} {limits:?}", contract.name, contract.checks.len())
        }
        Err(_) => diags.iter().map(|diag| diag.message.clone()).collect::<Vec<_>>().join("; "),
    }
}

#[test]
fn contracts_are_translated_as_a_whole() {
    for (text, expected) in [
        ("contract C { function f() public { assert(true); } }", "C 0 []"),
        (
            "contract C { uint x; function f() internal { assert(x == 0); } function g() public { f(); f(); } }",
            "C 2 ",
        ),
        ("/// @notice invariant x == 0\ncontract C { uint x; }", "C 1 "),
        ("contract A { function f() public { assert(1 > 2); } } contract C is A { }", "C 1 "),
        (
            "contract C { function f() public { assembly { } } }",
            "C 0 [\"c.sol:1: inline assembly is not supported\"]",
        ),
        (
            "contract C { function f(uint n) public { if (n > 0) f(n - 1); } }",
            "C 0 [\"c.sol:1: recursive functions are not supported here\"]",
        ),
        ("contract A { } contract B { }", "say which contract is meant, as in `contract:A`: A, B"),
        ("interface I { }", "no contract of this file can be deployed"),
        ("contract C { function f() public { g(); } }", "unknown name `g`"),
    ] {
        let found = whole(text);
        assert!(found.starts_with(expected), "{text}: {found}");
    }
}

/// Each function with its number of checks, or the reason why it is skipped.
fn summary(text: &str) -> String {
    let shown = functions(text).unwrap().into_iter().map(|function| match function.outcome {
        FunctionOutcome::Translated(translated) => {
            translated.task.model.validate(&translated.task.store).unwrap();
            format!("{} {}", function.name, translated.checks.len())
        }
        FunctionOutcome::Skipped(skipped) => format!("{}: {}", function.name, skipped.reason),
    });
    shown.collect::<Vec<_>>().join("; ")
}

#[test]
fn functions_that_are_public_or_annotated_are_verified() {
    for (text, expected) in [
        ("contract C { }", "C::[implicit_constructor] 0"),
        ("contract C { constructor() { } }", "C::[constructor] 0"),
        ("library L { function f() internal {} }", ""),
        ("library L { function f() public {} }", "L::f 0"),
        ("interface I { function f() external; }", "I::[implicit_constructor] 0"),
        ("contract C { function f() internal { assert(false); } constructor() { } }", "C::[constructor] 0"),
        (
            "contract C { constructor() { }\n/// @notice postcondition true\nfunction f() internal { } }",
            "C::[constructor] 0; C::f 0",
        ),
        (
            "/// @notice invariant x == 0\ncontract C { int x; constructor() { x = msg.sender == address(1) ? 1 : 0; } }",
            "C::[constructor] 1; C::[receive_ether_selfdestruct] 1",
        ),
        (
            "contract C { constructor() { } function f(int a) public { assert(a == 0); assert(a == 1); } }",
            "C::[constructor] 0; C::f 2",
        ),
        (
            "contract C { constructor() { } receive() external payable { } fallback() external { } }",
            "C::[constructor] 0; C::[receive] 0; C::[fallback] 0",
        ),
    ] {
        assert_eq!(summary(text), expected, "{text}");
    }
}

#[test]
fn what_is_not_modelled_skips_one_function() {
    for (body, reason) in [
        ("assembly { }", "inline assembly is not supported"),
        ("try msg.sender.send(1) { } catch { }", "this call cannot be tried"),
        ("selfdestruct(msg.sender);", "`selfdestruct` is not supported"),
        ("msg.sender.delegatecall(\"\");", "`delegatecall` is not supported"),
        ("uint a = 3; uint b = a + a++;", "the order in which these operands are evaluated is not specified"),
        (
            "uint[] memory a; uint b = a.length + h(a);",
            "the order in which these operands are evaluated is not specified",
        ),
        (
            "uint a = 3; a = a & uint(block.number);",
            "this operation is not supported in the arithmetic `int`",
        ),
    ] {
        let text = format!(
            "contract C {{ constructor() {{ }} function g() public {{ }} function h(uint[] memory a) internal pure returns (uint) {{ a[0] = 1; return 1; }} function f() public {{ {body} }} }}"
        );
        assert_eq!(summary(&text), format!("C::[constructor] 0; C::g 0; C::f: {reason}"), "{body}");
    }
}

#[test]
fn what_is_wrong_has_a_message_with_its_place() {
    for (text, message) in [
        ("contract C {", "1: "),
        ("contract C { function f() public {\nint a = b; } }", "2: unknown name `b`"),
        (
            "contract C { function f() public {\nint a = true; } }",
            "2: `bool` cannot be converted to `int256`",
        ),
        ("contract C { function f() public {\nuint8 a = 256; } }", "2: 256 cannot be converted to `uint8`"),
        (
            "contract C { function f(int a) public { }\nfunction g() public { f(true); } }",
            "2: no function `f` takes these arguments",
        ),
        ("contract C { T x; }", "1: unknown type `T`"),
        (
            "contract A { constructor() { new B(); } }\ncontract B { constructor() { new A(); } }",
            "1: contracts cannot create each other",
        ),
        (
            "contract C { uint x;\n/// @notice tracks-changes-in y\nevent E(uint q); }",
            "2: an event can only track state variables",
        ),
        ("contract C {\n/// @notice emits Q\nfunction f() public { } }", "3: there is no event `Q`"),
        (
            "contract C {\n/// @notice modifies\nfunction f() public { } }",
            "2: an expression is missing in this annotation",
        ),
        (
            "contract A { }\ncontract B is A { }\ncontract C is B, A { }",
            "3: the bases of this contract cannot be ordered",
        ),
        (
            "contract C { int x;\n/// @notice postcondition x = 1\nfunction f() public { } }",
            "2: annotations must not have side effects",
        ),
        (
            "contract C { int x;\n/// @notice postcondition forall (uint i\nfunction f() public { } }",
            "2: expected something in parentheses",
        ),
        (
            "contract C { event E();\n/// @notice emits E\nfunction f() public { }\nfunction g() public { emit E(); } }",
            "4: the function possibly emits `E` without specifying it",
        ),
    ] {
        let messages = functions(text).err().unwrap_or_default();
        assert!(messages.iter().any(|found| found.starts_with(message)), "{text}: {messages:?}");
    }
}

#[test]
fn imports_are_listed() {
    assert_eq!(
        imports("import \"./a.sol\"; import {B} from \"b.sol\"; contract C { }"),
        ["./a.sol", "b.sol"]
    );
    assert!(imports("contract C {").is_empty());
}

/// No text makes the front end panic: prefixes of a contract, and the contract with one character missing.
#[test]
fn mutilated_contracts_are_rejected_or_translated() {
    let text = "/// @notice invariant forall (uint i) x[i] >= 0\ncontract C { int[] x; struct S { int a; } mapping(address => S) m;\n\
                /// @notice modifies m[msg.sender].a if x.length > 0\n/// @notice postcondition __verifier_old_int(m[msg.sender].a) == 0\n\
                function f(uint n) public returns (int r) { S storage s = m[msg.sender]; for (uint i = 0; i < n; i++) { s.a += x[i]; } (r, ) = (s.a, \"é\"); } }";
    for (at, c) in text.char_indices().filter(|(at, _)| at % 3 == 0) {
        let other = format!("{}{}", &text[..at], &text[at + c.len_utf8()..]);
        for text in [&text[..at], &other] {
            let _ = functions(text);
            let _ = whole(text);
        }
    }
}

/// What older versions mean differently and is not modelled is skipped, never translated as newer versions mean it.
#[test]
fn old_meanings_are_skipped() {
    for (version, body, reason) in [
        ("0.4.0", "for (uint i = 0; i < 3; i++) { uint z; z++; }", "a variable needs an initial value here"),
        ("0.4.0", "S p; p.a = 5;", "a variable needs an initial value here"),
        ("0.4.0", "if (x == 1) { uint x = 5; } x = 3;", "in this version a variable that hides another one"),
        ("0.4.0", "for (uint i = 0; i < 1; i++) { } x = i;", "`i` is not known here"),
        ("0.4.0", "int y = -5; y = y >> 1;", "shifts of numbers with a sign"),
        ("0.5.0", "uint8 y = 9; x = 1 << y;", "a literal with such an operand"),
    ] {
        let contract =
            format!("contract C {{ struct S {{ uint a; }} S s; uint x; function f() public {{ {body} }} }}");
        let old = summary(&format!("pragma solidity ^{version};\n{contract}"));
        assert!(old.contains(&format!("C::f: {reason}")), "{body}: {old}");
    }
}

/// Whether a literal number is meant as bytes depends on how it is written, so nothing is chosen.
#[test]
fn a_literal_that_several_functions_may_take_is_skipped() {
    let text = "contract C { function f(bytes4) internal {} function f(uint) internal {} function g() public { f(7); } }";
    let found = summary(text);
    assert!(found.contains("C::g: which function `f` takes a literal is not modelled"), "{found}");
}

#[test]
fn deep_annotations_are_rejected_at_once() {
    let (open, close) = ("(".repeat(100_000), ")".repeat(100_000));
    let text = format!("/// @notice invariant {open}x > 0{close}\ncontract C {{ uint x; }}");
    assert_eq!(functions(&text).err().unwrap(), ["1: this annotation is nested too deeply"]);
}
