// expected: unsafe
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

contract Sum {
    function add(uint8 n) public pure {
        uint sum = 0;
        for (uint i = 0; i < n; i++) { if (i != 3) { sum += 2; } }
        assert(sum == 2 * uint(n));
    }
}
