"""Where a stack changes its protocol: segmented regression of time against message size.

Within a segment the time is a straight line, a + b s; the eager limit, the switch to rendezvous, a cache that is full,
each begin a new one. Errors are relative, since noise grows with the time and sizes span six decades. The number of
segments is the one with the least BIC; a size that fits no segment is set aside as an outlier at a price of its own, so
that one odd size does not become a protocol. A breakpoint is a *jump* when the two lines differ where they meet (an
extra handshake), a *bend* when only the slope changes.

A jump is only known to lie between two measured sizes.

Source: Bai and Perron 2003 (dynamic programming over breakpoints); Schwarz 1978 (BIC); Liu, Wu and Zidek 1997 (penalty
per breakpoint above the plain BIC, since its place was searched for).
"""

from __future__ import annotations

from itertools import pairwise
from math import isfinite, log, sqrt
from typing import Literal

import numpy as np
from attrs import field, frozen

from msgauge.errors import UsageError
from msgauge.models.estimate import ParameterEstimate

SMALLEST_SEGMENT = 3
MAXIMUM_BREAKPOINTS = 6
REPLICATES = 200
FLOOR = 0.01
"""Relative deviations below this are not worth a breakpoint, however quiet the machine."""
NEIGHBOURS = 8
"""So many sizes on each side tell how much launches scatter at a size."""
BREAK_PRICE = 4.0
"""Price of a breakpoint in units of ln(sizes): two of its line, its place, one for having searched."""
SUSPECTS = 8
"""So many sizes, and both ends, are tried as outliers at a time; trying all takes ten times as long."""
OUTLIER_PRICE = 3.0
"""Price of an outlier in units of ln(sizes): its value, its place, and one for having searched."""


@frozen
class SegmentLine:
    """time = at_zero_ns + per_byte_ns × size, between the first and last measured size (bytes)."""

    first_bytes: float
    last_bytes: float
    at_zero_ns: float
    per_byte_ns: float
    spread: float
    """Median absolute relative residual."""

    def at(self, size_bytes: float) -> float:
        """Time in ns at a size."""
        return self.at_zero_ns + self.per_byte_ns * size_bytes


@frozen
class Breakpoint:
    """A change of protocol: where (bytes, with interval), of which kind, and how far the time jumps there."""

    size_bytes: ParameterEstimate
    kind: Literal["jump", "bend"]
    jump: ParameterEstimate
    """Relative step of the time at the breakpoint, upwards positive."""
    after_bytes: float
    """The last measured size before it."""
    before_bytes: float
    """The first measured size after it."""


@frozen
class Segmentation:
    """Lines in order of size, the breakpoints between them, sizes set aside, and the noise that was assumed."""

    lines: tuple[SegmentLine, ...]
    breakpoints: tuple[Breakpoint, ...]
    outliers: tuple[float, ...] = ()
    noise: float = 0.0
    scores: tuple[float, ...] = field(default=())
    """BIC for 0, 1, 2 ... breakpoints; the least was chosen."""

    @property
    def edges(self) -> tuple[float, ...]:
        """The last measured size of every segment but the last, as ``loggp.fit_loggp`` takes them."""
        return tuple(point.after_bytes for point in self.breakpoints)


def find_segments(
    sizes_bytes: np.ndarray, times_ns: np.ndarray, rng: np.random.Generator, *, floor: float | np.ndarray = FLOOR
) -> Segmentation:
    """Segment the medians over launches of ``times_ns``; intervals from resampling whole launches.

    Args:
        sizes_bytes: strictly increasing, shape (sizes,), at least 3.
        times_ns: positive, shape (launches, sizes); one launch gives no more than the brackets as intervals.
        floor: least relative noise assumed, of all sizes or of each, shape (sizes,).

    Raises:
        UsageError: wrong shapes, sizes that do not increase, times that are not positive.
    """
    sizes, times = np.asarray(sizes_bytes, float), np.asarray(times_ns, float)
    _check(sizes, times)
    medians = _resample_medians(times, rng)
    floors = floor * np.ones(sizes.size)
    noise = np.maximum(np.maximum(floors, _local_noise(sizes, medians[0])), _noise_between(times, rng))
    keep, cuts, scores = _choose(sizes, medians[0], noise)
    ends = [0, *cuts, int(keep.sum())]
    kept_sizes, kept = sizes[keep], medians[:, keep]
    lines = tuple(_line_of(kept_sizes[i:j], kept[0, i:j]) for i, j in pairwise(ends))
    points = _breakpoints(kept_sizes, kept, cuts, np.array([noise[keep], floors[keep]]))
    return Segmentation(lines, points, tuple(float(size) for size in sizes[~keep]), _root_mean(noise), scores)


def _check(sizes: np.ndarray, times: np.ndarray) -> None:
    if sizes.ndim != 1 or times.ndim != 2 or times.shape[1] != sizes.size or sizes.size < SMALLEST_SEGMENT:
        raise UsageError(
            f"Segments need times of shape (launches, sizes), not {times.shape} for {sizes.size} sizes.",
            remedy=f"measure at least {SMALLEST_SEGMENT} sizes in every launch",
        )
    if np.any(np.diff(sizes) <= 0) or sizes[0] < 0:
        raise UsageError("Sizes must increase.", remedy="sort them and average repeated ones")
    if not times.shape[0] or not np.all(np.isfinite(times)) or np.any(times <= 0):
        raise UsageError("Times must be finite and positive.", remedy="leave out launches that failed")


# --- how many breakpoints, and where ----------------------------------------------------------------------------


def _local_noise(sizes: np.ndarray, times: np.ndarray) -> float:
    """Relative noise: how far each size lies off the line through its neighbours; robust to a few breakpoints."""
    return float(1.4826 * np.median(_off_neighbours(sizes, times)))


def _off_neighbours(sizes: np.ndarray, times: np.ndarray) -> np.ndarray:
    """Relative distance of each inner size from the line through its neighbours, in its own noise: (sizes - 2,)."""
    left, middle, right = sizes[:-2], sizes[1:-1], sizes[2:]
    share = (middle - left) / (right - left)
    guess = (1 - share) * times[:-2] + share * times[2:]
    unit = np.sqrt(times[1:-1] ** 2 + ((1 - share) * times[:-2]) ** 2 + (share * times[2:]) ** 2)
    return np.asarray(np.abs(times[1:-1] - guess) / unit)


def _suspects(sizes: np.ndarray, times: np.ndarray, keep: np.ndarray) -> np.ndarray:
    """The sizes among those kept that may be outliers: both ends, and those farthest off their neighbours."""
    kept = np.flatnonzero(keep)
    off = _off_neighbours(sizes[kept], times[kept])
    far = np.argsort(-off, kind="stable")[:SUSPECTS]
    return np.concatenate([kept[[0, -1]], kept[1:-1][far]])


def _resample_medians(times: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Medians over launches: first of the data, then of ``REPLICATES`` resamplings of whole launches; (1 + B, sizes).

    A launch is resampled as a block, so whatever made all its cells slow at once stays together.

    Source: Künsch 1989 (block bootstrap), with the launch as the block.
    """
    launches = times.shape[0]
    draws = rng.integers(0, launches, size=(REPLICATES, launches))
    return np.asarray(np.median(times[np.vstack([np.arange(launches)[None, :], draws])], axis=1))


def _noise_between(times: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Relative noise of a median over launches at each size, what all cells of a launch share left out: (sizes,); 0 for
    one launch.

    The root of the mean square over sizes of how resampled medians scatter. Where single cells fall into two groups
    that is ten times what it is where they do not, and so is what a breakpoint must explain. Where a size and its
    neighbours scatter more than all sizes do, theirs counts: the noise of small messages alone would bend a line. Tried
    and left: the scatter of cells about their median, robustly, to which the slower group does not exist (a breakpoint
    on a straight line in three quarters of sweeps over 56 sizes, ``benchmarks/truth/models.py``).
    """
    count = times.shape[0]
    if count < 2:
        return np.zeros(times.shape[1])
    logs = np.log(times)
    logs = logs - np.median(logs, axis=0)
    logs = logs - np.median(logs, axis=1, keepdims=True)
    variance = np.var(_resample_medians(logs, rng)[1:], axis=0) * count / (count - 1)
    window = np.ones(2 * min(NEIGHBOURS, (variance.size - 1) // 2) + 1)
    near = np.convolve(variance, window, "same") / np.convolve(np.ones(variance.size), window, "same")
    return np.asarray(np.sqrt(np.maximum(near, np.mean(variance))))


def _root_mean(noise: np.ndarray) -> float:
    return float(np.sqrt(np.mean(noise**2)))


def _choose(sizes: np.ndarray, times: np.ndarray, noise: np.ndarray) -> tuple[np.ndarray, list[int], tuple[float, ...]]:
    """Take sizes out as long as that pays; return what is kept, the cuts among them, and the scores."""
    keep = np.ones(sizes.size, bool)
    cuts, scores = _best_cuts(sizes, times, noise)
    price = OUTLIER_PRICE * log(sizes.size)
    for _ in range(max(1, sizes.size // 10)):
        trials = []
        for i in _suspects(sizes, times, keep) if keep.sum() > 2 * SMALLEST_SEGMENT else []:
            keep[i] = False
            trials.append((min(_best_cuts(sizes[keep], times[keep], noise[keep])[1]), int(i)))
            keep[i] = True
        if not trials or min(trials)[0] + price >= min(scores):
            break
        keep[min(trials)[1]] = False
        cuts, scores = _best_cuts(sizes[keep], times[keep], noise[keep])
    return keep, cuts, scores


def _best_cuts(sizes: np.ndarray, times: np.ndarray, noise: np.ndarray) -> tuple[list[int], tuple[float, ...]]:
    """The cuts (index of each segment's first size, but the first) with the least BIC, and the BIC for each number."""
    most = min(MAXIMUM_BREAKPOINTS, sizes.size // SMALLEST_SEGMENT - 1)
    paths = cheapest_cuts(_costs(sizes, times, noise), most)
    scores = [cost + BREAK_PRICE * len(path) * log(sizes.size) for cost, path in paths]
    return paths[int(np.argmin(scores))][1], tuple(scores)


def _costs(sizes: np.ndarray, times: np.ndarray, noise: np.ndarray) -> np.ndarray:
    """(n, n): the sum of squared relative errors over noise of the best line through sizes i..j, inf where fewer than
    three.

    The relative error of a line at s is 1 - (a + b s) / t: least squares of 1 by u = 1/t and v = s/t, all three over
    the noise of the size. Sizes are scaled by the local end so that the sums stay comparable in magnitude.
    """
    w = 1.0 / noise
    u, v = w / times, w * sizes / times / sizes[-1]
    sums = [np.concatenate([[0.0], np.cumsum(part)]) for part in (u * u, u * v, v * v, u * w, v * w, w * w)]
    uu, uv, vv, su, sv, ww = (part[None, 1:] - part[:-1, None] for part in sums)
    determinant = uu * vv - uv * uv
    safe = np.where(determinant > 1e-14 * np.abs(uu * vv), determinant, 1.0)
    a, b = (su * vv - sv * uv) / safe, (sv * uu - su * uv) / safe
    n = sizes.size
    count = np.arange(n)[None, :] - np.arange(n)[:, None] + 1.0
    costs = np.maximum(ww - a * su - b * sv, 0.0)
    return np.asarray(np.where((count >= SMALLEST_SEGMENT) & (determinant > 1e-14 * np.abs(uu * vv)), costs, np.inf))


def cheapest_cuts(costs: np.ndarray, most: int) -> list[tuple[float, list[int]]]:
    """For 0 .. most breakpoints the cheapest (cost, cuts), by dynamic programming over the last segment."""
    n = costs.shape[0]
    best = costs[0].copy()
    back: list[np.ndarray] = []
    found = [(float(best[-1]), list[int]())]
    for number in range(1, most + 1):
        totals = best[:-1, None] + costs[1:, :]
        back.append(np.argmin(totals, axis=0) + 1)
        best = np.min(totals, axis=0)
        cuts, end = [], n - 1
        if not isfinite(best[-1]):
            break
        for level in range(number - 1, -1, -1):
            cuts.append(int(back[level][end]))
            end = cuts[-1] - 1
        found.append((float(best[-1]), cuts[::-1]))
    return found


# --- what the segments and breakpoints are ----------------------------------------------------------------------


def _line_of(sizes: np.ndarray, times: np.ndarray) -> SegmentLine:
    a, b = _fit(sizes, times[None, :])
    residual = np.abs((a + b * sizes) / times - 1.0)
    return SegmentLine(float(sizes[0]), float(sizes[-1]), float(a[0]), float(b[0]), float(np.median(residual)))


def _fit(sizes: np.ndarray, times: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Least squares of relative errors for each row of ``times`` (rows, k): intercepts and slopes, (rows,)."""
    weight = 1.0 / times**2
    weight = weight / weight.sum(axis=1, keepdims=True)
    mean_x, mean_y = weight @ sizes, (weight * times).sum(axis=1)
    away = sizes[None, :] - mean_x[:, None]
    slope = (weight * away * times).sum(axis=1) / (weight * away**2).sum(axis=1)
    return mean_y - slope * mean_x, slope


def _breakpoints(sizes: np.ndarray, medians: np.ndarray, cuts: list[int], noise: np.ndarray) -> tuple[Breakpoint, ...]:
    """Describe each cut; its interval joins the bracket of sizes and where resampled launches put it.

    ``noise``: of each size, and the part of it that no number of sizes averages out, shape (2, sizes).
    """
    moved = [_cuts_of_number(sizes, row, noise[0], len(cuts)) for row in medians[1:]] if cuts else []
    ends = [0, *cuts, sizes.size]
    points = []
    for k, cut in enumerate(cuts):
        left, right = slice(ends[k], cut), slice(cut, ends[k + 2])
        places = [(sizes[other[k] - 1], sizes[other[k]]) for other in moved if len(other) == len(cuts)]
        low = min(float(sizes[cut - 1]), float(np.percentile([place[0] for place in places], 2.5)))
        high = max(float(sizes[cut]), float(np.percentile([place[1] for place in places], 97.5)))
        around = _root_mean(noise[0, left.start : right.stop]), _root_mean(noise[1, left.start : right.stop])
        points.append(_breakpoint(sizes, medians, (left, right), (low, high), around))
    return tuple(points)


def _cuts_of_number(sizes: np.ndarray, times: np.ndarray, noise: np.ndarray, number: int) -> list[int]:
    paths = cheapest_cuts(_costs(sizes, times, noise), number)
    return paths[number][1] if len(paths) > number else []


def _breakpoint(
    sizes: np.ndarray,
    medians: np.ndarray,
    sides: tuple[slice, slice],
    reach: tuple[float, float],
    noises: tuple[float, float],
) -> Breakpoint:
    """A bend where one unbroken line with a kink explains both sides about as well; else a jump in mid-bracket."""
    (left, right), (noise, floor) = sides, noises
    below, above = float(sizes[right.start - 1]), float(sizes[right.start])
    a1, b1 = _fit(sizes[left], medians[:, left])
    a2, b2 = _fit(sizes[right], medians[:, right])
    middle = sqrt(max(below, 1.0) * above)
    steps = (a2 + b2 * middle) / (a1 + b1 * middle) - 1.0
    known = noise * sqrt(2.0 / SMALLEST_SEGMENT), floor * max(1.0, 1.0 + float(steps[0]))
    spread = max(float(np.std(steps[1:])), *known)
    jump = ParameterEstimate(float(steps[0]), float(steps[0]) - 1.96 * spread, float(steps[0]) + 1.96 * spread)
    both = slice(left.start, right.stop)
    kinks, cost = _kinks(sizes[both], medians[:, both])
    broken = _squares(sizes[left], medians[0, left], a1[0], b1[0])
    broken += _squares(sizes[right], medians[0, right], a2[0], b2[0])
    if cost / noise**2 <= broken / noise**2 + 2.0 * log(sizes.size):
        low, high = np.percentile(kinks, [2.5, 97.5])
        place = float(kinks[0])
        return Breakpoint(
            ParameterEstimate(place, min(place, float(low)), max(place, float(high))), "bend", jump, below, above
        )
    return Breakpoint(ParameterEstimate(middle, reach[0], reach[1]), "jump", jump, below, above)


def _squares(sizes: np.ndarray, times: np.ndarray, a: float, b: float) -> float:
    return float(np.sum((1.0 - (a + b * sizes) / times) ** 2))


def _kinks(sizes: np.ndarray, medians: np.ndarray) -> tuple[np.ndarray, float]:
    """Best kink of an unbroken two-part line for each row (rows, k); and what the first row's costs.

    Tried on a coarse grid, then on a fine one around all that the coarse one gave: a kink misplaced by 3 % looks like
    a jump on a quiet machine.
    """
    grid = np.geomspace(max(sizes[1], 1.0), sizes[-2], 160)
    step = grid[1] / grid[0]
    costs = _kink_costs(sizes, medians, grid)
    best = grid[np.argmin(costs, axis=0)]
    low, high = max(best.min() / step, grid[0]), min(best.max() * step, grid[-1])
    grid = np.geomspace(low, high, 160)
    costs = _kink_costs(sizes, medians, grid)
    return grid[np.argmin(costs, axis=0)], float(costs[:, 0].min())


def _kink_costs(sizes: np.ndarray, medians: np.ndarray, grid: np.ndarray) -> np.ndarray:
    """Squared relative errors of the best unbroken line with a kink at each grid size: (grid, rows)."""
    weight = 1.0 / medians[0]
    target = (medians * weight).T
    costs = np.empty((grid.size, medians.shape[0]))
    for i, kink in enumerate(grid):
        design = np.column_stack([np.ones(sizes.size), sizes / sizes[-1], np.maximum(sizes - kink, 0.0) / sizes[-1]])
        basis, _ = np.linalg.qr(design * weight[:, None] / weight.max())
        costs[i] = np.sum((target - basis @ (basis.T @ target)) ** 2, axis=0)
    return costs
