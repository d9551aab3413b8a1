// expected: safe
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

contract Twins {
    uint a;
    uint b;
    function step() public { a++; b++; }
    function undo() public { require(a > 0); a--; b--; }
    function check() public view { assert(a == b); }
}
