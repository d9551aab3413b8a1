//! AIGER files: what is read, what is rejected and where, and witnesses.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod witness_circuits;

use thetis_base::{Diagnostics, SourceMap};
use thetis_circuit::aiger::{Circuit, parse, text_of, witness};
use thetis_expr::{Value, infix};
use thetis_model::sts::{Interpreter, StsStep, StsTrace};

/// The circuit, or the first message as `line:column: message`.
fn read(bytes: &[u8]) -> Result<Circuit, String> {
    let mut sources = SourceMap::new();
    let file = sources.add("test", text_of(bytes));
    let mut diagnostics = Diagnostics::new();
    let result = parse(bytes, &sources, file, &mut diagnostics);
    for diagnostic in diagnostics.iter() {
        assert!(diagnostic.span.end as usize <= text_of(bytes).len(), "{diagnostic:?}");
    }
    result.map_err(|_| {
        let first = diagnostics.iter().next().expect("a refusal should have a message");
        let place = sources.start(first.span);
        format!("{}:{}: {}", place.line, place.column, first.message)
    })
}

/// The parts of a circuit as text.
fn summary(bytes: &[u8]) -> String {
    let Circuit { task, .. } = read(bytes).unwrap();
    let (store, sts) = (&task.store, &task.model);
    let show = |term| infix::print(store, term);
    let next: Vec<String> =
        sts.next.iter().map(|(var, term)| format!("{}' = {}", store.var_name(*var), show(*term))).collect();
    format!(
        "init {}; {}; constraint {}; bad {}",
        show(sts.init),
        next.join(", "),
        show(sts.constraint),
        show(sts.bad)
    )
}

fn reject(bytes: &[u8], expected: &str) {
    let Err(message) = read(bytes) else { panic!("{:?} should be rejected", String::from_utf8_lossy(bytes)) };
    assert_eq!(message, expected);
}

#[test]
fn ascii_circuits() {
    assert_eq!(
        summary(b"aag 1 0 1 1 0\n2 3\n2\n"),
        "init not l0; l0' = not l0; constraint true; bad l0",
        "a toggle with an output"
    );
    assert_eq!(
        summary(b"aag 3 1 1 1 1\n2\n4 6\n7\n6 2 5\ni0 go\nl0 state\no0 alarm\nc\nanything\n"),
        "init not state; state' = go and not state; constraint true; bad not (go and not state)",
        "symbols, and gates after their use"
    );
    assert_eq!(
        summary(b"aag 4 0 3 0 1 1 1\n2 8 1\n4 2 4\n6 4 0\n8\n7\n8 6 4\n"),
        "init l0 and not l2; l0' = l1 and l2, l1' = l0, l2' = l1; constraint not l2; bad l1 and l2",
        "resets, a bad state and a constraint"
    );
    assert_eq!(summary(b"aag 0 0 0 1 0\n1\n"), "init true; ; constraint true; bad true", "constants");
    assert_eq!(
        summary(b"aag 5 1 1 0 3 1\n2\n4 10\n4\n10 9 7\n8 4 2\n6 5 3\n"),
        summary(b"aag 5 1 1 0 3 1\n2\n4 10\n4\n6 5 3\n8 4 2\n10 9 7\n"),
        "the order of gates does not matter"
    );
}

#[test]
fn binary_circuits() {
    // Gate 6 = 4 and 2, gate 8 = not 6 and not 4; the latch 4 starts at 1.
    let binary = b"aig 4 1 1 1 2\n8 1\n8\n\x02\x02\x01\x02i0 in\n";
    let ascii = b"aag 4 1 1 1 2\n2\n4 8 1\n8\n6 4 2\n8 7 5\ni0 in\n";
    assert_eq!(summary(binary), summary(ascii));
    assert_eq!(summary(b"aig 1 0 1 0 0 1\n3\n2\n"), "init not l0; l0' = not l0; constraint true; bad l0");
}

#[test]
fn names_are_plain_and_different() {
    let circuit = read(b"aag 4 4 0 1 0\n2\n4\n6\n8\n2\ni0 a b'!\ni1 a b'!\ni3 i2\n").unwrap();
    let names: Vec<String> =
        circuit.task.model.inputs.iter().map(|input| circuit.task.store.var_name(*input)).collect();
    assert_eq!(names, ["a_b__", "a_b___2", "i2", "i2_2"]);
}

#[test]
fn properties_can_be_chosen() {
    let circuit = read(b"aag 2 2 0 2 0\n2\n4\n2\n5\n").unwrap();
    let names: Vec<&str> = circuit.properties.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["o0", "o1"]);
    let text = |task: thetis_model::Task<_>| {
        let model: &thetis_model::sts::Sts = &task.model;
        infix::print(&task.store, model.bad)
    };
    assert_eq!(text(circuit.select("o1").unwrap()), "not i1");
    assert!(circuit.select("b0").is_none());
    assert_eq!(text(circuit.task), "i0 or not i1");
    assert!(read(b"aag 0 0 0 0 0\n").unwrap().properties.is_empty());
}

#[test]
fn errors_have_places() {
    reject(b"", "1:1: expected a header that starts with `aag` or `aig`, found the end of the file");
    reject(b"aog 1 0 0 0 0\n", "1:1: expected a header that starts with `aag` or `aig`, found `a`");
    reject(b"aag 1 0 0\n", "1:10: expected a blank, found the end of the line");
    reject(b"aag 1 0 0 0 0 0 0 1\n", "1:19: justice is not supported, only safety properties are");
    reject(b"aag 1 0 0 0 0 0 0 0 2\n", "1:21: fairness is not supported, only safety properties are");
    reject(b"aag 1 1 1 0 0\n", "1:5: there are more inputs, latches and gates than variables");
    reject(b"aag 4294967295 0 0 0 0\n", "1:5: this number of variables is not supported");
    reject(b"aag 99999999999 0 0 0 0\n", "1:5: this number is too large");
    reject(b"aag 1 1 0 0 0\n3\n", "2:1: an input should be an even number greater than 0");
    reject(b"aag 1 1 0 0 0\n4\n", "2:1: literal 4 is larger than the greatest of the header, 3");
    reject(b"aag 1 1 0 0 0\nx\n", "2:1: expected an input, a literal, found `x`");
    reject(b"aag 1 0 1 0 0\n2 2 4\n", "2:5: a latch starts at 0, at 1 or at its own literal");
    reject(b"aag 2 1 0 1 0\n2\n4\n", "3:1: literal 4 is not defined");
    reject(b"aag 2 2 0 0 0\n2\n2\n", "3:1: literal 2 is defined twice");
    reject(b"aag 1 1 0 0 0\n2\nq0 a\n", "3:1: a symbol starts with i, l, o, b or c");
    reject(b"aag 1 1 0 0 0\n2\ni1 a\n", "3:1: this symbol names nothing of the circuit");
    reject("aag 5¥\n".as_bytes(), "1:6: expected a blank, found byte 0xc2");
    reject("aag 1 1 0 0 0\nä\n".as_bytes(), "2:1: expected an input, a literal, found byte 0xc3");
    reject(b"aag 1 1 0 0 0\n2 2\n", "2:3: expected the end of the line, found `2`");
    reject(b"aag 2 0 0 1 2\n2\n2 4 4\n4 2 2\n", "4:3: gate 4 depends on itself");
    reject(b"aag 1 0 0 1 1\n2\n2 2 2\n", "3:3: gate 2 depends on itself");
}

#[test]
fn errors_in_binary_gates_tell_the_byte() {
    reject(b"aig 3 1 0 0 1\n", "1:5: inputs, latches and gates should add up to the number of variables");
    reject(b"aig 99999999 99999999 0 0 0\n", "1:5: this number of inputs is not supported");
    reject(b"aig 2 1 0 0 1\n\x05\x00", "2:1: the first input of a gate should be smaller than the gate");
    reject(b"aig 2 1 0 0 1\n\x00\x00", "2:1: the first input of a gate should be smaller than the gate");
    reject(b"aig 2 1 0 0 1\n\x03\x09", "2:2: the second input of a gate should not be larger than the first");
    reject(b"aig 2 1 0 0 1\n\x82", "1:1: byte 15: expected the rest of a gate, found the end of the file");
    reject(b"aig 2 1 0 0 1\n\x82\xff\xff\xff\xff\xff", "1:1: byte 14: this difference is too long");
    reject(
        b"aig 2 1 0 0 1\n\x82\x80\x00\x00\xff",
        "1:1: byte 18: expected a symbol, a comment or the end of the file, found byte 0xff",
    );
}

#[test]
fn many_undefined_literals_are_reported_at_once() {
    let mut text = String::from("aag 100 0 0 80 0\n");
    (1..=80).for_each(|number| text.push_str(&format!("{}\n", number * 2)));
    let mut sources = SourceMap::new();
    let file = sources.add("test", text.clone());
    let mut diagnostics = Diagnostics::new();
    assert!(parse(text.as_bytes(), &sources, file, &mut diagnostics).is_err());
    assert_eq!(diagnostics.num_errors(), 51, "50 and a last word");
}

/// Random bytes, and random changes of a right file, never make the reader panic.
#[test]
fn hostile_bytes_are_survived() {
    let mut rng = fastrand::Rng::with_seed(3);
    let right: &[&[u8]] = &[
        b"aag 4 1 1 1 2\n2\n4 8 1\n8\n6 4 2\n8 7 5\ni0 in\n",
        b"aig 4 1 1 1 2\n8 1\n8\n\x02\x02\x01\x02i0 in\n",
    ];
    for round in 0..20_000 {
        let mut bytes = right[round % 2].to_vec();
        for _ in 0..rng.usize(1..4) {
            let at = rng.usize(0..bytes.len());
            match rng.u32(0..3) {
                0 => bytes[at] = rng.u8(..),
                1 => bytes.insert(at, rng.u8(b' '..=b'9')),
                _ => bytes.truncate(at.max(1)),
            }
        }
        let _ = read(&bytes);
    }
}

#[test]
fn deep_circuits_in_any_order_are_read_without_recursion() {
    let gates = 200_000u32;
    let mut text = format!("aag {} 2 0 1 {gates}\n2\n4\n{}\n", gates + 2, (gates + 2) * 2);
    for gate in (3..gates + 3).rev() {
        text.push_str(&format!("{} {} {}\n", gate * 2, (gate - 1) * 2 + 1, 2 + gate % 2 * 2));
    }
    let circuit = read(text.as_bytes()).unwrap();
    assert!(circuit.task.store.num_terms() > 200_000);
}

#[test]
fn witnesses_are_those_of_simulators() {
    // The input must be set twice in a row.
    let circuit = read(b"aag 3 1 1 0 1 1\n2\n4 2\n6\n6 4 2\n").unwrap();
    let bools = |bits: &[bool]| bits.iter().map(|bit| Value::Bool(*bit)).collect();
    let step = |state: bool, input: bool| StsStep { state: bools(&[state]), inputs: bools(&[input]) };
    let trace = StsTrace { steps: vec![step(false, true), step(true, true)] };
    assert_eq!(Interpreter::new(&circuit.task).run(&trace), Ok(true));
    assert_eq!(witness(&circuit, &trace).unwrap(), "1\nb0\n0\n1\n1\n.\n");
    let harmless = StsTrace { steps: vec![step(false, true)] };
    assert!(witness(&circuit, &harmless).is_err());
}

/// The published circuits are all accepted.
#[test]
fn published_circuits_are_accepted() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/benchmarks");
    let Ok(manifest) = std::fs::read_to_string(folder.join("manifest.csv")) else {
        println!("skipped: {} does not exist", folder.display());
        return;
    };
    let paths: Vec<&str> = manifest.lines().filter_map(|line| line.split(',').next()).collect();
    for path in paths.into_iter().filter(|path| path.starts_with("aiger/")) {
        let bytes = std::fs::read(folder.join(path)).unwrap();
        if let Err(message) = read(&bytes) {
            panic!("{path}: {message}");
        }
    }
}
