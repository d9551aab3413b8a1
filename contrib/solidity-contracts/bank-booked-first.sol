// expected: safe
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

contract Bank {
    mapping(address => uint) balances;
    function deposit() public payable { balances[msg.sender] += msg.value; }
    function withdraw() public {
        uint amount = balances[msg.sender];
        balances[msg.sender] = 0;
        assert(balances[msg.sender] == 0);
        (bool ok,) = msg.sender.call{value: amount}("");
        require(ok);
    }
}
