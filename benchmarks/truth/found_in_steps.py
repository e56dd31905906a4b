"""What is found in times that a clock of long steps gave: its steps alone are no breakpoint.

Launches scatter by ``SCATTER``, operations within them by as much; "before" is what is said where nothing is known of
the steps of the clock.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from benchmarks.truth.simulation import Figure, Simulation, generator

from msgauge.analysis.estimates.burst_traces import Trace
from msgauge.analysis.estimates.observations import Observation
from msgauge.analysis.findings.burst_effects import Window, measure_rate_changes, measure_start_up
from msgauge.analysis.stack_models.stack_model import segments

ROUNDS, OPERATIONS, BURSTS, MESSAGES = 10, 51, 21, 100
POWERS = tuple(2**power for power in range(13))
DENSE = tuple(sorted({int(size) for size in np.geomspace(1, 1000, 40)}))
SWEEPS = {"15 sizes to 5000 B": (*POWERS[:-1], 3000, 4096, 5000), "40 sizes to 1000 B": DENSE}
START, CHANGE = "start-up", "change of rate"
FIRST, MIDDLE = 10, 50
"""Messages of a start-up; message after which the rate changes."""


def breakpoints_of_steps(sweep: str, time_ns: float, step_ns: float, scatter: float, trials: int) -> Figure:
    """Share of sweeps in which a breakpoint is found: one straight line, 0.03 ns a byte."""
    random, wrong = generator(150), np.zeros(2)
    for _ in range(trials):
        read = _read_line(SWEEPS[sweep], random.uniform(time_ns, time_ns + step_ns), step_ns, scatter, random)
        wrong += [bool(_places(SWEEPS[sweep], read, half_ns)) for half_ns in (step_ns / 2, 0.0)]
    case = f"{sweep}, {_case(time_ns, step_ns, scatter)}"
    return Figure("steps of a clock are no breakpoint", "at most 5 %", case, *_shares(wrong, trials), trials)


def breakpoints_through_steps(sweep: str, time_ns: float, step_ns: float, scatter: float, trials: int) -> Figure:
    """Share of sweeps in which the one breakpoint is found at its place: 1.5 times the time in the upper half."""
    random, found, sizes = generator(151), np.zeros(2), SWEEPS[sweep]
    for _ in range(trials):
        times = random.uniform(time_ns, time_ns + step_ns) * np.where(np.arange(len(sizes)) < len(sizes) // 2, 1, 1.5)
        read = _read_line(sizes, times, step_ns, scatter, random)
        last = sizes[len(sizes) // 2 - 1]
        found += [last in _places(sizes, read, half_ns) for half_ns in (step_ns / 2, 0.0)]
    case = f"{sweep}, {_case(time_ns, step_ns, scatter)}"
    return Figure("a breakpoint of 50 % is found in steps", "at least 80 %", case, *_shares(found, trials), trials)


def jumps_in_steps(sweep: str, time_ns: float, step_ns: float, scatter: float, trials: int) -> Figure:
    """Share of the intervals of that jump, where it is found, that hold it."""
    random, told, sizes = generator(154), (list[bool](), list[bool]()), SWEEPS[sweep]
    before, after = sizes[len(sizes) // 2 - 1 : len(sizes) // 2 + 1]
    for _ in range(trials):
        low = random.uniform(time_ns, time_ns + step_ns)
        read = _read_line(sizes, low * np.where(np.array(sizes) <= before, 1, 1.5), step_ns, scatter, random)
        slope = 0.03 * np.sqrt(before * after)
        truth = (1.5 * low + slope) / (low + slope) - 1
        for held, half_ns in zip(told, (step_ns / 2, 0.0), strict=True):
            found = segments(make_pings(sizes, read, half_ns), generator(2))
            points = found.breakpoints if found else ()
            held += [one.jump.low <= truth <= one.jump.high for one in points if one.after_bytes == before]
    case, shares = f"{sweep}, {_case(time_ns, step_ns, scatter)}", (float(np.mean(held)) for held in told)
    return Figure("jumps read in steps have intervals that hold", "at least 93 %", case, *shares, len(told[0]))


def bursts_in_steps(what: str, factor: float, time_ns: float, step_ns: float, trials: int) -> Figure:
    """Share of intervals of a start-up, or change of rate, that hold, of those found; single messages, ten launches."""
    random, told = generator(153), (list[bool](), list[bool]())
    for _ in range(trials):
        truth = np.full(MESSAGES, random.uniform(time_ns, time_ns + step_ns))
        truth[slice(FIRST) if what == START else slice(MIDDLE, None)] *= factor
        read = _read_bursts(truth, step_ns, random)
        for held, half_ns in zip(told, (step_ns / 2, 0.0), strict=True):
            trace = Trace("one@1", "burst", 1024, 2, (), read, half_step_ns=half_ns)
            held += [low <= true <= high for low, true, high in _find_effects(what, trace, truth)]
    shares = (float(np.mean(held)) if held else np.nan for held in told)
    case = f"{what} of {factor:g} times, messages of {time_ns:g} ns in steps of {step_ns:g} ns"
    return Figure("what bursts show in steps has intervals that hold", "at least 93 %", case, *shares, len(told[0]))


def _case(time_ns: float, step_ns: float, scatter: float) -> str:
    return f"operations of {time_ns:g} ns that scatter by {100 * scatter:g} % in steps of {step_ns:g} ns"


def _shares(count: np.ndarray, trials: int) -> tuple[float, float]:
    return float(count[0] / trials), float(count[1] / trials)


def _read_line(
    sizes: tuple[int, ...], at_zero_ns: float | np.ndarray, step_ns: float, scatter: float, random: np.random.Generator
) -> np.ndarray:
    """Launch medians as the clock gives them, ns, shape (ROUNDS, sizes)."""
    truth = (at_zero_ns + 0.03 * np.array(sizes)) * np.exp(random.normal(0, scatter, (ROUNDS, 1)))
    taken = truth[..., None] * np.exp(random.normal(0, scatter, (*truth.shape, OPERATIONS)))
    begun = random.uniform(0, step_ns, taken.shape)
    return np.asarray(np.median(np.floor((begun + taken) / step_ns) * step_ns, axis=-1))


def make_pings(sizes: tuple[int, ...], read: np.ndarray, half_ns: float) -> list[Observation]:
    """A sweep of a ping-pong; ``read``: launch medians, ns, shape (ROUNDS, sizes)."""
    rounds = tuple(range(ROUNDS))
    return [
        Observation("one@1", "pingpong", size, 2, (), "time", rounds, tuple(times.tolist()), half_step_ns=half_ns)
        for size, times in zip(sizes, read.T, strict=True)
    ]


def _places(sizes: tuple[int, ...], read: np.ndarray, half_ns: float) -> list[float]:
    found = segments(make_pings(sizes, read, half_ns), generator(2))
    return [one.after_bytes for one in found.breakpoints] if found else []


def _read_bursts(truth: np.ndarray, step_ns: float, random: np.random.Generator) -> np.ndarray:
    """Median over the bursts of a launch of what the clock gives of each message, ns, shape (ROUNDS, MESSAGES)."""
    pace = np.exp(random.normal(0, 0.01, (ROUNDS, 1, 1)))
    taken = truth * pace * np.exp(random.normal(0, 0.02, (ROUNDS, BURSTS, MESSAGES)))
    stamps = random.uniform(0, step_ns, (ROUNDS, BURSTS, 1)) + np.cumsum(taken, axis=-1)
    read = np.floor(stamps / step_ns) * step_ns
    return np.asarray(np.maximum(np.median(np.diff(read, axis=-1, prepend=0.0), axis=1), 1.0))


def _find_effects(what: str, trace: Trace, truth: np.ndarray) -> list[tuple[float, float, float]]:
    """Low, truth and high of what is found."""
    if what == START:
        found = measure_start_up(trace.steps_ns, 0.95, trace.reach).found
        return [(one.low, float(np.exp(_mean_start(truth, one.after))), one.high) for one in found]
    window = Window(10 * trace.size_bytes, 90 * trace.size_bytes)
    found = measure_rate_changes(trace.steps_ns, trace.size_bytes, window, 0.95, trace.reach).found
    ratio = max(truth[-1] / truth[0], truth[0] / truth[-1])
    return [(one.low, float(ratio), one.high) for one in found]


def _mean_start(truth: np.ndarray, length: int) -> float:
    return float(np.log(truth[:length]).mean() - np.log(truth[MESSAGES // 2 :]).mean())


def simulations() -> Iterator[Simulation]:
    """Those of what is found; all of them take two minutes of one core."""
    for sweep in SWEEPS:
        for case in ((985, 41.67, 0.01), (200, 41.67, 0.001), (500, 100, 0.01)):
            yield Simulation(breakpoints_of_steps, (sweep, *case), 200)
            yield Simulation(breakpoints_through_steps, (sweep, *case), 100)
            yield Simulation(jumps_in_steps, (sweep, *case), 100)
    for what in (START, CHANGE):
        for time_ns, step_ns in ((300, 41.67), (150, 20), (1000, 250)):
            yield Simulation(bursts_in_steps, (what, 1.5, time_ns, step_ns), 100)
