// expected: safe
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

contract Stops {
    uint8 x;
    function add(uint8 y) public { uint8 z = x + y; assert(z >= x); x = z; }
}
