"""What is said of anomalies on machines that scatter with tails, wander, or change their pace once."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import numpy as np
from benchmarks.truth.machines import ALIKE, Machine, Shape, correlate
from benchmarks.truth.models import SWEEP
from benchmarks.truth.simulation import Figure, Simulation, generator

from msgauge.analysis.estimates.burst_traces import Trace
from msgauge.analysis.findings.anomaly_findings import BurstCourse, Speeds, find_anomalies
from msgauge.analysis.warnings.run_warnings import warn_bimodal
from msgauge.model import Estimate, Finding
from msgauge.models.segments import find_segments

STEPS, BATCHES, COURSES, TRACES = 100, 60, 30, 6
STACKS, TESTS = 3, 20
LIMITS = re.compile(r": [\d.]+ × \(([\d.]+) to ([\d.]+)\)")
ROUNDED = 0.005
"""A sentence gives two decimals."""


def exponential(shape: Shape, random: np.random.Generator) -> np.ndarray:
    """One mode with a tail towards slow launches: each is slower than the fastest by an exponential of 10 %."""
    return random.exponential(0.1, shape)


def slower_from_one_round_on(shape: Shape, random: np.random.Generator) -> np.ndarray:
    """The whole machine is slower by 10 % from one round on."""
    later = np.arange(shape[2]) >= random.integers(3, shape[2] - 2)
    return random.normal(0, 0.01, shape) + 0.1 * later


def slower_in_three_rounds(shape: Shape, random: np.random.Generator) -> np.ndarray:
    """The whole machine is slower by 30 % in three rounds, whichever."""
    slow = np.isin(np.arange(shape[2]), random.permutation(shape[2])[:3])
    return random.normal(0, 0.01, shape) + np.log(1.3) * slow


def plain(shape: Shape, random: np.random.Generator) -> np.ndarray:
    """One mode, normal: launches scatter by 15 %."""
    return random.normal(0, 0.15, shape)


ONE_MODE: dict[str, Machine] = {
    "exponential tail of 10 %": exponential,
    "scatter of 15 %": plain,
    "one launch in ten slower by some 65 %": ALIKE["spikes"],
    "all stacks slower from one round on": slower_from_one_round_on,
    "all stacks slower in three rounds": slower_in_three_rounds,
    "drifting": ALIKE["drifting"],
    "drifting slowly": ALIKE["drifting slowly"],
    "heavy tails": ALIKE["heavy tails"],
}


def modes_alleged(machine: str, rounds: int, trials: int) -> Figure:
    """Share of runs that say of any stack that its launches are bimodal, as a finding or as a notice."""
    random, wrong = generator(141), 0
    for _ in range(trials):
        wrong += _tells_modes(_estimates(ONE_MODE[machine]((STACKS, TESTS, rounds), random)))
    case = f"{machine}: {STACKS} stacks, {TESTS} tests, {rounds} rounds"
    return _figure("no stack of one mode is said to have bimodal launches", "<= 5 %", case, wrong, trials)


def modes_seen(share: float, scatter: float, rounds: int, trials: int) -> Figure:
    """Share of runs that say so of a stack, one of three, whose slow launches take 1.5 times as long."""
    random, seen = generator(142), 0
    for _ in range(trials):
        seen += _tells_modes(_estimates(_two_modes(share, scatter, (STACKS, TESTS, rounds), random)))
    return _figure("bimodal launches are found", "", _modes_case(share, scatter, rounds), seen, trials)


def mode_ratios_hold(share: float, scatter: float, rounds: int, trials: int) -> Figure:
    """Share of the sentences on bimodal launches whose interval holds how much slower the slow ones are."""
    random, held = generator(143), list[bool]()
    for _ in range(20 * trials):
        estimates = _estimates(_two_modes(share, scatter, (STACKS, TESTS, rounds), random))
        held += _hold(find_anomalies(estimates, [], []), "bimodal-launches", 1.5)
        if len(held) >= trials:
            break
    case = _modes_case(share, scatter, rounds)
    return _figure("intervals of bimodal launches hold", "at least 93 %", case, sum(held), max(1, len(held)))


def rates_invented(correlation: float, launches: int, trials: int) -> Figure:
    """Share of runs with a change of the time per byte in bursts whose messages take the same time all along."""
    random, wrong = generator(144), 0
    for _ in range(trials):
        traces = [_trace(number, correlation, launches, random) for number in range(TRACES)]
        wrong += any(one.kind == "rate-change" for one in find_anomalies([], [], traces))
    claim = "no even stream is said to change its time per byte"
    return _figure(claim, "<= 5 %", _burst_case(correlation, launches), wrong, trials)


def rates_found(correlation: float, launches: int, factor: float, trials: int) -> Figure:
    """Share of runs that find the one burst of six whose messages are slower by ``factor`` from the 60th on."""
    random, found = generator(145), 0
    for _ in range(trials):
        traces = _changed_traces(correlation, launches, factor, random)
        found += any(one.kind == "rate-change" for one in find_anomalies([], [], traces))
    claim = f"a time per byte that changes by {100 * (factor - 1):.0f} % is found"
    return _figure(claim, "", _burst_case(correlation, launches), found, trials)


def rate_intervals_hold(correlation: float, launches: int, factor: float, trials: int) -> Figure:
    """Share of the sentences on a change of the time per byte whose interval holds by how much it changes."""
    random, held = generator(146), list[bool]()
    for _ in range(20 * trials):
        traces = _changed_traces(correlation, launches, factor, random)
        held += _hold(find_anomalies([], [], traces), "rate-change", factor)
        if len(held) >= trials:
            break
    case = f"{_burst_case(correlation, launches)}, one slower by {100 * (factor - 1):.0f} % from one message on"
    claim = "intervals of changes of the time per byte hold"
    return _figure(claim, "at least 93 %", case, sum(held), max(1, len(held)))


def variation_invented(course: str, launches: int, trials: int) -> Figure:
    """Share of runs that say launches differ beyond what is within them, where all are alike in the long run."""
    random, wrong = generator(147), 0
    for _ in range(trials):
        wrong += _tells_variation([COURSE[course]((launches, BATCHES), random) for _ in range(COURSES)])
    claim = "no equal launches are said to vary beyond what is within them"
    return _figure(claim, "<= 5 %", _course_case(course, launches), wrong, trials)


def variation_found(course: str, launches: int, spread: float, trials: int) -> Figure:
    """Share of runs that find the one course of thirty whose launches differ by ``spread`` of their own."""
    random, found = generator(148), 0
    for _ in range(trials):
        logs = [COURSE[course]((launches, BATCHES), random) for _ in range(COURSES)]
        logs[0] = logs[0] + random.normal(0, spread, (launches, 1))
        found += _tells_variation(logs)
    claim = f"launches that vary by another {100 * spread:.0f} % are found"
    return _figure(claim, "", _course_case(course, launches), found, trials)


def _regimes(shape: tuple[int, int], random: np.random.Generator) -> np.ndarray:
    """A launch is slow by 1.2 for some twenty batches, then fast for as many, beginning anywhere."""
    changes = np.cumsum(random.random(shape) < 0.05, axis=1) + random.integers(0, 2, (shape[0], 1))
    return random.normal(0, 0.01, shape) + np.log(1.2) * (changes % 2)


COURSE: dict[str, Callable[[tuple[int, int], np.random.Generator], np.ndarray]] = {
    "AR(1) 0": lambda shape, random: random.normal(0, 0.05, shape),
    "AR(1) 0.5": lambda shape, random: correlate(random.normal(0, 0.05, shape), 0.5),
    "AR(1) 0.8": lambda shape, random: correlate(random.normal(0, 0.05, shape), 0.8),
    "AR(1) 0.9": lambda shape, random: correlate(random.normal(0, 0.05, shape), 0.9),
    "AR(1) 0.95": lambda shape, random: correlate(random.normal(0, 0.05, shape), 0.95),
    "AR(1) 0.98": lambda shape, random: correlate(random.normal(0, 0.05, shape), 0.98),
    "regimes of some 20 batches": _regimes,
}


def uneven_lines(first: float, last: float, launches: int, trials: int) -> Figure:
    """Share of straight lines with a breakpoint where launches scatter unlike at small and at large messages."""
    random, wrong = generator(149), 0
    scatter = np.linspace(first, last, SWEEP.size)
    for _ in range(trials):
        times = (500.0 + 0.1 * SWEEP) * np.exp(scatter * random.normal(size=(launches, SWEEP.size)))
        wrong += bool(find_segments(SWEEP, times, random).breakpoints)
    case = f"{launches} launches, {SWEEP.size} sizes, scatter of {100 * first:g} to {100 * last:g} % by size"
    return _figure("no breakpoint on a straight line", "<= 5 %", case, wrong, trials)


# --- runs, and what is said of them -------------------------------------------------------------------------------


def _estimates(logs: np.ndarray) -> tuple[Estimate, ...]:
    """Of a table of logarithms (stacks, tests, rounds); every test is a kernel of its own, so that no guideline is."""
    rounds = tuple(range(logs.shape[2]))
    times = 1000 * np.exp(logs)
    return tuple(
        Estimate(
            stack=f"stack{stack}@1",
            cell=cell,
            kernel=f"kernel{cell}",
            size_bytes=8,
            ranks=2,
            options=(),
            median_ns=float(np.median(times[stack, cell])),
            low_ns=1.0,
            high_ns=1.0,
            launch_medians_ns=tuple(times[stack, cell].tolist()),
            rounds=rounds,
        )
        for stack, cell in np.ndindex(logs.shape[:2])
    )


def _tells_modes(estimates: tuple[Estimate, ...]) -> bool:
    found = find_anomalies(estimates, [], [])
    return any(one.kind == "bimodal-launches" for one in found) or any(True for _ in warn_bimodal(estimates))


def _two_modes(share: float, scatter: float, shape: Shape, random: np.random.Generator) -> np.ndarray:
    """Scatter of 1 % in all stacks; launches of the first are slow in a share of cases, with all of their tests."""
    logs = random.normal(0, 0.01, shape)
    slow = random.random(shape[2]) < share
    logs[0] += slow * (np.log(1.5) + random.normal(0, scatter, shape[1:]))
    return logs


def _modes_case(share: float, scatter: float, rounds: int) -> str:
    own = f", these by another {100 * scatter:.0f} %" if scatter else ""
    slow = f"{100 * share:.0f} % of the launches of one of {STACKS} stacks 1.5 times slower"
    return f"{slow}, scatter of 1 %{own}, {TESTS} tests, {rounds} rounds"


def _trace(number: int, correlation: float, launches: int, random: np.random.Generator) -> Trace:
    steps = 1000 * np.exp(correlate(random.normal(0, 0.1, (launches, STEPS)), correlation))
    return Trace(f"stack{number}@1", "burst", 1024, 2, (), steps)


def _changed_traces(correlation: float, launches: int, factor: float, random: np.random.Generator) -> list[Trace]:
    traces = [_trace(number, correlation, launches, random) for number in range(TRACES)]
    traces[0].steps_ns[:, 60:] *= factor
    return traces


def _burst_case(correlation: float, launches: int) -> str:
    return f"{TRACES} bursts of {STEPS} messages that scatter by 10 %, AR(1) {correlation:g}, {launches} launches"


def _tells_variation(logs: list[np.ndarray]) -> bool:
    courses = [BurstCourse(f"s{n % 3}@1", f"k{n // 3}", 8, 2, 1000 * np.exp(one)) for n, one in enumerate(logs)]
    return any(one.kind == "between-launches" for one in find_anomalies([], courses, []))


def _course_case(course: str, launches: int) -> str:
    return f"{COURSES} tests of {launches} launches of {BATCHES} batches, {course}"


def _hold(findings: tuple[Finding, ...], kind: str, truth: float) -> list[bool]:
    """Whether each sentence of a kind has an interval that holds the truth."""
    limits = [LIMITS.search(one.sentence) for one in findings if one.kind == kind]
    return [float(one[1]) - ROUNDED <= truth <= float(one[2]) + ROUNDED for one in limits if one]


def _figure(claim: str, promised: str, case: str, count: int, trials: int) -> Figure:
    return Figure(claim, promised, case, count / trials, float("nan"), trials)


def slow_ranks_invented(shape: Shape, machine: str, trials: int) -> Figure:
    """Share of runs that call a rank slower than the others where all ranks of all stacks are alike."""
    stacks, launches, ranks = shape
    random, wrong = generator(74), 0
    for _ in range(trials):
        wrong += bool(_find_slow_ranks(MACHINES_OF_RANKS[machine](shape, random)))
    case = f"{machine}: {stacks} stacks of {ranks} ranks, {launches} launches"
    claim = "no rank is said to compute slower than others that are like it"
    return Figure(claim, "<= 5 %", case, wrong / trials, float("nan"), trials)


def slow_ranks_found(shape: Shape, machine: str, factor: float, trials: int) -> Figure:
    """Share of runs that call that rank of the first stack slower which is, by ``factor``."""
    stacks, launches, ranks = shape
    random, found = generator(75), 0
    for _ in range(trials):
        logs = MACHINES_OF_RANKS[machine](shape, random)
        logs[0, :, 1] += np.log(factor)
        found += any(" rank 1 " in one.sentence for one in _find_slow_ranks(logs))
    case = f"{machine}: {stacks} stacks of {ranks} ranks, {launches} launches"
    claim = f"a rank that computes {factor:g} times slower is told"
    return Figure(claim, "", case, found / trials, float("nan"), trials)


def _find_slow_ranks(logs: np.ndarray) -> tuple[Finding, ...]:
    hosts = ("here",) * logs.shape[2]
    return find_anomalies([], [], [], [Speeds(f"stack{row}", hosts, np.exp(one)) for row, one in enumerate(logs)])


MACHINES_OF_RANKS: dict[str, Machine] = {
    "lognormal": ALIKE["lognormal"],
    "heavy tails": ALIKE["heavy tails"],
    "tail to slow launches": exponential,
    "slow in 30 %": ALIKE["two modes, cell by cell"],
}
"""Every rank of every launch by itself."""


def simulations() -> Iterator[Simulation]:
    """Those of sentences on anomalies."""
    for machine, rounds in (
        ("exponential tail of 10 %", 20),
        ("one launch in ten slower by some 65 %", 10),
        ("all stacks slower from one round on", 10),
        ("scatter of 15 %", 10),
    ):
        yield Simulation(modes_alleged, (machine, rounds), 300)
    for rounds in (10, 20):
        yield Simulation(modes_seen, (0.3, 0.0, rounds), 200)
        yield Simulation(mode_ratios_hold, (0.3, 0.05, rounds), 400)
    for correlation in (0.5, 0.8):
        yield Simulation(rates_invented, (correlation, 10), 400)
    yield Simulation(rates_found, (0.5, 10, 1.3), 200)
    yield Simulation(rate_intervals_hold, (0.5, 10, 1.3), 400)
    for course in ("AR(1) 0.9", "AR(1) 0.95", "regimes of some 20 batches"):
        yield Simulation(variation_invented, (course, 5), 200)
    yield Simulation(variation_found, ("AR(1) 0.5", 10, 0.1), 200)
    for machine in MACHINES_OF_RANKS:
        for shape in ((6, 7, 16), (6, 5, 4), (3, 10, 8)):
            yield Simulation(slow_ranks_invented, (shape, machine), 600)
        yield Simulation(slow_ranks_found, ((6, 7, 16), machine, 1.2), 100)
    for first, last in ((0.15, 0.005), (0.005, 0.1)):
        yield Simulation(uneven_lines, (first, last, 20), 400)
