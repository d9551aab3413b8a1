// expected: unsafe
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

contract Accounts {
    struct Account { uint limit; uint spent; }
    mapping(address => Account) accounts;
    function open(uint limit) public { accounts[msg.sender].limit = limit; }
    function spend(uint amount) public {
        Account storage account = accounts[msg.sender];
        require(account.spent + amount <= account.limit);
        account.spent += amount;
    }
    function check() public view { assert(accounts[msg.sender].spent <= accounts[msg.sender].limit); }
}
