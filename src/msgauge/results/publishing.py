"""A file is written whole or not at all, and what goes wrong is told with a remedy that fits who asked for the file."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from msgauge.errors import StoreError


def publish(path: Path, content: bytes) -> None:
    """Write a file of a run folder: beside it, to the disk, then renamed over it.

    Raises:
        StoreError: with the remedy for a full disk or a folder that cannot be written.
    """
    with store_errors(path):
        _replace(path, content)


def publish_output(path: Path, content: bytes) -> None:
    """The same with a file that the user named; a link stays one, and a device or a pipe is written to, never replaced.

    Raises:
        StoreError: with a remedy that does not speak of runs.
    """
    try:
        if path.exists() and not (path.is_file() or path.is_dir()):
            path.write_bytes(content)
        else:
            _replace(path.resolve(), content)
    except OSError as error:
        raise _output_error(path, error) from error


def make_output_folder(path: Path) -> None:
    """A folder that the user named for what is written; one that is there is as good.

    Raises:
        StoreError: it cannot be made.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _output_error(path, error) from error


def make_folder(path: Path) -> Path:
    """A folder of a run; one that is there is as good.

    Raises:
        StoreError: it cannot be made.
    """
    with store_errors(path):
        path.mkdir(parents=True, exist_ok=True)
    return path


@contextmanager
def store_errors(path: Path) -> Iterator[None]:
    """Turns an OSError into a StoreError that says what to do."""
    try:
        yield
    except OSError as error:
        raise StoreError(f"cannot write: {_why(error)}", where=str(path), remedy=_remedy(error, path)) from error


def _replace(path: Path, content: bytes) -> None:
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with beside.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


def _why(error: OSError) -> str:
    return os.strerror(error.errno) if error.errno else str(error)


def _remedy(error: OSError, path: Path) -> str:
    if error.errno in _FULL:
        return "make room on that disk, then go on with --resume; all launches that ended before are safe"
    if error.errno in _FORBIDDEN:
        return "name a folder that you may write to, e.g. with --runs FOLDER"
    if error.errno in _NO_FOLDER:
        return "a file, a link that leads nowhere or too long a name is in its way: name another, e.g. --runs FOLDER"
    return f"see whether {path.parent} is still there and its disk is in order"


def _output_error(path: Path, error: OSError) -> StoreError:
    if error.errno in _FULL:
        remedy = "make room on that disk, or name a file on another"
    elif error.errno == errno.EISDIR:
        remedy = f"name a file in it, e.g. {path / 'page.html'}"
    elif error.errno == errno.ENOENT:
        remedy = f"make the folder {path.parent} first, or name one that is there"
    else:
        remedy = "name a place that you may write to"
    return StoreError(f"cannot write: {_why(error)}", where=str(path), remedy=remedy)


_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_FORBIDDEN = (errno.EACCES, errno.EPERM, errno.EROFS)
_NO_FOLDER = (errno.EEXIST, errno.ENOTDIR, errno.ELOOP, errno.ENAMETOOLONG)
