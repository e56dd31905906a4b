"""The arithmetic by which a kernel states how many bytes one of its events moves, and what memory follows from it."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from functools import lru_cache

from msgauge.errors import ConfigError
from msgauge.model.plan import Kernel

_LONGEST = 200
"""Letters of an expression: deeply nested ones end the interpreter."""


def bytes_moved(kernel: Kernel, size_bytes: int, ranks: int) -> float:
    """Bytes that count for the bandwidth of one event, from the kernel's own arithmetic.

    Raises:
        ConfigError: division by zero.
    """
    try:
        return evaluate(kernel.bytes_moved, {"bytes": size_bytes, "ranks": ranks})
    except ZeroDivisionError:
        raise ConfigError(
            f"bytes_moved of kernel {kernel.name!r} divides by zero at {size_bytes} bytes on {ranks} ranks",
            remedy="correct .bytes_moved in its header",
        ) from None


def expect_memory(kernel: Kernel, size_bytes: int, ranks: int) -> float:
    """Bytes of memory that the ranks of a sized kernel take together, about: one buffer each for what they send and for
    what they receive, or all that one event moves if that is more (alltoall). Programs state no size: 0.

    Raises:
        ConfigError: division by zero.
    """
    return max(2.0 * size_bytes * ranks, bytes_moved(kernel, size_bytes, ranks)) if kernel.sized else 0.0


def is_arithmetic(expression: str) -> bool:
    """Whether a kernel may state this: short, and arithmetic in ``bytes`` and ``ranks`` and nothing else."""
    if len(expression) > _LONGEST:
        return False
    try:
        evaluate(expression, {"bytes": 64, "ranks": 4})
    except ZeroDivisionError:
        return True
    except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError):
        return False
    return True


def evaluate(expression: str, names: Mapping[str, float]) -> float:
    """The value of an arithmetic expression in these names.

    Raises:
        ValueError: it is anything but arithmetic (SyntaxError: it cannot be read at all).
        ZeroDivisionError: it divides by zero.
    """
    return _value(_parse(expression), names)


@lru_cache(maxsize=1024)
def _parse(expression: str) -> ast.expr:
    """A plan asks the same of every stack in every cell."""
    return ast.parse(expression, mode="eval").body


def _value(node: ast.expr, names: Mapping[str, float]) -> float:
    """Evaluate arithmetic; anything else is a ValueError."""
    match node:
        case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
            return float(number)
        case ast.Name(id=name) if name in names:
            return float(names[name])
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_value(operand, names)
        case ast.BinOp(left=left, op=operator, right=right):
            return _combine(operator, _value(left, names), _value(right, names))
    raise ValueError(ast.dump(node))


def _combine(operator: ast.operator, left: float, right: float) -> float:
    match operator:
        case ast.Add():
            return left + right
        case ast.Sub():
            return left - right
        case ast.Mult():
            return left * right
        case ast.Div():
            return left / right
        case ast.FloorDiv():
            return left // right
    raise ValueError(ast.dump(operator))
