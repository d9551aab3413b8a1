#!/usr/bin/env python3
"""Plants translation bugs in the C front end, one at a time, and says which of them the tests notice.

Each bug of contrib/mutations.txt is a piece of text that occurs once in a file, and what takes its place. The bugs are planted
in a clone of the repository in a scratch folder; nothing here is changed. A bug that no test notices is a hole in the tests.

    contrib/mutations.py --scratch FOLDER                      all of them; FOLDER is made if it is not there
    contrib/mutations.py --scratch FOLDER --only 'shift|union'
    contrib/mutations.py --list                                only look whether each bug still fits its file

The tests are those of the crate of the front end, and with --edges also the programs of crates/thetis/tests/edges.
"""
import argparse, os, re, subprocess, sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


class Mutation:
    def __init__(self, text):
        lines = text.strip("\n").split("\n")
        self.name, self.file = lines[0].strip(), lines[1].strip()
        self.old = "\n".join(line[2:] for line in lines[2:] if line.startswith("- "))
        self.new = "\n".join(line[2:] for line in lines[2:] if line.startswith("+ "))

    def planted(self, root):
        """The text of the file with the bug; none if the bug does not fit."""
        with open(os.path.join(root, self.file)) as file:
            text = file.read()
        return text.replace(self.old, self.new) if text.count(self.old) == 1 else None


def mutations():
    with open(os.path.join(ROOT, "contrib/mutations.txt")) as file:
        text = re.sub(r"^#.*\n", "", file.read(), flags=re.M)
    return [Mutation(part) for part in re.split(r"\n\s*\n", text) if part.strip()]


def noticed(root, mutation, commands):
    """Which command notices the bug; `None` if none does."""
    path = os.path.join(root, mutation.file)
    with open(path) as file:
        original = file.read()
    try:
        with open(path, "w") as file:
            file.write(mutation.planted(root))
        for name, command in commands:
            ended = subprocess.run(command, cwd=root, capture_output=True, text=True, errors="replace")
            if "could not compile" in ended.stderr:
                return "not compiled"
            if ended.returncode != 0:
                return name
        return None
    finally:
        with open(path, "w") as file:
            file.write(original)


def clone(scratch):
    if not os.path.isdir(scratch):
        subprocess.run(["git", "clone", "--quiet", "--shared", ROOT, scratch], check=True)
        third_party = os.path.join(ROOT, "third_party")
        if os.path.isdir(third_party):
            os.symlink(third_party, os.path.join(scratch, "third_party"))
    return scratch


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scratch")
    parser.add_argument("--only", default="")
    parser.add_argument("--edges", action="store_true")
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    chosen = [mutation for mutation in mutations() if re.search(options.only, mutation.name)]
    if options.list or not options.scratch:
        stale = [mutation.name for mutation in chosen if mutation.planted(ROOT) is None]
        print(f"{len(chosen)} bugs, {len(stale)} do not fit:", *stale, sep="\n  ")
        return 1 if stale else 0
    root = clone(options.scratch)
    commands = [("thetis-c", ["cargo", "test", "--quiet", "-p", "thetis-c"])]
    if options.edges:
        commands.append(("edges", ["cargo", "test", "--quiet", "-p", "thetis", "--test", "edges"]))
    holes = []
    for mutation in chosen:
        if mutation.planted(root) is None:
            print(f"{mutation.name}: does not fit", flush=True)
            continue
        by = noticed(root, mutation, commands)
        print(f"{mutation.name}: {'noticed by ' + by if by else 'NOT NOTICED'}", flush=True)
        if by is None:
            holes.append(mutation.name)
    print(f"{len(holes)} of {len(chosen)} bugs are not noticed")
    return 1 if holes else 0


if __name__ == "__main__":
    sys.exit(main())
