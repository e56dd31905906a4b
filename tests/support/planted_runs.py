"""Run folders of shipped studies and papers whose samples are drawn, not measured: whole, fast, the same every time.

Stacks have the names of real ones, so that their runs are judged as measured ones are. Times follow a LogGP-like law
with lognormal noise; divisors leave fractions that end in a half, which is where two rules of rounding part.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from attrs import evolve, frozen

from msgauge import evaluation
from msgauge.discovery.plugin_facts import describe_plugins
from msgauge.hosts import Host
from msgauge.kernels import load_kernels
from msgauge.model import (
    Build,
    Cell,
    Command,
    Kernel,
    KernelKind,
    Launch,
    LaunchRecord,
    Origin,
    Pattern,
    RankPlacement,
    Route,
    Samples,
    Stack,
    Usage,
)
from msgauge.papers import catalogue
from msgauge.plan import EMULATED, WorkerCapabilities, launches_of_round, make_plan
from msgauge.results import wire
from msgauge.results.run_folder import RunFolder
from msgauge.study import Measure, Study, load_study
from msgauge.units import parse_duration_s

NATIVE = EMULATED | {"send", "recv", "ssend", "bsend", "rsend", "probe", "wtime", "put", "get", "accumulate"}
ROUNDS = 5
SAMPLES = 24
EVENTFUL_ROUNDS = 10
"""With more rounds than a difference needs there are verdicts, and with them all that rests on verdicts."""
BASE = "intelmpi"
"""In an eventful run: the family that the others are slower and faster than."""
SLOW = ("mpich", 2.8, (2, 6))
"""In an eventful run: the family that has slow launches, by which factor, in which rounds."""
TAILED = ("openmpi", 2.2, 40)
"""The family that has a tail where every operation is timed, by which factor, in one of how many operations."""
SINGLE_SAMPLES = 1200
SINGLE_SIZES = (8, 1024, 4 << 20)


@frozen
class Law:
    """Nanoseconds, and ns per byte."""

    overhead: float
    latency: float
    gap: float
    per_byte: float


LAWS = {
    "intelmpi": ("2021.18.1", Law(81.0, 102.4, 95.0, 0.0952)),
    "openmpi": ("5.0.11", Law(92.0, 131.3, 120.0, 0.0871)),
    "mpich": ("4.0.2", Law(97.5, 118.7, 123.0, 0.111)),
    "lam": ("7.1.5", Law(410.0, 2310.0, 900.0, 0.412)),
}


@frozen
class Luck:
    """What one launch is like: how slow, and whether its single operations have a tail."""

    law: Law
    slowness: float
    has_tail: bool


def study_run(
    parent: Path, name: str, families: Sequence[str] = ("intelmpi", "openmpi", "mpich"), rounds: int = ROUNDS
) -> RunFolder:
    """A run of a shipped study with its analysis, page and derived results; of long lists every so many are kept."""
    return _write(parent, _thinned_study(name), [_stack(family) for family in families], rounds)


def eventful_run(parent: Path, name: str) -> RunFolder:
    """The run of a shipped study, or of the paper of that name, in which all kinds of things are found.

    Stacks are told apart and take over from each other; one has slow launches, one a tail in a ping-pong whose every
    operation is timed.
    """
    if name in catalogue.list_shipped_papers():
        study, stacks = _planted_paper(name)
    else:
        study, stacks = _thinned_study(name), [_stack(family) for family in ("intelmpi", "openmpi", "mpich")]
    timed = Measure("pingpong", sizes=SINGLE_SIZES, ranks=(2,), mode="single")
    base = next(stack.spec for stack in stacks if stack.family == BASE)
    study = evolve(study, measures=(*study.measures, timed), base=base)
    return _write(parent, study, stacks, EVENTFUL_ROUNDS, is_eventful=True)


def paper_run(parent: Path, name: str) -> RunFolder:
    """A run of a shipped paper with three of its systems that are no simulations."""
    return _write(parent, *_planted_paper(name))


def _thinned_study(name: str) -> Study:
    study = load_study(name, load_kernels())
    return evolve(study, seed=5, measures=tuple(_thin_out(study.measures)))


def _planted_paper(name: str) -> tuple[Study, list[Stack]]:
    made: dict[str, Stack] = {}

    def select(expressions: Sequence[str]) -> Sequence[Stack]:
        family, _, words = expressions[0].rstrip("]").partition("[")
        stack = _stack(family.partition("@")[0], *filter(None, words.split(",")))
        return [made.setdefault(stack.spec, stack)]

    whole = catalogue.load_paper(name)
    real = [role for role, _ in whole.systems if role not in whole.simulated]
    ready = catalogue.make_runnable(catalogue.only(whole, real[1:4]), select, load_kernels())
    return evolve(ready.study, seed=5), list(made.values())


def _thin_out(measures: Sequence[Measure]) -> Iterator[Measure]:
    """About a dozen measures with about twenty sizes each at most: the others would say the same once more."""
    for measure in measures[:: max(1, len(measures) // 12)]:
        yield evolve(measure, sizes=measure.sizes[:: max(1, len(measure.sizes) // 8)])


def _stack(family: str, *variant: str) -> Stack:
    return Stack(family, LAWS[family][0], Origin("system", f"/opt/{family}"), variant, "mpicxx", "mpiexec")


def _write(
    parent: Path, study: Study, stacks: Sequence[Stack], rounds: int = ROUNDS, *, is_eventful: bool = False
) -> RunFolder:
    kernels = load_kernels()
    offers = {stack.spec: WorkerCapabilities(None, frozenset(NATIVE)) for stack in stacks}
    plan = make_plan(study, stacks, kernels, Host("node", 4), offers)
    machine = {"host": "node", "allowed_processors": [0, 1, 2, 3], "load": [0.12, 0.2], "memory_bytes": 8 << 30}
    random = np.random.default_rng(7)  # of a run whose rounds do not happen to resemble those before them
    with RunFolder.create(parent, "", plan, machine, stacks, facts=describe_plugins(plan, stacks, kernels)) as folder:
        command = Command(("mpicxx", "-O3", "worker.cpp"), ())
        folder.write_builds([Build(stack.spec, ("worker",), command, seconds=14.25) for stack in stacks])
        cells, number = {cell.id: cell for cell in plan.cells}, 0
        for round_ in range(rounds):
            for launch in launches_of_round(plan, round_, number):
                luck = _draw_luck(launch, random, is_eventful=is_eventful)
                drawn = [frame for cell in launch.cells for frame in _frames(cells[cell], kernels, luck, random)]
                frames = [evolve(one, launch=launch.number) for one in drawn]
                _record(folder, launch, frames)
                number = launch.number + 1
        folder.write_analysis(evaluation.analyse_folder(folder, "rounds"))
        evaluation.write_page(folder)
    return folder


def _draw_luck(launch: Launch, random: np.random.Generator, *, is_eventful: bool) -> Luck:
    family = launch.stack.partition("@")[0]
    slowness = float(np.exp(random.normal(0, 0.02)))
    if is_eventful and family == SLOW[0] and launch.round in SLOW[2]:
        slowness *= SLOW[1]
    return Luck(LAWS[family][1], slowness, is_eventful and family == TAILED[0])


def _record(folder: RunFolder, launch: Launch, frames: Sequence[Samples]) -> None:
    end = Samples(launch.number, -1, "end", np.empty(0, dtype=np.int64))
    content = b"".join(wire.write_frame(frame) for frame in (*frames, end))
    (folder.launch_folder(launch.number) / "samples.bin").write_bytes(content)
    usage = Usage(1.875, 0.375, 120, 33, 48 << 20)
    placed = tuple(RankPlacement(rank, "node", 100 + rank, "0-3", rank % 4, usage) for rank in range(launch.ranks))
    command = Command(("mpiexec", "-n", str(launch.ranks), "worker"), ())
    route = Route("shared memory", "shared memory", "spins", 0.9375)
    folder.record(
        LaunchRecord(launch, "ok", "", 0, "2026-11-20T23:14:05", 1.875, command, usage, placed, 24.0, 1.0, route=route)
    )


def _frames(cell: Cell, kernels: dict[str, Kernel], luck: Luck, random: np.random.Generator) -> Iterator[Samples]:
    kernel = kernels[cell.kernel]
    if kernel.kind is KernelKind.CURVE:
        yield from _bursts(cell, luck.law, luck.slowness, random)
        return
    time_ns = _time_ns(cell, kernel, luck.law) * luck.slowness
    if cell.mode == "single":
        yield from _single_operations(cell, kernel, time_ns, random, has_tail=luck.has_tail)
        return
    for place, name in enumerate(kernel.series):
        share = {"serial": 0.87 * cell.ranks, "cpu": 0.93 * cell.ranks, "delay": 0.0}.get(name, 0.83**place)
        if name == "delay":
            share = 1e9 * parse_duration_s(dict(cell.options).get("d", "0")) / time_ns
        values = np.rint(8 * share * time_ns * np.exp(0.02 * np.abs(random.normal(size=SAMPLES)))).astype(np.int64)
        yield Samples(0, cell.id, name, values, 8)


def _single_operations(
    cell: Cell, kernel: Kernel, time_ns: float, random: np.random.Generator, *, has_tail: bool
) -> Iterator[Samples]:
    scatter = np.exp(0.02 * np.abs(random.normal(size=SINGLE_SAMPLES)))
    if has_tail:
        scatter[random.random(SINGLE_SAMPLES) < 1 / TAILED[2]] *= TAILED[1]
    for place, name in enumerate(kernel.series):
        yield Samples(0, cell.id, name, np.rint(0.83**place * time_ns * scatter).astype(np.int64), 1)


def _time_ns(cell: Cell, kernel: Kernel, law: Law) -> float:
    """LogGP, with a step at 4 KiB; programs take a millisecond for each of their ranks' shares."""
    options = dict(cell.options)
    gap = max(law.gap + law.per_byte * cell.size_bytes, law.overhead)
    half = 2 * law.overhead + law.latency + law.per_byte * cell.size_bytes + 700.0 * (cell.size_bytes > 4096)
    if kernel.kind is KernelKind.PROGRAM:
        return 1e6 / cell.ranks + 40 * half
    if kernel.pattern is Pattern.TRAIN:
        delay = 1e9 * parse_duration_s(options.get("d", "0"))
        if options.get("what") == "delayed":
            return 2 * law.overhead + delay
        return 2 * half + (int(options.get("n", "1")) - 1) * max(law.overhead + delay, gap)
    if kernel.pattern is Pattern.STREAM:
        return gap
    return half * (cell.ranks - 1 if kernel.pattern is Pattern.FAN_OUT else float(np.log2(max(2, cell.ranks))))


def _bursts(cell: Cell, law: Law, slowness: float, random: np.random.Generator) -> Iterator[Samples]:
    points = int(dict(cell.options).get("messages", "100"))
    for name, start in (("sent", 0.0), ("received", law.latency)):
        steps = slowness * law.gap * np.exp(0.05 * random.normal(size=points))
        values = np.rint(start + np.cumsum(steps)).astype(np.int64)
        yield Samples(0, cell.id, name, values, 1, attributes=(("points", str(points)),))
