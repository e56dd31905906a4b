"""Claims about workers that are compiled beside the launches of others: what is measured does not depend on it."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from attrs import evolve
from simulated_runs import Interrupting, nameless, only_builtin_stacks, only_run, orphans, study_file

from msgauge import build as building
from msgauge import pipeline
from msgauge.execution.compilers import Compilers
from msgauge.execution.supervisor import Run
from msgauge.kernels import load_kernels
from msgauge.model import (
    BESIDE_COMPILERS,
    Build,
    BuildEnded,
    Command,
    Event,
    LaunchEnded,
    LaunchStarted,
    RoundEnded,
    Stack,
)
from msgauge.pipeline import Prepared, Result
from msgauge.plan import launches_of_round
from msgauge.results.run_folder import RunFolder
from msgauge.rounds.schedule import Schedule
from msgauge.study import load_study

STACKS = ("fake[launch_noise=0.02]", "fake[L=2us,launch_noise=0.02]", "fake[L=3us,launch_noise=0.02]")
LIMIT_S = 30.0
"""What waits so long for another thread waits in vain."""


@pytest.fixture(autouse=True)
def _builtin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    only_builtin_stacks(tmp_path, monkeypatch)


@pytest.fixture(autouse=True)
def eight_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    """As far as the rule knows, and no quota; compilers are confined to a processor that is there."""
    give_cores(monkeypatch, 8)
    describe = pipeline.machine.describe
    monkeypatch.setattr(pipeline.machine, "describe", lambda: {**describe(), "cpu_quota": None})


def give_cores(monkeypatch: pytest.MonkeyPatch, count: int) -> None:
    monkeypatch.setattr(pipeline, "list_cores", lambda: ((min(os.sched_getaffinity(0)),),) * count)


def prepared(folder: Path, *, rounds: int = 5, deadline_s: float = 0.0) -> Prepared:
    read = load_study(study_file(folder, rounds=rounds), load_kernels())
    stopping = evolve(read.stopping, deadline_s=deadline_s)
    return pipeline.prepare(evolve(read, stacks=STACKS, stopping=stopping))


def first_order(ready: Prepared) -> list[str]:
    """The stacks in the order of their first launches."""
    return list(dict.fromkeys(launch.stack for launch in launches_of_round(ready.plan, 0, 0)))


def carry_out(ready: Prepared, folder: Path, watch: Callable[[Event], None] = lambda _: None) -> Result:
    return pipeline.run_prepared(ready, folder, watch)


class Story:
    """A watcher that keeps all events, and lets other threads wait for the end of the first launch."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.measured = threading.Event()

    def __call__(self, event: Event) -> None:
        self.events.append(event)
        if isinstance(event, LaunchEnded):
            self.measured.set()

    def place(self, kind: type, stack: str = "") -> int:
        """Where the first event of a kind stands, of a stack where one is named."""
        return next(
            number
            for number, event in enumerate(self.events)
            if isinstance(event, kind) and stack in str(event)  # every event names its stack
        )


def slow_down(monkeypatch: pytest.MonkeyPatch, slow: str, wait: Callable[[Compilers], None], reason: str = "") -> None:
    """The build of a stack waits as it is told; with a ``reason`` it fails then."""
    build = building.build

    def compile_slowly(stack: Stack, *, compilers: Compilers, **how: object) -> Build:
        built = build(stack, compilers=compilers, **how)  # type: ignore[arg-type]
        if stack.spec == slow:
            wait(compilers)
            built = evolve(built, program=() if reason else built.program, reason=reason)
        return built

    monkeypatch.setattr(building, "build", compile_slowly)


def run_compiler(folder: Path, seconds: float) -> Callable[[Compilers], None]:
    """Something that runs as compilers do, for so long, and names the folder."""

    def wait(compilers: Compilers) -> None:
        argv = (sys.executable, "-c", f"import time; time.sleep({seconds})", str(folder))
        log = folder / "compiler.log"
        with compilers.keeper() as keeper:
            keeper.run(Run(Command(argv), log, log, 600.0, dict(os.environ)))

    return wait


def test_a_stack_is_measured_while_the_worker_of_another_is_compiled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ready, story = prepared(tmp_path), Story()
    first, *_, last = first_order(ready)
    slow_down(monkeypatch, last, lambda _: assert_soon(story.measured))
    folder = carry_out(ready, tmp_path / "runs", story).folder
    assert story.place(LaunchEnded, first) < story.place(BuildEnded, last) < story.place(LaunchStarted, last)
    assert [built.stack for built in folder.builds] == list(ready.plan.stacks)


def assert_soon(event: threading.Event) -> None:
    assert event.wait(LIMIT_S)


@pytest.mark.parametrize("cores", [2, 3])
def test_on_few_cores_nothing_is_measured_before_the_last_build_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cores: int
) -> None:
    give_cores(monkeypatch, cores)
    ready, story = prepared(tmp_path, rounds=1), Story()
    slow_down(monkeypatch, first_order(ready)[-1], lambda _: time.sleep(0.3))
    carry_out(ready, tmp_path / "runs", story)
    ended = [number for number, event in enumerate(story.events) if isinstance(event, BuildEnded)]
    assert len(ended) == len(STACKS)
    assert ended[-1] < story.place(LaunchStarted)


@pytest.mark.parametrize("place", [0, 1, 2])
def test_launches_and_results_are_the_same_whichever_worker_is_late(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: int
) -> None:
    ready = prepared(tmp_path, rounds=3)
    with monkeypatch.context() as patched:
        give_cores(patched, 2)
        before = carry_out(ready, tmp_path / "before")
    slow_down(monkeypatch, first_order(ready)[place], lambda _: time.sleep(0.5))
    beside = carry_out(ready, tmp_path / "beside")
    assert [one.launch for one in beside.folder.records()] == [one.launch for one in before.folder.records()]
    started = [one.started for one in beside.folder.records()]
    assert started == sorted(started)
    assert nameless(beside.analysis) == nameless(before.analysis)


@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_build_that_fails_beside_launches_ends_as_one_that_failed_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: int
) -> None:
    ready = prepared(tmp_path, rounds=3)
    broken = first_order(ready)[place]
    slow_down(monkeypatch, broken, lambda _: time.sleep(0.3), reason="the compiler gave up")
    beside = carry_out(ready, tmp_path / "beside")
    give_cores(monkeypatch, 2)
    before = carry_out(ready, tmp_path / "before")
    assert [(one.stack, one.reason) for one in beside.analysis.failures] == [(broken, "the compiler gave up")]
    assert [one.launch for one in beside.folder.records()] == [one.launch for one in before.folder.records()]
    assert broken not in {one.launch.stack for one in beside.folder.records()}
    assert nameless(beside.analysis) == nameless(before.analysis)
    assert list(map(outcome, beside.folder.builds)) == list(map(outcome, before.folder.builds))


def outcome(build: Build) -> tuple[object, ...]:
    """What came of a build, without places and times of its run."""
    return build.stack, build.program, build.reason, build.identity


def test_a_launch_beside_a_compiler_says_so_and_waiting_stands_in_the_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ready = prepared(tmp_path, rounds=2)
    last = first_order(ready)[-1]
    slow_down(monkeypatch, last, run_compiler(tmp_path, 2.5))
    records = carry_out(ready, tmp_path / "runs").folder.records()
    beside = [one.launch.stack for one in records if BESIDE_COMPILERS in one.condition]
    assert beside
    assert last not in beside
    assert {one.launch.round for one in records if BESIDE_COMPILERS in one.condition} == {0}
    waited = max(records, key=lambda one: one.waited_s)
    assert (waited.launch.stack, waited.launch.round) == (last, 0)
    assert waited.waited_s > 0.1
    assert all(one.waited_s == 0.0 for one in records if one.launch.round > 0)


def test_waiting_for_a_worker_is_no_time_of_measuring(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ready = prepared(tmp_path, rounds=1, deadline_s=4.0)
    slow_down(monkeypatch, first_order(ready)[-1], lambda _: time.sleep(4.5))
    analysis = carry_out(ready, tmp_path / "runs").analysis
    assert (analysis.stopped, analysis.failures) == ("rounds", ())


def test_a_deadline_within_the_first_round_still_leaves_all_builds_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ready = prepared(tmp_path, rounds=1, deadline_s=1e-9)
    slow_down(monkeypatch, first_order(ready)[-1], lambda _: time.sleep(0.3), reason="the compiler gave up")
    result = carry_out(ready, tmp_path / "runs")
    assert result.analysis.stopped == "deadline"
    assert [built.stack for built in result.folder.builds] == list(ready.plan.stacks)


def test_the_second_round_waits_for_a_stack_that_the_first_did_not_hold(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it holds depends on who has a worker, so it must not depend on what was compiled by then."""
    ready, story = prepared(tmp_path, rounds=2), Story()
    last = first_order(ready)[-1]
    first_cells = Schedule._first_cells
    monkeypatch.setattr(Schedule, "_first_cells", lambda self: {key for key in first_cells(self) if key.stack != last})
    slow_down(monkeypatch, last, lambda _: time.sleep(2.0), reason="the compiler gave up")
    result = carry_out(ready, tmp_path / "runs", story)
    assert story.place(LaunchEnded) < story.place(BuildEnded, last) < story.place(RoundEnded)
    assert last not in {one.launch.stack for one in result.folder.records()}


def test_ctrl_c_beside_a_compiler_ends_it_and_resume_ends_as_if_nothing_had_happened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ready = prepared(tmp_path)
    whole = carry_out(ready, tmp_path / "whole").analysis
    order = first_order(ready)
    before_s = time.monotonic()
    with monkeypatch.context() as patched:
        slow_down(patched, order[-1], run_compiler(tmp_path, 600.0))
        stopped = carry_out(ready, tmp_path / "stopped", Interrupting(2))
    assert time.monotonic() - before_s < LIMIT_S
    assert orphans(tmp_path / "compiler.log") == orphans(tmp_path) == []
    assert (stopped.analysis.stopped, len(stopped.folder.records())) == ("interrupted", 1)
    assert {built.stack for built in RunFolder.open(stopped.path).builds} == set(order[:-1])
    resumed = pipeline.resume(stopped.path, lambda _: None)
    assert nameless(resumed.analysis) == nameless(whole)
    assert [built.stack for built in resumed.folder.builds] == list(ready.plan.stacks)


def test_ctrl_c_while_a_launch_waits_for_its_worker_ends_the_compiler(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def press(compilers: Compilers) -> None:
        main = threading.main_thread().ident
        assert main is not None
        threading.Timer(1.5, signal.pthread_kill, (main, signal.SIGINT)).start()
        run_compiler(tmp_path, 600.0)(compilers)

    ready = prepared(tmp_path)
    slow_down(monkeypatch, first_order(ready)[0], press)
    before_s = time.monotonic()
    usual = signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in tests that a shell runs in background
    try:
        stopped = carry_out(ready, tmp_path / "runs")
    finally:
        signal.signal(signal.SIGINT, usual)
    assert time.monotonic() - before_s < LIMIT_S
    assert orphans(tmp_path) == []
    assert (stopped.analysis.stopped, stopped.folder.records()) == ("interrupted", [])
    assert only_run(tmp_path / "runs") == stopped.path
