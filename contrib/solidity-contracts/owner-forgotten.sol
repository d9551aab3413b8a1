// expected: unsafe
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

contract Owned {
    address immutable first;
    address owner;
    bool moved;
    constructor() { first = msg.sender; owner = msg.sender; }
    function give(address to) public { require(msg.sender == owner); moved = true; owner = to; }
    function claim() public { owner = msg.sender; }
    function check() public view { assert(moved || owner == first); }
}
