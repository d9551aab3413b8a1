#!/usr/bin/env python3
"""What facts of an earlier run save on a changed program.

    contrib/versions.py THETIS [--engines ic3,kind,cegar,auto] [--cpu-time 20s]

For each pair of `crates/thetis/tests/versions` and each engine: checks the first version with `--facts-out`, then the second one without and with
`--facts`, and prints how many queries the solver was asked, as a table in Markdown.
"""
import argparse
import json
import pathlib
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDER = ROOT / "crates" / "thetis" / "tests" / "versions"


def parts(statistics, name):
    if statistics.get("name") == name:
        yield statistics
    for inner in statistics.get("parts", []):
        yield from parts(inner, name)


def check(args, program, engine, options):
    command = [args.thetis, "check", str(program), "--format", "json", "--engine", engine, "--externals", "svcomp", "--jobs", "1"]
    command += ["--cpu-time", args.cpu_time, "--time", "600s", *options]
    report = json.loads(subprocess.run(command, capture_output=True, text=True, check=False).stdout)
    solvers = parts(report.get("statistics", {}), "solver-z3")
    queries = sum(value for part in solvers for key, value in part["entries"] if key == "queries")
    return str(queries) if report["verdict"] == "safe" else f"{report['verdict']} ({queries})"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("thetis")
    parser.add_argument("--engines", default="ic3,kind,cegar,auto")
    parser.add_argument("--cpu-time", default="20s")
    args = parser.parse_args()
    print("| program | engine | first version | second, alone | second, with facts |\n| --- | --- | ---: | ---: | ---: |")
    for before in sorted(FOLDER.glob("*-before.c")):
        after = before.with_name(before.name.replace("-before", "-after"))
        for engine in args.engines.split(","):
            with tempfile.TemporaryDirectory() as folder:
                facts = f"{folder}/facts.json"
                first = check(args, before, engine, ["--facts-out", facts])
                alone = check(args, after, engine, [])
                informed = check(args, after, engine, ["--facts", facts])
                name = before.name.removesuffix("-before.c").replace("-", " ")
                print(f"| {name} | `{engine}` | {first} | {alone} | {informed} |", flush=True)


if __name__ == "__main__":
    main()
