"""Which stack has which operation: docs/reference/coverage.md, made from the code itself.

    python -m msgauge.discovery.capability_matrix docs/reference/coverage.md

The words are those of ``native/transport.hpp``; what a stack has natively its family says, and the worker proves it
when it is compiled; what can be built from send and receive is ``plan.EMULATED``.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgauge.config import Config
from msgauge.hosts import this_host
from msgauge.kernels import load_kernels
from msgauge.model import OperationSupport, Origin, Stack
from msgauge.paths import native_folder
from msgauge.plan import EMULATED
from msgauge.stacks.base.families import families
from msgauge.stacks.base.family import Family

_SHOWN: dict[OperationSupport, str] = {"native": "native", "emulated": "emulated", "absent": "–"}
_ROW = re.compile(r'Capability\{\s*"(\w+)"')
_HEAD = """# Which stack has which operation

Made by `python -m msgauge.discovery.capability_matrix docs/reference/coverage.md`; a test holds it up to date.

- **native**: the stack's own operation is called.
- **emulated**: the worker builds it from send and receive by a reference algorithm, and every result says so.
- **–**: absent. A cell that needs it is refused, with that reason.

The MPIs are taken to be of MPI-3, unless their own file says that they are older; what an interface lacks is absent.

"""


def list_operations() -> tuple[str, ...]:
    """The words for operations, in the order in which the native headers prove them."""
    headers = sorted(native_folder().glob("*.hpp"), key=lambda path: (path.name != "transport.hpp", path.name))
    found = (word for header in headers for word in _ROW.findall(header.read_text(encoding="utf-8")))
    return tuple(dict.fromkeys(found))


def find_support(family: Family, stack: Stack, word: str) -> OperationSupport:
    """Whether a stack has an operation of its own. Only the native worker builds what is missing."""
    has = family.capabilities(stack)
    if word in has:
        return "native"
    return "emulated" if family.native and word in EMULATED and {"send", "recv"} <= has else "absent"


def page() -> str:
    """The whole page, as Markdown."""
    columns = [(name, family, _stack_of(family)) for name, family in sorted(families().items())]
    titles = [name for name, _, _ in columns]
    rows = [
        [f"`{word}`", *(_SHOWN[find_support(family, stack, word)] for _, family, stack in columns)]
        for word in list_operations()
    ]
    return _HEAD + "\n".join([*_table(["operation", *titles], rows), "", *_workers(columns), ""])


def _stack_of(family: Family) -> Stack:
    """A plain stack of a family: bare, or the one of this machine where the family must know more."""
    bare = Stack(family.name, "1", Origin("builtin"))
    try:
        family.capabilities(bare)
    except LookupError:
        return next(family.find(this_host(), Config()), bare)
    return bare


def _workers(columns: Sequence[tuple[str, Family, Stack]]) -> Iterator[str]:
    """A line for each stack whose worker is not the native one, with its kernels."""
    everything = load_kernels()
    yield "Stacks with a worker of their own have fewer kernels than the native one:"
    yield ""
    for name, family, stack in columns:
        kernels = family.kernels(stack)
        if kernels is not None:
            listed = ", ".join(kernel for kernel in everything if kernel in kernels)
            yield f"- `{name}`: {listed}"
    from msgauge.stacks.base.fortran import fortran_kernels

    yield f"- `[fortran]` of any MPI: {', '.join(kernel for kernel in everything if kernel in fortran_kernels())}"


def _table(titles: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(titles)} |"
    yield "|" + "---|" * len(titles)
    for row in rows:
        yield f"| {' | '.join(row)} |"


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(page(), encoding="utf-8")
