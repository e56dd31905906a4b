"""One launch from inside: says hello, measures every cell of the plan in order, says what it has used."""

from __future__ import annotations

import importlib
import os
import resource
import socket
import sys
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from msgauge.workers.python.applications import APPLICATIONS, Application
from msgauge.workers.python.coordination import Order, all_agree, give, take_order
from msgauge.workers.python.data_path import clock_identity, describe_carrier
from msgauge.workers.python.kernels import KERNELS, Kernel
from msgauge.workers.python.measure import Measurement, Result, Timer
from msgauge.workers.python.protocol import Cell, Plan, PlanError, Writer, header, read_plan

WRONG_ARGUMENTS, WRONG_PLAN, WRONG_SIZE, RANK_FAILED = 64, 65, 67, 70


def main(arguments: Sequence[str]) -> int:
    """``[--objects] --hello`` or ``[--objects] --plan PLAN --samples SAMPLES``; the exit code."""
    words = [word for word in arguments if word != "--objects"]
    objects = "--objects" in arguments
    if words == ["--hello"]:
        return _hello(_mpi(), objects)
    if len(words) != 4 or (words[0], words[2]) != ("--plan", "--samples"):
        print("usage: start.py [--objects] --hello | --plan PLAN --samples SAMPLES", file=sys.stderr)
        return WRONG_ARGUMENTS
    try:
        plan = read_plan(words[1])
    except PlanError as mistake:
        print(f"msgauge: the plan cannot be carried out: {mistake}", file=sys.stderr)
        return WRONG_PLAN
    mpi = _mpi()
    size = mpi.COMM_WORLD.Get_size()
    if size != plan.ranks:
        rank = mpi.COMM_WORLD.Get_rank()
        print(f"msgauge: rank {rank} finds itself in a job of {size}, but {plan.ranks} were planned", file=sys.stderr)
        return WRONG_SIZE
    try:
        Job(mpi, plan, objects).run(words[3])
    except Exception:
        traceback.print_exc()
        sys.stderr.flush()
        mpi.COMM_WORLD.Abort(RANK_FAILED)  # a rank that fails takes the whole job with it
    return 0


def _mpi() -> Any:
    """The module ``mpi4py.MPI``; importing it starts MPI, and MPI ends when Python does."""
    return importlib.import_module("mpi4py.MPI")


def _transport(objects: bool) -> str:
    return "mpi4py-objects" if objects else "mpi4py-buffers"


def _library(mpi: Any) -> str:
    return str(mpi.Get_library_version()).strip("\0 \n")


def _hello(mpi: Any, objects: bool) -> int:
    comm = mpi.COMM_WORLD
    comm.barrier()
    facts = {"size": comm.Get_size(), "library": _library(mpi), "transport": _transport(objects)}
    line = header(-1, "launch", "hello", **facts, **_rank_info(comm.Get_rank()))
    print(f"msgauge-hello {line}", flush=True)
    return 0


def _rank_info(rank: int) -> Mapping[str, object]:
    cpus = sorted(os.sched_getaffinity(0))
    return {
        "rank": rank,
        "host": socket.gethostname(),
        "pid": os.getpid(),
        "cpus": ",".join(map(str, cpus)),
        "cpu": -1,
        "session": os.getsid(0),
        "cgroup": _cgroup(),
        "open_files": resource.getrlimit(resource.RLIMIT_NOFILE)[0],
        "policy": os.sched_getscheduler(0),
        "nice": os.getpriority(os.PRIO_PROCESS, 0),
    }


def _cgroup() -> str:
    """The group that the scheduler shares processor time out to: of the cpu controller, else the unified one."""
    found = ""
    with suppress(OSError):
        for line in Path("/proc/self/cgroup").read_text(encoding="utf-8").splitlines():
            _, controllers, path = line.split(":", 2)
            if "cpu" in controllers.split(","):
                return path
            found = path if not controllers else found
    return found


def _pin_to_core(rank: int, plan: Plan) -> None:
    """Where the launcher left a rank free to roam while there is a core for each, it takes the core of its number."""
    if rank < len(plan.pin) and len(os.sched_getaffinity(0)) >= plan.cores:
        with suppress(OSError):
            os.sched_setaffinity(0, {plan.pin[rank]})


def _usage(rank: int) -> Mapping[str, object]:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return {
        "rank": rank,
        "user_ns": int(used.ru_utime * 1e9),
        "system_ns": int(used.ru_stime * 1e9),
        "voluntary": used.ru_nvcsw,
        "involuntary": used.ru_nivcsw,
        "peak_bytes": used.ru_maxrss * 1024,
    }


class Job:
    """One rank's whole part in a launch."""

    def __init__(self, mpi: Any, plan: Plan, objects: bool) -> None:
        self.mpi, self.plan, self.objects, self.comm = mpi, plan, objects, mpi.COMM_WORLD
        self.rank, self.size = int(self.comm.Get_rank()), int(self.comm.Get_size())
        _pin_to_core(self.rank, plan)
        self.timer = Timer.examine()
        self.begun_ns = time.perf_counter_ns()
        own = clock_identity()
        self.one_clock = all_agree(self.comm, own == self.comm.bcast(own, 0), self.size)

    def run(self, samples: str) -> None:
        """Measure everything; rank 0 writes the frames to ``samples``."""
        if self.rank != 0:
            self._work(None)
            return
        with Writer(samples) as writer:
            self._work(writer)

    def _work(self, writer: Writer | None) -> None:
        if writer is not None:
            self._write_launch_facts(writer)
        self._gather(writer, "rank", _rank_info)
        for cell in self.plan.cells:
            self._measure(writer, cell)
        self._gather(writer, "usage", _usage)
        if self.size > 1 and all_agree(self.comm, self._in_time(), self.size):
            self._gather(writer, "data_path", lambda rank: describe_carrier(self.mpi, rank, self.size))
        if writer is not None:
            writer.frame(header(-1, "launch", "end"))

    def _write_launch_facts(self, writer: Writer) -> None:
        about = {"rank": 0, "size": self.size, "host": socket.gethostname(), "pid": os.getpid()}
        about |= {"library": _library(self.mpi), "transport": _transport(self.objects)}
        writer.frame(header(-1, "launch", "hello", **about))
        clock = {"clock": "monotonic", "cost_ns": f"{self.timer.cost_ns:.6g}"}
        writer.frame(header(-1, "launch", "clock", **clock, resolution_ns=self.timer.resolution_ns))

    def _gather(self, writer: Writer | None, series: str, describe: Callable[[int], Mapping[str, object]]) -> None:
        lines = self.comm.gather(header(-1, "launch", series, **describe(self.rank)), 0)
        if writer is not None:
            for line in lines:
                writer.frame(line)

    def _measure(self, writer: Writer | None, cell: Cell) -> None:
        why = self._unsupported_reason(cell)
        if why:
            if writer is not None:
                facts = {"bytes": cell.bytes, "status": "refused", "reason": why}
                writer.frame(header(cell.id, cell.kernel, "time", **facts))
            return
        kind = KERNELS.get(cell.kernel)
        active = min(cell.ranks, kind.most_ranks) if kind and kind.most_ranks else cell.ranks
        if self.rank >= active:
            take_order(self.comm, sleeping=True)
            return
        part = self._part(cell, active)
        if writer is not None:
            error = Result("error", "not enough memory or time for this cell in this launch")
            self._report(writer, cell, part.lead() if part else error)
            give(self.comm, Order("finish"), active, self.size)
        elif part:
            part.follow()

    def _unsupported_reason(self, cell: Cell) -> str:
        """Why a cell cannot be measured here; every rank comes to the same answer by itself."""
        kind: type[Kernel | Application] | None = KERNELS.get(cell.kernel) or APPLICATIONS.get(cell.kernel)
        if kind is None:
            return f"the worker in Python has no kernel {cell.kernel}"
        if cell.ranks > self.size:
            return f"needs {cell.ranks} ranks, the launch has {self.size}"
        if cell.kernel in KERNELS and cell.ranks < 2:
            return "needs at least 2 ranks"
        if cell.kernel != "pingpong" and not self.one_clock:
            return "the hosts have clocks of their own, which workers in Python do not synchronise"
        if cell.cache != "hot":
            return f"Python cannot bring about the cache mode {cell.cache}"
        for name, value in cell.options.items():
            if value not in kind.options.get(name, ()):
                return f"the worker in Python does not know {name}={value}"
        return ""

    def _in_time(self) -> bool:
        return time.perf_counter_ns() - self.begun_ns <= self.plan.limit_ns * 9 // 10

    def _part(self, cell: Cell, active: int) -> Measurement | None:
        """None on every rank if one of them has no memory for it, or no time is left."""
        part = None
        try:
            if self.rank != 0 or self._in_time():
                kind: Any = KERNELS.get(cell.kernel) or APPLICATIONS[cell.kernel]
                part = Measurement(self.plan, kind(self.mpi, cell, self.objects), self.timer, active)
        except MemoryError:
            pass
        return part if all_agree(self.comm, part is not None, active) else None

    def _report(self, writer: Writer, cell: Cell, result: Result) -> None:
        facts: dict[str, object] = {"bytes": cell.bytes, "unit": "ns", "divisor": result.divisor}
        facts |= {"status": result.status, "emulated": "no", "mode": result.mode, "cache": cell.cache}
        facts |= {"ranks": cell.ranks, "stationary": "yes" if result.stationary else "no", "dropped": result.dropped}
        facts |= {"reason": result.reason} if result.reason else {}
        facts |= {"stopped": result.stopped} if result.stopped else {}
        if not result.stationary:
            facts |= dict(zip(("level_first", "level_last"), result.levels, strict=True))
        facts |= {"start": result.start, "late": result.late, "empty_ns": result.empty_ns} if result.start else {}
        warmup = [("warmup", result.warmup)] if result.warmup else []
        for series, values in [*(result.series or [("time", [])]), *warmup]:
            writer.frame(header(cell.id, cell.kernel, series, **facts), values)
