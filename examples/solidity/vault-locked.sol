// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

/// A vault that books after it pays, but is locked meanwhile: nobody who is paid can call back.
contract Vault {
    uint public deposits;
    bool private locked;

    modifier guarded() {
        require(!locked);
        locked = true;
        _;
        locked = false;
    }

    function deposit() external payable guarded {
        deposits += msg.value;
    }

    function withdraw(uint amount) external guarded {
        require(amount <= deposits);
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok);
        deposits -= amount;
        assert(deposits <= address(this).balance);
    }
}
