#!/usr/bin/env python3
"""Measures how the front end of C and the passes grow with the size of programs.

    contrib/growth.py target/release/thetis
    contrib/growth.py target/release/thetis --edges 1000 10000 --shape calls
    contrib/growth.py target/release/thetis --svg docs/results/growth.svg

Programs of five shapes are generated with about as many edges as asked for: a state machine with many cases, many functions that share
a structure through a pointer, many local variables, many loops, and a table of constants that is searched. Two commands are run on each: `thetis convert --to cfa`,
which reads and translates, and `thetis check` with all passes before an engine that stops at once. CPU time and peak memory are those of the whole
process with its children. The table is in Markdown. The last row of a shape has the exponents of growth from a tenth of the greatest number of edges to all of
them: 1 is linear. What a tiny program takes is subtracted for them.
"""

import argparse
import math
import os
import re
import subprocess
import sys
import tempfile

HEADER = "#include <assert.h>\nextern int input(void);\n"
# All passes before an engine that stops at once.
ONLY_PASSES = """engine = "portfolio"

[[stage]]
pass = "simplify"
worker = false

[[stage.stage]]
pass = "merge"

[[stage.stage.stage]]
engine = "exhaust"
set.exhaust.max-steps = 0
"""
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


def loops(size):
    """Loops that follow each other, each with a variable of its own."""
    declarations = "\n".join(f"  int v{i} = 0;" for i in range(size))
    steps = "\n".join(f"    while (v{i} < {i % 50 + 10} && input()) v{i} += {i % 3 + 1};\n    if (input()) v{i} = v{(i * 7 + 1) % size};" for i in range(size))
    return "int main(void) {\n" + declarations + "\n  while (1) {\n    assert(v0 != 777777);\n" + steps + "\n  }\n}\n"


def table(size):
    """A table of constants, and accesses at many places."""
    entries = ", ".join(str((i * 7919) % 1000) for i in range(size))
    steps = "\n".join(f"    x += (unsigned)table[(x + {i}u) % {size}u];" for i in range(size))
    return f"static const int table[{size}] = {{ {entries} }};\nint main(void) {{\n  unsigned x = 0;\n  while (1) {{\n    assert(x != 777777);\n{steps}\n  }}\n}}\n"


SHAPES = {"machine": machine, "calls": calls, "variables": variables, "loops": loops, "table": table}


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
    """The edges of a program, and CPU time and memory of reading it and of the passes as well; `None` if a command fails."""
    program, automaton, passes = (os.path.join(folder, name) for name in ("program.c", "program.cfa", "passes.toml"))
    with open(program, "w", encoding="utf-8") as file:
        file.write(HEADER + SHAPES[shape](size))
    with open(passes, "w", encoding="utf-8") as file:
        file.write(ONLY_PASSES)
    read = measure([thetis, "convert", program, "--to", "cfa", "--quiet"], automaton)
    edges = num_edges(automaton)
    passed = measure([thetis, "check", program, "--config", passes, "--quiet", "--time", f"{TIME_LIMIT}s"], os.devnull)
    return edges, None if read is None or passed is None else (*read, *passed)


def exponent(first, last, base, column):
    values = [max(figures[column] - base[column], 0.001) for _, figures in (first, last)]
    return math.log(values[1] / values[0]) / math.log(last[0] / first[0])


def measure_shape(thetis, shape, all_edges, folder):
    """Prints the rows of a shape and returns them."""
    edges_each = row(thetis, shape, 100, folder)[0] / 100
    base = row(thetis, shape, 1, folder)[1]
    rows = []
    for edges in all_edges:
        found, figures = row(thetis, shape, max(1, round(edges / edges_each)), folder)
        if figures is None:
            print(f"| {shape} | {found:,} | failed | | | |", flush=True)
            continue
        rows.append((found, figures))
        read_time, read_memory, time, memory = figures
        print(f"| {shape} | {found:,} | {read_time:.2f} s | {read_memory:.0f} MB | {time:.2f} s | {memory:.0f} MB |", flush=True)
    if len(rows) > 1 and base is not None:
        tenth = next((row for row in reversed(rows) if 9 * row[0] <= rows[-1][0]), rows[0])
        exponents = " | ".join(f"{exponent(tenth, rows[-1], base, column):.2f}" for column in range(4))
        print(f"| {shape}, exponent | | {exponents} |", flush=True)
    return rows


COLORS = ["#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e"]
GREY, LEFT, TOP, SIDE, GAP = "#dddddd", 70, 50, 340, 90


def panel(number, title, unit, series):
    """A diagram with logarithmic axes: lines of `(edges, value)` by shape."""
    left = LEFT + number * (SIDE + GAP)
    points = [point for line in series.values() for point in line]
    lows = [math.floor(math.log10(min(point[axis] for point in points))) for axis in (0, 1)]
    highs = [math.ceil(math.log10(max(point[axis] for point in points))) for axis in (0, 1)]

    def place(x, y):
        across, up = ((math.log10(value) - low) / max(high - low, 1) for value, low, high in zip((x, y), lows, highs))
        return f"{left + SIDE * across:.1f}", f"{TOP + SIDE * (1 - up):.1f}"

    parts = [f'<text x="{left}" y="30" font-size="13">{title}</text>']
    for power in range(lows[1], highs[1] + 1):
        x, y = place(10 ** lows[0], 10**power)
        parts.append(f'<line x1="{x}" y1="{y}" x2="{left + SIDE}" y2="{y}" stroke="{GREY}"/><text x="{left - 6}" y="{float(y) + 4:.1f}" font-size="12" text-anchor="end">{10**power:,g} {unit}</text>')
    for power in range(lows[0], highs[0] + 1):
        x, y = place(10**power, 10 ** lows[1])
        parts.append(f'<line x1="{x}" y1="{TOP}" x2="{x}" y2="{y}" stroke="{GREY}"/><text x="{x}" y="{TOP + SIDE + 18}" font-size="12" text-anchor="middle">{10**power:,}</text>')
    # What is linear is parallel to this line.
    last = max(points)
    ratio = max(10 ** lows[0] / last[0], 10 ** lows[1] / last[1])
    (x1, y1), (x2, y2) = place(last[0] * ratio, last[1] * ratio), place(*last)
    parts.append(f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke="#888888" stroke-dasharray="5 4"/>')
    for color, line in zip(COLORS, series.values()):
        parts.append(f'<polyline fill="none" stroke="{color}" stroke-width="2" points="{" ".join(",".join(place(*point)) for point in line)}"/>')
    return parts


def draw(rows_by_shape, path):
    """Time and memory of reading and passes over the number of edges."""
    series = [{shape: [(edges, figures[column]) for edges, figures in rows] for shape, rows in rows_by_shape.items() if rows} for column in (2, 3)]
    width, height = LEFT + 2 * SIDE + GAP + 40, TOP + SIDE + 70
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" font-family="\'DejaVu Sans\', Verdana, sans-serif" fill="#222222">']
    parts.append('<rect width="100%" height="100%" fill="#ffffff"/>')
    parts += panel(0, "CPU time of front end and passes, by edges", "s", series[0]) + panel(1, "peak memory, by edges", "MB", series[1])
    for number, (color, shape) in enumerate(zip([*COLORS, "#888888"], [*series[0], "linear"])):
        x, y = LEFT + 120 * number, TOP + SIDE + 50
        parts.append(f'<line x1="{x}" y1="{y - 4}" x2="{x + 20}" y2="{y - 4}" stroke="{color}" stroke-width="2"/><text x="{x + 26}" y="{y}" font-size="12">{shape}</text>')
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join([*parts, "</svg>", ""]))


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("thetis")
    arguments.add_argument("--edges", type=int, nargs="+", default=[1000, 3000, 10_000, 30_000, 100_000])
    arguments.add_argument("--shape", choices=list(SHAPES), action="append")
    arguments.add_argument("--svg", help="draw time and memory into this file")
    options = arguments.parse_args()
    print("| shape | edges | read: CPU time | memory | read and passes: CPU time | memory |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        rows_by_shape = {shape: measure_shape(options.thetis, shape, options.edges, folder) for shape in options.shape or SHAPES}
    if options.svg and any(rows_by_shape.values()):
        draw(rows_by_shape, options.svg)
    sys.exit(any(len(rows) < len(options.edges) for rows in rows_by_shape.values()))


if __name__ == "__main__":
    main()
