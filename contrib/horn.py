#!/usr/bin/env python3
"""Asks Thetis about Horn clauses of known answer.

    contrib/horn.py THETIS [--cpu-time 5s] [--name TEXT] [--spacer]

The clauses are in contrib/horn-clauses.txt: each system with one or more questions. Prints what is not answered as expected, answers without a model, and
the sums; exits with 1 if an answer is wrong. With --spacer, Z3 is asked about the same scripts, and what it says is printed where it differs.
"""
import argparse
import pathlib
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


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("thetis")
    parser.add_argument("--cpu-time", default="5s")
    parser.add_argument("--name", default="")
    parser.add_argument("--spacer", action="store_true")
    args = parser.parse_args()
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
