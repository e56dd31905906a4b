"""What launchers and interpreters write at the end of every failed run: never the reason while the log has another."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import reduce

from attrs import frozen

_FRAME = re.compile(r"(?m)(?:^\s*[-=*]{8,}|[-=]{40,})\s*$")
"""What stands around a notice of a launcher; the first may stand behind a line of the program that has no end."""
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")


@frozen
class LogNoise:
    """Regular expressions of what says nothing."""

    lines: tuple[str, ...] = ()
    """Whole lines."""
    notices: tuple[str, ...] = ()
    """What a framed notice holds, its blanks and marks taken together, that only says that a rank has ended. Its group
    ``told`` is the reason where nothing else in the log is one."""

    def __or__(self, other: LogNoise) -> LogNoise:
        return LogNoise(self.lines + other.lines, self.notices + other.notices)


NO_NOISE = LogNoise()


def join_noise(*parts: LogNoise) -> LogNoise:
    """That of several together: of a stack that stands on any of several launchers."""
    return reduce(LogNoise.__or__, parts, NO_NOISE)


def find_reasons(log: str, noise: LogNoise) -> Iterator[str]:
    """What may be the reason of a failure: lines of a log, the last one first, then what its notices tell, in order."""
    told = []
    for block in reversed(_FRAME.split(_CONTROL.sub("", log))):
        text = " ".join(word for word in block.split() if word.strip("="))
        found = [match for notice in noise.notices if (match := re.search(notice, text))]
        if found:
            told += [match["told"] for match in found if match.groupdict().get("told")]
            continue
        for line in reversed(block.splitlines()):
            bare = line.strip()
            if bare.strip("-=*") and not any(re.fullmatch(one, bare) for one in noise.lines):
                yield bare
    yield from reversed(told)
