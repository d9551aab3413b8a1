// expected: safe
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

contract Sum {
    uint public total;
    function add(uint8 n) public {
        uint sum = 0;
        for (uint i = 0; i < n; i++) { sum += 2; }
        assert(sum == 2 * uint(n));
        total = sum;
    }
}
