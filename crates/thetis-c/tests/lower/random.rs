//! Random programs, run by a compiler and by the interpreter of automata.
//!
//! `THETIS_RANDOM_PROGRAMS=10000` tries more of them.

use std::process::Command;

use num_bigint::BigInt;
use thetis_c::lower::Arithmetic;
use thetis_testkit::c::{RandomProgram, random_program};

use super::run::{Outcome, Setup, run, translate};

const BATCH: usize = 100;

#[test]
fn random_programs_do_what_a_compiler_says() {
    let wish = std::env::var("THETIS_RANDOM_PROGRAMS").ok().and_then(|number| number.parse().ok());
    let num_programs: usize = wish.unwrap_or(200);
    let seeds: Vec<u64> = (0..num_programs as u64).collect();
    let mut failures = Vec::new();
    for batch in seeds.chunks(BATCH) {
        let programs: Vec<RandomProgram> = batch.iter().map(|seed| random_program(*seed)).collect();
        let Some(expected) = compile_and_run(&programs) else {
            println!("skipped: there is no C compiler `cc`");
            return;
        };
        for ((program, expected), seed) in programs.iter().zip(expected).zip(batch) {
            for arithmetic in [Arithmetic::Mod, Arithmetic::Bv] {
                let found = outcome(program, arithmetic);
                if found != Outcome::Exit(Some(BigInt::from(expected))) {
                    failures.push((*seed, arithmetic, found, expected));
                }
            }
        }
    }
    assert!(
        failures.is_empty(),
        "{} of {num_programs} differ: {:?}",
        failures.len(),
        &failures[..failures.len().min(20)]
    );
}

fn outcome(program: &RandomProgram, arithmetic: Arithmetic) -> Outcome {
    let setup = Setup { arithmetic, ..Setup::default() };
    run(&translate(&program.alone(), &setup).unwrap(), &[])
}

/// The checksums of programs, as numbers of type `int`.
fn compile_and_run(programs: &[RandomProgram]) -> Option<Vec<i32>> {
    let folder = std::env::temp_dir().join(format!("thetis-random-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (source, binary) = (folder.join("programs.c"), folder.join("programs"));
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
    std::fs::remove_dir_all(&folder).unwrap();
    assert!(output.status.success(), "the programs should end: {}", output.status);
    let lines = String::from_utf8(output.stdout).unwrap();
    let numbers: Vec<i32> = lines.lines().map(|line| line.parse().unwrap()).collect();
    assert_eq!(numbers.len(), programs.len(), "every program should end");
    Some(numbers)
}
