"""Which guidelines there are, and which tests of a run are a side of one.

A guideline says left <= right in time, and speaks of m, the bytes of the whole vector. Scatter, gather, allgather and
alltoall are measured by the block of one rank, so m of theirs is block × ranks. Where the right side was not measured
at exactly m, the next larger size up to twice m stands in, which can hide a violation but not invent one while more
bytes cost more. Both sides were measured in one way: times of single operations, or with cold caches, say nothing
about those of batches.

Source: Träff, Gropp and Thakur 2010, "Self-consistent MPI performance guidelines", IEEE TPDS 21(5).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from math import inf
from typing import Literal

from attrs import frozen

from msgauge.model import Estimate, Pairs
from msgauge.model.measured_way import note_marks
from msgauge.units import format_size

STAND_IN = 2.0
"""A stand-in for a size that was not measured is at most this many times larger."""
SMALLEST_ELEMENT = 8
"""An allreduce of one element has at most so many bytes."""
BLOCK_KERNELS = frozenset({"scatter", "gather", "allgather", "alltoall"})
ANY = "*"
TRAFF = "Träff, Gropp and Thakur 2010, IEEE TPDS 21(5)"


@frozen
class Term:
    """One operation of a side: which kernel, at which size and ranks, and how often."""

    kernel: str
    size: Literal["same", "next", "one element", "none"] = "same"
    ranks: Literal["same", "two"] = "same"
    times: Literal["once", "ranks - 1"] = "once"
    options: Pairs = ()


@frozen
class Guideline:
    """left <= right, said in a sentence, with its source."""

    name: str
    left: Term
    right: tuple[Term, ...]
    says: str
    source: str = TRAFF


GUIDELINES: tuple[Guideline, ...] = (
    Guideline("monotone", Term(ANY), (Term(ANY, size="next"),), "Guideline: a larger message should not be faster."),
    Guideline(
        "bcast <= scatter + allgather",
        Term("bcast"),
        (Term("scatter"), Term("allgather")),
        "Guideline: a broadcast should not be slower than a scatter followed by an allgather.",
    ),
    Guideline(
        "allreduce <= reduce + bcast",
        Term("allreduce"),
        (Term("reduce"), Term("bcast")),
        "Guideline: an allreduce should not be slower than a reduce followed by a broadcast.",
    ),
    Guideline(
        "gather <= allgather",
        Term("gather"),
        (Term("allgather"),),
        "Guideline: a gather should not be slower than an allgather.",
    ),
    Guideline(
        "scatter <= bcast",
        Term("scatter"),
        (Term("bcast"),),
        "Guideline: a scatter should not be slower than a broadcast of the whole vector.",
    ),
    Guideline(
        "bcast <= sends",
        Term("bcast"),
        (Term("pingpong", ranks="two", times="ranks - 1"),),
        "Guideline: a broadcast should not be slower than p - 1 sends.",
        f"{TRAFF}; the study tcp-or-mpi reports a violation by Open MPI",
    ),
    Guideline(
        "barrier <= allreduce",
        Term("barrier", size="none"),
        (Term("allreduce", size="one element"),),
        "Guideline: a barrier should not be slower than an allreduce of one element.",
    ),
)


@frozen
class SideCandidates:
    """Usable estimates in the order given, and those of each stack, kernel, number of ranks, mode and cache."""

    estimates: tuple[Estimate, ...]
    alike: Mapping[tuple[object, ...], Sequence[Estimate]]

    @classmethod
    def of(cls, estimates: Iterable[Estimate]) -> SideCandidates:
        usable = tuple(e for e in estimates if not e.failed and e.launch_medians_ns and min(e.launch_medians_ns) > 0)
        alike: defaultdict[tuple[object, ...], list[Estimate]] = defaultdict(list)
        for one in usable:
            alike[one.stack, one.kernel, one.ranks, one.mode, one.cache].append(one)
        return cls(usable, alike)

    def lefts(self, term: Term) -> list[Estimate]:
        """All cells the left side can be; one per stack, kernel, ranks, way and size unless it is any kernel."""
        chosen: dict[tuple[object, ...], Estimate] = {}
        for e in self.estimates:
            if term.kernel in (ANY, e.kernel) and set(term.options) <= set(e.options):
                options = e.options if term.kernel == ANY else ()
                chosen.setdefault((e.stack, e.kernel, e.ranks, e.mode, e.cache, e.size_bytes, options), e)
        return list(chosen.values())

    def all_of(self, guideline: Guideline, left: Estimate) -> list[Estimate]:
        """The right side of a guideline for this left one; none where any term of it was not measured."""
        right = [self.match(term, left) for term in guideline.right]
        known = [cell for cell in right if cell is not None]
        return known if len(known) == len(right) else []

    def match(self, term: Term, left: Estimate) -> Estimate | None:
        """The cell of a right-hand term for this left side, or None where it was not measured."""
        ranks = 2 if term.ranks == "two" else left.ranks
        kernel = left.kernel if term.kernel == ANY else term.kernel
        low, high = _size_window(term, left)
        fits = [
            e
            for e in self.alike.get((left.stack, kernel, ranks, left.mode, left.cache), ())
            if low <= whole_vector(e) <= high
            and set(term.options) <= set(e.options)
            and (term.kernel != ANY or e.options == left.options)
        ]
        return min(fits, key=whole_vector, default=None)


def whole_vector(estimate: Estimate) -> int:
    """m of a cell, in bytes: the size itself, or block × ranks for kernels that are measured by the block."""
    return estimate.size_bytes * (estimate.ranks if estimate.kernel in BLOCK_KERNELS else 1)


def _size_window(term: Term, left: Estimate) -> tuple[float, float]:
    size = whole_vector(left)
    if term.size == "next":
        return size + 1, inf
    if term.size == "one element":
        return 1, SMALLEST_ELEMENT
    return size, STAND_IN * size


def describe_side(estimate: Estimate, factor: int) -> str:
    """``3 × pingpong of 8 B (cold cache)``: one test of a side, as many times as it counts."""
    size = f" of {format_size(estimate.size_bytes)}" if estimate.kernel != "barrier" else ""
    each = " a rank" if estimate.kernel in BLOCK_KERNELS else ""
    marks = f" ({', '.join(found)})" if (found := note_marks(estimate)) else ""
    return (f"{factor} × " if factor != 1 else "") + f"{estimate.kernel}{size}{each}{marks}"
