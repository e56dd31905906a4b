"""Functions of tasks that get proxies of a multiprocessing.Manager."""

from __future__ import annotations

import multiprocessing
import sys
from pathlib import Path
from typing import Any

kept: list[Any] = []


def keep(proxy: Any) -> None:
    """An initializer."""
    kept.append(proxy)


def add(shared: Any, lock: Any, queue: Any, number: int) -> Any:
    """Writes to all of them, and gives one back."""
    with lock:
        shared["sum"] = shared.get("sum", 0) + number
    kept[0].append(number)
    queue.put(number)
    return shared


def add_in_a_child(queue: Any) -> None:
    """A process of the task's own has the key too."""
    child = multiprocessing.get_context("fork").Process(target=queue.put, args=("child",))
    child.start()
    child.join()


def where_the_key_is() -> tuple[bool, str]:
    """Whether command line or environment have it, in bytes or digits; and what standard input has."""
    key = bytes(multiprocessing.current_process().authkey)
    seen = Path("/proc/self/cmdline").read_bytes() + Path("/proc/self/environ").read_bytes()
    return key in seen or key.hex().encode() in seen, sys.stdin.read()
