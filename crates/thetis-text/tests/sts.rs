//! The `.sts` language: meaning, messages and robustness.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use thetis_base::{Diagnostics, SourceMap};
use thetis_expr::infix;
use thetis_text::sts::{Named, parse};

/// The properties, or the messages as `text at the place: message`.
fn read(text: &str) -> Result<Vec<Named>, Vec<String>> {
    let mut sources = SourceMap::new();
    let file = sources.add("test.sts", text);
    let mut diagnostics = Diagnostics::new();
    let result = parse(&sources, file, &mut diagnostics);
    result.map_err(|_| {
        let message = |diagnostic: &thetis_base::Diagnostic| {
            assert!(diagnostic.span.end as usize <= text.len(), "{diagnostic:?}");
            format!("{}: {}", sources.text(diagnostic.span), diagnostic.message)
        };
        diagnostics.iter().map(message).collect()
    })
}

fn specification(body: &str, property: &str) -> String {
    format!("specification S {{ property p : {{ {body} }} models G({property}) }}")
}

/// The parts of the system as text.
fn summary(text: &str) -> String {
    let named = read(text).unwrap_or_else(|messages| panic!("{text}: {messages:?}")).remove(0);
    let (store, sts) = (&named.task.store, &named.task.model);
    let show = |term| infix::print(store, term);
    let next: Vec<String> =
        sts.next.iter().map(|(var, term)| format!("{}' = {}", store.var_name(*var), show(*term))).collect();
    format!(
        "init {}; {}; trans {}; constraint {}; bad {}",
        show(sts.init),
        next.join(", "),
        show(sts.trans),
        show(sts.constraint),
        show(sts.bad)
    )
}

fn check(body: &str, property: &str, expected: &str) {
    assert_eq!(summary(&specification(body, property)), expected, "{body}");
}

fn reject(text: &str, expected: &[&str]) {
    let Err(messages) = read(text) else { panic!("{text} should be rejected") };
    assert_eq!(messages, expected, "{text}");
}

#[test]
fn clauses_are_conjoined() {
    check(
        "var x : int var b : bool initial x = 0 initial b transition x' = x + 1 transition b' or b",
        "x < 9",
        "init x = 0 and b; x' = x + 1; trans b or b'; constraint true; bad not x < 9",
    );
}

#[test]
fn functions_are_found_in_relations() {
    check(
        "var x : int var b : bool invariant x >= 0
         transition (if b then x' = 0 else if x < 5 then x' = x + 1 else x' = x) and b' = (x = 3)",
        "true",
        "init true; x' = if b then 0 else if x < 5 then x + 1 else x, b' = x = 3; trans true; \
         constraint 0 <= x; bad false",
    );
    check(
        "var x : int transition x' = x + 1 or x' = 0 transition x' >= x",
        "true",
        "init true; ; trans (x' = x + 1 or x' = 0) and x <= x'; constraint true; bad false",
    );
    check(
        "var x : int transition x' = 1 transition x' = 2",
        "true",
        "init true; x' = 1; trans x' = 2; constraint true; bad false",
    );
}

#[test]
fn words_of_automata_are_names_here() {
    check(
        "var loc : int var error : bool initial loc = 0 and not error transition loc' = loc",
        "not error",
        "init loc = 0 and not error; loc' = loc; trans true; constraint true; bad error",
    );
}

#[test]
fn constants_values_and_old_types() {
    check(
        "const N : integer := 3 const M : int var x : integer := N + 1 var r : real var b : boolean
         transition x' = x + N and M' = M and (N' = 3 equal b)",
        "x < M",
        "init x = 4; M' = M, x' = x + 3; trans M = M' and b; constraint true; bad not x < M",
    );
}

#[test]
fn divisions_by_zero_are_inputs() {
    let text = specification("var x : int var y : int transition x' = x / y", "x mod y = 0");
    let named = read(&text).unwrap().remove(0);
    assert_eq!(named.task.model.inputs.len(), 2);
}

#[test]
fn systems_have_names_and_properties_are_several() {
    let text = "specification S {
        const N : int := 2
        system s := { var x : int initial x = N transition x' = x }
        property p : s models G(x = 2)
        property q : s models G(x /= 2)
    }";
    let names: Vec<String> = read(text).unwrap().into_iter().map(|named| named.name).collect();
    assert_eq!(names, ["p", "q"]);
    assert!(read("specification S { }").unwrap().is_empty());
}

#[test]
fn messages_have_places() {
    reject("", &[": expected `specification`, found the end of the file"]);
    reject(
        "specification S {",
        &[": expected `}` at the end of the specification, found the end of the file"],
    );
    reject("specification S { } x", &["x: expected the end of the file, found `x`"]);
    reject("specification S(x : int) { }", &["(: parameters are not supported"]);
    reject("specification S { property p : t models G(true) }", &["t: unknown system `t`"]);
    reject(
        "specification S { property p : { var x : int } models F(true)
         property q : { initial 3 ++ } models G(true) }",
        &["F: expected `G`, found `F`", "}: expected an expression, found `}`"],
    );
}

#[test]
fn messages_about_clauses_have_places() {
    let reject = |body: &str, expected: &[&str]| reject(&specification(body, "true"), expected);
    reject("var x : int initial x", &["x: `initial` needs a `bool`, but this is `int`"]);
    reject("var x : int initial x' = 0", &["x' = 0: primed variables can stand in transitions only"]);
    reject(
        "var x : int transition x'' = 0",
        &["x'': only the next state can be spoken of, not the one after it"],
    );
    let arbitrary = "a division by zero would be arbitrary here, which is not supported";
    reject("var x : int initial x = 1 / x", &[&format!("1 / x: {arbitrary}")]);
    reject("var x : int transition (x / x)' = 0", &[&format!("(x / x)': {arbitrary}")]);
    reject("var x : int var x : bool", &["x: variable `x` is declared twice"]);
    reject("var initial : int", &["initial: `initial` is a word of the language and cannot be declared"]);
    reject("const c : int := true", &["true: `c` of type `int` cannot have a value of type `bool`"]);
    reject(
        "var x : int const c : int := x",
        &["x: the value of a constant can only use constants with values"],
    );
    reject("initial y = 3 and z", &["y: unknown variable `y`", "z: unknown variable `z`"]);
}

/// Random words in a row never make the reader panic.
#[test]
fn hostile_words_are_survived() {
    let words = "specification S { } ( ) property p : system s := models G const var x y int bool invariant initial \
                 transition ' = /= <= + - * / mod if then else and or not equal imply 0 1 true false , [ ] <- -> § /*";
    let words: Vec<&str> = words.split_whitespace().collect();
    let mut rng = fastrand::Rng::with_seed(11);
    for _ in 0..20_000 {
        let length = rng.usize(0..30);
        let body: Vec<&str> = (0..length).map(|_| words[rng.usize(0..words.len())]).collect();
        let text = body.join(" ");
        let _ = read(&text);
        let _ = read(&specification(&format!("var x : int var y : bool {text}"), "true"));
    }
}

/// The published systems are accepted, but for one whose text lacks a parenthesis.
#[test]
fn published_systems_are_accepted() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/benchmarks");
    let Ok(manifest) = std::fs::read_to_string(folder.join("manifest.csv")) else {
        println!("skipped: {} does not exist", folder.display());
        return;
    };
    let paths: Vec<&str> = manifest.lines().filter_map(|line| line.split(',').next()).collect();
    for path in paths.into_iter().filter(|path| path.starts_with("sts/")) {
        let text = std::fs::read_to_string(folder.join(path)).unwrap();
        let is_accepted = read(&text).is_ok_and(|properties| properties.len() == 1);
        assert_eq!(is_accepted, !path.ends_with("UCPC-1721.sts"), "{path}");
    }
}
