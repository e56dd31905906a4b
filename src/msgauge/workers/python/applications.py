"""Two whole programs in Python: pi by the trapezoid rule, and the Mandelbrot set. Twins of native/kernels.

They compute in plain Python, as a script does that is written like a text-book; what they measure of the stack is the
same as in the native ones: the same options, the same series, answers checked the same way.
"""

from __future__ import annotations

import array
import math
import time
from collections.abc import Callable, Mapping, Sequence
from statistics import median
from typing import Any, ClassVar

from msgauge.workers.python.protocol import Cell

COLLECT = 7
MOST_STEPS = 256
MOST_RUNS, PATIENCE_NS = 3, 100_000_000
"""Of the serial program in each check; one that takes longer than this runs once."""


class Phases:
    """The times of one operation on this rank, in the order of ``Application.series``; last of all when it began."""

    def __init__(self, series: int) -> None:
        self.values = [0] * series
        self._cpu = time.process_time_ns()
        self._begin = time.perf_counter_ns()
        self.values.append(self._begin)

    def computes(self, action: Callable[[], Any]) -> Any:
        """Carry out and time what the rank does by itself."""
        before = time.perf_counter_ns()
        answer = action()
        self.values[1] += time.perf_counter_ns() - before
        return answer

    def calls(self, action: Callable[[], Any]) -> Any:
        """Carry out and time a call of the stack."""
        before = time.perf_counter_ns()
        answer = action()
        took = time.perf_counter_ns() - before
        self.values[2] += took
        self.values[5] += took
        return answer

    def ends(self, serial_ns: int) -> Sequence[int]:
        """All times of the operation."""
        self.values[0] = time.perf_counter_ns() - self._begin
        self.values[3] = time.process_time_ns() - self._cpu
        self.values[4] = serial_ns
        return self.values


class Application:
    """A program of all ranks that is timed as a whole; rank 0 has the answer."""

    series: tuple[str, ...] = ()
    options: ClassVar[Mapping[str, tuple[str, ...]]] = {}

    def __init__(self, mpi: Any, cell: Cell, objects: bool) -> None:
        self.mpi, self.comm, self.cell, self.objects = mpi, mpi.COMM_WORLD, cell, objects
        self.rank, self.ranks = int(self.comm.Get_rank()), cell.ranks
        self.serial_ns = 0
        self.serial_runs_ns: list[int] = []

    def number(self, name: str) -> int:
        """The whole number that an option of the cell names."""
        return int(self.cell.options.get(name, self.options[name][0]))

    def once(self) -> Sequence[int]:
        """One operation: its times on this rank."""
        raise NotImplementedError

    def serial(self) -> None:
        """The same answer by one rank alone; called at rank 0 while the others sleep."""
        raise NotImplementedError

    def verify(self) -> bool:
        """Whether the answer of the last operation is that of the serial program."""
        raise NotImplementedError

    def refer(self) -> None:
        """Run the serial program up to three times, as native/application.hpp does; the median of all runs is kept."""
        runs_ns: list[int] = []
        while len(runs_ns) < MOST_RUNS and sum(runs_ns) < PATIENCE_NS:
            before = time.perf_counter_ns()
            self.serial()
            runs_ns.append(time.perf_counter_ns() - before)
        self.serial_runs_ns += runs_ns
        self.serial_ns = int(median(self.serial_runs_ns))

    @staticmethod
    def combine(series: int, of_ranks: Sequence[int]) -> int:
        """The job's value of a series out of every rank's, as native/application.hpp does it."""
        if series in (0, 4):
            return of_ranks[0]
        if series == 3:
            return sum(of_ranks)
        return sum(of_ranks) // len(of_ranks) if series in (1, 2) else max(of_ranks)


class Pi(Application):
    """The area under 4/(1+x^2) from 0 to 1 in n trapezoids, and one reduction of a double."""

    series = ("time", "compute", "communication", "cpu", "serial", "reduce")
    options: ClassVar[Mapping[str, tuple[str, ...]]] = {"n": ("1000000", "100000", "10000000", "100000000")}

    def once(self) -> Sequence[int]:
        phases = Phases(len(self.series))
        part = phases.computes(lambda: self._part(self.rank))
        self.answer = phases.calls(lambda: self._reduce(part))
        return phases.ends(self.serial_ns)

    def _reduce(self, part: float) -> float:
        if self.objects:
            total = self.comm.reduce(part, self.mpi.SUM, 0)
            return float(total) if self.rank == 0 else 0.0
        total = array.array("d", [0.0])
        self.comm.Reduce(array.array("d", [part]), total, self.mpi.SUM, 0)
        return total[0]

    def serial(self) -> None:
        self.expected = sum(self._part(rank) for rank in range(self.ranks))

    def verify(self) -> bool:
        return self.rank != 0 or (self.answer == self.expected and abs(self.answer - math.pi) <= 1e-10)

    def _part(self, rank: int) -> float:
        n = self.number("n")
        return area(n, n * rank // self.ranks, n * (rank + 1) // self.ranks)


def area(n: int, first: int, last: int) -> float:
    """Trapezoids first to last-1 of n, in whole multiples of 2^-50, so that parts add up exactly in any order."""
    width = 1.0 / n

    def curve(at: int) -> float:
        x = at * width
        return 4.0 / (1.0 + x * x)

    if first >= last:
        return 0.0
    total = 0.5 * (curve(first) + curve(last))
    for at in range(first + 1, last):
        x = at * width
        total += 4.0 / (1.0 + x * x)
    return math.ldexp(round(math.ldexp(total / n, 50)), -50)


class Mandelbrot(Application):
    """Each rank computes a block of columns of a picture; rank 0 collects them at the end."""

    series = ("time", "compute", "communication", "cpu", "serial", "collect")
    options: ClassVar[Mapping[str, tuple[str, ...]]] = {"side": ("480", "240", "1200", "2400", "4800")}

    def __init__(self, mpi: Any, cell: Cell, objects: bool) -> None:
        super().__init__(mpi, cell, objects)
        self.side = self.number("side")
        self.picture = array.array("H", bytes(2 * self.side * self.side)) if self.rank == 0 else array.array("H")

    def once(self) -> Sequence[int]:
        phases = Phases(len(self.series))
        own = phases.computes(lambda: self._draw(self._begin(self.rank), self._begin(self.rank + 1)))
        phases.calls(lambda: self._collect(own))
        return phases.ends(self.serial_ns)

    def _begin(self, rank: int) -> int:
        return self.side * rank // self.ranks

    def _draw(self, first: int, last: int) -> array.array[int]:
        block = array.array("H")
        for column in range(first, last):
            draw_column(column, self.side, block)
        return block

    def _collect(self, own: array.array[int]) -> None:
        if self.rank != 0:
            if self.objects:
                self.comm.send(own, 0, COLLECT)
            else:
                self.comm.Send([own, self.mpi.UNSIGNED_SHORT], 0, COLLECT)
            return
        self.picture[: len(own)] = own
        for rank in range(1, self.ranks):
            first, last = self._begin(rank) * self.side, self._begin(rank + 1) * self.side
            if self.objects:
                self.picture[first:last] = self.comm.recv(None, rank, COLLECT)
            else:
                room = memoryview(self.picture)[first:last]
                self.comm.Recv([room, self.mpi.UNSIGNED_SHORT], rank, COLLECT)

    def serial(self) -> None:
        self.expected = self._draw(0, self.side)

    def verify(self) -> bool:
        return self.rank != 0 or self.picture == self.expected


def draw_column(column: int, side: int, into: array.array[int]) -> None:
    """How many steps each point of a column takes to leave the circle of radius 2, at most 256."""
    scale = 3.0 / side
    real = -2.25 + scale * column
    for row in range(side):
        imaginary = -1.5 + scale * row
        x = y = xx = yy = 0.0
        steps = 0
        while steps < MOST_STEPS and xx + yy <= 4.0:
            y = 2.0 * x * y + imaginary
            x = xx - yy + real
            xx = x * x
            yy = y * y
            steps += 1
        into.append(steps)


APPLICATIONS: Mapping[str, type[Application]] = {"pi": Pi, "mandelbrot": Mandelbrot}
