"""Kinds of anomalies that a run could not have shown of a stack, and what it would have had to measure."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from attrs import frozen

from msgauge.analysis.findings.anomaly_findings import FEWEST_RANKS
from msgauge.model import Estimate, KernelKind
from msgauge.models.anomalies import MINIMUM_LAUNCHES
from msgauge.stats.launch_groups import FEWEST_LAUNCHES


@frozen
class Undetectable:
    """Kinds of anomalies, the stacks of which nothing is said about them, and what is missing."""

    kinds: tuple[str, ...]
    stacks: tuple[str, ...]
    missing: str


def find_undetectable(estimates: Sequence[Estimate]) -> tuple[Undetectable, ...]:
    """Each kind that needs a measurement which some of the stacks lack."""
    usable = [one for one in estimates if not one.failed]
    stacks = dict.fromkeys(one.stack for one in estimates)
    found = []
    for kinds, missing, is_there in _NEEDS:
        lacking = tuple(stack for stack in stacks if not is_there([one for one in usable if one.stack == stack]))
        found.extend([Undetectable(kinds, lacking, missing)] if lacking else [])
    return tuple(found)


def _has_bursts(mine: Sequence[Estimate]) -> bool:
    return any(one.kernel_kind is KernelKind.CURVE and len(one.launch_medians_ns) >= MINIMUM_LAUNCHES for one in mine)


def _has_odd_sizes(mine: Sequence[Estimate]) -> bool:
    """A size between two powers of two that were measured too."""
    rows: dict[tuple[object, ...], list[int]] = {}
    for one in mine:
        if one.size_bytes > 0 and len(one.launch_medians_ns) >= MINIMUM_LAUNCHES:
            rows.setdefault((one.kernel, one.ranks, one.options, one.mode, one.cache), []).append(one.size_bytes)
    return any(_is_odd_between(np.array(sizes)) for sizes in rows.values())


def _is_odd_between(sizes: np.ndarray) -> bool:
    powers = np.log2(sizes) % 1 == 0
    odd = sizes[~powers]
    return bool(powers.any() and np.any((odd > sizes[powers].min()) & (odd < sizes[powers].max())))


def _has_many_launches(mine: Sequence[Estimate]) -> bool:
    return any(len(one.launch_medians_ns) >= FEWEST_LAUNCHES for one in mine)


def _has_ranks(mine: Sequence[Estimate]) -> bool:
    return any(one.ranks >= FEWEST_RANKS and len(one.launch_medians_ns) >= MINIMUM_LAUNCHES for one in mine)


_NEEDS: tuple[tuple[tuple[str, ...], str, Callable[[Sequence[Estimate]], bool]], ...] = (
    (
        ("start-up", "rate-change"),
        f"bursts (a kernel of the kind {KernelKind.CURVE}) in {MINIMUM_LAUNCHES} rounds",
        _has_bursts,
    ),
    (
        ("off-power-of-two",),
        f"a kernel at sizes off the powers of two, between two of them, in {MINIMUM_LAUNCHES} rounds",
        _has_odd_sizes,
    ),
    (("bimodal-launches",), f"{FEWEST_LAUNCHES} rounds", _has_many_launches),
    (("slow-rank",), f"{FEWEST_RANKS} ranks in {MINIMUM_LAUNCHES} rounds", _has_ranks),
)
