#!/usr/bin/env python3
"""Asks Thetis about Horn clauses of known answer.

    contrib/horn.py THETIS [--cpu-time 5s] [--name TEXT] [--spacer]
    contrib/horn.py THETIS --manifest FILE --results RESULTS.jsonl [--cpu-time 20s] [--only LIA-Lin]
    contrib/horn.py THETIS --manifest FILE --results RESULTS.jsonl --programs code2inv [--cpu-time 5s]

The clauses are in contrib/horn-clauses.txt: each system with one or more questions. Prints what is not answered as expected, answers without a model, and
the sums; exits with 1 if an answer is wrong. With --spacer, Z3 is asked about the same scripts, and what it says is printed where it differs.

With --manifest, the Horn clauses of a manifest are asked about, Spacer beside, each with the same CPU time. Every answer is a line of RESULTS.jsonl as soon as it
is known; started again, the script goes on where it was. Prints a table in Markdown. With --programs, the C programs of a set are written as clauses with
`thetis convert --to chc`, and both are asked about these.
"""
import argparse
import collections
import csv
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile

TABLE = pathlib.Path(__file__).resolve().parent / "horn-clauses.txt"


def systems():
    """Names, expected answers and scripts."""
    for block in TABLE.read_text(encoding="utf-8").split("\n== ")[1:]:
        name, *lines = block.rstrip().split("\n")
        questions = [line.split(" ", 1) for line in lines if line.startswith(("sat ", "unsat "))]
        clauses = "\n".join(line for line in lines if not line.startswith(("sat ", "unsat ")))
        for expected, bad in questions:
            text = f"(set-logic HORN)\n{clauses.replace('BAD', bad)}\n(check-sat)\n"
            yield f"{name}, {bad}", expected, text


def spacer(thetis, text):
    try:
        done = subprocess.run([thetis, "solver"], input=text, capture_output=True, text=True, timeout=60, check=False)
    except subprocess.TimeoutExpired:
        return "no answer in a minute"
    return done.stdout.split("\n")[0]


def timed(command, seconds, script=None):
    """What a command prints, and the CPU seconds it took."""
    limit = lambda: resource.setrlimit(resource.RLIMIT_CPU, (seconds + 2, seconds + 2))
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, stdin=script, capture_output=True, text=True, preexec_fn=limit, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return done.stdout, spent


def ask_both(args, row):
    """The line about a row of the manifest."""
    file = args.manifest.parent / row["path"]
    line = {key: row[key] for key in ("path", "set", "property", "expected")}
    if row["family"] == "c":
        line["expected"] = {"safe": "sat", "unsafe": "unsat"}[row["expected"]]
        file = written_as_clauses(args.thetis, file, row["property"].split())
        if file is None:
            return line | {tool: {"answer": "not written", "cpu-seconds": 0} for tool in ("thetis", "spacer")}
    seconds = int(args.cpu_time.removesuffix("s"))
    options = ["--format", "chc", "--cpu-time", args.cpu_time, "--time", "600s", "--memory", "4G", "-q"]
    output, spent = timed([args.thetis, "check", str(file), *options], seconds)
    line["thetis"] = {"answer": output.split("\n")[0], "cpu-seconds": round(spent, 3), "without-model": "without a model" in output}
    with open(file, encoding="utf-8") as script:
        output, spent = timed([args.thetis, "solver"], seconds, script)
    line["spacer"] = {"answer": output.split("\n")[0] if spent <= seconds else "", "cpu-seconds": round(spent, 3)}
    return line


def written_as_clauses(thetis, program, words):
    """The file with the clauses of a program; none if it is not modelled exactly."""
    options = ["--property", words[0], "--externals", "svcomp", "-q"]
    options += ["--data-model", words[1]] if words[1:2] in (["ILP32"], ["LP64"]) else []
    options += ["--arithmetic", "int"] if "math-int" in words else []
    done = subprocess.run([thetis, "convert", str(program), "--to", "chc", *options], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        return None
    file = pathlib.Path(tempfile.gettempdir()) / f"{program.stem}-{os.getpid()}.smt2"
    file.write_text(done.stdout, encoding="utf-8")
    return file


def public(args):
    with open(args.manifest, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    if args.programs:
        rows = [row for row in rows if row["family"] == "c" and row["set"] == args.programs and row["expected"] in ("safe", "unsafe")]
    else:
        rows = [row for row in rows if row["family"] == "smt" and row["property"].startswith("HORN")]
    rows = [row for row in rows if not args.only or row["property"].removeprefix("HORN ") in args.only]
    args.results.touch()
    lines = [json.loads(line) for line in args.results.read_text(encoding="utf-8").splitlines()]
    known = {line["path"] for line in lines}
    with open(args.results, "a", encoding="utf-8") as results:
        for row in rows:
            if row["path"] not in known and args.name in row["path"]:
                lines.append(ask_both(args, row))
                print(json.dumps(lines[-1]), file=results, flush=True)
    groups = collections.defaultdict(list)
    for line in lines:
        groups[line["set"], line["property"].removeprefix("HORN ")].append(line)
    print("| set | logic | rows | `thetis` | wrong | CPU time of these | Spacer | wrong | CPU time of these |\n" + "| --- | --- |" + " ---: |" * 7)
    for (name, logic), members in sorted(groups.items()):
        print(f"| {name} | {logic} | {len(members)} | " + " | ".join(sums(members, tool) for tool in ("thetis", "spacer")) + " |")
    without = [line["path"] for line in lines if line["thetis"].get("without-model")]
    print(f"\nAnswers `sat` without a model: {', '.join(without) or 'none'}")
    return sum(line["thetis"]["answer"] in ("sat", "unsat") and line["thetis"]["answer"] != line["expected"] for line in lines)


def sums(lines, tool):
    right = [line for line in lines if line[tool]["answer"] == line["expected"]]
    wrong = sum(line[tool]["answer"] in ("sat", "unsat") for line in lines) - len(right)
    return f"{len(right)} | {wrong} | {sum(line[tool]['cpu-seconds'] for line in right):.1f} s"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("thetis")
    parser.add_argument("--cpu-time", default="5s")
    parser.add_argument("--name", default="")
    parser.add_argument("--spacer", action="store_true")
    parser.add_argument("--manifest", type=pathlib.Path)
    parser.add_argument("--results", type=pathlib.Path)
    parser.add_argument("--programs", help="a set of C programs to write as clauses")
    parser.add_argument("--only", action="append", help="only rows of this logic")
    args = parser.parse_args()
    if args.manifest:
        sys.exit(1 if public(args) else 0)
    file = pathlib.Path(tempfile.mkdtemp()) / "clauses.smt2"
    counts = {"right": 0, "wrong": 0, "no answer": 0, "right, without a model": 0}
    for name, expected, text in systems():
        if args.name not in name:
            continue
        file.write_text(text, encoding="utf-8")
        command = [args.thetis, "check", str(file), "--format", "chc", "--cpu-time", args.cpu_time, "--time", "600s", "-q"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        answer = done.stdout.split("\n")[0]
        if answer == expected:
            outcome = "right, without a model" if "without a model" in done.stdout else "right"
        else:
            outcome = "wrong" if answer in ("sat", "unsat") else "no answer"
        counts[outcome] += 1
        if outcome != "right":
            print(f"{name}: {outcome} (expected {expected}): {done.stdout[:200]}{done.stderr[:200]}", flush=True)
        if args.spacer and (judged := spacer(args.thetis, text)) != expected:
            print(f"{name}: Spacer says {judged}, expected {expected}", flush=True)
    print(counts)
    sys.exit(1 if counts["wrong"] else 0)


if __name__ == "__main__":
    main()
