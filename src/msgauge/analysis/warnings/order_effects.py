"""A notice where launches are slow for their place in the order, which is laid to the account of stacks."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from msgauge.model import Notice
from msgauge.results.dataset import Dataset
from msgauge.stats.launch_order import FIRST, OrderEffect, find_order_effect
from msgauge.units import format_count, format_ratio

ORDER = "launch-order"
"""The code of the notice."""


def warn_order(dataset: Dataset) -> Iterator[Notice]:
    """One notice of the place whose launches are slow, or fast; of simulated stacks none, whose time is their own."""
    launches = [record.launch for record in dataset.records if record.launch.stack not in dataset.simulated]
    names = sorted({launch.stack for launch in launches})
    paces = _paces(dataset)
    blocks = {block: number for number, block in enumerate(dict.fromkeys(launch.in_block for launch in launches))}
    stacks = np.array([names.index(launch.stack) for launch in launches], dtype=np.int64)
    effect = find_order_effect(
        np.array([paces.get(launch.number, np.nan) for launch in launches]),
        stacks + len(names) * np.array([launch.ranks for launch in launches], dtype=np.int64),
        stacks,
        np.array([blocks[launch.in_block] for launch in launches], dtype=np.int64),
        balanced=dataset.plan.serially_balanced,
    )
    if effect is not None:
        yield _warn(effect, names, dataset.plan.serially_balanced)


def _paces(dataset: Dataset) -> dict[int, float]:
    """How slow each launch was over all tests, by its number, as a natural logarithm."""
    found: dict[int, list[float]] = {}
    for samples in dataset.cells.values():
        times = np.where(samples.medians_ns > 0, samples.medians_ns, np.nan)
        if np.isnan(times).all():
            continue
        logs = np.log(times) - np.log(np.nanmedian(times))
        for launch, log in zip(samples.compared.launches, logs, strict=True):
            found.setdefault(launch.number, []).append(float(log))
    return {number: float(np.nanmean(logs)) for number, logs in found.items() if not np.isnan(logs).all()}


def _warn(effect: OrderEffect, names: list[str], balanced: bool) -> Notice:
    if effect.place == FIRST:
        place, where, cause = "first", "that are the first of their round", "whatever comes before a round"
    else:
        place = names[effect.place]
        where, cause = f"right after {place}", f"what {place} leaves behind (processes, files, heat)"
    if balanced:
        so = "each stack stands there equally often on average, which favours none but widens intervals"
        remedy = f"find out about {cause} if intervals are too wide"
    else:
        so = "verdicts and intervals do not allow for that"
        remedy = f"find out about {cause}, and believe what a run without it says too"
    slow, factor = ("slow", effect.factor) if effect.factor >= 1 else ("fast", 1 / effect.factor)
    return Notice(
        ORDER,
        f"launches {where} are some {format_ratio(factor)} times as {slow} as the same stacks elsewhere in the order "
        f"({format_count(effect.launches, 'launch')}; by chance so in one run of {1 / effect.p_value:.0f}): {cause} is "
        f"counted for the stack whose turn it is; {so}",
        remedy,
        (
            ("place", place),
            ("factor", f"{effect.factor:.4g}"),
            ("launches", f"{effect.launches}"),
            ("p", f"{effect.p_value:.4g}"),
        ),
    )
