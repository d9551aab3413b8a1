// expected: unsafe
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

contract Phases {
    enum Phase { Open, Closed, Paid }
    Phase phase;
    uint paid;
    function close() public { require(phase != Phase.Closed); phase = Phase.Closed; }
    function pay() public { require(phase == Phase.Closed); phase = Phase.Paid; paid++; }
    function check() public view { assert(paid <= 1); }
}
