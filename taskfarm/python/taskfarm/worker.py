"""python -m taskfarm.worker URL: a worker process.

With --function module:name it answers each task with name(bytes) -> bytes; with --pickle it runs the Python calls of a
Farm(pickle=True), on authenticated links only.
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Callable
from typing import Any

from taskfarm import calls, errors, siblings
from taskfarm._core import Worker


def main(arguments: list[str] | None = None) -> int:
    """Works until the coordinator ends: 0; 1 when there is none, it refuses, or it is lost."""
    options = _parser().parse_args(arguments)
    if options.processes > 1 or options.while_input_open:
        status = siblings.split(options.processes, options.while_input_open)
        if status is not None:
            return status
    try:
        worker = Worker(options.url, _worker_options(options))
        run(worker, _handler(worker, options))
    except errors.Error as error:
        print(f"taskfarm worker: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    worker.leave()
    return 0


def run(worker: Worker, handler: Callable[[bytes], bytes]) -> None:
    """Answers tasks with handler(bytes) until the coordinator ends; what it raises is the task's failure."""
    worker.run(handler, calls.encode_error if isinstance(handler, calls.Calls) else calls.text_error)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m taskfarm.worker", description=__doc__)
    parser.add_argument("url", help="tcp://host:port or unix:///path, as the coordinator shows it")
    parser.add_argument("--function", metavar="MODULE:NAME", help="answer each task with name(bytes) -> bytes")
    parser.add_argument("--pickle", action="store_true", help="run pickled calls; authenticated links only")
    parser.add_argument("--key-file", default=os.environ.get("TASKFARM_KEY_FILE"))
    parser.add_argument("--certificate-file")
    parser.add_argument("--certificate-key-file")
    parser.add_argument("--ca-file")
    parser.add_argument("--processes", type=int, default=1, metavar="N", help="so many workers; they end together")
    parser.add_argument("--while-input-open", action="store_true", help="end when standard input does, as by ssh")
    parser.add_argument("--name", help="shown in statistics; default: the host's name")
    parser.add_argument("--connect-timeout", type=float, default=30.0, metavar="SECONDS")
    parser.add_argument("--reconnect-timeout", type=float, default=10.0, metavar="SECONDS")
    help_text = "end the process when the coordinator is gone that long while a task runs; 0: never"
    parser.add_argument("--lost-exit", type=float, default=30.0, metavar="SECONDS", help=help_text)
    return parser


def _worker_options(options: argparse.Namespace) -> dict[str, Any]:
    key_file = None if options.url.startswith("unix://") else options.key_file
    return {
        "name": options.name,
        "key_file": key_file,
        "certificate_file": options.certificate_file,
        "certificate_key_file": options.certificate_key_file,
        "ca_file": options.ca_file,
        "connect_timeout_ms": int(options.connect_timeout * 1000),
        "reconnect_timeout_ms": int(options.reconnect_timeout * 1000),
        "lost_exit_ms": int(options.lost_exit * 1000),
    }


def _handler(worker: Worker, options: argparse.Namespace) -> Callable[[bytes], bytes]:
    if options.pickle == bool(options.function):
        raise errors.Error(errors.INVALID, "give either --function MODULE:NAME or --pickle")
    if options.pickle:
        if not worker.authenticated:
            raise errors.Error(
                errors.SECURITY, f"{options.url}: --pickle is for unix sockets and TLS only; give --key-file"
            )
        return calls.Calls(worker.context)
    module, _, name = options.function.partition(":")
    if "" not in sys.path:
        sys.path.insert(0, "")
    function: Callable[[bytes], bytes] = getattr(importlib.import_module(module), name)
    return function


if __name__ == "__main__":
    sys.exit(main())
