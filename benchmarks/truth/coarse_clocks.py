"""Times that a clock of long steps gave: the intervals of what is said of them, wherever it is said.

Launches scatter by 1 %, operations within them by 0.5 %; a clock is read before and after each of 51. "Before" is what
is said where nothing is known of the steps of the clock.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from attrs import evolve
from benchmarks.truth import models
from benchmarks.truth.simulated_runs import dataset_of, make_plan
from benchmarks.truth.simulation import Figure, Simulation, generator

from msgauge.analysis.history import trace_history
from msgauge.analysis.observations import Observation
from msgauge.analysis.run import analyse
from msgauge.analysis.run_comparison import compare_runs
from msgauge.analysis.run_levels import RunLevels, SeriesKey
from msgauge.model import Estimate, Origin, Stack, Stopping, StopReason
from msgauge.models.guidelines import Guideline, Term, judge
from msgauge.models.loggp import fit_loggp
from msgauge.papers.claim_statement import Claim
from msgauge.papers.claims import judge_claim
from msgauge.papers.number_selection import Pick
from msgauge.papers.tables import Column, Row, Table, redraw
from msgauge.results.dataset import Dataset

SERIES, ROUNDS, OPERATIONS = 20, 10, 51
RUNS, HISTORY = 3, 24
TIMES, RATIOS = "times", "ratios"
CLAIM = "what is read off a coarse clock has intervals that hold"
PROMISED = "at least 93 %"
GUIDELINE = Guideline("left <= right", Term("left"), (Term("right"),), "Guideline: the left side should not be slower.")
STACKS = ("one@1", "two@1")
SYSTEMS = {"one": ("one@1",), "two": ("two@1",)}
Said = list[tuple[float, float, float]]
"""Low, truth and high of each interval."""
Read = Callable[[np.ndarray], np.ndarray]
"""Launch medians of true times, ns, as the clock gives them: shape (...) to (..., rounds), anew each time."""


def read_in_steps(time_ns: float, step_ns: float, what: str, trials: int) -> Figure:
    """Share of intervals of times, or ratios, that hold: two stacks in twenty tests, ten rounds, single operations.

    Times of the one stack lie anywhere between two steps, those of the other within 10 % of it.
    """
    random, held = generator(98), np.zeros(2)
    plan = make_plan(2, SERIES, Stopping(minimum_rounds=ROUNDS, maximum_rounds=ROUNDS))
    for _ in range(trials):
        truth = _draw_times(time_ns, step_ns, random)
        read = _read(truth, step_ns, random)
        held += [_share_held(dataset_of(plan, read, resolution_ns=told), truth, what) for told in (step_ns, 0.0)]
    return Figure(CLAIM, PROMISED, _case(time_ns, step_ns, what), *_shares(held, trials), trials * SERIES)


def _case(time_ns: float, step_ns: float, what: str) -> str:
    return f"operations of {time_ns:g} ns in steps of {step_ns:g} ns: {ROUNDS} rounds, intervals of {what}"


def _shares(held: np.ndarray, trials: int) -> tuple[float, float]:
    return float(held[0] / trials), float(held[1] / trials)


def _draw_times(time_ns: float, step_ns: float, random: np.random.Generator) -> np.ndarray:
    """True times, ns, shape (2, SERIES)."""
    first = random.uniform(time_ns, time_ns + step_ns, (2, SERIES))
    return np.asarray(first * [[1.0], [random.uniform(0.9, 1.1)]])


def _read(truth: np.ndarray, step_ns: float, random: np.random.Generator) -> np.ndarray:
    """What a clock gives of each operation, ns; shape (...) to (..., rounds, operations)."""
    launches = truth[..., None, None] * np.exp(random.normal(0, 0.01, (*truth.shape, ROUNDS, 1)))
    taken = launches * np.exp(random.normal(0, 0.005, (*truth.shape, ROUNDS, OPERATIONS)))
    begun = random.uniform(0, step_ns, taken.shape)
    return np.asarray(np.floor((begun + taken) / step_ns) * step_ns)


def _share_held(dataset: Dataset, truth: np.ndarray, what: str) -> float:
    """Share of the intervals of ``what``, times or ratios, that hold; ``truth``: ns, shape (2 stacks, cells)."""
    report = analyse(dataset, run="", stopped=StopReason.ROUNDS)
    if what == TIMES:
        rows = {stack: row for row, stack in enumerate(dataset.plan.stacks)}
        shown = [(one.low_ns, truth[rows[one.stack], one.cell], one.high_ns) for one in report.estimates]
    else:
        ratios = truth[1] / truth[0]
        shown = [(one.ratio_low, ratios[one.cell], one.ratio_high) for one in report.comparisons]
    return float(np.mean([low <= true <= high for low, true, high in shown]))


def read_in_steps_by(what: str, time_ns: float, step_ns: float, trials: int) -> Figure:
    """The same of the intervals of ``what``, one of ``SAID``."""
    random, told = generator(148), [list[bool](), list[bool]()]

    def read(truth: np.ndarray) -> np.ndarray:
        return np.asarray(np.median(_read(truth, step_ns, random), axis=-1))

    for _ in range(trials):
        truth, state = _draw_times(time_ns, step_ns, random), random.bit_generator.state
        for held, half_ns in zip(told, (step_ns / 2, 0.0), strict=True):
            random.bit_generator.state = state
            held += [low <= true <= high for low, true, high in SAID[what](truth, read, half_ns)]
    shares = (float(np.mean(held)) for held in told)
    return Figure(CLAIM, PROMISED, _case(time_ns, step_ns, what), *shares, len(told[0]))


def _of_guidelines(truth: np.ndarray, read: Read, half_ns: float) -> Said:
    found = []
    for (left, right), times in zip(truth.T, read(truth).swapaxes(0, 1), strict=True):
        sides = zip(("left", "right"), times, strict=True)
        estimates = [
            Estimate("one@1", 0, kernel, 8, 2, launch_medians_ns=tuple(row.tolist()), half_step_ns=half_ns)
            for kernel, row in sides
        ]
        found += [(one.ratio.low, left / right, one.ratio.high) for one in judge(estimates, (GUIDELINE,))]
    return found


def _of_claims(truth: np.ndarray, read: Read, half_ns: float) -> Said:
    observed = _observe(read(truth), half_ns)
    found = []
    for number, (one, two) in enumerate(truth.T):
        claim = Claim("", left=_pick("two"), right=_pick("one"), sizes=(8 + number,), question=True)
        found += [(case.low, two / one, case.high) for case in judge_claim(claim, observed, SYSTEMS).evidence]
    return found


def _of_differences(truth: np.ndarray, read: Read, half_ns: float) -> Said:
    observed = _observe(read(truth), half_ns)
    found = []
    for number, (one, two) in enumerate(truth.T):
        claim = Claim("", "", "difference", _pick("two"), _pick("one"), (8 + number,), question=True)
        found += [(case.low, two - one, case.high) for case in judge_claim(claim, observed, SYSTEMS).evidence]
    return found


def _of_tables(truth: np.ndarray, read: Read, half_ns: float) -> Said:
    observed = _observe(read(truth), half_ns)
    rows = tuple(
        Row("", Pick(kernel="pingpong", size_bytes=8 + number, ranks=2), unit="ns") for number in range(SERIES)
    )
    drawn = redraw(Table("", (Column("", "one"), Column("", "two")), rows), observed, SYSTEMS)
    return [
        (value.low, truth[column, number], value.high)
        for number, places in enumerate(drawn.values)
        for column, place in enumerate(places)
        for _, value in place.measured
    ]


def _of_changes(truth: np.ndarray, read: Read, half_ns: float) -> Said:
    old, new = ([_make_run(read(times), half_ns) for _ in range(RUNS)] for times in truth)
    ratios = truth[1] / truth[0]
    told = [change.comparison for change in compare_runs(old, new).changes]
    return [(one.ratio_low, ratios[one.size_bytes - 8], one.ratio_high) for one in told]


def _of_histories(truth: np.ndarray, read: Read, half_ns: float) -> Said:
    runs = [
        _make_run(read(truth[int(number >= HISTORY // 2)]), half_ns, f"2026-01-{number + 1:02}")
        for number in range(HISTORY)
    ]
    ratios = truth[1] / truth[0]
    return [
        (change.low, ratios[one.key.size_bytes - 8], change.high)
        for one in trace_history(runs).series
        for change in one.changes
    ]


def _make_run(medians_ns: np.ndarray, half_ns: float, started: str = "") -> RunLevels:
    """``medians_ns``: shape (SERIES, rounds)."""
    keys = [SeriesKey("one@1", "pingpong", 8 + number, 2) for number in range(SERIES)]
    levels, halves = dict(zip(keys, medians_ns, strict=True)), dict.fromkeys(keys, half_ns)
    return RunLevels(f"run{started}", started, stacks=_ONE, medians_ns=levels, half_steps_ns=halves)


def _observe(medians_ns: np.ndarray, half_ns: float) -> list[Observation]:
    """``medians_ns``: shape (2, SERIES, rounds)."""
    return [
        Observation(
            stack,
            "pingpong",
            8 + number,
            2,
            (),
            "time",
            tuple(range(ROUNDS)),
            tuple(row.tolist()),
            half_step_ns=half_ns,
        )
        for stack, rows in zip(STACKS, medians_ns, strict=True)
        for number, row in enumerate(rows)
    ]


def _pick(system: str) -> Pick:
    return Pick(system=system, kernel="pingpong")


_ONE = (Stack("one", "1", Origin("builtin")),)
SAID: dict[str, Callable[[np.ndarray, Read, float], Said]] = {
    "guidelines": _of_guidelines,
    "ratios in claims of papers": _of_claims,
    "differences in questions of papers": _of_differences,
    "tables of papers": _of_tables,
    "changes between runs": _of_changes,
    "changes in histories": _of_histories,
}
"""By what is said: its intervals, of true times of shape (2, SERIES)."""


def models_read_in_steps(step_ns: float, trials: int) -> Figure:
    """Share of the five parameters of LogGP whose interval holds: ten launches, each train read on whole steps."""
    random, told = generator(149), [list[bool](), list[bool]()]
    for _ in range(trials):
        sent, received = models.trains(models.draw_paces(ROUNDS, False, random), random)
        sent = evolve(sent, prtt_ns=step_ns * np.rint(sent.prtt_ns / step_ns))
        received = evolve(received, total_ns=step_ns * np.rint(received.total_ns / step_ns))
        for held, half_ns in zip(told, (step_ns / 2, 0.0), strict=True):
            model = fit_loggp(evolve(sent, hidden_ns=half_ns), evolve(received, hidden_ns=half_ns), ())
            held.extend(models.covered(model, 1.0))
    case = f"trains in steps of {step_ns:g} ns: {ROUNDS} launches, parameters of LogGP"
    return Figure(CLAIM, PROMISED, case, *(float(np.mean(held)) for held in told), len(told[0]))


def simulations() -> Iterator[Simulation]:
    """Those of coarse clocks; all of them take a minute of one core."""
    for time_ns, step_ns in ((985, 41.67), (300, 41.67), (60, 1), (290, 20)):
        for what in (TIMES, RATIOS):
            yield Simulation(read_in_steps, (time_ns, step_ns, what), 200)
    for step_ns in (41.67, 1000, 4000):
        yield Simulation(models_read_in_steps, (step_ns,), 100)
    for what in SAID:
        for time_ns, step_ns in ((985, 41.67), (60, 1)):
            yield Simulation(read_in_steps_by, (what, time_ns, step_ns), 40)
