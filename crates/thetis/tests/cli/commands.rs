//! `convert`, `engines` and `generate`.

use crate::{UNSAFE, folder, root, thetis, write};

#[test]
fn a_model_converts_to_its_own_language_and_back() {
    let folder = folder();
    let first = thetis(&["convert", &write(&folder, "m.cfa", UNSAFE), "--to", "cfa"]);
    assert_eq!(first.code, 0, "{}", first.err);
    let second = thetis(&["convert", &write(&folder, "n.cfa", &first.out), "--to", "cfa"]);
    assert_eq!(first.out, second.out);
}

#[test]
fn a_model_is_drawn() {
    let outcome = thetis(&["convert", "examples/traffic-light.cfa", "--to", "dot"]);
    assert!(outcome.out.starts_with("digraph"), "{}", outcome.out);
}

#[test]
fn an_unrolling_has_the_answer_of_the_model() {
    let z3 = root().join("third_party/z3/bin/z3");
    if !z3.exists() {
        println!("skipped: no Z3 program, run ./setup.sh");
        return;
    }
    let folder = folder();
    let model = "main process p { var x : int init loc a loc h error loc bad
        a -> h { x := 0 } h -> h { x := x + 1 } h -> bad { assume x = 3 } }";
    let file = write(&folder, "m.cfa", model);
    for (bound, expected) in [("2", "unsat"), ("3", "sat")] {
        let script = folder.path().join("m.smt2").display().to_string();
        let outcome = thetis(&["convert", &file, "--to", "smt-lib", "--bound", bound, "-o", &script]);
        assert_eq!(outcome.code, 0, "{}", outcome.err);
        let answer = std::process::Command::new(&z3).arg(&script).output().unwrap();
        assert_eq!(String::from_utf8_lossy(&answer.stdout).trim(), expected);
    }
}

#[test]
fn engines_are_listed_with_their_options() {
    let out = thetis(&["engines"]).out;
    assert!(out.contains("bmc") && out.contains("max-bound"), "{out}");
}

#[test]
fn help_manual_and_completions_are_generated() {
    assert!(thetis(&["--help"]).out.contains("Exit codes"));
    let help = thetis(&["check", "--help"]).out;
    for word in
        [".aig", ".sol", "valid-memory", "valid-bounds", "valid-deref", "valid-free", "valid-memtrack"]
    {
        assert!(help.contains(word), "{word}: {help}");
    }
    let mut rest = help.as_str();
    for heading in [
        "\nArguments:\n",
        "\nOptions:\n",
        "  valid-init           nothing is read before it has a value\n",
        "  -q, --quiet\n",
        "\nC programs:\n",
        "      --data-model <MODEL>\n",
        "\nSolidity contracts:\n",
        "\nEngines:\n",
        "\nLimits:\n",
        "\nSolvers and trust:\n",
        "\nFiles to write:\n",
        "      --report <FILE.html>\n",
        "\nWhat is printed:\n",
        "\nExamples:\n",
    ] {
        let (_, after) = rest.split_once(heading).unwrap_or_else(|| panic!("{heading}: {help}"));
        rest = after;
    }
    assert!(thetis(&["generate", "completions", "bash"]).out.contains("thetis"));
    let folder = folder();
    let manual = folder.path().join("man").display().to_string();
    assert_eq!(thetis(&["generate", "man", &manual]).code, 0);
    let page = std::fs::read_to_string(folder.path().join("man/thetis-check.1")).unwrap();
    for part in ["verdict", ".SH EXAMPLES", ".SH \"C PROGRAMS\"", "no signed operation overflows"] {
        assert!(page.contains(part), "{part}: {page}");
    }
    let page = std::fs::read_to_string(folder.path().join("man/thetis.1")).unwrap();
    assert!(page.contains(".SH \"EXIT STATUS\"\n0 safe, 10 unsafe") && !page.contains(".SH EXTRA"), "{page}");
}

#[test]
fn every_shipped_configuration_runs() {
    let folders = ["configs", "configs/portfolios", "configs/ice"]
        .map(|folder| std::fs::read_dir(root().join(folder)).unwrap());
    let paths = folders.into_iter().flatten().map(|entry| entry.unwrap().path());
    let paths: Vec<_> = paths.filter(|path| path.is_file()).collect();
    assert!(paths.len() > 16, "the portfolios of Imeri 2025 and the learners are among them");
    for path in paths {
        let path = path.display().to_string();
        let outcome = thetis(&["check", "examples/absolute.cfa", "--config", &path]);
        assert_eq!(outcome.out, "safe\n", "{path}: {}", outcome.err);
    }
}

/// A controller that waits, opens and closes; the `assert` of the closing state fails if it was not open.
const MACHINE: &str = "main process p { var state : int var open : int init loc a loc h error loc bad
    a -> h { state := 1 open := 0 }
    h -> h { assume state = 1 state := 2 } h -> h { assume state = 1 }
    h -> h { assume state = 2 open := open + 1 state := 3 }
    h -> bad { assume state = 3 assume open /= 1 }
    h -> h { assume state = 3 assume open = 1 open := open - 1 state := 1 } }";

#[test]
fn options_of_passes_do_not_change_answers() {
    let folder = folder();
    let file = write(&folder, "m.cfa", MACHINE);
    let engines: [&[&str]; 2] = [&["auto", "cegar", "horn"], &["cegar", "horn"]];
    for (options, engines) in [
        ("passes.encoding=sbe", engines[0]),
        ("passes.encoding=lbe-full", engines[0]),
        ("passes.ranges=false", engines[0]),
        ("passes.unfold=20", engines[1]),
    ] {
        for engine in engines {
            let outcome = thetis(&["check", &file, "--engine", engine, "--set", options]);
            assert_eq!(outcome.out, "safe\n", "{engine}, {options}: {}", outcome.err);
        }
    }
    for engine in ["kind", "auto"] {
        let rejected = thetis(&["check", &file, "--engine", engine, "--set", "passes.unfold=20"]);
        assert_eq!(rejected.code, 1, "{}", rejected.err);
        assert!(rejected.err.contains("passes.unfold"), "{}", rejected.err);
    }
}

#[test]
fn stages_side_by_side_answer_as_those_in_turn() {
    let folder = folder();
    let (safe, unsafe_) = (write(&folder, "s.cfa", MACHINE), write(&folder, "u.cfa", UNSAFE));
    let stages = "engine = \"portfolio\"\n[[stage]]\nengine = \"cegar\"\n[[stage]]\nbeside = true\npass = \"simplify\"\n\
                  [[stage.stage]]\nengine = \"bmc\"\nset.bmc.max-bound = 3\n[[stage.stage]]\nengine = \"horn\"\n";
    let config = write(&folder, "portfolio.toml", stages);
    for jobs in ["1", "2"] {
        for (file, expected) in [(&safe, "safe\n"), (&unsafe_, "unsafe\n")] {
            let outcome = thetis(&["check", file, "--config", &config, "--jobs", jobs]);
            assert_eq!(outcome.out, expected, "{jobs}: {}", outcome.err);
        }
    }
}

#[test]
fn the_default_portfolios_are_shown_as_configurations() {
    let shown = thetis(&["engines", "--show", "auto"]);
    assert_eq!(shown.code, 0, "{}", shown.err);
    for formalism in ["# automata\n", "# transition systems\n", "# Petri nets\n"] {
        assert!(shown.out.contains(formalism), "{}", shown.out);
    }
}

/// Not all of them can prove something, but all find a violation.
#[test]
fn every_configuration_of_the_studies_runs() {
    let folder = folder();
    let file = write(&folder, "m.cfa", UNSAFE);
    let mut num_configurations = 0;
    let folders =
        ["rq", "comparison", "beyond", "transfer", "prediction"].map(|name| format!("configs/{name}"));
    for entry in folders.into_iter().flat_map(|folder| std::fs::read_dir(root().join(folder)).unwrap()) {
        let path = entry.unwrap().path().display().to_string();
        let outcome = thetis(&["check", &file, "--config", &path]);
        assert_eq!(outcome.out, "unsafe\n", "{path}: {}", outcome.err);
        num_configurations += 1;
    }
    assert_eq!(num_configurations, 47 + 4 + 10 + 7 + 2);
}

#[test]
fn without_its_solver_the_program_says_what_to_do() {
    let folder = folder();
    let bin = folder.path().join("elsewhere/bin");
    std::fs::create_dir_all(&bin).unwrap();
    let program = bin.join("thetis");
    // Not `fs::copy`: a process that another test starts meanwhile would hold the new file open for writing, and it could not be run.
    let copied =
        std::process::Command::new("cp").arg(env!("CARGO_BIN_EXE_thetis")).arg(&program).status().unwrap();
    assert!(copied.success());
    let file = write(&folder, "m.cfa", UNSAFE);
    let output = std::process::Command::new(&program)
        .args(["check", &file, "--engine", "bmc"])
        .env_remove("LD_LIBRARY_PATH")
        .output()
        .unwrap();
    let err = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(6), 0), "{err}");
    assert!(err.contains("./setup.sh") && err.lines().count() == 1, "{err}");
}

#[test]
fn timed_automata_convert_to_text() {
    let folder = folder();
    let first = thetis(&["convert", "examples/gate.xml", "--to", "xta"]);
    assert_eq!(first.code, 0, "{}", first.err);
    let second = thetis(&["convert", &write(&folder, "m.xta", &first.out), "--to", "xta"]);
    assert_eq!(first.out, second.out);
    let outcome = thetis(&["convert", "examples/traffic-light.cfa", "--to", "xta"]);
    assert!(outcome.code != 0 && outcome.err.contains("only timed automata"), "{}", outcome.err);
}

#[test]
fn runs_of_timed_automata_are_written_as_uppaal_does() {
    let folder = folder();
    let certificate = folder.path().join("c.json").display().to_string();
    let witness = folder.path().join("run.txt").display().to_string();
    let asked = ["examples/fischer.xta", "--property", "E<> P(1).cs"];
    let check = [&["check"][..], &asked, &["--certificate", &certificate, "--witness", &witness]].concat();
    assert_eq!(thetis(&check).out, "reachable\n");
    let convert = [&["convert"][..], &asked, &["--to", "uppaal-trace"]].concat();
    let run = thetis(&[&convert[..], &["--certificate", &certificate]].concat());
    assert!(
        run.out.starts_with("State:\n( P(1).idle P(2).idle P(3).idle )\nid=0 "),
        "{}{}",
        run.out,
        run.err
    );
    assert!(run.out.contains("Delay: ") && run.out.contains("  P(1).wait->P(1).cs { tau }\n"), "{}", run.out);
    assert_eq!(run.out, std::fs::read_to_string(&witness).unwrap());
    assert!(thetis(&convert).err.contains("needs `--certificate`"));
}

#[test]
fn certificates_of_all_strategies_of_zones_are_checked_again() {
    let folder = folder();
    let certificate = folder.path().join("c.json").display().to_string();
    let asked = ["examples/fischer.xta", "--property", "A[] not (P(1).cs and P(2).cs)"];
    for setting in
        ["zones.extrapolation=alu", "zones.data=lazy", "zones.passed=minimal", "zones.abstraction=lazy-itp"]
    {
        let options = ["--engine", "zones", "--set", setting, "--certificate", &certificate];
        let outcome = thetis(&[&["check"][..], &asked, &options].concat());
        assert_eq!(outcome.out, "holds\n", "{setting}: {}", outcome.err);
        let outcome = thetis(&[&["certify"][..], &asked[..1], &[&certificate], &asked[1..]].concat());
        assert_eq!(outcome.out, "holds\n", "{setting}: {}", outcome.err);
    }
}
