// expected: unsafe
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

contract Token {
    mapping(address => uint) balances;
    constructor(uint amount) { balances[msg.sender] = amount; }
    function move(address to, uint amount) public {
        uint mine = balances[msg.sender];
        uint other = balances[to];
        balances[msg.sender] = mine - amount;
        balances[to] = other + amount;
        assert(balances[msg.sender] == mine - amount);
    }
}
