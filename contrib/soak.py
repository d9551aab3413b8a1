#!/usr/bin/env python3
"""Runs `thetis check` again and again with random limits and signals, and looks at how each run ends.

    contrib/soak.py --runs 10000 target/release/thetis examples crates/thetis/tests

Every model file below the given folders is a candidate. A run gets a random time limit (1 ms to 2 s), perhaps a memory limit (20 MB to 1 GB),
a random engine or the default one, and sometimes a signal (INT, TERM or KILL) to itself or KILL to one of its children. It has to end within its limit
and two seconds more (`--slack` for busy machines) with a documented exit code, without a panic, and must leave neither processes nor
temporary files behind. Only a signal that comes while the system still loads the program, so that it does not listen yet, may end it (that is looked up in
`/proc`, not guessed by the time). Everything else is a finding, printed with the command; the exit status is 1 if there are any. `--seed`
repeats a series.
"""

import argparse
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ENDINGS = (".cfa", ".sts", ".system", ".aag", ".aig", ".net", ".pnml", ".c", ".smt2", ".xta", ".sol")
ENGINES = ["auto", "bmc", "kind", "imc", "ic3", "cegar", "horn", "simulate", "explicit", "state-equation", "zones", "exhaust"]
EXIT_CODES = {0, 1, 2, 5, 10}
SIGNALS = [signal.SIGINT, signal.SIGTERM, signal.SIGKILL]


def models(folders):
    for folder in folders:
        for parent, _, names in os.walk(folder):
            yield from (os.path.abspath(os.path.join(parent, name)) for name in sorted(names) if name.endswith(ENDINGS))


def descendants(pid):
    """The processes below `pid`, which may be gone."""
    found = []
    try:
        for task in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{task}/children") as children:
                for child in map(int, children.read().split()):
                    found += [child] + descendants(child)
    except OSError:
        pass
    return found


def is_alive(pid):
    try:
        with open(f"/proc/{pid}/stat") as stat:
            return stat.read().rsplit(")", 1)[1].split()[0] not in "ZX"
    except OSError:
        return False


def listens(pid, number):
    """Whether a process has a handler for a signal; a process that is gone needs none."""
    try:
        with open(f"/proc/{pid}/status") as status:
            caught = next(line.split()[1] for line in status if line.startswith("SigCgt"))
        return bool(int(caught, 16) >> (number - 1) & 1)
    except (OSError, StopIteration):
        return True


class Soak:
    def __init__(self, arguments):
        self.arguments = arguments
        self.random = random.Random(arguments.seed)
        self.files = list(models(arguments.folders))
        self.codes = {}
        self.findings = 0
        # Whether the last signal was sent before the program listened to it.
        self.early = False
        self.num_early = 0

    def finding(self, command, words):
        self.findings += 1
        print(f"finding: {words}: {' '.join(command)}", flush=True)

    def command(self):
        choose = self.random
        limit = 0.001 * 2000 ** choose.random()
        command = [self.arguments.thetis, "check", choose.choice(self.files), "--time", f"{max(1, int(limit * 1000))}ms"]
        if choose.random() < 0.5:
            command += ["--memory", f"{int(20 * 50 ** choose.random())}M"]
        if choose.random() < 0.6:
            command += ["--engine", choose.choice(ENGINES)]
        if choose.random() < 0.2:
            command += ["--format", choose.choice(["json", "sarif"])]
        return command, limit

    def disturb(self, process, limit):
        """Waits for the end, perhaps after a signal; returns what was sent to the process and all descendants that were seen."""
        kind = self.random.random()
        if kind > 0.4:
            return None, set()
        time.sleep(self.random.random() * limit)
        seen = descendants(process.pid)
        sent = None
        try:
            if kind < 0.1 and seen:
                os.kill(self.random.choice(seen), signal.SIGKILL)
            elif process.poll() is None:
                sent = self.random.choice(SIGNALS)
                self.early = not listens(process.pid, sent)
                process.send_signal(sent)
        except ProcessLookupError:
            pass
        return sent, set(seen)

    def run(self):
        command, limit = self.command()
        scratch = tempfile.mkdtemp(prefix="soak-")
        start = time.monotonic()
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=scratch,
                                   env=dict(os.environ, TMPDIR=scratch))
        sent, seen = self.disturb(process, limit)
        try:
            _, errors = process.communicate(timeout=limit + 2 + self.arguments.slack)
        except subprocess.TimeoutExpired:
            self.finding(command, f"still running after {time.monotonic() - start:.1f} s")
            process.kill()
            process.communicate()
            return
        code = process.returncode
        self.codes[code] = self.codes.get(code, 0) + 1
        if b"panicked" in errors or b"internal error" in errors:
            self.finding(command, "panic: " + errors.decode(errors="replace")[:300])
        elif sent and code == -sent and (sent == signal.SIGKILL or self.early):
            self.num_early += sent != signal.SIGKILL
        elif code not in EXIT_CODES:
            self.finding(command, f"exit code {code}: " + errors.decode(errors="replace")[-300:])
        time.sleep(0.05 if seen else 0)
        if survivors := [pid for pid in seen if is_alive(pid)]:
            time.sleep(1)
            if survivors := [pid for pid in survivors if is_alive(pid)]:
                self.finding(command, f"processes {survivors} are left")
        if sent != signal.SIGKILL and (left := os.listdir(scratch)):
            self.finding(command, f"files {left} are left")
        shutil.rmtree(scratch, ignore_errors=True)

    def all(self):
        if not self.files:
            sys.exit("no models were found")
        for number in range(self.arguments.runs):
            self.run()
            if (number + 1) % 100 == 0:
                print(f"{number + 1} runs, {self.findings} findings, exit codes {dict(sorted(self.codes.items()))}", flush=True)
        print(f"{self.arguments.runs} runs, {self.findings} findings, exit codes {dict(sorted(self.codes.items()))}, "
              f"{self.num_early} ended by a signal before they listened")
        return 1 if self.findings else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=10000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--slack", type=float, default=0, help="further seconds that a run may take on a busy machine")
    parser.add_argument("thetis", type=os.path.abspath)
    parser.add_argument("folders", nargs="+")
    return Soak(parser.parse_args()).all()


if __name__ == "__main__":
    sys.exit(main())
