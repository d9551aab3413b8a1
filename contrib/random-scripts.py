#!/usr/bin/env python3
"""Asks Thetis about random small SMT-LIB scripts and Horn clauses, and has Z3 judge every answer.

    contrib/random-scripts.py THETIS [--scripts 100] [--clauses 100] [--seed 1] [--cpu-time 2s]

* scripts: `thetis interpolate` with one engine after the other, on one script or two. An interpolant has to follow from the first formula, contradict the second and have
  only variables of both; a model has to satisfy the script.
* clauses: `thetis check --format chc`. A model has to satisfy every clause; without one, or after `unsat`, the answer has to be that of Spacer, if it has one.

The judge is `thetis solver`, the program's own Z3, on scripts that are written here. Prints every wrong answer with its script, and the sums; exits with 1 if one is wrong.
"""
import argparse
import collections
import pathlib
import random
import re
import subprocess
import sys
import tempfile

ENGINES = ["ice", "farkas", "newton-wp", "newton-sp", "horn", "clauses"]
SORTS = {"i": "Int", "r": "Real", "p": "Bool", "v": "(_ BitVec 4)", "a": "(Array Int Int)"}


class Terms:
    """Random terms over variables whose first letter is their sort."""

    def __init__(self, rng, names):
        self.rng, self.names = rng, names

    def of(self, kind, depth):
        variables = [name for name in self.names if name[0] == kind]
        if depth <= 0 or self.rng.random() < 0.2:
            return self.rng.choice(variables) if variables and self.rng.random() < 0.8 else self.literal(kind)
        return getattr(self, kind)(depth - 1)

    def literal(self, kind):
        number = self.rng.randint(-6, 6)
        if kind == "i":
            return str(number) if number >= 0 else f"(- {-number})"
        if kind == "r":
            return f"{number}.5" if number >= 0 else f"(- {-number}.5)"
        if kind == "p":
            return self.rng.choice(["true", "false"])
        return f"#b{number & 15:04b}" if kind == "v" else f"((as const {SORTS['a']}) {abs(number)})"

    def pick(self, depth, *forms):
        form = self.rng.choice(forms)
        return re.sub(r"<(\w)>", lambda match: self.of(match.group(1), depth), form)

    def i(self, depth):
        arrays = ["(select <a> <i>)"] if any(name[0] == "a" for name in self.names) else []
        number, divisor = self.rng.randint(-3, 3), self.rng.randint(2, 5)
        scaled = f"(* {number} <i>)" if number >= 0 else f"(* (- {-number}) <i>)"
        return self.pick(depth, "(+ <i> <i>)", "(- <i> <i>)", scaled, "(ite <p> <i> <i>)", f"(mod <i> {divisor})", f"(div <i> (- {divisor}))", "(abs <i>)", *arrays)

    def r(self, depth):
        return self.pick(depth, "(+ <r> <r>)", "(* 2.0 <r>)", "(- <r>)", "(/ <r> 3.0)", "(ite <p> <r> <r>)", "(to_real <i>)")

    def v(self, depth):
        return self.pick(depth, "(bvadd <v> <v>)", "(bvmul <v> <v>)", "(bvand <v> <v>)", "(bvudiv <v> <v>)", "(bvshl <v> <v>)", "(bvsrem <v> <v>)", "(ite <p> <v> <v>)")

    def a(self, depth):
        return self.pick(depth, "(store <a> <i> <i>)", "(ite <p> <a> <a>)")

    def p(self, depth):
        kinds = sorted({name[0] for name in self.names})
        kind = self.rng.choice(kinds)
        relation = {"i": ["(< <i> <i>)", "(>= <i> <i>)", "(distinct <i> <i> <i>)"], "r": ["(<= <r> <r>)", "(> <r> <r>)"], "v": ["(bvult <v> <v>)", "(bvsge <v> <v>)"], "p": ["(xor <p> <p>)"], "a": []}[kind]
        bound = f"(let ((l {self.of('i', depth)})) (<= l (+ l <i>)))"
        return self.pick(depth, f"(= <{kind}> <{kind}>)", *relation, *relation, "(and <p> <p>)", "(or <p> <p>)", "(not <p>)", "(=> <p> <p>)", bound)


class Judge:
    def __init__(self, thetis):
        self.thetis = thetis

    def ask(self, text, seconds=10):
        try:
            done = subprocess.run([self.thetis, "solver"], input=text + "(check-sat)\n", capture_output=True, text=True, timeout=seconds, check=False)
        except subprocess.TimeoutExpired:
            return "unknown"
        answer = done.stdout.strip().split("\n")[-1]
        if answer not in ("sat", "unsat", "unknown"):
            sys.exit(f"the judge does not understand:\n{text}\n{done.stdout}{done.stderr}")
        return answer


class Attack:
    def __init__(self, args):
        self.args, self.judge = args, Judge(args.thetis)
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.counts = collections.Counter()

    def thetis(self, command, *arguments):
        line = [self.args.thetis, command, *map(str, arguments), "--cpu-time", self.args.cpu_time, "--time", "600s"]
        return subprocess.run(line, capture_output=True, text=True, check=False)

    def count(self, outcome, *context):
        self.counts[outcome] += 1
        if outcome.startswith("wrong"):
            print(outcome, *context, sep="\n", flush=True)

    def script(self, number):
        rng = random.Random(f"{self.args.seed} script {number}")
        kinds = rng.choice(["i", "i", "ip", "ir", "v", "ai", "iprva"])
        names = [f"{kind}{index}" for kind in kinds for index in range(3 if len(kinds) < 3 else 2)]
        terms = Terms(rng, names)
        formulas = [terms.of("p", 3) for _ in range(rng.randint(3, 8))]
        declarations = "".join(f"(declare-const {name} {SORTS[name[0]]})\n" for name in names)
        cut = rng.randint(0, len(formulas))
        parts = ["".join(f"(assert {formula})\n" for formula in part) for part in (formulas[:cut], formulas[cut:])]
        is_split = rng.random() < 0.5
        texts = [declarations + "".join(parts)] if is_split else [declarations + part for part in parts]
        files = [self.folder / name for name in ("a.smt2", "b.smt2")][: len(texts)]
        for file, text in zip(files, texts):
            file.write_text(text + "(check-sat)\n", encoding="utf-8")
        whole = declarations + "".join(parts)
        expected = self.judge.ask(whole)
        for engine in ENGINES if expected != "sat" else ["ice"]:
            options = ["--engine", engine] + (["--split", rng.choice(["half", "core", "connected"])] if is_split else [])
            done = self.thetis("interpolate", *files, *options)
            self.check_script(engine, whole, declarations, None if is_split else parts, expected, done)

    def check_script(self, engine, whole, declarations, parts, expected, done):
        context = (engine, whole, done.stdout, done.stderr)
        if done.returncode == 5:
            return self.count("script, no answer")
        if done.returncode == 10:
            values = re.findall(r"\(define-fun (\w+) \(\) (?:\w+|\([^)]*\)) (.*)\)\n", done.stdout)
            holds = whole + "".join(f"(assert (= {name} {value}))\n" for name, value in values)
            is_right = expected != "unsat" and self.judge.ask(holds) == "sat"
            return self.count("script, right model" if is_right else "wrong model", *context)
        if done.returncode != 0:
            return self.count(f"wrong exit code {done.returncode}", *context)
        if expected == "sat":
            return self.count("wrong interpolant of a satisfiable script", *context)
        if parts is None:
            return self.count("script, interpolant of a split script")
        formula = re.fullmatch(r"\(define-fun interpolant \((.*?)\) Bool (.*)\)\n", done.stdout)
        used = set(re.findall(r"\b[iprva]\d\b", formula.group(2)))
        is_shared = all(re.search(rf"\b{name}\b", part) for name in used for part in parts)
        follows = self.judge.ask(f"{declarations}{parts[0]}(assert (not {formula.group(2)}))\n")
        excludes = self.judge.ask(f"{declarations}{parts[1]}(assert {formula.group(2)})\n")
        if not is_shared or "sat" in (follows, excludes):
            return self.count("wrong interpolant", *context)
        return self.count("script, right interpolant" if follows == excludes == "unsat" else "script, the judge does not know")

    def clauses(self, number):
        rng = random.Random(f"{self.args.seed} clauses {number}")
        kinds = rng.choice(["i", "ii", "iii", "ip", "v", "vi"])
        before, after = ([f"{kind}{position}{mark}" for position, kind in enumerate(kinds)] for mark in "xy")
        formals = " ".join(f"({name} {SORTS[name[0]]})" for name in before + after)
        predicates = ["P", "Q", "R"][: rng.randint(1, 3)]
        clauses, heads = [], []

        def rule(body, constraint, head):
            clauses.append(f"(forall ({formals}) (=> (and {' '.join(body)} {constraint}) {head}))")

        def atom(predicate, names):
            return f"({predicate} {' '.join(names)})"

        terms = Terms(rng, before)
        start = " ".join(f"(= {name} {terms.literal(name[0])})" for name in before)
        rule([], f"(and true {start if rng.random() < 0.7 else terms.of('p', 1)})", atom("P", before))
        for _ in range(rng.randint(1, 4)):
            source, target = rng.choice(predicates), rng.choice(predicates)
            heads.append(target)
            steps = " ".join(f"(= {new} {terms.of(new[0], 1) if rng.random() < 0.6 else old})" for old, new in zip(before, after))
            body = [atom(source, before)] + ([atom(rng.choice(predicates), after)] if rng.random() < 0.15 else [])
            guard = terms.of("p", 1)
            rule(body, f"(and {guard} {steps})", atom(target, after))
        rule([atom(rng.choice(["P", *heads]), before)], terms.of("p", 1), "false")
        declarations = "".join(f"(declare-fun {name} ({' '.join(SORTS[kind] for kind in kinds)}) Bool)\n" for name in predicates)
        text = "(set-logic HORN)\n" + declarations + "".join(f"(assert {clause})\n" for clause in clauses)
        file = self.folder / "clauses.smt2"
        file.write_text(text + "(check-sat)\n", encoding="utf-8")
        done = self.thetis("check", file, "--format", "chc", "-q")
        self.check_clauses(text, clauses, predicates, done)

    def check_clauses(self, text, clauses, predicates, done):
        context = (text, done.stdout, done.stderr)
        answer, _, rest = done.stdout.partition("\n")
        if answer not in ("sat", "unsat"):
            return self.count("clauses, no answer" if done.returncode == 5 else f"wrong exit code {done.returncode}", *context)
        if answer == "sat" and all(f"(define-fun {name} " in rest for name in predicates):
            judged = [self.judge.ask(f"{rest}\n(assert (not {clause}))\n") for clause in clauses]
            if "sat" in judged:
                return self.count("wrong model of clauses", *context)
            return self.count("clauses, right model" if set(judged) == {"unsat"} else "clauses, the judge does not know")
        expected = self.judge.ask(text)
        if expected == "unknown":
            return self.count("clauses, Spacer does not know")
        return self.count(f"clauses, {answer} as Spacer says" if expected == answer else "wrong answer about clauses", *context)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("thetis")
    parser.add_argument("--scripts", type=int, default=100)
    parser.add_argument("--clauses", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cpu-time", default="2s")
    args = parser.parse_args()
    attack = Attack(args)
    for number in range(args.scripts):
        attack.script(number)
    for number in range(args.clauses):
        attack.clauses(number)
    for outcome, count in sorted(attack.counts.items()):
        print(f"{count:6} {outcome}")
    sys.exit(1 if any(outcome.startswith("wrong") for outcome in attack.counts) else 0)


if __name__ == "__main__":
    main()
