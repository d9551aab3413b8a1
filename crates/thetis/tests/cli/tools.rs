//! What public tools say: a validator of SARIF files, BenchExec, a browser. `contrib/test-tools.sh` installs them; a test
//! whose tool is missing says so and passes.

use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

use crate::{ENDLESS, SAFE, UNSAFE, folder, program, root, thetis, write};

/// A file of an installed tool.
pub(crate) fn tool(path: &str) -> Option<PathBuf> {
    Some(root().join("third_party/test-tools").join(path)).filter(|path| path.exists())
}

const NET: &str = "net n\nplace p = 2, q\ntransition t in p out q\ntarget EF q >= 2\n";

/// The validator says nothing at all about a file that it cannot read, and its exit code is always 0. So every log gets one
/// planted mistake, and this must be the only complaint.
#[test]
fn sarif_files_pass_a_public_validator() {
    let Some(validator) = tool("sarif/node_modules/.bin/sarif-multitool") else {
        println!("skipped: a tool is missing, run contrib/test-tools.sh");
        return;
    };
    let folder = folder();
    let bounded: &[&str] = &["--engine", "bmc", "--set", "bmc.max-bound=2"];
    for (name, text, options) in [
        ("safe.cfa", SAFE, &[][..]),
        ("unsafe.cfa", UNSAFE, &[]),
        ("unknown.cfa", ENDLESS, bounded),
        ("listed.cfa", ENDLESS, &["--engine", "bmc", "--set", "bmc.max-bound=2", "--sarif-unknowns"]),
        ("n.net", NET, &[]),
        ("p.c", "int main(void) { int a[2]; a[2] = 1; return 1 / 0; }", &["--property", "all"]),
    ] {
        write(&folder, name, text);
        let check = program()
            .current_dir(folder.path())
            .args(["check", name, "--format", "sarif"])
            .args(options)
            .output();
        let mut log: Value = serde_json::from_slice(&check.unwrap().stdout).unwrap();
        log["runs"][0]["planted"] = Value::Bool(true);
        let log = write(&folder, &format!("{name}.sarif"), log.to_string());
        let output = Command::new(&validator).args(["validate", &log]).output().unwrap();
        let words = String::from_utf8_lossy(&output.stdout);
        let complaints: Vec<&str> = words
            .lines()
            .filter(|line| line.contains(": error ") || line.contains(": warning "))
            // The project has no address to give.
            .filter(|line| !line.contains("'informationUri'"))
            .collect();
        assert!(complaints.len() == 1 && complaints[0].contains("'planted'"), "{name}: {words}");
    }
}

#[test]
fn benchexec_accepts_the_tool_info_module() {
    let Some(packages) = tool("benchexec") else {
        println!("skipped: a tool is missing, run contrib/test-tools.sh");
        return;
    };
    let folder = folder();
    std::fs::create_dir_all(folder.path().join("bin")).unwrap();
    std::fs::create_dir_all(folder.path().join("lib/thetis")).unwrap();
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_thetis"), folder.path().join("bin/thetis")).unwrap();
    let modules = std::env::join_paths([root().join("contrib/benchexec"), packages]).unwrap();
    // Outputs as BenchExec keeps them: a few lines of its own, then both streams of the tool.
    let mut outputs = Vec::new();
    for (name, text) in [("safe.cfa", SAFE), ("unsafe.cfa", UNSAFE)] {
        let outcome = thetis(&["check", &write(&folder, name, text), "--format", "json"]);
        outputs.push(write(&folder, &format!("{name}.log"), format!("{}{}", outcome.err, outcome.out)));
    }
    let output = Command::new("python3")
        .args(["-m", "benchexec.test_tool_info", "tools.thetis", "--no-container", "--tool-directory"])
        .arg(folder.path())
        .arg("--tool-output")
        .args(&outputs)
        .arg("--task-definition")
        .arg(root().join("tests/tasks/cfa/two-errors.yml"))
        .env("PYTHONPATH", modules)
        .output()
        .unwrap();
    let words = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{words}");
    for part in ["“Thetis”", env!("CARGO_PKG_VERSION"), "“true”", "“false”", "--cpu-time"] {
        assert!(words.contains(part), "{part} in {words}");
    }
    // Two remarks are expected: the program is not below the current folder, and a task has one model.
    let expected = ["Path to executable is absolute", "more than one input file"];
    let complaints = words.lines().filter(|line| line.contains("WARNING") || line.contains("ERROR"));
    for line in complaints {
        assert!(expected.iter().any(|words| line.contains(words)), "{line}");
    }
}

#[test]
fn a_page_works_in_a_browser() {
    let Some(playwright) = tool("browser/node_modules/playwright-core") else {
        println!("skipped: a tool is missing, run contrib/test-tools.sh");
        return;
    };
    let browsers = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
    let Some(browser) = browsers.iter().find(|path| std::path::Path::new(path).exists()) else {
        println!("skipped: there is no Chromium; on Debian `apt install chromium`");
        return;
    };
    let folder = folder();
    let page = folder.path().join("r.html").display().to_string();
    let script = root().join("crates/thetis/tests/browser/report.mjs");
    for (engine, kind) in [("bmc", "plain"), ("cegar", "abstraction")] {
        let outcome = thetis(&["check", "examples/checksum.cfa", "--engine", engine, "--report", &page]);
        assert_eq!(outcome.code, 10, "{}", outcome.err);
        let mut browse = Command::new("node");
        browse.arg(&script).arg(&playwright).args([browser, page.as_str(), kind]);
        let output = browse.output().unwrap();
        assert!(output.status.success(), "{engine}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn pages_are_complete_and_alone() {
    let folder = folder();
    let page = folder.path().join("r.html").display().to_string();
    for (name, text, extra, parts) in [
        (
            "m.cfa",
            UNSAFE,
            &[][..],
            &["<header class=\"unsafe\">", "The run was replayed", "id=\"n2\"", "data-step=\"2\""][..],
        ),
        (
            "m.cfa",
            SAFE,
            &["--engine", "cegar"],
            &[
                "<header class=\"safe\">",
                "The proof was checked",
                "class=\"fact\"",
                "id=\"tab-arg\"",
                "id=\"an0\"",
                "Variables have arbitrary values",
            ],
        ),
        (
            "m.cfa",
            ENDLESS,
            &["--engine", "bmc", "--set", "bmc.max-bound=2"],
            &["<header class=\"unknown\">", "no violation up to bound 2"],
        ),
        (
            "n.net",
            NET,
            &[],
            &["<header class=\"unsafe\">", "fire t", "class=\"node place\"", "class=\"node transition\""],
        ),
        (
            "p.c",
            "extern void assert(int);\nint twice(int x) { return x + x; }\nint main(void) { int y = twice(2); assert(y == 5); return 0; }\n",
            &[],
            &[">call twice</text>", ">int y = twice(2)</text>", ">fails: assert(y == 5)</text>"],
        ),
        (
            "c.aag",
            "aag 3 1 1 0 1 1\n2\n4 2\n6\n6 4 2\ni0 request\nl0 granted\nb0 both\n",
            &[],
            &[
                "class=\"node input\"",
                "class=\"node variable\"",
                "data-name=\"granted\"",
                "class=\"high edge\"",
            ],
        ),
        (
            "t.xta",
            "clock x;\nprocess P() { state a { x <= 3 }, b; init a; trans a -> b { guard x >= 2; }; }\nsystem P;\n",
            &["--property", "E<> P.b"],
            &["id=\"tab-timeline\"", "id=\"timeline\"", "after 2: P: a -&gt; b"],
        ),
    ] {
        let file = write(&folder, name, text);
        let mut arguments = vec!["check", &file, "--report", &page];
        arguments.extend(extra);
        let outcome = thetis(&arguments);
        let html = std::fs::read_to_string(&page).unwrap_or_else(|_| panic!("{}", outcome.err));
        for part in parts {
            assert!(html.contains(part), "{part} for {text}");
        }
        assert!(!html.contains("mem0"), "internal names for {text}");
        for outside in ["src=\"http", "href=\"http", "@import"] {
            assert!(!html.contains(outside), "{outside}");
        }
        std::fs::remove_file(&page).unwrap();
    }
}
