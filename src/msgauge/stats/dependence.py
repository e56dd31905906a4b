"""Absolute times on a machine whose pace wanders: intervals as wide as neighbouring rounds resemble each other.

A ratio is taken within a round, and the pace cancels. A time by itself has no such help: ten rounds of a machine that
drifts are worth two or three. How much rounds resemble each other cannot be told from ten of them. Where each series
wanders by itself, all of them together tell it; where they share the pace of the machine they are one series, and the
intervals average over what remains unknown.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from attrs import field, frozen

from msgauge.stats.location import Location, covers_by_order, median_interval, student_interval

CORRELATIONS = np.arange(0.0, 0.96, 0.05)
"""Coefficients of AR(1) that are considered."""
_PRIOR = -0.5 * np.log(1 - CORRELATIONS**2)
"""Of the pace, whose coefficient few rounds hardly tell; reference prior, Berger and Yang 1994.

Tried and wrong: all coefficients alike. Where the pace of all series was AR(1) 0.8, intervals of 95 % held in 90 %.
"""
_SWEEPS = 40
_MOST_ROUNDS, _MOST_SERIES = 64, 64
_ORDER_ALONE, _RESEMBLE = 8, 2.0
"""Fewer rounds that resemble each other, by such a factor, have the wider of two intervals."""
_FEWEST_SERIES = 5
"""Fewer series than this cannot say how much rounds resemble each other where more of another length are there."""


@frozen(eq=False)
class Pace:
    """What the series of one machine tell together of how much its rounds resemble each other.

    ``series``: logarithms of launch medians, or differences in ns, in order of rounds, each of shape (rounds,), of
    whatever lengths, no nan.
    """

    series: tuple[np.ndarray, ...]
    _factors: dict[tuple[int, float], float] = field(factory=dict, init=False, repr=False)

    @classmethod
    def of(cls, times_ns: Iterable[np.ndarray]) -> Pace:
        """That of launch medians, ns, each of shape (rounds,); what is not finite or not above zero is passed over."""
        return cls(tuple(np.log(one[np.isfinite(one) & (one > 0)]) for one in times_ns))

    def factor(self, rounds: int, level: float = 0.95) -> float:
        """How many times wider than for independent rounds an interval over so many has to be; 1 where nothing tells.

        Series of as many rounds say it together; a few of another length take what most series of the machine say.
        """
        if (rounds, level) not in self._factors:
            lengths = [one.size for one in self.series if one.size >= 2]
            main = max(sorted(set(lengths)), key=lengths.count, default=0)
            known = rounds if lengths.count(rounds) >= _FEWEST_SERIES else main
            alike = [one for one in self.series if one.size == known]
            self._factors[rounds, level] = widening_factor(np.array(alike), level) if main else 1.0
        return self._factors[rounds, level]

    def limits(self, values: np.ndarray, level: float = 0.95) -> tuple[np.ndarray, np.ndarray]:
        """Low and high of the long-run level of series of this machine; nan below two rounds.

        ``values``: logarithms of launch medians, or differences in ns, in order of rounds: shape (..., rounds), no nan.
        Returns two of shape (...), in the same unit.
        """
        if values.shape[-1] < 2:
            nothing = np.full(values.shape[:-1], np.nan)
            return nothing, nothing.copy()
        rows = values.reshape(-1, values.shape[-1])
        _, low, high = locate_dependent(rows, level, self.factor(rows.shape[1], level))
        return low.reshape(values.shape[:-1]), high.reshape(values.shape[:-1])

    def locate(self, medians_ns: np.ndarray, level: float = 0.95) -> Location:
        """Median of launch medians, positive ns of shape (launches,) in order of rounds, with its interval.

        Raises:
            ValueError: when there is no launch at all.
        """
        if medians_ns.size == 0:
            raise ValueError("a location needs at least one launch median")
        low, high = (float(np.exp(limit)) for limit in self.limits(np.log(medians_ns), level))
        return Location(float(np.median(medians_ns)), low, high, int(medians_ns.size))


STEADY = Pace(())
"""Of a machine that nothing wanders on: rounds are taken as independent."""


def locate_series(series: Sequence[np.ndarray], level: float = 0.95) -> tuple[np.ndarray, np.ndarray]:
    """Low and high of the long-run level of each of many series of one machine, of whatever lengths; nan below two.

    ``series``: logarithms of launch medians in order of rounds, each of shape (rounds,), no nan. As wide as the
    ``Pace`` of all of them says.
    """
    low, high = np.full(len(series), np.nan), np.full(len(series), np.nan)
    pace, lengths = Pace(tuple(series)), np.array([one.size for one in series])
    for n in np.unique(lengths):
        mine = np.flatnonzero(lengths == n).tolist()
        low[mine], high[mine] = pace.limits(np.array([series[one] for one in mine]), level)
    return low, high


def locate_dependent(
    logs: np.ndarray, level: float = 0.95, factor: float | None = None
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Median of each series and an interval for the level that the machine has in the long run.

    ``logs``: logarithms of launch medians in order of rounds, shape (series, rounds), no nan, at least two rounds.
    Returns median, low and high, each of shape (series,). The interval by order statistics, which supposes that rounds
    are independent, is widened on both sides by ``factor``, or by the ``widening_factor`` of these series. Where fewer
    than eight rounds resemble each other, Student's t joins: five of them lie closer together than the machine ranges.
    A trend that never turns has no level: then the interval is that of the mean over the rounds measured.

    Source: Hettmansperger and Sheather 1986; Box and Jenkins 1976, section 7.1 (AR(1)).
    """
    middle = np.median(logs, axis=1)
    factor = widening_factor(logs, level) if factor is None else factor
    low, high = _limits(logs - middle[:, None], level, joined=factor >= _RESEMBLE)
    return middle, middle + factor * np.minimum(low, 0.0), middle + factor * np.maximum(high, 0.0)


def widening_factor(logs: np.ndarray, level: float = 0.95) -> float:
    """How many times wider than for independent rounds an interval of the mean has to be; 1 for independent ones.

    Given a coefficient, the mean by generalised least squares has a t distribution; the coefficients are weighted by
    their likelihood, apart for the pace that the series share and for what each has by itself. Series that move
    together count as fewer, as many as their correlations say. Of more than 64 rounds the last 64 are looked at, of
    more than 64 series as many, evenly spread: the cost has a bound.

    Launches in two modes hide how much the pace of the machine resembles itself, or are what does: so this is asked of
    the values as they are and of those without their modes, and the larger answer counts.
    """
    logs = logs[:: -(-logs.shape[0] // _MOST_SERIES), -_MOST_ROUNDS:]
    if logs.shape[1] < 3:
        return 1.0
    return max(_factor(values, level) for values in (_bound_values(logs), _without_modes(logs)))


def scatters_by_coefficient(logs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """How likely each of ``CORRELATIONS`` is, and the standard deviation of a launch at it: (coefficients, series).

    ``logs``: logarithms of launch medians in order of rounds, shape (series, rounds), no nan, at least two rounds; each
    series tells of itself. The weights of a series add up to 1; the deviation is that of the machine in the long run.
    """
    likelihood, errors = map(np.array, zip(*(_likelihood(logs, one) for one in CORRELATIONS), strict=True))
    weight = np.exp(likelihood - likelihood.max(axis=0))
    information = (1 - CORRELATIONS**2) + (logs.shape[1] - 1) * (1 - CORRELATIONS) ** 2
    return weight / weight.sum(axis=0), errors * np.sqrt(information / (1 - CORRELATIONS**2))[:, None]


def _limits(apart: np.ndarray, level: float, *, joined: bool) -> tuple[np.ndarray, np.ndarray]:
    """Of independent rounds, from values relative to their median, shape (series, rounds): order statistics from
    where these cover ``level``, else Student's t; below eight rounds the wider one where they are to be ``joined``."""
    n = apart.shape[1]
    if not covers_by_order(n, level):
        return student_interval(apart, level) if n > 1 else median_interval(apart)
    low, high = median_interval(apart, level)
    if joined and n < _ORDER_ALONE:
        least, most = student_interval(apart, level)
        return np.minimum(low, least), np.maximum(high, most)
    return low, high


def _factor(values: np.ndarray, level: float) -> float:
    """That of the pace which the series share, and that of what each has by itself, by their shares of the variance.

    A pace that all series share is one series, however many they are, and tells little of its coefficient: that is
    weighted by the reference prior as well, and by the likelihood in the mean of all series, in which noise cancels.
    What each series has by itself is many series; its coefficient is known from them.
    """
    shared = _common_share(values)
    own = _average_over(values, level, _independent(values)) if shared < 1 else 0.0
    pace = _average_over(_unit(values).mean(axis=0)[None], level, 1.0, _PRIOR) if shared > 0 else 0.0
    return max(1.0, float(np.sqrt(shared * pace**2 + (1 - shared) * own**2)))


def _average_over(values: np.ndarray, level: float, independent: float, prior: np.ndarray | float = 0.0) -> float:
    """The factor by which an interval covers ``level`` on average over coefficients, weighted by their likelihood in
    so many ``independent`` series and by a ``prior``, logarithms, one for each of ``CORRELATIONS``."""
    from scipy.special import stdtr, stdtrit

    n = values.shape[1]
    likelihood, errors = zip(*(_likelihood(values, one) for one in CORRELATIONS), strict=True)
    total = np.array(likelihood).mean(axis=1) * independent + prior
    weight = np.exp(total - total.max())
    weight /= weight.sum()
    inflation = np.array([float(np.median(error / errors[0])) for error in errors])
    plain = float(stdtrit(n - 1, (1 + level) / 2))
    low, high = plain / 2, plain * float(inflation.max()) * 2
    for _ in range(_SWEEPS):
        middle = (low + high) / 2
        beyond = float(weight @ (2 * stdtr(n - 1, -middle / inflation)))
        low, high = (middle, high) if beyond > 1 - level else (low, middle)
    return max(1.0, (low + high) / 2 / plain)


def _common_share(values: np.ndarray) -> float:
    """Share of the variance that all series have in common: the mean correlation of two of them, less chance; 1 of one.

    Correlations with their sign: two slow paces resemble each other by chance, but as often the one way as the other.
    """
    unit = _unit(values)
    moving = int((unit != 0).any(axis=1).sum())
    if moving < 2:
        return 1.0
    pairs = moving * (moving - 1)
    mean = max(0.0, (float((unit.sum(axis=0) ** 2).sum()) - moving) / pairs)
    chance = 2 / pairs / (values.shape[1] - 1) * (1 - mean**2) ** 2
    return float(np.sqrt(min(1.0, max(0.0, mean**2 - chance))))


def _unit(values: np.ndarray) -> np.ndarray:
    """Each series around its mean, of length one; zero where nothing moves."""
    centred = values - values.mean(axis=1, keepdims=True)
    norm = np.sqrt((centred**2).sum(axis=1, keepdims=True))
    return np.asarray(np.where(norm > 1e-12, centred / np.maximum(norm, 1e-12), 0.0))


def _likelihood(values: np.ndarray, correlation: float) -> tuple[np.ndarray, np.ndarray]:
    """Log likelihood of a coefficient with level and scatter integrated out, and the error of the level: (series,)."""
    n = values.shape[1]
    inner = 1 - correlation
    information = (1 - correlation**2) + (n - 1) * inner**2
    first = values[:, :1] * np.sqrt(1 - correlation**2)
    whitened = np.concatenate([first, values[:, 1:] - correlation * values[:, :-1]], axis=1)
    design = np.concatenate([[np.sqrt(1 - correlation**2)], np.full(n - 1, inner)])
    level = whitened @ design / information
    squares = np.maximum(((whitened - level[:, None] * design) ** 2).sum(axis=1), 1e-30)
    likelihood = 0.5 * np.log(1 - correlation**2) - 0.5 * np.log(information) - 0.5 * (n - 1) * np.log(squares)
    return likelihood, np.sqrt(squares / (n - 1) / information)


def _independent(values: np.ndarray) -> float:
    """How many independent series these are worth: (sum of eigenvalues)^2 / sum of their squares, less chance.

    Source: Bretherton et al. 1999, eq. 5 (effective number of spatial degrees of freedom).
    """
    series, n = values.shape
    if series < 2:
        return 1.0
    unit = _unit(values)
    together = float(((unit.T @ unit) ** 2).sum()) - series
    chance = series * (series - 1) / (n - 1)
    excess = max(0.0, together - chance) / (series * (series - 1))
    return float(series / (1 + (series - 1) * excess))


def _bound_values(logs: np.ndarray) -> np.ndarray:
    """Values no farther than three scatters from the median of their series: a spike is no memory."""
    middle = np.median(logs, axis=1, keepdims=True)
    reach = 3 * 1.4826 * np.median(np.abs(logs - middle), axis=1, keepdims=True)
    return np.asarray(np.where(reach > 0, np.clip(logs, middle - reach, middle + reach), logs))


def _without_modes(logs: np.ndarray) -> np.ndarray:
    """As ``_bound_values``, but two values or more of a series that lie beyond on one side are a mode of its launches,
    moved to the others by what its median is away: within a mode the pace of the machine shows."""
    middle = np.median(logs, axis=1, keepdims=True)
    bounded = _bound_values(logs)
    for side in (1, -1):
        far = side * (logs - bounded) > 0
        for series in np.flatnonzero(far.sum(axis=1) > 1).tolist():
            mode = logs[series, far[series]]
            bounded[series, far[series]] = mode - np.median(mode) + middle[series]
    return bounded
