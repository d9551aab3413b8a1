// expected: unsafe
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

contract Bank {
    mapping(address => uint) balances;
    uint total;
    function deposit() public payable { balances[msg.sender] += msg.value; total += msg.value; }
    function withdraw() public {
        uint amount = balances[msg.sender];
        uint before = total;
        (bool ok,) = msg.sender.call{value: amount}("");
        require(ok);
        assert(total == before);
        balances[msg.sender] = 0;
        total -= amount;
    }
}
