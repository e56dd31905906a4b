"""The kernel that a word means: its own name, another name of it, or its name in another benchmark."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Mapping

from msgauge.errors import UsageError, hint_nearest
from msgauge.model.plan import Kernel


def find_kernel(word: str, known: Mapping[str, Kernel]) -> Kernel:
    """The kernel that a word means: its name, title or another name, or its name in another benchmark's spelling.

    ``osu_bcast``, ``IMB-Bcast``, ``MPI_Bcast`` and ``broadcast`` all mean ``bcast``.

    Raises:
        UsageError: no kernel is called so; the nearest one is named.
    """
    if found := _look_up(word, known):
        return found
    near = hint_kernel(word, known)
    what = f"did you mean {near!r}? " if near else ""
    raise UsageError(f"there is no kernel {word!r}", remedy=f"{what}'msgauge kernels' lists all of them")


def names_kernel(word: str, known: Mapping[str, Kernel]) -> bool:
    """Whether a kernel is called so, here or in another benchmark."""
    return _look_up(word, known) is not None


def hint_kernel(word: str, known: Mapping[str, Kernel]) -> str:
    """The kernel that is nearest to a word that none is called by; '' when none is near.

    A word that is all but right comes first. Then one with a name among its parts: other benchmarks put the way of
    measuring before and behind what is measured (``osu_latency_mt``, ``IMB-RMA Exchange_put``, ``PingPongAnySource``).
    """
    names = _list_names(known)
    own = _strip(word)
    form = _bare(own)
    if (plain := form.removesuffix("w") + "v") in names and form.endswith("w"):
        return names[plain].name
    close = difflib.get_close_matches(form, names, n=1, cutoff=_ALL_BUT_RIGHT)
    if close:
        return names[close[0]].name
    held = _hint_by_parts(own, names)
    if held:
        return held
    near = hint_nearest(own, names)
    return names[near].name if near else ""


_FOREIGN = re.compile(r"^(osu|imb([ _-]?(mpi1|nbc|rma|p2p|ext|mt))?|mpi|nccl|skampi)[ :._-]+", re.IGNORECASE)
"""What other benchmarks put before a name."""
_PERF = re.compile(r"_perf$", re.IGNORECASE)
"""What the tests of NCCL put behind one."""
_PARTS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
"""``PingPongAnySource``, ``put_bw`` and ``halo3d`` taken apart."""
_MEASURES = {"bandwidth", "bibw", "bw", "lat", "latency", "throughput"}
"""What is measured of an operation; an operation beside it is what was meant."""
_TWO_SIDED = {"send", "recv"}
"""What a kernel needs unless its operations are one-sided."""
_ALL_BUT_RIGHT = 0.9


def _look_up(word: str, known: Mapping[str, Kernel]) -> Kernel | None:
    if word in known:
        return known[word]
    names = _list_names(known)
    return next((names[form] for form in (_bare(word), _bare(_strip(word))) if form in names), None)


def _list_names(known: Mapping[str, Kernel]) -> dict[str, Kernel]:
    return {_bare(name): kernel for kernel in known.values() for name in (*kernel.aliases, kernel.title, kernel.name)}


def _strip(word: str) -> str:
    return _PERF.sub("", _FOREIGN.sub("", word))


def _hint_by_parts(word: str, names: Mapping[str, Kernel]) -> str:
    """The kernel that some of a word's parts name; '' where none is.

    Operations come before what is measured of them, and one-sided ones before their pattern (``Exchange_put``): of
    those the last (``get_acc``), of the others the first (``Pingpong_Send_Recv``), and the longest from there.
    """
    parts = _PARTS.findall(word)
    held = [one for one in _join_parts([part.lower() for part in parts]) if one[2] in names]
    if not held:
        return ""
    operations = [one for one in held if one[2] not in _MEASURES] or held
    one_sided = [one for one in operations if not _TWO_SIDED & set(names[one[2]].needs)]
    if one_sided:
        return names[max(one_sided, key=lambda one: (one[1], one[1] - one[0]))[2]].name
    return names[min(operations, key=lambda one: (one[0], -one[1]))[2]].name


def _join_parts(parts: list[str]) -> Iterator[tuple[int, int, str]]:
    """Parts that stand side by side as one word, with where it begins and ends."""
    for start in range(len(parts)):
        for end in range(start + 1, len(parts) + 1):
            yield start, end, "".join(parts[start:end])


def _bare(word: str) -> str:
    """A name without the marks that people spell differently."""
    return re.sub(r"[^a-z0-9]", "", word.lower())
