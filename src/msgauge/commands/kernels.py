"""``msgauge kernels``: what can be measured."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Sequence

from msgauge import answers
from msgauge.errors import UsageError
from msgauge.kernels import load_kernels
from msgauge.model import Kernel
from msgauge.stacks.choice import split_list


def kernels(*names: str, json: bool = False) -> int:
    """Show the kernels there are, what their numbers mean and what their options do.

    Parameters
    ----------
    names
        Only these kernels; all there are without a name.
    json
        Print them as JSON.
    """
    chosen = _chosen(load_kernels(), [part for name in names for part in split_list(name)])
    print(answers.text(answers.of_kernels(chosen)) if json else "\n".join(_lines(chosen)))
    return 0


def _chosen(known: dict[str, Kernel], names: Sequence[str]) -> list[Kernel]:
    for name in names:
        if name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            raise UsageError(
                f"there is no kernel {name!r}",
                remedy=f"did you mean {near[0]!r}?" if near else "msgauge kernels names all of them",
            )
    return [known[name] for name in dict.fromkeys(names)] or list(known.values())


def _lines(chosen: Sequence[Kernel]) -> Iterator[str]:
    for kernel in chosen:
        yield f"{kernel.name}: {kernel.title}\n  {kernel.meaning}"
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
        yield "\noptions, the first choice of each is the default"
    for (name, what), having in sorted(kernels_of.items()):
        whose = f" ({', '.join(having)})" if meanings.count(name) > 1 else ""
        yield f"  {name}{whose}: {what}"
