"""Farm: an Executor whose tasks run on taskfarm workers, here and elsewhere."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor
from functools import partial
from types import TracebackType
from typing import Any

from taskfarm import calls, errors
from taskfarm._core import Coordinator
from taskfarm.future import TaskFuture
from taskfarm.local import LocalWorkers, worker_command
from taskfarm.pickling import is_by_value, to_bytes
from taskfarm.pump import Pump
from taskfarm.socket_names import make_socket_name
from taskfarm.stream import Stream


class Farm(Executor):
    """A coordinator with futures and streams.

    Args:
        url: where to listen; None makes a unix socket of this user's own.
        workers: so many workers are started on this computer; they end with the farm, and are replaced when they die.
        pickle: tasks are Python calls. Only over unix sockets or TLS, and workers must ask for it too. Without it
            tasks and results are bytes, and each worker has one function.
        function: MODULE:NAME of that function for the local workers.
        initializer: called with `initargs` in each worker, here or elsewhere, before its first call; what it raises
            breaks the farm.
        options: of `tf_farm_options` (docs/reference.md).

    Raises:
        errors.Error: the address or an option is refused.
        TypeError: the initializer, or `initargs`, cannot be pickled.
        RuntimeError: a worker loads the program, whose script makes farms without asking for `__name__`.
    """

    def __init__(  # noqa: PLR0913 - keywords
        self,
        url: str | None = None,
        *,
        workers: int = 0,
        pickle: bool = False,
        function: str | None = None,
        initializer: Callable[..., object] | None = None,
        initargs: tuple[Any, ...] = (),
        **options: Any,
    ) -> None:
        if not isinstance(url, str | None):
            raise TypeError(f"url={url!r}: give text such as 'tcp://127.0.0.1:0', or None for a unix socket")
        calls.refuse_nested_program()
        wanted = url if url is not None else f"unix://{make_socket_name()}"
        _check_kind(workers, pickle, function, initializer)
        _check_room(workers, options)
        if pickle:
            _check_authenticated(wanted, options)
        script = calls.main_script() if pickle else None
        self._nameless = pickle and script is None
        self._encode = partial(calls.encode_call, nameless=self._nameless)
        prepares = None if initializer is None else self._encoded_initializer(initializer, initargs)
        self._core = Coordinator(wanted, options)
        self._pickles = pickle
        self._local = workers
        self._functions: dict[Callable[..., Any], int] = {}
        self._announcing = threading.Lock()  # of _functions: its members' broadcasts have gone out
        if pickle:
            self._core.broadcast(calls.ARGUMENTS_KEY, calls.program_arguments())
        if script is not None:
            self._core.broadcast(calls.MAIN_KEY, script)
        if prepares is not None:
            self._core.broadcast(calls.INITIALIZER_KEY, prepares)
        command = worker_command(self._core.url, options, None if pickle else function)
        local = LocalWorkers(command, workers)
        self.pump = Pump(self._core, local, pickle)
        try:
            local.tend()
        except BaseException:  # Ctrl-C: nobody will ever have this farm
            self.pump.close()
            raise

    @property
    def _max_workers(self) -> int:
        """The workers that are here, as both executors of Python have it: dask asks for it by this name."""
        return max(1, self.stats()["workers"], self._local)

    @property
    def url(self) -> str:
        """Where workers connect."""
        return self._core.url

    def submit(self, fn: Callable[..., Any] | None, /, *args: Any, **kwargs: Any) -> TaskFuture:
        """The future of fn(*args, **kwargs); without pickle `fn` is None and the one argument is bytes.

        What cannot be sent, since it cannot be pickled or is too big, is the future's error.

        Raises:
            errors.Error: the journal cannot be written now; the call is not accepted, and may be later.
            RuntimeError: the farm has been shut down, or (BrokenFarm) can do no more tasks.
        """
        self.pump.check_open()
        self._check_call(fn, 0 if kwargs else len(args))
        future = TaskFuture(self._core, self.pump.decode)
        try:
            payload = _bytes_of(args[0]) if fn is None else self._encode(self._named(fn), args, kwargs)
        except Exception as error:
            if isinstance(error, errors.Error) and error.code == errors.JOURNAL:  # of the function's broadcast
                raise
            future.set_exception(error)
            return future
        try:
            self.pump.start_thread()
            while not self.pump.submit(payload, future):  # the high-water mark: results must leave first
                self.pump.make_room(1)
        except errors.Error as error:
            if error.code != errors.TOO_BIG:
                raise
            future.set_exception(error)
        return future

    def map(
        self,
        fn: Callable[..., Any] | None,
        *iterables: Iterable[Any],
        timeout: float | None = None,
        chunksize: int = 1,
    ) -> Iterator[Any]:
        """Results in the order of the arguments.

        As of every Executor the calls are submitted here and now, and made even when nobody takes their results; the
        first error among the results is their end, and cancels the calls behind it. `imap` submits as results are
        taken, and goes on after an error. `chunksize` is accepted and not needed: a task costs microseconds, and one
        lost chunk would be many calls run twice.

        Raises:
            Exception: of the iterables, at once; the calls before it are made.
        """
        if chunksize < 1:
            raise ValueError("chunksize must be >= 1")
        if getattr(self.submit, "__func__", None) is not Farm.submit:  # somebody's own, who counts calls perhaps
            return super().map(fn, *iterables, timeout=timeout)  # type: ignore[arg-type]
        stream = Stream(self, fn, iterables, ordered=True, timeout=timeout, ahead=sys.maxsize, of_map=True)
        while not stream.submitted:  # the high-water mark
            self.pump.make_room(10)
            stream.fill()
        self.pump.start_thread()  # so that they are made while nobody waits for them
        if stream.broken_off is not None:
            raise stream.broken_off
        return stream

    def imap(
        self,
        fn: Callable[..., Any] | None,
        *iterables: Iterable[Any],
        timeout: float | None = None,
        ahead: int = 4096,
        deadline_ms: int = 0,
    ) -> Stream:
        """Results in the order of the arguments, as they become ready.

        Args:
            timeout: seconds from now after which waiting raises TimeoutError.
            ahead: how many tasks are submitted beyond those taken.
            deadline_ms: of each task, from its submission; 0: none.
        """
        return Stream(self, fn, iterables, ordered=True, timeout=timeout, ahead=ahead, deadline_ms=deadline_ms)

    def imap_unordered(
        self,
        fn: Callable[..., Any] | None,
        *iterables: Iterable[Any],
        timeout: float | None = None,
        ahead: int = 4096,
        deadline_ms: int = 0,
    ) -> Stream:
        """Results as they come; arguments as of `imap`."""
        return Stream(self, fn, iterables, ordered=False, timeout=timeout, ahead=ahead, deadline_ms=deadline_ms)

    def broadcast(self, key: str, data: bytes) -> None:
        """Gives every worker, now and later, these bytes under this key, before any task submitted afterwards.

        A worker's function reads them by `taskfarm.context(key)`.
        """
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
            BrokenFarm: the local ones cannot.
        """
        end = time.monotonic() + timeout
        self.pump.check_open()
        while self.stats()["workers"] < count:
            self.pump.check_open()
            if not time.monotonic() <= end:  # NaN is no time to wait
                raise TimeoutError(f"{count} workers wanted, {self.stats()['workers']} came to {self.url}")
            self.pump.collect(10)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Ends the farm once the outstanding tasks are done; `submit` is refused from now on.

        Args:
            wait: return when the farm has ended; else at once, and a thread does the rest.
            cancel_futures: what has not begun is cancelled.
        """
        if cancel_futures:
            self.pump.cancel_queued()
        self.pump.shutdown(wait)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """As of every Executor; after Ctrl-C what has not begun is cancelled, since nobody waits for it any more."""
        self.shutdown(wait=True, cancel_futures=kind is not None and issubclass(kind, KeyboardInterrupt))

    def __del__(self) -> None:
        pump = getattr(self, "pump", None)
        if pump is not None:
            pump.abandon()

    def encoder(self, fn: Callable[..., Any] | None, count: int) -> Callable[[tuple[Any, ...]], bytes]:
        """What makes the bytes of one call of `fn` from its arguments, `count` of them.

        Raises:
            RuntimeError: the farm takes no tasks any more.
            TypeError: the function cannot be sent.
        """
        self.pump.check_open()
        self._check_call(fn, count)
        if fn is None:
            return lambda arguments: _bytes_of(arguments[0])
        named = self._named(fn)
        return lambda arguments: self._encode(named, arguments)

    def _check_call(self, fn: Callable[..., Any] | None, count: int) -> None:
        if self._pickles and fn is None:
            raise TypeError("a farm with pickle=True needs a function")
        if not self._pickles and (fn is not None or count != 1):
            raise TypeError("without pickle=True the function is None and the one argument is bytes")

    def _encoded_initializer(self, initializer: Callable[..., object], arguments: tuple[Any, ...]) -> bytes:
        calls.encode_function(initializer, nameless=self._nameless)  # says what to do where it cannot be pickled
        try:
            return to_bytes((initializer, tuple(arguments)), nameless=self._nameless)
        except Exception as error:
            raise TypeError(f"initargs cannot be pickled: {error}") from error

    def _named(self, fn: Callable[..., Any]) -> calls.Named:
        """The number of a plain function, broadcast at its first use; the bytes of another callable.

        A bound method changes with its object, what goes by value with all that it refers to, and each new partial
        would be kept on every worker for ever.
        """
        plain = calls.is_plain(fn)
        number = self._functions.get(fn) if plain else None
        if number is None:
            data = calls.encode_function(fn, nameless=self._nameless)
            if not plain or is_by_value(data):
                return data
            number = calls.function_number(data)
            with self._announcing:
                if fn not in self._functions:
                    self._core.broadcast(calls.function_key(number), data)
                    self._functions[fn] = number
        return number


def _check_room(workers: int, options: dict[str, Any]) -> None:
    most = options.get("max_workers", workers)
    if isinstance(most, int) and 0 < most < workers:
        what = f"workers={workers} are more than max_workers={most} connections: give as many, or leave max_workers out"
        raise errors.Error(errors.INVALID, what)


def _check_kind(workers: int, pickle: bool, function: str | None, initializer: Callable[..., object] | None) -> None:
    if not hasattr(workers, "__index__"):
        raise TypeError(f"workers={workers!r}: give a whole number, 0 or more")
    if not isinstance(function, str | None):
        raise TypeError(
            f"function={function!r}: give its name, as text such as 'mymodule:answer', which the workers import; "
            "for functions that are submitted give pickle=True instead"
        )
    if workers < 0:
        raise errors.Error(errors.INVALID, f"workers={workers}: give 0 or more")
    if pickle and function is not None:
        raise errors.Error(errors.INVALID, "pickle=True and function=...: the workers run either calls or one function")
    if function is not None and workers == 0:
        raise errors.Error(
            errors.INVALID, "function= is for local workers: give workers=N too, or --function to the workers elsewhere"
        )
    if function is not None:
        calls.check_function(function, f"function={function!r}")
    if workers > 0 and not pickle and function is None:
        raise errors.Error(
            errors.INVALID,
            f"workers={workers} alone does not say what they run: give pickle=True for Python calls, "
            'or function="mymodule:answer" for one function of bytes',
        )
    if initializer is not None and not pickle:
        raise errors.Error(errors.INVALID, "initializer= needs pickle=True, since workers get it as a call")
    if initializer is not None and not callable(initializer):
        raise TypeError("initializer must be a callable")


def _check_authenticated(url: str, options: dict[str, Any]) -> None:
    if not (url.startswith("unix://") or options.get("key_file") or options.get("certificate_file")):
        raise errors.Error(
            errors.SECURITY,
            f"{url}: pickled calls are for unix sockets and TLS only, since unpickling runs code; "
            "use unix://, or give key_file",
        )


def _bytes_of(argument: Any) -> bytes:
    return argument if type(argument) is bytes else bytes(memoryview(argument))
