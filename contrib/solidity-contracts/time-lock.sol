// expected: safe
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

contract TimeLock {
    uint start;
    bool open;
    constructor() { start = block.timestamp; }
    function unlock() public { require(block.timestamp >= start + 1 days); open = true; }
    function use() public view { require(open); assert(block.timestamp >= start + 1 days); }
}
