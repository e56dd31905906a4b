"""python -m taskfarm.worker URL: a worker process.

With --function module:name it answers each task with name(bytes) -> bytes; with --pickle it runs the Python calls of a
Farm(pickle=True), on authenticated links only.
"""

from __future__ import annotations

import argparse
import importlib
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

from taskfarm import calls, errors, siblings
from taskfarm._core import Worker
from taskfarm.broadcasts import Serving
from taskfarm.credentials import add_credentials, credentials_of
from taskfarm.local import Report, hear_ctrl_c, restore_environment, take_key
from taskfarm.quantities import count, milliseconds

PATIENCE_S = 1.0  # after Ctrl-C, with the library


def main(arguments: list[str] | None = None) -> int:
    """Works until the coordinator ends: 0; 1 when there is none, it refuses, or it is lost."""
    options = _parser().parse_args(arguments)
    try:
        check_work(options.function, options.pickle)  # before it waits for a coordinator
    except errors.Error as error:
        return _failed(error, Report(options.report))
    if options.processes > 1 or options.while_input_open:
        status = siblings.split(options.processes, options.while_input_open)
        if status is not None:
            return status
    restore_environment()
    if options.key_by_input:
        take_key()
    report = Report(options.report)
    ctrl_c = _CtrlC(local=options.report is not None)
    handler = None
    try:
        hear_ctrl_c()
        function = _function(options.function) if options.function else None  # who joins can work
        with report.connecting():
            worker = Worker(options.url, _worker_options(options))
        handler = function if function is not None else _calls(worker, options.url)
        ctrl_c.worker = worker
        report.ready()
        run(worker, handler, lambda: ctrl_c.came)
    except errors.Error as error:
        if error.code == errors.CLOSED and handler is None:  # it came when the work was over
            return 0
        if error.code == errors.CLOSED and options.report is not None:  # a farm's own worker: its program has ended
            return 1
        return _failed(error, report)
    except KeyboardInterrupt:
        return 130
    except BaseException as error:  # of the function's module
        report.failed(calls.brief(error))
        raise
    finally:
        ctrl_c.worker = None  # the thread that waits for signals outlives this function, and would keep the worker
    worker.leave()
    return 0


def check_work(function: str | None, pickle: bool) -> None:
    """What workers are to do is one thing.

    Raises:
        errors.Error: it is nothing, both, or no MODULE:NAME.
    """
    if pickle == bool(function):
        raise errors.Error(errors.INVALID, "give either --function MODULE:NAME or --pickle")
    if function:
        calls.check_function(function, f"--function {function}")


def _failed(error: errors.Error, report: Report) -> int:
    print(f"taskfarm worker: {error}", file=sys.stderr)
    report.failed(str(error))
    return 1


def run(worker: Worker, handler: Callable[[bytes], bytes], interrupted: Callable[[], bool] = lambda: False) -> None:
    """Answers tasks with handler(bytes) until the coordinator ends; ``Error`` (CLOSED) where it is lost.

    What the handler raises is the task's failure, SystemExit and KeyboardInterrupt too: a task does not end its worker.

    Args:
        interrupted: whether somebody wants the worker to end; what the handler raises then is raised here.
    """
    encode = calls.encode_error if isinstance(handler, calls.Calls) else calls.text_error
    process = os.getpid()

    def failure(error: BaseException) -> bytes:
        if interrupted() or os.getpid() != process:  # a task has forked, and its child ends: it is no worker
            raise error
        data = encode(error)
        if interrupted():  # meanwhile: what the exception's own code raises there is told, and does not come here
            raise KeyboardInterrupt
        return data

    with Serving(worker):
        worker.run(handler, failure)


class _CtrlC:
    """Ctrl-C ends a worker that was started by hand.

    It also reaches the local workers of a farm that runs in the same terminal: there it ends the task, as
    concurrent.futures has it, and the farm decides about its workers.
    """

    def __init__(self, local: bool) -> None:
        self.came = False
        self.worker: Worker | None = None
        self._local = local
        ours = threading.current_thread() is threading.main_thread()
        if ours and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, self._handle)
            if not local:
                self._watch_the_library()

    def _handle(self, *_: object) -> None:
        if self._local and (self.worker is None or not self.worker.running):
            return
        self.came = not self._local
        raise KeyboardInterrupt

    def _watch_the_library(self) -> None:
        """Python hears of a signal when the library returns; while that waits for a coordinator which does not come, or
        computes and has no room for an answer, this thread hears of it."""
        wakes, told = os.pipe()
        os.set_blocking(told, False)
        signal.set_wakeup_fd(told, warn_on_full_buffer=False)
        os.register_at_fork(after_in_child=lambda: signal.set_wakeup_fd(-1))  # signals of a task's children are theirs

        def watch() -> None:
            while number := os.read(wakes, 1):
                time.sleep(PATIENCE_S if number[0] == signal.SIGINT else 0)
                in_function = self.worker is not None and self.worker.running
                if number[0] == signal.SIGINT and not self.came and not in_function:
                    os._exit(130)

        threading.Thread(target=watch, name="ctrl-c", daemon=True).start()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m taskfarm.worker", description=__doc__)
    parser.add_argument("url", help="tcp://host:port or unix:///path, as the coordinator shows it")
    parser.add_argument("--function", metavar="MODULE:NAME", help="answer each task with name(bytes) -> bytes")
    parser.add_argument("--pickle", action="store_true", help="run pickled calls; authenticated links only")
    add_credentials(parser)
    parser.add_argument("--processes", type=count, default=1, metavar="N", help="so many workers; they end together")
    parser.add_argument("--while-input-open", action="store_true", help="end when standard input does, as by ssh")
    parser.add_argument("--name", help="shown in statistics; default: the host's name")
    parser.add_argument("--connect-timeout", type=milliseconds, default="30", metavar="SECONDS")
    help_text = "how long a lost coordinator is looked for"
    parser.add_argument("--reconnect-timeout", type=milliseconds, default="10", metavar="SECONDS", help=help_text)
    help_text = "end the process when the coordinator is gone that long while a task runs; 0: never"
    parser.add_argument("--lost-exit", type=milliseconds, default="30", metavar="SECONDS", help=help_text)
    parser.add_argument("--report", help=argparse.SUPPRESS)  # these two of a farm's local workers: see local.py
    parser.add_argument("--key-by-input", action="store_true", help=argparse.SUPPRESS)
    return parser


def _worker_options(options: argparse.Namespace) -> dict[str, Any]:
    return {
        "name": options.name,
        **credentials_of(options, environment=options.report is None),  # a farm gives its own workers what it has
        "connect_timeout_ms": options.connect_timeout,
        "reconnect_timeout_ms": options.reconnect_timeout,
        "lost_exit_ms": options.lost_exit,
    }


def _function(given: str) -> Callable[[bytes], bytes]:
    """That of MODULE:NAME.

    Raises:
        errors.Error: there is none; of what the module itself raises nothing is caught.
    """
    module, _, name = given.partition(":")
    if "" not in sys.path:
        sys.path.insert(0, "")
    try:
        loaded = importlib.import_module(module)
    except ModuleNotFoundError as missing:
        if not f"{module}.".startswith(f"{missing.name}."):  # one that it imports
            raise
        remedy = "start the worker in its folder, or name that in PYTHONPATH"
        raise errors.Error(errors.INVALID, f"--function {given}: {missing}; {remedy}") from missing
    function: Callable[[bytes], bytes] | None = getattr(loaded, name, None)
    if function is None:
        raise errors.Error(errors.INVALID, f"--function {given}: module {module} has no {name}")
    return function


def _calls(worker: Worker, url: str) -> calls.Calls:
    if not worker.authenticated:
        raise errors.Error(errors.SECURITY, f"{url}: --pickle is for unix sockets and TLS only; give --key-file")
    return calls.Calls(worker)


if __name__ == "__main__":
    sys.exit(main())
