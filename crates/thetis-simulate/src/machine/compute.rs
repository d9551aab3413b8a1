//! The results of operators: computed directly on small words, and by the evaluator otherwise.

use smallvec::SmallVec;
use thetis_expr::{Op, Signs, Sort, Store, Value, apply};

use super::code::{Instruction, Register};
use super::word::{Cells, Word};

/// The result of an instruction on `registers`.
pub(crate) fn compute(store: &Store, instruction: &Instruction, registers: &[Word]) -> Word {
    if instruction.arguments.iter().any(|register| registers[*register as usize].is_open()) {
        return partial(store, instruction, registers);
    }
    quick(instruction, registers).unwrap_or_else(|| slow(store, instruction, registers))
}

/// The result if some arguments are open: usually open, unless the others decide it. The checker of proofs must know exactly as much,
/// because it has to follow the same runs.
fn partial(store: &Store, instruction: &Instruction, registers: &[Word]) -> Word {
    let word = |position: usize| &registers[instruction.arguments[position] as usize];
    let has = |word| instruction.arguments.iter().any(|register| registers[*register as usize] == word);
    match instruction.op {
        Op::And if has(Word::bool(false)) => Word::bool(false),
        Op::Or if has(Word::bool(true)) => Word::bool(true),
        Op::Ite => match word(0) {
            Word::Open(_) => either(store, instruction, registers),
            Word::Small(0) => word(2).clone(),
            _ => word(1).clone(),
        },
        Op::Store => written(word(0), word(1), word(2)),
        Op::ConstArray => Word::Cells(Cells::new(word(0).clone())),
        Op::SignExtend => word(0).clone(),
        Op::Select => Word::OPEN,
        op if instruction.arguments.len() == 2 => {
            let signs = |position| word(position).signs(store, instruction.argument_sort);
            Signs::compare(op, signs(0), signs(1)).map_or(Word::OPEN, Word::bool)
        }
        _ => Word::OPEN,
    }
}

/// What holds of both branches, each restricted to the states where the undecided condition selects it.
fn either(store: &Store, instruction: &Instruction, registers: &[Word]) -> Word {
    let terms = store.args(instruction.term);
    let branch = |position: usize, truth: bool| {
        let word = &registers[instruction.arguments[position] as usize];
        match Signs::implied(store, terms[0], truth) {
            Some((var, signs)) if store.as_var(terms[position]) == Some(var) => word.with_signs(signs),
            _ => word.clone(),
        }
    };
    let (left, right) = (branch(1, true), branch(2, false));
    if left == right {
        return left;
    }
    let sort = instruction.sort;
    Word::Open(left.signs(store, sort).or(right.signs(store, sort)))
}

/// An array with a cell written, as far as it is known.
pub(crate) fn written(array: &Word, index: &Word, element: &Word) -> Word {
    let mut cells = match array {
        _ if index.is_open() => return Word::OPEN,
        Word::Cells(cells) => cells.clone(),
        _ => Cells::new(Word::OPEN),
    };
    cells.write(index.clone(), element.clone());
    Word::Cells(cells)
}

/// The result by the evaluator, for every operator and value.
fn slow(store: &Store, instruction: &Instruction, registers: &[Word]) -> Word {
    let arguments = instruction.arguments.iter();
    if !arguments.clone().all(|register| registers[*register as usize].is_known()) {
        return Word::OPEN;
    }
    let terms = store.args(instruction.term);
    let values: SmallVec<[Value; 3]> = arguments
        .zip(terms.iter())
        .map(|(register, term)| registers[*register as usize].value(store, store.sort(*term)))
        .collect();
    let values: SmallVec<[&Value; 3]> = values.iter().collect();
    Word::of(&apply(store, instruction.term, &values))
}

/// The result if the words are small enough and the operator is a common one.
fn quick(instruction: &Instruction, registers: &[Word]) -> Option<Word> {
    let word = |position: usize| &registers[instruction.arguments[position] as usize];
    match instruction.op {
        Op::Ite => Some(word(if small(word(0))? != 0 { 1 } else { 2 }).clone()),
        Op::Select => match word(0) {
            Word::Cells(cells) => Some(cells.read(word(1)).clone()),
            _ => None,
        },
        Op::Store => match word(0) {
            Word::Cells(cells) => {
                let mut cells = cells.clone();
                cells.write(word(1).clone(), word(2).clone());
                Some(Word::Cells(cells))
            }
            _ => None,
        },
        Op::ConstArray => Some(Word::Cells(Cells::new(word(0).clone()))),
        op => match instruction.argument_sort {
            Sort::Bool => logic(op, &instruction.arguments, registers),
            Sort::Int => integer(instruction, registers),
            Sort::BitVec(width) if width.get() <= 64 => bits(instruction, width.get(), registers),
            _ => None,
        },
    }
}

fn small(word: &Word) -> Option<i64> {
    match word {
        Word::Small(number) => Some(*number),
        _ => None,
    }
}

fn logic(op: Op, arguments: &[Register], registers: &[Word]) -> Option<Word> {
    let truth = |register: &Register| registers[*register as usize] != Word::Small(0);
    let result = match op {
        Op::Not => !truth(&arguments[0]),
        Op::And => arguments.iter().all(truth),
        Op::Or => arguments.iter().any(truth),
        Op::Xor => truth(&arguments[0]) != truth(&arguments[1]),
        Op::Eq => truth(&arguments[0]) == truth(&arguments[1]),
        _ => return None,
    };
    Some(Word::bool(result))
}

fn integer(instruction: &Instruction, registers: &[Word]) -> Option<Word> {
    let argument = |position: usize| small(&registers[instruction.arguments[position] as usize]);
    let first = argument(0)?;
    let fold = |step: fn(i64, i64) -> Option<i64>| {
        (1..instruction.arguments.len()).try_fold(first, |result, position| step(result, argument(position)?))
    };
    let number = match instruction.op {
        Op::Add => fold(i64::checked_add)?,
        Op::Mul => fold(i64::checked_mul)?,
        Op::Sub => first.checked_sub(argument(1)?)?,
        Op::Neg => first.checked_neg()?,
        // A divisor of zero is left to the evaluator.
        Op::IntDiv => first.checked_div_euclid(argument(1)?)?,
        Op::Mod => first.checked_rem_euclid(argument(1)?)?,
        Op::Le => return Some(Word::bool(first <= argument(1)?)),
        Op::Lt => return Some(Word::bool(first < argument(1)?)),
        Op::Eq => return Some(Word::bool(first == argument(1)?)),
        Op::IntToBv => {
            let width = instruction.sort.width().filter(|width| *width <= 64)?;
            return Some(word_of_bits(first.cast_unsigned(), width));
        }
        _ => return None,
    };
    Some(Word::Small(number))
}

/// The lowest `width` bits.
fn word_of_bits(bits: u64, width: u32) -> Word {
    Word::Small((bits & mask(width)).cast_signed())
}

fn mask(width: u32) -> u64 {
    u64::MAX >> (64 - width)
}

/// The number that `width` bits are in two's complement.
fn signed(bits: u64, width: u32) -> i64 {
    let unused = 64 - width;
    (bits << unused).cast_signed() >> unused
}

fn bits(instruction: &Instruction, width: u32, registers: &[Word]) -> Option<Word> {
    let argument = |position: usize| {
        let register = instruction.arguments.get(position)?;
        small(&registers[*register as usize]).map(i64::cast_unsigned)
    };
    let left = argument(0)?;
    match instruction.op {
        Op::BvNot => return Some(word_of_bits(!left, width)),
        Op::BvNeg => return Some(word_of_bits(left.wrapping_neg(), width)),
        Op::Extract(lowest) => return Some(word_of_bits(left >> lowest, instruction.sort.width()?)),
        Op::ZeroExtend | Op::SignExtend => {
            let to = instruction.sort.width().filter(|width| *width <= 64)?;
            let is_signed = instruction.op == Op::SignExtend;
            return Some(word_of_bits(
                if is_signed { signed(left, width).cast_unsigned() } else { left },
                to,
            ));
        }
        Op::BvToInt => return i64::try_from(left).ok().map(Word::Small),
        _ => {}
    }
    let right = argument(1)?;
    let shift = u32::try_from(right).ok().filter(|shift| *shift < width);
    let number = match instruction.op {
        Op::BvAnd => left & right,
        Op::BvOr => left | right,
        Op::BvXor => left ^ right,
        Op::BvAdd => left.wrapping_add(right),
        Op::BvSub => left.wrapping_sub(right),
        Op::BvMul => left.wrapping_mul(right),
        // Divisors of zero are left to the evaluator.
        Op::BvUdiv => left.checked_div(right)?,
        Op::BvUrem => left.checked_rem(right)?,
        Op::BvSdiv if right != 0 => signed(left, width).wrapping_div(signed(right, width)).cast_unsigned(),
        Op::BvSrem if right != 0 => signed(left, width).wrapping_rem(signed(right, width)).cast_unsigned(),
        Op::BvShl => shift.map_or(0, |shift| left << shift),
        Op::BvLshr => shift.map_or(0, |shift| left >> shift),
        Op::BvAshr => (signed(left, width) >> shift.unwrap_or(width - 1)).cast_unsigned(),
        op => return comparison(op, left, right, width),
    };
    Some(word_of_bits(number, width))
}

fn comparison(op: Op, left: u64, right: u64, width: u32) -> Option<Word> {
    let (signed_left, signed_right) = (signed(left, width), signed(right, width));
    Some(Word::bool(match op {
        Op::Eq => left == right,
        Op::BvUlt => left < right,
        Op::BvUle => left <= right,
        Op::BvSlt => signed_left < signed_right,
        Op::BvSle => signed_left <= signed_right,
        _ => return None,
    }))
}

#[cfg(test)]
mod tests {
    use thetis_expr::{ExprId, VarId};
    use thetis_model::cfa::Stmt;

    use super::super::code::{Compiler, Operation};
    use std::collections::BTreeSet;

    use super::*;

    /// Random words at and around the ends of ranges.
    fn word(random: &mut fastrand::Rng, sort: Sort) -> Word {
        let number = match random.u8(..4) {
            0 => random.i64(-3..4),
            1 => i64::MIN + random.i64(0..2),
            2 => i64::MAX - random.i64(0..2),
            _ => random.i64(..),
        };
        match sort {
            Sort::Bool => Word::bool(number % 2 == 0),
            Sort::BitVec(width) => word_of_bits(number.cast_unsigned(), width.get()),
            _ => Word::Small(number),
        }
    }

    /// A term for every operator that has a quick implementation.
    fn terms(store: &Store, width: u32) -> (Vec<VarId>, Vec<ExprId>) {
        let vars =
            [("x", Sort::Int), ("y", Sort::Int), ("v", Sort::bitvec(width)), ("w", Sort::bitvec(width))];
        let mut vars: Vec<VarId> = vars.iter().map(|(name, sort)| store.declare(name, *sort)).collect();
        vars.extend(["p", "q"].map(|name| store.declare(name, Sort::Bool)));
        let term = |number: usize| store.var_expr(vars[number]);
        let [x, y, v, w, p, q] = [0, 1, 2, 3, 4, 5].map(term);
        let mut terms = vec![store.add(x, y), store.sub(x, y), store.mul(x, y), store.neg(x)];
        terms.extend([
            store.int_div(x, y),
            store.modulo(x, y),
            store.le(x, y),
            store.lt(x, y),
            store.eq(x, y),
        ]);
        terms.extend([store.int_to_bv(x, width), store.bv_to_int(v), store.bv_not(v), store.bv_neg(v)]);
        terms.extend([store.bv_and(v, w), store.bv_or(v, w), store.bv_xor(v, w), store.bv_add(v, w)]);
        terms.extend([store.bv_sub(v, w), store.bv_mul(v, w), store.bv_udiv(v, w), store.bv_urem(v, w)]);
        terms.extend([store.bv_sdiv(v, w), store.bv_srem(v, w), store.bv_shl(v, w), store.bv_lshr(v, w)]);
        terms.extend([store.bv_ashr(v, w), store.bv_ult(v, w), store.bv_ule(v, w), store.bv_slt(v, w)]);
        terms.extend([store.bv_sle(v, w), store.eq(v, w), store.extract(v, width / 2, width - width / 2)]);
        terms.extend([store.zero_extend(v, width + 3), store.sign_extend(v, width + 3), store.not(p)]);
        terms.extend([store.and(p, q), store.or(p, q), store.xor(p, q), store.ite(p, x, y)]);
        (vars, terms)
    }

    #[test]
    fn quick_results_are_those_of_the_evaluator() {
        let mut random = fastrand::Rng::with_seed(1);
        let mut num_quick = 0;
        for width in [1, 7, 32, 64] {
            let store = Store::new();
            let (vars, terms) = terms(&store, width);
            for term in terms {
                let result = store.declare_fresh("result", store.sort(term));
                let none = BTreeSet::new();
                let mut compiler = Compiler::new(&store, vars.iter().chain([&result]).copied(), &none);
                let mut code = compiler.stmt(&Stmt::assign(result, term));
                compiler.finish(&mut code);
                for _ in 0..200 {
                    let mut registers: Vec<Word> =
                        vars.iter().map(|var| word(&mut random, store.var_sort(*var))).collect();
                    registers.push(Word::Small(0));
                    registers.extend(compiler.constants.iter().cloned());
                    registers.resize(compiler.num_registers(), Word::Small(0));
                    for part in &code {
                        let Operation::Compute(instruction) = part else { continue };
                        let expected = slow(&store, instruction, &registers);
                        if let Some(result) = quick(instruction, &registers) {
                            num_quick += 1;
                            assert_eq!(result, expected, "{:?} of width {width}", instruction.op);
                        }
                        registers[instruction.result as usize] = expected;
                    }
                }
            }
        }
        assert!(num_quick > 15_000, "{num_quick}");
    }
}
