// expected: unsafe
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

contract Signed {
    function half(int x) public pure { assert(x % 2 >= 0); }
}
