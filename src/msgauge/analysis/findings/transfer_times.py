"""What large messages take beyond their latency, pair by pair, and what of it can be told."""

from __future__ import annotations

import numpy as np
from attrs import evolve

from msgauge.stats.host_effects import HostEffects, find_effects

_BOTH_WAYS = 2.0
"""A large message and its short answer hold the latency twice."""
_LEAST_PART = 0.2
"""Where the transfer is less than this part of a large message's time, it is the small difference of two large times,
and is not told."""


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
    """Hosts of which enough pairs are known: those with most unknown ones are left out until half of each are known."""
    unknown = np.isnan(transfer).any(axis=0)
    told = np.arange(len(unknown))
    while told.size:
        missing = unknown[np.ix_(told, told)].sum(axis=1)
        if 2 * missing.max() <= told.size - 1:
            break
        told = np.delete(told, int(np.argmax(missing)))
    return told if told.size > 1 else told[:0]


def find_transfer_effects(transfer: np.ndarray) -> HostEffects:
    """What stands out among the hosts that can be told of; the others have the ratio 0 and are in the group -1."""
    hosts, told = transfer.shape[1], find_told(transfer)
    if not told.size:
        return HostEffects((-1,) * hosts, None, (), (0.0,) * hosts, 1.0)
    found = find_effects(_fill(log_times(transfer[:, told][:, :, told])), directed=True)
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
