"""What the tests' workers run: importable without the tests themselves."""

from __future__ import annotations

import multiprocessing
import os
import sys
import time
from pathlib import Path
from typing import Any

import taskfarm

prepared_with: list[str] = []


def square(x: int) -> int:
    return x * x


def nap(seconds: float) -> float:
    time.sleep(seconds)
    return seconds


def write_after(seconds: float, path: str, text: str = "done") -> None:
    time.sleep(seconds)
    Path(path).write_text(text)


def wait_for(path: str) -> str:
    """Until the file is there."""
    while not Path(path).exists():
        time.sleep(0.005)
    return path


def bytes_after(path: str, count: int) -> bytes:
    """So many bytes, once the file is there."""
    wait_for(path)
    return bytes(count)


def add_line(path: str) -> None:
    with Path(path).open("a") as file:
        file.write(f"{os.getpid()}\n")


def resident_of_worker(_: object) -> float:
    """MiB."""
    return int(Path("/proc/self/statm").read_text().split()[1]) / 256


def nap_and_add_line(given: tuple[float, str]) -> None:
    time.sleep(given[0])
    add_line(given[1])


def add_line_and_nap(seconds: float, path: str, _: bytes) -> None:
    add_line(path)
    time.sleep(seconds)


def begin_and_end(began: str, ended: str, what: str) -> str:
    """Work takes six seconds between two files; another call waits until that has begun."""
    if what == "work":
        write_after(0, began)
        write_after(6, ended)
    else:
        wait_for(began)
    if what == "raise":
        raise OSError("the first one")
    return what


def say_and_wait(started: str, path: str) -> str:
    """Makes the first file, and waits for the second."""
    Path(started).touch()
    return wait_for(path)


def leave_by(way: str) -> None:
    """The ways by which Python code ends a program."""
    if way == "sys.exit":
        sys.exit(3)
    if way == "KeyboardInterrupt":
        raise KeyboardInterrupt
    if way == "GeneratorExit":
        raise GeneratorExit
    os._exit(3)


def interrupt_myself() -> None:
    """As Ctrl-C reaches a local worker."""
    os.kill(os.getpid(), 2)
    time.sleep(10)


def read_broadcast(key: str) -> bytes | None:
    return taskfarm.context(key)


def read_broadcast_in_a_child(key: str) -> bytes | None:
    with multiprocessing.get_context("fork").Pool(1) as pool:
        return pool.apply(taskfarm.context, (key,))


def is_the_same_object(key: str) -> bool:
    return taskfarm.context(key) is taskfarm.context(key)


def answer_broadcast(key: bytes) -> bytes:
    """For --function."""
    return taskfarm.context(key.decode()) or b"nothing"


def big(size: bytes) -> bytes:
    """So many bytes."""
    return bytes(int(size))


def every_second(data: bytes) -> memoryview:
    """A buffer with gaps, as that of a slice of an array."""
    return memoryview(data)[::2]


def fail_at_length(data: bytes) -> bytes:
    raise ValueError("x" * int(data))


def fail_in_words(data: bytes) -> bytes:
    raise ValueError(data.decode())


def prepare(word: str) -> None:
    prepared_with.append(word)


def prepared() -> list[str]:
    return prepared_with


def cannot_prepare(way: str) -> None:
    if way == "exit":
        sys.exit(1)
    if way == "wordless":
        raise Wordless({})
    raise ValueError("no such table")


class Adder:
    """A bound method has state."""

    def __init__(self) -> None:
        self.x = 1

    def add(self, y: int) -> int:
        return self.x + y


class Evil:
    """Something happens when it is pickled or unpickled."""

    def __init__(self, when: str, what: str) -> None:
        self.when, self.what = when, what

    def __reduce__(self) -> Any:
        if self.when == "pickle":
            leave_by(self.what) if self.what != "error" else _raise_value_error()
        return (leave_by, (self.what,)) if self.what != "error" else (_raise_value_error, ())


def _raise_value_error() -> None:
    raise ValueError("evil")


def return_evil(when: str, what: str) -> Evil:
    return Evil(when, what)


def fail_at(number: int, fails: int) -> int:
    if number == fails:
        raise ValueError(number)
    return number


def raise_from() -> None:
    try:
        raise KeyError("first")
    except KeyError as error:
        raise ValueError("second") from error


def add_line_after(path: str, gate: str) -> None:
    """Once there is a gate, if one is named."""
    if gate:
        wait_for(gate)
    add_line(path)


class Sealed(Exception):
    """Lets nothing be written to it."""

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{name} cannot be set")


def raise_sealed() -> None:
    raise Sealed("words")


def first_of(values: list[int]) -> int:
    return next(iter(values))


class OnlyHere(Exception):
    """Can be pickled on the worker, and not read by the farm."""

    def __reduce__(self) -> Any:
        return _made_on_a_worker, (os.getpid(),)


def _made_on_a_worker(process: int) -> OnlyHere:
    if process != os.getpid():
        raise ImportError("not here")
    return OnlyHere("only here")


def raise_only_here() -> None:
    raise OnlyHere("the worker's words")


def raise_taskfarm_error() -> None:
    raise taskfarm.Error(-2, "of a farm in a task")


def identity(value: Any) -> Any:
    return value


class Fields(Exception):
    """Raises KeyError for each attribute that it does not have, as `__notes__`, for which a traceback asks."""

    def __getattr__(self, name: str) -> Any:
        return self.args[0][name]


class Wordless(Fields):
    """Has no text either, by what no Exception is, and cannot be pickled."""

    def __str__(self) -> str:
        raise SystemExit(3)

    def __reduce__(self) -> Any:
        raise KeyboardInterrupt


class InterruptedAsItIsTold(Exception):
    """Ctrl-C comes while it is pickled."""

    def __reduce__(self) -> Any:
        interrupt_myself()


ODD_SYNTAX = ("file", 1, "one", b"text")


def raise_odd(what: bytes) -> bytes:
    """What is hard to tell of; also for --function."""
    if what == b"fields":
        raise Fields({"code": 5})
    if what == b"syntax":
        raise SyntaxError("words", ODD_SYNTAX)
    if what == b"wordless":
        raise Wordless({})
    if what == b"interrupted":
        raise InterruptedAsItIsTold
    return what


SLOW_S = 0.1


def slow_block(size: int) -> bytes:
    """So many bytes after a while."""
    time.sleep(SLOW_S)
    return bytes(size)


def wait_if_first(number: int) -> int:
    """The first call takes a second."""
    time.sleep(number == 0)
    return number
