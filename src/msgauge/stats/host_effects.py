"""Which hosts, pairs and directions of a cluster are slow: a model of hosts and groups, with certainty for the family.

On the scale of logarithms a message between two hosts costs what each of the two adds and the distance of their
groups (``host_groups``). What is asked of each launch is a number for every host, pair or direction; a launch counts
once. Where nothing is wrong, these numbers may be dealt out anew among the hosts (pairs) within each launch, whatever
their distribution is: heavy tails, two modes, a host that is slow in this launch alone. The largest mean over launches
is compared with the largest of such draws, and after a host is found the test goes on without it (step-down). Each
question is one of ``FAMILIES`` families, and p is corrected for all. What is certain but small is not reported.

What is reported was picked because it came out large, and an interval that holds for one host by itself holds less
often for one that was picked. So intervals come from such draws as p does and have the same correction: they hold
together for everything that was asked, and thus for whatever of it is reported. They suppose that hosts scatter alike,
and are as wide as the host's own launches ask (Student's t) where it scatters more: then corrected for all that scatter
so much, since one of many noisy pairs looks slow in all of its launches by luck. What such an interval does not tell
from 1 is not reported, however small its p. Launches are taken as independent of each other.

Source: Westfall and Young 1993 (step-down maximum under permutation); Phipson and Smyth 2010; Holm 1979 (families);
Benjamini and Yekutieli 2005 (intervals of what was picked; simultaneous ones hold for every way to pick).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

import numpy as np
from attrs import frozen

from msgauge.stats.host_groups import Groups, find_groups, polish_hosts, strata
from msgauge.stats.location import student_interval

LEVEL = 0.05
LEAST_HOST = 0.20
"""A host, pair or direction counts as slow from 20 % on."""
LEAST_DISTANCE = 0.10
"""Groups count from 10 % between them on."""
FAMILIES = 8
"""Hosts, groups and pairs, each of latency and bandwidth; hosts and pairs that are unlike in their two directions."""
FEWEST_LAUNCHES = 3
NOISY = 2.0
"""A column whose launches scatter by more than so many times what those of the typical one do is noisy. Where all
scatter alike one in a hundred is, in five launches."""
_DRAWS = 1999
_MOST_PAIRS = 64
"""No more single pairs are listed: with more of them something else is wrong."""

Kind = Literal["host", "pair", "group", "host-direction", "pair-direction"]


@frozen
class HostEffect:
    """Something that stands out: which hosts, how many times as long their messages take, and how certain that is."""

    kind: Kind
    hosts: tuple[int, ...]
    """One host, or a pair; of a direction the first is the sender, or the host whose sending is the slow way."""
    ratio: float
    low: float
    high: float
    """Limits of the ratio: those of all that is told hold together in 95 % of maps at least. 1 lies outside."""
    p: float
    """Corrected for all that was asked."""


@frozen(eq=False)
class HostEffects:
    """What was found in one measure (latency, or time of a large message)."""

    groups: tuple[int, ...]
    """The group of each host; all 0 where there is one alone."""
    group: HostEffect | None
    effects: tuple[HostEffect, ...]
    host_ratios: tuple[float, ...]
    """What messages of each host take, as a multiple of the typical host's."""
    least_p: float
    """With so few launches and hosts no p can be below this."""


def find_effects(logs: np.ndarray, *, directed: bool, seed: int = 1) -> HostEffects:
    """Everything that stands out in one measure.

    ``logs``: shape (launches, hosts, hosts), the logarithm of the time from the row's host to the column's; the
    diagonal does not count. ``directed``: the two directions of a pair were measured apart and may differ.
    """
    hosts = logs.shape[1]
    both = (logs + logs.transpose(0, 2, 1)) / 2
    found = find_groups(both, seed)
    group = _group_effect(found)
    together = np.zeros(hosts, dtype=int)
    labels = found.labels if _correct(found.p) <= LEVEL else together
    added = np.stack([host_additions(one, labels) for one in both])
    effects = list(_slow_hosts(added, "host", seed))
    slow = {effect.hosts[0]: effect.ratio for effect in effects}
    effects += _slow_pairs(both, labels, set(slow), seed)
    if directed:
        effects += _unlike_directions(logs, slow, seed)
    return HostEffects(
        tuple(int(label) for label in (labels if group else together)),
        group,
        tuple(sorted(effects, key=lambda effect: -abs(np.log(effect.ratio)))),
        tuple(float(ratio) for ratio in np.exp(np.median(added, axis=0))),
        _correct(float(hosts) ** (1 - len(logs))),
    )


def _group_effect(found: Groups) -> HostEffect | None:
    p = _correct(found.p)
    if len(found.by_launch) < FEWEST_LAUNCHES or p > LEVEL or found.distance < np.log1p(LEAST_DISTANCE):
        return None
    low, high = student_interval(np.array(found.by_launch), 1 - LEVEL / FAMILIES)
    return _effect("group", (), Slow(0, found.distance, float(low), float(high), p)) if low > 0 else None


def host_additions(matrix: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """What each host adds in one launch, the distance between groups and what the other hosts add taken off."""
    level = matrix.copy()
    np.fill_diagonal(level, np.nan)
    apart = strata(labels)
    if apart.any():
        level[apart] -= np.nanmedian(level[apart]) - np.nanmedian(level[~apart])
    return polish_hosts(level)[0]


def _slow_hosts(added: np.ndarray, kind: Kind, seed: int) -> Iterator[HostEffect]:
    """Hosts that add more than others, the slowest first. ``added``: shape (launches, hosts)."""
    for found in find_slow(added, seed):
        yield _effect(kind, (found.column,), found)


def _slow_pairs(both: np.ndarray, labels: np.ndarray, slow: set[int], seed: int) -> list[HostEffect]:
    """Pairs that are slower than their hosts and groups explain; those of slow hosts are explained by these."""
    sound = [host for host in range(both.shape[1]) if host not in slow]
    if len(sound) < 4:
        return []
    apart = strata(labels[sound])
    upper = np.triu_indices(len(sound), 1)
    left = np.stack([_pair_residuals(one[np.ix_(sound, sound)], apart)[upper] for one in both])
    return [
        _effect("pair", (sound[upper[0][found.column]], sound[upper[1][found.column]]), found)
        for found in find_slow(left, seed, (~apart[upper], apart[upper]))
    ]


def _pair_residuals(matrix: np.ndarray, apart: np.ndarray) -> np.ndarray:
    level = matrix.copy()
    np.fill_diagonal(level, np.nan)
    if apart.any():
        level[apart] -= np.nanmedian(level[apart]) - np.nanmedian(level[~apart])
    return polish_hosts(level)[1]


def _unlike_directions(logs: np.ndarray, slow: Mapping[int, float], seed: int) -> list[HostEffect]:
    """Hosts that send slower than they receive (or the other way), then single pairs with a slow direction.

    ``slow``: how slow known hosts are; of these one direction is told where it is most of the reason.
    """
    unlike = logs - logs.transpose(0, 2, 1)
    hosts = logs.shape[1]
    for one in unlike:
        np.fill_diagonal(one, np.nan)
    by_host = np.nanmedian(unlike, axis=2)
    found = [
        *_slow_hosts(by_host, "host-direction", seed),
        *(_turn_round(effect) for effect in _slow_hosts(-by_host, "host-direction", seed)),
    ]
    found = [one for one in found if abs(np.log(one.ratio)) >= np.log(slow.get(one.hosts[0], 1.0))]
    marked = {effect.hosts[0] for effect in found} | set(slow)
    sound = [host for host in range(hosts) if host not in marked]
    if len(sound) < 3:
        return found
    rows, columns = np.triu_indices(len(sound), 1)
    senders, receivers = np.array(sound)[rows], np.array(sound)[columns]
    apart = unlike[:, senders, receivers]
    both_ways = np.concatenate([apart, -apart], axis=1)
    for one in find_slow(both_ways, seed):
        pair = one.column % len(rows)
        ends = (int(senders[pair]), int(receivers[pair]))
        found.append(_effect("pair-direction", ends if one.column < len(rows) else ends[::-1], one))
    return found


def _turn_round(effect: HostEffect) -> HostEffect:
    """The same effect told of the other direction: receiving is the slow way, which a ratio below 1 says."""
    return HostEffect(effect.kind, effect.hosts, 1 / effect.ratio, 1 / effect.high, 1 / effect.low, effect.p)


@frozen
class Slow:
    """A column that is slow for certain: logarithms of its ratio to the typical column and of the limits."""

    column: int
    middle: float
    low: float
    high: float
    p: float


def find_slow(values: np.ndarray, seed: int, parts: Sequence[np.ndarray] = ()) -> list[Slow]:
    """Columns that are above the typical one of their part for certain and by enough, the slowest first.

    ``values`` and ``parts`` as in ``step_down``. A column must be slow beside what others scatter, and beside what its
    own launches scatter: its interval is as wide as either asks, and does not hold 1.
    """
    certain = list(step_down(values, seed, parts))
    if not certain:
        return []
    masks = parts or (np.ones(values.shape[1], dtype=bool),)
    shifts = {column: values[:, column] - _typical(values, column, masks) for column, _ in certain}
    rest = values.copy()
    for column, own in shifts.items():
        rest[:, column] -= own.mean()
    below, above = _draw_reach(rest, masks, seed)
    levels = _own_levels(values)
    found = []
    for column, p in certain:
        own, middle = shifts[column], float(shifts[column].mean())
        low, high = (float(limit) for limit in student_interval(own, levels[column]))
        low, high = min(low, middle - above), max(high, middle + below)
        if min(middle, np.median(own)) >= np.log1p(LEAST_HOST) and low > 0:
            found.append(Slow(column, middle, low, high, p))
    return found


def _own_levels(values: np.ndarray) -> np.ndarray:
    """Level of the interval that each column's own launches ask for, shape (columns,): of noisy ones all hold together.

    The draws answer for columns that scatter alike; a noisy one among quiet ones is larger than most draws by luck.
    """
    scatters = values.std(axis=0, ddof=1)
    noisy = scatters > NOISY * np.median(scatters)
    return np.where(noisy, 1 - LEVEL / FAMILIES / max(1, int(noisy.sum())), 1 - LEVEL)


def _typical(values: np.ndarray, column: int, masks: Sequence[np.ndarray]) -> float:
    """The median of the means of all other columns of its part."""
    others = next(mask for mask in masks if mask[column]).copy()
    others[column] = False
    return float(np.median(values[:, others].mean(axis=0)))


def _draw_reach(values: np.ndarray, masks: Sequence[np.ndarray], seed: int) -> tuple[float, float]:
    """How far below and above the typical column the mean of any column comes by chance, but in LEVEL of all maps.

    ``values``: with all that was found taken off. The largest of all means is asked for, and each side of each family
    has its part of LEVEL: so it is the interval of whatever was picked. Draws take their centre from the columns that
    they deal out, while a column is set against the median of the others, which scatters too; with few columns that
    counts, by as much as it would with normal means.
    """
    drawn = np.concatenate(list(_draw([values[:, mask] for mask in masks if mask.any()], np.random.default_rng(seed))))
    middle = float(np.median(values.mean(axis=0)))
    outside = max(1, int(LEVEL / 2 / FAMILIES * (_DRAWS + 1)))
    columns = min(int(mask.sum()) for mask in masks if mask.any())
    others = max(1, columns - 1)
    wider = float(np.sqrt(columns / others * (1 + np.pi / 2 / others)))
    smallest, largest = np.sort(drawn, axis=0)[[outside - 1, -outside], [0, 1]]
    return wider * (middle - float(smallest)), wider * (float(largest) - middle)


def step_down(values: np.ndarray, seed: int, parts: Sequence[np.ndarray] = ()) -> Iterator[tuple[int, float]]:
    """Columns whose mean over launches is certainly above those of the others, the largest first, with corrected p.

    ``values``: shape (launches, columns). ``parts``: bool masks; columns are dealt out anew within each of them alone.
    """
    if len(values) < FEWEST_LAUNCHES:
        return
    random = np.random.default_rng(seed)
    open_ = np.ones(values.shape[1], dtype=bool)
    masks = parts or (open_.copy(),)
    worst = 0.0
    for _ in range(min(_MOST_PAIRS, values.shape[1] // 2)):
        means = np.where(open_, values.mean(axis=0), -np.inf)
        first = int(np.argmax(means))
        if means[first] < np.log1p(LEAST_DISTANCE) / 2:
            return  # far too small to be told, however certain
        reached = _count_draws(values, [mask & open_ for mask in masks], float(means[first]), random)
        worst = max(worst, _correct((reached + 1) / (_DRAWS + 1)))
        if worst > LEVEL:
            return
        yield first, worst
        open_[first] = False


def _count_draws(values: np.ndarray, masks: Sequence[np.ndarray], largest: float, random: np.random.Generator) -> int:
    """How many draws have a largest mean as large. Stops when they are far too many for any level."""
    reached = 0
    for drawn in _draw([values[:, mask] for mask in masks if mask.any()], random):
        reached += int((drawn[:, 1] >= largest * (1 - 1e-9)).sum())
        if reached > LEVEL / FAMILIES * _DRAWS:
            return _DRAWS
    return reached


def _draw(parts: Sequence[np.ndarray], random: np.random.Generator) -> Iterator[np.ndarray]:
    """Smallest and largest mean of each draw, shape (draws, 2), some draws at a time."""
    chunk = max(1, min(200, 2_000_000 // max(1, sum(part.size for part in parts))))
    for start in range(0, _DRAWS, chunk):
        count = min(chunk, _DRAWS - start)
        extremes = np.tile([np.inf, -np.inf], (count, 1))
        for part in parts:
            drawn = random.permuted(np.broadcast_to(part, (count, *part.shape)), axis=2).mean(axis=1)
            extremes[:, 0] = np.minimum(extremes[:, 0], drawn.min(axis=1))
            extremes[:, 1] = np.maximum(extremes[:, 1], drawn.max(axis=1))
        yield extremes


def _correct(p: float) -> float:
    return min(1.0, FAMILIES * p)


def _effect(kind: Kind, hosts: tuple[int, ...], found: Slow) -> HostEffect:
    middle, low, high = (float(np.exp(value)) for value in (found.middle, found.low, found.high))
    return HostEffect(kind, tuple(int(host) for host in hosts), middle, low, high, found.p)
