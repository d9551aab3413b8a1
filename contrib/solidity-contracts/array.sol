// expected: safe
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

contract List {
    uint[] items;
    uint count;
    function add(uint item) public { items.push(item); count++; }
    function remove() public { items.pop(); count--; }
    function check() public view { assert(items.length == count); }
}
