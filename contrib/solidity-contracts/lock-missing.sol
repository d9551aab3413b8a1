// expected: unsafe
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

interface Callee { function run() external; }
contract Unlocked {
    uint depth;
    function call(Callee callee) public { depth++; callee.run(); assert(depth == 1); depth--; }
}
