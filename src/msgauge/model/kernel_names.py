"""The kernel that a word means: its own name, another name of it, or its name in another benchmark."""

from __future__ import annotations

import re
from collections.abc import Mapping

from msgauge.errors import UsageError, hint_nearest
from msgauge.model.plan import Kernel


def find_kernel(word: str, known: Mapping[str, Kernel]) -> Kernel:
    """The kernel that a word means: its name, title or another name, or its name in another benchmark's spelling.

    ``osu_bcast``, ``IMB-Bcast``, ``MPI_Bcast`` and ``broadcast`` all mean ``bcast``.

    Raises:
        UsageError: no kernel is called so; the nearest one is named.
    """
    if word in known:
        return known[word]
    names = {_bare(name): kernel for kernel in known.values() for name in (*kernel.aliases, kernel.title, kernel.name)}
    own = _PERF.sub("", _FOREIGN.sub("", word.lower()))
    for form in (_bare(word), _bare(own)):
        if form in names:
            return names[form]
    near = hint_nearest(_KIN.sub("", own), names)
    what = f"did you mean {names[near].name!r}? " if near else ""
    raise UsageError(f"there is no kernel {word!r}", remedy=f"{what}'msgauge kernels' lists all of them")


_FOREIGN = re.compile(r"^(osu|imb([ _-]?(mpi1|nbc|rma|p2p|ext|mt))?|mpi|nccl|skampi)[ :._-]+")
"""What other benchmarks put before a name."""
_PERF = re.compile(r"_perf$")
"""What the tests of NCCL put behind one."""
_KIN = re.compile(r"_(persistent|mt|mp)$")
"""What OSU puts behind one that is measured in another way: by persistent requests, by threads, by processes."""


def _bare(word: str) -> str:
    """A name without the marks that people spell differently."""
    return re.sub(r"[^a-z0-9]", "", word.lower())
