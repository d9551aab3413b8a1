//! C programs of several files, projects, single functions and several properties at once.

use serde_json::Value;

use crate::{Outcome, folder, thetis, write};

fn has_compiler() -> bool {
    std::process::Command::new("cc").arg("--version").output().is_ok()
}

fn json_of(outcome: &Outcome) -> Value {
    serde_json::from_str(&outcome.out)
        .unwrap_or_else(|error| panic!("{error}: {}{}", outcome.out, outcome.err))
}

const MAIN: &str = "void reach_error(void);
extern int limit;
int twice(int x);
int main(void) {
  if (twice(limit) != 6) reach_error();
  return 0;
}
";

const TWICE: &str = "int limit = LIMIT;
static int factor = 2;
int twice(int x) {
  return factor * x;
}
";

#[test]
fn files_are_linked_and_places_name_the_right_one() {
    let folder = folder();
    let main = write(&folder, "main.c", MAIN);
    let right = write(&folder, "right.c", TWICE.replace("LIMIT", "3"));
    let wrong = write(&folder, "wrong.c", TWICE.replace("LIMIT", "4"));
    let certificate = folder.path().join("c.json").display().to_string();
    let page = folder.path().join("page.html").display().to_string();
    let outcome = thetis(&["check", &main, &right, "--certificate", &certificate]);
    assert_eq!((outcome.code, outcome.word()), (0, "safe"), "{}", outcome.err);
    assert_eq!(thetis(&["certify", &main, &right, &certificate]).out, "safe\n");
    assert_eq!(thetis(&["certify", &main, &wrong, &certificate]).code, 2, "it is about other files");
    let outcome = thetis(&["check", &main, &wrong, "--report", &page]);
    assert_eq!((outcome.code, outcome.word()), (10, "unsafe"), "{}", outcome.err);
    for place in ["main.c:5:7: calls `twice`: x = 4", "wrong.c:4:3: `return factor * x`: result = 8"] {
        assert!(outcome.err.contains(place), "{place}: {}", outcome.err);
    }
    let page = std::fs::read_to_string(page).unwrap();
    assert!(page.contains("id=\"L5\"") && page.contains("id=\"F1L4\""), "both files are shown");
    let sarif = thetis(&["check", &main, &wrong, "--format", "sarif"]).out;
    assert!(sarif.contains("wrong.c") && sarif.contains("main.c"), "{sarif}");
    let task =
        "format_version: '2.0'\ninput_files: ['main.c', 'wrong.c']\nproperties:\n  - property_file: p.prp\n";
    write(&folder, "p.prp", "CHECK( init(main()), LTL(G ! call(reach_error())) )");
    assert_eq!(thetis(&["check", &write(&folder, "task.yml", task)]).code, 10);
}

/// Functions of the compiler that several files call, as all do that include `<stdlib.h>`.
#[test]
fn files_share_functions_of_the_compiler() {
    let folder = folder();
    let swap = "static inline unsigned short swap(unsigned short x) { return __builtin_bswap16(x); }\n";
    let one = write(&folder, "one.c", format!("{swap}unsigned short one(void) {{ return swap(1); }}\n"));
    let main = format!(
        "{swap}extern void assert(int); unsigned short one(void);\nint main(void) {{ assert(swap(one()) == 1 && one() == 256); return 0; }}\n"
    );
    let main = write(&folder, "main.c", main);
    let outcome = thetis(&["check", &main, &one]);
    assert_eq!((outcome.code, outcome.word()), (0, "safe"), "{}", outcome.err);
    if !has_compiler() {
        println!("skipped: no C compiler");
        return;
    }
    let one = write(&folder, "one.c", "#include <stdlib.h>\nvoid *one(void) { return malloc(4); }\n");
    let main = "#include <stdlib.h>\nvoid *one(void);\nint main(void) { free(one()); return 0; }\n";
    let main = write(&folder, "main.c", main);
    let outcome = thetis(&["check", &main, &one, "--property", "valid-memory"]);
    assert_eq!((outcome.code, outcome.word()), (0, "safe"), "{}", outcome.err);
}

#[test]
fn what_does_not_fit_together_is_refused_with_both_places() {
    let folder = folder();
    let main = write(&folder, "main.c", "extern long x;\nint main(void) { return x == 1; }\n");
    let other = write(&folder, "other.c", "\nint x = 1;\n");
    let outcome = thetis(&["check", &main, &other]);
    assert_eq!(outcome.code, 2, "{}", outcome.err);
    for place in ["other.c:2:5", "main.c:1:13", "`x` is `int` here and `long` elsewhere"] {
        assert!(outcome.err.contains(place), "{place}: {}", outcome.err);
    }
    let outcome = thetis(&["check", &main, "examples/absolute.cfa"]);
    assert_eq!(outcome.code, 1, "{}", outcome.err);
}

#[test]
fn projects_bring_their_options() {
    if !has_compiler() {
        println!("skipped: no C compiler");
        return;
    }
    let folder = folder();
    std::fs::create_dir_all(folder.path().join("build")).unwrap();
    std::fs::create_dir_all(folder.path().join("inc")).unwrap();
    std::fs::write(folder.path().join("inc/twice.h"), "int twice(int x);\nextern int limit;\n").unwrap();
    std::fs::write(folder.path().join("inc/always.h"), "#define WANTED 6\n").unwrap();
    let main = "#include <assert.h>\n#include \"twice.h\"\nint main(void) { assert(twice(limit) == WANTED); return 0; }\n";
    write(&folder, "main.c", main);
    write(&folder, "twice.c", TWICE);
    let database = |limit: &str| {
        let commands = format!(
            r#"[{{"directory": "{0}/build", "file": "../main.c", "command": "cc -I../inc -include ../inc/always.h -O2 -c ../main.c"}},
                {{"directory": "{0}/build", "file": "../twice.c", "arguments": ["cc", "-DLIMIT={limit}", "-c", "../twice.c"]}}]"#,
            folder.path().display()
        );
        std::fs::write(folder.path().join("build/compile_commands.json"), commands).unwrap();
        folder.path().join("build").display().to_string()
    };
    let outcome = thetis(&["check", "--project", &database("3")]);
    assert_eq!((outcome.code, outcome.word()), (0, "safe"), "{}", outcome.err);
    let outcome = thetis(&["check", "--project", &database("4")]);
    assert_eq!((outcome.code, outcome.word()), (10, "unsafe"), "{}", outcome.err);
    assert!(outcome.err.contains("twice.c:4:3"), "{}", outcome.err);
    let outcome = thetis(&["check", "--project", &database("3\", \"-funsigned-char")]);
    assert_eq!(outcome.code, 2, "{}", outcome.err);
    assert!(outcome.err.contains("twice.c: the option `-funsigned-char` changes"), "{}", outcome.err);
}

/// A violation of a program that needs no preprocessor.
const UNPROCESSED: &str = "void reach_error(void) {}\nint main(void) { reach_error(); return 0; }\n";

/// Compilers read options from files that are named after `@`, even in values of options, and options can run programs.
#[test]
fn databases_name_no_files_of_options() {
    if !has_compiler() {
        return;
    }
    let folder = folder();
    let trace = folder.path().join("executed");
    let wrapper = write(&folder, "wrapper", format!("#!/bin/sh\ntouch '{}'\nexec \"$@\"\n", trace.display()));
    let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(&wrapper, executable).unwrap();
    write(&folder, "x.h", "");
    std::fs::create_dir(folder.path().join("build")).unwrap();
    let database = folder.path().display().to_string();
    for (directory, option, named) in [
        (".", "\"-D\", \"@words\"", "X"),
        (".", "\"-D@words\"", "X"),
        (".", "\"-U@words\"", "X"),
        ("build", "\"-include\", \"@words\"", "x.h"),
        (".", "\"@words\"", ""),
    ] {
        write(&folder, "words", format!("{named} -wrapper {wrapper}\n"));
        let file = folder.path().join("main.c").display().to_string();
        let entry = format!(
            r#"[{{"directory": "{directory}", "file": "{file}", "arguments": ["cc", {option}, "main.c"]}}]"#
        );
        write(&folder, "compile_commands.json", entry);
        for text in ["#define ONE 1\nint main(void) { return ONE; }\n", UNPROCESSED] {
            write(&folder, "main.c", text);
            let outcome = thetis(&["check", "--project", &database, "--confirm"]);
            assert_eq!(outcome.code, 2, "{option}: {}", outcome.err);
            assert!(!trace.exists(), "{option} has run a program");
        }
    }
    // A folder with such a name is a folder.
    std::fs::create_dir(folder.path().join("@include")).unwrap();
    write(&folder, "@include/one.h", "#define ONE 1\n");
    write(&folder, "main.c", "#include <one.h>\nint main(void) { return ONE; }\n");
    let entry = r#"[{"directory": ".", "file": "main.c", "arguments": ["cc", "-I@include", "main.c"]}]"#;
    write(&folder, "compile_commands.json", entry);
    let outcome = thetis(&["check", "--project", &database]);
    assert_eq!(outcome.code, 0, "{}", outcome.err);
}

/// The example projects: some of their bugs that are found quickly, and the steps that are left out of one violation.
#[test]
fn mistakes_of_the_example_projects_are_found() {
    if !has_compiler() {
        println!("skipped: no C compiler");
        return;
    }
    for (project, property, message) in [
        ("can-gateway", "valid-memsafety", "element 7 is after the end of `passes`, which has 6"),
        ("motor-control", "no-division-by-zero", "divides by zero: ramp->target = "),
        ("motor-control", "valid-shift", "shifts by a number that is out of range: range = "),
    ] {
        let project = format!("examples/projects/{project}");
        let outcome = thetis(&["check", "--project", &project, "--property", property]);
        assert_eq!(outcome.code, 10, "{}", outcome.err);
        assert!(outcome.err.contains(message), "{message}: {}", outcome.err);
        assert!(outcome.err.contains("that do not matter (--full shows them):"), "{}", outcome.err);
    }
    let project = ["check", "--project", "examples/projects/motor-control", "-D", "FIXED"];
    let outcome =
        thetis(&[&project[..], &["--property", "valid-shift", "--property", "no-division-by-zero"]].concat());
    assert_eq!(
        (outcome.code, outcome.out.lines().last()),
        (0, Some("safe: both checks hold")),
        "{}",
        outcome.err
    );
}

const LIBRARY: &str = "extern void assert(int);
static int level;
int get(int *items, int index) { return items[index]; }
int next(void) { level = level < 3 ? level + 1 : 0; assert(level <= 3); return level; }
unsigned shifted(unsigned x, unsigned by) { return x << (by & 31); }
";

#[test]
fn functions_are_checked_by_themselves() {
    let folder = folder();
    let library = write(&folder, "library.c", LIBRARY);
    let check = |function: &str, more: &[&str]| {
        thetis(&[&["check", &library, "--function", function], more].concat())
    };
    let outcome = check("next", &[]);
    assert_eq!((outcome.code, outcome.word()), (0, "safe"), "{}", outcome.err);
    assert!(outcome.err.contains("[entry]"), "the assumption is told: {}", outcome.err);
    for (pointers, code) in [("null", 10), ("fresh", 10), ("array:5", 10)] {
        let outcome = check("get", &["--property", "valid-deref", "--pointers", pointers]);
        assert_eq!(outcome.code, code, "{pointers}: {}", outcome.err);
    }
    let outcome = check("*", &["--property", "valid-shift", "--property", "no-overflow"]);
    assert_eq!(outcome.code, 0, "{}{}", outcome.out, outcome.err);
    assert!(outcome.out.ends_with("safe under: separate pointers; all 6 checks hold\n"), "{}", outcome.out);
    assert!(outcome.out.contains("get: no-overflow: holds under: separate pointers"), "{}", outcome.out);
    assert!(outcome.out.contains("shifted: valid-shift: holds (1 shift)\n"), "{}", outcome.out);
    assert!(
        outcome.err.contains("assumption: the same holds for `next`, `shifted` [entry]\n"),
        "{}",
        outcome.err
    );
    assert_eq!(check("missing", &[]).code, 2);
    assert_eq!(check("next", &["--property", "valid-memsafety"]).code, 1, "leaks are about programs");
}

/// A proof about a function names its assumptions about pointers; a violation needs none.
#[test]
fn pointers_of_functions_may_meet() {
    const FUNCTIONS: &str = "extern void assert(int);
int shared;
void twice(int *a, int *b) { *a = 1; *b = 2; assert(*a == 1); }
void global(int *a) { shared = 1; *a = 2; assert(shared == 1); }
void mixed(int *a, long *b) { *a = 1; *b = 2; assert(*a == 1); }
void null(int *a) { assert(a != 0); }
void count(int a) { if (a > 3) assert(a > 2); }
extern void outside(void);
struct node { int value; struct node *next; };
void calls(int *a) { *a = 1; outside(); assert(*a == 1); }
static int hidden;
void hides(int *a) { if (a) { hidden = 1; *a = 2; assert(hidden == 1); } }
void cycle(struct node *a) { a->value = 1; if (a->next) a->next->value = 2; assert(a->value == 1); }
";
    let folder = folder();
    let library = write(&folder, "functions.c", FUNCTIONS);
    let cases = [
        ("twice", "fresh", "safe under: separate pointers"),
        ("twice", "aliasing", "unsafe"),
        ("global", "fresh", "safe under: separate pointers"),
        ("global", "aliasing", "unsafe"),
        ("mixed", "aliasing", "safe under: pointers to whole objects"),
        ("null", "aliasing", "safe under: pointers to whole objects"),
        ("null", "null", "unsafe"),
        ("null", "any", "unsafe"),
        ("calls", "fresh", "safe under: separate pointers"),
        ("calls", "aliasing", "unsafe"),
        ("cycle", "fresh", "safe under: separate pointers"),
        ("cycle", "aliasing", "unsafe"),
        ("count", "fresh", "safe"),
        ("hides", "any", "safe"),
    ];
    for (function, pointers, expected) in cases {
        let outcome = thetis(&["check", &library, "--function", function, "--pointers", pointers]);
        let verdict = outcome.out.trim_end();
        let end =
            [": 1 assertion", "; 1 assertion", ": /"].iter().filter_map(|words| verdict.find(words)).min();
        let verdict = end.map_or(verdict, |end| &verdict[..end]);
        assert_eq!(verdict, expected, "{function} with {pointers}: {}", outcome.err);
    }
}

/// The caller may have allocated what a function frees.
#[test]
fn functions_may_free_what_they_get() {
    const FUNCTIONS: &str = "#include <stdlib.h>
int after(char *text) { free(text); return *text; }
int moved(char *text) { char *more = realloc(text, 2); return more ? more[0] : 0; }
int own(char *text) { char *copy = malloc(1); if (!copy) return 0; *copy = *text; free(copy); return *text; }
";
    let folder = folder();
    let library = write(&folder, "functions.c", FUNCTIONS);
    for (function, expected) in [("after", "unknown"), ("moved", "unknown"), ("own", "safe under")] {
        let outcome = thetis(&["check", &library, "--function", function, "--property", "valid-bounds"]);
        assert!(outcome.out.starts_with(expected), "{function}: {} {}", outcome.out, outcome.err);
    }
}

/// Functions with the same name in several files have their file before it; one in a header is one function.
#[test]
fn functions_of_several_files_are_told_apart() {
    if !has_compiler() {
        println!("skipped: no C compiler");
        return;
    }
    let folder = folder();
    write(&folder, "h.h", "static inline int low(int x) { return x & 15; }\n");
    let a =
        "#include \"h.h\"\nstatic int step(int x) { return low(x) + 1; }\nint a(int x) { return step(x); }\n";
    let b =
        "#include \"h.h\"\nstatic int step(int x) { return x + 1; }\nint b(int x) { return step(low(x)); }\n";
    let (a, b) = (write(&folder, "a.c", a), write(&folder, "b.c", b));
    let outcome = thetis(&["check", &a, &b, "--function", "*", "--property", "no-overflow"]);
    assert_eq!(outcome.code, 10, "{}{}", outcome.out, outcome.err);
    let names: Vec<&str> = outcome
        .out
        .lines()
        .filter_map(|line| line.split_once(": no-overflow: "))
        .map(|(name, _)| name)
        .collect();
    assert_eq!(names, ["low", &format!("{a}:step"), "a", &format!("{b}:step"), "b"]);
    assert!(outcome.out.contains(&format!("{b}:step: no-overflow: fails at {b}:2:33")), "{}", outcome.out);
    assert!(outcome.out.ends_with("unsafe: 1 of 5 checks fails, 4 hold\n"), "{}", outcome.out);
    let check =
        |function: &str| thetis(&["check", &a, &b, "--function", function, "--property", "no-overflow"]);
    assert_eq!((check("a.c:step").code, check("b.c:step").code, check("low").code), (0, 10, 0));
    let outcome = check("step");
    assert_eq!(outcome.code, 2, "{}", outcome.out);
    let choice = format!("several files define a function `step`; choose one of `{a}:step`, `{b}:step`\n");
    assert!(outcome.err.contains(&choice), "{}", outcome.err);
}

#[test]
fn all_checks_are_made_and_what_was_not_checked_is_said() {
    let folder = folder();
    let program = write(&folder, "p.c", "int main(void){int *p=0; *p=1; int a[2]; a[5]=3; return 1/0;}");
    let outcome = thetis(&["check", &program]);
    assert_eq!(
        outcome.out,
        "safe: no assertion to check; not checked: overflow, division by zero, shifts, memory safety, initial values\n"
    );
    let outcome = thetis(&["check", &program, "--property", "all"]);
    assert_eq!(outcome.code, 10, "{}{}", outcome.out, outcome.err);
    for line in [
        "assertions: holds (no assertion to check)\n",
        "no-division-by-zero: fails at ",
        "valid-memory: fails at ",
    ] {
        assert!(outcome.out.contains(line), "{line}: {}", outcome.out);
    }
    assert!(outcome.err.contains("divides by zero"), "{}", outcome.err);
    let report = json_of(&thetis(&["check", &program, "--property", "all", "--format", "json"]));
    assert_eq!(
        (report["verdict"].as_str(), report["checks"].as_array().map(Vec::len)),
        (Some("unsafe"), Some(6))
    );
    let log = json_of(&thetis(&["check", &program, "--property", "all", "--format", "sarif"]));
    assert_eq!(log["runs"].as_array().map(Vec::len), Some(1));
    let ids = |list: &Value, key: &str| -> Vec<String> {
        list.as_array().unwrap().iter().map(|one| one[key].as_str().unwrap().to_owned()).collect()
    };
    let rules = ids(&log["runs"][0]["tool"]["driver"]["rules"], "id");
    assert_eq!(
        rules,
        ["assertion", "no-overflow", "no-division-by-zero", "valid-shift", "valid-init", "valid-memory"]
    );
    assert_eq!(ids(&log["runs"][0]["results"], "ruleId"), ["no-division-by-zero", "valid-memory"]);
    // A page and a log of the same run; the page has the lines that fail.
    let page = folder.path().join("page.html").display().to_string();
    let both = thetis(&["check", &program, "--property", "all", "--format", "sarif", "--report", &page]);
    assert_eq!(json_of(&both)["runs"][0]["results"].as_array().map(Vec::len), Some(2));
    let page = std::fs::read_to_string(&page).unwrap();
    let remark = "<div class=\"remark\"><span></span><p><code>1/0</code> divides by zero</p></div>";
    assert!(page.contains("<div class=\"line wrong\"><span>1</span>") && page.contains(remark), "{page}");
    let document = thetis(&["check", &program, "--property", "all", "--format", "junit"]).out;
    assert!(document.contains("tests=\"6\" failures=\"2\" errors=\"0\" skipped=\"0\""), "{document}");
    let outcome = thetis(&["check", &program, "--property", "all", "--certificate", "c.json"]);
    assert_eq!(outcome.code, 1, "{}", outcome.err);
}

/// Macros of a header of the system in the middle of a line, the only one and the second of three.
#[test]
fn violations_are_told_at_the_macro() {
    if !has_compiler() {
        println!("skipped: no C compiler");
        return;
    }
    let folder = folder();
    for (line, column, told) in [
        ("  if (n < 6) assert(n != 3);", 14, "p.c:5:14: `assert(n != 3)` fails: n = 3"),
        ("\tassert(n < 9); assert(n != 3); assert(n > 1);", 17, "p.c:5:17: `assert(n != 3)` fails: n = 3"),
    ] {
        let text = format!(
            "#include <assert.h>\nextern int input(void);\nint main(void) {{\n  int n = input() % 2 ? 3 : 2;\n{line}\n}}\n"
        );
        let program = write(&folder, "p.c", text);
        let outcome = thetis(&["check", &program]);
        assert_eq!(outcome.code, 10, "{}", outcome.err);
        assert!(outcome.err.contains(told), "{}", outcome.err);
        let log = json_of(&thetis(&["check", &program, "--format", "sarif"]));
        let region = &log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"];
        assert_eq!((&region["startLine"], &region["startColumn"]), (&5.into(), &column.into()), "{region}");
    }
}

/// All headers of C11, with and without the extensions of the C library.
#[test]
fn headers_of_the_standard_are_accepted() {
    if !has_compiler() {
        println!("skipped: no C compiler");
        return;
    }
    const HEADERS: [&str; 28] = [
        "assert",
        "complex",
        "ctype",
        "errno",
        "fenv",
        "float",
        "inttypes",
        "iso646",
        "limits",
        "locale",
        "math",
        "setjmp",
        "signal",
        "stdalign",
        "stdarg",
        "stdatomic",
        "stdbool",
        "stddef",
        "stdint",
        "stdio",
        "stdlib",
        "stdnoreturn",
        "string",
        "tgmath",
        "time",
        "uchar",
        "wchar",
        "wctype",
    ];
    let folder = folder();
    let includes: String = HEADERS.iter().map(|header| format!("#include <{header}.h>\n")).collect();
    let program = write(&folder, "p.c", format!("{includes}int main(void) {{ return 0; }}\n"));
    for options in [&[][..], &["-D", "_GNU_SOURCE"], &["--m32"], &["--std", "c99"]] {
        let outcome = thetis(&[&["check", &program], options].concat());
        assert_eq!(outcome.code, 0, "{options:?}: {}", outcome.err);
    }
}
