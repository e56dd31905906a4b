"""Measures one cell: check the payload, find out how long an operation takes, take samples in chunks that double.

The result is looked at only between chunks; between two clock reads there is the operation alone.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from msgauge.workers.python.applications import Application
from msgauge.workers.python.conduct import REPORT, Fence, Order, all_agree, give, take_order
from msgauge.workers.python.kernels import Kernel
from msgauge.workers.python.protocol import Plan
from msgauge.workers.python.series import median_precision, mser5

CAPACITY = 1 << 14
LONGEST_CHUNK = 1024
FEWEST = 3
TAIL_SAMPLES = 10_000
COLLECTIVE_SERIES = ("completion", "root", "mean_rank", "imbalance")


@dataclass(frozen=True)
class Timer:
    """The clock's cost of a read and its resolution, in ns."""

    cost_ns: float
    resolution_ns: float

    @staticmethod
    def examined() -> Timer:
        """The quickest of several trials of ``time.perf_counter_ns``, which reads CLOCK_MONOTONIC."""
        read = time.perf_counter_ns
        cost, step = float("inf"), float("inf")
        for _ in range(10):
            stamps = [read() for _ in range(200)]
            cost = min(cost, (stamps[-1] - stamps[0]) / 199)
            step = min([step, *(b - a for a, b in pairwise(stamps) if b > a)])
        return Timer(cost, 1.0 if 0.5 * cost <= step <= 2 * cost else step)


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
    stopped: str = ""
    stationary: bool = True
    dropped: int = 0


class Measurement:
    """One rank's part in measuring one cell with a kernel or an application."""

    def __init__(self, plan: Plan, subject: Kernel | Application, timer: Timer, ranks: int) -> None:
        self.plan, self.subject, self.timer, self.ranks = plan, subject, timer, ranks
        self.comm, self.rank = subject.comm, subject.rank
        self.fence = Fence(subject.mpi, ranks)
        self.crowded = ranks > plan.cores
        self.stamps: list[int] = []
        self.columns: list[list[int]] = []
        self.late = 0

    def lead(self) -> Result:
        """Rank 0's part."""
        result = Result()
        fine = not self.plan.check or (self._command(Order("check", 0)) and self._command(Order("check", 1)))
        if fine:
            if isinstance(self.subject, Application):
                self._lead_program(result, self.subject)
            elif self.subject.collective:
                self._lead_rounds(result)
            else:
                self._lead_batches(result, self.subject)
            fine = not self.plan.check or self._command(Order("check", 2))
        if not fine:
            result = Result("wrong-bytes", "a message arrived with other bytes than were sent")
        give(self.comm, Order("finish"), 1, self.ranks)
        return result

    def follow(self) -> None:
        """Every other rank's part."""
        while (order := take_order(self.comm)).kind != "finish":
            self._carry_out(order)

    def _command(self, order: Order) -> bool:
        give(self.comm, order, 1, self.ranks)
        return self._carry_out(order)

    def _carry_out(self, order: Order) -> bool:
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
                take_order(self.comm, quietly=True)
            self.subject.once()
            return self.subject.right()
        self.subject.prepare(iteration)
        self.fence()
        return self.subject.verified(iteration)

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
        enough = self._operations()
        operations = 1 if single else enough
        values: list[int] = []

        def take(count: int) -> None:
            self._command(Order("batches", count, operations, 2 if enough > 1 else 0))
            values.extend(self.stamps)

        self._sample(result, values, take)
        result.divisor, result.mode = operations * kernel.events, "single" if single else "batch"
        result.series = [("time", values[result.dropped :])]

    def _operations(self) -> int:
        """So many that a batch is long against the clock, and short against the budget; at most about 1 ms."""
        least = max(200 * self.timer.cost_ns, 20 * self.timer.resolution_ns)
        wanted = min(max(self.plan.budget_ns / 2000, least), max(least, 1e6))
        begin, operations = time.perf_counter_ns(), 1
        each = float(self._trial(1))
        while time.perf_counter_ns() - begin < self.plan.budget_ns / 10:
            took = self._trial(operations)
            each = took / operations
            if took >= 0.5 * wanted:
                break
            operations *= 2
        return max(1, int(wanted / max(each, 0.1) + 0.999))

    def _trial(self, operations: int) -> int:
        self._command(Order("batches", 1, operations))
        return self.stamps[0]

    # --- collectives: rounds that all ranks stamp --------------------------------------------------------------

    def _run_rounds(self, kernel: Kernel, order: Order) -> None:
        read, repeat, fence, target = time.perf_counter_ns, kernel.repeat, self.fence, order.start_ns
        agreed = order.kind == "agreed"
        stamps: list[tuple[int, int, bool]] = []
        for _ in range(order.count):
            late = agreed and read() > target
            if agreed:
                while read() < target:
                    pass
            else:
                fence()
            start = read()
            repeat(1)
            stamps.append((start, read(), late))
            target += order.period_ns
        if self.rank != 0:
            self.comm.send(stamps, 0, REPORT)
            return
        everyone = [stamps, *(self.comm.recv(None, rank, REPORT) for rank in range(1, self.ranks))]
        for round_ in zip(*everyone, strict=True):
            self._keep(round_)

    def _keep(self, stamps: Sequence[tuple[int, int, bool]]) -> None:
        if any(late for _, _, late in stamps):
            self.late += 1
            return
        ends = [end for _, end, _ in stamps]
        spent = [end - start for start, end, _ in stamps]
        first = min(start for start, _, _ in stamps)
        values = (max(ends) - first, spent[0], sum(spent) // len(spent), max(ends) - min(ends))
        for column, value in zip(self.columns, values, strict=True):
            column.append(value)

    def _lead_rounds(self, result: Result) -> None:
        self.columns = [[] for _ in COLLECTIVE_SERIES]
        begin = time.perf_counter_ns()
        self._command(Order("fenced", 4))
        each = (time.perf_counter_ns() - begin) // 4
        self.columns, self.late = [[] for _ in COLLECTIVE_SERIES], 0
        pace = [2 * each + 5_000, 200_000 + 20_000 * self.ranks]  # period and slack: Python wakes up slowly

        def take(count: int) -> None:
            before = self.late
            start = time.perf_counter_ns() + pace[1]
            most = min(count, LONGEST_CHUNK, max(10, 5_000_000 // pace[0]))
            self._command(Order("fenced" if self.crowded else "agreed", most, 1, 0, start, pace[0]))
            if 20 * (self.late - before) > most:
                pace[:] = [pace[0] + pace[0] // 2, min(2 * pace[1], 20_000_000)]

        self._sample(result, self.columns[0], take)
        result.mode, result.start, result.late = "single", "barrier" if self.crowded else "agreed", self.late
        named = zip(COLLECTIVE_SERIES, self.columns, strict=True)
        result.series = [(name, column[result.dropped :]) for name, column in named]

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
        self._sample(result, self.columns[0], lambda count: self._command(Order("program", count)))
        result.mode = "single"
        named = zip(program.series, self.columns, strict=True)
        result.series = [(name, column[result.dropped :]) for name, column in named]

    # --- when enough is enough: looked at only when the number of samples has doubled --------------------------

    def _sample(self, result: Result, values: list[int], take: Callable[[int], Any]) -> None:
        begin, budget, chunk, extended = time.perf_counter_ns(), self.plan.budget_ns, FEWEST, 0
        while not result.stopped:
            before, had = time.perf_counter_ns(), len(values)
            take(chunk)
            now = time.perf_counter_ns()
            each = max(1, (now - before) // max(1, len(values) - had))
            result.dropped, result.stationary = mser5(values)
            left = budget - (now - begin)
            if len(values) >= CAPACITY:
                result.stopped = "count"
            elif result.stationary and self._precise(values[result.dropped :]):
                result.stopped = "precision"
            elif left <= 0 and (len(values) >= FEWEST or len(values) == had):
                if result.stationary or extended == 3 or len(values) < 20:
                    result.stopped = "budget"
                else:
                    budget, extended = budget + self.plan.budget_ns // 2, extended + 1
            affordable = max(1, (budget - (now - begin)) // each)
            chunk = min(max(len(values), 10), affordable, max(1, CAPACITY - len(values)))
            chunk = min(chunk, FEWEST - len(values)) if len(values) < FEWEST else chunk
        if len(values) < 20:
            result.stationary, result.dropped = True, 0

    def _precise(self, kept: Sequence[int]) -> bool:
        enough = TAIL_SAMPLES if self.subject.cell.mode == "single" else 64
        return len(kept) >= enough and median_precision(kept) <= self.plan.precision
