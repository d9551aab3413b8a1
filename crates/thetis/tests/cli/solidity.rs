//! Solidity contracts: verdicts on each function, formats and exit codes.

use super::{Outcome, folder, thetis, write};

fn check(source: &str, options: &[&str]) -> Outcome {
    let folder = folder();
    let file = write(&folder, "c.sol", format!("pragma solidity >=0.7.0;\n{source}"));
    let args: Vec<&str> = ["check", &file].into_iter().chain(options.iter().copied()).collect();
    thetis(&args)
}

/// For each function its status as solc-verify names it, and the number of checks that may fail.
fn statuses(source: &str, arithmetic: &str) -> String {
    let outcome = check(source, &["--format", "solc-verify", "--arithmetic", arithmetic]);
    let mut found: Vec<(String, usize)> = Vec::new();
    for line in outcome.out.lines() {
        if line.starts_with(" - ") {
            found.last_mut().expect("a check should belong to a function").1 += 1;
        } else if let Some((name, status)) = line.split_once(": ").filter(|(name, _)| name.contains("::")) {
            found.push((format!("{} {status}", name.split_once("::").unwrap().1), 0));
        }
    }
    let shown =
        found.into_iter().filter(|(name, _)| !name.starts_with('[')).map(|(name, count)| match count {
            0 => name,
            count => format!("{name} {count}"),
        });
    shown.collect::<Vec<_>>().join(", ")
}

#[test]
fn every_function_has_a_verdict() {
    let cases = [
        ("contract C { function f(int a) public pure { assert(a == a); } }", "int", "f OK"),
        ("contract C { function f(int a) public pure { assert(a == 0); } }", "int", "f ERROR 1"),
        ("contract C { function f(int a) public pure { require(a == 0); assert(a == 0); } }", "int", "f OK"),
        (
            "contract C { function f() public { assembly { } } function g() public {} }",
            "int",
            "g OK, f SKIPPED",
        ),
        ("contract C { function f(uint8 a) public pure { uint8 b = a + 1; assert(b > a); } }", "int", "f OK"),
        (
            "contract C { function f(uint8 a) public pure { uint8 b = a + 1; assert(b > a); } }",
            "mod",
            "f ERROR 1",
        ),
        (
            "contract C { function f(uint8 a) public pure { uint8 b = a + 1; assert(b > a); } }",
            "bv",
            "f ERROR 1",
        ),
        (
            "contract C { function f(uint8 a) public pure returns (uint8) { return a + 1; } }",
            "mod-overflow",
            "f ERROR 1",
        ),
    ];
    for (source, arithmetic, expected) in cases {
        assert_eq!(statuses(source, arithmetic), expected, "{arithmetic}: {source}");
    }
}

/// Figure 3.5 of the thesis that the method comes from, with lines left out. The figure does not say that `n` is not negative, and is wrong
/// without that: `x == y` may be the least number and `n` minus one.
#[test]
fn the_worked_example_has_the_verdicts_of_its_authors() {
    let contract = |add: &str, guard: &str, call: &str| {
        format!(
            "/// @notice invariant x == y\ncontract C {{ int x; int y;\n/// @notice precondition x == y && n >= 0\n/// @notice postcondition x == (y + n)\n\
             function add_to_x(int n) internal {{ {add} {guard} }}\nfunction add(int n) public {{ require(n >= 0); {call}\n\
             /// @notice invariant y <= x\nwhile (y < x) {{ y = y + 1; }} }} }}"
        )
    };
    let (add, guard, call) = ("x = x + n;", "require(x >= y);", "add_to_x(n);");
    assert_eq!(statuses(&contract(add, guard, call), "mod-overflow"), "add_to_x OK, add OK");
    // The sum of the postcondition may overflow, too.
    assert_eq!(statuses(&contract("", guard, call), "mod-overflow"), "add_to_x ERROR 2, add OK");
    assert_eq!(statuses(&contract(add, "", call), "mod-overflow"), "add_to_x ERROR 1, add OK");
    assert_eq!(statuses(&contract(add, guard, ""), "mod-overflow"), "add_to_x OK, add OK");
    let negative = contract(add, guard, call).replace(" && n >= 0", "");
    assert_eq!(statuses(&negative, "mod-overflow"), "add_to_x ERROR 1, add OK");
}

#[test]
fn the_other_figures_have_the_verdicts_of_their_authors() {
    let sale = "contract C { uint max = 1000 ether; uint raised = 0; receive() external payable { assert(raised < max); \
                require(msg.value != 0); require(raised + msg.value <= max); raised += msg.value; } function f() public {} }";
    let outcome = check(sale, &["--format", "solc-verify", "--arithmetic", "mod"]);
    assert!(outcome.out.contains("C::[receive]: ERROR"), "{}", outcome.out);
    let token = "contract C { mapping (address => uint) balances; function transf(address to, uint val) public { \
                 require(balances[msg.sender] >= val); require(msg.sender != to); balances[msg.sender] = balances[msg.sender] - val; \
                 balances[to] = balances[to] + val; assert(balances[to] >= val); } }";
    assert_eq!(statuses(token, "mod"), "transf ERROR 1");
    let wallet = "contract Wallet { address owner; modifier onlyOwner() { require(msg.sender == owner); _; } \
                  function deposit() payable public {} \
                  function pay(address payable to, uint amount) public onlyOwner { to.transfer(amount); assert(msg.sender == owner); } }";
    assert_eq!(statuses(wallet, "int"), "deposit OK, pay OK");
    let addition =
        "contract C { function f() public pure { uint8 x = 255; uint8 y = 1; assert(x + y == 0); } }";
    for (arithmetic, expected) in [("int", "f ERROR 1"), ("bv", "f OK"), ("mod", "f OK")] {
        assert_eq!(statuses(addition, arithmetic), expected, "{arithmetic}");
    }
}

/// Each function looks right and is not.
#[test]
fn what_does_not_hold_is_not_ok() {
    let cases = [
        // What a loop changes on its way out, in inner loops and before `continue`.
        "contract C { function f(int n) public pure { int x = 0; for (int i = 0; i < n; i++) { if (i == 5) { x = 1; break; } } assert(x == 0); } }",
        "contract C { function f(int n) public pure { int x = 0; for (int i = 0; i < n; i++) { int j = 0; while (j < 3) { j++; x++; } } assert(x == 0); } }",
        "contract C { function f(int n) public pure { int x = 0; int i = 0; while (i < n) { i++; if (i == 2) { x = 9; continue; } } assert(x == 0); } }",
        // A guess about a loop that is wrong.
        "contract C { function f(int n) public pure { int i = 0; while (i < n) { i = i + 2; } assert(i == n); } }",
        // Aliases in memory, also behind calls.
        "contract C { struct S { int a; } function f(S memory p, S memory q) public pure { p.a = 1; q.a = 2; assert(p.a == 1); } }",
        "contract C { struct S { int a; } function g(S memory p) internal pure { p.a = 5; } function f() public pure { S memory s = S(1); g(s); assert(s.a == 1); } }",
        // Storage pointers.
        "contract C { struct S { int a; } mapping(address => S) m; function f(address u) public { m[msg.sender].a = 1; S storage s = m[u]; s.a = 2; assert(m[msg.sender].a == 1); } }",
        "contract C { struct S { int a; } S s1; S s2; function f(bool b) public { s1.a = 1; S storage s = s1; if (b) s = s2; s.a = 2; assert(s1.a == 2); } }",
        // Functions that call themselves, and code that nobody knows.
        "contract C { int x; function g(int n) internal { if (n > 0) { x = x + 1; g(n - 1); } } function f() public { x = 0; g(3); assert(x == 0); } }",
        "contract C { int x; function f() public { x = 1; (bool ok, ) = msg.sender.call(\"\"); require(ok); assert(x == 1); } }",
        "interface I { function h() external; } contract C { int x; I i; function f() public { x = 1; i.h(); assert(x == 1); } }",
        // Ether to oneself, and ether that does not arrive.
        "contract C { function f(address payable a, uint v) public { uint b = address(this).balance; require(v > 0 && b >= v); a.transfer(v); assert(address(this).balance == b - v); } }",
        "contract C { function f(address payable a) public { bool ok = a.send(1); assert(ok); } }",
        // Side effects that happen only sometimes.
        "contract C { int x; function t() internal returns (bool) { x = 1; return true; } function f(bool b) public { x = 0; if (b || t()) {} assert(x == 0); } }",
        // Annotations are about parameters as they were passed.
        "contract C {\n/// @notice postcondition r == a + 1\nfunction f(int a) public pure returns (int r) { a = a + 1; r = a + 1; } }",
        // Texts may be equal.
        "contract C { mapping(string => int) m; function f(string memory a, string memory b) public { m[a] = 1; m[b] = 2; assert(m[a] == 1); } }",
    ];
    for source in cases {
        let found = statuses(source, "int");
        assert!(found.split(", ").any(|status| status == "f ERROR 1"), "{found}: {source}");
    }
}

#[test]
fn inherited_functions_must_keep_the_invariants_of_a_derived_contract() {
    let source = "contract A { int x; function s(int v) public { x = v; } }\n/// @notice invariant x == 0\ncontract B is A { }";
    assert_eq!(statuses(source, "int"), "s OK, s ERROR 1");
}

#[test]
fn formats_and_exit_codes_are_those_that_were_asked_for() {
    let (right, wrong) =
        ("contract C { function f() public {} }", "contract C { function f() public { assert(false); } }");
    let partial = "contract C { function f() public { assembly { } } }";
    for (source, ours, theirs) in
        [(right, 0, 0), (wrong, 10, 250), (partial, 5, 249), ("contract C {", 2, 255)]
    {
        assert_eq!(check(source, &[]).code, ours, "{source}");
        assert_eq!(check(source, &["--format", "solc-verify"]).code, theirs, "{source}");
    }
    let outcome = check(wrong, &[]);
    assert!(outcome.out.starts_with("C::f: unsafe\n  "), "{}", outcome.out);
    assert!(outcome.out.contains("c.sol:2:36: Assertion might not hold."), "{}", outcome.out);
    let json: serde_json::Value = serde_json::from_str(&check(wrong, &["--format", "json"]).out).unwrap();
    assert_eq!(json["functions"][0]["violations"][0]["kind"], "assertion");
    let sarif: serde_json::Value = serde_json::from_str(&check(wrong, &["--format", "sarif"]).out).unwrap();
    assert_eq!(sarif["runs"][0]["results"][0]["ruleId"], "assertion");
}

#[test]
fn arithmetic_is_an_option_and_a_setting() {
    let source = "pragma solidity ^0.7.0; contract C { function f(uint8 x) public pure { uint8 y = x + 1; assert(y > x); } }";
    assert_eq!(check(source, &[]).code, 0);
    for options in [["--arithmetic", "mod"], ["--set", "arithmetic=mod"]] {
        assert_eq!(check(source, &options).code, 10, "{options:?}");
    }
}

#[test]
fn wrong_input_has_a_message_with_its_place() {
    let cases = [
        (
            "contract C { int x;\n/// @notice postcondition x ==\nfunction f() public {} }",
            "is not an expression",
        ),
        ("/// @notice invariant x == 0\ncontract C { }", "unknown name `x`"),
        ("contract C { function f() public { y = 1; } }", "unknown name `y`"),
        ("contract C { function f() public { int a = true; } }", "`bool` cannot be converted to `int256`"),
        ("contract C is C { }", "another contract"),
    ];
    for (source, message) in cases {
        let outcome = check(source, &[]);
        assert_eq!(outcome.code, 2, "{source}: {}", outcome.err);
        assert!(outcome.err.contains(message), "{source}: {}", outcome.err);
    }
    let deep = format!(
        "contract C {{ function f() public {{ int a = {}1{}; }} }}",
        "(".repeat(100_000),
        ")".repeat(100_000)
    );
    let outcome = check(&deep, &[]);
    assert_eq!(outcome.code, 2, "{}", outcome.err);
    assert!(outcome.err.contains("nested too deeply"), "{}", outcome.err);
    let long = format!("contract C {{ function f() public {{ int a = {}1; }} }}", "1 + ".repeat(15_000));
    assert!([0, 2].contains(&check(&long, &[]).code));
}

#[test]
fn the_examples_have_their_verdicts() {
    let cases = [
        ("bank-buggy", "int", 10),
        ("bank-fixed", "int", 0),
        ("token", "int", 0),
        ("batch-overflow", "mod-overflow", 10),
    ];
    for (name, arithmetic, code) in cases {
        let outcome =
            thetis(&["check", &format!("examples/solidity/{name}.sol"), "--arithmetic", arithmetic]);
        assert_eq!(outcome.code, code, "{name}: {}{}", outcome.out, outcome.err);
    }
}

/// The verdict on `f` with each choice of the code at addresses of contract types.
#[test]
fn contract_types_say_nothing_about_code() {
    let other = "contract D { int public v;\n/// @notice postcondition r > 0\nfunction get() public returns (int r) { r = 1; } \
                 function look() public view returns (int) { return 3; } function set() public { v = 1; } }\n\
                 interface I {\n/// @notice postcondition r > 0\nfunction h() external returns (int r); }\n";
    for (body, sound, solc_verify) in [
        // The callee may call back and change what the caller has.
        ("x = 1; d.set(); assert(x == 1);", "unsafe", "safe"),
        ("x = 1; d.get(); assert(x == 1);", "unsafe", "safe"),
        ("assert(d.get() > 0);", "unsafe", "safe"),
        ("D(msg.sender).set(); assert(x == 0);", "unsafe", "unsafe"),
        // What only reads cannot change anything, but it can answer anything.
        ("x = 1; d.look(); assert(x == 1);", "safe", "safe"),
        ("x = 1; d.v(); assert(x == 1);", "safe", "safe"),
        ("assert(d.v() == d.v());", "unsafe", "safe"),
        // This contract has its own code.
        ("x = 1; this.g(); assert(x == 2);", "safe", "safe"),
        // Code that nobody has can only be described.
        ("assert(i.h() > 0);", "safe", "safe"),
        ("x = 1; i.h(); assert(x == 1);", "unsafe", "unsafe"),
    ] {
        let source = format!(
            "{other}contract C {{ D d; I i; int x;\n/// @notice postcondition x == 2\n\
             function g() public {{ x = 2; }}\nfunction f() public {{ {body} }} }}"
        );
        for (callees, expected) in [("sound", sound), ("solc-verify", solc_verify)] {
            let outcome = check(&source, &["--callees", callees]);
            let line = outcome.out.lines().find(|line| line.starts_with("C::f: "));
            assert_eq!(
                line,
                Some(format!("C::f: {expected}").as_str()),
                "{callees}: {body}\n{}",
                outcome.out
            );
            let is_assumed = outcome.out.contains("an address of the type `D` has the code of `D`");
            assert_eq!(
                is_assumed,
                callees != "sound" && (body.contains("d.") || body.contains("D(")),
                "{body}"
            );
            assert_eq!(
                outcome.out.contains("`I.h` satisfies its annotations"),
                body.contains("i.h"),
                "{body}"
            );
        }
    }
}

/// An invariant holds again after a call of unknown code, and has to hold before it.
#[test]
fn invariants_hold_around_calls_of_other_contracts() {
    let contract = |body: &str| {
        format!(
            "contract D {{ function set() public {{ }} }}\n/// @notice invariant x == y\n\
             contract C {{ D d; int x; int y; function f() public {{ {body} }} }}"
        )
    };
    for (body, expected) in
        [("x++; y++; d.set(); assert(x == y);", "C::f: safe"), ("x++; d.set(); y++;", "C::f: unsafe")]
    {
        let outcome = check(&contract(body), &[]);
        assert!(outcome.out.contains(expected), "{body}\n{}", outcome.out);
    }
}

#[test]
fn contradictory_assumptions_are_warned_of() {
    for (annotations, is_vacuous) in [
        ("/// @notice precondition a > 0\n/// @notice precondition a < 0", true),
        ("/// @notice precondition a > 0\n/// @notice precondition a < 2", false),
        ("/// @notice precondition x != 5", true),
        ("/// @notice precondition x == 5", false),
    ] {
        let source = format!(
            "/// @notice invariant x == 5\ncontract C {{ int x = 5;\n{annotations}\n\
             function f(int a) public {{ assert(a == a); }} }}"
        );
        let outcome = check(&source, &[]);
        assert!(outcome.out.contains("C::f: safe"), "{annotations}\n{}", outcome.out);
        assert_eq!(
            outcome.err.contains("all checks hold trivially"),
            is_vacuous,
            "{annotations}\n{}",
            outcome.err
        );
    }
}

#[test]
fn lengths_of_literals_and_balances_are_known() {
    for (body, arithmetic) in [
        ("b = \"ab\"; assert(b.length == 2);", "int"),
        ("b = \"ab\"; delete b; assert(b.length == 0);", "int"),
        ("assert(address(this).balance >= msg.value);", "bv"),
    ] {
        let source = format!("contract C {{ bytes b; function f() public payable {{ {body} }} }}");
        assert_eq!(statuses(&source, arithmetic), "f OK", "{body}");
    }
}

#[test]
fn encodings_free_functions_and_old_words_mean_what_they_mean() {
    for (rest, body, expected) in [
        ("", "assert(keccak256(abi.encode(a)) == keccak256(abi.encode(a)));", "f OK"),
        ("", "assert(keccak256(abi.encode(a)) == keccak256(abi.encode(b)));", "f ERROR 1"),
        ("", "assert(keccak256(abi.encode(a)) == keccak256(abi.encodePacked(a)));", "f ERROR 1"),
        (
            "function free(uint a) pure returns (uint) { return a + 1; }",
            "assert(free(free(a)) == a + 2);",
            "f OK",
        ),
        ("function free(uint a) pure returns (uint) { return a + 1; }", "assert(free(a) == a);", "f ERROR 1"),
    ] {
        let source = format!("{rest} contract C {{ function f(uint a, uint b) public pure {{ {body} }} }}");
        assert_eq!(statuses(&source, "int"), expected, "{body}");
    }
    let skipped = check(
        "contract C { function g() internal {} function h() internal {} function f(bool b) public { (b ? g : h)(); } }",
        &[],
    );
    assert!(skipped.out.contains("functions as values are not supported"), "{}", skipped.out);
    let folder = folder();
    let old = "pragma solidity ^0.4.25; contract C { function f(uint a) public { if (a == 0) throw; assert(a != 0); } \
               function g(uint a) public { if (a == 0) throw; assert(a == 0); } }";
    let outcome = thetis(&["check", &write(&folder, "old.sol", old)]);
    assert!(outcome.out.contains("C::f: safe") && outcome.out.contains("C::g: unsafe"), "{}", outcome.out);
    let new = thetis(&["check", &write(&folder, "new.sol", old.replace("^0.4.25", "^0.7.0"))]);
    assert_eq!(new.code, 2, "{}", new.err);
}

/// A page has the source of each function with its annotations, and what may fail stands at its line, also if that is in a modifier.
#[test]
fn pages_show_the_source_of_functions() {
    let folder = folder();
    let source = "pragma solidity >=0.7.0;
/// @notice invariant x <= 9
contract C {
    uint x;
    modifier small() {
        assert(x < 9);
        _;
    }
    // Adds one.
    /// @notice postcondition x > 0
    function up() public small {
        require(x < 9);
        x += 1;
    }
    function jump(uint y) public {
        x = y;
    }
}
";
    let file = write(&folder, "c.sol", source);
    let page = folder.path().join("c.html").display().to_string();
    let outcome = thetis(&["check", &file, "--report", &page]);
    assert_eq!(outcome.code, 10, "{}", outcome.err);
    let page = std::fs::read_to_string(&page).unwrap();
    let rows: Vec<&str> = page.split("<tr data-outcome=").collect();
    for (function, shown, missing) in [
        (
            "C::up",
            &[
                "<div class=\"line wrong\"><span>6</span>",
                "<span>9</span>",
                "<span>14</span>",
                "<details open>",
            ][..],
            "<span>15</span>",
        ),
        (
            "C::jump",
            &[
                "<div class=\"line wrong\"><span>15</span>",
                "<div class=\"remark\">",
                "<span>16</span>",
                "for example if",
            ],
            "<span>14</span>",
        ),
        ("C::[implicit_constructor]", &["<span>2</span>", "<span>3</span>"], "<span>4</span>"),
    ] {
        let row = rows.iter().find(|row| row.contains(&format!("<td>{function}</td>"))).unwrap();
        for part in shown {
            assert!(row.contains(part), "{part} of {function}: {row}");
        }
        assert!(!row.contains(missing), "{missing} of {function}: {row}");
    }
}

/// A number that wraps around makes the assertion fail, but not as a mathematical integer.
#[test]
fn verdicts_about_mathematical_integers_say_so() {
    let folder = folder();
    let text = "pragma solidity ^0.8.0; contract C { uint8 x;
        function f(uint8 a) public { unchecked { x = a + 1; } assert(x > a); } }";
    let file = write(&folder, "c.sol", text);
    let certificate = folder.path().join("c.json").display().to_string();
    let modular = thetis(&["check", &file, "--arithmetic", "mod"]);
    assert!(
        modular.out.contains("\nunsafe: 1 check may fail (annotations, arithmetic mod"),
        "{}",
        modular.out
    );
    let outcome = thetis(&["check", &file, "--certificate", &certificate]);
    let line =
        "\nsafe under: mathematical integers; all checks of 2 functions hold (annotations, arithmetic int";
    assert!(outcome.out.contains(line), "{}", outcome.out);
    let again = thetis(&["certify", &file, &certificate]).out;
    assert!(again.contains("\nsafe under: mathematical integers; the evidence about 2 functions"), "{again}");
    let json: serde_json::Value =
        serde_json::from_str(&thetis(&["check", &file, "--format", "json"]).out).unwrap();
    assert_eq!(json["under"], serde_json::json!(["mathematical integers"]));
    let whole = ["check", &file, "--property", "contract"];
    let of_integers = ["--property", "contract", "--arithmetic", "int"];
    let outcome = thetis(&[&["check", &file, "--certificate", &certificate], &of_integers[..]].concat());
    assert_eq!(outcome.out, "safe under: mathematical integers\n", "{}", outcome.err);
    let again = thetis(&[&["certify", &file, &certificate], &of_integers[..]].concat());
    assert_eq!(again.out, outcome.out, "{}", again.err);
    assert_eq!(thetis(&whole).word(), "unsafe");
}
