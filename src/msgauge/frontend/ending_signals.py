"""SIGTERM and SIGHUP end a command as Ctrl-C does: what was measured is analysed, and nothing that was started stays.

A batch system ends a job, ``timeout`` a command and a closed terminal its programs by them. At their default they ended
msgauge between two instructions: a compiler went on alone, and the run had no report.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

ENDING = (signal.SIGTERM, signal.SIGHUP)


@contextmanager
def take_ending_signals() -> Iterator[None]:
    """Within, they raise KeyboardInterrupt; one that is ignored (``nohup``) or handled already stays as it is."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    taken = [number for number in ENDING if signal.getsignal(number) is signal.SIG_DFL]
    try:
        for number in taken:
            signal.signal(number, _interrupt)
        yield
    finally:
        for number in taken:
            signal.signal(number, signal.SIG_DFL)


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt
