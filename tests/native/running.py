"""Starts a worker's ranks by hand, over each kind of transport."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

from frames import Frame, read_frames

from msgauge.plan import COLLECTIVE

LIMIT_S = 60
COMMON = ("bcast", "exchange", "pingpong", "stream")
PAIRS = (
    "all_pairs",
    "ping_ack",
    "one_way",
    "burst",
    "prtt",
    "overlap",
    "queue",
    "datatype",
    "rate",
    "ring",
    "sendrecv",
    "halo",
)
PROGRAMS = ("fanout", "pi", "matvec", "matmul", "mandelbrot", "montecarlo")
REMOTE = ("put", "get", "accumulate", "fetch_op", "compare_swap")
USUAL = tuple(sorted(COMMON + PAIRS + PROGRAMS))
"""What several files ask for is compiled once a transport."""
COLLECTIVES = tuple(sorted([*COLLECTIVE, *(f"i{name}" for name in COLLECTIVE), "put"]))
"""Collectives have a worker of their own, on the simulated transport only; put: what that lacks."""
OPENMPI = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
COMMANDS: dict[str, tuple[str, str, list[str]]] = {
    "fake": ("fake", "g++", []),
    "loopback": ("loopback", "g++", []),
    "tcp": ("tcp", "g++", ["local_launcher.py"]),
    "openmpi": ("mpi", "mpicxx.openmpi", ["mpiexec.openmpi", "--oversubscribe", "--bind-to", "none", "-n"]),
    "mpich": ("mpi", "mpicxx.mpich", ["mpiexec.mpich", "-n"]),
}


class Runner:
    """Starts a worker's ranks in one of the ways of COMMANDS."""

    def __init__(
        self,
        worker: Callable[..., Path],
        ranks_argv: Callable[[int], list[str]],
        folder: Path,
        kernels: tuple[str, ...] = (),
    ) -> None:
        self._worker = worker
        self._ranks_argv = ranks_argv
        self._kernels = kernels
        self.folder = folder

    def argv(self, how: str, ranks: int) -> list[str]:
        transport, compiler, launcher = COMMANDS[how]
        program = str(self._worker(transport, compiler, self._kernels))
        if not launcher:
            return [program, "--ranks", str(ranks)]
        if launcher == ["local_launcher.py"]:
            return [*self._ranks_argv(ranks), program]
        return [*launcher, str(ranks), program]

    def run(self, how: str, ranks: int, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*self.argv(how, ranks), *arguments],
            capture_output=True,
            text=True,
            timeout=LIMIT_S,
            check=False,
            stdin=subprocess.DEVNULL,
            env={**os.environ, **OPENMPI, **environment},
        )

    def measure(self, how: str, plan: str, *, ranks: int = 2, **environment: str) -> list[Frame]:
        path = self.folder / "plan.txt"
        samples = self.folder / "samples.bin"
        path.write_text(plan)
        samples.unlink(missing_ok=True)
        done = self.run(how, ranks, "--plan", str(path), "--samples", str(samples), **environment)
        assert done.returncode == 0, done.stderr[-2000:]
        return read_frames(samples)


def of_cell(frames: list[Frame], number: int, series: str = "") -> Frame:
    """The frame of a cell (and series)."""
    mine = [f for f in frames if f.header["cell"] == str(number) and series in ("", f.header["series"])]
    assert mine, f"no frame of cell {number}"
    return mine[0]
