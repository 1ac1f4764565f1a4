// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

interface IToken {
    function transfer(address to, uint256 value) external returns (bool);
}

interface IPool {
    function token0() external view returns (address);
    function token1() external view returns (address);
    function flash(address recipient, uint256 amount0, uint256 amount1, bytes calldata data) external;
}

/// Takes flash loans and pays them back at once, with the fee out of its own pocket.
contract Borrower {
    function borrow(IPool pool, uint256 amount0, uint256 amount1) external {
        pool.flash(address(this), amount0, amount1, abi.encode(amount0, amount1));
    }

    /// Called by the pool. Nobody checks that it is one: this pocket holds play money.
    function uniswapV3FlashCallback(uint256 fee0, uint256 fee1, bytes calldata data) external {
        (uint256 amount0, uint256 amount1) = abi.decode(data, (uint256, uint256));
        repay(IPool(msg.sender).token0(), amount0, fee0);
        repay(IPool(msg.sender).token1(), amount1, fee1);
    }

    function repay(address token, uint256 amount, uint256 fee) private {
        if (amount > 0) require(IToken(token).transfer(msg.sender, amount + fee), "not repaid");
    }
}
