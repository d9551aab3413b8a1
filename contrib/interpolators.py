#!/usr/bin/env python3
"""Compares what finds interpolants, on formulas and paths that are made here.

    contrib/interpolators.py THETIS [--cpu-time 10s] [--paths 40] [--only random|paths|public] [--manifest FILE]

Two sets, the same on every machine, and one of public scripts:

* random: pairs of contradictory formulas over integers, five of each family (half-spaces, octagons, boxes, remainders), seeds 1 to 5. With the eight
  configurations of `configs/ice`, the default of `ice` and all other interpolators.
* paths: infeasible paths through loops, each loop with several numbers of rounds, cut in the middle. With one configuration of each interpolator.
* public: the unsatisfiable scripts of the logic QF_LIA in a manifest, each split into two formulas by `thetis interpolate`, with the configurations of the first set.

Prints tables in Markdown. Every interpolant was verified by `thetis interpolate` before it counted. The times are CPU seconds.
"""
import argparse
import csv
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


FAMILIES = [half_spaces, octagons, boxes, remainders]

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


class Runner:
    def __init__(self, args):
        self.args = args
        self.folder = pathlib.Path(tempfile.mkdtemp())

    def run(self, task, options):
        """Whether `task`, two lists of assertions or the name of a script, has an interpolant, and what that cost."""
        if isinstance(task, str):
            files = [task]
        else:
            files = [str(self.folder / f"{name}.smt2") for name in "ab"]
            for file, assertions in zip(files, task):
                pathlib.Path(file).write_text(script(assertions))
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        command = [self.args.thetis, "interpolate", *files, "--cpu-time", self.args.cpu_time, "--time", "300s", *options]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        if done.returncode not in (0, 5):
            sys.exit(f"{' '.join(command)}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
        return done.returncode == 0, spent

    def table(self, head, tasks, configurations):
        print(f"| {head} | solved | CPU seconds of all | of the solved ones | largest of these |\n| --- | ---: | ---: | ---: | ---: |")
        solved_by = {}
        for name, options in configurations:
            outcomes = [self.run(task, options) for task in tasks]
            times = [spent for is_solved, spent in outcomes if is_solved]
            total = sum(spent for _, spent in outcomes)
            solved_by[name] = [is_solved for is_solved, _ in outcomes]
            print(f"| {name} | {len(times)} of {len(tasks)} | {total:.1f} | {sum(times):.1f} | {max(times, default=0):.2f} |", flush=True)
        return solved_by


def public(runner, manifest, configurations):
    """The table of the public scripts, and which of them are solved."""
    with open(manifest, encoding="utf-8") as lines:
        rows = [row for row in csv.DictReader(lines) if (row["family"], row["expected"], row["property"]) == ("smt", "unsat", "QF_LIA")]
    tasks = [str(pathlib.Path(manifest).parent / row["path"]) for row in rows]
    solved = runner.table("public scripts", tasks, configurations)
    print()
    for number_, row in enumerate(rows):
        names = [name for name, outcomes in solved.items() if outcomes[number_]]
        print(f"* `{row['path']}`: {', '.join(names) or 'nothing'}")
    print()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("thetis")
    parser.add_argument("--cpu-time", default="10s")
    parser.add_argument("--paths", type=int, default=40)
    parser.add_argument("--only", choices=["random", "paths", "public"])
    parser.add_argument("--manifest", help="a list of public scripts")
    args = parser.parse_args()
    runner = Runner(args)
    others = [(name, ["--engine", name]) for name in OTHERS]
    files = sorted((ROOT / "configs" / "ice").glob("*.toml"))
    learners = [(f"ice, {file.stem}", ["--config", str(file)]) for file in files] + [("ice, default", [])]
    if args.manifest and args.only in (None, "public"):
        public(runner, args.manifest, [("ice, default", [])] + others + learners[:-1])
    if args.only in (None, "random"):
        tasks = [family(random.Random(seed)) for family in FAMILIES for seed in range(1, 6)]
        solved = runner.table("random pairs", tasks, learners + others)
        print("\n| family | " + " | ".join(solved) + " |\n| --- |" + " ---: |" * len(solved))
        for number_, family in enumerate(FAMILIES):
            counts = [sum(row[5 * number_:5 * number_ + 5]) for row in solved.values()]
            print(f"| {family.__name__.replace('_', ' ')} | " + " | ".join(map(str, counts)) + " |")
        print()
    if args.only in (None, "paths"):
        tasks = [path(loop, rounds) for rounds in ROUNDS for loop in LOOPS][: args.paths]
        runner.table("paths", tasks, [("ice", [])] + others)


if __name__ == "__main__":
    main()
