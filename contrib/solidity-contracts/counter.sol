// expected: safe
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

contract Counter {
    uint count;
    function inc() public { require(count < 100); count++; }
    function reset() public { count = 0; }
    function check() public view { assert(count <= 100); }
}
