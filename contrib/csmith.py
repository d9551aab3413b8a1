#!/usr/bin/env python3
"""Compares Thetis with gcc on random programs of csmith.

Csmith (Yang, Chen, Eide, Regehr: Finding and Understanding Bugs in C Compilers, 2011) writes programs without undefined
behaviour that end with a checksum of their variables. Each is compiled and run; then Thetis is asked about two versions:

  same     calls reach_error if the checksum is another one than that of gcc: must not be unsafe
  differ   calls reach_error if the checksum is that of gcc: must not be safe

Csmith's own checksum, a CRC, would be most of the work; a simple one takes its place.

    apt install csmith libcsmith-dev
    contrib/csmith.py --thetis target/release/thetis --first 1 --count 100 --jobs 2 --time 20 --out results.jsonl
    contrib/csmith.py --keep FOLDER ...                        keeps the programs that are answered wrongly

Where csmith is not installed the script says so and ends with status 0; the status is 1 if an answer is wrong.
"""
import argparse, collections, concurrent.futures, json, os, random, shutil, subprocess, sys, tempfile

INCLUDE = "/usr/include/csmith"

HEADER = """\
#include <float.h>
#include <limits.h>
#include <stdint.h>
double fabs(double);
float fabsf(float);
double ldexp(double, int);
float ldexpf(float, int);
int printf(const char *, ...);
#define STATIC static
#define UNDEFINED(x) (x)
#define LOG_INDEX
#define LOG_EXEC
#define FUNC_NAME(x) (safe_##x)
#include "{include}/safe_math.h"
void reach_error(void) {{ }}
static uint32_t crc32_context = 1;
static void crc32_gentab(void) {{ }}
static void platform_main_begin(void) {{ }}
static void transparent_crc(uint64_t value, char *name, int flag) {{
    crc32_context = crc32_context * 31 + (uint32_t)value;
    crc32_context = crc32_context * 31 + (uint32_t)(value >> 32);
}}
static void transparent_crc_bytes(char *bytes, int number, char *name, int flag) {{
    for (int i = 0; i < number; i++) crc32_context = crc32_context * 31 + (unsigned char)bytes[i];
}}
static void platform_main_end(uint32_t checksum, int flag) {{
#ifdef SHOW
    printf("%u\\n", checksum);
#elif defined(SAME)
    if (checksum != EXPECTED) reach_error();
#else
    if (checksum == EXPECTED) reach_error();
#endif
}}
"""

VERDICTS = {0: "safe", 10: "unsafe", 5: "unknown", 2: "rejected"}
WRONG = {"same": "unsafe", "differ": "safe"}


def size_of(seed):
    """Options of csmith: small programs of different kinds."""
    choice = random.Random(seed)
    options = ["--no-argc", "--concise", "--seed", str(seed)]
    options += ["--max-funcs", str(choice.randint(1, 3)), "--max-block-size", str(choice.randint(1, 3))]
    options += ["--max-block-depth", str(choice.randint(1, 2)), "--max-expr-complexity", str(choice.randint(2, 5))]
    options += ["--max-array-dim", str(choice.randint(1, 2)), "--max-array-len-per-dim", str(choice.randint(2, 4))]
    options += ["--max-struct-fields", "4", "--max-union-fields", "3"]
    options += choice.choice([[], ["--no-volatiles"]]) + choice.choice([[], ["--float"]])
    return options + choice.choice([[], ["--no-packed-struct"]])


def checksum_of(path, folder):
    """What the compiled program prints, if the compiler agrees with itself and the program ends."""
    found = set()
    for level in ("-O0", "-O2"):
        binary = os.path.join(folder, "program")
        command = ["gcc", "-w", level, "-fwrapv", "-DSHOW", path, "-o", binary]
        if subprocess.run(command, capture_output=True).returncode != 0:
            return None
        try:
            ended = subprocess.run([binary], capture_output=True, text=True, timeout=5, stdin=subprocess.DEVNULL)
        except subprocess.TimeoutExpired:
            return None
        found.add(ended.stdout.strip().splitlines()[-1] if ended.returncode == 0 and ended.stdout else "")
    return int(found.pop()) if len(found) == 1 and "" not in found else None


def ask(options, path):
    command = [options.thetis, "check", path, "--property", "unreach-call", "--time", f"{options.time}s", *options.rest]
    try:
        ended = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=3 * options.time + 20)
    except subprocess.TimeoutExpired:
        return "unknown", "does not stop in time"
    verdict = VERDICTS.get(ended.returncode, f"status {ended.returncode}")
    errors = [line for line in ended.stderr.splitlines() if "error" in line or "panicked" in line]
    return verdict, ended.stdout.strip() if verdict == "unknown" else " ".join(errors[:1])


def compare(options, seed):
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        made = subprocess.run(["csmith", *size_of(seed)], capture_output=True, text=True, cwd=folder)
        header, path = os.path.join(folder, "csmith.h"), os.path.join(folder, f"seed{seed}.c")
        with open(header, "w") as file:
            file.write(HEADER.format(include=INCLUDE))
        text = made.stdout.replace('#include "csmith.h"', f'#include "{header}"')
        with open(path, "w") as file:
            file.write(text)
        checksum = checksum_of(path, folder)
        if made.returncode != 0 or checksum is None:
            return [{"seed": seed, "version": "none", "verdict": "skipped", "reason": "no checksum"}]
        for version in ("same", "differ"):
            asked = os.path.join(folder, f"{seed}-{version}.c")
            with open(asked, "w") as file:
                file.write(f"#define EXPECTED {checksum}u\n#define {version.upper()}\n{text}")
            verdict, reason = ask(options, asked)
            rows.append({"seed": seed, "version": version, "verdict": verdict, "reason": reason.replace(folder, "")})
            if verdict == WRONG[version] and options.keep:
                os.makedirs(options.keep, exist_ok=True)
                whole = subprocess.run(["gcc", "-E", "-P", asked], capture_output=True, text=True).stdout
                with open(os.path.join(options.keep, f"{seed}-{version}.i"), "w") as file:
                    file.write(whole)
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--thetis", default="target/release/thetis")
    parser.add_argument("--first", type=int, default=1, help="the first seed")
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--time", type=int, default=10, help="seconds for each question")
    parser.add_argument("--out", help="file for lines of JSON")
    parser.add_argument("--keep", help="folder for programs that are answered wrongly")
    parser.add_argument("rest", nargs="*", help="further arguments for `thetis check`, after `--`")
    options = parser.parse_args()
    options.thetis = os.path.abspath(options.thetis)
    if not shutil.which("csmith") or not os.path.isdir(INCLUDE):
        print("skipped: csmith is not installed (Debian: apt install csmith libcsmith-dev)")
        return 0
    counts, wrong = collections.Counter(), []
    out = open(options.out, "w") if options.out else None
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for rows in pool.map(lambda seed: compare(options, seed), range(options.first, options.first + options.count)):
            for row in rows:
                counts[row["version"], row["verdict"]] += 1
                if out:
                    print(json.dumps(row), file=out, flush=True)
                if row["verdict"] == WRONG.get(row["version"]):
                    wrong.append(row)
                    print(f"wrong: seed {row['seed']}, {row['version']}: {row['verdict']}", flush=True)
    for (version, verdict), number in sorted(counts.items()):
        print(f"{version:7} {verdict:10} {number}")
    print(f"{len(wrong)} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
