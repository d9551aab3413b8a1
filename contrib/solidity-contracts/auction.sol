// expected: safe
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

contract Auction {
    address leader;
    uint best;
    bool over;
    uint final_;
    function bid(uint amount) public { require(!over && amount > best); leader = msg.sender; best = amount; }
    function end() public { require(!over); over = true; final_ = best; }
    function check() public view { assert(!over || best == final_); }
}
