//! No command overwrites a file that it reads, whatever the file is called and whoever names it.

use std::fs::File;
use std::path::Path;

use super::{SAFE, folder, outcome, program, thetis, write};

const PROGRAM: &str = "#include \"h.h\"\nint main(void) { return ZERO; }\n";
const OTHER: &str = "int f(void) { return 1; }\n";
const HEADER: &str = "#define ZERO 0\n";
const DEFINITION: &str = "format_version: '2.0'\ninput_files: ['m.c', 'n.c']\nproperties:\n  - property_file: p.prp\n    expected_verdict: true\noptions:\n  language: C\n  data_model: LP64\n";
const PROPERTY: &str = "CHECK( init(main()), LTL(G ! overflow) )\n";
const DATABASE: &str = r#"[{ "directory": ".", "file": "m.c", "command": "cc -c m.c" }, { "directory": ".", "file": "n.c", "command": "cc -c n.c" }]"#;
const SCRIPT: &str = "(set-logic QF_LIA)(declare-const x Int)(assert (< x 0))(assert (> x 5))(check-sat)\n";
const SQUARE: &str =
    "main process p { var x : int init loc a error loc bad a -> bad { havoc x assume x * x < 0 } }";
const CONTRACT: &str = "pragma solidity ^0.8.0;\nimport \"./b.sol\";\ncontract C is B { function f() public view { assert(x == x); } }\n";
const BASE: &str = "pragma solidity ^0.8.0;\ncontract B { uint x; }\n";
const CONFIG: &str = "engine = \"bmc\"\n";

/// All inputs of the tests, as they must be afterwards.
const INPUTS: [(&str, &str); 12] = [
    ("m.c", PROGRAM),
    ("n.c", OTHER),
    ("h.h", HEADER),
    ("t.yml", DEFINITION),
    ("p.prp", PROPERTY),
    ("compile_commands.json", DATABASE),
    ("s.cfa", SAFE),
    ("s.smt2", SCRIPT),
    ("q.cfa", SQUARE),
    ("a.sol", CONTRACT),
    ("b.sol", BASE),
    ("c.toml", CONFIG),
];

/// Runs the program in a folder with all inputs, and checks that they are unchanged.
fn spared(folder: &Path, arguments: &[&str]) -> super::Outcome {
    let run = outcome(&program().current_dir(folder).args(arguments).output().unwrap());
    for (name, text) in INPUTS {
        let now = std::fs::read_to_string(folder.join(name)).unwrap();
        assert_eq!(now, text, "{name} after {arguments:?}: {}", run.err);
    }
    run
}

#[test]
fn inputs_are_not_overwritten() {
    let folder = folder();
    for (name, text) in INPUTS {
        write(&folder, name, text);
    }
    std::os::unix::fs::symlink("m.c", folder.path().join("soft.c")).unwrap();
    std::fs::hard_link(folder.path().join("m.c"), folder.path().join("hard.c")).unwrap();
    for arguments in [
        // Every option that names a file.
        &["check", "n.c", "m.c", "--report", "m.c"][..],
        &["check", "n.c", "m.c", "--certificate", "m.c"],
        &["check", "n.c", "m.c", "--witness", "m.c"],
        &["check", "n.c", "m.c", "--harness", "m.c"],
        &["check", "n.c", "m.c", "--arg", "m.c"],
        &["check", "n.c", "m.c", "--solution-space", "m.c"],
        &["check", "n.c", "m.c", "--facts-out", "m.c"],
        &["check", "a.sol", "--property", "contract", "--write-annotations", "b.sol"],
        // Other names of the same file.
        &["check", "m.c", "n.c", "--report", "./m.c"],
        &["check", "m.c", "n.c", "--report", "soft.c"],
        &["check", "m.c", "n.c", "--report", "hard.c"],
        &["check", "soft.c", "n.c", "--report", "hard.c"],
        // Files that inputs name.
        &["check", "m.c", "n.c", "--report", "h.h"],
        &["check", "t.yml", "--report", "t.yml"],
        &["check", "t.yml", "--witness", "n.c"],
        &["check", "t.yml", "--certificate", "p.prp"],
        &["check", "t.yml", "--harness", "h.h"],
        &["check", "--project", ".", "--report", "compile_commands.json"],
        &["check", "--project", ".", "--facts-out", "n.c"],
        &["check", "a.sol", "--certificate", "b.sol"],
        // Files that options name.
        &["check", "s.cfa", "--config", "c.toml", "--report", "c.toml"],
        &["check", "m.c", "n.c", "--property", "p.prp", "--report", "p.prp"],
        &["check", "m.c", "n.c", "--include", "h.h", "--report", "h.h"],
        // Several checks, which other processes run.
        &["check", "m.c", "n.c", "--property", "all", "--report", "m.c"],
        &["check", "--project", ".", "--property", "all", "--report", "h.h"],
        &["check", "--project", ".", "--function", "*", "--report", "compile_commands.json"],
        // Other commands.
        &["convert", "s.cfa", "--to", "cfa", "-o", "s.cfa"],
        &["convert", "m.c", "n.c", "--to", "dot", "-o", "h.h"],
        &["convert", "t.yml", "--property", "p", "--to", "dot", "-o", "p.prp"],
        &["interpolate", "s.smt2", "--data", "s.smt2"],
        &["interpolate", "s.smt2", "--plot", "s.smt2"],
        &["bench", "run", "t.yml", "-o", "t.yml"],
        &["bench", "run", "t.yml", "-o", "n.c"],
        &["bench", "run", "t.yml", "--config", "c.toml", "-o", "c.toml"],
    ] {
        let run = spared(folder.path(), arguments);
        assert_eq!((run.out.as_str(), run.code), ("", 1), "{arguments:?}: {}", run.err);
        assert!(run.err.contains("is an input"), "{arguments:?}: {}", run.err);
    }
    // In a folder for many files, one of them may be an input.
    std::fs::hard_link(folder.path().join("q.cfa"), folder.path().join("solver-0.smt2")).unwrap();
    let run = spared(folder.path(), &["check", "q.cfa", "--engine", "bmc", "--smt-log", "."]);
    assert!(run.out.contains("it is an input"), "{}{}", run.out, run.err);
}

#[test]
fn standard_input_is_not_overwritten() {
    let folder = folder();
    let file = write(&folder, "s.cfa", SAFE);
    let page = ["--report", &file];
    let run = program()
        .args(["check", "-", "--language", "cfa"])
        .args(page)
        .stdin(File::open(&file).unwrap())
        .output()
        .unwrap();
    assert_eq!(outcome(&run).code, 1, "{}", outcome(&run).err);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), SAFE);
}

/// What a command is asked to change is changed.
#[test]
fn files_are_renewed_where_that_is_meant() {
    let folder = folder();
    let text = "pragma solidity ^0.8.0;\ncontract C { uint x; uint y; function f() public { x += 1; y += 1; } \
                function g() public view { assert(x == y); } }\n";
    let contract = write(&folder, "c.sol", text);
    let asked = ["check", &contract, "--property", "contract", "--engine", "ic3"];
    let outcome = thetis(&[&asked[..], &["--write-annotations", &contract]].concat());
    assert_eq!(outcome.code, 0, "{}", outcome.err);
    assert!(std::fs::read_to_string(&contract).unwrap().contains("invariant"), "{}", outcome.err);
    let program = write(&folder, "s.cfa", SAFE);
    let facts = folder.path().join("facts.json").display().to_string();
    assert_eq!(thetis(&["check", &program, "--facts-out", &facts]).code, 0);
    let renewed = thetis(&["check", &program, "--facts", &facts, "--facts-out", &facts]);
    assert_eq!((renewed.word().trim_end(), renewed.code), ("safe", 0), "{}", renewed.err);
    assert!(!renewed.err.contains("was not written"), "{}", renewed.err);
    let lost = thetis(&["check", &program, "--facts", &facts, "--report", &facts]);
    assert_eq!(lost.code, 1, "{}", lost.err);
}
