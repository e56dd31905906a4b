"""Numbers in units of time beside the estimates: published times, differences, models, levels of runs, efficiencies.

What holds of absolute times holds of them too: the pace of a machine does not cancel, and rounds resemble each other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
from benchmarks.truth import former, models
from benchmarks.truth.machines import ALIKE, correlate
from benchmarks.truth.simulation import Figure, Simulation, generator

from msgauge.analysis.between_runs.run_levels import RunLevels, SeriesKey
from msgauge.analysis.estimates.efficiencies import find_efficiencies
from msgauge.analysis.estimates.observations import Observation
from msgauge.model import Cell, Estimate, Launch, LaunchRecord, Origin, Plan, ProgramEfficiency, Samples, Stack
from msgauge.models.loggp import fit_loggp
from msgauge.papers.claim_statement import Claim
from msgauge.papers.claims import Evidence, judge_claim
from msgauge.papers.figures import Plot, make_paper_figure
from msgauge.papers.number_selection import Pick
from msgauge.results.dataset import Dataset
from msgauge.stats.location import median_interval

RANKS = 4
PACE, OWN = 0.05, 0.01
"""Scatter of the pace that all series share, and of each series by itself."""
TRUE_NS, TRUE_PROGRAM_NS = 1000.0, 1e7
SERIAL_SLOW = "40 % of serial launches slow by 1.5"
PROGRAM_PLAN = Plan("truth", 1, ("one@1",), (Cell(0, "pi", 0, RANKS),), (RANKS,))
NEAR = 1e-4
LEFT, RIGHT = Pick(system="left", kernel="pingpong"), Pick(system="right", kernel="pingpong")
SYSTEMS = {"left": ("one@1",), "right": ("two@1",)}


def false_claims_of_times(correlation: float, rounds: int, cases: int, trials: int) -> Figure:
    """Share of claims about a published time that are called true or false by mistake, the truth on the bound.

    The pace that all series share is AR(1). Both sides are tried, and the worse one counts. Before: rounds taken as
    independent.
    """
    random = generator(141)
    now, before = np.zeros(2), np.zeros(2)
    for _ in range(trials):
        observed = _observe(_wander(correlation, rounds, cases, random))
        for side, (low, high, word) in enumerate(((0.0, 1 - NEAR, "holds"), (0.0, 1 + NEAR, "does not hold"))):
            now[side] += _judge(observed, cases, low, high) == word
            with former.independent_rounds():
                before[side] += _judge(observed, cases, low, high) == word
    case = f"pace AR(1) {correlation}, {rounds} rounds, {cases} cases"
    claimed = "a claim about a published time is not called true or false by mistake"
    return Figure(claimed, "<= 5 %", case, max(now) / trials, max(before) / trials, trials)


def claims_of_times_decided(correlation: float, rounds: int, ratio: float, trials: int) -> Figure:
    """Share of claims about a published time that are found to hold, ``ratio`` within the bound; before: as above."""
    random = generator(142)
    now = before = 0
    for _ in range(trials):
        observed = _observe(_wander(correlation, rounds, 4, random))
        now += _judge(observed, 4, 0.0, ratio) == "holds"
        with former.independent_rounds():
            before += _judge(observed, 4, 0.0, ratio) == "holds"
    case = f"pace AR(1) {correlation}, {rounds} rounds, 4 cases, {100 * (ratio - 1):.0f} % within the bound"
    return Figure("a claim about a published time is decided", "", case, now / trials, before / trials, trials)


def differences_hold(correlation: float, rounds: int, cases: int, ratio: float, trials: int) -> Figure:
    """Share of questions about differences of which all numbers hold, of two stacks that share the pace.

    ``ratio``: the time of the one over that of the other; near 1 the pace cancels, far from it it does not. Before:
    each number by order statistics at 95 %.
    """
    random, truth = generator(143), TRUE_NS * (ratio - 1)
    now = before = 0
    for _ in range(trials):
        logs = _wander(correlation, rounds, 2 * cases, random)
        told = _answer([*_observe(logs[:cases], level_ns=ratio * TRUE_NS), *_observe(logs[cases:], "two@1")], cases)
        now += all(one.low <= truth <= one.high for one in told)
        times = TRUE_NS * np.exp(logs)
        low, high = median_interval(ratio * times[:cases] - times[cases:])
        before += bool(((low <= truth) & (truth <= high)).all())
    case = f"pace AR(1) {correlation}, {rounds} rounds, {cases} differences of times that stand {ratio:g} to 1"
    claimed = "all numbers of a question about differences hold"
    return Figure(claimed, "at least 93 %", case, now / trials, before / trials, trials)


def models_hold(correlation: float, launches: int, trials: int) -> Figure:
    """Share of LogGP intervals that hold where the pace of the launches is AR(1); before: independent launches.

    All parameters of a run miss together: a run counts once.
    """
    random, now, before = generator(144), list[float](), list[float]()
    for _ in range(trials):
        paces = np.exp(PACE * correlate(random.normal(0, 1, launches), correlation))
        measured = models.trains(paces, random)
        now.append(float(np.mean(list(models.covered(fit_loggp(*measured, ()), 1.0)))))
        with former.independent_rounds():
            before.append(float(np.mean(list(models.covered(fit_loggp(*measured, ()), 1.0)))))
    case = f"pace AR(1) {correlation}, {launches} launches, five parameters"
    shares = float(np.mean(now)), float(np.mean(before))
    return Figure("LogGP intervals hold where the pace wanders", "at least 93 %", case, *shares, trials)


def levels_hold(correlation: float, rounds: int, trials: int) -> Figure:
    """Share of the levels of runs, which ``diff`` and ``history`` show, whose interval holds; before: as above."""
    random, now, before = generator(145), list[float](), list[float]()
    keys = [SeriesKey("one@1", "pingpong", size, 2) for size in _sizes(20)]
    for _ in range(trials):
        times = TRUE_NS * np.exp(_wander(correlation, rounds, len(keys), random))
        now.append(_hold_levels(dict(zip(keys, times, strict=True))))
        with former.independent_rounds():
            before.append(_hold_levels(dict(zip(keys, times, strict=True))))
    case = f"pace AR(1) {correlation}, {rounds} rounds, {len(keys)} series"
    shares = float(np.mean(now)), float(np.mean(before))
    return Figure("the levels of runs that are compared hold", "at least 93 %", case, *shares, trials)


def efficiencies_hold(scatter: tuple[float, float, float], rounds: int, shared: bool, trials: int) -> Figure:
    """Share of efficiencies in the figure of a paper whose interval holds.

    ``scatter``: of the serial time, of the parallel one, and of their pace, which is AR(1) 0.5. ``shared``: the serial
    program ran in the same rounds, else in as many before them. Before: the serial time was taken as exact, and rounds
    as independent.
    """
    random, truth = generator(146), 1 / RANKS
    serial, parallel, wander = scatter
    now = before = 0
    for _ in range(trials):
        pace = wander * correlate(random.normal(0, 1, 2 * rounds), 0.5)
        first = rounds if shared else 0
        alone = TRUE_NS * np.exp(pace[first : first + rounds] + random.normal(0, serial, rounds))
        many = TRUE_NS * np.exp(pace[rounds:] + random.normal(0, parallel, rounds))
        low, high = _draw_efficiency(alone, many, first)
        now += low <= truth <= high
        formerly = np.median(alone) / RANKS / np.array(median_interval(many))
        before += bool(formerly[1] <= truth <= formerly[0])
    place = "in the same rounds" if shared else "in rounds of its own"
    luck = ", ".join(
        f"{what} by {100 * by:g} %" for what, by in zip(("serial", "parallel", "pace"), scatter, strict=True)
    )
    case = f"serial time {place}, {luck}, {rounds} rounds"
    claimed = "an efficiency in the figure of a paper holds"
    return Figure(claimed, "at least 93 %", case, now / trials, before / trials, trials)


def program_efficiencies_hold(machine: str, rounds: int, trials: int) -> Figure:
    """Share of efficiencies of a program whose number, of the median launch, lies in the interval of its report.

    Both times of a launch share its pace. Before: the number was the ratio of the two medians.
    """
    random, truths = generator(147), generator(148)
    serial, parallel = _draw_program(machine, 400_000, truths)
    truth, formerly = float(np.median(serial - parallel)), float(np.median(serial) - np.median(parallel))
    held = before = 0
    for _ in range(trials):
        pace = PACE * correlate(random.normal(0, 1, rounds), 0.5)
        found = _estimate_efficiency(*(_draw_program(machine, rounds, random) + pace))
        held += found.low <= np.exp(truth) / RANKS <= found.high
        before += found.low <= np.exp(formerly) / RANKS <= found.high
    case = f"{machine}, a pace that scatters by 5 % beside, {rounds} launches"
    claimed = "the parallel efficiency of a program holds"
    return Figure(claimed, "at least 93 %", case, held / trials, before / trials, trials)


def _draw_program(machine: str, launches: int, random: np.random.Generator) -> np.ndarray:
    """Logarithms of the serial and of the parallel time of each launch around 0, shape (2, launches)."""
    if machine != SERIAL_SLOW:
        return ALIKE[machine]((1, 2, launches), random)[0]
    logs = random.normal(0, 0.005, (2, launches))
    logs[0] += np.log(1.5) * (random.random(launches) < 0.4)
    return logs


def _estimate_efficiency(serial_log: np.ndarray, time_log: np.ndarray) -> ProgramEfficiency:
    """As the report of a run has it whose launches took these times."""
    records = [
        LaunchRecord(Launch(number, number, "one@1", RANKS, (0,), 1), "ok", timer_resolution_ns=1.0)
        for number in range(serial_log.size)
    ]
    frames = [
        Samples(number, 0, name, np.array([ns]))
        for name, logs in (("serial", serial_log), ("time", time_log))
        for number, ns in enumerate(np.rint(TRUE_PROGRAM_NS * np.exp(logs)).astype(int))
    ]
    dataset = Dataset.of(PROGRAM_PLAN, [Stack("one", "1", Origin("builtin"))], records, frames)
    estimate = Estimate(
        "one@1", 0, "pi", 0, RANKS, median_ns=TRUE_PROGRAM_NS, series=(("communication", 1.0), ("serial", 1.0))
    )
    (found,) = find_efficiencies(dataset, [estimate])
    return found


def _draw_efficiency(alone: np.ndarray, many: np.ndarray, first: int) -> tuple[float, float]:
    """Low and high as drawn, of launches on one rank from round ``first`` on, and on many from ``many.size`` on."""
    observed = [
        Observation("one@1", "pi", 0, ranks, (), "time", tuple(range(begin, begin + times.size)), tuple(times.tolist()))
        for ranks, times, begin in ((1, alone, first), (RANKS, many, many.size))
    ]
    wanted = Plot("", (Pick(kernel="pi"),), "ranks", systems=("left",), efficiency=True)
    (line,) = make_paper_figure(wanted, observed, (), SYSTEMS).lines
    _, _, low, high = line.points[-1]
    return low, high


def _hold_levels(medians_ns: Mapping[SeriesKey, np.ndarray]) -> float:
    """Share of the levels of one run whose interval holds."""
    run = RunLevels("", "", medians_ns=medians_ns)
    found = [run.locate(key) for key in medians_ns]
    return float(np.mean([one.low <= TRUE_NS <= one.high for one in found]))


def _wander(correlation: float, rounds: int, series: int, random: np.random.Generator) -> np.ndarray:
    """Logarithms of launch medians over their truth, shape (series, rounds): a shared pace, and noise of each."""
    pace = correlate(random.normal(0, 1, (1, rounds)), correlation)
    return np.asarray(PACE * pace + OWN * random.normal(0, 1, (series, rounds)))


def _observe(logs: np.ndarray, stack: str = "one@1", level_ns: float = TRUE_NS) -> list[Observation]:
    """Ping-pong of a stack, each row of ``logs`` at a size of its own."""
    rounds = tuple(range(logs.shape[1]))
    return [
        Observation(stack, "pingpong", 8 << place, 2, (), "time", rounds, tuple((level_ns * np.exp(row)).tolist()))
        for place, row in enumerate(logs)
    ]


def _judge(observed: list[Observation], cases: int, low: float, high: float) -> str:
    """The verdict on a claim that every case lies between these bounds, relative to the published time."""
    claim = Claim("", left=LEFT, right=Pick(constant_ns=TRUE_NS), sizes=_sizes(cases), low=low, high=high)
    return judge_claim(claim, observed, SYSTEMS).verdict


def _answer(observed: list[Observation], cases: int) -> tuple[Evidence, ...]:
    """The numbers that answer how far two stacks are apart, ns."""
    asked = Claim("", kind="difference", left=LEFT, right=RIGHT, sizes=_sizes(cases), question=True)
    return judge_claim(asked, observed, SYSTEMS).evidence


def _sizes(cases: int) -> tuple[int, ...]:
    return tuple(8 << place for place in range(cases))


def simulations() -> Iterator[Simulation]:
    """Those of absolute numbers; a few minutes of one core."""
    for correlation, rounds, cases in ((0.0, 10, 1), (0.5, 7, 4), (0.8, 10, 1), (0.8, 20, 4)):
        yield Simulation(false_claims_of_times, (correlation, rounds, cases), 800)
    for correlation, rounds, ratio in ((0.0, 7, 1.3), (0.0, 20, 1.1), (0.8, 20, 1.3)):
        yield Simulation(claims_of_times_decided, (correlation, rounds, ratio), 300)
    for correlation, rounds, cases, ratio in ((0.0, 10, 16, 1.1), (0.8, 7, 4, 2.0), (0.8, 20, 4, 1.1)):
        yield Simulation(differences_hold, (correlation, rounds, cases, ratio), 600)
    for correlation, launches in ((0.0, 10), (0.5, 7), (0.8, 10)):
        yield Simulation(models_hold, (correlation, launches), 400)
    for correlation, rounds in ((0.0, 10), (0.5, 7), (0.8, 20)):
        yield Simulation(levels_hold, (correlation, rounds), 800)
    for scatter, rounds in (((0.02, 0.005, 0.0), 10), ((0.02, 0.02, 0.0), 7)):
        yield Simulation(efficiencies_hold, (scatter, rounds, True), 1500)
    yield Simulation(efficiencies_hold, ((0.02, 0.005, PACE), 10, False), 1500)
    for machine in ("lognormal", "heavy tails", "two modes, cell by cell", SERIAL_SLOW):
        for rounds in (5, 7, 10):
            yield Simulation(program_efficiencies_hold, (machine, rounds), 2000)
    for rounds in (20, 40):
        yield Simulation(program_efficiencies_hold, (SERIAL_SLOW, rounds), 1000)
