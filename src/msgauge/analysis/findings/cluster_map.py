"""The map of a cluster: latency and bandwidth of every pair of hosts, and which hosts, pairs and groups stand out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import comb
from typing import Literal

import numpy as np
from attrs import frozen

from msgauge import units
from msgauge.analysis.findings.map_doubts import explain_doubts, explain_few, explain_untold, shorten_names
from msgauge.analysis.findings.transfer_times import find_transfer_effects, log_times, take_off_latency
from msgauge.model import Cell, HostSet, Kernel, KernelKind
from msgauge.results.dataset import CellSamples, Dataset, Series
from msgauge.stats.host_effects import HostEffect, HostEffects, find_effects

Quantity = Literal["latency", "bandwidth"]
Health = Literal["good", "slow", "unknown"]


@frozen
class MapFinding:
    """One thing that stands out, as a sentence and in numbers."""

    kind: str
    quantity: Quantity
    hosts: tuple[str, ...]
    """One host; a pair; the sender and the receiver of a slow direction; none for groups."""
    sentence: str
    ratio: float
    low: float
    high: float
    """Limits of the ratio, which hold for all that was asked in 95 % of maps at least."""
    p: float


@frozen
class PairMatrix:
    """One quantity of every pair: half round trips in ns, or bytes per second."""

    quantity: Quantity
    size_bytes: int
    values: tuple[tuple[float, ...], ...]
    """Row: the sender, column: the receiver; medians over launches; 0 on the diagonal, and where not told."""
    typical: float
    host_ratios: tuple[float, ...]
    """How many times as long messages of each host take as those of the typical host; 0 where not told."""


@frozen
class ClusterMap:
    """What one stack found on the hosts of a run."""

    stack: str
    hosts: tuple[str, ...]
    emulated: bool
    schedule: str
    launches: int
    tables: tuple[PairMatrix, ...]
    findings: tuple[MapFinding, ...]
    groups: tuple[tuple[str, ...], ...]
    """Hosts that are near each other; empty where no groups were found."""
    health: Health
    notes: tuple[str, ...] = ()
    together_bytes_per_s: float = 0.0
    """Of all hosts, while each sends to every other; 0 where it was not measured."""
    bisection_bytes_per_s: float = 0.0
    """Across, both ways together, while each host of the first half exchanges with one of the second."""


@frozen
class ClusterMaps:
    """The maps of a run, one for each stack."""

    maps: tuple[ClusterMap, ...]


def make_maps(dataset: Dataset, kernels: Iterable[Kernel]) -> ClusterMaps | None:
    """The map that each stack of a run has drawn; None where no pairs were measured."""
    matrix = {kernel.name for kernel in kernels if kernel.kind is KernelKind.MATRIX}
    cells = {cell.id: cell for cell in dataset.plan.cells if cell.kernel in matrix}
    stacks: dict[str, list[tuple[Cell, CellSamples]]] = {}
    for key, one in dataset.cells.items():
        if key.cell in cells:
            stacks.setdefault(key.stack, []).append((cells[key.cell], one))
    maps = [_make_map(stack, measured, dataset.plan.hosts.of(stack)) for stack, measured in sorted(stacks.items())]
    found = tuple(one for one in maps if one is not None)
    return ClusterMaps(found) if found else None


def _make_map(stack: str, measured: Sequence[tuple[Cell, CellSamples]], hosts: HostSet) -> ClusterMap | None:
    """Of the largest number of ranks that was measured in pairs, by the first schedule of those."""
    pairs = [
        (cell, one)
        for cell, one in measured
        if _option(cell, "schedule") in ("rounds", "sequence") and _has_all_pairs(one, cell.ranks)
    ]
    if not pairs:
        return None
    ranks = max(cell.ranks for cell, _ in pairs)
    schedule = next(_option(cell, "schedule") for cell, _ in pairs if cell.ranks == ranks)
    chosen = [(c, one) for c, one in pairs if c.ranks == ranks and _option(c, "schedule") == schedule]
    names = _name_hosts(hosts, ranks)
    short = next((_times(one) for cell, one in chosen if _option(cell, "answer") != "short"), None)
    long = next(((cell, _times(one)) for cell, one in chosen if _option(cell, "answer") == "short"), None)
    tables, findings, effects, notes = [], list[MapFinding](), list[HostEffects](), list[str]()
    if short is not None:
        both = (short + short.transpose(0, 2, 1)) / 2
        effects.append(find_effects(log_times(both), directed=False))
        tables.append(_table("latency", _size(chosen, "whole"), np.median(both, axis=0), effects[-1]))
    if long is not None:
        transfer = take_off_latency(long[1], short)
        effects.append(find_transfer_effects(transfer, long[1], short))
        with np.errstate(divide="ignore"):
            rates = np.nan_to_num(long[0].size_bytes * 1e9 / np.median(transfer, axis=0), nan=0.0, posinf=0.0)
        tables.append(_table("bandwidth", long[0].size_bytes, rates, effects[-1]))
        notes += explain_untold(transfer, _many(tables[-1]), names)
    for found, table in zip(effects, tables, strict=True):
        findings += _describe(found, table, names)
        notes += explain_doubts(found, _many(table), names)
    launches = min(len(one.frames) for _, one in chosen)
    notes = [*explain_few(launches, ranks, effects), *notes]
    slow = any(one.kind != "group" for one in findings)
    return ClusterMap(
        stack,
        names,
        hosts.emulated,
        schedule,
        launches,
        tuple(tables),
        tuple(findings),
        _name_groups(effects, names),
        "slow" if slow else "unknown" if notes else "good",
        tuple(notes),
        *_whole_network(measured, ranks),
    )


def _option(cell: Cell, name: str) -> str:
    """The first of a kernel's choices stands where a cell says nothing: in rounds, answered in whole."""
    return dict(cell.options).get(name, {"schedule": "rounds", "answer": "whole", "repeats": "5"}[name])


def _has_all_pairs(one: CellSamples, ranks: int) -> bool:
    """Whether each frame has a value for every pair, and that of the whole pass."""
    points = comb(ranks, 2) + 1
    return ranks > 1 and all(frame.curves.shape[1] == points for frame in one.frames)


def _size(chosen: Sequence[tuple[Cell, CellSamples]], answer: str) -> int:
    return next(cell.size_bytes for cell, _ in chosen if _option(cell, "answer") == answer)


def _name_hosts(hosts: HostSet, ranks: int) -> tuple[str, ...]:
    """The host of each rank, or the ranks themselves where hosts hold several."""
    layout = hosts.layout(ranks)
    return layout if layout and len(set(layout)) == ranks else tuple(f"rank{rank}" for rank in range(ranks))


def _times(one: CellSamples) -> np.ndarray:
    """Shape (launches, ranks, ranks): ns from the row's rank to the column's, medians over the passes of each launch.

    By the clock of the one that sends: ``forward`` above the diagonal, ``backward`` below it.
    """
    forward = one.compared
    backward = next((series for series in one.further if series.name == "backward"), forward)
    return np.stack([_matrix(f, b) for f, b in zip(_rows(forward), _rows(backward), strict=False)])


def _rows(series: Series) -> list[np.ndarray]:
    """The median of each pair over the passes of a launch; the last value, that of the whole pass, left out."""
    return [np.median(frame.curves[:, :-1], axis=0) for frame in series.frames]


def _matrix(forward: np.ndarray, backward: np.ndarray) -> np.ndarray:
    ranks = round((1 + (1 + 8 * forward.size) ** 0.5) / 2)
    upper = np.triu_indices(ranks, 1)
    matrix = np.zeros((ranks, ranks))
    matrix[upper] = forward
    matrix.T[upper] = backward
    return matrix


def _table(quantity: Quantity, size_bytes: int, values: np.ndarray, found: HostEffects) -> PairMatrix:
    apart = ~np.eye(len(values), dtype=bool)
    whole = values * apart
    rows = tuple(tuple(float(value) for value in row) for row in whole)
    known = whole[whole > 0]
    return PairMatrix(quantity, size_bytes, rows, float(np.median(known)) if known.size else 0.0, found.host_ratios)


def _describe(found: HostEffects, table: PairMatrix, names: Sequence[str]) -> Iterator[MapFinding]:
    """Findings in words: slow hosts first, groups last."""
    for effect in (*found.effects, *([found.group] if found.group else [])):
        hosts = tuple(names[host] for host in effect.hosts)
        text = _sentence(effect, hosts, table) + _levels(effect, found, table) + f" {_certainty(effect)}"
        if effect.kind == "group":
            text = f"{_join_groups(_name_groups([found], names))}: {text}"
        yield MapFinding(effect.kind, table.quantity, hosts, text, effect.ratio, effect.low, effect.high, effect.p)


def _sentence(effect: HostEffect, hosts: tuple[str, ...], table: PairMatrix) -> str:
    many = _many(table)
    times = f"{units.format_ratio(effect.ratio)} times as long"
    if effect.kind == "group":
        return f"groups between which {many} take {times} as within"
    if effect.kind == "pair":
        three = sum(ratio > 0 for ratio in table.host_ratios) == 3
        others = "those of the other two pairs" if three else "their hosts explain"
        return f"{hosts[0]} and {hosts[1]}: {many} between them take {times} as {others}"
    if effect.kind == "pair-direction":
        return f"{hosts[0]} to {hosts[1]}: {many} take {times} as those from {hosts[1]} to {hosts[0]}"
    if effect.kind == "host-direction":
        ratio = units.format_ratio(max(effect.ratio, 1 / effect.ratio))
        way = ("sends", "receives") if effect.ratio > 1 else ("receives", "sends")
        return f"{hosts[0]} {way[0]} slower than it {way[1]}: {many} take {ratio} times as long"
    word = "is late" if table.quantity == "latency" else "has a slow link"
    return f"{hosts[0]} {word}: {many} to and from it take {times}"


def _many(table: PairMatrix) -> str:
    return "short messages" if table.quantity == "latency" else f"messages of {units.format_size(table.size_bytes)}"


def _levels(effect: HostEffect, found: HostEffects, table: PairMatrix) -> str:
    """Of a slow host: what its pairs with hosts that are not slow take, and what these take between them.

    A pair has the middle of its two ways, on the scale of ratios. The typical pair may be one of slow hosts itself.
    """
    if effect.kind != "host":
        return ""
    values = np.array(table.values)
    both = np.sqrt(values * values.T)
    slow = {one.hosts[0] for one in found.effects if one.kind == "host"}
    sound = [host for host in range(len(values)) if host not in slow]
    own, others = (part[part > 0] for part in (both[effect.hosts[0], sound], both[np.ix_(sound, sound)]))
    if not own.size or not others.size:
        return ""
    level, typical = (_format(table.quantity, float(np.median(part))) for part in (own, others))
    return f" ({level}, between others {typical})"


def _certainty(effect: HostEffect) -> str:
    low, high = effect.low, effect.high
    if effect.ratio < 1:  # told the other way round
        low, high = 1 / high, 1 / low
    p = "p < 0.01" if effect.p < 0.01 else f"p = {effect.p:.2f}"
    return f"[interval {units.format_limits(low, high)}, at least 95 %, and {p}, both for all that was asked]"


def _format(quantity: Quantity, value: float) -> str:
    return units.format_time(value) if quantity == "latency" else units.format_rate(value)


def _name_groups(effects: Sequence[HostEffects], names: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """By the quantity in which the groups are furthest apart."""
    known = [one for one in effects if one.group is not None]
    if not known:
        return ()
    labels = max(known, key=lambda one: one.group.ratio if one.group else 0.0).groups
    return tuple(
        tuple(name for name, label in zip(names, labels, strict=True) if label == one)
        for one in sorted(set(labels) - {-1})
    )


def _join_groups(groups: Sequence[Sequence[str]]) -> str:
    return " | ".join(shorten_names(group) for group in groups)


def _whole_network(measured: Sequence[tuple[Cell, CellSamples]], ranks: int) -> tuple[float, float]:
    """Bytes per second of all hosts together: each to every other, and across the two halves."""
    found = {"together": 0.0, "bisection": 0.0}
    for cell, one in measured:
        schedule = _option(cell, "schedule")
        if cell.ranks == ranks and schedule in found:
            messages = (
                ranks * (ranks - 1) if schedule == "together" else 2 * (ranks // 2) * int(_option(cell, "repeats"))
            )
            found[schedule] = cell.size_bytes * messages * 1e9 / float(np.median(one.medians_ns))
    return found["together"], found["bisection"]
