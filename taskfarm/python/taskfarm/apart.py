"""Work that Ctrl-C does not break off: Python gives its signals to the main thread alone."""

from __future__ import annotations

import _thread
import sys
import threading
from collections.abc import Callable


def run_apart(work: Callable[[], object]) -> None:
    """Does some work and waits for it; an exception of a signal's handler ends the waiting, and the work goes on.

    In the main thread, by one of its own. By what threading is made of: Thread.start() waits by methods of Python,
    where Ctrl-C can leave a lock taken for ever.
    """
    if sys.is_finalizing() or threading.current_thread() is not threading.main_thread():  # no thread begins any more
        work()
        return
    done = _thread.allocate_lock()
    done.acquire()

    def do() -> None:
        try:
            work()
        finally:
            done.release()

    try:
        _thread.start_new_thread(do, ())
    except RuntimeError:  # none can be started
        work()
        return
    done.acquire()
