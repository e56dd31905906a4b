"""Function calls as bytes.

Used only where both sides asked for it and the link is authenticated: unpickling runs code.
"""

from __future__ import annotations

import pickle
import runpy
import sys
import traceback
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

PICKLED, TEXT = b"P", b"T"
MAIN_KEY = "taskfarm.main"


def encode_function(function: Callable[..., Any]) -> bytes:
    """The function by reference; workers import its module.

    Raises:
        ValueError: it cannot be found by name from another process.
    """
    try:
        return pickle.dumps(function, pickle.HIGHEST_PROTOCOL)
    except (pickle.PicklingError, AttributeError) as error:
        raise ValueError(f"{function!r} cannot be pickled: {error}; define it at the top level of a module") from error


def main_script() -> bytes | None:
    """The path of the program's own script, which workers load so that its functions are found; None in a shell."""
    main = sys.modules["__main__"]
    if getattr(main, "__spec__", None) is not None:
        return None
    file = getattr(main, "__file__", None)
    return None if file is None else str(Path(file).resolve()).encode()


def encode_call(function: int, arguments: tuple[Any, ...], named: dict[str, Any] | None = None) -> bytes:
    """One task: number of the function's broadcast, arguments."""
    return pickle.dumps((function, arguments, named) if named else (function, arguments), pickle.HIGHEST_PROTOCOL)


def encode_error(error: BaseException) -> bytes:
    """An exception with its traceback as text; as text alone when it cannot be pickled and read again."""
    text = "".join(traceback.format_exception(error))
    try:
        data = pickle.dumps((error, text), pickle.HIGHEST_PROTOCOL)
        pickle.loads(data)
    except Exception:
        return TEXT + text.encode(errors="replace")
    return PICKLED + data


def text_error(error: BaseException) -> bytes:
    """An exception as text, for workers that do not pickle."""
    return TEXT + "".join(traceback.format_exception(error)).encode(errors="replace")


class Calls:
    """The worker's side: decodes a task, calls, encodes the result.

    Args:
        context: key to (version, bytes), as `Worker.context`.
    """

    def __init__(self, context: Callable[[str], tuple[int, bytes] | None]) -> None:
        self._context = context
        self._functions: dict[int, Callable[..., Any]] = {}

    def __call__(self, data: bytes) -> bytes:
        """Runs the pickled call; what it raises is the task's failure."""
        number, arguments, *rest = pickle.loads(data)
        function = self._functions.get(number)
        if function is None:
            function = self._load(number)
        result = function(*arguments, **rest[0]) if rest else function(*arguments)
        return pickle.dumps(result, pickle.HIGHEST_PROTOCOL)

    def _load(self, number: int) -> Callable[..., Any]:
        entry = self._context(function_key(number))
        if entry is None:
            raise LookupError(f"function {number} was not broadcast")
        self._load_main()
        function: Callable[..., Any] = pickle.loads(entry[1])
        self._functions[number] = function
        return function

    def _load_main(self) -> None:
        entry = self._context(MAIN_KEY)
        if entry is None or getattr(sys.modules["__main__"], "__taskfarm_main__", False):
            return
        path = entry[1].decode()
        main = types.ModuleType("__main__")
        main.__dict__.update(runpy.run_path(path, run_name="__taskfarm_main__"))
        main.__dict__.update(__taskfarm_main__=True, __name__="__main__", __file__=path)
        sys.modules["__main__"] = main


def function_key(number: int) -> str:
    """The key under which function `number` is broadcast."""
    return f"taskfarm.function.{number}"
