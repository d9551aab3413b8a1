#!/usr/bin/env python3
"""Checks functions of small C libraries that packages of crates.io bring with them.

    contrib/libraries.py [--thetis PROGRAM] [--time 20s] [NAME...]

The packages are fetched by `cargo vendor` into a temporary folder and are removed afterwards. Each function is checked by itself
(`--function`) for arithmetic that has no meaning in C; whether its accesses are valid depends on what its callers promise, which
nobody has written down, so that is not asked. The table goes to standard output as Markdown. The exit code is 3 if the packages cannot be had.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import time

PROPERTIES = ["no-overflow", "no-division-by-zero", "valid-shift"]

# Package, version, licence of the C sources, file, functions.
LIBRARIES = {
    "xxhash": ("xxhash-sys", "0.1.0", "BSD-2-Clause", "xxHash/xxhash.c",
               ["XXH32", "XXH32_reset", "XXH32_canonicalFromHash", "XXH64_reset"]),
    "fastlz": ("fastlz-sys", "0.1.0", "MIT", "fastlz/fastlz.c",
               ["fastlz_decompress", "fastlz1_decompress", "fastlz2_decompress"]),
    "lzf": ("lzf-sys", "0.1.1", "BSD-2-Clause", "source/lzf_d.c", ["lzf_decompress"]),
    "micro-ecc": ("micro-ecc-sys", "0.3.2", "BSD-2-Clause", "micro-ecc/uECC.c",
                  ["uECC_vli_isZero", "uECC_vli_testBit", "uECC_vli_numBits", "uECC_vli_set", "uECC_vli_rshift1",
                   "uECC_vli_add", "uECC_vli_sub"]),
}


def fetch(folder, names):
    """Puts the sources of the packages into folder/vendor."""
    (folder / "src").mkdir()
    (folder / "src/lib.rs").write_text("")
    packages = "".join(f'{LIBRARIES[name][0]} = "={LIBRARIES[name][1]}"\n' for name in names)
    manifest = '[package]\nname = "libraries"\nversion = "0.0.0"\nedition = "2021"\n[workspace]\n[dependencies]\n'
    (folder / "Cargo.toml").write_text(manifest + packages)
    vendor = subprocess.run(["cargo", "vendor", "--quiet"], cwd=folder, capture_output=True, text=True)
    if vendor.returncode != 0:
        print(f"libraries: the packages cannot be had: {vendor.stderr.strip().splitlines()[-1:]}", file=sys.stderr)
        sys.exit(3)


def check(thetis, file, function, limit):
    """The outcomes of all properties of a function: holds, fails or unknown, with words."""
    properties = [word for name in PROPERTIES for word in ("--property", name)]
    command = [thetis, "check", str(file), "--function", function, "--pointers", "array:8", "--time", limit]
    run = subprocess.run(command + properties + ["--format", "json"], capture_output=True, text=True)
    if run.returncode not in (0, 5, 10):
        return [("rejected", run.stderr.strip().splitlines()[0] if run.stderr.strip() else "")]
    words = {"safe": "holds", "unsafe": "fails", "unknown": "unknown"}
    outcomes = []
    for one in json.loads(run.stdout)["checks"]:
        report = one["report"]
        place = report["steps"][-1] if report.get("steps") else None
        where = f"{pathlib.Path(place['file']).name}:{place['line']}: " if place else ""
        outcomes.append((words[report["verdict"]], where + report.get("message", "")))
    return outcomes


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--thetis", default="target/release/thetis")
    parser.add_argument("--time", default="20s", help="for all properties of a function")
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(LIBRARIES))
    arguments = parser.parse_args()
    thetis = str(pathlib.Path(arguments.thetis).resolve())
    names = arguments.names or list(LIBRARIES)
    print("| library | licence | function | " + " | ".join(PROPERTIES) + " | seconds |")
    print("|---|---|---|" + "---|" * len(PROPERTIES) + "---|")
    remarks = []
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        fetch(folder, names)
        for name in names:
            package, version, licence, path, functions = LIBRARIES[name]
            for function in functions:
                start = time.monotonic()
                outcomes = check(thetis, folder / "vendor" / package / path, function, arguments.time)
                seconds = time.monotonic() - start
                cells = " | ".join(word for word, _ in outcomes)
                print(f"| {name} ({package} {version}) | {licence} | `{function}` | {cells} | {seconds:.1f} |", flush=True)
                remarks += [f"* `{function}`: {text}" for word, text in outcomes if word != "holds"]
    print("\n" + "\n".join(dict.fromkeys(remarks)))


if __name__ == "__main__":
    main()
