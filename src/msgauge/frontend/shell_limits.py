"""Limits of the shell, the batch job or the container that end a command: told as such, with what raises them.

Loaded at the start, though it is needed at the end only: where no more files can be opened no module can be loaded.
"""

from __future__ import annotations

import errno
import traceback

from msgauge.errors import UsageError

_KEPT = "a run keeps what it measured: msgauge compare --resume RUN"
_NOT_MAPPED = ("failed to map segment", "cannot allocate memory")
"""How the loader says that a part of a library found no room in memory."""


def find_limit(error: Exception) -> UsageError | None:
    """The limit that an error which nobody expected comes from; None where it comes from none."""
    number = error.errno if isinstance(error, OSError) else None
    if number in (errno.EMFILE, errno.ENFILE):
        return UsageError("no more files can be opened here", remedy=f"raise the limit (ulimit -n 1024); {_KEPT}")
    if _lacks_memory(error) or number == errno.ENOMEM:
        return UsageError(
            "there is not enough memory here",
            remedy=f"raise the limit (ulimit -v unlimited, or that of the job); {_KEPT}",
        )
    if _starts_nothing(error):
        return UsageError("no more processes can be started here", remedy=f"raise the limit (ulimit -u); {_KEPT}")
    return None


def _lacks_memory(error: Exception) -> bool:
    return isinstance(error, MemoryError) or (
        isinstance(error, ImportError) and any(sign in str(error).lower() for sign in _NOT_MAPPED)
    )


def _starts_nothing(error: Exception) -> bool:
    """Whether a process or a thread was refused; any other call that would have to wait is a bug."""
    if isinstance(error, RuntimeError):
        return "can't start new thread" in str(error)
    frames = traceback.extract_tb(error.__traceback__)
    return isinstance(error, BlockingIOError) and bool(frames) and frames[-1].name == "_execute_child"
