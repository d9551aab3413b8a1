//! Random programs, run by a compiler and by the interpreter of automata.
//!
//! `THETIS_RANDOM_PROGRAMS=10000` tries more of them.

use std::collections::BTreeMap;
use std::process::Command;

use num_bigint::BigInt;
use thetis_c::lower::Arithmetic;
use thetis_testkit::c::{Language, RandomProgram, random_program_in};

use super::run::{Outcome, Setup, run, translate};

const BATCH: usize = 100;

/// The result of a comparison.
#[derive(Default)]
struct Comparison {
    num_equal: usize,
    /// How many runs end at each limit.
    limits: BTreeMap<String, usize>,
    /// Seeds and what differs.
    failures: Vec<String>,
}

#[test]
fn random_programs_do_what_a_compiler_says() {
    let Some(comparison) = compare(Language::Core, num_programs(200)) else { return };
    let Comparison { limits, failures, .. } = comparison;
    assert!(failures.is_empty(), "{} differ: {:?}", failures.len(), &failures[..failures.len().min(20)]);
    assert!(limits.is_empty(), "nothing in these programs is a limit: {limits:?}");
}

/// Everything that is not a limit agrees with the compiler.
#[test]
fn random_programs_at_the_edges_do_what_a_compiler_says_or_end_at_a_limit() {
    let number = num_programs(100);
    let Some(comparison) = compare(Language::Wide, number) else { return };
    let Comparison { num_equal, limits, failures } = comparison;
    assert!(failures.is_empty(), "{} differ: {:?}", failures.len(), &failures[..failures.len().min(20)]);
    println!("{num_equal} of {} runs are equal; limits: {limits:?}", 2 * number);
    assert!(num_equal >= number / 2, "most runs should not end at a limit: {limits:?}");
}

fn num_programs(usual: usize) -> usize {
    let wish = std::env::var("THETIS_RANDOM_PROGRAMS").ok().and_then(|number| number.parse().ok());
    wish.unwrap_or(usual)
}

/// Compares the first programs of a language; nothing if there is no compiler.
fn compare(language: Language, num_programs: usize) -> Option<Comparison> {
    let seeds: Vec<u64> = (0..num_programs as u64).collect();
    let mut comparison = Comparison::default();
    for batch in seeds.chunks(BATCH) {
        let programs: Vec<RandomProgram> =
            batch.iter().map(|seed| random_program_in(language, *seed)).collect();
        let Some(expected) = compile_and_run(&programs) else {
            println!("skipped: there is no C compiler `cc`");
            return None;
        };
        for ((program, expected), seed) in programs.iter().zip(expected).zip(batch) {
            for arithmetic in [Arithmetic::Mod, Arithmetic::Bv] {
                match outcome(program, arithmetic) {
                    Outcome::Exit(Some(found)) if found == BigInt::from(expected) => {
                        comparison.num_equal += 1
                    }
                    Outcome::Limit(reason) => *comparison.limits.entry(reason).or_default() += 1,
                    // The bits of a calculated float are guessed and compared with it, which the interpreter cannot do.
                    Outcome::Blocked if stores_float_in_union(&program.text) => {
                        *comparison.limits.entry("the bits of a float".to_owned()).or_default() += 1;
                    }
                    found => comparison
                        .failures
                        .push(format!("seed {seed}, {arithmetic:?}: {found:?}, not {expected}")),
                }
            }
        }
    }
    Some(comparison)
}

fn stores_float_in_union(text: &str) -> bool {
    text.contains(".f = (float)") || text.contains("){ (float)(")
}

fn outcome(program: &RandomProgram, arithmetic: Arithmetic) -> Outcome {
    let setup = Setup { arithmetic, ..Setup::default() };
    run(&translate(&program.alone(), &setup).unwrap(), &[])
}

/// The checksums of programs, as numbers of type `int`.
fn compile_and_run(programs: &[RandomProgram]) -> Option<Vec<i32>> {
    let folder = tempfile::tempdir().unwrap();
    let (source, binary) = (folder.path().join("programs.c"), folder.path().join("programs"));
    let mut text = "int printf(const char *, ...);\n".to_string();
    text.extend(programs.iter().map(|program| program.text.as_str()));
    text += "int main(void) {\n";
    text.extend(programs.iter().map(|program| format!("printf(\"%d\\n\", (int){}());\n", program.entry)));
    text += "}\n";
    std::fs::write(&source, text).unwrap();
    let mut compiler = Command::new("cc");
    compiler.args(["-w", "-O0", "-fwrapv", "-fno-strict-aliasing", "-o"]).arg(&binary).arg(&source);
    let output = compiler.output().ok()?;
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let output = Command::new(&binary).output().unwrap();
    assert!(output.status.success(), "the programs should end: {}", output.status);
    let lines = String::from_utf8(output.stdout).unwrap();
    let numbers: Vec<i32> = lines.lines().map(|line| line.parse().unwrap()).collect();
    assert_eq!(numbers.len(), programs.len(), "every program should end");
    Some(numbers)
}
