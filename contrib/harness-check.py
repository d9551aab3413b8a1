#!/usr/bin/env python3
"""Do harnesses really reach the error?

For every unsafe row of the named sets of a manifest: `thetis check --harness`, then gcc with the program and the harness,
then the compiled program, which must end with status 10. Prints one line for each row that does not get there, and a
summary.

    contrib/harness-check.py --thetis target/release/thetis --manifest DIR/manifest.csv --sets loops,locks --time 20s

ILP32 programs are compiled with -m32 where the compiler has a 32-bit C library, else as 64-bit programs, which is the same
for programs without `long` and pointers in numbers; the summary says which.
"""
import argparse, csv, os, subprocess, sys, tempfile

def have_m32(folder):
    probe = os.path.join(folder, "probe.c")
    with open(probe, "w") as file:
        file.write("int main(void) { return 0; }\n")
    return subprocess.run(["gcc", "-m32", probe, "-o", probe + ".out"], capture_output=True).returncode == 0

def run(command, seconds):
    try:
        return subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=seconds)
    except subprocess.TimeoutExpired:
        return None

def check(row, options, folder, m32):
    words = row["property"].split()
    path = os.path.join(os.path.dirname(options.manifest), row["path"])
    harness, program = os.path.join(folder, "harness.c"), os.path.join(folder, "program")
    for leftover in (harness, program):
        if os.path.exists(leftover):
            os.unlink(leftover)
    command = [options.thetis, "check", path, "--property", words[0], "--time", options.time, "--harness", harness]
    if words[-1] in ("ILP32", "LP64"):
        command += ["--data-model", words[-1]]
    answer = run(command, 120)
    if answer is None or answer.returncode != 10:
        return "no violation found", "" if answer is None else answer.stdout.strip()
    if not os.path.exists(harness):
        return "no harness", answer.stderr.strip().splitlines()[-1]
    # The instructions in the file, between the name of the compiler and that of the output.
    line = next(line for line in open(harness) if "gcc -w " in line)
    options_of_file = line.split("gcc -w ")[1].split("-o violation")[0].split()
    command = ["gcc", "-w", "-std=gnu11", "-fcommon"]
    command += [option for option in options_of_file if m32 or option != "-m32"]
    compiled = run(command + ["-x", "c", path, harness, "-lm", "-o", program], 60)
    if compiled is None or compiled.returncode != 0:
        return "not compiled", "" if compiled is None else compiled.stderr.strip()[:400]
    ended = run([program], 20)
    if ended is None:
        return "not reached", "the program does not end"
    if ended.returncode != 10:
        return "not reached", f"status {ended.returncode}, {ended.stderr.strip()[-200:]}"
    return "reached", ""

def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--thetis", required=True)
    parser.add_argument("--manifest", required=True)
    parser.add_argument("--sets", required=True)
    parser.add_argument("--time", default="20s")
    options = parser.parse_args()
    sets = options.sets.split(",")
    counts = {}
    with open(options.manifest) as file, tempfile.TemporaryDirectory() as folder:
        m32 = have_m32(folder)
        for row in csv.DictReader(file):
            if row["family"] != "c" or row["expected"] != "unsafe" or row["set"].split("/")[-1] not in sets:
                continue
            outcome, words = check(row, options, folder, m32)
            counts[outcome] = counts.get(outcome, 0) + 1
            if outcome != "reached":
                print(f"{outcome}: {row['path']}: {words}", flush=True)
    print(counts, "with -m32" if m32 else "without -m32", flush=True)
    return 0 if set(counts) <= {"reached", "no violation found"} else 1

if __name__ == "__main__":
    sys.exit(main())
