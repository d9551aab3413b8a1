#!/usr/bin/env python3
"""The evaluation of IC3 on control-flow automata: which option saves what, on public C programs.

    contrib/evaluate-ic3.py THETIS BENCHMARKS [--rows 30] [--cpu-time 5s] [--sets locks,loops,...] [--loops]

BENCHMARKS is a folder with `manifest.csv`. Takes every n-th row of the sets with a stated verdict, so that there are about as many as asked for, and runs
each with the configurations of the document (reuse, skipping, termination, pushing, the tree queue) and with `bmc` and `cegar`. Prints
tables in Markdown: score as in the document (safe 2, unsafe 1, wrong answers would be negative), solved, CPU seconds, queries and iterations on the
rows that all configurations of `ic3` solve, pushes by filter.

With `--loops`: how often `ic3` still enumerates values, on programs of loop-lit, loop-invgen, loop-new and code2inv.
"""
import argparse
import csv
import json
import os
import pathlib
import resource
import subprocess
import sys

PLAIN = ["ic3.reuse=false", "ic3.skip=false", "ic3.termination=original", "ic3.push=off"]
REUSE = ["ic3.skip=false", "ic3.termination=original", "ic3.push=off"]
SKIP = ["ic3.termination=original", "ic3.push=off"]
CONFIGURATIONS = [
    ("BMC", "bmc", []),
    ("CEGAR", "cegar", []),
    ("IC3CFA", "ic3", PLAIN),
    ("reuse", "ic3", REUSE),
    ("+ skip", "ic3", SKIP),
    ("+ new", "ic3", ["ic3.termination=new", "ic3.push=off"]),
    ("+ greedy", "ic3", ["ic3.push=off"]),
    ("+ push", "ic3", ["ic3.push-query=true"]),
    ("+ push without query", "ic3", []),
    ("tree queue", "ic3", ["ic3.queue=tree", "ic3.prune=true"]),
]
FILTERS = ["none", "assign", "predecessor", "restrictive"]
SETS = ["locks", "loops", "loop-acceleration", "loop-lit", "loop-invgen", "loop-new", "eca", "ssh-simplified", "ntdrivers-simplified", "code2inv"]
LOOPS = ["loop-lit", "loop-invgen", "loop-new", "code2inv"]


def rows_of(benchmarks, sets, wanted):
    """Every n-th row, where n is the same for all sets."""
    with open(benchmarks / "manifest.csv", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["family"] == "c"]
    rows = [row for row in rows if row["expected"] in ("safe", "unsafe") and row["property"].startswith("unreach-call")]
    rows = [row for row in rows if any(row["set"].split("/")[-1] == name for name in sets)]
    step = max(1, -(-len(rows) // wanted))
    return rows[step // 2 :: step]


def parts(statistics, name):
    """The parts of this name, wherever they are."""
    if statistics.get("name") == name:
        yield statistics
    for inner in statistics.get("parts", []):
        yield from parts(inner, name)


def figure(statistics, name):
    """The sum of the figures of this name in several parts."""
    own = sum(value for part in statistics for key, value in part.get("entries", []) if key == name)
    return own + sum(figure(part.get("parts", []), name) for part in statistics)


class Runner:
    def __init__(self, args):
        self.args = args

    def run(self, row, engine, settings):
        data_model = "ILP32" if "ILP32" in row["property"] else "LP64"
        command = [self.args.thetis, "check", str(self.args.benchmarks / row["path"]), "--format", "json", "--engine", engine]
        command += ["--property", "unreach-call", "--data-model", data_model, "--externals", "svcomp", "--jobs", "1"]
        command += ["--cpu-time", self.args.cpu_time, "--time", "600s", "--memory", "3G"]
        for setting in settings:
            command += ["--set", setting]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        try:
            report = json.loads(done.stdout)
        except ValueError:
            report = {"verdict": "rejected"}
        answer = report["verdict"] if report["verdict"] in ("safe", "unsafe") else "unknown"
        if answer not in ("unknown", row["expected"]):
            print(f"WRONG: {row['path']} with {engine} {settings}: {answer}", file=sys.stderr)
        ic3 = list(parts(report.get("statistics", {}), "ic3"))
        return {"answer": answer, "spent": spent, "ic3": ic3, "row": row}


def evaluate(runner, rows):
    outcomes = {name: [runner.run(row, engine, settings) for row in rows] for name, engine, settings in CONFIGURATIONS}
    of_ic3 = [outcomes[name] for name, engine, _ in CONFIGURATIONS if engine == "ic3"]
    common = [number for number in range(len(rows)) if all(runs[number]["answer"] != "unknown" for runs in of_ic3)]
    print(f"{len(rows)} rows, {len(common)} of them solved by every configuration of `ic3`.\n")
    print("| configuration | score | solved | CPU seconds | queries | iterations | obligations |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    for name, _, _ in CONFIGURATIONS:
        runs = outcomes[name]
        score = sum({"safe": 2, "unsafe": 1}.get(run["answer"], 0) for run in runs)
        solved = sum(run["answer"] != "unknown" for run in runs)
        spent = sum(run["spent"] for run in runs)
        figures = [sum(figure(runs[number]["ic3"], key) for number in common) for key in ("queries", "iterations", "obligations")]
        shown = figures if any(figures) else ["", "", ""]
        print(f"| {name} | {score} | {solved} | {spent:.0f} | " + " | ".join(map(str, shown)) + " |")
    print("\n| filter | pushes | succeeded |\n| --- | ---: | ---: |")
    for name in FILTERS:
        runs = [runner.run(row, "ic3", [f"ic3.push={name}", "ic3.push-query=true"]) for row in rows]
        tried = sum(figure(run["ic3"], "pushes") for run in runs)
        pushed = sum(figure(run["ic3"], "pushed") for run in runs)
        print(f"| {name} | {tried} | {100 * pushed / tried if tried else 0:.0f} % |", flush=True)


def loops(runner, rows):
    keys = ["iterations", "cubes", "point-cubes", "divergent", "widened", "fixed-inputs"]
    print("| program | answer | " + " | ".join(keys) + " |\n| --- | --- |" + " ---: |" * len(keys))
    for row in rows:
        run = runner.run(row, "ic3", [])
        name = "/".join(pathlib.Path(row["path"]).parts[-2:])
        # The last attempt counts: the one about the automaton as it is, if the one without wrapping had no answer.
        figures = [figure(run["ic3"][-1:], key) for key in keys]
        print(f"| {name} | {run['answer']} | " + " | ".join(map(str, figures)) + " |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("thetis")
    parser.add_argument("benchmarks", type=pathlib.Path)
    parser.add_argument("--rows", type=int, default=30)
    parser.add_argument("--cpu-time", default="5s")
    parser.add_argument("--sets", default="")
    parser.add_argument("--loops", action="store_true")
    args = parser.parse_args()
    args.thetis = os.path.abspath(args.thetis)
    sets = args.sets.split(",") if args.sets else (LOOPS if args.loops else SETS)
    rows = rows_of(args.benchmarks, sets, args.rows)
    (loops if args.loops else evaluate)(Runner(args), rows)


if __name__ == "__main__":
    main()
