// expected: safe
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

contract Token {
    mapping(address => uint) balances;
    uint immutable supply;
    constructor(uint amount) { supply = amount; balances[msg.sender] = amount; }
    function move(address to, uint amount) public {
        require(msg.sender != to);
        uint mine = balances[msg.sender];
        uint other = balances[to];
        balances[msg.sender] = mine - amount;
        balances[to] = other + amount;
        assert(balances[msg.sender] + amount == mine && balances[to] == other + amount);
    }
}
