"""The errors of the package, and the codes of taskfarm.h that they come from."""

from __future__ import annotations

from taskfarm import _core

AGAIN, TIMEOUT, CLOSED, NOT_FOUND, BUSY, IDLE = 1, 2, 3, 4, 5, 6
INVALID, SYSTEM, SECURITY, PROTOCOL, TOO_BIG, NO_MEMORY = -1, -2, -3, -4, -5, -6
DONE, FAILED, DEAD, CANCELLED, EXPIRED = 0, 1, 2, 3, 4


class Error(Exception):
    """What the library refused: `code` is one of this module, the text says what, where, and a remedy."""

    def __init__(self, code: int, text: str) -> None:
        super().__init__(text)
        self.code = code


class TaskFailed(Error):
    """The worker's function raised; the text is its traceback."""

    def __init__(self, text: str) -> None:
        super().__init__(FAILED, text)


class DeadLetter(Error):
    """The task took down as many workers as it may; the text has a line for each attempt."""

    def __init__(self, reasons: str) -> None:
        super().__init__(DEAD, reasons)


class DeadlineExceeded(Error, TimeoutError):
    """The task had no result by its deadline."""

    def __init__(self) -> None:
        super().__init__(EXPIRED, "the task had no result by its deadline")


_core.set_error_type(Error)
