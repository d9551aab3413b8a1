#!/usr/bin/env python3
"""Bitwuzla as an SMT-LIB process: commands on standard input, answers on standard output.

The Bitwuzla wheel brings a Python module and no program. Its parser executes SMT-LIB commands,
so this driver only cuts the input into commands and makes the answers dependable for a client
that talks over a pipe:

* every answer is complete and flushed before the next command is read;
* a command that has to answer but stayed silent, or failed halfway, yields one `(error "...")`;
* after an error the process ends with status 1 (`:error-behavior immediate-exit`), because the
  parser refuses to continue after one;
* `push`, `pop`, `:global-declarations`, `:print-success` and `get-info`, which the parser does not
  treat in the standard way between two calls, are handled here. `set-info` is accepted and ignored:
  a `:status` of one query must not be held against the next.

Arguments are options of Bitwuzla, for example `--sat-solver cadical` or `--time-limit-per=1000`.
The module is taken from `third_party/bitwuzla` of this repository (see `setup.sh`) or, failing
that, from the Python installation. `python3 bitwuzla-stdio.py < query.smt2` works as well.
"""

import ctypes
import os
import re
import signal
import sys

from smtlib_stream import commands

REPOSITORY = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
sys.path.insert(0, os.environ.get("BITWUZLA_PATH", os.path.join(REPOSITORY, "third_party", "bitwuzla")))

HEAD = re.compile(r"\(\s*([^\s()]+)\s*(\|[^|]*\||[^\s()]*)\s*([^\s()]*)")
COMMENT_OR_TEXT = re.compile(r'"[^"]*"|\|[^|]*\||(;[^\n]*)')

ANSWERING = {
    "check-sat", "check-sat-assuming", "echo", "get-model", "get-unsat-assumptions", "get-unsat-core",
    "get-value",
}
DECLARING = {"declare-const", "declare-fun", "declare-sort", "define-const", "define-fun", "define-sort"}


class Refused(Exception):
    """A command that this driver does not accept."""


def strip_comments(command):
    return COMMENT_OR_TEXT.sub(lambda match: " " if match.group(1) else match.group(), command)


class Capture:
    """Catches what the library writes to standard output, so that half an answer never gets out."""

    def __init__(self):
        self.libc = ctypes.CDLL(None)
        self.answers = os.dup(1)
        self.buffer = os.memfd_create("bitwuzla-answers")
        os.dup2(self.buffer, 1)

    def take(self):
        self.libc.fflush(None)
        size = os.lseek(1, 0, os.SEEK_CUR)
        if size == 0:
            return ""
        text = os.pread(self.buffer, size, 0).decode()
        os.lseek(1, 0, os.SEEK_SET)
        os.ftruncate(self.buffer, 0)
        return text

    def answer(self, text):
        data = text.encode()
        while data:
            data = data[os.write(self.answers, data):]


class Server:
    def __init__(self, bitwuzla, arguments):
        self.bitwuzla = bitwuzla
        self.arguments = arguments
        self.output = Capture()
        self.print_success = False
        self.reset()

    def reset(self):
        self.terms = self.bitwuzla.TermManager()
        options = self.bitwuzla.Options()
        if self.arguments:
            options.set_args(*self.arguments)
        self.options = options
        # Made with the first command that is not an option: the parser fixes its options when it starts.
        self.parser = None
        self.is_global = False
        # The text that declared each symbol, and the symbols declared on each open level.
        self.declared = {}
        self.levels = [set()]

    def serve(self, stream):
        """Answers until `(exit)`, the end of input or an error; returns the exit status."""
        for command in commands(stream):
            match = HEAD.match(strip_comments(command) if ";" in command else command)
            name, argument, value = match.groups() if match else ("", "", "")
            try:
                answer = self.execute(command, name, argument, value)
            except (Refused, self.bitwuzla.BitwuzlaException, ValueError) as error:
                self.output.take()
                message = str(error).replace('"', "'").replace("\n", " ")
                self.output.answer(f'(error "{message}")\n')
                return 1
            self.output.answer(answer)
            if name == "exit":
                return 0
        return 0

    def execute(self, command, name, argument, value):
        if name in ANSWERING:
            return self.ask(command, name)
        if name == "get-info":
            return self.info(argument)
        if name == "get-option":
            return "unsupported\n"
        if name == "set-option" and not self.set_option(argument, value):
            return "unsupported\n"
        if name == "reset":
            self.reset()
        elif name == "reset-assertions":
            self.reset_assertions(command)
        elif name == "push":
            self.push(int(argument or 1))
        elif name == "pop":
            self.pop(int(argument or 1))
        elif name in DECLARING:
            self.declare(command, argument)
        elif name not in ("set-info", "set-option", "exit"):
            self.run(command)
        return "success\n" if self.print_success else ""

    def run(self, command):
        """Lets Bitwuzla execute a command; returns what it printed."""
        if self.parser is None:
            self.start(has_logic=command.lstrip("( \t\n").startswith("set-logic"))
        self.parser.parse(command, False, False)
        return self.output.take()

    def start(self, has_logic):
        self.parser = self.bitwuzla.Parser(self.terms, self.options)
        if not has_logic:
            self.parser.parse("(set-logic ALL)", False, False)

    def ask(self, command, name):
        answer = self.run(command)
        if not answer.strip():
            raise Refused(f"no answer to {name} in this state")
        return answer

    def push(self, count):
        if self.parser is None:
            self.start(has_logic=False)
        self.parser.bitwuzla().push(count)
        self.levels.extend(set() for _ in range(count))

    def pop(self, count):
        if count >= len(self.levels):
            raise Refused(f"cannot pop {count} of {len(self.levels) - 1} levels")
        self.parser.bitwuzla().pop(count)
        self.close_levels(count)

    def close_levels(self, count):
        """Drops the declarations of the innermost levels, or keeps them if they are global."""
        closed = self.levels[len(self.levels) - count:]
        self.levels = self.levels[:len(self.levels) - count] or [set()]
        if self.is_global:
            self.levels[-1].update(*closed)

    def reset_assertions(self, command):
        """Empties the solver, which makes the parser forget its symbols: tell it the global ones again."""
        self.run(command)
        self.close_levels(len(self.levels))
        self.declared = {symbol: text for symbol, text in self.declared.items() if symbol in self.levels[0]}
        for text in self.declared.values():
            self.run(text)

    def declare(self, command, symbol):
        """Declares a symbol, once.

        The parser would forget its level between two calls, so levels live in the solver alone and
        the parser never forgets a symbol. A symbol of a closed level may come back with the same
        declaration: no assertion speaks of it any more, so the old one serves as a fresh one.
        """
        text = strip_comments(command)
        if any(symbol in level for level in self.levels):
            raise Refused(f"{symbol} is declared already")
        known = self.declared.get(symbol)
        if known is None:
            self.run(command)
            self.declared[symbol] = text
        elif known != text:
            raise Refused(f"{symbol} cannot change its declaration after a pop")
        self.levels[-1].add(symbol)

    def set_option(self, name, value):
        """Sets an option; false if nobody knows it."""
        if name == ":print-success":
            self.print_success = value == "true"
            return True
        is_ours = name == ":global-declarations"
        if not is_ours and not self.options.is_valid(name[1:]):
            return False
        if self.parser is not None:
            raise Refused(f"{name} has to be set before set-logic")
        if is_ours:
            self.is_global = value == "true"
        else:
            self.options.set_args(f"--{name[1:]}={value}")
        return True

    def info(self, key):
        answers = {
            ":name": '"Bitwuzla"',
            ":version": f'"{self.bitwuzla.version()}"',
            ":authors": '"the authors of Bitwuzla"',
            ":error-behavior": "immediate-exit",
            ":reason-unknown": "incomplete",
        }
        return f"({key} {answers[key]})\n" if key in answers else "unsupported\n"


def main():
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        import bitwuzla
    except ImportError as error:
        sys.exit(f"bitwuzla-stdio: the Bitwuzla module does not load ({error}); run ./setup.sh --all")
    try:
        server = Server(bitwuzla, sys.argv[1:])
    except bitwuzla.BitwuzlaException as error:
        sys.exit(f"bitwuzla-stdio: {error}")
    try:
        status = server.serve(sys.stdin)
    except BrokenPipeError:
        status = 0
    # Freeing the terms of a large session one by one is time nobody waits for.
    sys.stderr.flush()
    os._exit(status)


if __name__ == "__main__":
    main()
