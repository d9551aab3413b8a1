// SPDX-License-Identifier: MIT
pragma solidity >=0.7.0;

/// A token whose supply is fixed.
/// @notice invariant __verifier_sum_uint(balances) == supply
contract Token {
    uint supply;
    mapping(address => uint) balances;

    /// @notice postcondition balances[msg.sender] == amount
    constructor(uint amount) {
        supply = amount;
        balances[msg.sender] = amount;
    }

    /// @notice postcondition msg.sender == to || balances[to] == __verifier_old_uint(balances[to]) + amount
    /// @notice postcondition msg.sender == to || balances[msg.sender] == __verifier_old_uint(balances[msg.sender]) - amount
    function transfer(address to, uint amount) public {
        require(balances[msg.sender] >= amount);
        balances[msg.sender] -= amount;
        balances[to] += amount;
    }
}
