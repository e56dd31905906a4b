"""Where a history of runs changes its level: steps with their certainty, found in all cells together."""

from __future__ import annotations

import numpy as np
from attrs import frozen

SHORTEST = 3
"""A level of fewer runs than this is an odd run, not a change."""
LEVEL = 0.01
SHUFFLES = 999
LIKELIHOOD_DROP = 3.84
"""Runs at which a change is less likely than at the best by no more than this are in its 95 % interval."""


@frozen
class LevelShift:
    """A change of level in one cell."""

    series: int
    first_after: int
    """Index of the first run at the new level."""
    earliest: int
    latest: int
    factor: float
    """Time after the change over that before."""
    p_value: float
    """Corrected over all cells and all places of the stretch it was sought in."""


def find_steps(logs: np.ndarray, *, level: float = LEVEL, seed: int = 1) -> tuple[LevelShift, ...]:
    """All steps in a history, in order of runs.

    ``logs``: logarithms of the level of each run, shape (series, runs), no nan, in order of time. Runs scatter by the
    state of the machine, one for all cells of a run: orders of whole runs are shuffled to see what chance alone gives,
    the largest over all cells and places against the largest seen. Each stretch between two steps is searched again.

    Source: Bai and Perron 1998 (one at a time); Antoch and Huskova 2001 (permutation of the largest).
    """
    random = np.random.default_rng(seed)
    found = [step for row, steps in _split(logs, level, random) for step in _steps(row, logs, steps)]
    return tuple(sorted(found, key=lambda step: (step.first_after, step.series)))


def _split(logs: np.ndarray, level: float, random: np.random.Generator) -> list[tuple[int, list[tuple[int, float]]]]:
    """For each series where it changes, with p; the stretches of all series are tested as one family at each depth."""
    cuts: list[list[tuple[int, float]]] = [[] for _ in range(logs.shape[0])]
    stretches = [(row, 0, logs.shape[1]) for row in range(logs.shape[0])]
    while stretches:
        following = []
        for start, end in sorted({(start, end) for _, start, end in stretches}):
            rows = [row for row, *place in stretches if place == [start, end]]
            if end - start < 2 * SHORTEST:
                continue
            for row, place, p in _test_changes(logs[rows, start:end], random):
                if p <= level:
                    cuts[rows[row]].append((start + place, p))
                    following += [(rows[row], start, start + place), (rows[row], start + place, end)]
        stretches = following
    return list(enumerate(cuts))


def _test_changes(table: np.ndarray, random: np.random.Generator) -> list[tuple[int, int, float]]:
    """(row, place, p) of the best change of each row; p by shuffling whole runs, over all rows."""
    bounded = _bound_runs(table)
    seen = _contrasts(bounded)
    most = np.empty(SHUFFLES)
    for index in range(SHUFFLES):
        most[index] = _contrasts(bounded[:, random.permutation(table.shape[1])]).max()
    best = seen.max(axis=1)
    p = (1 + (most[None, :] >= best[:, None] * (1 - 1e-9)).sum(axis=1)) / (SHUFFLES + 1)
    return [(row, int(seen[row].argmax()) + SHORTEST, float(p[row])) for row in range(table.shape[0])]


def _contrasts(table: np.ndarray) -> np.ndarray:
    """|t| of a change before each place that leaves three runs on both sides: (series, places)."""
    n = table.shape[1]
    places = np.arange(SHORTEST, n - SHORTEST + 1)
    sums = np.cumsum(table, axis=1)
    before = sums[:, places - 1] / places
    after = (sums[:, -1:] - sums[:, places - 1]) / (n - places)
    between = (after - before) ** 2 * places * (n - places) / n
    total = ((table - table.mean(axis=1, keepdims=True)) ** 2).sum(axis=1, keepdims=True)
    return np.asarray(np.sqrt(between * (n - 2) / np.maximum(total - between, 1e-24)))


def _bound_runs(table: np.ndarray) -> np.ndarray:
    """Runs no farther than four scatters of neighbours' differences from the median of those around them."""
    steps = np.abs(np.diff(table, axis=1))
    reach = 4 * 1.4826 / np.sqrt(2) * np.median(steps, axis=1, keepdims=True)
    padded = np.pad(table, ((0, 0), (2, 2)), mode="edge")
    local = np.median(np.stack([padded[:, shift : shift + table.shape[1]] for shift in range(5)]), axis=0)
    return np.asarray(np.where(reach > 0, np.clip(table, local - reach, local + reach), table))


def _steps(row: int, logs: np.ndarray, cuts: list[tuple[int, float]]) -> list[LevelShift]:
    places = sorted(cuts)
    ends = [0, *[place for place, _ in places], logs.shape[1]]
    found = []
    for index, (place, p) in enumerate(places):
        values = _bound_runs(logs[row : row + 1, ends[index] : ends[index + 2]])[0]
        inside = place - ends[index]
        earliest, latest = (ends[index] + edge for edge in _reach(values))
        factor = float(np.exp(np.median(values[inside:]) - np.median(values[:inside])))
        found.append(LevelShift(row, place, min(earliest, place), max(latest, place), factor, p))
    return found


def _reach(values: np.ndarray) -> tuple[int, int]:
    """First and last place where the change is about as likely as at the best one, by the profile likelihood."""
    contrast = _contrasts(values[None, :])[0]
    n = values.size
    deviance = n * np.log1p(contrast**2 / (n - 2))
    likely = np.flatnonzero(deviance >= deviance.max() - LIKELIHOOD_DROP) + SHORTEST
    return int(likely[0]), int(likely[-1])
