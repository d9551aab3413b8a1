//! The worked examples of the thesis that the method comes from (chapter 3), in the version of Solidity that it uses, with its verdicts.

use super::{folder, thetis, write};

/// For each function its status, and the number of checks that may fail.
fn statuses(source: &str, arithmetic: &str) -> String {
    let folder = folder();
    let file = write(&folder, "c.sol", format!("pragma solidity ^0.4.25;\n{source}"));
    let outcome = thetis(&["check", &file, "--format", "solc-verify", "--arithmetic", arithmetic]);
    let mut found: Vec<(String, usize)> = Vec::new();
    for line in outcome.out.lines() {
        if line.starts_with(" - ") {
            found.last_mut().expect("a check should belong to a function").1 += 1;
        } else if let Some((name, status)) = line.split_once(": ").filter(|(name, _)| name.contains("::")) {
            found.push((format!("{} {status}", name.split_once("::").unwrap().1), 0));
        }
    }
    assert!(!found.is_empty(), "{}{}", outcome.out, outcome.err);
    let shown = found.into_iter().map(|(name, count)| match count {
        0 => name,
        count => format!("{name} {count}"),
    });
    shown.filter(|name| !name.starts_with("[implicit_constructor] OK")).collect::<Vec<_>>().join(", ")
}

/// Figure 3.2. The figure compares with `==`, which ether breaks that arrives without a call, also before the contract exists. Where `withdraw` fails
/// before its call, only calls without ether go on, so nothing fails after them.
#[test]
fn the_bank_is_unsafe_until_it_books_before_it_pays() {
    let bank = |invariant: &str, withdraw: &str| {
        format!(
            "/// @notice invariant sum(balances) {invariant} this.balance\ncontract SimpleBank {{ mapping(address => uint256) balances;\n\
             function deposit() payable public {{ balances[msg.sender] += msg.value; }}\n\
             function withdraw(uint256 amount) public {{ require(balances[msg.sender] > amount); {withdraw} }} }}"
        )
    };
    let call = "if (!msg.sender.call.value(amount)(\"\")) { revert(); }";
    let book = "balances[msg.sender] -= amount;";
    let (buggy, fixed) = (format!("{call} {book}"), format!("{book} {call}"));
    let ether = "[receive_ether_selfdestruct]";
    for arithmetic in ["int", "mod"] {
        let start = "[implicit_constructor] ERROR 1";
        let errors = format!("deposit OK, withdraw ERROR 1, {start}, {ether} ERROR 1");
        assert_eq!(statuses(&bank("==", &buggy), arithmetic), errors, "{arithmetic}");
        let verdicts = statuses(&bank("==", &fixed), arithmetic);
        assert_eq!(verdicts, format!("deposit OK, withdraw OK, {start}, {ether} ERROR 1"), "{arithmetic}");
        let verdicts = statuses(&bank("<=", &fixed), arithmetic);
        assert_eq!(verdicts, format!("deposit OK, withdraw OK, {ether} OK"), "{arithmetic}");
    }
}

/// Figure 3.3: the attack on the bank of figure 3.2 is a run. The attacker deposits, withdraws, and withdraws again when it is called, before the
/// first withdrawal is booked.
#[test]
fn the_attack_on_the_bank_is_found() {
    let bank = |withdraw: &str| {
        format!(
            "pragma solidity ^0.4.25;\n/// @notice invariant sum(balances) <= this.balance\ncontract SimpleBank {{ mapping(address => uint256) balances;\n\
             function deposit() payable public {{ balances[msg.sender] += msg.value; }}\n\
             function withdraw(uint256 amount) public {{ require(balances[msg.sender] >= amount); {withdraw} }} }}"
        )
    };
    let call = "if (!msg.sender.call.value(amount)(\"\")) { revert(); }";
    let book = "balances[msg.sender] -= amount;";
    let folder = folder();
    let attacked = write(&folder, "attacked.sol", bank(&format!("{call} {book}")));
    let outcome = thetis(&["check", &attacked, "--property", "contract"]);
    assert_eq!((outcome.code, outcome.word()), (10, "unsafe"), "{}", outcome.err);
    let moments = [
        "SimpleBank::deposit",
        "SimpleBank::withdraw",
        "calls unknown code, which calls back",
        "    ",
        "SimpleBank::withdraw",
    ];
    let mut rest = outcome.err.as_str();
    for moment in moments {
        let at = rest.find(moment).unwrap_or_else(|| panic!("`{moment}` is missing: {}", outcome.err));
        rest = &rest[at + moment.len()..];
    }
    let fixed = write(&folder, "fixed.sol", bank(&format!("{book} {call}")));
    let outcome = thetis(&["check", &fixed, "--property", "contract"]);
    assert_eq!((outcome.code, outcome.out.trim()), (0, "safe"), "{}", outcome.err);
}

/// Figure 3.4, a program of the intermediate language, as a contract.
#[test]
fn callers_know_only_what_the_postcondition_says() {
    let contract = |more: &str| {
        format!(
            "contract C {{ int x; int y;\n/// @notice precondition n >= 0 && x == y\n/// @notice postcondition x == y\n{more}\
             function add(int n) internal {{ x = x + n;\n/// @notice invariant y <= x\nwhile (y < x) {{ y = y + 1; }} }}\n\
             function incr() public {{ x = 0; y = 0; add(1); assert(x == y); assert(x == 1); }} }}"
        )
    };
    assert_eq!(statuses(&contract(""), "int"), "add OK, incr ERROR 1");
    let stronger = "/// @notice postcondition x == __verifier_old_int(x) + n\n";
    assert_eq!(statuses(&contract(stronger), "int"), "add OK, incr OK");
}

/// Figure 3.6: each instance has its own state.
#[test]
fn instances_of_a_contract_have_their_own_state() {
    let contract = |condition: &str| {
        format!(
            "contract A {{ int public x;\n/// @notice postcondition x == _x\nfunction set(int _x) public {{ x = _x; }} }}\n\
             contract B {{ A a; A b; function setXofA(int x) public {{ {condition} a.set(x); assert(a.x() == x); }} }}"
        )
    };
    assert_eq!(statuses(&contract(""), "int"), "set OK, setXofA OK");
    let other = contract("int old = b.x();").replace("assert(a.x() == x)", "assert(b.x() == old)");
    assert_eq!(statuses(&other, "int"), "set OK, setXofA ERROR 1");
}

/// Figure 3.7: the modifier is part of the function, and a transfer moves ether that is there. The function `accept` is called `receive` there, which the parser
/// takes for the keyword of later versions.
#[test]
fn only_the_owner_pays_from_the_wallet() {
    let wallet = |modifier: &str, postcondition: &str| {
        format!(
            "contract Wallet {{ address owner; modifier onlyOwner() {{ require(msg.sender == owner); _; }}\n\
             function accept() payable public {{ assert(this.balance >= msg.value); }}\n/// @notice postcondition {postcondition}\n\
             function pay(address to, uint amount) public {modifier} {{ to.transfer(amount); }} }}"
        )
    };
    let expected = "accept OK, pay OK";
    let paid = "to == address(this) || this.balance == __verifier_old_uint(this.balance) - amount";
    for condition in ["msg.sender == owner", paid] {
        assert_eq!(statuses(&wallet("onlyOwner", condition), "mod"), expected, "{condition}");
    }
    assert_eq!(statuses(&wallet("", "msg.sender == owner"), "mod"), "accept OK, pay ERROR 1");
}

/// Figure 3.8: what a sum of bytes is depends on the encoding.
#[test]
fn encodings_differ_where_numbers_wrap() {
    let sum = "contract C { function f() public pure { uint8 x = 255; uint8 y = 1; assert(x + y == 0); } }";
    for (arithmetic, expected) in
        [("int", "f ERROR 1"), ("bv", "f OK"), ("mod", "f OK"), ("mod-overflow", "f ERROR 1")]
    {
        assert_eq!(statuses(sum, arithmetic), expected, "{arithmetic}");
    }
}

/// Figure 3.10: an overflow that the next statement catches is none.
#[test]
fn overflow_is_looked_for_at_the_end() {
    let contract = |guard: &str| {
        format!(
            "contract C {{ int8 x; int8 y;\n/// @notice precondition x == y && n >= 0\n/// @notice postcondition x == (y + n)\n\
             function add_to_x(int8 n) internal {{ x = x + n; {guard} }} }}"
        )
    };
    assert_eq!(statuses(&contract("require(x >= y);"), "mod-overflow"), "add_to_x OK");
    assert_eq!(statuses(&contract(""), "mod-overflow"), "add_to_x ERROR 1");
}

/// Figure 3.12a: what an assertion at the start of a function relies on has to be an invariant.
#[test]
fn the_sale_needs_an_invariant() {
    let sale = |annotation: &str, body: &str| {
        format!(
            "{annotation}contract Sale {{ uint max = 1000 ether; uint raised = 0; function() public payable {{ {body} \
             require(msg.value != 0); require(raised + msg.value <= max); raised += msg.value; assert(raised <= max); }} }}"
        )
    };
    let invariant = "/// @notice invariant raised <= max\n";
    assert_eq!(statuses(&sale("", "assert(raised < max);"), "mod"), "[fallback] ERROR 1");
    let fixed = statuses(&sale(invariant, "require(raised < max);"), "mod");
    assert_eq!(fixed, "[fallback] OK, [receive_ether_selfdestruct] OK");
}

/// Figure 3.12b: with a cap on all tokens the sum cannot overflow.
#[test]
fn the_token_needs_a_cap() {
    let token = |annotation: &str| {
        format!(
            "{annotation}contract Token {{ mapping(address => uint) balances; uint constant cap = 1000000;\n\
             function transf(address to, uint val) public {{ require(balances[msg.sender] >= val); require(msg.sender != to); \
             balances[msg.sender] = balances[msg.sender] - val; balances[to] = balances[to] + val; assert(balances[to] >= val); }} }}"
        )
    };
    assert_eq!(statuses(&token(""), "mod"), "transf ERROR 1");
    let capped = statuses(&token("/// @notice invariant sum(balances) <= cap\n"), "mod");
    assert_eq!(capped, "transf OK, [receive_ether_selfdestruct] OK");
}

/// Figure 3.13: the token with the multiplication that overflows, and with the one of the library.
#[test]
fn the_batch_overflow_is_found() {
    let token = |amount: &str| {
        format!(
            "library SafeMath {{ function mul(uint256 a, uint256 b) internal pure returns (uint256) {{ uint256 c = a * b; require(a == 0 || c / a == b); return c; }}\n\
             function add(uint256 a, uint256 b) internal pure returns (uint256) {{ uint256 c = a + b; require(c >= a); return c; }}\n\
             function sub(uint256 a, uint256 b) internal pure returns (uint256) {{ require(b <= a); return a - b; }} }}\n\
             /// @notice invariant totalSupply == sum(balances)\ncontract BecToken {{ using SafeMath for uint256; uint256 public totalSupply; mapping(address => uint256) balances;\n\
             function batchTransfer(address[] _receivers, uint256 _value) public returns (bool) {{ uint cnt = _receivers.length; uint256 amount = {amount};\n\
             require(cnt > 0 && cnt <= 20); require(_value > 0 && balances[msg.sender] >= amount); balances[msg.sender] = balances[msg.sender].sub(amount);\n\
             /// @notice invariant totalSupply == sum(balances) + (cnt - i) * _value\n/// @notice invariant (i <= cnt)\n\
             for (uint i = 0; i < cnt; i++) {{ balances[_receivers[i]] = balances[_receivers[i]].add(_value); }} return true; }} }}"
        )
    };
    let buggy = statuses(&token("uint256(cnt) * _value"), "mod-overflow");
    assert!(buggy.contains("batchTransfer ERROR"), "{buggy}");
    let fixed = statuses(&token("uint256(cnt).mul(_value)"), "mod-overflow");
    assert_eq!(fixed, "batchTransfer OK, [receive_ether_selfdestruct] OK");
}
