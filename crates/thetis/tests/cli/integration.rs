//! The files for continuous integration: GitHub's action, GitLab's template, hooks of pre-commit, the image.
//!
//! What they run is run here. What only the services themselves can do is checked by public tools with their schemas, which
//! `contrib/test-tools.sh` installs; a test whose tool is missing says so and passes.

use std::path::Path;
use std::process::{Command, Output};

use crate::tools::tool;
use crate::{folder, root, write};

const WRONG: &str = "int main(void) { int a[2]; a[2] = 1; return 0; }";
const RIGHT: &str = "int main(void) { return 0; }";

/// The step of the action and the hook for single files, with the program of this build.
#[test]
fn scripts_tell_verdicts_apart() {
    let folder = folder();
    let thetis = env!("CARGO_BIN_EXE_thetis");
    let wrong = write(&folder, "wrong.c", WRONG);
    let right = write(&folder, "right.c", RIGHT);
    let sarif = folder.path().join("log.sarif");
    for (file, code) in [(&wrong, 10), (&right, 0)] {
        let step = Command::new(root().join("contrib/ci/github.sh"))
            .arg(thetis)
            .envs([("THETIS_FILES", file.as_str()), ("THETIS_PROJECT", ""), ("THETIS_PROPERTY", "all")])
            .envs([("THETIS_ARGUMENTS", ""), ("THETIS_TIME", "60s"), ("THETIS_FAIL_ON_UNKNOWN", "false")])
            .env("THETIS_SARIF", &sarif)
            .env("GITHUB_OUTPUT", folder.path().join("output"))
            .output()
            .unwrap();
        assert_eq!(step.status.code(), Some(code), "{}", String::from_utf8_lossy(&step.stderr));
        let log: serde_json::Value = serde_json::from_slice(&std::fs::read(&sarif).unwrap()).unwrap();
        assert_eq!(log["runs"][0]["results"].as_array().map(Vec::len), Some(usize::from(code == 10)));
    }
    let output = std::fs::read_to_string(folder.path().join("output")).unwrap();
    assert_eq!(output, "exit-code=10\nexit-code=0\n");
    let hook = |file: &str| {
        let mut hook = Command::new(root().join("contrib/ci/each.sh"));
        let hook = hook.arg(file).env("THETIS", thetis).env("THETIS_OPTIONS", "--property valid-deref");
        hook.output().unwrap().status.code()
    };
    assert_eq!((hook(&wrong), hook(&right)), (Some(1), Some(0)));
}

/// Runs a module of a tool from PyPI.
fn python(packages: &Path, args: &[&str], folder: &Path) -> Output {
    let mut command = Command::new("python3");
    command.arg("-m").args(args).env("PYTHONPATH", packages).current_dir(folder);
    command.output().unwrap()
}

fn words(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// The published schemas, each with a planted mistake that they must notice.
#[test]
fn action_and_template_fit_the_schemas_of_their_services() {
    let Some(packages) = tool("schemas") else {
        println!("skipped: a tool is missing, run contrib/test-tools.sh");
        return;
    };
    let folder = folder();
    for (schema, file, right, wrong) in [
        ("vendor.github-actions", "action.yml", "using: composite", "using: composer"),
        ("vendor.gitlab-ci", "contrib/ci/gitlab.yml", "when: always", "when: perhaps"),
    ] {
        // Jobs whose names start with a dot are templates, which the schema does not look into.
        let text = std::fs::read_to_string(root().join(file)).unwrap().replace("\n.thetis:", "\nthetis:");
        let valid = |text: String| {
            let path = write(&folder, "file.yml", text);
            python(&packages, &["check_jsonschema", "--builtin-schema", schema, &path], folder.path())
        };
        let output = valid(text.clone());
        assert!(output.status.success(), "{file}: {}", words(&output));
        assert!(text.contains(right), "{file}");
        assert!(!valid(text.replace(right, wrong)).status.success(), "{file}");
    }
}

/// The script of the template, as a runner of GitLab executes it.
#[test]
fn the_template_reports_tests() {
    let folder = folder();
    let template = std::fs::read_to_string(root().join("contrib/ci/gitlab.yml")).unwrap();
    let (_, script) = template.split_once("\n  script:\n").unwrap();
    let script: Vec<&str> = script.lines().map_while(|line| line.strip_prefix("    - ")).collect();
    assert!(!script.is_empty(), "{template}");
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_thetis"), folder.path().join("thetis")).unwrap();
    let path = format!("{}:{}", folder.path().display(), std::env::var("PATH").unwrap());
    for (text, code, count) in [(WRONG, 10, "failures=\"1\""), (RIGHT, 0, "failures=\"0\"")] {
        write(&folder, "p.c", text);
        let mut shell = Command::new("sh");
        shell.args(["-ec", &script.join("\n")]).current_dir(folder.path()).env("PATH", &path);
        shell.envs([("THETIS_ARGUMENTS", "p.c --property all"), ("THETIS_TIME", "60s")]);
        let output = shell.output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{}", words(&output));
        let report = std::fs::read_to_string(folder.path().join("thetis.xml")).unwrap();
        assert!(report.contains("tests=\"6\"") && report.contains(count), "{report}");
    }
    assert!(template.contains("exit_codes: 5") && template.contains("junit: thetis.xml"), "{template}");
}

fn git(folder: &Path, args: &[&str]) {
    let mut command = Command::new("git");
    command.args(["-c", "user.name=n", "-c", "user.email=e@example.org", "-c", "init.defaultBranch=main"]);
    let output = command.args(args).current_dir(folder).output().unwrap();
    assert!(output.status.success(), "{args:?}: {}", words(&output));
}

/// A repository that uses the hooks, and pre-commit itself.
#[test]
fn hooks_stop_commits_with_violations() {
    let Some(packages) = tool("pre-commit") else {
        println!("skipped: a tool is missing, run contrib/test-tools.sh");
        return;
    };
    let folder = folder();
    let hooks = root().join(".pre-commit-hooks.yaml").display().to_string();
    let output = python(&packages, &["pre_commit", "validate-manifest", &hooks], folder.path());
    assert!(output.status.success(), "{}", words(&output));
    let [source, user] = ["source", "user"].map(|name| folder.path().join(name));
    std::fs::create_dir_all(source.join("contrib/ci")).unwrap();
    for file in [".pre-commit-hooks.yaml", "contrib/ci/each.sh", "contrib/ci/project.sh"] {
        std::fs::copy(root().join(file), source.join(file)).unwrap();
    }
    std::fs::create_dir(&user).unwrap();
    for repository in [&source, &user] {
        git(repository, &["init", "--quiet"]);
        git(repository, &["add", "."]);
        git(repository, &["commit", "--quiet", "--allow-empty", "--message", "start"]);
    }
    let database =
        format!(r#"[{{"directory": "{}", "file": "p.c", "command": "cc -c p.c"}}]"#, user.display());
    std::fs::write(user.join("compile_commands.json"), database).unwrap();
    for (hook, text, expected) in [
        ("thetis", WRONG, "Failed"),
        ("thetis", RIGHT, "Passed"),
        ("thetis-project", WRONG, "Failed"),
        ("thetis-project", RIGHT, "Passed"),
    ] {
        std::fs::write(user.join("p.c"), text).unwrap();
        git(&user, &["add", "."]);
        let mut command = Command::new("python3");
        command.args(["-m", "pre_commit", "try-repo"]).arg(&source).args([hook, "--files", "p.c"]);
        command.env("PYTHONPATH", &packages).env("PRE_COMMIT_HOME", folder.path().join("cache"));
        command.env("THETIS", env!("CARGO_BIN_EXE_thetis")).env("THETIS_OPTIONS", options_of(hook));
        let output = command.current_dir(&user).output().unwrap();
        let words = words(&output);
        assert!(words.lines().any(|line| line.ends_with(expected)), "{hook}: {words}");
        assert_eq!(output.status.success(), expected == "Passed", "{hook}: {words}");
    }
}

/// The hook for single files asks about assertions unless it is told otherwise; that for projects asks about everything.
fn options_of(hook: &str) -> &'static str {
    if hook == "thetis" { "--property valid-deref" } else { "" }
}

/// The linter of the image, with a planted mistake, and what the image is made from.
#[test]
fn the_image_is_described_well() {
    let text = std::fs::read_to_string(root().join("contrib/ci/Dockerfile")).unwrap();
    let install = text.lines().find_map(|line| line.strip_prefix("RUN make ")).unwrap();
    let mut make = Command::new("make");
    let output =
        make.args(["--dry-run", "--directory"]).arg(root()).args(install.split(' ')).output().unwrap();
    let words_of_make = words(&output);
    assert!(output.status.success(), "{words_of_make}");
    for part in ["/image/usr/local/bin/thetis", "/image/usr/local/lib/thetis/libz3.so"] {
        assert!(words_of_make.contains(part), "{part}: {words_of_make}");
    }
    let ignored = std::fs::read_to_string(root().join(".dockerignore")).unwrap();
    assert!(ignored.lines().all(|line| ["target", "third_party", ".git"].contains(&line)), "{ignored}");
    let Some(hadolint) = tool("hadolint/bin/hadolint") else {
        println!("skipped: a tool is missing, run contrib/test-tools.sh");
        return;
    };
    let folder = folder();
    let lint = |text: String| {
        let path = write(&folder, "Dockerfile", text);
        Command::new(&hadolint).args(["--no-color", &path]).output().unwrap()
    };
    let output = lint(text.clone());
    assert!(output.status.success() && output.stdout.is_empty(), "{}", words(&output));
    let output = lint(text.replace("USER 65534:65534", "USER root"));
    assert!(words(&output).contains("DL3002"), "{}", words(&output));
}

/// What a shell of another vendor would stumble over.
#[test]
fn scripts_are_clean() {
    let checker = Command::new("shellcheck").arg("--version").output();
    if checker.is_err() {
        println!("skipped: there is no shellcheck; on Debian `apt install shellcheck`");
        return;
    }
    let scripts = ["ci/each.sh", "ci/project.sh", "ci/github.sh", "slurm/local-cluster.sh", "test-tools.sh"];
    for script in scripts {
        let output = Command::new("shellcheck")
            .arg("--severity=warning")
            .arg(root().join("contrib").join(script))
            .output()
            .unwrap();
        assert!(output.status.success(), "{script}: {}", words(&output));
    }
}
