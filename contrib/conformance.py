#!/usr/bin/env python3
"""Asks Thetis about programs whose behaviour a compiler vouches for.

The folder has two families of self-checking programs, `gcc-torture` and `c-testsuite`. Each program is asked twice: as it
is, where no call of `abort` is reachable, and negated, where `abort` stands at the normal end of the program. So a verifier
that only ever answers one thing is caught. A negated version counts only if the compiled program really aborts.

    contrib/conformance.py --thetis target/release/thetis --folder ../shared/conformance --jobs 2 --time 20 --out results.jsonl
    contrib/conformance.py ... --family c-testsuite --version plain --only '0000[1-9]' -- --set engine=bmc
    contrib/conformance.py --summary results.jsonl

Every program becomes one line of JSON; the summary says how many are safe, unknown (by reason), rejected (by message) and
wrong. The exit status is 1 if an answer is wrong. Where the folder is absent the script says so and ends with status 0.
"""
import argparse, collections, concurrent.futures, glob, json, os, re, resource, subprocess, sys, tempfile, time

VERSIONS = ("plain", "negated")
VERDICTS = {0: "safe", 10: "unsafe", 5: "unknown", 2: "rejected", 6: "internal error"}
RIGHT = {"plain": "safe", "negated": "unsafe"}

# Programs that are set aside as they are, because something else than the language decides what they do.
SET_ASIDE = {
    "c-testsuite/00211.c": "`main` ends without `return`, so its value under another name is undefined; compiled like that it aborts",
    "gcc-torture/20021127-1.c": "defines a function of the library that the compiler replaces by its own",
    "gcc-torture/fprintf-2.c": "reads a file back that others may have changed",
}

# Where the program ends normally, the negated version aborts.
NEGATED = """\
extern void abort(void);
static void negated_exit(int status);
#define exit negated_exit
#define main test_main
#include "{path}"
#undef main
#undef exit
static void negated_exit(int status) {{ if (status == 0) abort(); for (;;) ; }}
int main(int argc, char **argv) {{ {call}; {abort}; return 0; }}
"""

# The status of `main` is what a program of this family says.
CHECKED = """\
#define main test_main
#include "{path}"
#undef main
extern void abort(void);
int main(int argc, char **argv) {{ if ({call} != 0) abort(); return 0; }}
"""


def call_of_main(text):
    """A call of the renamed `main` with as many arguments as its definition has."""
    text = re.sub(r"/\*.*?\*/|//[^\n]*", " ", text, flags=re.S)
    found = re.search(r"\bmain\s*\(([^)]*)\)\s*[^;,\s]", text)
    parameters = found.group(1).strip() if found else ""
    number = 0 if parameters in ("", "void") else parameters.count(",") + 1
    return "test_main(%s)" % ", ".join(["argc", "argv", "0"][:number])


def program_of(family, version, path, folder):
    """The file to ask about, which is a new one unless the program can be asked as it is."""
    with open(path, errors="replace") as file:
        text = file.read()
    call = call_of_main(text)
    if version == "plain" and family == "gcc-torture":
        return path
    if version == "plain":
        content = CHECKED.format(path=path, call=call)
    elif family == "gcc-torture":
        content = NEGATED.format(path=path, call=call, abort="abort()")
    else:
        content = NEGATED.format(path=path, call="int status = " + call, abort="if (status == 0) abort()")
    wrapper = os.path.join(folder, version + ".c")
    with open(wrapper, "w") as file:
        file.write(content)
    return wrapper


def really_aborts(program, folder):
    binary = os.path.join(folder, "program")
    command = ["gcc", "-std=gnu89", "-O0", "-fwrapv", "-w", "-o", binary, program, "-lm"]
    try:
        if subprocess.run(command, capture_output=True, timeout=60).returncode != 0:
            return False
        ended = subprocess.run([binary], capture_output=True, timeout=20, stdin=subprocess.DEVNULL, cwd=folder)
    except subprocess.TimeoutExpired:
        return False
    return ended.returncode == -6


def ask(options, family, version, path):
    with tempfile.TemporaryDirectory() as folder:
        row = {"family": family, "program": os.path.basename(path), "version": version}
        program = program_of(family, version, path, folder)
        if version == "negated" and not really_aborts(program, folder):
            return {**row, "verdict": "skipped", "reason": "the negated program does not abort", "seconds": 0.0}
        command = [options.thetis, "check", program, "--property", os.path.join(options.folder, "abort.prp")]
        command += ["--data-model", "LP64", "--time", f"{options.time}s", *options.rest]
        limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (options.memory << 20, options.memory << 20))
        start = time.monotonic()
        try:
            ended = subprocess.run(command, capture_output=True, text=True, errors="replace",
                                   timeout=2 * options.time + 20, preexec_fn=limit, stdin=subprocess.DEVNULL)
        except subprocess.TimeoutExpired:
            return {**row, "verdict": "unknown", "reason": "does not stop in time", "seconds": 2.0 * options.time + 20}
        seconds = round(time.monotonic() - start, 2)
        verdict = VERDICTS.get(ended.returncode, f"status {ended.returncode}")
        return {**row, "verdict": verdict, "reason": reason_of(verdict, ended), "seconds": seconds}


def reason_of(verdict, ended):
    if verdict == "unknown":
        return ended.stdout.strip()
    if verdict in ("safe", "unsafe"):
        return ""
    lines = ended.stderr.strip().splitlines()
    errors = [line for line in lines if "error" in line or "panicked" in line]
    return (errors or lines or [""])[0]


def without_places(reason):
    """The message without file names, numbers and names of the program, so that equal reasons are counted together."""
    reason = re.sub(r"\S*\.[ch](, preprocessed)?:\d+(:\d+)?:?\s*", "", reason)
    reason = re.sub(r"\b\d+\b", "N", reason)
    return re.sub(r"`(?!_|va_)[^`]*`", "`…`", reason).strip()


def outcome_of(row):
    verdict = row["verdict"]
    if verdict in ("safe", "unsafe"):
        return "right" if verdict == RIGHT[row["version"]] else "WRONG"
    return verdict


def summary(rows):
    lines = []
    for family in sorted({row["family"] for row in rows}):
        for version in VERSIONS:
            chosen = [row for row in rows if row["family"] == family and row["version"] == version]
            counts = collections.Counter(outcome_of(row) for row in chosen)
            asked = len(chosen) - counts["skipped"]
            if asked:
                parts = ", ".join(f"{number} {name} ({100 * number / asked:.1f} %)"
                                  for name, number in counts.most_common() if name != "skipped")
                lines.append(f"{family}, {version}: {asked} asked, {parts}; {counts['skipped']} skipped")
    wrong = [row for row in rows if outcome_of(row) == "WRONG"]
    aside = [row for row in wrong if row["version"] == "plain" and f"{row['family']}/{row['program']}" in SET_ASIDE]
    wrong = [row for row in wrong if row not in aside]
    lines.append(f"\nwrong: {len(wrong)}")
    lines += [f"  {row['family']}/{row['program']} ({row['version']}) is said to be {row['verdict']}" for row in wrong]
    lines.append(f"\nset aside: {len(aside)}")
    lines += [f"  {row['family']}/{row['program']}: {SET_ASIDE[row['family'] + '/' + row['program']]}" for row in aside]
    others = [row for row in rows if row["version"] == "plain" and outcome_of(row) not in ("right", "WRONG", "skipped")]
    for verdict in sorted({row["verdict"] for row in others}):
        reasons = collections.defaultdict(list)
        for row in others:
            if row["verdict"] == verdict:
                reasons[without_places(row["reason"])].append(row["program"])
        lines.append(f"\n{verdict} (plain versions)")
        for reason, programs in sorted(reasons.items(), key=lambda item: -len(item[1])):
            shown = " ".join(programs[:8]) + (" …" if len(programs) > 8 else "")
            lines.append(f"  {len(programs):4} {reason}: {shown}")
    return "\n".join(lines)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--thetis", default="target/release/thetis")
    parser.add_argument("--folder", default="../shared/conformance")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--time", type=int, default=20, help="seconds for each program")
    parser.add_argument("--memory", type=int, default=8192, help="megabytes of address space for each program")
    parser.add_argument("--family", action="append", choices=["gcc-torture", "c-testsuite"])
    parser.add_argument("--version", action="append", choices=VERSIONS)
    parser.add_argument("--only", default="", help="a regular expression that the file name must match")
    parser.add_argument("--out", help="file for the lines of JSON")
    parser.add_argument("--summary", help="only print the summary of this file")
    parser.add_argument("rest", nargs="*", help="further arguments for `thetis check`, after `--`")
    return parser.parse_args()


def main():
    options = parse_arguments()
    if options.summary:
        with open(options.summary) as file:
            print(summary([json.loads(line) for line in file]))
        return 0
    if not os.path.isdir(options.folder):
        print(f"skipped: there is no folder {options.folder}")
        return 0
    options.folder = os.path.abspath(options.folder)
    options.thetis = os.path.abspath(options.thetis)
    jobs = [(family, version, path)
            for version in options.version or VERSIONS
            for family in options.family or ("c-testsuite", "gcc-torture")
            for path in sorted(glob.glob(os.path.join(options.folder, family, "*.c")))
            if re.search(options.only, os.path.basename(path))]
    out = open(options.out, "w") if options.out else None
    rows = []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for row in pool.map(lambda job: ask(options, *job), jobs):
            rows.append(row)
            if out:
                print(json.dumps(row), file=out, flush=True)
            if outcome_of(row) == "WRONG":
                print(f"wrong: {row['family']}/{row['program']} ({row['version']}) {row['verdict']}", flush=True)
    print(summary(rows))
    return 1 if any(outcome_of(row) == "WRONG" for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
