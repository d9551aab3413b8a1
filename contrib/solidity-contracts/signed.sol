// expected: safe
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

contract Signed {
    function half(int x) public pure { require(x >= 0); assert(x / 2 <= x); assert(-x % 2 <= 0); }
}
