"""Standard output and error that cannot end a command: closed, cut off, full, or of few letters.

A reader that has seen enough (``| head``), a terminal that went away and a stream that was closed are no errors: what
is said goes nowhere, and the command ends with its own exit code, as ``--fail-on`` promises. Without this rich ended it
with 1, which means a regression. Output that finds no room is an error with a remedy, said once.
"""

from __future__ import annotations

import codecs
import errno
import io
import os
import sys
from typing import TYPE_CHECKING, TextIO

from msgauge.errors import StoreError

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

ERRORS = "msgauge.plain"
"""Name of the rule for letters that the encoding of a stream lacks."""
PLAIN = {"µ": "u", "×": "x", "±": "+-", "–": "-", "—": "-", "−": "-", "─": "-", "•": "*", "…": "...", "→": "->"}
"""What stands for the letters of our own sentences there."""
_NOBODY_READS = (errno.EPIPE, errno.EIO, errno.EBADF)
_OUTPUT, _ERROR = 1, 2


def secure_streams() -> None:
    """Make both streams safe; what a test or a program put in their place stays as it is."""
    _open_closed()
    codecs.register_error(ERRORS, _plainly)
    if sys.stdout is sys.__stdout__:
        sys.stdout = _secure(sys.stdout, _OUTPUT)
    if sys.stderr is sys.__stderr__:
        sys.stderr = _secure(sys.stderr, _ERROR)


def _open_closed() -> None:
    """Descriptors that were closed lead nowhere: else the next file that is opened becomes standard output."""
    while (number := os.open(os.devnull, os.O_RDWR)) <= _ERROR:
        os.set_inheritable(number, True)
    os.close(number)


def _secure(stream: TextIO | None, number: int) -> TextIO:
    encoding = stream.encoding if stream is not None else "utf-8"
    if stream is not None:
        stream.flush()
    outlet = _Outlet(number)
    return io.TextIOWrapper(
        io.BufferedWriter(outlet),
        encoding=encoding,
        errors=ERRORS,
        line_buffering=number == _ERROR or outlet.isatty(),
        write_through=isinstance(stream, io.TextIOWrapper) and stream.write_through,
    )


class _Outlet(io.FileIO):
    """A descriptor that leads nowhere from the first write on that fails."""

    def __init__(self, number: int) -> None:
        super().__init__(number, "w", closefd=False)

    def write(self, content: ReadableBuffer, /) -> int:
        try:
            return super().write(content) or 0
        except OSError as error:
            self._lead_nowhere()
            if self.fileno() == _ERROR or error.errno in _NOBODY_READS:
                return len(memoryview(content))
            raise StoreError(
                f"cannot write the output: {error.strerror}",
                remedy="make room where it goes, or send it elsewhere; a run keeps what it measured: msgauge show",
            ) from error

    def _lead_nowhere(self) -> None:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, self.fileno())
        os.close(nowhere)


def _plainly(error: UnicodeError) -> tuple[str | bytes, int]:
    """Letters that an encoding lacks: our own by what is nearest, others escaped, as JSON would have them."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    letter = error.object[error.start]
    return PLAIN.get(letter, letter.encode("ascii", "backslashreplace").decode()), error.start + 1
