// expected: safe
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

interface Callee { function run() external; }
contract Locked {
    bool locked;
    uint depth;
    modifier once() { require(!locked); locked = true; _; locked = false; }
    function call(Callee callee) public once { depth++; callee.run(); assert(depth == 1); depth--; }
}
