"""A rank that loses its processor between its arrival and the agreed start is in no tail, in whatever language.

The worker's own code runs on a clock that the test moves; tests/native/test_collectives.py has the worker in C++.
"""

from __future__ import annotations

import queue
import shutil
import subprocess
import threading
from collections import defaultdict
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from msgauge.stacks.base import fortran
from msgauge.stats.percentiles import tails
from msgauge.workers.python import measure
from msgauge.workers.python.measure import COLLECTIVE_SERIES, Measurement, Result, Timer
from msgauge.workers.python.protocol import Cell, Plan

OPERATION_NS, READ_NS, HELD_UP_NS, EVERY = 5000, 100, 130_000, 50
OCTAVE = Path(measure.__file__).parents[1] / "octave"


class RankClock(threading.local):
    """The time of the rank that the present thread is: each reading takes some, and after a hold-up much."""

    now_ns, reads, rounds, every = 0, -1, 0, 0

    def perf_counter_ns(self) -> int:
        self.now_ns += READ_NS
        self.reads -= 1
        if self.reads == 0:
            self.now_ns += HELD_UP_NS
        return self.now_ns

    def operate(self) -> None:
        """One operation; before every so-manieth start the rank is held up while it waits for it."""
        self.now_ns += OPERATION_NS + 100 * (self.rounds % 7)
        self.rounds += 1
        if self.every and self.rounds % self.every == 0:
            self.reads = 4  # the end of this round, whether the next is reached late, once more, and not again


class Rank:
    """What a worker in Python asks of mpi4py, over queues between threads: who receives waits for the sender's time."""

    BYTE = None

    def __init__(self, rank: int, clock: RankClock, wires: dict[tuple[int, int, int], queue.Queue[Any]]) -> None:
        self.rank, self.clock, self.wires, self.COMM_WORLD = rank, clock, wires, self

    def send(self, value: Any, to: int, tag: int) -> None:
        self.wires[self.rank, to, tag].put((value, self.clock.now_ns))

    def recv(self, _: None, source: int, tag: int) -> Any:
        value, sent_ns = self.wires[source, self.rank, tag].get(timeout=60)
        self.clock.now_ns = max(self.clock.now_ns, sent_ns + 1000)
        return value

    def Get_rank(self) -> int:
        return self.rank

    def Sendrecv(self, _out: Any, to: int, tag: int, _into: Any, source: int, _tag: int) -> None:
        self.send(None, to, tag)
        self.recv(None, source, tag)


def measure_with_python(every: int, monkeypatch: pytest.MonkeyPatch) -> Result:
    """A collective on two ranks, the second of which is held up before every so-manieth start."""
    clock = RankClock()
    wires: dict[tuple[int, int, int], queue.Queue[Any]] = defaultdict(queue.Queue)
    monkeypatch.setattr(measure, "time", clock)
    cell = Cell(0, "barrier", 0, 2, "single", "hot")
    plan = Plan(2, 2, 120_000_000, 0.0, 10**12, False, (), (cell,))

    def join(rank: int) -> Measurement:
        mpi = Rank(rank, clock, wires)
        clock.every = every if rank else 0
        subject: Any = SimpleNamespace(mpi=mpi, comm=mpi, rank=rank, cell=cell, collective=True, events=1)
        subject.repeat = lambda _: clock.operate()
        return Measurement(plan, subject, Timer(READ_NS, 1.0), 2)

    other = threading.Thread(target=lambda: join(1).follow(), daemon=True)
    other.start()
    result = join(0).lead()
    other.join(60)
    return result


def test_a_rank_held_up_before_its_start_is_in_no_tail_in_python(monkeypatch: pytest.MonkeyPatch) -> None:
    calm, held_up = measure_with_python(0, monkeypatch), measure_with_python(EVERY, monkeypatch)
    series = {name: np.array(values, float) for name, values in held_up.series}
    truth = tails(np.array(dict(calm.series)["completion"], float), single=True).p99
    assert (calm.start, held_up.start, tuple(series)) == ("agreed", "agreed", COLLECTIVE_SERIES)
    assert tails(series["completion"], single=True).p99 == pytest.approx(truth, rel=0.1)
    assert series["completion"].max() < HELD_UP_NS
    assert series["start_skew"].max() < 1000
    assert held_up.late >= series["completion"].size // EVERY
    assert calm.late == 0


MPIF = """
      integer MPI_BYTE, MPI_CHARACTER, MPI_DOUBLE_PRECISION, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD
      integer MPI_STATUS_SIZE, MPI_MAX_LIBRARY_VERSION_STRING
      parameter (MPI_BYTE=1, MPI_CHARACTER=1, MPI_INTEGER=4, MPI_DOUBLE_PRECISION=8, MPI_SUM=0)
      parameter (MPI_COMM_WORLD=0, MPI_STATUS_SIZE=8, MPI_MAX_LIBRARY_VERSION_STRING=256)
"""
"""A type is the number of its bytes."""
TWO_RANKS = Path(__file__).with_name("two_ranks.c")


def measure_with_fortran(program: Path, every: int) -> tuple[dict[str, np.ndarray], dict[str, str]]:
    """The series of a broadcast between two ranks, float ns, and what is said of the first one."""
    plan, samples = program.with_name("plan"), program.with_name(f"samples-{every}")
    cell = "cell id=0 kernel=bcast bytes=8 mode=single cache=hot ranks=2"
    limits = "limits cell_budget_ns=120000000 cell_precision=0 launch_limit_ns=60000000000 check=no"
    launch = "launch number=1 round=1 seed=1 ranks=2 cores=2"
    plan.write_text("\n".join(["msgauge-plan 1", launch, "clock name=monotonic", limits, cell, "end", ""]))
    words = [str(program), "--plan", str(plan), "--samples", str(samples)]
    environment = {"EVERY": str(every)} if every else {}
    done = subprocess.run(words, capture_output=True, text=True, timeout=60, check=False, env=environment)
    assert done.returncode == 0, done.stderr
    data, at, found, said = samples.read_bytes(), 0, {}, {}
    while at < len(data):
        end = data.index(b"\n", at)
        header = dict(word.split("=", 1) for word in data[at:end].decode().split())
        at = end + 1 + 8 * int(header["count"])
        if header["cell"] == "0":
            found[header["series"]] = np.frombuffer(data[end + 1 : at], dtype="<i8").astype(float)
            said = said or header
    return found, said


@pytest.mark.skipif(not (shutil.which("gfortran") and shutil.which("gcc")), reason="gfortran is not installed")
def test_a_rank_held_up_before_its_start_is_in_no_tail_in_fortran(tmp_path: Path) -> None:
    (tmp_path / "mpif.h").write_text(MPIF)
    times = [f"-D{name}={globals()[name]}" for name in ("READ_NS", "HELD_UP_NS", "OPERATION_NS")]
    flags = ["-O1", "-fallow-argument-mismatch", "-DMSGAUGE_MPIF_H", "-I.", "-J."]
    linking = ["two_ranks.o", "-no-pie", "-Wl,--unresolved-symbols=ignore-all", "-o", "worker"]
    for words in (
        ["gcc", "-O1", "-c", *times, str(TWO_RANKS), "-o", "two_ranks.o"],
        ["gfortran", *flags, *[str(OCTAVE.parent / "fortran" / f"{name}.F90") for name in fortran.SOURCES], *linking],
    ):
        done = subprocess.run(words, capture_output=True, text=True, timeout=120, check=False, cwd=tmp_path)
        assert done.returncode == 0, done.stderr[-2000:]
    calm, calm_words = measure_with_fortran(tmp_path / "worker", 0)
    series, words_of_it = measure_with_fortran(tmp_path / "worker", EVERY)
    truth = tails(calm["completion"], single=True).p99
    assert tails(series["completion"], single=True).p99 == pytest.approx(truth, rel=0.1)
    assert series["completion"].max() < HELD_UP_NS
    assert series["start_skew"].max() < 1000
    assert int(words_of_it["late"]) >= series["completion"].size // EVERY
    assert int(calm_words["late"]) == 0


ROUNDS = f"""
addpath('{OCTAVE}');
global now_us reads done
now_us = 0; reads = -1; done = 0;
comm = struct('rank', 0, 'size', 1);
kernel = struct('kind', 'rounds', 'run', @(turn) operate());
table = worker_run_order(comm, kernel, [{4 * EVERY} 1 1000 200 0 worker_start_limit(100, 1000) / 1e3]);
printf('%d\\n', round(table(:, 1)));
"""
FAKES = {
    "tic": "function us = tic()\n  global now_us reads\n  now_us = now_us + 1;\n  reads = reads - 1;\n"
    f"  if reads == 0\n    now_us = now_us + {HELD_UP_NS // 1000};\n  end\n  us = uint64(now_us);\nend\n",
    "operate": "function operate()\n  global now_us reads done\n  now_us = now_us + 5;\n  done = done + 1;\n"
    f"  if mod(done, {EVERY}) == 25\n    reads = {{held_up}};\n  end\nend\n",
    "MPI_Gather": "function all_stamps = MPI_Gather(root, tag, comm, stamps)\n  all_stamps = {stamps};\nend\n",
}


def times_with_octave(place: Path, held_up: int) -> np.ndarray:
    """ns of each round of an order on one rank, held up at the so-manieth reading of the clock after some rounds."""
    for name, text in FAKES.items():
        (place / f"{name}.m").write_text(text.replace("{held_up}", str(held_up)))
    (place / "rounds.m").write_text(ROUNDS)
    words = ["octave-cli", "-qfW", "--no-gui", "--path", str(place), str(place / "rounds.m")]
    done = subprocess.run(words, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return np.array([float(line) for line in done.stdout.split()])


@pytest.mark.skipif(shutil.which("octave-cli") is None, reason="octave-cli is not installed")
def test_a_rank_held_up_before_its_start_is_in_no_tail_in_octave(tmp_path: Path) -> None:
    """The wait for a start reads the clock once a microsecond: at the last reading before it the processor is lost."""
    calm = times_with_octave(tmp_path, held_up=-1)
    assert calm.size == 4 * EVERY and np.isfinite(calm).all()
    held_up = times_with_octave(tmp_path, held_up=150)
    assert np.isinf(held_up).sum() == 4, "all had arrived, and one began late"
    assert np.nanmax(np.where(np.isfinite(held_up), held_up, np.nan)) == calm.max()
