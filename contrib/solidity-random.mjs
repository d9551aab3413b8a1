// Random contract functions: what an Ethereum machine returns and what Thetis says has to agree.
//
//   npm install solc@0.8.21                                      (in any folder; run the script there)
//   cargo build --release --manifest-path PATH/contrib/tests/evm/Cargo.toml --target-dir EVM      (revm)
//   node PATH/contrib/solidity-random.mjs --thetis PATH/thetis --machine EVM/release/thetis-evm [--count 300] [--seed 1] [--proofs]
//
// Without `--machine` the packages `@ethereumjs/vm` and `@ethereumjs/util` have to be installed, too, and their machine is used.
//
// Each function calculates with numbers of all widths, mappings, structures in storage and memory, arrays and loops, and returns a number. solc compiles it, the
// machine runs it. Thetis has to find the run of a constructor that requires these results, five functions at a time, and gets to `assert(false)`
// (`--property contract`, arithmetic `mod`): its interpreter replays that run. There is no other run, for nothing in these functions is arbitrary; `--proofs`
// asks for a proof of that, too, which takes longer. A function that reverts is called before `assert(false)`, which has to be safe. Without the
// packages the script says so and ends with code 0.

import fs from 'fs';
import os from 'os';
import path from 'path';
import { createRequire } from 'module';
import { spawnSync } from 'child_process';

const option = (name, standard) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? standard : process.argv[at + 1];
};
const THETIS = option('thetis', 'thetis');
const COUNT = Number(option('count', '300'));
const PROOFS = process.argv.includes('--proofs');
let state = Number(option('seed', '1'));

const require = createRequire(`${process.cwd()}/`);
const MACHINE = option('machine', undefined);
let solc, createVM, util;
try {
  solc = require('solc');
  if (!MACHINE) {
    ({ createVM } = require('@ethereumjs/vm'));
    util = require('@ethereumjs/util');
  }
} catch (error) {
  console.log(`skipped: ${error.message.split('\n')[0]}`);
  process.exit(0);
}

/// A number from 0 to `end - 1` (mulberry32).
function below(end) {
  state = (state + 0x6d2b79f5) | 0;
  let t = Math.imul(state ^ (state >>> 15), 1 | state);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) % end;
}
const pick = (list) => list[below(list.length)];

const widths = Array.from({ length: 32 }, (_, at) => 8 * (at + 1));
const type = (signed, bits) => ({ signed, bits, name: `${signed ? 'int' : 'uint'}${bits}` });
const common = [8, 16, 32, 64, 128, 256];
const randomType = () => type(below(2) === 0, below(2) === 0 ? pick(common) : pick(widths));

/// One random function with the variables that it sees.
class Generator {
  constructor(number) {
    this.number = number;
    this.types = Array.from({ length: 3 }, randomType);
    this.vars = [];
    this.next = 0;
    this.loops = 0;
  }

  fresh(ty, name = `v${this.next++}`) {
    this.vars.push({ ty, name });
    return name;
  }

  literal(ty) {
    const top = (1n << BigInt(ty.bits - (ty.signed ? 1 : 0))) - 1n;
    const choices = [0n, 1n, 2n, 3n, 7n, top, top - 1n, BigInt(below(1000)) % (top + 1n)];
    let value = pick(choices);
    if (ty.signed && below(2) === 0) value = -value;
    if (ty.signed && below(12) === 0) value = -top - 1n;
    return `${ty.name}(${value})`;
  }

  cast(ty) {
    const from = pick(this.types);
    let inner = this.expr(from, 1);
    if (from.signed === ty.signed) return `${ty.name}(${inner})`;
    // A conversion changes either the width or the sign.
    if (below(2) === 0) return `${ty.name}(${type(from.signed, ty.bits).name}(${inner}))`;
    return `${ty.name}(${type(ty.signed, from.bits).name}(${inner}))`;
  }

  condition(depth) {
    const ty = pick(this.types);
    const simple = `(${this.expr(ty, depth)} ${pick(['<', '<=', '>', '>=', '==', '!='])} ${this.expr(ty, depth)})`;
    return below(4) === 0 ? `(${simple} ${pick(['&&', '||'])} !${this.condition(0)})` : simple;
  }

  expr(ty, depth) {
    const known = this.vars.filter((v) => v.ty.name === ty.name);
    if (depth <= 0) return known.length > 0 && below(4) > 0 ? pick(known).name : this.literal(ty);
    switch (below(10)) {
      case 0:
      case 1:
      case 2:
        return `(${this.expr(ty, depth - 1)} ${pick(['+', '-', '*'])} ${this.expr(ty, depth - 1)})`;
      case 3: {
        // Few divisions by zero: they revert.
        const divisor = below(8) === 0 ? this.expr(ty, depth - 1) : `${ty.name}(${pick(ty.signed ? [1, 2, 3, 7, 100, -1, -3] : [1, 2, 3, 7, 100])})`;
        return `(${this.expr(ty, depth - 1)} ${pick(['/', '%'])} ${divisor})`;
      }
      case 4:
        return `(${this.expr(ty, depth - 1)} ${pick(['<<', '>>'])} ${below(ty.bits + 3)})`;
      case 5:
        return ty.signed && below(2) === 0 ? `(-${this.expr(ty, depth - 1)})` : `(~${this.expr(ty, depth - 1)})`;
      case 6:
        return `(${this.condition(depth - 1)} ? ${this.expr(ty, depth - 1)} : ${this.expr(ty, depth - 1)})`;
      case 7:
        return this.cast(ty);
      case 8:
        return `(${this.expr(ty, depth - 1)} ** ${below(4)})`;
      default:
        return this.expr(ty, 0);
    }
  }

  /// Something that can be assigned, with its type.
  target() {
    const n = this.number;
    const [a, b, c] = this.types;
    const key = `uint8(${below(3)})`;
    const targets = [
      [`m${n}[${key}]`, a],
      [`n${n}[${key}][${below(2) === 0}]`, b],
      [`s${n}.x`, a],
      [`t${n}[${key}].y`, b],
      [`p.x`, a],
      [`q.y`, b],
      [`(${below(2) === 0} ? p : q).y`, b],
      [`z.x`, a],
      [`d[${below(3)}]`, c],
      [`f${n}[${below(2)}]`, c],
    ];
    return pick(targets);
  }

  statement(depth) {
    const ty = pick(this.types);
    switch (below(depth > 0 ? 12 : 8)) {
      case 0: {
        const value = this.expr(ty, 2);
        return `${ty.name} ${this.fresh(ty)} = ${value};`;
      }
      case 1:
      case 2: {
        const [place, of] = this.target();
        return `${place} ${pick(['=', '+=', '-=', '*='])} ${this.expr(of, 2)};`;
      }
      case 3: {
        const [place, of] = this.target();
        const value = `${place}`;
        return `${of.name} ${this.fresh(of)} = ${value};`;
      }
      case 4: {
        const mine = this.vars.filter((v) => !v.name.startsWith('i'));
        if (mine.length === 0) return this.statement(depth);
        const v = pick(mine);
        return below(3) === 0 ? `${v.name}${pick(['++', '--'])};` : `${v.name} ${pick(['=', '+=', '-=', '*='])} ${this.expr(v.ty, 2)};`;
      }
      case 5:
        return pick([
          `l${this.number}.push(${this.expr(this.types[2], 1)});`,
          `if (l${this.number}.length > 1) l${this.number}.pop();`,
          `if (l${this.number}.length > 0) l${this.number}[0] += ${this.expr(this.types[2], 1)};`,
          `delete m${this.number}[uint8(${below(3)})];`,
          `s${this.number} = t${this.number}[uint8(${below(3)})];`,
          `t${this.number}[uint8(${below(3)})] = s${this.number};`,
          `p = q;`,
          `p = s${this.number};`,
          `q = S${this.number}(${this.expr(this.types[0], 1)}, ${this.expr(this.types[1], 1)});`,
          `z = t${this.number}[uint8(${below(3)})];`,
          `z = s${this.number};`,
          `s${this.number} = p;`,
        ]);
      case 6: {
        const [left, right] = [this.target(), this.target()];
        return `(${left[0]}, ${right[0]}) = (${this.expr(left[1], 1)}, ${this.expr(right[1], 1)});`;
      }
      case 7:
        return `r = r * 31 + ${this.digest(ty, this.expr(ty, 1))};`;
      case 8:
      case 9:
        return this.branch(depth);
      default:
        return this.loop(depth);
    }
  }

  scoped(part) {
    const known = this.vars.length;
    const text = part();
    this.vars.length = known;
    return text;
  }

  block(depth, count) {
    return this.scoped(() => Array.from({ length: count }, () => this.statement(depth)).join(' '));
  }

  branch(depth) {
    const condition = this.condition(1);
    const other = below(2) === 0 ? ` else { ${this.block(depth - 1, 2)} }` : '';
    return `if (${condition}) { ${this.block(depth - 1, 2)} }${other}`;
  }

  loop(depth) {
    const i = `i${this.loops++}`;
    const leave = pick(['', '', `if (${this.condition(1)}) break; `, `if (${this.condition(1)}) continue; `]);
    return this.scoped(() => {
      this.fresh(type(false, 8), i);
      return `for (uint8 ${i} = 0; ${i} < ${1 + below(4)}; ${i}++) { ${leave}${this.block(depth - 1, 2)} }`;
    });
  }

  /// A number of any type as one of 256 bits.
  digest(ty, text) {
    return ty.signed ? `uint256(int256(${text}))` : `uint256(${text})`;
  }

  /// Declarations of the contract, and the function.
  text() {
    const n = this.number;
    const [a, b, c] = this.types;
    const declarations = `struct S${n} { ${a.name} x; ${b.name} y; } mapping(uint8 => ${a.name}) m${n}; mapping(uint8 => mapping(bool => ${b.name})) n${n}; S${n} s${n}; mapping(uint8 => S${n}) t${n}; ${c.name}[] l${n}; ${c.name}[2] f${n};`;
    const body = Array.from({ length: 6 + below(5) }, () => this.statement(2)).join('\n    ');
    const end = this.vars.map((v) => `r = r * 31 + ${this.digest(v.ty, v.name)};`).join(' ');
    const places = [[`m${n}[1]`, a], [`n${n}[2][true]`, b], [`s${n}.y`, b], [`t${n}[0].x`, a], [`p.x`, a], [`q.y`, b], [`z.x`, a], [`d[1]`, c], [`f${n}[0]`, c]];
    const rest = places.map(([place, ty]) => `r = r * 31 + ${this.digest(ty, place)};`).join(' ');
    const inside = `S${n} memory p; S${n} memory q; S${n} storage z = s${n}; ${c.name}[] memory d = new ${c.name}[](3);\n    ${body}\n    unchecked { ${end} ${rest} r = r * 31 + l${n}.length; }`;
    const wraps = below(8) > 0;
    const code = wraps ? `unchecked { ${inside.replace(/unchecked \{ (.*) \}$/, '$1')} }` : inside;
    return [declarations, `function g${n}() internal returns (uint256 r) {\n    ${code}\n  }`];
  }
}

function compile(source) {
  const settings = { outputSelection: { '*': { '*': ['evm.bytecode.object'] } } };
  const input = { language: 'Solidity', sources: { 'c.sol': { content: source } }, settings };
  const output = JSON.parse(solc.compile(JSON.stringify(input)));
  const error = (output.errors ?? []).find((error) => error.severity === 'error');
  if (error) throw new Error(error.formattedMessage);
  return output.contracts['c.sol'].T.evm.bytecode.object;
}

/// The code of a constructor that returns what the function of a contract returns.
function code([declarations, code], number) {
  return compile(
    `pragma solidity ^0.8.0;\ncontract T { ${declarations}\n  ${code}\n  constructor() { uint256 r = g${number}(); assembly { mstore(0, r) return(0, 32) } } }`,
  );
}

/// What code returns on the machine of `@ethereumjs`.
async function returned(code) {
  const vm = await createVM();
  const sender = util.createAddressFromString('0x00000000000000000000000000000000000000aa');
  await vm.stateManager.putAccount(sender, util.createAccount({ balance: 10n ** 20n }));
  const { execResult } = await vm.evm.runCall({ caller: sender, data: util.hexToBytes(`0x${code}`), gasLimit: 30_000_000n });
  return execResult.exceptionError ? null : BigInt(util.bytesToHex(execResult.returnValue));
}

/// What each code returns; `null` if it reverts.
async function results(codes) {
  if (!MACHINE) return Promise.all(codes.map(returned));
  const run = spawnSync(MACHINE, [], { input: codes.join('\n'), encoding: 'utf8', maxBuffer: 1 << 28 });
  if (run.status !== 0) throw new Error(`the machine failed: ${run.stderr ?? run.error}`);
  return run.stdout.trim().split('\n').map((line) => (line === 'revert' ? null : BigInt(`0x${line}`)));
}

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'solidity-random-'));

/// The verdict of Thetis on a contract as a whole.
function verdict(functions, statements) {
  const file = path.join(folder, 'c.sol');
  const declarations = functions.map(({ text }) => `  ${text[0]}\n  ${text[1]}`).join('\n');
  fs.writeFileSync(file, `pragma solidity ^0.8.0;\ncontract T {\n${declarations}\n  constructor() { ${statements} }\n}\n`);
  const limits = ['--property', 'contract', '--arithmetic', 'mod', '--cpu-time', '30s', '--format', 'json'];
  const run = spawnSync(THETIS, ['check', file, ...limits], { encoding: 'utf8' });
  try {
    return JSON.parse(run.stdout).verdict;
  } catch {
    return `failed: ${run.stderr.trim().split('\n')[0]}`;
  }
}

const tally = { values: 0, reverts: 0, unknown: 0, different: 0 };
function expect(expected, functions, statements) {
  const found = verdict(functions, statements);
  if (found === expected) return true;
  const names = functions.map(({ number }) => number).join(', ');
  console.log(`functions ${names}: ${found} instead of ${expected}`);
  const kept = path.join(process.cwd(), `different-${functions[0].number}-${expected}.sol`);
  fs.copyFileSync(path.join(folder, 'c.sol'), kept);
  tally[found === 'unknown' ? 'unknown' : 'different'] += functions.length;
  return false;
}

const texts = Array.from({ length: COUNT }, (_, number) => new Generator(number).text());
const values = await results(texts.map(code));
const all = texts.map((text, number) => ({ number, text, value: values[number] }));
const reverting = all.filter(({ value }) => value === null);
const returning = all.filter(({ value }) => value !== null);
for (const one of reverting) {
  if (expect('safe', [one], `g${one.number}(); assert(false);`)) tally.reverts += 1;
}
for (let at = 0; at < returning.length; at += 5) {
  const group = returning.slice(at, at + 5);
  const stated = (verb) => group.map(({ number, value }) => `${verb}(g${number}() == ${value});`).join(' ');
  const isProved = !PROOFS || expect('safe', group, stated('assert'));
  if (isProved && expect('unsafe', group, `${stated('require')} assert(false);`)) tally.values += group.length;
}
fs.rmSync(folder, { recursive: true });
console.log(`${COUNT} functions: ${tally.values} with the same value, ${tally.reverts} that revert in both, ${tally.unknown} unknown, ${tally.different} different`);
process.exit(tally.different === 0 ? 0 : 1);
