"""Function calls as bytes.

Used only where both sides asked for it and the link is authenticated: unpickling runs code.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import pickle
import runpy
import sys
import traceback
import types
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from taskfarm._core import Worker
from taskfarm.errors import INVALID, Error, RemoteTraceback
from taskfarm.pickling import UNPICKLABLE, to_bytes

PICKLED, TEXT, UNPREPARED = b"P", b"T", b"U"  # a failure's first byte: with exception, text alone, no initializer
MAIN_KEY = "taskfarm.main"
ARGUMENTS_KEY = "taskfarm.arguments"
MAIN_ON_WORKERS = "__mp_main__"  # its name there, as multiprocessing has it, whose pools may be used in tasks
INITIALIZER_KEY = "taskfarm.initializer"

Named = int | bytes  # a function: the number of its broadcast, or itself, pickled


_loading: list[str] = []  # the program that this worker loads just now; none, or one


def check_function(name: str, said: str) -> None:
    """What workers answer tasks with is named by its module.

    Args:
        said: how the caller gave it.

    Raises:
        errors.Error: it is no MODULE:NAME.
    """
    module, _, attribute = name.partition(":")
    if not (module and attribute):
        raise Error(INVALID, f"{said}: give MODULE:NAME, such as mymodule:answer")


class InitializerFailed(Exception):
    """The farm's initializer raised here, so this worker can do no task."""


def encode_function(function: Callable[..., Any], *, nameless: bool = False) -> bytes:
    """The function by reference, so that workers import its module; else by value (`pickling.to_bytes`).

    Raises:
        TypeError: what it holds cannot be pickled.
    """
    try:
        return to_bytes(function, nameless=nameless)
    except UNPICKLABLE as error:
        remedy = (
            "make what it holds where it runs, by initializer= perhaps"
            if _is_here("cloudpickle")
            else "define it at the top level of a module, or install cloudpickle"
        )
        raise TypeError(f"{function!r} cannot be pickled: {error}; {remedy}") from error


def is_plain(function: Callable[..., Any]) -> bool:
    """Whether it is nothing but its name, so that workers may keep it; a bound method or a partial has state."""
    kind = type(function)
    if kind is types.BuiltinFunctionType:
        owner = getattr(function, "__self__", None)
        return owner is None or isinstance(owner, types.ModuleType)
    return kind is types.FunctionType or kind is type


def function_number(data: bytes) -> int:
    """The number of an encoded function: the same in each thread, and in a coordinator restarted with its journal."""
    return int.from_bytes(hashlib.blake2b(data, digest_size=7).digest(), "little")


def function_key(number: int) -> str:
    """The key under which function `number` is broadcast."""
    return f"taskfarm.function.{number}"


def main_script() -> bytes | None:
    """What workers load, so that the program's own functions and classes are found there.

    Returns:
        The path of its script, or the name of the module that `python -m` runs; None in a shell or a notebook, of a
        program that came by `-c` or standard input, and where `python -m` runs a package, whose `__main__` guards
        nothing. What those define goes by value.
    """
    main = sys.modules["__main__"]
    name = getattr(getattr(main, "__spec__", None), "name", None)
    file = getattr(main, "__file__", None)
    if file is None or (name is None and not Path(file).is_file()):
        return None
    if name is not None and name.rpartition(".")[2] == "__main__":
        return None
    sys.modules.setdefault(MAIN_ON_WORKERS, main)  # results may be of its classes
    return os.fsencode(Path(file).resolve() if name is None else name)


def refuse_nested_program() -> None:
    """Where a worker loads the program, what stands in its script at the top level runs there too.

    Raises:
        RuntimeError: it does, and the caller is about to make another farm.
    """
    if _loading:
        raise RuntimeError(
            f"a farm is made while a worker loads {_loading[-1]} for its functions: put what the program does, "
            "and is not for its workers, below: if __name__ == '__main__':"
        )


def program_arguments() -> bytes:
    """`sys.argv` of the program: its script may read it where it is loaded, and its functions where they run."""
    return json.dumps([str(word) for word in getattr(sys, "argv", [])]).encode()


def _is_here(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except (ImportError, ValueError):  # the package around it is not
        return False


def encode_call(
    function: Named, arguments: tuple[Any, ...], named: dict[str, Any] | None = None, *, nameless: bool = False
) -> bytes:
    """One task; `nameless` as of `pickling.to_bytes`."""
    return to_bytes((function, arguments, named) if named else (function, arguments), nameless=nameless)


def brief(error: BaseException) -> str:
    """Type and words of an exception, whose own code may raise anything here: that is no reason for a worker to die."""
    kind = _kind(error)
    try:
        return f"{kind}: {error}"
    except BaseException as trouble:
        return f"{kind}, whose text cannot be made, since that raised {_kind(trouble)}"


def encode_error(error: BaseException) -> bytes:
    """An exception with its traceback as text; as text alone when it cannot be pickled and read again."""
    text = _traceback(error)
    if type(error) is InitializerFailed:
        return UNPREPARED + text.encode(errors="replace")
    try:
        data = to_bytes(error)
        sound = isinstance(pickle.loads(data), BaseException)
    except BaseException:  # its own code runs here, and may even exit
        sound = False
    if not sound:
        return TEXT + text.encode(errors="replace")
    return PICKLED + pickle.dumps((data, text.encode(errors="replace")), pickle.HIGHEST_PROTOCOL)


def decode_error(data: bytes) -> BaseException | str:
    """The exception of encode_error, its cause the worker's traceback; the text where that is all there is."""
    if not data.startswith(PICKLED):
        return data.removeprefix(TEXT).decode(errors="replace")
    inner, text = pickle.loads(data[1:])
    try:
        error = pickle.loads(inner)
    except Exception:  # its class is not found here, or is another one
        return str(text, errors="replace")
    if not isinstance(error, BaseException):
        return str(text, errors="replace")
    with suppress(Exception):  # one that lets nothing be written to it comes without
        error.__cause__ = RemoteTraceback(str(text, errors="replace"))
    return error


def text_error(error: BaseException) -> bytes:
    """An exception as text, for workers that do not pickle."""
    return _traceback(error).encode(errors="replace")


def _traceback(error: BaseException) -> str:
    """As Python prints it; `brief` where that cannot be made: it asks the exception for what that may not have."""
    try:
        return "".join(traceback.format_exception(error))
    except BaseException as trouble:
        return f"{brief(error)}\nIts traceback cannot be made, since that raised {brief(trouble)}\n"


def _kind(error: BaseException) -> str:
    """The name of its type, past what a metaclass may have in its place."""
    return str(type.__dict__["__name__"].__get__(type(error)))


class Calls:
    """The worker's side: decodes a task, calls, encodes the result."""

    def __init__(self, worker: Worker) -> None:
        self._worker = worker
        self._context = worker.context
        self._forget()

    def _forget(self) -> None:
        """What is another farm's: a program that is started anew may have other functions of the same names."""
        self._farm = self._worker.farms
        self._functions: dict[int, Callable[..., Any]] = {}
        self._prepared = False
        self._failure = ""

    def __call__(self, data: bytes) -> bytes:
        """Runs the pickled call; what it raises is the task's failure."""
        if self._worker.farms != self._farm:
            self._forget()
        if not self._prepared:
            self._prepare()
        try:
            named, arguments, *rest = pickle.loads(data)
            function = self._functions.get(named) if type(named) is int else pickle.loads(named)
            if function is None:
                function = self._load(named)
        except ModuleNotFoundError as missing:
            if (missing.name or "").partition(".")[0] == "cloudpickle":
                missing.add_note("what this call needs goes by value: install cloudpickle where the workers run")
            raise
        result = function(*arguments, **rest[0]) if rest else function(*arguments)
        return to_bytes(result)

    def _prepare(self) -> None:
        """Before the first task: broadcasts have come with it. Arguments too may be of the program's own script."""
        given = self._context(ARGUMENTS_KEY)
        if given is not None:
            sys.argv[:] = json.loads(given[1])
        self._load_main()
        if self._failure:
            raise InitializerFailed(self._failure)
        entry = self._context(INITIALIZER_KEY)
        if entry is not None:
            try:
                function, arguments = pickle.loads(entry[1])
                function(*arguments)
            except BaseException as error:
                self._failure = f"the initializer raised {brief(error)}"
                raise InitializerFailed(self._failure) from error
        self._prepared = True

    def _load(self, number: int) -> Callable[..., Any]:
        entry = self._context(function_key(number))
        if entry is None:
            raise LookupError(f"function {number} was not broadcast")
        function: Callable[..., Any] = pickle.loads(entry[1])
        self._functions[number] = function
        return function

    def _load_main(self) -> None:
        entry = self._context(MAIN_KEY)
        named = "" if entry is None else os.fsdecode(entry[1])
        if not named or getattr(sys.modules["__main__"], "__taskfarm_main__", None) == (self._farm, named):
            return
        main = types.ModuleType("__main__")
        if not named.startswith("/") and not _is_here(named):  # a worker from elsewhere, for calls of other modules
            return
        _loading.append(named)
        try:
            if named.startswith("/"):
                content = runpy.run_path(named, run_name=MAIN_ON_WORKERS)
            else:
                content = runpy.run_module(named, run_name=MAIN_ON_WORKERS, alter_sys=True)
        finally:
            _loading.clear()
        main.__dict__.update(content)
        main.__dict__.update(__taskfarm_main__=(self._farm, named), __name__="__main__")
        sys.modules["__main__"] = sys.modules[MAIN_ON_WORKERS] = main
