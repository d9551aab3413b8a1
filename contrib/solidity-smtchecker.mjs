// Compares verdicts on whole contracts with those of the SMTChecker inside solc.
//
//   npm install solc@0.8.21       (in any folder; run the script there)
//   node PATH/contrib/solidity-smtchecker.mjs --thetis PATH/thetis --z3 PATH/z3 FILE.sol...
//
// Both are asked whether a sequence of transactions violates an `assert` (`--property contract`; the engine CHC of the SMTChecker with native Z3 for its Horn clauses),
// with the same time for each. A file starts with `// expected: safe` or `// expected: unsafe`. Prints a table in Markdown. Without the packages the script says so
// and ends with code 0. The exit code is 1 if one of the answers of Thetis is wrong.

import fs from 'fs';
import path from 'path';
import { createRequire } from 'module';
import { spawnSync } from 'child_process';

const args = process.argv.slice(2);
const option = (name, standard) => {
  const at = args.indexOf(`--${name}`);
  return at < 0 ? standard : args.splice(at, 2)[1];
};
const THETIS = option('thetis', 'thetis');
const Z3 = option('z3', 'z3');
const SECONDS = Number(option('seconds', '10'));

let solc;
try {
  solc = createRequire(`${process.cwd()}/`)('solc');
} catch (error) {
  console.log(`skipped: ${error.message.split('\n')[0]}`);
  process.exit(0);
}

/// The seconds of processor time that a child used are not known to Node, so these are seconds on the clock.
function timed(part) {
  const start = process.hrtime.bigint();
  const answer = part();
  return [answer, Number(process.hrtime.bigint() - start) / 1e9];
}

function smtChecker(text) {
  const modelChecker = {
    engine: 'chc',
    targets: ['assert'],
    solvers: ['smtlib2'],
    showUnproved: true,
    showProvedSafe: true,
    showUnsupported: true,
  };
  const input = { language: 'Solidity', sources: { 'c.sol': { content: text } }, settings: { modelChecker } };
  const smtSolver = (query) => {
    const run = spawnSync(Z3, ['-smt2', '-in', `-T:${SECONDS}`], { input: query, encoding: 'utf8' });
    return { contents: run.stdout };
  };
  const output = JSON.parse(solc.compile(JSON.stringify(input), { smtSolver }));
  const messages = (output.errors ?? []).map((error) => error.message);
  const error = (output.errors ?? []).find((error) => error.severity === 'error');
  if (error) return `rejected: ${error.message}`;
  if (messages.some((message) => message.includes('Assertion violation happens here'))) return 'unsafe';
  if (messages.some((message) => message.includes('might happen'))) return 'unknown';
  return messages.some((message) => message.includes('check is safe')) ? 'safe' : 'unknown';
}

function thetis(file) {
  const limits = ['--property', 'contract', '--cpu-time', `${SECONDS}s`, '--format', 'json'];
  const run = spawnSync(THETIS, ['check', file, ...limits], { encoding: 'utf8' });
  try {
    return JSON.parse(run.stdout).verdict;
  } catch {
    return `failed: ${run.stderr.trim().split('\n')[0]}`;
  }
}

const right = { thetis: 0, smtChecker: 0 };
let wrong = 0;
console.log('| contract | expected | Thetis | s | SMTChecker | s |\n|---|---|---|---:|---|---:|');
for (const file of args) {
  const text = fs.readFileSync(file, 'utf8');
  const expected = /^\/\/ expected: (\w+)/.exec(text)?.[1];
  const [ours, ourTime] = timed(() => thetis(file));
  const [theirs, theirTime] = timed(() => smtChecker(text));
  const name = path.basename(file, '.sol');
  console.log(`| ${name} | ${expected} | ${ours} | ${ourTime.toFixed(2)} | ${theirs} | ${theirTime.toFixed(2)} |`);
  right.thetis += ours === expected;
  right.smtChecker += theirs === expected;
  wrong += (ours === 'safe' || ours === 'unsafe') && ours !== expected;
}
console.log(`\nRight: Thetis ${right.thetis}, SMTChecker ${right.smtChecker}, of ${args.length}.`);
process.exit(wrong === 0 ? 0 : 1);
