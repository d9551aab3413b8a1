//! How long it takes to read a thousand lines of Solidity: `cargo bench -p thetis-solidity`.

use thetis_base::{Diagnostics, SourceMap};
use thetis_solidity::{Options, read};

fn main() {
    divan::main();
}

/// A token of 20 lines with a name of its own.
fn token(number: usize) -> String {
    format!(
        "/// @notice invariant __verifier_sum_uint(balances) <= supply\ncontract Token{number} {{
    mapping(address => uint) balances;
    mapping(address => mapping(address => uint)) allowed;
    uint supply;
    event Moved(address from, address to, uint value);
    function transfer(address to, uint value) public returns (bool) {{
        require(balances[msg.sender] >= value);
        balances[msg.sender] -= value;
        balances[to] += value;
        emit Moved(msg.sender, to, value);
        return true;
    }}
    function approve(address spender, uint value) public {{
        require(spender != address(0));
        allowed[msg.sender][spender] = value;
    }}
    function allowance(address owner, address spender) public view returns (uint) {{ return allowed[owner][spender]; }}
    function total() public view returns (uint) {{ return supply; }}
}}
"
    )
}

/// Parsing, names, types, and the automata of 300 functions.
#[divan::bench(sample_count = 20)]
fn read_1000_lines(bencher: divan::Bencher) {
    let mut sources = SourceMap::new();
    let text: String = (0..50).map(token).collect();
    let file = sources.add("tokens.sol", format!("pragma solidity ^0.8.0;\n{text}"));
    // What is returned is dropped when the clock has stopped.
    bencher.bench_local(|| {
        let functions = read(&sources, &[file], &Options::default(), &mut Diagnostics::new());
        assert!(functions.is_ok(), "the tokens should be valid");
        functions
    });
}
