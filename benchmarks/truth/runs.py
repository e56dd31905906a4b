"""Runs against runs, and histories of runs.

A run is in a mood that all its launches share; launches scatter by 2 % beside. "Before" is what msgauge did until
November 2026, launches of two runs compared as if they were independent; for histories, each run against the last.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

import numpy as np
from attrs import evolve
from benchmarks.truth.machines import SCATTER, correlate
from benchmarks.truth.simulation import Figure, Simulation, generator

from msgauge.stats.between_runs import (
    Changes,
    ChangesBesideReferences,
    change,
    change_against_references,
    find_beside,
    variance_between,
)
from msgauge.stats.change_points import LevelShift, find_steps
from msgauge.stats.multiplicity import holm
from msgauge.stats.pairwise import FASTER, SLOWER, judge_pairs

Draw = Callable[[np.random.Generator, tuple[int, ...]], np.ndarray]
CELLS, LAUNCHES = 9, 10
MOOD = 0.02
RUNS = 60
FIVE_PERCENT, TEN_PERCENT = 0.0488, 0.0953
"""Logarithms."""
GATE = FIVE_PERCENT
PROMISED_OF_HISTORIES = {False: "<= 0.25 %", True: "<= 1 %"}
"""Of clean histories, by whether runs resemble their neighbours: of twenty clean ones one errs in 5 %, or in 18 %."""
PROMISED_OF_STEPS = {TEN_PERCENT: "at least 95 %"}


def normal(random: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    """Standard normal."""
    return random.normal(0, 1, shape)


def heavy(random: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    """Student's t with three degrees of freedom, scaled to the same variance."""
    return random.standard_t(3, shape) / np.sqrt(3)


DRAWS: dict[str, Draw] = {"normal": normal, "heavy tails": heavy}


def _levels(
    random: np.random.Generator, draw: Draw, runs: int, mood: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Log medians of launches, levels of runs, and their variance by launches; one stack, moods drawn anew."""
    launches = mood * draw(random, (runs, 1, 1)) + SCATTER * draw(random, (runs, CELLS, LAUNCHES))
    spread = np.pi / 2 * launches.var(axis=2, ddof=1) / LAUNCHES
    return launches, np.median(launches, axis=2), spread


def repeated_runs(law: str, runs: tuple[int, int], shift: float, trials: int) -> Figure:
    """Share of comparisons of one binary with a cell called different; of a change, share of cells found."""
    now, before = [], []
    for different, naive, _, _ in _compared(law, runs, shift, trials):
        now.append(different.mean() if shift else different.any())
        before.append(naive.mean() if shift else naive.any())
    what = f"a change of {100 * np.expm1(shift):.0f} % between runs is found"
    claim, promised = (what, "") if shift else ("runs of one binary are not called different", "<= 5 %")
    return Figure(claim, promised, _case(law, runs), float(np.mean(now)), float(np.mean(before)), trials)


def gate_of_repeated_runs(law: str, runs: tuple[int, int], trials: int) -> Figure:
    """Share of comparisons of one binary that fail a gate of 5 %."""
    now, before = [], []
    for different, naive, low, naive_low in _compared(law, runs, 0.0, trials):
        now.append((different & (low > GATE)).any())
        before.append((naive & (naive_low > GATE)).any())
    shares = float(np.mean(now)), float(np.mean(before))
    return Figure("a gate of 5 % passes the same binary", "<= 5 %", _case(law, runs), *shares, trials)


def _case(law: str, runs: tuple[int, int]) -> str:
    return f"{law}, moods of {100 * MOOD:.0f} %, {runs[0]} old and {runs[1]} new runs, {CELLS} cells"


def _compared(
    law: str, runs: tuple[int, int], shift: float, trials: int
) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]]:
    """For each trial: cells called different now and before, and the low ends of their log ratios now and before."""
    random, draw = generator(21), DRAWS[law]
    for _ in range(trials):
        _, old, first = _levels(random, draw, runs[0], MOOD)
        raw, new, second = _levels(random, draw, runs[1], MOOD)
        found = change(old, new + shift, (first, second), variance_between([old, new]))
        naive, naive_low = _as_if_independent(old[0], raw[0] + shift, first[0])
        yield found.p_different() <= 0.05, naive, np.log(found.interval()[0]), naive_low


def _as_if_independent(old: np.ndarray, raw: np.ndarray, spread: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Welch's test of one run's launches against another's, as ``diff`` did: called different, low of the log ratio."""
    shift = np.median(raw, axis=1) - old
    error = np.sqrt(spread * 2 / np.pi + raw.var(axis=1, ddof=1) / LAUNCHES)
    naive = Changes(shift, error, np.full(shift.size, 2.0 * LAUNCHES - 2))
    return naive.p_different() <= 0.05, np.log(naive.interval()[0])


def _beside(shift: np.ndarray, variance: np.ndarray, references: np.ndarray) -> ChangesBesideReferences:
    """Of cells that are the tests of the references, in their order."""
    return change_against_references(shift, variance, references, beside=find_beside(references))


def reference_stacks(law: str, stacks: int, shift: float, trials: int) -> Figure:
    """The same with one run of each version, and stacks in both that did not change."""
    random, draw = generator(22), DRAWS[law]
    called = naive = 0.0
    for _ in range(trials):
        mood = 0.05 * draw(random, (1,))
        levels = [SCATTER * draw(random, (stacks + 1, CELLS, LAUNCHES)) for _ in range(2)]
        levels[1] = levels[1] + mood
        shifts = np.median(levels[1], axis=2) - np.median(levels[0], axis=2)
        variance = sum(np.pi / 2 * one[0].var(axis=1, ddof=1) / LAUNCHES for one in levels)
        found = _beside(shifts[0] + shift, np.asarray(variance), shifts[1:])
        different = found.p_different() <= 0.05
        error = np.sqrt(np.asarray(variance))
        before = Changes(shifts[0] + shift, error, np.full(CELLS, 2.0 * LAUNCHES - 2)).p_different() <= 0.05
        called += different.mean() if shift else bool(different.any())
        naive += before.mean() if shift else bool(before.any())
    case = f"{law}, moods of 5 %, {stacks} reference stacks, one run each, {CELLS} cells"
    what = (
        f"a change of {100 * np.expm1(shift):.0f} % is found"
        if shift
        else "runs of one binary are not called different"
    )
    return Figure(what, "" if shift else "<= 5 %", case, called / trials, naive / trials, trials)


def reference_stacks_in_few_tests(stacks: int, cells: int, moved: tuple[int, float], trials: int) -> Figure:
    """The same where a run is slower in so many tests for all stacks alike, by a factor; ``moved``: both.

    Before: what came out until references were looked at in each test too.
    """
    random = generator(27)
    called = before = 0
    for _ in range(trials):
        levels = SCATTER * random.normal(0, 1, (2, stacks + 1, cells, LAUNCHES))
        levels[1] += 0.03 * random.normal() + 0.01 * random.normal(0, 1, (stacks + 1, 1, 1))
        levels[1][:, random.choice(cells, moved[0], replace=False)] += np.log(moved[1])
        shifts = np.median(levels[1], axis=2) - np.median(levels[0], axis=2)
        variance = np.pi / 2 * levels[:, 0].var(axis=2, ddof=1).sum(axis=0) / LAUNCHES
        found = _beside(shifts[0], variance, shifts[1:])
        called += bool((found.p_different() <= 0.05).any())
        before += bool((evolve(found, beside=np.zeros(1)).p_different() <= 0.05).any())
    case = (
        f"moods of 3 %, shifts of single stacks of 1 %, {stacks} reference stacks, {cells} tests, "
        f"{moved[0]} of them {moved[1]:g} times for all stacks"
    )
    claim = "runs of one binary are not called different"
    return Figure(claim, "<= 5 %", case, called / trials, before / trials, trials)


def reference_stacks_shifted(law: str, stacks: int, moods: tuple[float, float], planted: float, trials: int) -> Figure:
    """The same where a run shifts all stacks by a mood, and each stack by a shift of its own; ``moods``: both scatters.

    Before: what references in two levels gave until their few degrees of freedom were kept apart from those of cells.
    """
    random, draw = generator(26), DRAWS[law]
    called = naive = 0.0
    for _ in range(trials):
        own = moods[0] * draw(random, (1,)) + moods[1] * draw(random, (stacks + 1, 1, 1))
        levels = [SCATTER * draw(random, (stacks + 1, CELLS, LAUNCHES)) for _ in range(2)]
        levels[1] = levels[1] + own
        shifts = np.median(levels[1], axis=2) - np.median(levels[0], axis=2)
        variance = np.asarray(sum(np.pi / 2 * one[0].var(axis=1, ddof=1) / LAUNCHES for one in levels))
        different = _beside(shifts[0] + planted, variance, shifts[1:]).p_different() <= 0.05
        before = _in_two_levels(shifts[0] + planted, variance, shifts[1:]).p_different() <= 0.05
        called += different.mean() if planted else bool(different.any())
        naive += before.mean() if planted else bool(before.any())
    general, own_share = (f"{100 * mood:.0f} %" for mood in moods)
    case = (
        f"{law}, moods of {general}, shifts of single stacks of {own_share}, {stacks} reference stacks, {CELLS} cells"
    )
    claim = "runs of one binary are not called different"
    if planted:
        claim = f"a change of {100 * np.expm1(planted):.0f} % beside reference stacks is found"
    return Figure(claim, "" if planted else "<= 5 %", case, called / trials, naive / trials, trials)


def _in_two_levels(shift: np.ndarray, variance: np.ndarray, references: np.ndarray) -> Changes:
    """As changes beside references were judged: one error, whose degrees of freedom weigh stacks and cells together."""
    stacks, values = len(references), references.size
    means = references.mean(axis=1)
    within = float(((references - means[:, None]) ** 2).sum() / (values - stacks))
    scatter = variance + within * (1 + 1 / values)
    apart = float(means.var(ddof=1)) * (1 + 1 / stacks) if stacks > 1 else 0.0
    freedom = (scatter + apart) ** 2 / (scatter**2 / (values - stacks) + apart**2 / max(stacks - 1, 1))
    error = np.sqrt(scatter + apart)
    return Changes(shift - float(means.mean()), error, np.minimum(freedom, values - stacks))


def histories(law: str, correlation: float, step: float, trials: int) -> Figure:
    """Share of clean histories with a change; with a step, share in which it alone is found, within one run."""
    random, draw = generator(23), DRAWS[law]
    now = before = 0
    for _ in range(trials):
        moods = correlate(SCATTER * draw(random, (1, RUNS)), correlation)
        logs = moods + SCATTER / 2 * draw(random, (CELLS, RUNS))
        at = int(random.integers(5, RUNS - 4))
        logs[:, at:] += step
        now += _agrees(find_steps(logs), step, at)
        before += _agrees(_largest_of_neighbours(logs), step, at)
    case = f"{law}, {RUNS} runs, moods of 2 % (correlation {correlation}), {CELLS} cells"
    if step:
        what = f"a step of {100 * np.expm1(step):.0f} % is found within one run, and no other"
        return Figure(what, PROMISED_OF_STEPS.get(step, ""), case, now / trials, before / trials, trials)
    claim, promised = "a history without a change shows none", PROMISED_OF_HISTORIES[bool(correlation)]
    return Figure(claim, promised, case, now / trials, before / trials, trials)


def wandering_histories(runs: int, correlation: float, own: float, trials: int) -> Figure:
    """Share of clean histories with a change, where the level of the machine wanders longer than it is seen to.

    ``own``: scatter of each cell by itself. Few runs that wander far make steps of their own.
    """
    random = generator(27)
    now = before = 0
    for _ in range(trials):
        mood = correlate(SCATTER * random.normal(0, 1, (1, runs)), correlation)
        logs = mood + own * random.normal(0, 1, (CELLS, runs))
        now += bool(find_steps(logs))
        before += bool(_largest_of_neighbours(logs))
    case = f"{runs} runs, moods of 2 % (correlation {correlation}), {100 * own:g} % of each cell, {CELLS} cells"
    claim = "a history that wanders for long shows no change"
    return Figure(claim, "", case, now / trials, before / trials, trials)


def histories_in_modes(share: float, factor: float, lasting: int, trials: int) -> Figure:
    """Share of histories without a change that show one, whose cells are slow in a share of their runs.

    ``lasting``: runs that a slow mode of the whole machine lasts in the mean; 1: each cell of each run by itself.
    """
    random = generator(28)
    now = before = 0
    for _ in range(trials):
        shape = (CELLS, RUNS) if lasting == 1 else (1, RUNS)
        logs = FIVE_PERCENT / 10 * (random.normal(0, 1, (1, RUNS)) + random.normal(0, 1, (CELLS, RUNS)))
        logs += np.log(factor) * _stay(random.random(shape) < share, lasting, random)
        now += bool(find_steps(logs))
        before += bool(_largest_of_neighbours(logs))
    slow = f"slow by {100 * (factor - 1):.0f} % in {100 * share:.0f} % of runs"
    what = "each cell by itself" if lasting == 1 else f"all cells together, {lasting} runs at a time"
    claim = (
        "a history without a change shows none" if lasting == 1 else "a history that wanders for long shows no change"
    )
    promised = PROMISED_OF_HISTORIES[False] if lasting == 1 else ""
    return Figure(claim, promised, f"{RUNS} runs, {CELLS} cells, {slow}, {what}", now / trials, before / trials, trials)


def _stay(drawn: np.ndarray, lasting: int, random: np.random.Generator) -> np.ndarray:
    """States along the last axis that are kept from run to run but for one in so many, which is drawn anew."""
    states = drawn.copy()
    for run in range(1, drawn.shape[-1]):
        anew = random.random(drawn.shape[:-1]) < 1 / lasting
        states[..., run] = np.where(anew, drawn[..., run], states[..., run - 1])
    return states


def histories_of_some(law: str, changed: int, trials: int) -> Figure:
    """Share of histories in which a cell is said to change that does not, beside others that do, by 10 %."""
    random, draw = generator(25), DRAWS[law]
    now = before = 0
    for _ in range(trials):
        logs = SCATTER * draw(random, (1, RUNS)) + SCATTER / 2 * draw(random, (CELLS, RUNS))
        logs[:changed, int(random.integers(5, RUNS - 4)) :] += TEN_PERCENT
        now += any(one.series >= changed for one in find_steps(logs))
        before += bool(_largest_of_neighbours(logs[changed:]))
    case = f"{law}, {RUNS} runs, moods of 2 %, {changed} of {CELLS} cells with a step of 10 %"
    return Figure("a cell without a change shows none", "<= 5 %", case, now / trials, before / trials, trials)


def _agrees(found: tuple[LevelShift, ...] | list[int], step: float, at: int) -> bool:
    """A clean history: whether anything was found; else whether most cells have the step there, none far from it."""
    places = [one if isinstance(one, int) else one.first_after for one in found]
    if not step or not places:
        return bool(places)
    near = all(isinstance(one, int) or one.earliest - 1 <= at <= one.latest + 1 for one in found)
    return near and abs(Counter(places).most_common(1)[0][0] - at) <= 1


def _largest_of_neighbours(logs: np.ndarray) -> list[int]:
    """What scripts do: each run against the one before, two-sided at 5 % over all cells, Holm."""
    from scipy.special import ndtr

    error = np.sqrt(2) * SCATTER / 2
    differences = np.diff(logs, axis=1) / error
    p = 2 * ndtr(-np.abs(differences))
    return [index + 1 for index in range(p.shape[1]) if (holm(p[:, index]) <= 0.05).any()]


def interleaved(step: float, rounds: int, trials: int) -> Figure:
    """The same two versions in one run, ``compare --against``: moods come and go from round to round."""
    random = generator(24)
    called = 0.0
    for _ in range(trials):
        logs = SCATTER * random.normal(0, 1, (2, CELLS, rounds)) + 0.05 * random.normal(0, 1, (1, 1, rounds))
        logs[1] += step
        words = judge_pairs(np.exp(logs)).word[0]
        different = np.isin(words, (FASTER, SLOWER))
        called += different.mean() if step else bool(different.any())
    case = f"interleaved, {rounds} rounds, moods of 5 % between rounds, {CELLS} cells"
    what = (
        f"a change of {100 * np.expm1(step):.0f} % is found" if step else "runs of one binary are not called different"
    )
    return Figure(what, "" if step else "<= 5 %", case, called / trials, called / trials, trials)


def simulations() -> Iterator[Simulation]:
    """Those of runs and histories; all of them take about four minutes of one core."""
    for law in DRAWS:
        for runs in ((5, 1), (3, 3)):
            yield Simulation(repeated_runs, (law, runs, 0.0), 1000)
            yield Simulation(gate_of_repeated_runs, (law, runs), 1000)
    yield from _beside_references()
    yield Simulation(repeated_runs, ("normal", (5, 5), TEN_PERCENT), 1000)
    for step in (0.0, FIVE_PERCENT):
        yield Simulation(interleaved, (step, 10), 1000)
    for law in DRAWS:
        for correlation in (0.0, 0.3, 0.6):
            yield Simulation(histories, (law, correlation, 0.0), 500 if correlation else 2000)
        for step in (FIVE_PERCENT, TEN_PERCENT):
            yield Simulation(histories, (law, 0.0, step), 200)
        yield Simulation(histories_of_some, (law, 5), 200)
    for correlation, own in ((0.5, 0.01), (0.8, 0.01), (0.8, 0.002)):
        yield Simulation(wandering_histories, (30, correlation, own), 400)
    for share, factor, lasting, trials in ((0.3, 1.1, 1, 2000), (0.2, 1.3, 1, 2000), (0.3, 1.1, 10, 300)):
        yield Simulation(histories_in_modes, (share, factor, lasting), trials)


def _beside_references() -> Iterator[Simulation]:
    for law in DRAWS:
        for stacks in (1, 3):
            yield Simulation(reference_stacks, (law, stacks, 0.0), 1000)
        for stacks in (1, 2, 3):
            for own in (0.0, 0.01, 0.03):
                yield Simulation(reference_stacks_shifted, (law, stacks, (0.05, own), 0.0), 1000)
        yield Simulation(reference_stacks_shifted, (law, 1, (0.0, 0.03), 0.0), 1000)
    for stacks in (1, 2, 3):
        yield Simulation(reference_stacks_shifted, ("normal", stacks, (0.02, 0.01), TEN_PERCENT), 1000)
    yield Simulation(reference_stacks, ("normal", 3, FIVE_PERCENT), 1000)
    for few in ((3, 20, (1, 1.1)), (3, 40, (1, 1.2)), (1, 20, (1, 1.2)), (5, 40, (3, 0.7))):
        yield Simulation(reference_stacks_in_few_tests, few, 1000)
