"""Which hosts are near each other: groups between which every message takes longer, as those of two switches.

A message between two hosts costs, on the scale of logarithms, what each of the two adds and, where they are in
different groups, the distance of the groups. Hosts are alike when their times to all others are; groups come from
average linkage of these profiles, and the number of groups is the one whose distance stands out most. The test draws
the names of the hosts anew in every launch: where no group exists, the largest distance of the same search is as large.

Source: Sokal and Michener 1958 (average linkage); Phipson and Smyth 2010 (p of random permutations is never 0).
"""

from __future__ import annotations

import numpy as np
from attrs import frozen

DRAWS = 399
MOST_GROUPS = 6
FEWEST_HOSTS = 4
_ENOUGH = 25
"""So many draws as far out as the data say that there is nothing; more would only say it better."""
_FENCE = 4.0
"""Residuals count at most so many typical scatters of their launch."""
_CLEAR = 0.5
"""Within a group times must lie below those to others by this part of the distance at least."""
_PRICE = 0.1
"""What a host adds counts by so much of what is left of a pair: too little to draw any host in."""
_NEARER = 0.6
"""From step to step weights tell smaller deviations apart."""


@frozen(eq=False)
class Groups:
    """The groups that were found: none when ``labels`` are all 0."""

    labels: np.ndarray
    """Shape (hosts,): the group of each host, numbered in the order of their first hosts."""
    distance: float = 0.0
    """Logarithm of how many times as long a message between groups takes."""
    by_launch: tuple[float, ...] = ()
    """The same of each launch."""
    p: float = 1.0
    """Of the search for groups, by itself."""


def find_groups(logs: np.ndarray, seed: int = 1) -> Groups:
    """The groups of hosts that stand out most, with their p.

    ``logs``: shape (launches, hosts, hosts), logarithms of times, symmetric; the diagonal does not count.
    """
    hosts = logs.shape[1]
    nothing = Groups(np.zeros(hosts, dtype=int))
    residuals = np.stack([_bound(one) for one in logs])
    inside = np.arange(hosts)
    while inside.size >= FEWEST_HOSTS:
        part = residuals[:, inside][:, :, inside]
        labels, score = _search(_centre(part.mean(axis=0)))
        if score <= 0:
            return nothing
        unclear = _find_unclear(np.median(logs, axis=0)[np.ix_(inside, inside)], labels)
        if not unclear.any():
            whole = _assign_rest(residuals.mean(axis=0), inside, labels)
            distances = tuple(_measure_distance(one, labels) for one in logs[:, inside][:, :, inside])
            return Groups(_number(whole), _mean(distances), distances, _draw_p(part, score, seed))
        inside = inside[~unclear]
    return nothing


def strata(labels: np.ndarray) -> np.ndarray:
    """Bool of shape (hosts, hosts): pairs of hosts in different groups."""
    return np.asarray(labels[:, None] != labels[None, :])


def polish_hosts(matrix: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """What each host adds, and what is left of each pair; ``matrix``: (hosts, hosts), symmetric, nan where not known.

    By least absolute deviations, so that a few odd pairs do not count: a level, what hosts add, and a small price on
    this, which decides where it could as well be a pair (of four hosts, one slow pair, or two slow hosts and two quick
    ones). The problem is convex: where hosts explain every pair, they are found, half of them slow or not; medians of
    rows and columns in turn (Tukey's polish) stop at the wrong ones there. Found by weighted least squares in turn.

    Source: Schlossmacher 1973 (least absolute deviations by weights).
    """
    added, left, _ = _fit_hosts(matrix, np.zeros(matrix.shape))
    return added, left


def _fit_hosts(matrix: np.ndarray, apart: np.ndarray, sweeps: int = 40) -> tuple[np.ndarray, np.ndarray, float]:
    """As ``polish_hosts``, and beside it what pairs take longer where ``apart`` is 1, of shape (hosts, hosts)."""
    hosts = len(matrix)
    values = matrix.copy()
    np.fill_diagonal(values, np.nan)
    known = ~np.isnan(values)
    values = np.where(known, values - np.nanmedian(values), 0.0)
    left, added, distance, near = values, np.zeros(hosts), 0.0, float(np.abs(values).max())
    weights, prices = known.astype(float), np.full(hosts, _PRICE)
    floor = max(1e-6 * near, 1e-12)
    for _ in range(sweeps):
        rows, between = weights.sum(axis=1), (weights * apart).sum(axis=1)
        sides = np.array([[rows.sum(), between.sum()], [between.sum(), between.sum()]]) / 2
        sides[1, 1] += not apart.any()  # there is no distance then, and nothing of it is asked
        borders = np.stack([rows, between], axis=1)
        normal = np.block([[weights + np.diag(rows + prices), borders], [borders.T, sides]])
        right = (weights * values).sum(axis=1)
        found = np.linalg.solve(normal, np.append(right, [right.sum() / 2, (weights * apart * values).sum() / 2]))
        added, level, distance = found[:-2], float(found[-2]), float(found[-1])
        left = np.where(known, values - level - distance * apart - added[:, None] - added[None, :], 0.0)
        near = max(_NEARER * near, floor)
        weights = known / np.maximum(np.abs(left), near)
        prices = _PRICE / np.maximum(np.abs(added), near)
    return added - np.median(added), np.where(known, left, np.nan), distance


def _bound(matrix: np.ndarray) -> np.ndarray:
    """A launch without what single hosts add; wild pairs are drawn in to a fence. The diagonal is 0."""
    _, left = polish_hosts(matrix)
    left -= np.nanmedian(left)
    fence = _FENCE * 1.4826 * np.nanmedian(np.abs(left))
    return np.asarray(np.nan_to_num(np.clip(left, -fence, fence)))


def _centre(matrix: np.ndarray) -> np.ndarray:
    """Least squares: the part of a symmetric table without diagonal that no sum of host effects explains."""
    hosts = len(matrix)
    whole = matrix.copy()
    np.fill_diagonal(whole, 0.0)
    rows = whole.sum(axis=1)
    mean = rows.sum() / (hosts * (hosts - 1))
    effects = (rows - (hosts - 1) * mean) / (hosts - 2)
    whole -= mean + effects[:, None] + effects[None, :]
    np.fill_diagonal(whole, 0.0)
    return whole


def _search(centred: np.ndarray) -> tuple[np.ndarray, float]:
    """The cut of the tree whose distance stands out most, and how far; 0 where no distance is above zero."""
    from scipy.cluster.hierarchy import cut_tree, linkage

    hosts = len(centred)
    tree = linkage(_profile_distances(centred), method="average")
    cuts = cut_tree(tree, n_clusters=range(2, min(MOST_GROUPS, hosts // 2) + 1))
    best, labels = 0.0, np.zeros(hosts, dtype=int)
    for column in cuts.T:
        if np.bincount(column).min() < 2:
            continue
        distance, spread = _distance(centred, column)
        if distance * spread > best:
            best, labels = distance * spread, column
    return labels, best


def _profile_distances(centred: np.ndarray) -> np.ndarray:
    """Condensed distances between the hosts' rows, the two own places left out."""
    squares = (centred**2).sum(axis=1)
    both = squares[:, None] + squares[None, :] - 2 * centred @ centred.T - 2 * centred**2
    upper = np.triu_indices(len(centred), 1)
    return np.asarray(np.sqrt(np.maximum(both[upper], 0.0)))


def _distance(centred: np.ndarray, labels: np.ndarray) -> tuple[float, float]:
    """The distance of groups by least squares beside host effects, and the root of what it rests on."""
    apart = _centre(strata(labels).astype(float))
    square = float((apart**2).sum())
    return (float((apart * centred).sum()) / square, square**0.5) if square > 1e-9 else (0.0, 0.0)


def _measure_distance(matrix: np.ndarray, labels: np.ndarray) -> float:
    """The distance of groups in one launch, found together with what hosts add.

    Tried and wrong: what hosts add fitted with a distance from all launches taken off, and the distance of the medians
    that are left. The fit leaves medians of 0 whatever was taken off, so that launches hardly differed: of two groups
    of eight hosts in five launches the interval held in 72 %.
    """
    return _fit_hosts(matrix, strata(labels).astype(float))[2]


def _find_unclear(middle: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """Hosts of groups that are not quicker within than to others.

    Two slow hosts look like a group of their own, since the slower of two ends decides: their pair is no slower still.
    """
    unclear = np.zeros(len(labels), dtype=bool)
    others = ~np.eye(len(labels), dtype=bool)
    quickest = min(_quick(middle[np.outer(labels == one, labels == one) & others]) for one in set(labels))
    for one in set(labels):
        mine = labels == one
        within = _quick(middle[np.outer(mine, mine) & others])
        beyond = _quick(middle[mine][:, ~mine])
        unclear |= mine & bool(beyond - within < _CLEAR * max(beyond - quickest, 1e-12))
    return unclear


def _quick(times: np.ndarray) -> float:
    """A typical time of pairs without a slow host: the lower quartile."""
    return float(np.quantile(times, 0.25))


def _assign_rest(residuals: np.ndarray, inside: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """Labels of all hosts: one that was put aside joins the group that it is nearest to."""
    whole = np.full(len(residuals), -1)
    whole[inside] = labels
    for host in np.flatnonzero(whole < 0):
        near = [residuals[host, inside[labels == one]].mean() for one in range(labels.max() + 1)]
        whole[host] = int(np.argmin(near))
    return whole


def _number(labels: np.ndarray) -> np.ndarray:
    order = list(dict.fromkeys(labels.tolist()))
    return np.array([order.index(label) for label in labels.tolist()])


def _draw_p(residuals: np.ndarray, score: float, seed: int) -> float:
    """Share of draws, hosts named anew in each launch, in which the same search finds as much."""
    random = np.random.default_rng(seed)
    reached = 0
    for draw in range(1, DRAWS + 1):
        shuffled = np.zeros_like(residuals[0])
        for one in residuals:
            names = random.permutation(len(one))
            shuffled += one[np.ix_(names, names)]
        reached += _search(_centre(shuffled / len(residuals)))[1] >= score * (1 - 1e-9)
        if reached >= _ENOUGH:
            return (reached + 1) / (draw + 1)
    return (reached + 1) / (DRAWS + 1)


def _mean(values: tuple[float, ...]) -> float:
    return float(np.mean(values))
