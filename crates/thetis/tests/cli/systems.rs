//! Transition systems and circuits on the command line.

use crate::{SAFE, folder, thetis, write};

/// Bad if the input is set twice in a row.
const TWICE: &str = "aag 3 1 1 0 1 1\n2\n4 2\n6\n6 4 2\ni0 press\nl0 pressed\n";

#[test]
fn a_violation_of_a_circuit_is_shown_and_written() {
    let folder = folder();
    let file = write(&folder, "m.aag", TWICE);
    let witness = folder.path().join("w").display().to_string();
    let outcome = thetis(&["check", &file, "--witness", &witness]);
    assert_eq!((outcome.out.as_str(), outcome.code), ("unsafe\n", 10), "{}", outcome.err);
    assert!(
        outcome.err.contains("  1. [press = true]\n  2. pressed = true [press = true]\n"),
        "{}",
        outcome.err
    );
    assert_eq!(std::fs::read_to_string(witness).unwrap(), "1\nb0\n0\n1\n1\n.\n");
}

#[test]
fn witnesses_are_for_circuits() {
    let folder = folder();
    let file = write(&folder, "m.cfa", SAFE);
    let outcome = thetis(&["check", &file, "--witness", "w"]);
    assert_eq!(outcome.code, 1);
    assert!(outcome.err.contains("`--witness` is for circuits"), "{}", outcome.err);
}

#[test]
fn properties_are_chosen_by_name() {
    let folder = folder();
    let text = "specification S { system s := { var x : int initial x = 0 transition x' = x }
                property right : s models G(x = 0) property wrong : s models G(x = 1) }";
    let file = write(&folder, "m.system", text);
    let answer = |property: &str| thetis(&["check", &file, "--property", property]).out;
    assert_eq!(answer("right"), "safe\n");
    assert_eq!(answer("wrong"), "unsafe\n");
    let undecided = thetis(&["check", &file]);
    assert_eq!(undecided.code, 1);
    assert!(undecided.err.contains("choose a property with --property: right, wrong"), "{}", undecided.err);
    assert_eq!(thetis(&["check", &file, "--property", "other"]).code, 2);
    let circuit = write(&folder, "m.aag", TWICE);
    assert_eq!(thetis(&["check", &circuit, "--property", "b0"]).out, "unsafe\n");
    assert_eq!(thetis(&["check", &circuit, "--property", "b1"]).code, 2);
}

#[test]
fn wrong_circuits_are_refused_with_a_place() {
    let folder = folder();
    let table: [(&str, &[u8], &str); 4] = [
        ("a.aag", b"aag 1 1 0 1 0\n2\n4\n", "a.aag:3:1"),
        ("b.aig", b"aig 2 1 0 0 1\n\x82", "byte 15"),
        ("c.aag", b"aag 0 0 0 0 0 0 0 1\n", "justice is not supported"),
        ("d.aag", b"aag 0 0 0 0 0\n", "neither bad states nor outputs"),
    ];
    for (name, bytes, expected) in table {
        let file = write(&folder, name, bytes);
        let outcome = thetis(&["check", &file]);
        assert_eq!(outcome.code, 2, "{name}");
        assert!(outcome.err.contains(expected), "{name}: {}", outcome.err);
    }
}

#[test]
fn systems_are_converted_to_automata() {
    let folder = folder();
    let file = write(&folder, "m.aag", TWICE);
    assert!(thetis(&["convert", &file, "--to", "dot"]).out.starts_with("digraph"));
    let text = thetis(&["convert", &file, "--to", "cfa"]).out;
    let automaton = write(&folder, "m.cfa", text);
    assert_eq!(thetis(&["check", &automaton]).out, "unsafe\n");
}
