"""What large messages take beyond their latency, pair by pair, and what of it can be told."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from attrs import evolve

from msgauge.stats.host_effects import HostEffects, find_effects
from msgauge.stats.host_groups import find_groups, polish_hosts, strata
from msgauge.stats.slow_columns import LEVEL

_BOTH_WAYS = 2.0
"""A large message and its short answer hold the latency twice."""
_LEAST_KNOWN = 0.4
"""So great a part of a host's pairs has to be known: of two switches with three hosts or more each the pairs within."""
_LEAST_PART = 0.5
"""Where the transfer is less than this part of a large message's time it is not told: it is the difference of two large
times, and part of a transfer goes on within the latency that is taken off (switches and processors carry more at once
where frames wait), so that pairs across a slow uplink look up to twice as fast as those within a switch."""


def take_off_latency(long: np.ndarray, short: np.ndarray | None) -> np.ndarray:
    """What a large message takes beyond the latency there and back, so that a late host is not slow besides.

    Both of shape (launches, hosts, hosts), ns; ``short`` are half round trips. A pair is nan where too
    little is left to be told, in any launch, either way.
    """
    if short is None or short.shape[1:] != long.shape[1:]:
        return long
    latency = np.median(short, axis=0)
    transfer = long - _BOTH_WAYS * (latency + latency.T) / 2
    known = (transfer >= _LEAST_PART * long).all(axis=0)
    return np.where(known & known.T, transfer, np.nan)


def find_told(transfer: np.ndarray) -> np.ndarray:
    """Hosts of which enough pairs are known: those with most unknown ones are left out until that is so of each."""
    unknown = np.isnan(transfer).any(axis=0)
    told = np.arange(len(unknown))
    while told.size:
        missing = unknown[np.ix_(told, told)].sum(axis=1)
        if told.size - 1 - missing.max() >= _LEAST_KNOWN * (told.size - 1):
            break
        told = np.delete(told, int(np.argmax(missing)))
    return told if told.size > 1 else told[:0]


def find_transfer_effects(transfer: np.ndarray, long: np.ndarray, short: np.ndarray | None) -> HostEffects:
    """What stands out among the hosts that can be told of; the others have the ratio 0 and are in the group -1.

    ``long``: the whole times of the large messages; ``short``: half round trips. Where transfers show no groups, hosts
    and pairs are set against those of as much latency: that latency hides part of a transfer is no fault of the pairs
    that have little. For the same reason a host or pair must be slow in the whole times as well.
    """
    hosts, told = transfer.shape[1], find_told(transfer)
    if not told.size:
        return HostEffects((-1,) * hosts, None, (), (0.0,) * hosts, 1.0)
    logs, whole = (log_times(one[:, told][:, :, told]) for one in (transfer, long))
    apart = _find_far(np.zeros(told.size) if short is None else _group_by_latency(short)[told])
    found = find_effects(_fill(logs), directed=True)
    if found.group is None and apart.any():
        found = find_effects(_fill(_level(logs, apart)), directed=True)
    unknown = np.isnan(logs).any(axis=0)
    known = tuple(one for one in found.effects if len(one.hosts) != 2 or not unknown[one.hosts])
    found = evolve(found, effects=known)
    if known or found.doubts:
        found = _keep_slow(found, _level(whole, apart))
    groups, ratios = np.full(hosts, -1), np.zeros(hosts)
    groups[told], ratios[told] = found.groups, found.host_ratios

    def rename(names: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(int(told[host]) for host in names)

    return evolve(
        found,
        groups=tuple(int(group) for group in groups),
        effects=tuple(evolve(effect, hosts=rename(effect.hosts)) for effect in found.effects),
        host_ratios=tuple(float(ratio) for ratio in ratios),
        doubts=tuple(evolve(doubt, hosts=rename(doubt.hosts)) for doubt in found.doubts),
    )


def log_times(times: np.ndarray) -> np.ndarray:
    """Logarithms of times in ns, any shape; 0 of what is less than 1 ns."""
    return np.asarray(np.log(np.maximum(times, 1.0)))


def _fill(logs: np.ndarray) -> np.ndarray:
    """Pairs that are not known as their hosts' other pairs would have them, so that none of them stands out."""
    if not np.isnan(logs).any():
        return logs
    apart = np.where(np.eye(logs.shape[1], dtype=bool), np.nan, logs)
    whole = np.nanmedian(apart, axis=(1, 2))[:, None, None]
    explained = np.nanmedian(apart, axis=2)[:, :, None] + np.nanmedian(apart, axis=1)[:, None, :] - whole
    return np.where(np.isnan(logs), explained, logs)


def _group_by_latency(short: np.ndarray) -> np.ndarray:
    """The group of each host. It need not be as certain as what is told: these groups are no finding."""
    found = find_groups(log_times((short + short.transpose(0, 2, 1)) / 2))
    return found.labels if found.p <= LEVEL else np.zeros_like(found.labels)


def _find_far(near: np.ndarray) -> np.ndarray:
    """Pairs of hosts in different groups, of which each has two hosts: of a single one its link may be the reason."""
    several = np.array([(near == one).sum() > 1 for one in near])
    return strata(near) & np.outer(several, several)


def _level(logs: np.ndarray, apart: np.ndarray) -> np.ndarray:
    """Pairs of hosts in different groups brought to the level of those within one, in each launch by itself.

    ``apart``: bool of shape (hosts, hosts). By least absolute deviations, together with what hosts add: a group may
    hold all hosts that are slow.
    """
    from scipy.optimize import minimize_scalar

    within = ~apart & ~np.eye(len(apart), dtype=bool)
    both = (logs + logs.transpose(0, 2, 1)) / 2
    if np.isnan(both[:, apart]).all() or np.isnan(both[:, within]).all():
        return logs

    def measure_rest(distance: float, one: np.ndarray) -> float:
        return float(np.nansum(np.abs(polish_hosts(one - distance * apart)[1])))

    distances = []
    for one in both:
        rough = float(np.nanmedian(one[apart]) - np.nanmedian(one[within]))
        reach = float(np.nanmax(one[apart | within]) - np.nanmin(one[apart | within])) or 1.0
        found = minimize_scalar(measure_rest, bounds=(rough - reach, rough + reach), args=(one,), method="bounded")
        distances.append(float(found.x))
    return np.asarray(logs - np.array(distances)[:, None, None] * apart)


def _keep_slow(found: HostEffects, whole: np.ndarray) -> HostEffects:
    """Without hosts and pairs whose large messages take no longer as a whole; ``whole``: logarithms, levelled.

    A transfer of half of the time makes of the ratio r one of 2r / (1 + r) at least; half as much is asked for.
    """
    slow_hosts, slow_pairs = _find_slowness(whole)

    def is_slow(kind: str, hosts: Sequence[int], ratio: float) -> bool:
        least = float(np.log(2 * ratio / (1 + ratio))) / 2
        if kind == "pair":
            return bool(np.nanmax(slow_pairs[np.ix_(hosts, hosts)]) >= least)
        return kind != "host" or bool(slow_hosts[list(hosts)].max() >= least)

    doubts = [one for one in found.doubts if one.kind == "pair" and is_slow(one.kind, one.hosts, one.ratio)]
    for one in found.doubts:
        hosts = tuple(host for host in one.hosts if is_slow("host", (host,), one.ratio))
        doubts += [evolve(one, hosts=hosts)] if hosts and one.kind != "pair" else []
    return evolve(
        found,
        effects=tuple(one for one in found.effects if is_slow(one.kind, one.hosts, one.ratio)),
        doubts=tuple(doubts),
    )


def _find_slowness(logs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """What hosts add to those of the typical one, and pairs to what their hosts explain: medians over launches."""
    both = (logs + logs.transpose(0, 2, 1)) / 2
    hosts, pairs = (np.stack(part) for part in zip(*(polish_hosts(one) for one in both), strict=True))
    if hosts.shape[1] == 3:  # hosts explain every pair
        pairs = np.where(np.isnan(pairs), np.nan, both)
        pairs -= np.nanmedian(pairs, axis=(1, 2), keepdims=True)
    return np.median(hosts, axis=0), np.median(pairs, axis=0)
