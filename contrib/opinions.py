#!/usr/bin/env python3
"""Measures what a second opinion costs: `thetis certify` with and without one, on the proofs of many models.

    contrib/opinions.py --opinion cvc5 --certificates 40 target/release/thetis ../shared/benchmarks/c examples tests/tasks

Every model below the folders is checked once (`--time` seconds at most). Proofs of `safe` with obligations that a solver has to decide are then certified in turn without
and with `--second-opinion`, `--rounds` times each, and the least CPU time (of all processes) and the least wall time of each count. The last lines have the medians of the
ratios, also for each kind of model, and how many obligations both solvers have decided.
"""

import argparse
import contextlib
import json
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time

ENDINGS = (".cfa", ".sts", ".c", ".i", ".xta", ".net", ".pnml", ".aag")


def models(folders, seed):
    found = [os.path.join(parent, name) for folder in folders for parent, _, names in os.walk(folder)
             for name in names if name.endswith(ENDINGS)]
    random.Random(seed).shuffle(found)
    return found


def used():
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return children.ru_utime + children.ru_stime


def measure(command):
    """CPU time, wall time, exit code and standard error of a command."""
    cpu, wall = used(), time.monotonic()
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    return used() - cpu, time.monotonic() - wall, done.returncode, done.stderr


def obligations(certificate):
    """How many obligations the certificate says that solvers have decided without a proof."""
    with open(certificate) as file:
        checked = json.load(file).get("checked", {})
    return checked.get("obligations", 0) - checked.get("proved", 0)


@contextlib.contextmanager
def ahead_of_others(wanted):
    """Lets commands that are started here have all cores that they can use, as on an idle machine."""
    if wanted:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(50))
    yield
    if wanted:
        os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))


def compare(arguments, model, certificate):
    plain = [arguments.thetis, "certify", model, certificate]
    second = plain + ["--second-opinion", arguments.opinion]
    times = {"plain": [], "second": []}
    for _ in range(arguments.rounds):
        for name, command in (("plain", plain), ("second", second)):
            with ahead_of_others(arguments.alone):
                cpu, wall, code, errors = measure(command)
            if code != 0:
                print(f"{model}: exit code {code} of {' '.join(command)}\n{errors}", flush=True)
                return None
            times[name].append((cpu, wall))
    cpu = [min(cpu for cpu, _ in times[name]) for name in ("plain", "second")]
    wall = [min(wall for _, wall in times[name]) for name in ("plain", "second")]
    grounds = next((line for line in errors.splitlines() if line.startswith("Obligations")), "")
    kind = model.rsplit(".", 1)[1]
    print(f"{cpu[1] / cpu[0]:5.2f} {wall[1] / wall[0]:5.2f}  {cpu[0] * 1000:5.0f} {cpu[1] * 1000:5.0f} ms  {model}  {grounds}", flush=True)
    return kind, cpu[1] / cpu[0], wall[1] / wall[0], cpu[1] - cpu[0], "alone" not in grounds


def summary(name, rows):
    cpu, wall = statistics.median(row[1] for row in rows), statistics.median(row[2] for row in rows)
    more = statistics.median(row[3] for row in rows) * 1000
    print(f"{name}: {len(rows)} certificates, median {cpu:.2f} x CPU time ({more:.0f} ms more), {wall:.2f} x wall time, "
          f"{sum(row[4] for row in rows)} confirmed as a whole")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--opinion", default="cvc5")
    parser.add_argument("--certificates", type=int, default=40)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--time", type=float, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--alone", action="store_true", help="measure with real-time priority, on a busy machine (needs its rights)")
    parser.add_argument("thetis")
    parser.add_argument("folders", nargs="+")
    arguments = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as scratch:
        certificate = os.path.join(scratch, "certificate.json")
        for model in models(arguments.folders, arguments.seed):
            if os.path.exists(certificate):
                os.remove(certificate)
            limit = ["--cpu-time", f"{arguments.time}s", "--time", f"{4 * arguments.time}s"]
            check = [arguments.thetis, "check", model, *limit, "--certificate", certificate]
            if measure(check)[2] == 0 and os.path.exists(certificate) and obligations(certificate) > 0:
                rows += [row] if (row := compare(arguments, model, certificate)) else []
            if len(rows) == arguments.certificates:
                break
    for kind in sorted({row[0] for row in rows}):
        summary(kind, [row for row in rows if row[0] == kind])
    summary("all", rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
