// expected: unsafe
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

contract Twins {
    uint a;
    uint b;
    function step() public { a++; b++; }
    function undo() public { if (a > 2) { a--; } }
    function check() public view { assert(a == b); }
}
