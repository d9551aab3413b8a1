#!/usr/bin/env python3
"""How many functions of contracts are translated and verified, in the four arithmetic encodings, and how long that takes.

  contrib/solidity-table.py --thetis PATH/thetis [--cpu-time 20s] FOLDER_OR_FILE...

Prints a table in Markdown. A function is verified if all its checks hold or some fail; the rest is out of time or undecided. Times are seconds of the processor
for each contract file, start of the program included. `--every N` takes only every N-th file.
"""

import argparse
import json
import pathlib
import resource
import statistics
import subprocess

MODES = ["int", "bv", "mod", "mod-overflow"]


def files(paths):
    for path in map(pathlib.Path, paths):
        yield from sorted(path.rglob("*.sol")) if path.is_dir() else [path]


def used():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def measure(thetis, path, mode, limit):
    """The functions of a file with their statuses, and the seconds; `None` if the file is rejected."""
    command = [thetis, "check", str(path), "--arithmetic", mode, "--format", "json", "--cpu-time", limit]
    start = used()
    run = subprocess.run(command, capture_output=True, text=True)
    seconds = used() - start
    try:
        return [function["status"] for function in json.loads(run.stdout)["functions"]], seconds
    except (ValueError, KeyError):
        return None, seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--thetis", default="thetis")
    parser.add_argument("--cpu-time", default="20s")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("paths", nargs="+")
    args = parser.parse_args()
    print("| arithmetic | files | rejected | functions | translated | verified | median s | 90 % s | all s |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|---:|")
    for mode in MODES:
        found = [measure(args.thetis, path, mode, args.cpu_time) for path in list(files(args.paths))[:: args.every]]
        statuses = [status for known, _ in found if known is not None for status in known]
        times = sorted(seconds for known, seconds in found if known is not None)
        cells = [
            mode,
            len(found),
            sum(known is None for known, _ in found),
            len(statuses),
            sum(status != "SKIPPED" for status in statuses),
            sum(status in ("OK", "ERROR") for status in statuses),
            f"{statistics.median(times):.2f}",
            f"{times[int(0.9 * (len(times) - 1))]:.2f}",
            f"{sum(times):.1f}",
        ]
        print("| " + " | ".join(map(str, cells)) + " |", flush=True)


if __name__ == "__main__":
    main()
