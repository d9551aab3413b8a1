#!/usr/bin/env python3
"""Which stage of `auto` answers, and how soon?

    contrib/stages.py RESULTS.jsonl

Prints a table in Markdown: for each stage the number of right answers it gave, and the median, the ninth decile and the
greatest of the wall times at which the whole run ended. Stages before the hope that nothing wraps around is given up have a prefix.
"""
import collections, json, sys

ENGINES = {"exhaust", "summaries", "simulate", "bmc", "cells", "kind", "horn", "ice", "cegar", "ic3"}


def stages(part, prefix=""):
    """The engines that were asked, in order, from the statistics of a run."""
    if part["name"] in ENGINES:
        yield prefix + part["name"]
        return
    if part["name"] == "without wraps":
        prefix = "without wraps: "
    for inner in part["parts"]:
        yield from stages(inner, prefix)


def main():
    times = collections.defaultdict(list)
    with open(sys.argv[1]) as file:
        for row in map(json.loads, file):
            asked = list(stages(row["statistics"])) if row.get("statistics") else []
            if asked and row["outcome"] == "correct":
                times[asked[-1]].append(row["wall-seconds"])
    print("| stage | answers | median | nine in ten within | slowest |\n| --- | ---: | ---: | ---: | ---: |")
    for stage, seconds in sorted(times.items(), key=lambda item: -len(item[1])):
        seconds.sort()
        figures = (seconds[len(seconds) // 2], seconds[len(seconds) * 9 // 10], seconds[-1])
        print(f"| {stage} | {len(seconds)} | " + " | ".join(f"{value:.2f} s" for value in figures) + " |")


main()
