"""How a cell is sampled: the same decisions as native/sampling.hpp (docs/reference/sampling-policy.md). Pure.

``python -m msgauge.workers.python.sampling VECTOR`` prints the decisions on a vector of tests/vectors/sampling.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import cycle, islice, pairwise
from math import floor, isfinite
from pathlib import Path

from msgauge.workers.python.series import median_precision, mser5

MOST_BATCHES, MOST_SINGLES = 1 << 16, 1 << 17
LONGEST_CHUNK = 1024
BATCH_SAMPLES, TAIL_SAMPLES = 64, 10_000
FEWEST, FEW = 3, 20
MOST_EXTENSIONS = 3
ALL_LATE_LIMIT = 4
MOST_WITHOUT_GAIN = 2 * ALL_LATE_LIMIT
UNSEEN_STEP = 1e9


def batch_ns(budget_ns: int, cost_ns: float, resolution_ns: float) -> float:
    """How long a batch is to be: long against the clock, short against the budget, at most about 1 ms."""
    least = max(200 * cost_ns, 20 * resolution_ns)
    return min(max(budget_ns / 2000, least), max(least, 1e6))


def find_batch_length(
    budget_ns: int, wanted_ns: float, trial: Callable[[int], float], elapsed_ns: Callable[[], float]
) -> tuple[int, float]:
    """Operations of a batch, and about how long one takes in ns; ``trial(operations)`` gives the time of a batch."""
    each_ns = float(trial(1))  # the very first may pay for connections
    operations = 1
    while elapsed_ns() < budget_ns / 10:
        took = trial(operations)
        if took >= 0.5 * wanted_ns:
            took = min(took, trial(operations), trial(operations))  # one may be disturbed
        each_ns = took / operations
        if took >= 0.5 * wanted_ns:
            break
        operations *= 2
    return max(1, int(wanted_ns / max(each_ns, 0.1) + 0.999)), each_ns


class Stopping:
    """Says after each chunk whether a cell is done, and how many samples to take next."""

    def __init__(self, budget_ns: int, precision: float, *, single: bool, sample_ns: float) -> None:
        self._budget_ns = self._allowed_ns = budget_ns
        self._precision, self._capacity = precision, MOST_SINGLES if single else MOST_BATCHES
        self._least = TAIL_SAMPLES if single else BATCH_SAMPLES
        self._had = self._extensions = self._without_gain = 0
        self.chunk = min(max(int(min(budget_ns / max(1.0, sample_ns), 10)), FEWEST), 10)
        self.dropped, self.stationary, self.stopped = 0, False, ""

    def done(self, values: Sequence[int], elapsed_ns: int, took_ns: int) -> bool:
        """Look at all samples so far; ``elapsed_ns`` is since the first chunk, ``took_ns`` of the last one."""
        count = len(values)
        gained = max(1, count - self._had)
        self._without_gain = 0 if count > self._had else self._without_gain + 1
        self._had = count
        self.dropped, self.stationary = mser5(values)
        self.stopped = self._reason(values, elapsed_ns)
        if not self.stopped:
            self._plan_chunk(count, elapsed_ns, max(1, took_ns // gained))
        elif count < FEW:
            self.dropped, self.stationary = 0, True
        return bool(self.stopped)

    def _reason(self, values: Sequence[int], elapsed_ns: int) -> str:
        """Why the cell is done; '' while it is not. May extend the budget of a series that is not stationary yet."""
        count = len(values)
        if count >= self._capacity:
            return "count"
        if self.stationary and self._is_precise(values):
            return "precision"
        if elapsed_ns < self._allowed_ns or (count < FEWEST and self._without_gain <= MOST_WITHOUT_GAIN):
            return ""
        if self.stationary or self._extensions == MOST_EXTENSIONS or count < FEW:
            return "budget"
        self._allowed_ns += self._budget_ns // 2
        self._extensions += 1
        return ""

    def _is_precise(self, values: Sequence[int]) -> bool:
        kept = values[self.dropped :]
        return len(kept) >= self._least and median_precision(kept) <= self._precision

    def _plan_chunk(self, count: int, elapsed_ns: int, each_ns: int) -> None:
        affordable = max(1, (self._allowed_ns - elapsed_ns) // each_ns)
        self.chunk = min(max(count, 10), affordable, self._capacity - count)
        if count < FEWEST:
            self.chunk = min(self.chunk, FEWEST - count)


def clock_facts(trials: Sequence[Sequence[int]]) -> tuple[float, float]:
    """The cost of a reading and the step of a clock, in its own ticks, of several trials of readings in a row.

    A step as long as a reading says only that the clock is at least that fine, unless it stands still between one
    reading in twenty and the next.
    """
    cost = min((stamps[-1] - stamps[0]) / (len(stamps) - 1) for stamps in trials)
    steps = [after - before for stamps in trials for before, after in pairwise(stamps)]
    step = min((step for step in steps if step > 0), default=UNSEEN_STEP)
    return cost, 1.0 if step <= 2 * cost and 20 * steps.count(0) < len(steps) else step


def start_limit_ns(empty_round_ns: int, resolution_ns: float) -> int:
    """A rank that begins a round later than this after the agreed time was held up between arrival and start."""
    return int(max(8 * empty_round_ns, 2 * resolution_ns))


def missed_rounds(count: int, arrived_late: int, began_late: int) -> int:
    """Rounds of an order that tell whether appointments can be kept: those reached late, all where no round is left."""
    return count if arrived_late + began_late >= count else arrived_late


@dataclass
class Pace:
    """The appointments of rounds that begin at an agreed time; else they begin behind a barrier."""

    period_ns: int = 0
    slack_ns: int = 0
    agreed: bool = True
    _all_late: int = 0

    def rounds(self, wanted: int) -> int:
        """Rounds of the next order: few are lost to a late rank where orders are short."""
        return min(wanted, LONGEST_CHUNK, max(10, 2_000_000 // max(1, self.period_ns)))

    def keep(self, count: int, late: int, good: int) -> bool:
        """After an order; ``good``: rounds in time so far. False: begin anew behind barriers."""
        self._all_late = 0 if late < count else self._all_late + 1
        if self.agreed and self._all_late >= ALL_LATE_LIMIT and good < FEW:
            self.agreed = False
            return False
        if 20 * late > count:
            self.period_ns += self.period_ns // 2
            self.slack_ns = min(2 * self.slack_ns, 20_000_000)
        return True


# --- the decisions on a test vector ------------------------------------------------------------------------------


@dataclass
class _Source:
    """Gives a vector's values again and again; one below 0 is a round that came late."""

    words: dict[str, list[str]]
    pace: Pace
    values: list[int] = field(default_factory=list)
    taken: int = 0
    late: int = 0

    def __post_init__(self) -> None:
        self._next = cycle(map(int, self.words["values"]))

    def take(self, wanted: int) -> list[str]:
        """Take a chunk; the lines to be printed of it."""
        rounds = self.words["kind"] == ["rounds"]
        count = self.pace.rounds(wanted) if rounds else wanted
        got = list(islice(self._next, count))
        good = [abs(value) for value in got if value >= 0 or not self.pace.agreed]
        self.taken, self.late = self.taken + count, self.late + count - len(good)
        self.values += good
        if not rounds:
            return []
        if not self.pace.keep(count, count - len(good), len(self.values)):
            self.values.clear()
        return [f"pace {self.pace.period_ns} {self.pace.slack_ns} {'agreed' if self.pace.agreed else 'barrier'}"]


def decide(text: str) -> list[str]:
    """The decisions on a vector, a line each."""
    lines = (line.split() for line in text.splitlines() if line and not line.startswith("#"))
    words = {key: rest for key, *rest in lines}
    if "stamps" in words:
        return _decide_clock(words)
    if "began_late" in words:
        return _decide_appointments(words)
    return _decide_length(words) if "trial_factors" in words else _decide_samples(words)


def _decide_clock(words: dict[str, list[str]]) -> list[str]:
    stamps, readings = [int(word) for word in words["stamps"]], int(words["readings"][0])
    cost, step = clock_facts([stamps[at : at + readings] for at in range(0, len(stamps), readings)])
    return [f"cost_thousandths {floor(1000 * cost + 0.5)}", f"step {int(step)}"]


def _decide_appointments(words: dict[str, list[str]]) -> list[str]:
    limit_ns = start_limit_ns(int(words["empty_ns"][0]), float(words["resolution_ns"][0]))
    columns = (map(int, words[key]) for key in ("order_rounds", "reached_late", "began_late"))
    orders = zip(*columns, strict=True)
    return [f"start_limit_ns {limit_ns}", *(f"missed {missed_rounds(*order)}" for order in orders)]


def _decide_length(words: dict[str, list[str]]) -> list[str]:
    factors = cycle(map(float, words["trial_factors"]))
    trials: list[float] = []
    budget_ns, operation_ns = int(words["budget_ns"][0]), float(words["operation_ns"][0])

    def trial(operations: int) -> float:
        trials.append(operation_ns * operations * next(factors))
        return trials[-1]

    wanted_ns = batch_ns(budget_ns, float(words["cost_ns"][0]), float(words["resolution_ns"][0]))
    operations, _ = find_batch_length(budget_ns, wanted_ns, trial, lambda: sum(trials))
    return [f"trials {len(trials)}", f"operations {operations}"]


def _decide_samples(words: dict[str, list[str]]) -> list[str]:
    sample_ns = int(words["sample_ns"][0])
    stopping = Stopping(
        int(words["budget_ns"][0]),
        float(words["precision"][0]),
        single=words["mode"] == ["single"],
        sample_ns=sample_ns,
    )
    source = _Source(words, Pace(int(words.get("period_ns", ["0"])[0]), int(words.get("slack_ns", ["0"])[0])))
    said, done = [], False
    while not done:
        said.append(f"chunk {stopping.chunk}")
        before = source.taken
        said += source.take(stopping.chunk)
        done = stopping.done(source.values, source.taken * sample_ns, (source.taken - before) * sample_ns)
    precision = median_precision(source.values[stopping.dropped :])
    return [
        *said,
        f"stopped {stopping.stopped}",
        f"samples {len(source.values)}",
        f"late {source.late}",
        f"dropped {stopping.dropped}",
        f"stationary {'yes' if stopping.stationary else 'no'}",
        f"precision_ppm {floor(precision * 1e6 + 0.5) if isfinite(precision) else -1}",
    ]


if __name__ == "__main__":
    print("\n".join(decide(Path(sys.argv[1]).read_text(encoding="ascii"))))
