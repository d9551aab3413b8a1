#!/usr/bin/env python3
"""Runs the small programs of crates/thetis/tests/edges and lists the answers that are wrong.

The tables hold many programs each, separated by lines

    //== NAME: VERDICT [PROPERTY] [ILP32] [crlf] [reasoned]

where VERDICT is `safe` or `unsafe`, followed by `?` if `unknown` is an answer, too, or `both`: then the program calls `finally`, which
is a check in its first version and the opposite in the second. PROPERTY is `unreach-call` unless it is named.
What the compiled program does decides the verdict, unless a program is `reasoned`: then it has outside behaviour or a choice
that a compiler makes for it, and the tables' author decided.

    contrib/edges.py --thetis target/debug/thetis              what Thetis says
    contrib/edges.py --judge                                   whether gcc and its sanitizers agree with the tables
    contrib/edges.py --thetis ... --only 'unions:.*literal' --markdown WRONG.md
"""
import argparse, concurrent.futures, glob, os, re, subprocess, sys, tempfile

PRELUDE = ("void abort(void); void reach_error(void) { abort(); } "
           "static void check(int holds) { if (!holds) reach_error(); }\n")
FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../crates/thetis/tests/edges")
FINALLY = (("", "safe", "static void finally(int holds) { check(holds); }\n"),
           ("-negated", "unsafe", "static void finally(int holds) { check(!holds); }\n"))
OPPOSITE = {"safe": "unsafe", "unsafe": "safe"}
VERDICTS = {0: "safe", 10: "unsafe", 5: "unknown", 2: "rejected"}


class Program:
    def __init__(self, table, header, text):
        name, words = header.split(":", 1)
        verdict, *words = words.split()
        self.name = f"{table}:{name.strip()}"
        self.expected, self.may_be_unknown = verdict.rstrip("?"), verdict.endswith("?")
        self.model = "ILP32" if "ILP32" in words else "LP64"
        self.is_reasoned = "reasoned" in words
        properties = [word for word in words if word not in ("ILP32", "reasoned", "crlf")]
        self.property = properties[0] if properties else "unreach-call"
        self.text = PRELUDE + text
        if "crlf" in words:
            self.text = self.text.replace("\n", "\r\n")

    def write(self, folder):
        path = os.path.join(folder, "program.c")
        with open(path, "w", newline="") as file:
            file.write(self.text)
        return path


def versions(table, header, text):
    name, words = header.split(":", 1)
    if words.split()[0].rstrip("?") != "both":
        return [Program(table, header, text)]
    return [Program(table, f"{name}{suffix}:{words.replace('both', verdict, 1)}", prelude + text) for suffix, verdict, prelude in FINALLY]


def programs():
    found = []
    for path in sorted(glob.glob(os.path.join(FOLDER, "*.c"))):
        table = os.path.basename(path)[:-2]
        with open(path, newline="") as file:
            parts = re.split(r"^//== ", file.read(), flags=re.M)[1:]
        found += [program for part in parts for program in versions(table, *part.split("\n", 1))]
    return found


def ask(options, program):
    with tempfile.TemporaryDirectory() as folder:
        command = [options.thetis, "check", program.write(folder), "--property", program.property]
        command += ["--data-model", program.model, "--time", f"{options.time}s", *options.rest]
        try:
            ended = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=6 * options.time + 20)
        except subprocess.TimeoutExpired:
            return "unknown", "does not stop in time"
        verdict = VERDICTS.get(ended.returncode, f"status {ended.returncode}")
        if verdict in ("safe", "unsafe"):
            return verdict, ""
        errors = [line for line in ended.stderr.splitlines() if "error" in line or "panicked" in line]
        reason = ended.stdout if verdict == "unknown" else " ".join(errors[:1])
        return verdict, reason.replace(folder + "/", "").strip()


def judge(program):
    """What the compiled program does; none if nobody can tell."""
    options = {"valid-memsafety": ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"],
               "no-overflow": ["-fsanitize=signed-integer-overflow", "-fno-sanitize-recover=all"]}
    with tempfile.TemporaryDirectory() as folder:
        binary = os.path.join(folder, "program")
        command = ["gcc", "-std=gnu11", "-O0", "-w", "-o", binary, program.write(folder), "-lm"]
        command += options.get(program.property, ["-fwrapv", "-fno-strict-aliasing"])
        command += ["-m32"] if program.model == "ILP32" else []
        compiled = subprocess.run(command, capture_output=True, text=True)
        if compiled.returncode != 0:
            return "not compiled: " + compiled.stderr.strip()[:300]
        environment = {**os.environ, "ASAN_OPTIONS": "detect_leaks=1:detect_stack_use_after_return=1:exitcode=77"}
        environment["UBSAN_OPTIONS"] = "exitcode=77"
        try:
            ended = subprocess.run([binary], capture_output=True, text=True, errors="replace", timeout=20,
                                   stdin=subprocess.DEVNULL, env=environment, cwd=folder)
        except subprocess.TimeoutExpired:
            return "does not end"
        if program.property in options:
            failed = ended.returncode == 77 or "runtime error" in ended.stderr or "Sanitizer" in ended.stderr
            return "unsafe" if failed else "safe" if ended.returncode >= 0 else f"signal {-ended.returncode}"
        if ended.returncode == -6:
            return "unsafe"
        return "safe" if ended.returncode >= 0 else f"signal {-ended.returncode}"


def report(chosen, answers):
    wrong, undecided, lines = [], [], []
    for program, (verdict, reason) in zip(chosen, answers):
        row = (program, verdict, reason)
        if verdict in ("safe", "unsafe") and verdict != program.expected:
            wrong.append(row)
        elif verdict != program.expected and not program.may_be_unknown:
            undecided.append(row)
    decided = sum(verdict == program.expected for program, (verdict, _) in zip(chosen, answers))
    lines.append(f"{len(chosen)} programs: {decided} right, {len(wrong)} wrong, "
                 f"{len(chosen) - decided - len(wrong)} unknown or rejected, {len(undecided)} of them should be decided")
    for title, rows in (("Wrong", wrong), ("Not decided, though they should be", undecided)):
        lines.append(f"\n## {title}: {len(rows)}\n")
        lines += [f"* `{program.name}` ({program.property}, {program.model}): {verdict}, not {program.expected} {reason}".rstrip()
                  for program, verdict, reason in rows]
    others = [(p, v, r) for p, (v, r) in zip(chosen, answers) if v not in ("safe", "unsafe") and p.may_be_unknown]
    lines.append(f"\n## Unknown or rejected, which is allowed: {len(others)}\n")
    lines += [f"* `{program.name}`: {verdict} {reason[:160]}" for program, verdict, reason in others]
    return "\n".join(lines), len(wrong) + len(undecided), [program.name for program, _, _ in wrong]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--thetis", default="target/debug/thetis")
    parser.add_argument("--judge", action="store_true")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--time", type=int, default=5)
    parser.add_argument("--first", action="store_true", help="end with the first wrong answer, and print only its name")
    parser.add_argument("--only", default="", help="a regular expression on TABLE:NAME")
    parser.add_argument("--markdown", help="write the report to this file, too")
    parser.add_argument("--known", action="store_true", help="renew known-wrong.txt (with all programs)")
    parser.add_argument("rest", nargs="*", help="further arguments for `thetis check`, after `--`")
    options = parser.parse_args()
    chosen = [program for program in programs() if re.search(options.only, program.name)]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        if options.judge:
            asked = [program for program in chosen if not program.is_reasoned]
            found = list(zip(asked, pool.map(judge, asked)))
            differing = [(program, verdict) for program, verdict in found if verdict != program.expected]
            for program, verdict in differing:
                print(f"{program.name}: the compiler says {verdict}, the table {program.expected}")
            print(f"{len(asked)} judged, {len(differing)} differ, {len(chosen) - len(asked)} reasoned")
            return 1 if differing else 0
        if options.first:
            found = (program.name for program in chosen if ask(options, program)[0] == OPPOSITE[program.expected])
            first = next(found, None)
            print(first or "none is wrong")
            return 1 if first else 0
        answers = list(pool.map(lambda program: ask(options, program), chosen))
    text, failures, wrong = report(chosen, answers)
    print(text)
    if options.markdown:
        with open(options.markdown, "w") as file:
            file.write("# Answers about the programs of crates/thetis/tests/edges\n\n" + text + "\n")
    if options.known:
        with open(os.path.join(FOLDER, "known-wrong.txt"), "w") as file:
            file.write("# Programs of the tables that are answered wrongly today; contrib/edges.py --known writes this list.\n")
            file.writelines(f"{name}\n" for name in sorted(wrong))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
