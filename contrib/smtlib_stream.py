"""Cuts a stream of SMT-LIB text into commands, for drivers of solvers that have no program of their own."""

import re

# What matters for finding the end of a command: brackets, and what may hide brackets.
TOKEN = re.compile(r'[()]|"[^"]*"?|\|[^|]*\|?|;.*')


def commands(stream):
    """Yields the commands of a stream one by one, as soon as their last bracket has arrived."""
    parts, depth, quote = [], 0, None
    for line in stream:
        start = position = 0
        if quote is not None:
            end = line.find(quote)
            if end < 0:
                parts.append(line)
                continue
            position, quote = end + 1, None
        for match in TOKEN.finditer(line, position):
            token = match.group()
            if token == "(":
                if depth == 0:
                    start = match.start()
                depth += 1
            elif token == ")":
                depth -= 1
                if depth <= 0:
                    yield "".join(parts) + line[start:match.end()]
                    parts, depth, start = [], 0, match.end()
            elif token[0] in '"|' and (len(token) == 1 or token[-1] != token[0]):
                quote = token[0]
        if depth > 0:
            parts.append(line[start:])
    if depth > 0:
        yield "".join(parts)
