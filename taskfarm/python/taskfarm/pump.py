"""Pump: takes results off the coordinator, brings each to its sink, and knows when a farm ends or can do no more."""

from __future__ import annotations

import atexit
import logging
import math
import os
import pickle
import sys
import threading
import time
import weakref
from collections import deque
from collections.abc import Callable
from concurrent.futures import CancelledError
from contextlib import suppress
from typing import Any

from taskfarm import calls, errors
from taskfarm._core import Coordinator
from taskfarm.apart import run_apart
from taskfarm.bell import Bell
from taskfarm.future import Outcome, TaskFuture
from taskfarm.local import LocalWorkers

Sink = Callable[[Outcome], None]
SLICE_MS = 100  # how long a wait keeps a dead local worker waiting for its successor
LONGEST_WAIT_MS = 50  # for what another thread takes
LONELY_S, AWAY_S = 5, 1  # tasks without a worker; a program that looks no more often does other things
MOST_TROUBLES = 7  # errors of the coordinator in succession, with pauses that double: 1.3 s
JOURNAL_PAUSE_S = 0.02  # before a journal that cannot be written is tried again; the workers go on meanwhile
REMIND_EACH_S = 60.0
CANCEL_EACH_S = 0.1

logger = logging.getLogger(__name__)


class Pump:
    """What works while callers wait: in their own calls, and in a thread where somebody waits for a future.

    It does not know its farm, so a farm that is forgotten can end while its last tasks are done.

    Args:
        pickles: what tasks give back is pickled.
    """

    def __init__(self, core: Coordinator, local: LocalWorkers, pickles: bool) -> None:
        self.core = core
        self.local = local
        self.ending = False  # no tasks are taken any more
        self._cancel_at = math.inf  # what no worker has is cancelled then, and again while the farm ends
        self.closed = False
        self._end_lock = threading.RLock()  # never taken where a signal's handler may come
        self._end_begun = self._has_ended = False
        self.broken: str | None = None
        self._pickles = pickles
        self.streams: weakref.WeakSet[Any] = weakref.WeakSet()  # whose calls are for who takes their results
        self._process = os.getpid()
        self._exiting = False  # the program ends
        self._sinks: dict[int, Sink] = {}
        self._taken: deque[tuple[Sink, Outcome]] = deque()  # results on their way to their sinks
        self._delivering: set[int] = set()  # idents of the threads that bring them there
        # Of _sinks, so that a result never comes before its sink. Again by the same thread: a stream that is collected
        # as garbage takes its sinks out, whatever this thread is doing.
        self._lock = threading.RLock()
        self.bell = Bell()  # rings where results came to their sinks
        self._thread: threading.Thread | None = None
        self._server = 0  # the ident of that thread, while it works: its is_alive() is not safe from Ctrl-C
        self._troubles = 0
        self._remind_at = 0.0  # that the journal cannot be written
        self._looks_for_workers = not local.places  # whether any ever came
        self._lonely_at = self._looked_at = 0.0  # when tasks have waited long enough for one; the last look
        self._slice_ms = SLICE_MS if local.places else sys.maxsize
        _pumps.add(self)

    def check_open(self) -> None:
        """Raises: RuntimeError: no tasks are taken any more, or not of this process."""
        if self._foreign():
            raise RuntimeError("this farm is of the parent process; make another one after fork")
        if self.broken is not None:
            raise errors.BrokenFarm(self.broken)
        if self.ending:
            raise RuntimeError("cannot schedule new futures: the farm has been shut down")

    def submit(self, payload: bytes, future: TaskFuture) -> bool:
        """Whether the future's task is accepted; else the high-water mark is reached."""
        with self._lock:
            self.check_open()
            future.task_id = self.core.submit(payload, timeout_ms=0)
            if future.task_id:
                self._sinks[future.task_id] = future.take
        return future.task_id != 0

    def submit_many(self, payloads: list[bytes], deadline_ms: int, sink: Sink) -> range:
        """Submits as many of the payloads as the high-water mark allows, without waiting; their ids."""
        with self._lock:
            self.check_open()
            first, accepted = self.core.submit_to(self._sinks, sink, payloads, deadline_ms)
        return range(first, first + accepted)

    def forget(self, sink: Sink) -> None:
        """Cancels the tasks whose results go there. After Ctrl-C in the middle it may be called again for the rest.

        Those that have begun run to their end, and the farm does not end before.
        """
        if self._foreign():
            return
        with self._lock:
            ids = [task_id for task_id, other in self._sinks.items() if other is sink]
        self._recall(ids)

    def cancel_queued(self) -> None:
        """Takes no more tasks, and cancels what has not begun; who waits for it learns that by its result.

        A task whose worker dies later is one that no worker has then: perhaps none ever comes for it.
        """
        if self._foreign():
            return
        with self._lock:  # a task whose submission is under way is there afterwards, or refused
            self.ending = True
            ids = list(self._sinks)
        self._cancel_at = time.monotonic() + CANCEL_EACH_S
        for task_id in ids:
            with suppress(errors.Error):
                self.core.recall(task_id)

    def make_room(self, timeout_ms: int) -> None:
        """Takes results as `collect` does, for who submits at the high-water mark.

        In a callback they wait until it has returned: their own callbacks may submit too, and would nest without end.
        """
        self.collect(timeout_ms, deliver=threading.get_ident() not in self._delivering)

    def collect(self, timeout_ms: int, heard: threading.Lock | None = None, *, deliver: bool = True) -> None:
        """Takes results that are ready, or waits for the thread that does; each goes to its sink.

        Args:
            heard: of the bell, from before the caller looked whether there is anything to wait for.
            deliver: not left to who delivers some already.
        """
        heard = heard or self.bell.listen()
        if self._server not in (0, threading.get_ident()) and not self._foreign():
            # That thread alone finishes futures: Ctrl-C, which comes to the main thread, would leave one half finished.
            self.bell.wait(heard, min(timeout_ms, LONGEST_WAIT_MS) / 1000)
            return
        self._tend()
        if deliver:
            self._deliver()  # what an exception has left behind
        try:
            came = self.core.take(self._sinks, self._taken, self._lock, 1024, min(timeout_ms, self._slice_ms))
        except errors.Error as error:
            if not self.closed:  # else another thread has just ended the farm, and failed what was outstanding
                self._held_back(error)
            came = 0
        if came < 0:  # another thread is about it
            self.bell.wait(heard, min(timeout_ms, LONGEST_WAIT_MS) / 1000)
            return
        if self._looks_for_workers:
            self._look_for_workers()
        if came:
            self._journal_is_written()
        if self._taken and deliver:
            self._deliver()
            self.bell.ring()

    def tell_of_journal(self, error: errors.Error) -> None:
        """It cannot be written now; said once a minute, since those who wait for results see nothing else of it."""
        if time.monotonic() >= self._remind_at:
            self._remind_at = time.monotonic() + REMIND_EACH_S
            logger.warning("%s", error)

    def _journal_is_written(self) -> None:
        """Said where it was told that it cannot be: a result has come, which stands in it."""
        if self._remind_at > 0:
            self._remind_at = 0.0
            logger.warning("the journal is written again")

    def decode(self, outcome: Outcome) -> Any:
        """The value of a finished task, or its error raised."""
        if outcome[1] == errors.DONE:
            return pickle.loads(outcome[2]) if self._pickles else outcome[2]
        raise self.error_of(outcome)

    def error_of(self, outcome: Outcome) -> BaseException:
        """Of a task that ended otherwise than by its value. What is raised here is none of the task's."""
        _, status, data, *_ = outcome
        if status == errors.FAILED:
            return self._failure(data)
        if status == errors.DEAD:
            return errors.DeadLetter(data.decode(errors="replace"))
        if status == errors.EXPIRED:
            return errors.DeadlineExceeded()
        if status == errors.REFUSED:
            error: Exception = data
            return error
        if status == errors.BROKEN:
            return errors.BrokenFarm(data)
        return CancelledError()

    def break_down(self, reason: str) -> None:
        """The farm can do no more: every outstanding task ends with this reason."""
        with self._lock:
            if self.broken is None:
                self.broken = reason
            sinks = dict(self._sinks)
            self._taken.extend((sink, (i, errors.BROKEN, reason, 0, 0, False)) for i, sink in sinks.items())
            self._sinks.clear()  # and not another one: the core may be about to look into it
        self._cancel(list(sinks))
        self._deliver()
        self.bell.ring()

    def shutdown(self, wait: bool) -> None:
        """Ends the farm once its tasks are done; without `wait` a thread does that."""
        if self._foreign():
            return
        with self._lock:
            self.ending = True
        if self.closed and self._thread is None:
            self.close()  # which Ctrl-C may have broken off
            return
        if wait and self._thread is None:
            while self.turn():
                pass
            return
        thread = self.start_thread()
        if wait and thread is not threading.current_thread():
            thread.join()

    def start_thread(self) -> threading.Thread:
        """The thread that works while nobody calls."""
        if self._thread is None:
            with self._lock:
                if self._thread is None:
                    thread = threading.Thread(target=self._serve, name="taskfarm", daemon=True)
                    thread.start()
                    self._thread = thread
        return self._thread

    def turn(self) -> bool:
        """Works for a moment; False once the farm has ended."""
        over = False
        try:
            if time.monotonic() >= self._cancel_at:
                self.cancel_queued()
            over = self._over()
            if not over:
                self.collect(SLICE_MS)
            self._troubles = 0
        except Exception as error:
            self._trouble(error)
        if over:
            self.close()
        return not over and not self.closed

    def close(self) -> None:
        """Ends coordinator and local workers now; what has no result yet fails.

        Ctrl-C meanwhile stops none of that but the waiting for it, and who closes again waits again.
        """
        if self._has_ended:
            return
        with self._lock:
            self.closed = self.ending = True
        try:
            if self._sinks:
                self.break_down("the farm ended before this task was done")
        finally:
            run_apart(self._end)

    def _end(self) -> None:
        with self._end_lock:  # again by a farm that is collected as garbage here
            if self._end_begun:
                return
            self._end_begun = True
            self.core.close(0)
            self.local.end()
            self._has_ended = True

    def abandon(self) -> None:
        """Nobody can submit to the farm any more."""
        if self._foreign():
            return
        if self._thread is None:
            self.close()
        self.ending = True

    def end_with_program(self) -> None:
        """As concurrent.futures does it: what is outstanding is done, but only while somebody is there to do it."""
        self._exiting = True
        for stream in list(self.streams):  # nobody takes anything from them any more
            stream.close()
        self.shutdown(wait=True)

    def _foreign(self) -> bool:
        """In a child of fork: the farm is its parent's, and so are the threads that hold its locks for ever."""
        return self._process != os.getpid()

    def _over(self) -> bool:
        if not self.ending:
            return False
        if self._exiting and self._sinks and not self.local.places and self.core.stats()["workers"] == 0:
            return True
        return not self._sinks and not self._taken

    def _serve(self) -> None:
        self._server, going = threading.get_ident(), True
        while going:
            try:
                going = self.turn()
            except BaseException:  # of somebody's callback; whoever waits for a future depends on this thread
                logger.exception("an error in the thread of a farm")
        self._server = 0

    def _deliver(self) -> None:
        """Each result once, also when an exception such as Ctrl-C comes between two."""
        here = threading.get_ident()
        nested = here in self._delivering  # by a callback that waits for a result
        try:
            self._delivering.add(here)
            # Python looks for signals after a call, so one of popleft here, and its result, could be lost to Ctrl-C.
            for sink, outcome in iter(self._taken.popleft, None):
                try:
                    sink(outcome)
                except Exception:
                    logger.exception("the result of task %d could not be given to who waits for it", outcome[0])
        except IndexError:  # there is none, or another thread has it
            return
        finally:
            if not nested:
                self._delivering.discard(here)

    def _failure(self, data: bytes) -> BaseException:
        if not self._pickles:
            return errors.TaskFailed(data.decode(errors="replace"))
        if data.startswith(calls.UNPREPARED):
            reason = "a worker cannot be prepared:\n" + data[1:].decode(errors="replace")
            self.break_down(reason)
            return errors.BrokenFarm(reason)
        found = calls.decode_error(data)
        return found if isinstance(found, BaseException) else errors.TaskFailed(found)

    def _held_back(self, error: errors.Error) -> None:
        """Results that the journal does not have come when it can be written again; a program that ends waits no longer
        for them than for any coordinator in trouble, and its successor finds their tasks in the journal.

        Raises:
            errors.Error: the one given, where it is another one, or the program ends.
        """
        if error.code != errors.JOURNAL or self._exiting:
            raise error
        self.tell_of_journal(error)
        time.sleep(JOURNAL_PAUSE_S)

    def _recall(self, ids: list[int]) -> None:
        for task_id in ids:
            with self._lock:  # its result cannot come between
                if task_id in self._sinks:
                    self._sinks[task_id] = _ignore
                    with suppress(errors.Error):
                        if self.core.recall(task_id) == 0:  # it has ended
                            del self._sinks[task_id]

    def _cancel(self, ids: list[int]) -> None:
        for task_id in ids:
            with suppress(errors.Error):
                self.core.cancel(task_id)

    def _tend(self) -> None:
        self.local.tend()
        reason = self.local.broken()
        if reason is not None and self.broken is None and self.core.stats()["workers"] == 0:
            self.break_down(reason)

    def _look_for_workers(self) -> None:
        """Tells once where tasks wait for long and none ever came; none of this computer were asked for.

        Nobody comes in while nobody looks: the time of a program that did other things meanwhile does not count.
        """
        now = time.monotonic()
        if not self._sinks or now - self._looked_at > AWAY_S:
            self._lonely_at = now + LONELY_S
        elif now >= self._lonely_at:
            self._looks_for_workers = False
            if self.core.stats()["workers_joined"] == 0:
                remedy = f"start some (python -m taskfarm.worker {self.core.url}), or give workers=N"
                logger.warning("%d tasks wait, and no worker has come in %d s: %s", len(self._sinks), LONELY_S, remedy)
        self._looked_at = now

    def _trouble(self, error: Exception) -> None:
        """An error of the coordinator: it may pass, such as a want of memory; else nobody is left waiting."""
        if self.closed:
            return
        self._troubles += 1
        time.sleep(0.01 * 2 ** min(self._troubles, MOST_TROUBLES))
        if self._troubles == MOST_TROUBLES:
            self.break_down(f"no results can be had of the coordinator: {error}")


def _ignore(_: Outcome) -> None:
    """The sink of results that nobody wants any more."""


_pumps: weakref.WeakSet[Pump] = weakref.WeakSet()


@atexit.register
def _end_all() -> None:
    for pump in list(_pumps):
        pump.end_with_program()


def _end_with_child() -> None:
    """In a child of multiprocessing, which calls `threading._shutdown` and ends by `os._exit`: what `atexit` was told
    before its fork is not called there, of Python 3.11 and 3.12 nothing at all.
    """
    multiprocessing = sys.modules.get("multiprocessing.process")  # imported in its children
    if multiprocessing is None or multiprocessing.parent_process() is None:
        return
    try:
        threading.Thread(target=_end_last, name="taskfarm end").start()  # no daemon: it is waited for
    except RuntimeError:  # none can be started
        _end_all()


def _end_last() -> None:
    """As `atexit` has it: once the other threads have ended, which may submit until then."""
    here = (threading.main_thread(), threading.current_thread())
    while others := [one for one in threading.enumerate() if one not in here and one.is_alive() and not one.daemon]:
        others[0].join()
    _end_all()


threading._register_atexit(_end_with_child)  # type: ignore[attr-defined]  # as concurrent.futures has it
