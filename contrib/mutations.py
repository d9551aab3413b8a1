#!/usr/bin/env python3
"""Plants translation bugs in the C front end and says which of them the tests notice.

Each bug of contrib/mutations.txt is a piece of text that occurs once in a file, and what takes its place. All bugs are planted at once in a
clone of the repository in a scratch folder; nothing here is changed. An environment variable chooses the one that is active, so
there is one build for all of them. A bug that no test notices is a hole in the tests.

    contrib/mutations.py --scratch FOLDER                      all of them; FOLDER is made if it is not there
    contrib/mutations.py --scratch FOLDER --only 'shift|union'
    contrib/mutations.py --list                                only look whether each bug still fits its file

The tests are those of the crate of the front end, then the programs of crates/thetis/tests/edges for the bugs that these do not notice
(not with --crate-only). The first test that fails ends the search. Without any bug all tests must pass, which is looked at first.
"""
import argparse, json, os, re, subprocess, sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
VARIABLE = "THETIS_MUTATION"
CRATE = "crates/thetis-c/src"
MODULE = f"""//! Which of the planted bugs is active.

use std::sync::OnceLock;

/// Whether the bug with this name is.
pub(crate) fn is(name: &str) -> bool {{
    static ACTIVE: OnceLock<String> = OnceLock::new();
    ACTIVE.get_or_init(|| std::env::var("{VARIABLE}").unwrap_or_default()) == name
}}
"""


class Mutation:
    def __init__(self, text):
        lines = text.strip("\n").split("\n")
        self.name, self.file = lines[0].strip(), lines[1].strip()
        self.old, self.new, self.both = (
            "\n".join(line[2:] for line in lines[2:] if line.startswith(mark)) for mark in ("- ", "+ ", "= "))

    def fits(self, root):
        with open(os.path.join(root, self.file)) as file:
            return file.read().count(self.old) == 1

    def planted(self):
        """The text with the bug and without it; which of them counts is decided when it runs."""
        is_active = f'crate::mutation::is("{self.name}")'
        if self.both:
            return self.both.replace("ACTIVE", is_active)
        old, new, rest = self.old.split("\n"), self.new.split("\n"), []
        while len(old) > 1 and old[-1] == new[-1]:
            rest.insert(0, old.pop())
            new.pop()
        return "\n".join([either(old[0], new[0], is_active), *rest])

    def plant(self, root):
        path = os.path.join(root, self.file)
        with open(path) as file:
            text = file.read()
        with open(path, "w") as file:
            file.write(text.replace(self.old, self.planted()))


def either(old, new, is_active):
    """One line of the program that is `new` if the bug is active and `old` otherwise."""
    def choice(old, new):
        return old if old == new else f"(if {is_active} {{ {new} }} else {{ {old} }})"
    for shape in (r"(\s*let [^=]* = )(.*)(;)", r"(\s*\w+ = )(.*)(;)", r"(\s*if )(.*)( \{)", r"(\s*.*? => )(.*)(,)"):
        was, is_now = re.fullmatch(shape, old), re.fullmatch(shape, new)
        if was and is_now and was[1] == is_now[1]:
            return was[1] + choice(was[2], is_now[2]) + was[3]
    was, is_now = (re.fullmatch(r"(\s*.*?)(?: if (.*))?( => .*)", line) for line in (old, new))
    if was and is_now and (was[1], was[3]) == (is_now[1], is_now[3]):
        return f"{was[1]} if {choice(was[2] or 'true', is_now[2] or 'true')}{was[3]}"
    end = {";": ";", ",": ","}.get(old[-1], "")
    return choice(old.strip().removesuffix(end), new.strip().removesuffix(end)) + end


def mutations():
    with open(os.path.join(ROOT, "contrib/mutations.txt")) as file:
        text = re.sub(r"^#.*\n", "", file.read(), flags=re.M)
    return [Mutation(part) for part in re.split(r"\n\s*\n", text) if part.strip()]


def clone(scratch):
    """A clone with all bugs planted."""
    if os.path.isdir(scratch):
        return scratch
    subprocess.run(["git", "clone", "--quiet", "--shared", ROOT, scratch], check=True)
    third_party = os.path.join(ROOT, "third_party")
    if os.path.isdir(third_party):
        os.symlink(third_party, os.path.join(scratch, "third_party"))
    plant_all(scratch)
    return scratch


def plant_all(root):
    for mutation in mutations():
        mutation.plant(root)
    with open(os.path.join(root, CRATE, "mutation.rs"), "w") as file:
        file.write(MODULE)
    with open(os.path.join(root, CRATE, "lib.rs"), "a") as file:
        file.write("\nmod mutation;\n")


def build(root, arguments):
    """The programs that `cargo test` would run, and `thetis`."""
    command = ["cargo", "test", "--no-run", "--message-format=json", *arguments]
    ended = subprocess.run(command, cwd=root, stdout=subprocess.PIPE, text=True)
    if ended.returncode != 0:
        sys.exit("the planted bugs do not compile")
    messages = [json.loads(line) for line in ended.stdout.splitlines() if line.startswith("{")]
    made = [message for message in messages if message.get("executable")]
    tests = [(message["target"]["name"], message["executable"], os.path.dirname(message["manifest_path"]))
             for message in made if message["profile"]["test"]]
    return [test for test in tests if os.path.relpath(test[2], root) == os.path.dirname(CRATE)]


def failing_test(program, folder, environment):
    """The first test of a program that fails."""
    running = subprocess.Popen([program, "--test-threads=1"], cwd=folder, env=environment, text=True, errors="replace",
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
    for line in running.stdout:
        found = re.match(r"test (.*) \.\.\. .*FAILED", line)
        if found:
            running.kill()
            running.wait()
            return found[1]
    return "a crash" if running.wait() != 0 else None


def noticed(options, tests, root, name):
    """Which test notices the bug; `None` if none does."""
    environment = {**os.environ, VARIABLE: name}
    for target, program, folder in tests:
        failed = failing_test(program, folder, environment)
        if failed:
            return f"{target}: {failed}"
    if options.crate_only:
        return None
    command = [sys.executable, os.path.join(root, "contrib/edges.py"), "--thetis", os.path.join(root, "target/debug/thetis"), "--first", "--jobs", "1"]
    ended = subprocess.run(command, capture_output=True, text=True, env=environment)
    return f"edges: {ended.stdout.strip()}" if ended.returncode != 0 else None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scratch")
    parser.add_argument("--only", default="")
    parser.add_argument("--crate-only", action="store_true")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("cargo", nargs="*", help="what `cargo test` builds, after `--` (-p thetis-c -p thetis --lib --bins --tests)")
    options = parser.parse_args()
    chosen = [mutation for mutation in mutations() if re.search(options.only, mutation.name)]
    if options.list or not options.scratch:
        stale = [mutation.name for mutation in chosen if not mutation.fits(ROOT)]
        print(f"{len(chosen)} bugs, {len(stale)} do not fit:", *stale, sep="\n  ")
        return 1 if stale else 0
    root = os.path.abspath(clone(options.scratch))
    tests = build(root, options.cargo or ["-p", "thetis-c", "-p", "thetis", "--lib", "--bins", "--tests"])
    by = noticed(options, tests, root, "none")
    if by:
        sys.exit(f"without any bug, {by} fails")
    holes = []
    for mutation in chosen:
        by = noticed(options, tests, root, mutation.name)
        print(f"{mutation.name}: {'noticed by ' + by if by else 'NOT NOTICED'}", flush=True)
        if by is None:
            holes.append(mutation.name)
    print(f"{len(holes)} of {len(chosen)} bugs are not noticed")
    return 1 if holes else 0


if __name__ == "__main__":
    sys.exit(main())
