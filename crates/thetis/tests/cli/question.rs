//! What a verdict is about: the requested property, the data model, the assumptions, and what is not modelled.

use serde_json::{Value, json};

use crate::{folder, thetis, write};

/// The assembly is not supported.
const ASSEMBLY: &str = "void reach_error(void);
int main(void) {
  asm(\"nop\");
  reach_error();
  return 0;
}
";

fn json_of(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[test]
fn a_run_that_ends_at_a_limit_violates_nothing() {
    let folder = folder();
    let program = write(&folder, "asm.c", ASSEMBLY);
    let outcome = thetis(&["check", &program, "--format", "json"]);
    let report = json_of(&outcome.out);
    assert_eq!((outcome.code, &report["verdict"]), (5, &json!("unknown")));
    assert_eq!(report["reason"]["code"], "incomplete");
    assert!(report["reason"]["text"].as_str().unwrap().contains("asm.c:3"), "{report}");
}

/// A certificate whose run leaves the way to the violation at the assembly.
#[test]
fn a_forged_run_to_a_limit_is_refused() {
    let folder = folder();
    let text = "int input(void); void reach_error(void);
int main(void) {
  if (input() == 3) reach_error();
  asm(\"nop\");
  return 0;
}
";
    let program = write(&folder, "forged.c", text);
    let certificate = folder.path().join("c.json").display().to_string();
    assert_eq!(thetis(&["check", &program, "--certificate", &certificate]).code, 10);
    assert_eq!(thetis(&["certify", &program, &certificate]).out, "unsafe\n");
    let mut forged = json_of(&std::fs::read_to_string(&certificate).unwrap());

    let converted = thetis(&["convert", &program, "--to", "cfa"]).out;
    let limit = converted.split_once("limit loc ").unwrap().1.split_once(' ').unwrap().0;
    let mut edges =
        converted.lines().filter_map(|line| line.trim_end_matches(" {").trim().split_once(" -> "));
    let edge = edges.position(|(_, target)| target == limit).unwrap();
    let steps = forged["verdict"]["unsafe"]["steps"].as_array_mut().unwrap();
    let source = steps[0]["target"].clone();
    steps.truncate(1);
    steps[0]["inputs"] = json!(["4"]);
    steps.push(json!({ "edge": edge, "source": source, "target": limit, "inputs": [], "choices": [] }));
    let forged = write(&folder, "forged.json", forged.to_string());
    let outcome = thetis(&["certify", &program, &forged]);
    assert_eq!(outcome.code, 5, "{}{}", outcome.out, outcome.err);
    assert!(outcome.out.starts_with("rejected (the trace ends at a limit"), "{}", outcome.out);
    assert!(outcome.out.contains("forged.c:4"), "{}", outcome.out);
}

#[test]
fn limits_survive_conversion() {
    let folder = folder();
    let program = write(&folder, "asm.c", ASSEMBLY);
    let converted = folder.path().join("asm.cfa").display().to_string();
    assert_eq!(thetis(&["convert", &program, "--to", "cfa", "--output", &converted]).code, 0);
    for engine in ["auto", "bmc", "kind", "cegar", "horn", "simulate"] {
        let outcome = thetis(&["check", &converted, "--engine", engine]);
        assert_eq!(outcome.code, 5, "{engine}: {}", outcome.out);
        assert!(outcome.out.starts_with("unknown (") && outcome.out.contains("asm.c:3"), "{}", outcome.out);
    }
    let outcome = thetis(&["check", &converted, "--config", "configs/portfolio.toml"]);
    assert!(outcome.code == 5 && outcome.out.contains("asm.c:3"), "{}", outcome.out);
    let missing = ASSEMBLY.replace("  asm", "  if (0) asm");
    let program = write(&folder, "never.c", missing.replace("reach_error();", ""));
    assert_eq!(thetis(&["convert", &program, "--to", "cfa", "--output", &converted]).code, 0);
    let text = std::fs::read_to_string(&converted).unwrap();
    assert!(!text.contains("limit"), "what cannot be reached is no limit: {text}");
}

#[test]
fn violations_before_and_beside_limits_are_found() {
    let folder = folder();
    let text = "int input(void); void reach_error(void);
        int main(void) { if (input() == 7) asm(\"nop\"); else if (input() == 3) reach_error(); return 0; }";
    let program = write(&folder, "beside.c", text);
    let outcome = thetis(&["check", &program]);
    assert_eq!((outcome.code, outcome.word()), (10, "unsafe"), "{}", outcome.err);
}

/// `long` is as wide as `int` in one of the data models; the sum overflows in it only.
const WIDE: &str = "int input(void); void reach_error(void);
int main(void) {
  int n = input();
  long sum = (long)n + 1;
  if (sum == n) reach_error();
  return 0;
}
";

#[test]
fn certificates_say_what_was_asked() {
    let folder = folder();
    let program = write(&folder, "wide.c", WIDE);
    let certificate = folder.path().join("c.json").display().to_string();
    let check = ["check", &program, "--property", "no-overflow", "--certificate", &certificate];
    let line = "safe: 1 signed operation; not checked: assertions, division by zero, shifts, memory safety, initial values\n";
    assert_eq!(thetis(&check).out, line);
    let written = json_of(&std::fs::read_to_string(&certificate).unwrap());
    assert_eq!(written["property"], "no-overflow");
    assert_eq!(written["program"]["specification"], "CHECK( init(main()), LTL(G ! overflow) )");
    assert_eq!(written["program"]["data-model"], "LP64");
    assert_eq!(written["program"]["settings"]["c.recursion-bound"], "30");

    let certify = |more: &[&str]| thetis(&[&["certify", &program, &certificate], more].concat());
    assert_eq!(certify(&[]).out, "safe\n", "what was asked is in the certificate");
    assert_eq!(certify(&["--property", "no-overflow", "--data-model", "LP64"]).out, "safe\n");
    let other = if written["program"]["settings"]["arithmetic"] == "bv" { "mod" } else { "bv" };
    for (more, words) in [
        (
            ["--property", "unreach-call"],
            "about the property `no-overflow`, but `unreach-call` was requested",
        ),
        (["--data-model", "ILP32"], "about the data model `LP64`, but `ILP32` was requested"),
        (["--set", &format!("arithmetic={other}")], "about the setting `arithmetic = "),
        (["--externals", "svcomp"], "`c.externals = svcomp` was requested"),
        (["--set", "c.recursion-bound=5"], "`c.recursion-bound = 5` was requested"),
    ] {
        let outcome = certify(&more);
        assert_eq!(outcome.code, 2, "{more:?}: {}", outcome.out);
        assert!(outcome.err.contains(words), "{more:?}: {}", outcome.err);
    }
    let mut without = written.clone();
    without.as_object_mut().unwrap().remove("program");
    let without = write(&folder, "without.json", without.to_string());
    assert_eq!(thetis(&["certify", &program, &without]).code, 2);
}

#[test]
fn verdicts_name_what_they_need() {
    let folder = folder();
    let text = "unsigned input(void); void reach_error(void);
        int main(void) { unsigned n = input(); if (n + 1 == 0) reach_error(); return 0; }";
    let program = write(&folder, "wrap.c", text);
    let certificate = folder.path().join("c.json").display().to_string();
    assert_eq!(thetis(&["check", &program]).word(), "unsafe");
    let check = ["check", &program, "--set", "arithmetic=int", "--certificate", &certificate];
    let outcome = thetis(&check);
    let line = "safe under: mathematical integers; 1 call of reach_error; not checked: assertions, overflow, division by zero, shifts, memory safety, initial values\n";
    assert_eq!((outcome.code, outcome.out.as_str()), (0, line));
    assert!(outcome.err.contains("[mathematical-integers]"), "{}", outcome.err);
    assert_eq!(thetis(&["certify", &program, &certificate]).out, "safe under: mathematical integers\n");
}

/// Every output lists the same assumptions, by codes and words.
#[test]
fn assumptions_are_one_list() {
    let folder = folder();
    let text = "void *malloc(unsigned long); int input(void); void reach_error(void);
int main(void) {
  int *p = malloc(sizeof(int));
  *p = input();
  if (*p != *p) reach_error();
  return 0;
}
";
    let program = write(&folder, "list.c", text);
    let page = folder.path().join("page.html").display().to_string();
    let outcome = thetis(&["check", &program, "--format", "json", "--report", &page]);
    let report = json_of(&outcome.out);
    assert_eq!(report["property"], "unreach-call");
    let assumptions: Vec<(&str, &str, u64)> = report["assumptions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| {
            let text = |key: &str| one[key].as_str().unwrap();
            assert_eq!(text("file"), program);
            (text("code"), text("text"), one["line"].as_u64().unwrap())
        })
        .collect();
    let codes: Vec<(&str, u64)> = assumptions.iter().map(|(code, _, line)| (*code, *line)).collect();
    assert_eq!(codes, [("externals", 4), ("allocation-never-fails", 3)]);
    let page = std::fs::read_to_string(&page).unwrap();
    assert!(page.contains("property <code>unreach-call</code>"), "the page names the property");
    let log = json_of(&thetis(&["check", &program, "--format", "sarif"]).out);
    let run = &log["runs"][0];
    assert_eq!(run["results"].as_array().map(Vec::len), Some(0), "what holds is no alert");
    assert_eq!(run["tool"]["driver"]["rules"][0]["id"], "unreach-call");
    assert_eq!(run["tool"]["driver"]["rules"][0]["fullDescription"]["text"], "No run calls `reach_error`.");
    let notes = run["invocations"][0]["toolExecutionNotifications"].as_array().unwrap();
    assert_eq!(notes.len(), assumptions.len());
    for ((code, words, line), note) in assumptions.iter().zip(notes) {
        assert!(outcome.err.contains(&format!("{words} [{code}]")), "{}", outcome.err);
        assert_eq!(note["descriptor"]["id"], *code);
        assert_eq!(note["message"]["text"], *words);
        assert_eq!(note["locations"][0]["physicalLocation"]["region"]["startLine"], *line);
        assert!(page.contains(&format!("<code>{code}</code> {}", on_page(words))), "{code}: {words}");
    }
}

/// The form of a message on a page, where backticks become marked-up code.
fn on_page(words: &str) -> String {
    let piece = |(number, piece): (usize, &str)| match number % 2 {
        0 => piece.to_owned(),
        _ => format!("<code>{piece}</code>"),
    };
    words.split('`').enumerate().map(piece).collect()
}

#[test]
fn an_answer_without_a_certificate_is_no_verdict() {
    let folder = folder();
    // States repeat, so a path without repetition is short; nothing else makes the property inductive.
    let text = "main process p { var x : int init loc a loc b error loc bad
        a -> b { x := 0 }  b -> b { assume x = 0 x := 1 }  b -> b { assume x = 1 x := 0 }
        b -> b { assume x = 5 x := 6 }  b -> b { assume x = 6 x := 5 }  b -> b { assume x = 6 x := 7 }
        b -> bad { assume x = 7 } }";
    let model = write(&folder, "repeats.cfa", text);
    let set = ["--set", "passes.control=\"variable\"", "--set", "kind.simple-paths=true"];
    let outcome = thetis(&[&["check", &model, "--engine", "kind"], &set[..]].concat());
    assert_eq!(outcome.code, 5, "{}", outcome.out);
    assert!(
        outcome.out.starts_with("unknown (there is an answer without a certificate: "),
        "{}",
        outcome.out
    );
}

#[test]
fn only_counting_answers_how_many_markings_there_are() {
    let folder = folder();
    let text = "place a = 1\nplace b\ntransition t in a out b\ntransition u in b out a\n";
    let net = write(&folder, "n.net", text);
    let certificate = folder.path().join("c.json").display().to_string();
    let check =
        ["check", &net, "--property", "state-space", "--engine", "explicit", "--certificate", &certificate];
    let outcome = thetis(&check);
    assert_eq!(outcome.code, 0, "{}{}", outcome.out, outcome.err);
    assert_eq!(outcome.out, "explored: 2 reachable states\n");
    let written = json_of(&std::fs::read_to_string(&certificate).unwrap());
    assert_eq!(written["verdict"]["safe"]["state-space"]["markings"], 2);
    for proof in [json!("reduced-state-space"), json!({ "invariant": { "constant": true } })] {
        let mut other = written.clone();
        other["verdict"]["safe"] = proof;
        let other = write(&folder, "other.json", other.to_string());
        let outcome = thetis(&["certify", &net, "--property", "state-space", &other]);
        assert_eq!(outcome.code, 5, "{}", outcome.out);
        assert!(outcome.out.contains("does not say how many markings"), "{}", outcome.out);
    }
}

/// Only one of several assertions is checked; a run that fails at another one ends there.
#[test]
fn one_assertion_can_be_asked_about() {
    let folder = folder();
    let text = "extern void assert(int); int input(void);
int main(void) {
  int x = input();
  if (x < 0) return 0;
  assert(x >= 0);
  assert(x != 7);
  assert(x < 7 || x > 7);
  return 0;
}
";
    let program = write(&folder, "three.c", text);
    let certificate = folder.path().join("c.json").display().to_string();
    let check = |number: &str| {
        let setting = format!("c.assertion={number}");
        thetis(&["check", &program, "--set", &setting, "--certificate", &certificate])
    };
    let outcome = thetis(&["check", &program, "--assertion", "1"]);
    assert_eq!(outcome.out, "safe: place 1 of assertion; not checked: all others\n", "{}", outcome.err);
    let automaton = write(&folder, "m.cfa", crate::SAFE);
    assert_eq!(thetis(&["check", &automaton, "--assertion", "1"]).code, 1, "it is for C programs");
    for (number, code, place) in [("0", 10, "three.c:6"), ("2", 10, "three.c:6")] {
        let outcome = check(number);
        assert_eq!(outcome.code, code, "{number}: {}{}", outcome.out, outcome.err);
        assert!(outcome.err.contains(place), "{number}: {}", outcome.err);
    }
    for number in ["1", "3"] {
        let outcome = check(number);
        let expected = format!("safe: place {number} of assertion; not checked: all others\n");
        assert_eq!(outcome.out, expected, "{}", outcome.err);
    }
    assert_eq!(
        thetis(&["certify", &program, &certificate]).code,
        0,
        "the certificate says which one it is about"
    );
    assert_eq!(thetis(&["certify", &program, &certificate, "--set", "c.assertion=1"]).code, 2);
    let outcome = check("4");
    assert_eq!(outcome.code, 2, "{}", outcome.out);
    assert!(outcome.err.contains("the property could be violated at 3 places"), "{}", outcome.err);
}

/// The automaton with procedures checks the same place as the one with copies.
#[test]
fn one_assertion_of_a_recursive_program_can_be_asked_about() {
    let folder = folder();
    let text = "extern void assert(int); int input(void);
int zero(int n) { if (n <= 0) return 0; return zero(n - 1); }
int main(void) {
  int x = input();
  assert(x != 7);
  assert(zero(x) == 0);
  return 0;
}
";
    let program = write(&folder, "recursive.c", text);
    let outcome = thetis(&["check", &program, "--set", "c.assertion=2"]);
    assert_eq!(outcome.out, "safe: place 2 of assertion; not checked: all others\n", "{}", outcome.err);
    assert_eq!(thetis(&["check", &program]).code, 10);
}

/// `--arithmetic` sets the encoding of the numbers of a C program, and is an error where it has no effect.
#[test]
fn the_encoding_of_numbers_can_be_named() {
    let folder = folder();
    let text = "extern void assert(int); int input(void);
int main(void) { int x = input(); assert(x + 1 > x); }
";
    let program = write(&folder, "wraps.c", text);
    assert_eq!(thetis(&["check", &program, "--arithmetic", "bv"]).code, 10);
    let outcome = thetis(&["check", &program, "--arithmetic", "int"]);
    assert!(
        outcome.out.starts_with("safe under: mathematical integers; 1 assertion; "),
        "{}{}",
        outcome.out,
        outcome.err
    );
    let outcome = thetis(&["check", &program, "--arithmetic", "mod-overflow"]);
    assert_eq!(outcome.code, 1, "{}", outcome.out);
    assert!(outcome.err.contains("can be asked for `no-overflow`"), "{}", outcome.err);
    let net = write(&folder, "n.net", "net n;");
    let outcome = thetis(&["check", &net, "--arithmetic", "bv"]);
    assert_eq!(outcome.code, 1, "{}", outcome.out);
    assert!(outcome.err.contains("for C programs and Solidity contracts"), "{}", outcome.err);
}

/// Proofs and violations that only the translation to bit-vectors has, and their evidence.
#[test]
fn evidence_may_be_about_bit_vectors() {
    const HALVES: &str = "extern unsigned __VERIFIER_nondet_uint(void); extern void __VERIFIER_error(void);
int main(void) {
    unsigned char low[8], high[8];
    unsigned n = __VERIFIER_nondet_uint(), rest = n, again = 0;
    for (int i = 0; i < 8; i++) { low[i] = rest & 3; high[i] = (rest >> 2) & 3; rest >>= 4; }
    for (int i = 7; i >= 0; i--) again = again * 16 + high[i] * 4 + low[i];
    if (again != CLAIM) __VERIFIER_error();
    return 0;
}
";
    let folder = folder();
    let config = write(
        &folder,
        "bits.toml",
        "engine = \"portfolio\"\n[[stage]]\npass = \"bit-vectors\"\nworker = false\n[[stage.stage]]\nengine = \"bmc\"\nset.bmc.count = \"loops\"\n",
    );
    let certificate = folder.path().join("c.json").display().to_string();
    for (claim, verdict) in [("n", "safe"), ("77", "unsafe")] {
        let program = write(&folder, &format!("{verdict}.c"), HALVES.replace("CLAIM", claim));
        let outcome = thetis(&["check", &program, "--config", &config, "--certificate", &certificate]);
        assert!(outcome.out.starts_with(verdict), "{} {}", outcome.out, outcome.err);
        assert!(!outcome.err.contains("'d"), "indices should be numbers: {}", outcome.err);
        assert!(std::fs::read_to_string(&certificate).unwrap().contains("\"arithmetic\": \"bv\""));
        let certified = thetis(&["certify", &program, &certificate]);
        assert!(certified.out.starts_with(verdict), "{} {}", certified.out, certified.err);
        let certified = thetis(&["certify", &program, &certificate, "--set", "arithmetic=mod"]);
        assert!(
            !certified.out.starts_with("safe") && !certified.out.starts_with("unsafe"),
            "{}",
            certified.out
        );
        let outcome = thetis(&["check", &program, "--config", &config, "--arithmetic", "mod"]);
        assert!(outcome.out.starts_with("unknown"), "asked for another translation: {}", outcome.out);
    }
    for (text, message) in [
        ("[[stage]]\npass = \"bit-vectors\"\n[[stage.stage]]\nengine = \"bmc\"\n", "worker = false"),
        (
            "[[stage]]\nworker = false\n[[stage.stage]]\npass = \"bit-vectors\"\n[[stage.stage.stage]]\nengine = \"bmc\"\n",
            "outermost",
        ),
    ] {
        let config = write(&folder, "wrong.toml", format!("engine = \"portfolio\"\n{text}"));
        let outcome = thetis(&["check", &config.replace("wrong.toml", "safe.c"), "--config", &config]);
        assert!(outcome.code == 1 && outcome.err.contains(message), "{} {}", outcome.code, outcome.err);
    }
}
