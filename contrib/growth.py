#!/usr/bin/env python3
"""Measures how the front end of C and the passes grow with the size of programs.

    contrib/growth.py target/release/thetis
    contrib/growth.py target/release/thetis --edges 1000 10000 --shape calls

Programs of four shapes are generated with about as many edges as asked for: a state machine with many cases, many functions that share
a structure through a pointer, many local variables, and a table of constants that is searched. Two commands are run on each: `thetis convert --to cfa`, which reads
and translates, and `thetis check` with an engine that stops at once, which applies the passes as well. CPU time and peak memory are those of the whole
process with its children. The table is in Markdown. The last row of a shape has the exponents of the last step: 1 is linear.
"""

import argparse
import math
import os
import re
import subprocess
import sys
import tempfile

HEADER = "#include <assert.h>\nextern int input(void);\n"
STOP_AT_ONCE = ["--engine", "bmc", "--set", "bmc.max-bound=0", "--quiet"]
TIME_LIMIT = 600
# The exit code of `thetis check` without an answer.
UNKNOWN = 5


def machine(size):
    """A `switch` in a loop."""
    cases = (
        f"    case {i}: if (in == {i % 7}) {{ state = {(i * 17 + 1) % size}; count = 0; }}"
        f" else if (in > {i % 5}) {{ state = {(i + 1) % size}; count = (count + {i}) % 100; }} break;"
        for i in range(size)
    )
    return "int main(void) {\n  int state = 0, count = 0;\n  while (1) {\n    assert(count != 777);\n    int in = input();\n    switch (state) {\n" + "\n".join(cases) + "\n    }\n  }\n}\n"


def calls(size):
    """Functions that are called once each and work on one structure."""
    functions = (
        f"static int step{i}(struct device *p, int x) {{ if (x > p->level) p->level = x % {i + 3};"
        f" else p->flags |= {1 << (i % 8)}; p->log[{i % 8}] = x; return p->level + {i % 11}; }}"
        for i in range(size)
    )
    steps = "\n".join(f"    x = step{i}(&d, x);" for i in range(size))
    return (
        "struct device { int level; unsigned char flags; int log[8]; };\nstatic struct device d;\n" + "\n".join(functions)
        + "\nint main(void) {\n  int x = 0;\n  while (1) {\n    assert(x != 777777);\n    x = input();\n" + steps + "\n  }\n}\n"
    )


def variables(size):
    """Local variables that are all alive all the time."""
    declarations = "\n".join(f"  unsigned v{i} = 0;" for i in range(size))
    steps = "\n".join(f"    if (v{i} > {i}u) v{i} = v{(i * 7 + 1) % size} & 255u; else v{i} += (unsigned)input();" for i in range(size))
    return "int main(void) {\n" + declarations + "\n  while (1) {\n    assert(v0 != 777777);\n" + steps + "\n  }\n}\n"


def table(size):
    """A table of constants, and accesses at many places."""
    entries = ", ".join(str((i * 7919) % 1000) for i in range(size))
    steps = "\n".join(f"    x += (unsigned)table[(x + {i}u) % {size}u];" for i in range(size))
    return f"static const int table[{size}] = {{ {entries} }};\nint main(void) {{\n  unsigned x = 0;\n  while (1) {{\n    assert(x != 777777);\n{steps}\n  }}\n}}\n"


SHAPES = {"machine": machine, "calls": calls, "variables": variables, "table": table}


def measure(command, output):
    """The CPU time in seconds and the peak memory in MB of a command; `None` if it fails."""
    with open(output, "wb") as file:
        child = subprocess.Popen(["timeout", str(TIME_LIMIT), *command], stdout=file, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(child.pid, 0)
    if os.waitstatus_to_exitcode(status) not in (0, UNKNOWN):
        return None
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def num_edges(path):
    with open(path, encoding="utf-8") as file:
        return sum(1 for line in file if re.search(r"->", line))


def row(thetis, shape, size, folder):
    """The edges of a program and what both commands need."""
    program, automaton = os.path.join(folder, "program.c"), os.path.join(folder, "program.cfa")
    with open(program, "w", encoding="utf-8") as file:
        file.write(HEADER + SHAPES[shape](size))
    read = measure([thetis, "convert", program, "--to", "cfa", "--quiet"], automaton)
    edges = num_edges(automaton)
    passed = measure([thetis, "check", program, *STOP_AT_ONCE, "--time", f"{TIME_LIMIT}s"], os.devnull)
    return edges, read, passed


def exponent(first, last, value):
    return math.log(value(last) / value(first)) / math.log(last[0] / first[0])


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("thetis")
    arguments.add_argument("--edges", type=int, nargs="+", default=[1000, 10_000, 100_000])
    arguments.add_argument("--shape", choices=list(SHAPES), action="append")
    options = arguments.parse_args()
    print("| shape | edges | read: CPU time | memory | read and passes: CPU time | memory |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    has_failed = False
    with tempfile.TemporaryDirectory() as folder:
        for shape in options.shape or SHAPES:
            edges_each = row(options.thetis, shape, 100, folder)[0] / 100
            rows = []
            for edges in options.edges:
                found, read, passed = row(options.thetis, shape, max(1, round(edges / edges_each)), folder)
                if read is None or passed is None:
                    print(f"| {shape} | {found:,} | failed | | | |")
                    has_failed = True
                    continue
                rows.append((found, read, passed))
                print(f"| {shape} | {found:,} | {read[0]:.2f} s | {read[1]:.0f} MB | {passed[0]:.2f} s | {passed[1]:.0f} MB |", flush=True)
            if len(rows) > 1:
                figures = [exponent(rows[-2], rows[-1], lambda row, c=c, f=f: row[c][f]) for c in (1, 2) for f in (0, 1)]
                print(f"| {shape}, exponent of the last step | | " + " | ".join(f"{figure:.2f}" for figure in figures) + " |", flush=True)
    sys.exit(has_failed)


if __name__ == "__main__":
    main()
