// expected: safe
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

contract Base {
    uint internal x;
    function limit() internal view virtual returns (uint) { return 5; }
    function set(uint v) public { require(v < limit()); x = v; }
}
contract Derived is Base {
    function limit() internal pure override returns (uint) { return 3; }
    function check() public view { assert(x < 3); }
}
