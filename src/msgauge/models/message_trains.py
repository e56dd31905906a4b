"""Measured trains and delayed receives, and their medians over launches with the launches themselves.

Source: ``models.loggp`` says what trains are and what LogGP makes of them.
"""

from __future__ import annotations

from math import nan

import numpy as np
from attrs import frozen

from msgauge.models.estimate import median_and_launches
from msgauge.stats.dependence import Pace


@frozen(eq=False)
class TrainData:
    """Trains, one row each; all arrays of shape (rows,). ``delay_ns`` is the delay reached, not the one asked for."""

    launch: np.ndarray
    n: np.ndarray
    delay_ns: np.ndarray
    size_bytes: np.ndarray
    prtt_ns: np.ndarray


@frozen(eq=False)
class ReceiveData:
    """Delayed receives, one row each; all arrays of shape (rows,). ``total_ns`` is send, delay and receive together."""

    launch: np.ndarray
    delay_ns: np.ndarray
    size_bytes: np.ndarray
    total_ns: np.ndarray


@frozen(eq=False)
class Cube:
    """Every measured point; ``medians`` has shape (1 + launches, points): medians over launches, then each launch."""

    points: np.ndarray
    """Shape (points, 3): n, delay, size of trains; n = 0 marks delayed receives."""
    medians: np.ndarray
    pace: Pace
    """Of the launches, by all trains that have no delay of the program's own in them."""

    @property
    def launches(self) -> int:
        return int(self.medians.shape[0]) - 1

    @classmethod
    def of(cls, trains: TrainData, receives: ReceiveData) -> Cube:
        delayed = np.zeros(np.size(receives.launch))
        rows = np.column_stack(
            [
                np.concatenate([trains.n, delayed]),
                np.concatenate([trains.delay_ns, receives.delay_ns]),
                np.concatenate([trains.size_bytes, receives.size_bytes]),
            ]
        ).astype(float)
        values = np.concatenate([trains.prtt_ns, receives.total_ns]).astype(float)
        _, launch = np.unique(np.concatenate([trains.launch, receives.launch]), return_inverse=True)
        points, point = np.unique(rows, axis=0, return_inverse=True)
        table = _table_of_medians(values, launch.reshape(-1), point.reshape(-1))
        free = (points[:, 0] >= 1) & (points[:, 1] == 0)
        return cls(points, median_and_launches(table), Pace.of(table[:, free].T))

    def train(self, size: float, delayed: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(n, delay, medians) of the trains of a size with or without delay; medians of shape (1 + launches, k)."""
        n, delay, sizes = self.points.T
        chosen = (n >= 1) & (sizes == size) & ((delay > 0) if delayed else (delay == 0))
        return n[chosen], delay[chosen], self.medians[:, chosen]

    def receive(self, size: float) -> tuple[np.ndarray, np.ndarray]:
        """(delay, medians) of the delayed receives of a size."""
        n, delay, sizes = self.points.T
        chosen = (n == 0) & (sizes == size)
        return delay[chosen], self.medians[:, chosen]

    @property
    def unknown(self) -> np.ndarray:
        return np.full(self.medians.shape[0], nan)


def _table_of_medians(values: np.ndarray, launch: np.ndarray, point: np.ndarray) -> np.ndarray:
    """Shape (launches, points): the median of the repetitions inside each launch, nan where there are none."""
    table = np.full((int(launch.max()) + 1, int(point.max()) + 1), nan)
    order = np.lexsort((values, point, launch))
    keys = np.column_stack([launch[order], point[order]])
    starts = np.flatnonzero(np.r_[True, np.any(np.diff(keys, axis=0) != 0, axis=1)])
    counts = np.diff(np.r_[starts, values.size])
    ordered = values[order]
    middle = (ordered[starts + (counts - 1) // 2] + ordered[starts + counts // 2]) / 2
    table[keys[starts, 0], keys[starts, 1]] = middle
    return table
