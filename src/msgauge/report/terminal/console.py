"""Where reports are printed: a terminal is as wide as it is, a pipe or a file has lines of any length."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterable
from typing import TextIO

from rich.console import Console

from msgauge.model import Notice
from msgauge.report.phrasing import plain

UNWRAPPED = 1000
"""Columns of what nobody's window cuts: no sentence is broken, no table is split."""


def make_console() -> Console:
    """A console on standard output; where that is no terminal, and no width is set, nothing is wrapped or padded.

    However wide COLUMNS says that it is: a line of that many blanks may have no room in memory.
    """
    if sys.stdout.isatty():
        console = Console(highlight=False)
        console.width = min(console.width, UNWRAPPED)
        return console
    width = min(shutil.get_terminal_size((UNWRAPPED, 24)).columns, UNWRAPPED)
    return Console(file=_Unpadded(sys.stdout), width=width, highlight=False)  # type: ignore[arg-type]


def print_warning(text: str) -> None:
    """A warning on standard error."""
    sys.stderr.write(f"warning: {text}\n")


def print_warnings(notices: Iterable[Notice]) -> None:
    """Warnings with their remedies on standard error, of commands that have no other place for them."""
    for one in notices:
        print_warning(plain(f"{one.message}\n  remedy: {one.remedy}"))


def print_note(text: str) -> None:
    """A line on standard error about what is going to happen."""
    sys.stderr.write(f"{text}\n")


class _Unpadded:
    """A text stream whose lines lose the spaces at their ends."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        self._stream.write("\n".join(line.rstrip(" ") for line in text.split("\n")))
        return len(text)

    def __getattr__(self, name: str) -> object:
        return getattr(self._stream, name)
