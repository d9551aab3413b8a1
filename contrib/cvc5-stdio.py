#!/usr/bin/env python3
"""cvc5 as an SMT-LIB process: commands on standard input, answers on standard output.

The cvc5 wheel brings a Python module and no program. Its parser executes SMT-LIB commands, so this driver
cuts the input into commands, and ends with status 1 after an `(error "...")`
(`:error-behavior immediate-exit`). Arguments are options of cvc5, for example `--nl-cov`.

The module is taken from `third_party/cvc5/module` of this repository (see `setup.sh`) or, failing that, from the
Python installation. `python3 cvc5-stdio.py < query.smt2` works as well.
"""

import os
import signal
import sys

from smtlib_stream import commands

REPOSITORY = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
sys.path.insert(0, os.environ.get("CVC5_PATH", os.path.join(REPOSITORY, "third_party", "cvc5", "module")))


class Server:
    def __init__(self, cvc5, arguments):
        self.language = cvc5.InputLanguage.SMT_LIB_2_6
        terms = cvc5.TermManager()
        self.solver = cvc5.Solver(terms)
        self.solver.setOption("incremental", "true")
        for argument in arguments:
            name, _, value = argument.lstrip("-").partition("=")
            self.solver.setOption(name, value or "true")
        self.symbols = cvc5.SymbolManager(terms)
        self.parser = cvc5.InputParser(self.solver, self.symbols)

    def serve(self, stream):
        """Answers until `(exit)`, the end of input or an error; returns the exit status."""
        for command in commands(stream):
            try:
                answer = self.execute(command)
            except RuntimeError as error:
                message = str(error).replace('"', "'").replace("\n", " ")
                answer = f'(error "{message}")\n'
            sys.stdout.write(answer)
            sys.stdout.flush()
            if answer.startswith("(error"):
                return 1
            if command.strip("() \t\n") == "exit":
                return 0
        return 0

    def execute(self, text):
        self.parser.setIncrementalStringInput(self.language, "stdin")
        self.parser.appendIncrementalStringInput(text)
        answers = []
        while not (command := self.parser.nextCommand()).isNull():
            answers.append(command.invoke(self.solver, self.symbols))
        return "".join(answers)


def main():
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        import cvc5
    except ImportError as error:
        print(f"cvc5-stdio: the Python module of cvc5 is missing ({error}); run ./setup.sh --all", file=sys.stderr)
        return 2
    return Server(cvc5, sys.argv[1:]).serve(sys.stdin)


if __name__ == "__main__":
    sys.exit(main())
