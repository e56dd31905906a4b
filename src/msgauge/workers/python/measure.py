"""Measures one cell: check the payload, find out how long an operation takes, take samples in chunks that double.

The result is looked at only between chunks; between two clock reads there is the operation alone.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median
from typing import Any

from msgauge.workers.python.applications import Application
from msgauge.workers.python.coordination import REPORT, Fence, Order, all_agree, give, take_order
from msgauge.workers.python.kernels import Kernel
from msgauge.workers.python.protocol import Plan
from msgauge.workers.python.sampling import (
    LONGEST_CHUNK,
    Pace,
    Stopping,
    batch_ns,
    clock_facts,
    find_batch_length,
    missed_rounds,
    start_limit_ns,
)

COLLECTIVE_SERIES = ("completion", "root", "mean_rank", "imbalance", "start_skew")
IN_TIME, REACHED_LATE, BEGAN_LATE = range(3)


@dataclass(frozen=True)
class Timer:
    """The clock's cost of a read and its resolution, in ns."""

    cost_ns: float
    resolution_ns: float

    @staticmethod
    def examine() -> Timer:
        """By readings of ``time.perf_counter_ns``, which is CLOCK_MONOTONIC."""
        read = time.perf_counter_ns
        return Timer(*clock_facts([[read() for _ in range(201)] for _ in range(10)]))


@dataclass
class Result:
    """What rank 0 found out about a cell; the first series is the one that is compared."""

    status: str = "ok"
    reason: str = ""
    series: list[tuple[str, list[int]]] = field(default_factory=list)
    divisor: int = 1
    mode: str = "batch"
    start: str = ""
    late: int = 0
    empty_ns: int = 0
    """Of collectives: a round without operation, taken off every sample."""
    stopped: str = ""
    stationary: bool = True
    dropped: int = 0
    warmup: list[int] = field(default_factory=list)
    """The samples dropped from the first series."""
    levels: tuple[float, float] = (0.0, 0.0)
    """First and last, ns per event, of a series that is not stationary."""


class Measurement:
    """One rank's part in measuring one cell with a kernel or an application."""

    def __init__(self, plan: Plan, subject: Kernel | Application, timer: Timer, ranks: int) -> None:
        self.plan, self.subject, self.timer, self.ranks = plan, subject, timer, ranks
        self.comm, self.rank = subject.comm, subject.rank
        self.fence = Fence(subject.mpi, ranks)
        self.oversubscribed = ranks > plan.cores
        self.stamps: list[int] = []
        self.columns: list[list[int]] = []
        self.late = self.began_late = 0
        self.empty_ns = _time_empty_round()
        self.slow, self.each_ns = False, 0.0  # whether an operation takes a good part of the budget; about how long

    def lead(self) -> Result:
        """Rank 0's part."""
        result = Result()
        fine = not self.plan.check or self._check_twice()
        if fine:
            if isinstance(self.subject, Application):
                self._lead_program(result, self.subject)
            elif self.subject.collective:
                self._lead_rounds(result)
            else:
                self._lead_batches(result, self.subject)
            fine = not self.plan.check or self.slow or self._command(Order("check", 2))
        if not fine:
            result = Result("wrong-bytes", "a message arrived with other bytes than were sent")
        give(self.comm, Order("finish"), 1, self.ranks)
        return result

    def _check_twice(self) -> bool:
        """A second look at other bytes, unless an operation takes a good part of the budget."""
        before = time.perf_counter_ns()
        if not self._command(Order("check", 0)):
            return False
        self.each_ns = float(time.perf_counter_ns() - before)
        self.slow = self.each_ns > self.plan.budget_ns / 10
        return self.slow or self._command(Order("check", 1))

    def follow(self) -> None:
        """Every other rank's part."""
        while (order := take_order(self.comm)).kind != "finish":
            self._execute(order)

    def _command(self, order: Order) -> bool:
        give(self.comm, order, 1, self.ranks)
        return self._execute(order)

    def _execute(self, order: Order) -> bool:
        """Do what the order says, as every rank of the cell does at this moment. False: wrong bytes somewhere."""
        if order.kind == "check":
            return all_agree(self.comm, self._check(order.count), self.ranks)
        if isinstance(self.subject, Application):
            self._run_program(self.subject, order)
        elif order.kind == "batches":
            self._run_batches(self.subject, order)
        else:
            self._run_rounds(self.subject, order)
        return True

    def _check(self, iteration: int) -> bool:
        if isinstance(self.subject, Application):
            if self.rank == 0:
                self.subject.refer()
                give(self.comm, Order("finish"), 1, self.ranks)
            else:
                take_order(self.comm, sleeping=True)
            self.subject.once()
            return self.subject.verify()
        self.subject.prepare(iteration)
        self.fence()
        return self.subject.verify(iteration)

    # --- point to point ----------------------------------------------------------------------------------------

    def _run_batches(self, kernel: Kernel, order: Order) -> None:
        repeat, read, operations = kernel.repeat, time.perf_counter_ns, order.operations
        repeat(order.lead_in)
        stamps = [read()]
        for _ in range(order.count):
            repeat(operations)
            stamps.append(read())
        self.stamps = [after - before for before, after in pairwise(stamps)]

    def _lead_batches(self, result: Result, kernel: Kernel) -> None:
        single = self.subject.cell.mode == "single"
        enough, each_ns = self._batch_length()
        operations = 1 if single else enough
        values: list[int] = []

        def take(count: int) -> None:
            self._command(Order("batches", count, operations, 2 if enough > 1 else 0))
            values.extend(self.stamps)

        result.divisor, result.mode = operations * kernel.events, "single" if single else "batch"
        self._sample(result, values, take, each_ns * operations)
        self._finish(result, [("time", values)])

    def _batch_length(self) -> tuple[int, float]:
        begin = time.perf_counter_ns()
        wanted_ns = batch_ns(self.plan.budget_ns, self.timer.cost_ns, self.timer.resolution_ns)
        return find_batch_length(self.plan.budget_ns, wanted_ns, self._trial, lambda: time.perf_counter_ns() - begin)

    def _trial(self, operations: int) -> int:
        self._command(Order("batches", 1, operations))
        return self.stamps[0]

    # --- collectives: rounds that all ranks stamp --------------------------------------------------------------

    def _run_rounds(self, kernel: Kernel, order: Order) -> None:
        read, repeat, fence, target = time.perf_counter_ns, kernel.repeat, self.fence, order.start_ns
        agreed = order.kind == "agreed"
        stamps: list[tuple[int, int, int]] = []
        limit = start_limit_ns(self.empty_ns, self.timer.resolution_ns)
        for _ in range(order.count):
            late = REACHED_LATE if agreed and read() > target else IN_TIME
            if agreed:
                while read() < target:
                    pass
            else:
                fence()
            start = read()
            repeat(1)
            stamps.append((start, read(), late or (BEGAN_LATE if agreed and start - target > limit else IN_TIME)))
            target += order.period_ns
        if self.rank != 0:
            self.comm.send(stamps, 0, REPORT)
            return
        everyone = [stamps, *(self.comm.recv(None, rank, REPORT) for rank in range(1, self.ranks))]
        for round_ in zip(*everyone, strict=True):
            self._keep(round_)

    def _keep(self, stamps: Sequence[tuple[int, int, int]]) -> None:
        why = {late for _, _, late in stamps}
        if why != {IN_TIME}:
            self.late += 1
            self.began_late += REACHED_LATE not in why
            return
        ends = [end for _, end, _ in stamps]
        spent = [end - start for start, end, _ in stamps]
        starts = [start for start, _, _ in stamps]
        timed = (max(ends) - min(starts), spent[0], sum(spent) // len(spent))
        apart = (max(ends) - min(ends), max(starts) - min(starts))
        values = (*(max(0, ns - self.empty_ns) for ns in timed), *apart)
        for column, value in zip(self.columns, values, strict=True):
            column.append(value)

    def _lead_rounds(self, result: Result) -> None:
        self.columns = [[] for _ in COLLECTIVE_SERIES]
        begin = time.perf_counter_ns()
        self._command(Order("fenced", 4))
        each = (time.perf_counter_ns() - begin) // 4
        self.columns, self.late, self.began_late = [[] for _ in COLLECTIVE_SERIES], 0, 0
        pace = Pace(2 * each + 5_000, 200_000 + 20_000 * self.ranks, not self.oversubscribed)  # Python wakes up slowly

        def take(count: int) -> None:
            before, held_up = self.late, self.began_late
            start, rounds = time.perf_counter_ns() + pace.slack_ns, pace.rounds(count)
            self._command(Order("agreed" if pace.agreed else "fenced", rounds, 1, 0, start, pace.period_ns))
            held_up = self.began_late - held_up
            missed = missed_rounds(rounds, self.late - before - held_up, held_up)
            if not pace.keep(rounds, missed, len(self.columns[0])):
                for column in self.columns:
                    column.clear()

        self._sample(result, self.columns[0], take, float(pace.period_ns if pace.agreed else each))
        result.mode, result.start, result.late = "single", "agreed" if pace.agreed else "barrier", self.late
        result.empty_ns = self.empty_ns
        self._finish(result, list(zip(COLLECTIVE_SERIES, self.columns, strict=True)))

    # --- applications ------------------------------------------------------------------------------------------

    def _run_program(self, program: Application, order: Order) -> None:
        own = []
        for _ in range(order.count):
            self.fence()
            own.append(tuple(program.once()))
        if self.rank != 0:
            self.comm.send(own, 0, REPORT)
            return
        everyone = [own, *(self.comm.recv(None, rank, REPORT) for rank in range(1, self.ranks))]
        for at in range(order.count):
            later = own[at][-1] - min(of_rank[at][-1] for of_rank in everyone)
            for number, column in enumerate(self.columns):
                combined = program.combine(number, [of_rank[at][number] for of_rank in everyone])
                column.append(combined + (later if number == 0 else 0))

    def _lead_program(self, result: Result, program: Application) -> None:
        self.columns = [[] for _ in program.series]

        def take(count: int) -> None:
            self._command(Order("program", min(count, LONGEST_CHUNK)))

        self._sample(result, self.columns[0], take, self.each_ns)
        result.mode = "single"
        self._finish(result, list(zip(program.series, self.columns, strict=True)))

    # --- when enough is enough: looked at only when the number of samples has doubled --------------------------

    def _sample(self, result: Result, values: list[int], take: Callable[[int], Any], sample_ns: float) -> None:
        single = self.subject.cell.mode == "single"
        stopping = Stopping(self.plan.budget_ns, self.plan.precision, single=single, sample_ns=sample_ns)
        begin, done = time.perf_counter_ns(), False
        while not done:
            before = time.perf_counter_ns()
            take(stopping.chunk)
            now = time.perf_counter_ns()
            done = stopping.done(values, now - begin, now - before)
        result.stopped, result.dropped, result.stationary = stopping.stopped, stopping.dropped, stopping.stationary

    def _finish(self, result: Result, series: list[tuple[str, list[int]]]) -> None:
        """The series without their warm-up, which is kept; both levels of one that is not stationary."""
        first = series[0][1]
        if not result.stationary:
            half = len(first) // 2
            result.levels = (median(first[:half]) / result.divisor, median(first[half:]) / result.divisor)
        result.warmup = first[: result.dropped]
        result.series = [(name, values[result.dropped :]) for name, values in series]


def _time_empty_round() -> int:
    """What a round without any operation takes: one read of the clock; median of several, in ns."""
    read = time.perf_counter_ns
    empty = []
    for _ in range(33):
        start = read()
        empty.append(read() - start)
    return int(median(empty))
