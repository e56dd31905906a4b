"""Measured trains and delayed receives, and their medians over launches with the launches themselves.

Source: ``models.loggp`` says what trains are and what LogGP makes of them.
"""

from __future__ import annotations

from math import nan

import numpy as np
from attrs import evolve, frozen

from msgauge.models.estimate import ParameterEstimate, from_launches, median_and_launches
from msgauge.models.line_fits import bound_slope, theil_sen
from msgauge.stats.dependence import STEADY, Pace


@frozen(eq=False)
class TrainData:
    """Trains, one row each; all arrays of shape (rows,). ``delay_ns`` is the delay reached, not the one asked for.

    ``hidden_ns``: by how much steps of the clock may have moved the time of a row, or one number for all rows.
    """

    launch: np.ndarray
    n: np.ndarray
    delay_ns: np.ndarray
    size_bytes: np.ndarray
    prtt_ns: np.ndarray
    hidden_ns: np.ndarray | float = 0.0


@frozen(eq=False)
class ReceiveData:
    """Delayed receives, one row each; all arrays of shape (rows,). ``total_ns`` is send, delay and receive together.

    ``hidden_ns``: as of ``TrainData``.
    """

    launch: np.ndarray
    delay_ns: np.ndarray
    size_bytes: np.ndarray
    total_ns: np.ndarray
    hidden_ns: np.ndarray | float = 0.0


@frozen(eq=False)
class Points:
    """Points of one size: ``medians`` of shape (1 + launches, k), the others of shape (k,)."""

    n: np.ndarray
    delay: np.ndarray
    medians: np.ndarray
    hidden_ns: np.ndarray

    def __getitem__(self, chosen: np.ndarray) -> Points:
        return Points(self.n[chosen], self.delay[chosen], self.medians[:, chosen], self.hidden_ns[chosen])

    def join(self, other: Points) -> Points:
        """Both, one after the other."""
        n, delay, hidden = (np.r_[getattr(self, name), getattr(other, name)] for name in ("n", "delay", "hidden_ns"))
        return Points(n, delay, np.hstack([self.medians, other.medians]), hidden)

    @property
    def slope(self) -> Fitted:
        """Time over the number of messages."""
        return Fitted(theil_sen(self.n, self.medians), bound_slope(self.n, self.medians[0], self.hidden_ns))


@frozen(eq=False)
class Fitted:
    """A time for the medians and for each launch, shape (1 + launches,), and by how much steps may have moved it."""

    values: np.ndarray
    hidden_ns: float = 0.0


@frozen(eq=False)
class Cube:
    """Every measured point; ``medians`` has shape (1 + launches, points): medians over launches, then each launch.

    ``hidden_ns``: by how much steps of the clock may have moved each point, shape (points,).
    """

    points: np.ndarray
    """Shape (points, 3): n, delay, size of trains; n = 0 marks delayed receives."""
    medians: np.ndarray
    hidden_ns: np.ndarray
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
        parts = [np.broadcast_to(one.hidden_ns, np.shape(one.launch)) for one in (trains, receives)]
        hidden = np.zeros(len(points))
        np.maximum.at(hidden, point.reshape(-1), np.concatenate(parts))
        return cls(points, median_and_launches(table), hidden, Pace.of(table[:, free].T))

    def estimate(self, values: np.ndarray, pace: Pace = STEADY) -> ParameterEstimate:
        """What was fitted to the medians and to each launch (``from_launches``).

        Further rows are what was fitted to the medians with one number moved by what steps of the clock may hide of it:
        the interval reaches as much further as all of them together.
        """
        found = from_launches(values[: 1 + self.launches], pace)
        hidden = float(np.nansum(np.abs(values[1 + self.launches :] - values[0])))
        return evolve(found, low=found.low - hidden, high=found.high + hidden)

    def train(self, size: float, delayed: bool) -> Points:
        """The trains of a size with or without delay."""
        n, delay, sizes = self.points.T
        return self._choose((n >= 1) & (sizes == size) & ((delay > 0) if delayed else (delay == 0)))

    def receive(self, size: float) -> Points:
        """The delayed receives of a size."""
        n, _, sizes = self.points.T
        return self._choose((n == 0) & (sizes == size))

    def _choose(self, chosen: np.ndarray) -> Points:
        n, delay, _ = self.points[chosen].T
        return Points(n, delay, self.medians[:, chosen], self.hidden_ns[chosen])

    @property
    def unknown(self) -> Fitted:
        return Fitted(np.full(self.medians.shape[0], nan))


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
