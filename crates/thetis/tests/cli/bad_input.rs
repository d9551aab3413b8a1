//! Input that must be rejected: a message with a position and what was expected, exit code 2, no verdict.

use crate::{SAFE, folder, thetis, write};

fn check_refused(name: &str, content: impl AsRef<[u8]>, parts: &[&str]) {
    let folder = folder();
    let file = write(&folder, name, content);
    let outcome = thetis(&["check", &file]);
    assert_eq!((outcome.out.as_str(), outcome.code), ("", 2), "{name}: {}", outcome.err);
    assert!(!outcome.err.contains("panicked"), "{}", outcome.err);
    for part in parts {
        assert!(outcome.err.contains(part), "`{part}` in: {}", outcome.err);
    }
}

#[test]
fn damaged_models_are_refused_with_a_place() {
    check_refused("empty.cfa", "", &["empty.cfa:1:1", "expected"]);
    check_refused("syntax.cfa", "main process p {\n  init lok a\n}", &["syntax.cfa:2:8", "expected"]);
    check_refused(
        "type.cfa",
        "main process p { var x : int init loc a error loc b a -> b { x := true } }",
        &["type.cfa:1:", "bool", "int"],
    );
    check_refused(
        "unknown.cfa",
        "main process p { init loc a error loc b a -> b { assume y } }",
        &["unknown.cfa:1:57", "`y`"],
    );
    check_refused(
        "twice.cfa",
        "main process p { var x : int var x : int init loc a error loc b }",
        &["twice.cfa:1:34", "`x`"],
    );
    check_refused("noinit.cfa", "main process p { loc a error loc b }", &["noinit.cfa:1:", "init"]);
    check_refused("noerror.cfa", "main process p { init loc a }", &["noerror.cfa", "error"]);
}

#[test]
fn several_errors_are_reported_at_once() {
    let text = "main process p {\n var x : int\n init loc a\n error loc b\n a -> b { assume y }\n a -> b { x := true }\n a -> c { }\n}";
    check_refused("many.cfa", text, &[":5:", ":6:", ":7:"]);
}

#[test]
fn files_that_are_no_models_are_refused() {
    let folder = folder();
    let outcome = thetis(&["check", &folder.path().display().to_string()]);
    assert_eq!(outcome.code, 2);
    assert!(outcome.err.contains("is a directory"), "{}", outcome.err);
    let outcome = thetis(&["check", "does-not-exist.cfa"]);
    assert_eq!(outcome.code, 2);
    assert!(outcome.err.contains("does-not-exist.cfa"), "{}", outcome.err);
    check_refused("binary.cfa", [b'm', b'\n', b'a', 0xff, 0xfe, 0], &["binary.cfa:2:2", "not UTF-8"]);
    check_refused("model.xyz", SAFE, &["model.xyz", "expected"]);
    check_refused("zeros.cfa", vec![0u8; 4096], &["zeros.cfa:1:1"]);
}

#[test]
fn a_file_of_fifty_megabytes_is_refused_in_seconds() {
    let mut text = String::from("main process p {\n");
    while text.len() < 50 << 20 {
        text.push_str("  var some_variable_with_a_name : int ???\n");
    }
    let start = std::time::Instant::now();
    check_refused("large.cfa", text, &["large.cfa:2:"]);
    assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
}

#[test]
fn wrong_usage_is_explained() {
    for args in [
        &["check"] as &[&str],
        &["frobnicate"],
        &["check", "m.cfa", "--time", "soon"],
        &["check", "m.cfa", "--memory", "-4"],
        &["check", "m.cfa", "--format", "xml"],
        &["check", "examples/absolute.cfa", "--engine", "magic"],
        &["check", "examples/absolute.cfa", "--set", "bmc.max-bond=3"],
    ] {
        let outcome = thetis(args);
        assert_eq!((outcome.out.as_str(), outcome.code), ("", 1), "{args:?}: {}", outcome.err);
        assert!(!outcome.err.is_empty());
    }
    let outcome = thetis(&["check", "examples/absolute.cfa", "--property", "LTL G(x=1)"]);
    assert_eq!(outcome.code, 2);
}
