// expected: unsafe
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

contract Counter {
    uint count;
    function inc() public { require(count <= 3); count++; }
    function check() public view { assert(count <= 3); }
}
