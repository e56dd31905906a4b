"""What a command may write to its output: a rank that repeats an error for ever must not fill the disk of the samples.

For the keeper, so it imports the standard library alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

MOST_BYTES = 256 << 20
"""A command that writes more is ended."""
READABLE_BYTES = 4 << 20
"""Output that is longer is kept without its middle."""
_END_BYTES = 1 << 20
"""So much is kept of the beginning, and of the end."""


def is_flood(paths: Iterable[str]) -> bool:
    """Whether the files of output have more than ``MOST_BYTES`` bytes together."""
    return sum(map(_size, paths)) > MOST_BYTES


def shorten(path: str) -> None:
    """Leave the middle out of a file of more than ``READABLE_BYTES`` bytes, and say there how much; in place."""
    size = _size(path)
    if size <= READABLE_BYTES:
        return
    with suppress(OSError), Path(path).open("r+b") as file:
        file.seek(size - _END_BYTES)
        end = file.read()
        file.seek(_END_BYTES)
        file.write(b"\n... msgauge left out %d bytes here ...\n" % (size - 2 * _END_BYTES) + end)
        file.truncate()


def _size(path: str) -> int:
    """In bytes; of what is no file there: none."""
    with suppress(OSError):
        file = Path(path)
        return file.stat().st_size if file.is_file() else 0
    return 0
