// SPDX-License-Identifier: MIT
pragma solidity >=0.7.0;

/// A bank that pays before it books, as the DAO did: whoever is paid can call `withdraw` again.
/// @notice invariant __verifier_sum_uint(balances) <= address(this).balance
contract Bank {
    mapping(address => uint) balances;

    function deposit() public payable {
        balances[msg.sender] += msg.value;
    }

    function withdraw(uint amount) public {
        require(balances[msg.sender] >= amount);
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok);
        balances[msg.sender] -= amount;
    }
}
