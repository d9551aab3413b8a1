#!/usr/bin/env python3
"""Compares what finds interpolants, on formulas and paths that are made here.

    contrib/interpolators.py THETIS [--cpu-time 10s] [--then 300s] [--paths 40] [--only random|paths|public|list] [--manifest FILE] [--results FILE.jsonl]

Two sets, the same on every machine, one of public scripts, and a list for long limits:

* random: pairs of contradictory formulas over integers, five of each family (half-spaces, octagons, boxes, remainders, many variables, large coefficients), seeds 1 to 5. With the eight
  configurations of `configs/ice`, the default of `ice` and all other interpolators.
* paths: infeasible paths through loops, each loop with several numbers of rounds, cut in the middle. With one configuration of each interpolator.
* list: the public scripts, and the random pairs with seeds 1 and 2 of each family, with the configurations of the first set; only if asked for.
* public: the unsatisfiable scripts of the logic QF_LIA in a manifest, each split into two formulas by `thetis interpolate`, with the configurations of the first set.

Prints tables in Markdown. Every interpolant was verified by `thetis interpolate` before it counted. The times are CPU seconds, those of splitting seconds.

With --then, tasks without an interpolant are asked again with that limit, so that it is given only where it can matter. With --results, every outcome is a line of
that file as soon as it is known; started again, the script goes on where it was.
"""
import argparse
import csv
import json
import pathlib
import random
import re
import resource
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
OTHERS = ["farkas", "newton-wp", "newton-sp", "horn", "clauses"]


def linear(coefficients, names):
    return "(+ 0 " + " ".join(f"(* {number(c)} {n})" for c, n in zip(coefficients, names)) + ")"


def number(value):
    return str(value) if value >= 0 else f"(- {-value})"


def half_spaces(rng):
    """Both formulas have three random inequalities; a hidden one separates them."""
    names = ["x", "y", "z"]
    hidden = [rng.choice([-2, -1, 1, 2, 3]) for _ in names]
    bound = rng.randint(-10, 10)

    def side(extra):
        noise = []
        for _ in range(2):
            c = [rng.randint(-3, 3) for _ in names]
            noise.append(f"(<= {linear(c, names)} {number(rng.randint(5, 60))})")
        return noise + [extra]

    return (side(f"(<= {linear(hidden, names)} {number(bound)})"), side(f"(>= {linear(hidden, names)} {number(bound + 1)})"))


def octagons(rng):
    names = ["x", "y", "z"]
    one, other = rng.sample(names, 2)
    bound = rng.randint(-5, 5)
    steps = rng.randint(1, 4)
    a = [f"(<= (- {one} {other}) (+ w {number(bound)}))", f"(<= w {number(-steps)})", "(>= z 0)"]
    b = [f"(>= (- {one} {other}) (+ v {number(bound - steps + 1)}))", "(>= v 0)", "(<= z 9)"]
    return a, b


def boxes(rng):
    """A is in a box, B in one of two boxes beside it."""
    x, y = rng.randint(-5, 5), rng.randint(-5, 5)
    width = rng.randint(2, 6)
    a = [f"(<= {number(x)} x)", f"(<= x {number(x + width)})", f"(<= {number(y)} y)", f"(<= y {number(y + width)})"]
    right = f"(>= x {number(x + width + rng.randint(1, 3))})"
    above = f"(>= y {number(y + width + rng.randint(1, 3))})"
    return a, [f"(or {right} {above})", "(<= x 100)", "(<= y 100)"]


def remainders(rng):
    divisor = rng.randint(2, 5)
    rest = rng.randint(0, divisor - 1)
    other = (rest + rng.randint(1, divisor - 1)) % divisor
    a = [f"(= x (+ (* {divisor} k) {rest}))", "(>= y x)"]
    b = [f"(= x (+ (* {divisor} m) {other}))", "(<= y 50)"]
    return a, b


def hidden(rng, names, largest):
    """Both formulas have as many random inequalities as variables, with coefficients of up to this size; a hidden one separates them."""
    sign = lambda: rng.choice([-1, 1])
    plane = [sign() * rng.randint(1, largest) for _ in names]
    bound = rng.randint(-largest, largest)

    def side(extra):
        noise = [[rng.randint(-largest, largest) for _ in names] for _ in names]
        return [f"(<= {linear(c, names)} {number(rng.randint(largest, 10 * largest))})" for c in noise] + [extra]

    return side(f"(<= {linear(plane, names)} {number(bound)})"), side(f"(>= {linear(plane, names)} {number(bound + 1)})")


def many_variables(rng):
    """Four to eight variables, one more with each seed."""
    return hidden(rng, [f"x{index}" for index in range(3 + rng.seed_number)], 3)


def large_coefficients(rng):
    """Three variables and coefficients of up to 10, 100, ... 100,000."""
    return hidden(rng, ["x", "y", "z"], 10 ** rng.seed_number)


class Seeded(random.Random):
    """Random numbers of a family, and the number of the seed."""

    def __init__(self, seed_number):
        super().__init__(seed_number)
        self.seed_number = seed_number


FAMILIES = [half_spaces, octagons, boxes, remainders, many_variables, large_coefficients]

# The state before the loop, what a round does (with its condition), and what is violated after it, over x, y, n.
LOOPS = [
    ("(and (= x 0) (= y 0))", ("true", "(+ x 1)", "(+ y 1)"), "(not (= x y))"),
    ("(and (= x 0) (= y 0))", ("true", "(+ x 1)", "(+ y 2)"), "(not (= y (* 2 x)))"),
    ("(and (= x n) (= y 0))", ("(> x 0)", "(- x 1)", "(+ y 1)"), "(not (= (+ x y) n))"),
    ("(and (= x 0) (>= n 0))", ("(< x n)", "(+ x 1)", "y"), "(> x n)"),
    ("(and (= x 0) (= y 0) (>= n 0))", ("(< x n)", "(+ x 1)", "(+ y 1)"), "(and (>= x n) (not (= y n)))"),
    ("(and (= x 0) (= y 0))", ("true", "(+ x 2)", "(+ y 1)"), "(< x y)"),
    ("(and (= x 1) (= y 0))", ("true", "(+ x y)", "(+ y 1)"), "(< x y)"),
    ("(and (= x 0) (= y 10))", ("(> y 0)", "(+ x 1)", "(- y 1)"), "(> x 10)"),
    ("(< x 0)", ("true", "(- x 1)", "y"), "(>= x 0)"),
    ("(= x (+ y 3))", ("true", "(+ x n)", "(+ y n)"), "(not (= (- x y) 3))"),
    ("(= x 0)", ("true", "(ite (< x 7) (+ x 1) x)", "y"), "(> x 7)"),
    ("(and (= x 0) (= y 0))", ("true", "(+ x 1)", "x"), "(> y x)"),
    ("(= x 0)", ("true", "(+ x 2)", "y"), "(= (mod x 2) 1)"),
    ("(and (= x 0) (= y 1))", ("true", "y", "x"), "(= x y)"),
]
ROUNDS = [2, 4, 8]


def path(loop, rounds):
    """The path as two lists of assertions that share the state in the middle."""
    start, (guard, next_x, next_y), violation = loop

    def at(text, point):
        return re.sub(r"\b([xy])\b", lambda match: f"{match.group(1)}{point}", text)

    steps = [
        f"(and {at(guard, k)} (= x{k + 1} {at(next_x, k)}) (= y{k + 1} {at(next_y, k)}))" for k in range(rounds)
    ]
    middle = rounds // 2
    return [at(start, 0), *steps[:middle]], [*steps[middle:], at(violation, rounds)]


def script(assertions):
    names = sorted(set(re.findall(r"\b[a-z]\d*\b", " ".join(assertions))))
    lines = ["(set-logic QF_LIA)"] + [f"(declare-const {name} Int)" for name in names]
    return "\n".join(lines + [f"(assert {formula})" for formula in assertions] + ["(check-sat)", ""])


def figures(statistics):
    """The figures of the command itself and of learning, by name."""
    if not statistics:
        return {}
    learning = [part["entries"] for part in statistics["parts"] if part["name"] == "ice"]
    return dict(statistics["entries"] + sum(learning, []))


class Runner:
    def __init__(self, args):
        self.args = args
        self.folder = pathlib.Path(tempfile.mkdtemp())
        lines = args.results.read_text(encoding="utf-8").splitlines() if args.results and args.results.exists() else []
        self.known = {self.key(line): line for line in map(json.loads, lines)}

    @staticmethod
    def key(line):
        return line["task"], line["configuration"], line["limit"]

    def outcome(self, name, task, configuration, options):
        """The outcome with the first limit that is enough, or with the last one."""
        limits = [self.args.cpu_time] + ([self.args.then] if self.args.then else [])
        for limit in limits:
            line = {"task": name, "configuration": configuration, "limit": limit}
            if self.key(line) in self.known:
                line = self.known[self.key(line)]
            else:
                line |= self.run(task, [*options, "--cpu-time", limit])
                if self.args.results:
                    with open(self.args.results, "a", encoding="utf-8") as results:
                        print(json.dumps(line), file=results)
            if line["verdict"] == "interpolant":
                break
        return line

    def run(self, task, options):
        """What comes of `task`, two lists of assertions or the name of a script."""
        if isinstance(task, str):
            files = [task]
        else:
            files = [str(self.folder / f"{name}.smt2") for name in "ab"]
            for file, assertions in zip(files, task):
                pathlib.Path(file).write_text(script(assertions))
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        command = [self.args.thetis, "interpolate", *files, "--format", "json", "--time", "3000s", "--memory", "4G", *options]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        if done.returncode not in (0, 5):
            sys.exit(f"{' '.join(command)}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
        # A run that is stopped from outside, because it heeds no limit, has no report.
        report = json.loads(done.stdout) if done.stdout.startswith("{") else {"verdict": "unknown", "reason": {"text": done.stdout.strip()}}
        outcome = {"verdict": report["verdict"], "cpu-seconds": round(spent, 3), "statistics": figures(report.get("statistics"))}
        return outcome | ({"reason": report["reason"]["text"]} if "reason" in report else {})

    def table(self, head, tasks, configurations):
        """Prints a table; `tasks` have names."""
        print(f"| {head} | solved | CPU seconds of these | largest of these | hypotheses of these |\n| --- | ---: | ---: | ---: | ---: |")
        lines_by = {}
        for configuration, options in configurations:
            lines = [self.outcome(name, task, configuration, options) for name, task in tasks]
            solved = [line for line in lines if line["verdict"] == "interpolant"]
            times = [line["cpu-seconds"] for line in solved]
            hypotheses = [line["statistics"]["iterations"] for line in solved if "iterations" in line["statistics"]]
            lines_by[configuration] = lines
            cells = [configuration, f"{len(solved)} of {len(tasks)}", f"{sum(times):.1f}", f"{max(times, default=0):.2f}", sum(hypotheses) if hypotheses else ""]
            print("| " + " | ".join(map(str, cells)) + " |", flush=True)
        print()
        return {name: [line["verdict"] == "interpolant" for line in lines] for name, lines in lines_by.items()}, lines_by


def public_tasks(manifest):
    """The names and files of the public scripts."""
    with open(manifest, encoding="utf-8") as lines:
        rows = [row for row in csv.DictReader(lines) if (row["family"], row["expected"], row["property"]) == ("smt", "unsat", "QF_LIA")]
    return [(row["path"], str(pathlib.Path(manifest).parent / row["path"])) for row in rows]


def random_tasks(seeds):
    """The names and formulas of random pairs."""
    return [(f"{family.__name__} {seed}", family(Seeded(seed))) for family in FAMILIES for seed in seeds]


def listed(runner, manifest, configurations):
    """The table of the list for long limits, and which configurations solve a task with which limit."""
    tasks = public_tasks(manifest) + random_tasks([1, 2])
    _, lines_by = runner.table("tasks of the list", tasks, configurations)
    for number_, (name, _) in enumerate(tasks):
        unsolved = [f"{configuration} ({lines[number_]['limit']}: {lines[number_].get('reason')})"
                    for configuration, lines in lines_by.items() if lines[number_]["verdict"] != "interpolant"]
        print(f"* `{name}`: solved by {len(lines_by) - len(unsolved)} of {len(lines_by)}; not by {', '.join(unsolved) or 'none'}")
    print()


def public(runner, manifest, configurations):
    """The table of the public scripts, and which of them are solved."""
    tasks = public_tasks(manifest)
    solved, lines_by = runner.table("public scripts", tasks, configurations)
    for number_, (task, _) in enumerate(tasks):
        names = [name for name, outcomes in solved.items() if outcomes[number_]]
        print(f"* `{task}`: {', '.join(names) or 'nothing'}")
    splits = sorted(line["statistics"]["splitting"] for line in lines_by.get("ice, default", []) if "splitting" in line["statistics"])
    if splits:
        print(f"\nSplitting {len(splits)} scripts: {splits[0]:.3f} to {splits[-1]:.3f} s, average {sum(splits) / len(splits):.3f} s, median {splits[len(splits) // 2]:.3f} s")
    print()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("thetis")
    parser.add_argument("--cpu-time", default="10s")
    parser.add_argument("--then", help="a second limit for what is not solved")
    parser.add_argument("--results", type=pathlib.Path)
    parser.add_argument("--paths", type=int, default=40)
    parser.add_argument("--only", choices=["random", "paths", "public", "list"])
    parser.add_argument("--manifest", help="a list of public scripts")
    parser.add_argument("--configuration", action="append", help="only this line of the tables; can be repeated")
    args = parser.parse_args()
    runner = Runner(args)
    others = [(name, ["--engine", name]) for name in OTHERS]
    files = sorted((ROOT / "configs" / "ice").glob("*.toml"))
    learners = [(f"ice, {file.stem}", ["--config", str(file)]) for file in files] + [("ice, default", [])]
    is_wanted = lambda configuration: not args.configuration or configuration[0] in args.configuration
    others, learners = list(filter(is_wanted, others)), list(filter(is_wanted, learners))
    if args.manifest and args.only in (None, "public"):
        public(runner, args.manifest, learners + others)
    if args.only == "list":
        listed(runner, args.manifest, learners[-1:] + learners[:-1] + others)
    if args.only in (None, "random"):
        tasks = random_tasks(range(1, 6))
        solved, _ = runner.table("random pairs", tasks, learners + others)
        print("| family | " + " | ".join(solved) + " |\n| --- |" + " ---: |" * len(solved))
        for number_, family in enumerate(FAMILIES):
            counts = [sum(row[5 * number_:5 * number_ + 5]) for row in solved.values()]
            print(f"| {family.__name__.replace('_', ' ')} | " + " | ".join(map(str, counts)) + " |")
        print()
    if args.only in (None, "paths"):
        tasks = [(f"loop {number_} with {rounds} rounds", path(loop, rounds)) for rounds in ROUNDS for number_, loop in enumerate(LOOPS)][: args.paths]
        runner.table("paths", tasks, learners[-1:] + others)


if __name__ == "__main__":
    main()
