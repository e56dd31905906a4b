"""``msgauge kernels``: what can be measured."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgauge.frontend.typed_lists import read_list
from msgauge.kernels import load_kernels
from msgauge.model import Kernel
from msgauge.model.kernel_names import find_kernel
from msgauge.report import json_output


def kernels(*names: str, json: bool = False) -> int:
    """List the kernels: what they measure, and their options.

    Parameters
    ----------
    names
        Only these kernels; all by default.
    json
        Print them as JSON.
    """
    chosen = _select(load_kernels(), [part for name in names for part in read_list("kernels", name)])
    print(json_output.text(json_output.of_kernels(chosen)) if json else "\n".join(_lines(chosen)))
    return 0


def _select(known: dict[str, Kernel], names: Sequence[str]) -> list[Kernel]:
    chosen = {(kernel := find_kernel(name, known)).name: kernel for name in names}
    return list((chosen or known).values())


def _lines(chosen: Sequence[Kernel]) -> Iterator[str]:
    for kernel in chosen:
        also = f" (also {', '.join(kernel.aliases)})" if kernel.aliases else ""
        yield f"{kernel.name}: {kernel.title}{also}\n  {kernel.meaning}"
        yield from (f"  option {option.name}: {', '.join(option.choices)}" for option in kernel.options)
        yield f"  source: {kernel.source}"
    yield from _explanations(chosen)


def _explanations(chosen: Iterable[Kernel]) -> Iterator[str]:
    """What each option does, once however many kernels have it; whose it is only where a name means several things."""
    kernels_of: dict[tuple[str, str], list[str]] = {}
    for kernel in chosen:
        for option in kernel.options:
            if option.what:
                kernels_of.setdefault((option.name, option.what), []).append(kernel.name)
    meanings = [name for name, _ in kernels_of]
    if kernels_of:
        yield "\noptions; the first choice is the default"
    for (name, what), having in sorted(kernels_of.items()):
        whose = f" ({', '.join(having)})" if meanings.count(name) > 1 else ""
        yield f"  {name}{whose}: {what}"
