"""Which hosts, pairs and directions of a cluster are slow: a model of hosts and groups, with certainty for the family.

On the scale of logarithms a message between two hosts costs what each of the two adds and the distance of their
groups (``host_groups``). What is asked of each launch is a number for every host, pair or direction; a launch counts
once. Where nothing is wrong, these numbers may be dealt out anew among the hosts (pairs) within each launch, whatever
their distribution is: heavy tails, two modes, a host that is slow in this launch alone. The largest mean over launches
is compared with the largest of such draws, and after a host is found the test goes on without it (step-down); several
slow hosts are found together (``slow_columns``). Each question is one of ``FAMILIES`` families, and p is corrected for
all. What is certain but small is not reported.

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

from collections.abc import Mapping, Sequence
from typing import Literal

import numpy as np
from attrs import frozen

from msgauge.stats.host_groups import Groups, find_groups, polish_hosts, strata
from msgauge.stats.location import student_interval
from msgauge.stats.slow_columns import (
    FAMILIES,
    FEWEST_LAUNCHES,
    LEAST_DISTANCE,
    LEAST_HOST,
    LEVEL,
    Slow,
    always_above,
    correct,
    find_slow,
    find_unlike,
)

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


@frozen
class HostDoubt:
    """Hosts or pairs that were slow in every launch, by LEAST_HOST at least, and are not told, since not certain."""

    kind: Literal["host", "pair"]
    hosts: tuple[int, ...]
    """All such hosts, or the ends of all such pairs."""
    ratio: float
    """The median over launches and over these."""
    pairs: int = 0


@frozen(eq=False)
class HostEffects:
    """What was found in one measure (latency, or time of a large message)."""

    groups: tuple[int, ...]
    """The group of each host; all 0 where there is one alone."""
    group: HostEffect | None
    effects: tuple[HostEffect, ...]
    host_ratios: tuple[float, ...]
    """What messages of each host take, as a multiple of the typical host's: of the middle two, of the quicker's."""
    least_p: float
    """With so few launches and hosts no p can be below this."""
    doubts: tuple[HostDoubt, ...] = ()


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
    labels = found.labels if correct(found.p) <= LEVEL else together
    added = np.stack([host_additions(one, labels) for one in both])
    added -= np.sort(added, axis=1)[:, [(hosts - 1) // 2]]
    effects = [_effect("host", (found.column,), found) for found in find_slow(added, seed, in_sets=True)]
    slow = {effect.hosts[0]: effect.ratio for effect in effects}
    doubts = [_doubt("host", [(host,) for host in range(hosts)], added, tuple(slow))]
    pairs, doubtful = _slow_pairs(both, labels, set(slow), seed)
    effects += pairs
    if directed:
        effects += _unlike_directions(logs, slow, seed)
    return HostEffects(
        tuple(int(label) for label in (labels if group else together)),
        group,
        tuple(sorted(effects, key=lambda effect: -abs(np.log(effect.ratio)))),
        tuple(float(ratio) for ratio in np.exp(np.median(added, axis=0))),
        correct(float(hosts) ** (1 - len(logs))),
        tuple(one for one in (*doubts, doubtful) if one is not None),
    )


def _group_effect(found: Groups) -> HostEffect | None:
    p = correct(found.p)
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


def _slow_pairs(
    both: np.ndarray, labels: np.ndarray, slow: set[int], seed: int
) -> tuple[list[HostEffect], HostDoubt | None]:
    """Pairs that are slower than their hosts and groups explain; those of slow hosts are explained by these.

    Hosts explain every time of three hosts, whatever they are: of these a pair is set against the other two. Pairs that
    form a ring are none of single cables: of them nothing is told but that they are in doubt.
    """
    sound = [host for host in range(both.shape[1]) if host not in slow]
    if len(sound) < 4 and not len(sound) == both.shape[1] == 3:
        return [], None
    apart = strata(labels[sound])
    upper = np.triu_indices(len(sound), 1)
    ends = list[tuple[int, ...]]((sound[one], sound[other]) for one, other in zip(*upper, strict=True))
    left = np.stack([_pair_residuals(one[np.ix_(sound, sound)], apart)[upper] for one in both])
    found = [_effect("pair", ends[one.column], one) for one in find_slow(left, seed, (~apart[upper], apart[upper]))]
    told = [effect for effect in found if effect.hosts not in _rings([one.hosts for one in found])]
    return told, _doubt("pair", ends, left, [ends.index(effect.hosts) for effect in told])


def _rings(pairs: Sequence[tuple[int, ...]]) -> set[tuple[int, ...]]:
    """Pairs of hosts that hang together and are as many as these hosts, or more: hosts would explain them better."""
    parts = list[set[tuple[int, ...]]]()
    for pair in pairs:
        touched = [part for part in parts if any(set(pair) & set(other) for other in part)]
        parts = [part for part in parts if part not in touched] + [set().union({pair}, *touched)]
    return set().union(*(part for part in parts if len(part) >= len({host for pair in part for host in pair})))


def _pair_residuals(matrix: np.ndarray, apart: np.ndarray) -> np.ndarray:
    level = matrix.copy()
    np.fill_diagonal(level, np.nan)
    if len(matrix) == 3:
        return np.asarray(level - np.nanmedian(level))
    if apart.any():
        level[apart] -= np.nanmedian(level[apart]) - np.nanmedian(level[~apart])
    return polish_hosts(level)[1]


def _doubt(
    kind: Literal["host", "pair"], names: Sequence[tuple[int, ...]], values: np.ndarray, told: Sequence[int]
) -> HostDoubt | None:
    """What was slow in every launch without being told; of pairs only where luck would bring one in twenty maps.

    ``values``: shape (launches, columns), logarithms; ``names``: the host or pair of each column; ``told``: columns.
    """
    seen = always_above(values, told)
    by_luck = values.shape[1] * float((values >= np.log1p(LEAST_HOST)).mean()) ** len(values)
    if not seen or (kind == "pair" and by_luck > LEVEL):
        return None
    hosts = tuple(sorted({host for column in seen for host in names[column]}))
    ratio = float(np.exp(np.median(values[:, seen])))
    return HostDoubt(kind, hosts, ratio, len(seen) if kind == "pair" else 0)


def _unlike_directions(logs: np.ndarray, slow: Mapping[int, float], seed: int) -> list[HostEffect]:
    """Hosts that send slower than they receive (or the other way), then single pairs with a slow direction.

    Of two or three hosts a single slow direction looks like that of its hosts, so there only pairs are told.

    ``slow``: how slow known hosts are; of these one direction is told where it is most of the reason.
    """
    unlike = logs - logs.transpose(0, 2, 1)
    hosts = logs.shape[1]
    for one in unlike:
        np.fill_diagonal(one, np.nan)
    found = _unlike_hosts(unlike, seed) if hosts > 3 else []
    found = [one for one in found if abs(np.log(one.ratio)) >= np.log(slow.get(one.hosts[0], 1.0))]
    marked = {effect.hosts[0] for effect in found} | (set(slow) if hosts > 3 else set())
    sound = [host for host in range(hosts) if host not in marked]
    if len(sound) < min(3, hosts):
        return found
    rows, columns = np.triu_indices(len(sound), 1)
    senders, receivers = np.array(sound)[rows], np.array(sound)[columns]
    for one in find_unlike(unlike[:, senders, receivers], seed, mirrored=True):
        pair = one.column % len(rows)
        ends = (int(senders[pair]), int(receivers[pair]))
        found.append(_effect("pair-direction", ends if one.column < len(rows) else ends[::-1], one))
    return found


def _unlike_hosts(unlike: np.ndarray, seed: int) -> list[HostEffect]:
    """Hosts that send slower than they receive, then those that receive slower; ``unlike``: nan on the diagonal."""
    by_host = np.nanmedian(unlike, axis=2)
    return [
        *(_effect("host-direction", (one.column,), one) for one in find_unlike(by_host, seed, in_sets=True)),
        *(
            _turn_round(_effect("host-direction", (one.column,), one))
            for one in find_unlike(-by_host, seed, in_sets=True)
        ),
    ]


def _turn_round(effect: HostEffect) -> HostEffect:
    """The same effect told of the other direction: receiving is the slow way, which a ratio below 1 says."""
    return HostEffect(effect.kind, effect.hosts, 1 / effect.ratio, 1 / effect.high, 1 / effect.low, effect.p)


def _effect(kind: Kind, hosts: tuple[int, ...], found: Slow) -> HostEffect:
    middle, low, high = (float(np.exp(value)) for value in (found.middle, found.low, found.high))
    return HostEffect(kind, tuple(int(host) for host in hosts), middle, low, high, found.p)
