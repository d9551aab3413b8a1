// expected: unsafe
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

contract Wraps {
    uint8 x;
    function add(uint8 y) public { unchecked { uint8 z = x + y; assert(z >= x); x = z; } }
}
