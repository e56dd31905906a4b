"""The errors of the package, and the codes of taskfarm.h that they come from."""

from __future__ import annotations

from concurrent.futures import BrokenExecutor
from typing import Any

from taskfarm import _core

AGAIN, TIMEOUT, CLOSED, NOT_FOUND, BUSY, IDLE = 1, 2, 3, 4, 5, 6
INVALID, SYSTEM, SECURITY, PROTOCOL, TOO_BIG, NO_MEMORY, JOURNAL = -1, -2, -3, -4, -5, -6, -7
DONE, FAILED, DEAD, CANCELLED, EXPIRED = 0, 1, 2, 3, 4
REFUSED, BROKEN = 100, 101  # of this package: a call that was never sent; a task that nobody will do


class Error(Exception):
    """What the library refused: `code` is one of this module, the text says what, where, and a remedy."""

    def __init__(self, code: int, text: str) -> None:
        super().__init__(text)
        self.code = code

    def __reduce__(self) -> tuple[Any, ...]:
        return _read_again, (type(self), self.code, str(self)), self.__dict__


class TaskFailed(Error):
    """The worker's function raised; the text is its traceback."""

    def __init__(self, text: str) -> None:
        super().__init__(FAILED, text)


class RemoteTraceback(Exception):
    """The traceback on the worker, as text: the `__cause__` of an exception that came from there.

    As of concurrent.futures, whose class of this kind is private.
    """

    def __init__(self, tb: str) -> None:
        super().__init__(tb)
        self.tb = tb

    def __str__(self) -> str:
        return f'\n"""\n{self.tb}"""'


class DeadLetter(Error):
    """The task took down as many workers as it may; the text has a line for each attempt."""

    def __init__(self, reasons: str) -> None:
        super().__init__(DEAD, reasons)


class DeadlineExceeded(Error, TimeoutError):
    """The task had no result by its deadline."""

    def __init__(self) -> None:
        super().__init__(EXPIRED, "the task had no result by its deadline")


class BrokenFarm(Error, BrokenExecutor):
    """The farm can do no more tasks; the text says why. Of concurrent.futures it is what BrokenProcessPool is there."""

    def __init__(self, reason: str) -> None:
        super().__init__(SYSTEM, reason)


def _read_again(kind: type[Error], code: int, text: str) -> Error:
    """An error of another process; the subclasses' constructors take less than pickle would give them."""
    error = kind.__new__(kind, text)
    Error.__init__(error, code, text)
    return error


_core.set_error_type(Error)
