// expected: safe
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

contract Accounts {
    struct Account { bool used; uint limit; uint spent; }
    mapping(address => Account) accounts;
    function open(uint limit) public { require(!accounts[msg.sender].used); accounts[msg.sender] = Account(true, limit, 0); }
    function spend(uint amount) public {
        Account storage account = accounts[msg.sender];
        require(account.used && amount <= account.limit - account.spent);
        account.spent += amount;
        assert(account.spent <= account.limit);
    }
}
