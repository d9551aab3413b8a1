//! Contracts that the compiler rejects are rejected. Each was given to solc 0.8.21, which rejects it too.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use thetis_base::{Diagnostics, SourceMap};
use thetis_solidity::{Options, read};

/// The messages about a text, or nothing if it is accepted.
fn messages(version: &str, text: &str) -> Vec<String> {
    let mut sources = SourceMap::new();
    let file = sources.add("c.sol", format!("pragma solidity {version};\n{text}"));
    let mut diags = Diagnostics::new();
    let _ = read(&sources, &[file], &Options::default(), &mut diags);
    diags.iter().map(|diag| diag.message.clone()).collect()
}

#[test]
fn what_the_compiler_rejects_is_rejected() {
    for (text, message) in [
        (
            "contract A { function f() public virtual {} } contract T is A { function f() public {} }",
            "`f` needs `override`",
        ),
        (
            "contract A { function f() public {} } contract T is A { function f() public override {} }",
            "`f` is not virtual and cannot be overridden",
        ),
        ("contract T { function f() public override {} }", "`f` overrides nothing"),
        (
            "contract A { function f() public virtual {} } contract T is A { function f() internal override {} }",
            "`f` is overridden with another visibility",
        ),
        (
            "contract A { function f() public view virtual {} } contract T is A { function f() public override {} }",
            "`f` is overridden with another mutability",
        ),
        (
            "contract A { function f() public virtual returns (uint) {} } contract T is A { function f() public override returns (int) {} }",
            "`f` is overridden with other results",
        ),
        (
            "contract A { function f() public virtual {} } contract B { function f() public virtual {} } contract T is A, B { function f() public override {} }",
            "`f` overrides several functions and has to name their contracts",
        ),
        ("abstract contract A {} contract T { function g() public { new A(); } }", "this cannot be created"),
        (
            "contract T { uint x; function f() public view { x = 1; } }",
            "`f` is view or pure and changes state",
        ),
        (
            "contract T { uint[] x; function f() public view { x.push(1); } }",
            "`f` is view or pure and changes state",
        ),
        (
            "contract T { uint x; function g() internal { x = 1; } function f() public view { g(); } }",
            "`f` is view or pure and changes state",
        ),
        (
            "contract T { event E(); function f() public view { emit E(); } }",
            "`f` is view or pure and changes state",
        ),
        (
            "contract T { function f(address payable a) public view { a.transfer(1); } }",
            "`f` is view or pure and changes state",
        ),
        (
            "contract T { uint x; function f() public pure returns (uint) { return x; } }",
            "`f` is pure and reads state",
        ),
        (
            "contract T { function f() public pure returns (address) { return msg.sender; } }",
            "`f` is pure and reads state",
        ),
        (
            "contract T { function f() public pure returns (uint) { return block.number; } }",
            "`f` is pure and reads state",
        ),
        (
            "contract T { uint x; function g() internal view returns (uint) { return x; } function f() public pure returns (uint) { return g(); } }",
            "`f` is pure and reads state",
        ),
        (
            "contract T { function f(uint a) public {} function f(uint b) public {} }",
            "there are two functions `f` with these parameters",
        ),
        ("contract T { uint x; bool x; }", "there are two declarations `x`"),
        ("contract T { uint f; function f() public {} }", "there are two declarations `f`"),
        ("contract A { uint x; } contract T is A { bool x; }", "a base has a state variable `x` too"),
        ("contract T { function f() public { uint x; uint x; } }", "there are two variables `x`"),
        ("contract T { function f(uint a, bool a) public { } }", "there are two parameters `a`"),
        ("contract T { struct S { uint a; bool a; } }", "there are two fields `a`"),
        ("contract T { enum E { A, A } }", "there are two members `A`"),
        ("contract T { struct S { S s; } }", "`S` contains itself"),
        ("contract T { struct S { R[2] r; } struct R { S s; } }", "`S` contains itself"),
        ("contract T { function f() { } }", "`f` needs a visibility"),
        ("contract T { function f() public virtual; }", "this contract should be abstract: `f` has no body"),
        (
            "interface I { function f() external; } contract T is I { }",
            "this contract should be abstract: `f` has no body",
        ),
        ("interface I { uint x; }", "interfaces have no state variables"),
        ("interface I { function f() external {} }", "functions of interfaces have no bodies"),
        ("interface I { function f() public; }", "functions of interfaces are external"),
        ("library L { uint x; }", "libraries have no state variables"),
        (
            "contract A { function f() private {} } contract T is A { function g() public { f(); } }",
            "`f` cannot be called from here",
        ),
        (
            "contract T { function f() external {} function g() public { f(); } }",
            "`f` cannot be called from here",
        ),
        (
            "contract A { uint private x; } contract T is A { function g() public { x = 1; } }",
            "unknown name `x`",
        ),
        (
            "contract T { uint constant x = 1; function g() public { x = 2; } }",
            "constants cannot be assigned",
        ),
        (
            "contract T { uint immutable x = 1; function g() public { x = 2; } }",
            "only the constructor can assign this",
        ),
        (
            "contract T { function g(uint[] a) public { } }",
            "this parameter needs `memory`, `storage` or `calldata`",
        ),
        (
            "contract T { uint[] x; function g() public { uint[] a = x; } }",
            "this variable needs `memory`, `storage` or `calldata`",
        ),
        (
            "contract T { function g() public returns (uint) { return msg.value; } }",
            "`g` is not payable, so there is no `msg.value`",
        ),
        (
            "contract T { function g() internal payable { } }",
            "only functions that can be called from outside are payable",
        ),
        (
            "contract T { function g(address a) public { a.transfer(1); } }",
            "only values of type `address payable` have a member `transfer`",
        ),
        ("contract T { function g() public { 1 = 2; } }", "this cannot be assigned"),
        ("contract T { function T() public { } }", "a function cannot be called as its contract"),
        (
            "contract T { uint[] a; function g() public { a.length = 1; } }",
            "the length of an array cannot be assigned",
        ),
        (
            "contract T { function g(uint a) public returns (uint) { return -a; } }",
            "values of type `uint256` cannot be negated",
        ),
        (
            "contract T { function g() public returns (uint) { return uint(-1); } }",
            "-1 cannot be converted to `uint256`",
        ),
        (
            "contract T { function g(uint8 a) public returns (int16) { return int16(a); } }",
            "`uint8` cannot be converted to `int16`",
        ),
        (
            "contract A { constructor(uint x) {} } contract T is A { }",
            "the constructor of `A` gets no arguments",
        ),
        (
            "contract T { event E(uint a); function g() public { emit E(true); } }",
            "no event takes these arguments",
        ),
        ("contract T { receive() external { } }", "`receive` has to be payable"),
        ("contract T { fallback() public { } }", "this function has to be external"),
        (
            "contract T { function f(uint8 a) internal {} function f(uint a) internal {} function g(uint8 a) public { f(a); } }",
            "several functions `f` take these arguments",
        ),
        (
            "contract T { function g(uint8 a) public returns (int) { return a; } }",
            "`uint8` cannot be converted to `int256`",
        ),
        (
            "contract T { function f(address a) internal {} function g() public { f(1); } }",
            "no function `f` takes these arguments",
        ),
    ] {
        let found = messages("^0.8.0", text);
        assert!(found.iter().any(|found| found == message), "{text}: {found:?}");
    }
}

#[test]
fn what_other_versions_accept_is_accepted_there() {
    for (version, text) in [
        ("^0.4.25", "contract T { uint x; function T() { x = 1; } function f() constant { x = 2; } }"),
        ("^0.4.25", "contract A { function f() {} } contract T is A { function f() {} }"),
        (
            "^0.5.0",
            "contract A { function f() public {} } contract T is A { function f() public {} uint[] a; function g() public { a.length = 1; } }",
        ),
        (
            "^0.7.0",
            "contract T { function g(uint8 a) public returns (int16) { return int16(a); } function h() public { msg.sender.transfer(1); } }",
        ),
        ("^0.8.8", "interface I { function f() external; } contract T is I { function f() external {} }"),
        (
            "^0.8.0",
            "interface I { function f() external view returns (uint); } contract T is I { uint public override f; }",
        ),
        ("^0.8.0", "contract A { uint private x; function f() private {} } contract T is A { uint x; }"),
        (
            "^0.8.0",
            "contract A { constructor(uint x) {} } abstract contract B is A { } contract T is B { constructor() A(1) {} }",
        ),
        ("^0.8.0", "contract T { struct S { S[] children; mapping(uint => S) others; } S s; }"),
    ] {
        assert_eq!(messages(version, text), Vec::<String>::new(), "{version}: {text}");
    }
}
