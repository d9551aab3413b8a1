#!/usr/bin/env python3
"""The evaluation of IC3 on control-flow automata: which option saves what, on public C programs.

    contrib/evaluate-ic3.py THETIS MANIFEST FOLDER [--cpu-time 2s] [--then 30s] [--every 3] [--every-of-code2inv 1] [--first] [--as-in-thesis] [--only-tables]

Asks every n-th row of code2inv and of each set of SV-COMP below with the configurations of `configs/ic3`, by `thetis bench run`: results are in
FOLDER as JSON lines, and the same command goes on where it was interrupted. With `--as-in-thesis` nothing is propagated or remembered, as in the thesis; use another folder for it.
With `--then`, rows that a configuration does not solve are asked again with that limit, so that it is given only where it can matter. With `--first`, only the configurations that show what the options save are asked. Prints tables in Markdown: score, solved, CPU seconds and memory;
queries, iterations and obligations on the rows that all configurations of `ic3` solve; pushes by filter; how often `ic3` still enumerates values, on
programs of loop-lit, loop-invgen, loop-new and code2inv. Writes scatter plots of the savings to FOLDER.
"""
import argparse
import csv
import json
import math
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
SVCOMP = ["locks", "loops", "loop-acceleration", "loop-lit", "loop-invgen", "loop-new", "eca-rers2012", "ssh-simplified", "ntdrivers-simplified", "bitvector-loops"]
LOOPS = ["svcomp15/loop-lit", "svcomp15/loop-invgen", "svcomp15/loop-new", "code2inv"]
# What `ic3` does and the implementation of the thesis does not.
BEYOND_THESIS = ["--vary", "ic3.propagate=false", "--vary", "ic3.cache=false"]
OTHERS = ["01-bmc", "02-cegar"]
# Names of files in configs/ic3; FIRST are those that are asked before the others, because they show what the options save.
CHAIN = ["03-plain", "04-reuse", "05-skip", "06-new", "07-greedy", "08-push", "09-push-without-query", "10-tree"]
FIRST = ["03-plain", "04-reuse", "05-skip", "07-greedy", "09-push-without-query"]
FILTERS = {"none": "11-filter-none", "assign": "12-filter-assign", "predecessor": "13-filter-predecessor", "restrictive": "08-push"}
PAIRS = [("03-plain", "04-reuse"), ("04-reuse", "05-skip"), ("05-skip", "07-greedy")]


class Campaign:
    """Runs of `thetis bench`, by configuration and task."""

    def __init__(self, args):
        self.args = args
        self.rows = args.manifest.resolve().parent
        self.runs = {}

    def measure(self, name, sets, every, configurations):
        """Measures what is not measured yet, and reads the result file."""
        file = self.args.folder / f"{name}.jsonl"
        options = ["--family", "c", "--verdict", "safe", "--verdict", "unsafe", "--every", str(every)]
        options += [word for name in sets for word in ("--set", name)]
        self.bench(self.args.manifest, options, configurations, self.args.cpu_time, file)
        for configuration in configurations if self.args.then else []:
            again = self.args.folder / f"{name}-{configuration}-then.jsonl"
            manifest = self.unsolved(configuration, again.with_suffix(".csv"))
            if manifest:
                self.bench(manifest, [], [configuration], self.args.then, again)

    def bench(self, manifest, options, configurations, limit, file):
        command = [self.args.thetis, "bench", "run", str(manifest), *options]
        command += [word for name in configurations for word in ("--config", str(ROOT / "configs" / "ic3" / f"{name}.toml"))]
        command += ["--cpu-time", limit, "--time", "600s", "--memory", "3G", "--jobs", "1", "-q", "-o", str(file)]
        command += BEYOND_THESIS if self.args.as_in_thesis else []
        if not self.args.only_tables:
            subprocess.run(command, check=True)
        if file.exists():
            self.read(file, float(limit.removesuffix("s")))

    def unsolved(self, configuration, file):
        """Writes the rows that `configuration` has not solved to a file, if there are any."""
        with open(self.args.manifest, newline="", encoding="utf-8") as lines:
            rows = list(csv.DictReader(lines))
        tasks = {task for task, run in self.runs.get(configuration, {}).items() if not is_solved(run)}
        if not tasks:
            return None
        with open(file, "w", newline="", encoding="utf-8") as lines:
            writer = csv.DictWriter(lines, rows[0].keys())
            writer.writeheader()
            writer.writerows(row | {"path": str(self.rows / row["path"])} for row in rows if row["path"] in tasks)
        return file

    def read(self, file, limit):
        for line in map(json.loads, file.read_text(encoding="utf-8").splitlines()):
            if "configuration" not in line:
                continue
            # The same limit for all runs, also if a file has a longer one.
            if line["cpu-seconds"] > limit:
                line["outcome"], line["answer"] = "timeout", None
            self.runs.setdefault(line["configuration"], {})[line["task"].removeprefix(f"{self.rows}/")] = line

    def tasks(self, configurations):
        """The tasks that were asked with all of these configurations."""
        asked = [set(self.runs.get(name, {})) for name in configurations]
        return sorted(set.intersection(*asked))


def is_solved(run):
    return run["outcome"] in ("correct", "answered")


def parts(statistics, name):
    """The parts of this name, wherever they are."""
    if statistics.get("name") == name:
        yield statistics
    for inner in statistics.get("parts", []):
        yield from parts(inner, name)


def figure(run, name):
    """The sum of the figures of this name in all parts called `ic3`."""
    return total(list(parts(run["statistics"] or {}, "ic3")), name)


def total(statistics, name):
    own = sum(value for part in statistics for key, value in part.get("entries", []) if key == name)
    return own + sum(total(part.get("parts", []), name) for part in statistics)


def evaluate(campaign):
    tasks = campaign.tasks(FIRST)
    names = [name for name in OTHERS + CHAIN if campaign.runs.get(name, {}).keys() >= set(tasks)]
    common = [task for task in tasks if all(is_solved(campaign.runs[name][task]) for name in names if name in CHAIN)]
    print(f"{len(tasks)} rows, {len(common)} of them solved by every configuration of `ic3`.\n")
    print("| configuration | score | solved | wrong | CPU seconds | of the common ones | MB | queries | iterations | obligations |\n| --- |" + " ---: |" * 9)
    for name in names:
        runs = campaign.runs[name]
        solved = [runs[task] for task in tasks if is_solved(runs[task])]
        score = sum({"safe": 2, "unsafe": 1}[run["answer"]] for run in solved)
        wrong = sum(runs[task]["outcome"] == "wrong" for task in tasks)
        spent = sum(runs[task]["cpu-seconds"] for task in tasks)
        shared = [runs[task] for task in common]
        memory = max(run["peak-memory-bytes"] for run in solved) / 1e6
        figures = [sum(figure(run, key) for run in shared) for key in ("queries", "iterations", "obligations")]
        shown = figures if name in CHAIN else ["", "", ""]
        cells = [name[3:], score, len(solved), wrong, f"{spent:.0f}", f"{sum(run['cpu-seconds'] for run in shared):.1f}", f"{memory:.0f}", *shown]
        print("| " + " | ".join(map(str, cells)) + " |")
    for old, new in PAIRS:
        compare(campaign, common, old, new)
    if all(name in campaign.runs for name in FILTERS.values()):
        pushes(campaign)


def compare(campaign, common, old, new):
    """Which rows need fewer queries, and a scatter plot of them."""
    points = [(figure(campaign.runs[old][task], "queries"), figure(campaign.runs[new][task], "queries")) for task in common]
    fewer, more = sum(y < x for x, y in points), sum(y > x for x, y in points)
    before, after = sum(x for x, _ in points), sum(y for _, y in points)
    print(f"\n{old} to {new}: {before} to {after} queries ({100 * (after - before) / max(1, before):+.1f} %); fewer on {fewer} rows, more on {more}, as many on {len(points) - fewer - more}.")
    (campaign.args.folder / f"ic3-{old[3:]}-{new[3:]}.svg").write_text(scatter(points, old[3:], new[3:]), encoding="utf-8")


def scatter(points, left, right):
    """Queries of two configurations, both axes logarithmic."""
    size, margin = 320, 40
    greatest = max([10] + [number for point in points for number in point])
    place = lambda number: margin + size * math.log(max(1, number)) / math.log(greatest)
    svg = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{size + 2 * margin}" height="{size + 2 * margin}" font-family="sans-serif" font-size="12">']
    svg.append(f'<rect x="{margin}" y="{margin}" width="{size}" height="{size}" fill="white" stroke="#888"/>')
    svg.append(f'<line x1="{margin}" y1="{margin + size}" x2="{margin + size}" y2="{margin}" stroke="#bbb"/>')
    tick = 1
    while tick <= greatest:
        svg.append(f'<text x="{place(tick):.0f}" y="{margin + size + 16}" text-anchor="middle">{tick}</text>')
        svg.append(f'<text x="{margin - 4}" y="{2 * margin + size - place(tick) + 4:.0f}" text-anchor="end">{tick}</text>')
        tick *= 10
    svg += [f'<circle cx="{place(x):.1f}" cy="{2 * margin + size - place(y):.1f}" r="3" fill="#2060a0" fill-opacity="0.5"/>' for x, y in points]
    svg.append(f'<text x="{margin + size / 2}" y="{2 * margin + size - 6}" text-anchor="middle">queries, {left}</text>')
    svg.append(f'<text x="{margin}" y="{margin - 10}">queries, {right}</text></svg>')
    return "\n".join(svg) + "\n"


def pushes(campaign):
    print("\n| filter | rows | pushes | succeeded |\n| --- | ---: | ---: | ---: |")
    tasks = campaign.tasks(FILTERS.values())
    for label, name in FILTERS.items():
        tried = sum(figure(campaign.runs[name][task], "pushes") for task in tasks)
        pushed = sum(figure(campaign.runs[name][task], "pushed") for task in tasks)
        print(f"| {label} | {len(tasks)} | {tried} | {100 * pushed / max(1, tried):.1f} % |")


def loops(campaign):
    """Where values are enumerated: loops without an answer, or with cubes that are points."""
    keys = ["iterations", "cubes", "point-cubes", "divergent", "widened", "fixed-inputs"]
    lines, num_loops, num_solved = [], 0, 0
    for task, run in sorted(campaign.runs["09-push-without-query"].items()):
        if run["set"] not in LOOPS:
            continue
        # The last attempt counts: the one about the automaton as it is, if the one without wrapping had no answer.
        last = list(parts(run["statistics"] or {}, "ic3"))[-1:]
        figures = {key: total(last, key) for key in keys}
        num_loops += 1
        num_solved += is_solved(run)
        if not is_solved(run) or figures["point-cubes"]:
            name = "/".join(pathlib.Path(task).parts[-2:])
            lines.append(f"| {name} | {run['answer'] or 'none'} | " + " | ".join(str(figures[key]) for key in keys) + " |")
    print(f"\n{num_loops} programs with loops, {num_solved} of them solved; {num_loops - len(lines)} are solved without a cube that is a point. The others:\n")
    print("\n".join(["| program | answer | " + " | ".join(keys) + " |", "| --- | --- |" + " ---: |" * len(keys)] + lines))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("thetis")
    parser.add_argument("manifest", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--cpu-time", default="2s")
    parser.add_argument("--then", help="a second limit for what is not solved")
    parser.add_argument("--first", action="store_true", help="only the configurations that show what the options save")
    parser.add_argument("--every", type=int, default=3)
    parser.add_argument("--every-of-code2inv", type=int, default=1)
    parser.add_argument("--as-in-thesis", action="store_true", help="switch off propagation and the memory of answers")
    parser.add_argument("--only-tables", action="store_true", help="read the results that are there, and measure nothing")
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    campaign = Campaign(args)
    filters = [name for name in FILTERS.values() if name not in CHAIN]
    sets = [f"svcomp15/{name}" for name in SVCOMP]
    campaign.measure("ic3-code2inv", ["code2inv"], args.every_of_code2inv, FIRST if args.first else OTHERS + CHAIN + filters)
    campaign.measure("ic3-svcomp", sets, args.every, FIRST)
    if not args.first:
        campaign.measure("ic3-more", sets, args.every, OTHERS + [name for name in CHAIN if name not in FIRST])
        campaign.measure("ic3-filters", sets, 2 * args.every, filters)
    evaluate(campaign)
    loops(campaign)


if __name__ == "__main__":
    main()
