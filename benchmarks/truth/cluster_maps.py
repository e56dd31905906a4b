"""Maps of simulated clusters: do intervals of what a map names hold, although it is named for being large?

Of many hosts, pairs and directions only those are named whose ratio came out large enough. An interval of one host by
itself holds in 95 % of all maps, but not in 95 % of those that name the host. So intervals are counted here where, and
only where, a map names something; whatever it names beyond what was planted has the truth 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from attrs import frozen
from benchmarks.truth import former
from benchmarks.truth.machines import SLOW_FACTOR, SLOW_SHARE
from benchmarks.truth.simulation import Figure, Simulation, generator

from msgauge.stats.host_effects import HostEffect, find_effects
from msgauge.stats.slow_columns import LEAST_HOST

LATENCY_NS = 50_000.0
MOST_MAPS = 60
"""So many maps for each interval that is asked for at most."""

Noise = Callable[[tuple[int, int], np.random.Generator], np.ndarray]
"""Logarithms of times without a fault, shape (launches, hosts, hosts), of (launches, hosts)."""


def scattering(scatter: float) -> Noise:
    """Every direction of every pair scatters by so much in a launch, and every host with all of its messages."""

    def draw(shape: tuple[int, int], random: np.random.Generator) -> np.ndarray:
        hosts = random.normal(0, scatter, shape)
        return _spread(hosts) + random.normal(0, scatter, (*shape, shape[1]))

    return draw


def hosts_in_modes(shape: tuple[int, int], random: np.random.Generator) -> np.ndarray:
    """As where all scatters by 5 %, and every host is slow in three launches of ten, by 1.3 with all messages."""
    slow = np.log(SLOW_FACTOR) * (random.random(shape) < SLOW_SHARE)
    return scattering(0.05)(shape, random) + _spread(slow)


def pairs_in_modes(shape: tuple[int, int], random: np.random.Generator) -> np.ndarray:
    """As where all scatters by 5 %, and every pair is slow in three launches of ten, by 1.3."""
    slow = np.triu(random.random((*shape, shape[1])) < SLOW_SHARE, 1)
    return scattering(0.05)(shape, random) + np.log(SLOW_FACTOR) * (slow + slow.transpose(0, 2, 1))


NOISES: dict[str, Noise] = {
    "scatter 5 %": scattering(0.05),
    "scatter 15 %": scattering(0.15),
    "hosts in two modes": hosts_in_modes,
    "pairs in two modes": pairs_in_modes,
}


@frozen
class Fault:
    """What is planted: so many times as long, from a host or to and from it, or between two, or between groups."""

    kind: str
    factor: float

    @property
    def directed(self) -> bool:
        """Whether the two directions of a pair differ."""
        return self.kind.endswith("direction")

    def plant(self, hosts: int) -> np.ndarray:
        """Logarithms that it adds, shape (hosts, hosts): at one host or pair of 8, at two of 16."""
        added = np.zeros((hosts, hosts))
        for first in range(0, hosts // 4, 2):
            place = np.s_[first, :] if self.kind.startswith("host") else np.s_[first, first + 1]
            added[place] = np.log(self.factor)
        if self.kind == "group":
            side = np.arange(hosts) < hosts // 2
            added = np.log(self.factor) * (side[:, None] != side[None, :])
        elif not self.directed:
            added = added + added.T
        np.fill_diagonal(added, 0.0)
        return added


def truth(effect: HostEffect, fault: Fault, hosts: int) -> float:
    """The ratio that an effect would have if nothing scattered and a fault were all that is planted."""
    added = fault.plant(hosts)
    both, unlike = (added + added.T) / 2, added - added.T
    if effect.kind == "group":
        return float(np.exp(added[0, -1] - added[0, 1]))
    if fault.kind == "group":
        return 1.0
    place = effect.hosts if len(effect.hosts) == 2 else (effect.hosts[0], -1 - effect.hosts[0] % 2)
    if effect.kind == "pair":
        ends = [float(np.median(np.delete(both[host], host))) for host in effect.hosts]
        return float(np.exp(both[place] - sum(ends)))
    return float(np.exp((unlike if "direction" in effect.kind else both)[place]))


def mapped(logs: np.ndarray, directed: bool, seed: int) -> list[HostEffect]:
    """All that is named of one measure."""
    found = find_effects(logs, directed=directed, seed=seed)
    return [*found.effects, *([found.group] if found.group else [])]


def named(shape: tuple[int, int], fault: Fault, noise: str, wanted: int) -> tuple[list[bool], int]:
    """Of what maps name whether its interval holds, until ``wanted`` are named, and how many maps that took."""
    random, held = generator(81), list[bool]()
    added = fault.plant(shape[1])
    for number in range(MOST_MAPS * wanted):
        if len(held) >= wanted:
            return held, number
        logs = NOISES[noise](shape, random) + added + np.log(LATENCY_NS)
        for effect in mapped(logs, fault.directed, number):
            low, high = sorted((effect.low, effect.high))
            held.append(low <= truth(effect, fault, shape[1]) <= high)
    return held, MOST_MAPS * wanted


def _spread(hosts: np.ndarray) -> np.ndarray:
    return np.asarray(hosts[:, :, None] + hosts[:, None, :])


def _case(shape: tuple[int, int], noise: str) -> str:
    return f"{noise}: {shape[1]} hosts, {shape[0]} launches"


# --- what of it is on the page ------------------------------------------------------------------------------------


def map_intervals(shape: tuple[int, int], kind: str, factor: float, noise: str, trials: int) -> Figure:
    """Share of intervals of what maps name that hold; before: an interval of one by itself.

    A host that is slow by less than what is named is named by luck alone, seldom, and too slow: the intervals of maps
    hold in 95 % of maps, not in those few, of which nothing is promised.
    """
    now, _ = named(shape, Fault(kind, factor), noise, trials)
    with former.single_map_intervals():
        before, _ = named(shape, Fault(kind, factor), noise, trials)
    case = f"{_case(shape, noise)}, {kind} {factor:g} times as slow"
    shares = (float(np.mean(one)) if one else 1.0 for one in (now, before))
    promised = "at least 93 %" if kind == "group" or factor >= 1 + LEAST_HOST else ""
    return Figure("intervals of what a map names hold", promised, case, *shares, max(1, len(now)))


def false_findings(shape: tuple[int, int], noise: str, trials: int) -> Figure:
    """Share of maps of clean clusters that name anything, of latency or of bandwidth; before: single intervals."""

    def share() -> float:
        random, wrong = generator(82), 0
        for number in range(trials):
            logs = [NOISES[noise](shape, random) + np.log(LATENCY_NS) for _ in range(2)]
            wrong += any(mapped(one, directed, number) for one, directed in zip(logs, (False, True), strict=True))
        return wrong / trials

    now = share()
    with former.single_map_intervals():
        before = share()
    return Figure("maps of clean clusters name nothing", "<= 5 %", _case(shape, noise), now, before, trials)


def faults_found(shape: tuple[int, int], kind: str, factor: float, noise: str, trials: int) -> Figure:
    """Share of maps that name the host (the pair, the groups) that is slow."""

    def share() -> float:
        random, found, fault = generator(83), 0, Fault(kind, factor)
        added = fault.plant(shape[1])
        for number in range(trials):
            logs = NOISES[noise](shape, random) + added + np.log(LATENCY_NS)
            effects = mapped(logs, fault.directed, number)
            found += any(one.kind == kind and truth(one, fault, shape[1]) > 1 for one in effects)
        return found / trials

    now = share()
    with former.single_map_intervals():
        before = share()
    case = f"{_case(shape, noise)}, {kind} {factor:g} times as slow"
    return Figure("what is slow is named", "", case, now, before, trials)


def simulations() -> Iterator[Simulation]:
    """Those of maps of clusters."""
    shapes = ((5, 8), (5, 16), (10, 8))
    for shape in shapes:
        for noise in ("scatter 5 %", "scatter 15 %", "hosts in two modes"):
            for factor, trials in ((1.2, 100), (1.3, 200), (1.6, 300)):
                yield Simulation(map_intervals, (shape, "host", factor, noise), trials)
        yield Simulation(map_intervals, (shape, "pair", 1.3, "scatter 5 %"), 300)
        yield Simulation(map_intervals, (shape, "pair", 1.6, "pairs in two modes"), 300)
        yield Simulation(map_intervals, (shape, "group", 1.15, "scatter 5 %"), 150)
    yield Simulation(map_intervals, ((5, 8), "host", 1.1, "scatter 15 %"), 20)
    for kind in ("host-direction", "pair-direction"):
        yield Simulation(map_intervals, ((5, 8), kind, 1.3, "scatter 5 %"), 300)
    for shape in shapes:
        for noise in NOISES:
            yield Simulation(false_findings, (shape, noise), 300)
    for shape in shapes:
        yield Simulation(faults_found, (shape, "host", 1.3, "scatter 15 %"), 200)
        yield Simulation(faults_found, (shape, "pair", 1.6, "scatter 15 %"), 200)
        yield Simulation(faults_found, (shape, "group", 1.15, "scatter 15 %"), 200)
