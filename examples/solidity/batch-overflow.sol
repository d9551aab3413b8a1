// SPDX-License-Identifier: MIT
pragma solidity >=0.7.0;

/// A payment to several receivers at once, with the multiplication that overflowed in the token BEC.
contract Batch {
    mapping(address => uint) balances;

    function pay(address[] memory receivers, uint amount) public {
        uint total = receivers.length * amount;
        require(receivers.length > 0 && receivers.length <= 20);
        require(balances[msg.sender] >= total);
        balances[msg.sender] -= total;
        for (uint i = 0; i < receivers.length; i++) {
            uint sum = balances[receivers[i]] + amount;
            require(sum >= amount);
            balances[receivers[i]] = sum;
        }
    }
}
