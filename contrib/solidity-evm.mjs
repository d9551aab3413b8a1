// Runs the cases of crates/thetis/tests/cli/solidity-*.txt on an Ethereum machine, to see whether their assertions hold there.
//
//   npm install solc@0.8.21 solc5@npm:solc@0.5.17 @ethereumjs/vm @ethereumjs/util
//   node contrib/solidity-evm.mjs crates/thetis/tests/cli/solidity-0.8.txt
//
// Each case is a name after `////`, declarations, `---`, and the statements of a constructor. As it stands it has to succeed, and with
// its last assertion negated it has to fail. A case for which that is not so is printed; the exit code is then 1.

import fs from 'fs';
import { createRequire } from 'module';
import { createVM } from '@ethereumjs/vm';
import { createAccount, createAddressFromString, hexToBytes } from '@ethereumjs/util';

const require = createRequire(import.meta.url);
const SENDER = createAddressFromString('0x00000000000000000000000000000000000000aa');

/// The code of the contract `T`, or the first message of the compiler.
function compile(solc, source) {
  const settings = { outputSelection: { '*': { '*': ['evm.bytecode.object'] } } };
  const input = { language: 'Solidity', sources: { 'c.sol': { content: source } }, settings };
  const output = JSON.parse(solc.compile(JSON.stringify(input)));
  const error = (output.errors ?? []).find((error) => error.severity === 'error');
  if (error) throw new Error(error.message);
  return hexToBytes('0x' + output.contracts['c.sol'].T.evm.bytecode.object);
}

/// Whether the constructor of `T` succeeds.
async function succeeds(solc, source) {
  const vm = await createVM();
  await vm.stateManager.putAccount(SENDER, createAccount({ balance: 10n ** 20n }));
  const data = compile(solc, source);
  const result = await vm.evm.runCall({ caller: SENDER, data, gasLimit: 30_000_000n });
  return result.execResult.exceptionError === undefined;
}

function negated(body) {
  const at = body.lastIndexOf('assert(');
  return `${body.slice(0, at)}assert(!(${body.slice(at + 7, -2)}));`;
}

let failures = 0;
for (const file of process.argv.slice(2)) {
  const isOld = file.includes('0.5');
  const [solc, pragma, head] = isOld
    ? [require('solc5'), '^0.5.0', 'constructor() public']
    : [require('solc'), '^0.8.0', 'constructor()'];
  for (const part of fs.readFileSync(file, 'utf8').split('//// ').slice(1)) {
    const end = part.indexOf('\n');
    const name = part.slice(0, end).trim();
    const [declarations, body] = part.slice(end + 1).split('\n---\n').map((text) => text.trim());
    const contract = (statements) =>
      `pragma solidity ${pragma};\ncontract T { ${declarations}\n${head} { ${statements} } }`;
    try {
      if (!(await succeeds(solc, contract(body)))) throw new Error('the assertion fails');
      if (await succeeds(solc, contract(negated(body)))) throw new Error('the negated assertion holds');
    } catch (error) {
      failures += 1;
      console.log(`${file}: ${name}: ${error.message}`);
    }
  }
}
process.exit(failures === 0 ? 0 : 1);
