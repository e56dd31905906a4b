"""Values as bytes: by reference where the other side can import what they refer to, else by value.

A worker cannot import what a shell, a notebook, `python -c` or a program on standard input defines, nor a lambda or a
function within a function: these travel by value, by cloudpickle, with what they refer to.
"""

from __future__ import annotations

import pickle
from typing import Any

UNPICKLABLE = (pickle.PicklingError, AttributeError, TypeError)
"""What pickle raises for what it cannot write by reference."""
_MAIN = b"__main__"
_CLOUD = b"cloudpickle"


def to_bytes(value: Any, *, nameless: bool = False) -> bytes:
    """Reads back by `pickle.loads`.

    Args:
        nameless: the program has no script or module that workers could load, so what it defines goes by value.

    Raises:
        pickle.PicklingError, AttributeError, TypeError: what it holds cannot be sent to another process at all.
    """
    try:
        data = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
    except UNPICKLABLE as error:
        return _by_value(value, error)
    return _by_value(value, None) if nameless and _MAIN in data else data


def is_by_value(data: bytes) -> bool:
    """Whether something in it went by value; now and then what only has that library's name in it is taken for it."""
    return _CLOUD in data


def _by_value(value: Any, refused: Exception | None) -> bytes:
    try:
        import cloudpickle
    except ImportError:
        if refused is not None:
            raise refused from None
        raise pickle.PicklingError(
            f"{value!r} is of a program without a script, and cloudpickle, which would send it, is not installed"
        ) from None
    return bytes(cloudpickle.dumps(value, pickle.HIGHEST_PROTOCOL))
