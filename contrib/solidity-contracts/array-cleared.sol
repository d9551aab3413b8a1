// expected: unsafe
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

contract List {
    uint[] items;
    uint count;
    function add(uint item) public { items.push(item); count++; }
    function clear() public { delete items; }
    function check() public view { assert(items.length == count); }
}
