//! Runs code of the Ethereum machine with `revm`: for each line of standard input, which is code in hexadecimal digits, a line with the bytes that
//! it returns, or `revert`.

use std::io::{self, BufRead, Write};

use revm::EVM;
use revm::db::{CacheDB, EmptyDB};
use revm::primitives::{
    AccountInfo, Address, Bytecode, Bytes, ExecutionResult, Output, TransactTo, U256,
};

const CALLER: Address = Address::repeat_byte(0xaa);
const CODE: Address = Address::repeat_byte(0xcc);

fn main() -> io::Result<()> {
    for line in io::stdin().lock().lines() {
        let code = bytes(line?.trim()).ok_or_else(|| io::Error::other("this is not hexadecimal"))?;
        let answer = run(code).map_or_else(|| "revert".to_owned(), |output| hex(&output));
        writeln!(io::stdout(), "{answer}")?;
    }
    Ok(())
}

/// What a call of the code returns; `None` if it fails.
fn run(code: Vec<u8>) -> Option<Vec<u8>> {
    let mut state = CacheDB::new(EmptyDB::default());
    let code = Bytecode::new_raw(Bytes::from(code));
    let rich = U256::from(10).pow(U256::from(20));
    state.insert_account_info(CALLER, AccountInfo::from_balance(rich));
    state.insert_account_info(CODE, AccountInfo::new(U256::ZERO, 1, code.hash_slow(), code));
    let mut machine = EVM::new();
    machine.database(state);
    machine.env.tx.caller = CALLER;
    machine.env.tx.transact_to = TransactTo::Call(CODE);
    machine.env.tx.gas_limit = 30_000_000;
    match machine.transact().ok()?.result {
        ExecutionResult::Success { output: Output::Call(bytes), .. } => Some(bytes.to_vec()),
        _ => None,
    }
}

fn bytes(digits: &str) -> Option<Vec<u8>> {
    let pair = |at: usize| u8::from_str_radix(digits.get(at..at + 2)?, 16).ok();
    (0..digits.len()).step_by(2).map(pair).collect()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
