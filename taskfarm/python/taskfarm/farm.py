"""Farm: an Executor whose tasks run on taskfarm workers, here and elsewhere."""

from __future__ import annotations

import os
import tempfile
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError, Executor, Future
from contextlib import suppress
from pathlib import Path
from typing import Any

from taskfarm import calls, errors
from taskfarm._core import Coordinator
from taskfarm.local import LocalWorkers
from taskfarm.stream import Stream

Outcome = tuple[int, int, bytes, int, int, bool]  # id, status, bytes, attempts, worker, redelivered


class Farm(Executor):
    """A coordinator with futures and streams.

    Args:
        url: where to listen; None makes a unix socket of this user's own.
        workers: so many workers are started on this computer and end with the farm.
        pickle: tasks are Python calls. Only over unix sockets or TLS, and workers must ask for it too. Without it
            tasks and results are bytes, and each worker has one function.
        options: of `tf_farm_options` (docs/reference.md).

    Raises:
        errors.Error: the address or an option is refused.
    """

    def __init__(self, url: str | None = None, *, workers: int = 0, pickle: bool = False, **options: Any) -> None:
        wanted = url if url is not None else f"unix://{_socket_path()}"
        authenticated = wanted.startswith("unix://") or bool(options.get("key_file") or options.get("certificate_file"))
        if pickle and not authenticated:
            raise errors.Error(
                errors.SECURITY,
                f"{wanted}: pickled calls are for unix sockets and TLS only, since unpickling runs code; "
                "use unix://, or give key_file",
            )
        self._core = Coordinator(wanted, options)
        self._pickles = pickle
        self._sinks: dict[int, Callable[[Outcome], None]] = {}
        self._lock = threading.Lock()  # of _sinks, so that a result never comes before its sink
        self._pump = threading.Lock()  # who has it takes results off the core
        self._changed = threading.Condition()
        self._functions: dict[Callable[..., Any], int] = {}
        self._thread: threading.Thread | None = None
        self._closed = False
        self._local = LocalWorkers(self._core.url, workers, pickle, options)

    @property
    def url(self) -> str:
        """Where workers connect."""
        return self._core.url

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """The future of fn(*args, **kwargs); without pickle `fn` is None and the one argument is bytes."""
        payload = self.encode(fn, args, kwargs)
        future = _TaskFuture(self._core)
        with self._lock:
            self._check_open()
            future.task_id = self._core.submit(payload, timeout_ms=0)
            if future.task_id:
                self._sinks[future.task_id] = future.take
        while not future.task_id:  # the high-water mark: results must leave first
            self._start_thread()
            time.sleep(0.001)
            with self._lock:
                future.task_id = self._core.submit(payload, timeout_ms=0)
                if future.task_id:
                    self._sinks[future.task_id] = future.take
        future.decode = self.decode
        self._start_thread()
        return future

    def map(
        self, fn: Callable[..., Any], *iterables: Iterable[Any], timeout: float | None = None, chunksize: int = 1
    ) -> Iterator[Any]:
        """Results in the order of the arguments; raises the first error. `chunksize` is accepted and not needed."""
        del chunksize  # a task costs microseconds, and one lost chunk would be many calls run twice
        return self.imap(fn, *iterables, timeout=timeout)

    def imap(
        self, fn: Callable[..., Any] | None, *iterables: Iterable[Any], timeout: float | None = None, **options: int
    ) -> Stream:
        """Results in the order of the arguments, as they become ready.

        Args:
            timeout: seconds from now after which waiting raises TimeoutError.
            options: `deadline_ms` of each task; `ahead`, how many tasks are submitted beyond those taken (4096).
        """
        return Stream(self, fn, iterables, ordered=True, timeout=timeout, **options)

    def imap_unordered(
        self, fn: Callable[..., Any] | None, *iterables: Iterable[Any], timeout: float | None = None, **options: int
    ) -> Stream:
        """Results as they come; arguments as of `imap`."""
        return Stream(self, fn, iterables, ordered=False, timeout=timeout, **options)

    def broadcast(self, key: str, data: bytes) -> None:
        """Gives every worker, now and later, these bytes under this key, before any task submitted afterwards."""
        self._core.broadcast(key, data)

    def stats(self) -> dict[str, int]:
        """Counters and states (docs/reference.md)."""
        return dict(self._core.stats())

    def workers(self) -> list[dict[str, Any]]:
        """One row for each worker."""
        return list(self._core.workers())

    def wait_for_workers(self, count: int, timeout: float = 30.0) -> None:
        """Until so many workers are connected.

        Raises:
            TimeoutError: they did not come.
        """
        end = time.monotonic() + timeout
        while self.stats()["workers"] < count:
            if time.monotonic() > end:
                raise TimeoutError(f"{count} workers wanted, {self.stats()['workers']} came to {self.url}")
            self.collect(10)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Ends the farm; with `wait` after the outstanding futures."""
        if self._closed:
            return
        if cancel_futures:
            for task_id in list(self._sinks):
                with suppress(errors.Error):
                    self._core.cancel(task_id, only_queued=True)
        while wait and self._sinks:
            self.collect(100)
        self._closed = True
        if self._thread is not None:
            self._thread.join()
        self._core.close(0)
        self._local.end()

    # For streams and futures.

    def encode(self, fn: Callable[..., Any] | None, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bytes:
        """The bytes of one task."""
        if self._pickles:
            if fn is None:
                raise TypeError("a farm with pickle=True needs a function")
            return calls.encode_call(self.function_number(fn), args, kwargs)
        if fn is not None or len(args) != 1 or kwargs:
            raise TypeError("without pickle=True the function is None and the one argument is bytes")
        return bytes(args[0])

    def decode(self, outcome: Outcome) -> Any:
        """The value of a finished task, or its error raised."""
        _, status, data, *_ = outcome
        if status == errors.DONE:
            return calls.pickle.loads(data) if self._pickles else data
        if status == errors.FAILED and self._pickles and data.startswith(calls.PICKLED):
            error, text = calls.pickle.loads(data[1:])
            error.add_note(f"on the worker:\n{text}")
            raise error
        if status == errors.FAILED:
            raise errors.TaskFailed(data.removeprefix(calls.TEXT).decode(errors="replace"))
        if status == errors.DEAD:
            raise errors.DeadLetter(data.decode(errors="replace"))
        if status == errors.EXPIRED:
            raise errors.DeadlineExceeded()
        raise CancelledError()

    def function_number(self, fn: Callable[..., Any]) -> int:
        """The number of the function's broadcast; made at its first use."""
        number = self._functions.get(fn)
        if number is None:
            data = calls.encode_function(fn)
            if not self._functions and (script := calls.main_script()) is not None:
                self._core.broadcast(calls.MAIN_KEY, script)
            number = self._functions[fn] = len(self._functions) + 1
            self._core.broadcast(calls.function_key(number), data)
        return number

    def submit_many(self, payloads: list[bytes], deadline_ms: int, sink: Callable[[Outcome], None]) -> range:
        """Submits as many of the payloads as the high-water mark allows, without waiting; their ids."""
        with self._lock:
            self._check_open()
            first, accepted = self._core.submit_many(payloads, deadline_ms, 0)
            ids = range(first, first + accepted)
            self._sinks.update(dict.fromkeys(ids, sink))
        return ids

    def cancel(self, ids: Iterable[int]) -> None:
        """Forgets these tasks; nobody waits for their results any more."""
        for task_id in ids:
            with self._lock:
                self._sinks.pop(task_id, None)
            if not self._closed:
                with suppress(errors.Error):
                    self._core.cancel(task_id)

    def collect(self, timeout_ms: int) -> None:
        """Takes results that are ready, or waits for the thread that does; each goes to its sink."""
        if self._pump.acquire(blocking=False):
            try:
                outcomes = self._core.next(1024, timeout_ms)
                if not outcomes:
                    return
                with self._lock:
                    taken = [(self._sinks.pop(outcome[0], None), outcome) for outcome in outcomes]
            finally:
                self._pump.release()
            for sink, outcome in taken:
                if sink is not None:
                    sink(outcome)
            with self._changed:
                self._changed.notify_all()
        else:
            with self._changed:
                self._changed.wait(min(timeout_ms, 50) / 1000)

    def _start_thread(self) -> None:
        if self._thread is None:
            self._thread = threading.Thread(target=self._serve, name="taskfarm", daemon=True)
            self._thread.start()

    def _serve(self) -> None:
        while not self._closed:
            self.collect(100)

    def _check_open(self) -> None:
        if self._closed:
            raise RuntimeError("the farm has been shut down")


class _TaskFuture(Future[Any]):
    """A future that can be cancelled while its task is queued."""

    def __init__(self, core: Coordinator) -> None:
        super().__init__()
        self._core = core
        self.task_id = 0
        self.decode: Callable[[Outcome], Any] = lambda outcome: outcome

    def cancel(self) -> bool:
        """True when the task will not run; False when a worker has it already."""
        if self.done():
            return self.cancelled()
        with suppress(errors.Error):
            if self._core.cancel(self.task_id, only_queued=True) == 0:
                return super().cancel()
        return False

    def take(self, outcome: Outcome) -> None:
        if outcome[1] == errors.CANCELLED and not self.cancelled():
            super().cancel()
        if not self.set_running_or_notify_cancel():
            return
        try:
            self.set_result(self.decode(outcome))
        except BaseException as error:
            self.set_exception(error)


def _socket_path() -> Path:
    folder = Path(os.environ.get("XDG_RUNTIME_DIR") or tempfile.gettempdir())
    return folder / f"taskfarm-{os.getpid()}-{os.urandom(4).hex()}.sock"


Results = deque[Outcome]
