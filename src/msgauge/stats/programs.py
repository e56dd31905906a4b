"""What a whole program was worth: parallel efficiency, where its time went, the CPU time it used. Pure.

An application kernel (docs/reference/kernels/pi.md) delivers, beside its time, the series ``compute``,
``communication``, ``cpu`` and ``serial``; ``analyse`` puts the median of each into ``Estimate.series``, in nanoseconds.

    efficiency          serial / (ranks x time) of the median launch: 1 where the work divides perfectly
    communication       communication / time, the mean rank's share of its time in calls of the stack, waiting included
    cpu_per_serial      cpu / serial: seconds of processor time of all ranks together for each second that the serial
                        program takes, by the clock on the wall

Source: efficiency as in Kumar, Grama, Gupta, Karypis 1994, section 4.1.
Oracle: tests/unit/stats/test_programs.py works them out by hand.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import nan

import numpy as np
from attrs import frozen

from msgauge.model import Estimate, Pairs
from msgauge.stats.location import covers_by_order, median_interval
from msgauge.stats.ratio import limit_medians

COMMON = frozenset({"compute", "communication", "cpu", "serial"})


@frozen
class Program:
    """One stack's run of one program on a number of ranks. What was not measured (no serial time) is nan."""

    stack: str
    cell: int
    kernel: str
    ranks: int
    options: Pairs
    time_ns: float
    serial_ns: float
    communication: float
    compute: float
    cpu_per_serial: float
    calls: tuple[tuple[str, float], ...] = ()
    """ns of each call that the program times alone (scatter, reduce, collect), on the rank that was in it longest."""
    oversubscribed: bool = False


def program(estimate: Estimate) -> Program | None:
    """The worth of one estimate; None when its kernel is no program, or it was not measured."""
    series = dict(estimate.series)
    if estimate.failed or not estimate.median_ns > 0 or not series.keys() >= {"serial", "communication"}:
        return None
    time_ns = estimate.median_ns
    serial_ns = series["serial"] if series["serial"] > 0 else nan
    return Program(
        stack=estimate.stack,
        cell=estimate.cell,
        kernel=estimate.kernel,
        ranks=estimate.ranks,
        options=estimate.options,
        time_ns=time_ns,
        serial_ns=serial_ns,
        communication=share(series, "communication", time_ns),
        compute=share(series, "compute", time_ns),
        cpu_per_serial=series.get("cpu", nan) / serial_ns,
        calls=tuple((name, value) for name, value in estimate.series if name not in COMMON and name != "warmup"),
        oversubscribed=estimate.oversubscribed,
    )


def programs(estimates: Iterable[Estimate]) -> tuple[Program, ...]:
    """All estimates that are of programs, in their order."""
    return tuple(found for one in estimates if (found := program(one)) is not None)


def log_efficiencies(serial_ns: np.ndarray, time_ns: np.ndarray, ranks: int) -> np.ndarray:
    """Logarithm of the parallel efficiency in each launch that has both times, shape (launches that have,).

    Both in ns, of shape (launches,); a serial time is 0 where it has not run, and in simulated time. The pace of the
    machine cancels within a launch.
    """
    both = (serial_ns > 0) & (time_ns > 0)
    return np.asarray(np.log(serial_ns[both] / (ranks * time_ns[both])))


def locate_efficiency(logs: np.ndarray) -> float:
    """The parallel efficiency of the median launch from ``log_efficiencies``; nan without one.

    Tried and wrong: the ratio of the two medians, which no interval of this ratio holds where the serial launches alone
    are slow (40 % of ten, by 1.5: in 79 %); the Hodges-Lehmann centre, which lies between the modes there.
    """
    return float(np.exp(np.median(logs))) if logs.size else nan


def limit_efficiency(logs: np.ndarray, level: float = 0.95) -> tuple[float, float]:
    """Low and high of ``locate_efficiency``; nan below two launches.

    By order statistics from five launches on. Student's t of five held in 88 % where the parallel side is slow in 40 %
    of launches.
    """
    if covers_by_order(logs.shape[-1], level):
        low, high = np.exp(median_interval(logs, level))
    else:
        low, high = limit_medians(logs, level)
    return float(low), float(high)


def share(series: Mapping[str, float], name: str, time_ns: float) -> float:
    """The share of the time that a series took, at most 1: medians of parts may exceed the median of the whole."""
    value = series.get(name, nan)
    return min(1.0, value / time_ns) if value >= 0 else nan


def per_worker_ns(estimate: Estimate) -> float:
    """Of a coordinator's round (kernel ``fanout``): the time for each worker; nan when it was not measured."""
    return estimate.median_ns / (estimate.ranks - 1) if not estimate.failed and estimate.ranks > 1 else nan
