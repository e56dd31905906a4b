"""What Ctrl-C, or another exception of a signal's handler, must not do: double results, or hold up the farm."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import pytest
from farms import ENVIRONMENT
from task_functions import interrupt_myself, square
from taskfarm.bell import Bell

import taskfarm
from taskfarm import pump


def run(program: str, *arguments: str, timeout: float = 60) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", program, *arguments]
    return subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, check=False, timeout=timeout)


@pytest.fixture(scope="module")
def farm() -> Iterator[taskfarm.Farm]:
    with taskfarm.Farm(workers=1, pickle=True) as made:
        yield made
    assert not made.pump._sinks


class Elsewhere(Exception):
    """What a signal's handler of a program may raise, as one with a time limit does."""


class CoreThatIsInterrupted:
    """A coordinator whose `submit_to` is followed by a signal.

    Args:
        core: the real one.
    """

    def __init__(self, core: Any, interrupted: Callable[[Callable[..., Any]], Callable[..., Any]]) -> None:
        self._core = core
        self.submit_to = interrupted(core.submit_to)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._core, name)


def once_after(kind: type[BaseException], turn: int = 3) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Makes of a call one that does all it did, and is interrupted when it comes back to this thread for that time."""
    calls, mine = 0, threading.get_ident()

    def interrupted(real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any) -> Any:
            nonlocal calls
            answer = real(*arguments)
            calls += threading.get_ident() == mine  # the farm's own thread collects too
            if calls == turn and threading.get_ident() == mine:
                raise kind
            return answer

        return call

    return interrupted


SUBMITTING = ["submit_to", "submit_many", "_submit_left"]
"""Before there is a stream of map."""
PLACES = [
    (way, place, kind)
    for way in ("imap", "imap_unordered", "map")
    for place in (*SUBMITTING, "fill", "_take", "decode", "collect")
    for kind in (KeyboardInterrupt, SystemExit, Elsewhere)
    # What is raised while a value is unpickled is taken for the call's own.
    if not (way == "map" and place in SUBMITTING) and (place, kind) != ("decode", Elsewhere)
]


@pytest.mark.parametrize(("way", "place", "kind"), PLACES)
def test_what_comes_into_a_step_ends_the_stream_and_nothing_is_left_of_it(
    farm: taskfarm.Farm, monkeypatch: pytest.MonkeyPatch, way: str, place: str, kind: type[BaseException]
) -> None:
    ahead = {} if way == "map" else {"ahead": 16}
    if way == "map":
        farm.submit(time.sleep, 0.2)  # so that the stream has to wait
    stream: Any = getattr(farm, way)(square, range(2000), **ahead)
    interrupted = once_after(kind, 1 if place == "collect" else 3)  # how often it waits is chance
    if place == "submit_to":
        monkeypatch.setattr(farm.pump, "core", CoreThatIsInterrupted(farm.pump.core, interrupted))
    else:
        of = farm.pump if hasattr(farm.pump, place) else stream
        monkeypatch.setattr(of, place, interrupted(getattr(of, place)))
    came = []
    with pytest.raises(kind):
        for value in stream:
            came.append(value)
    assert list(stream) == []
    assert len(set(came)) == len(came) < 2000
    assert way == "imap_unordered" or came == [x * x for x in range(len(came))]
    monkeypatch.undo()
    assert not [sink for sink in farm.pump._sinks.values() if sink is stream._sink]
    assert list(farm.imap(square, range(100))) == [x * x for x in range(100)]
    assert farm.stats()["queued"] == 0


@pytest.mark.parametrize("way", ["imap", "imap_unordered"])
def test_a_call_that_raised_such_an_exception_itself_ends_no_stream(farm: taskfarm.Farm, way: str) -> None:
    stream = getattr(farm, way)(lambda number: sys.exit(number) if number == 5 else number, range(10))
    came: list[Any] = []
    while len(came) < 10:
        try:
            came.append(next(stream))
        except SystemExit as error:
            came.append(error.code)
    assert sorted(came) == list(range(10))
    with pytest.raises(KeyboardInterrupt):
        next(farm.imap(lambda _: interrupt_myself(), [0]))


def test_a_stream_whose_end_is_interrupted_too_ends_with_its_next_step(
    farm: taskfarm.Farm, monkeypatch: pytest.MonkeyPatch
) -> None:
    stream = farm.imap(square, range(2000), ahead=16)
    monkeypatch.setattr(stream, "_take", once_after(KeyboardInterrupt)(stream._take))
    real = farm.pump._recall

    def recall(_: list[int]) -> None:
        monkeypatch.setattr(farm.pump, "_recall", real)
        raise KeyboardInterrupt

    monkeypatch.setattr(farm.pump, "_recall", recall)
    with pytest.raises(KeyboardInterrupt):
        list(stream)
    assert next(stream, None) is None
    assert set(farm.pump._sinks.values()) <= {pump._ignore}, "what has begun"


def test_ctrl_c_just_after_a_lock_was_taken_does_not_keep_the_end_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """As CPython runs a handler when a call has come back, here of `acquire`."""
    own = taskfarm.Farm(workers=1, pickle=True)
    local = own.pump.local
    real = local._lock

    class Interrupting:
        def acquire(self, blocking: bool = True) -> bool:
            real.acquire(blocking)
            raise KeyboardInterrupt

        def release(self) -> None:
            real.release()

        def __enter__(self) -> bool:
            return real.__enter__()

        def __exit__(self, *error: object) -> None:
            real.__exit__(None, None, None)

    monkeypatch.setattr(local, "_lock", Interrupting())
    monkeypatch.setattr(local, "_next_look", 0.0)
    with suppress(KeyboardInterrupt):
        local.tend()
    monkeypatch.undo()
    ended = threading.Thread(target=own.shutdown, daemon=True)
    ended.start()
    ended.join(20)
    assert not ended.is_alive()


# Ctrl-C comes again and again, wherever the program is in a loop over a stream, and it goes on while there are results.
INTERRUPTED = """
import random, signal, time
import taskfarm
from taskfarm import pump
from task_functions import square

def interrupt(_, frame):
    if frame.f_code.co_name != "<module>":
        raise KeyboardInterrupt

def take(stream, came):
    for value in stream:
        came.append(value)
    return True

generator, count, interrupts = random.Random(7), 400, 0
with taskfarm.Farm(workers=1, pickle=True) as farm:
    list(farm.imap(square, range(count)))
    signal.signal(signal.SIGALRM, interrupt)
    end = time.monotonic() + 4
    while time.monotonic() < end:
        way = generator.choice([farm.imap, farm.imap_unordered])
        stream, came, ended = way(square, range(count), ahead=generator.choice([8, 64])), [], False
        signal.setitimer(signal.ITIMER_REAL, *[generator.uniform(1e-4, 8e-3) for _ in range(2)])
        while not ended:
            try:
                ended = take(stream, came)
            except KeyboardInterrupt:
                interrupts += 1
        signal.setitimer(signal.ITIMER_REAL, 0)
        assert len(set(came)) == len(came), "doubled"
        assert way != farm.imap or came == [x * x for x in range(len(came))], came
        assert stream._over or len(came) == count, "lost"
    left = sum(one is not pump._ignore for one in farm.pump._sinks.values())
print(interrupts > 20, left, len(farm.pump._sinks))
"""


def test_ctrl_c_again_and_again_doubles_no_result_and_holds_nothing_up() -> None:
    done = run(INTERRUPTED, timeout=60)
    assert done.stdout.split() == ["True", "0", "0"], done.stderr


# Ctrl-C comes anywhere in a program that submits at the high-water mark, where it waits for results to leave.
AT_THE_MARK = """
import random, signal, time
from concurrent.futures import wait
import taskfarm
from task_functions import square

def interrupt(_, frame):
    raise KeyboardInterrupt

def submit(farm, mine, after_s):
    try:
        signal.setitimer(signal.ITIMER_REAL, after_s)
        while True:
            mine.append(farm.submit(square, len(mine)))
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)

generator, interrupts, stuck, swallowed = random.Random(7), 0, 0, 0
with taskfarm.Farm(workers=1, pickle=True, high_water_tasks=8) as farm:
    farm.submit(square, 1).result()
    signal.signal(signal.SIGALRM, interrupt)
    end = time.monotonic() + 4
    while time.monotonic() < end:
        mine = []
        try:
            submit(farm, mine, generator.uniform(1e-4, 8e-3))
        except KeyboardInterrupt:
            interrupts += 1
        done, left = wait(mine, timeout=5)
        stuck += len(left)
        swallowed += sum(isinstance(future.exception(), KeyboardInterrupt) for future in done)
print(interrupts > 20, stuck, swallowed)
"""


def test_ctrl_c_at_the_high_water_mark_leaves_no_future_half_finished() -> None:
    done = run(AT_THE_MARK, timeout=60)
    assert done.stdout.split() == ["True", "0", "0"], done.stderr


# Ctrl-C comes while a farm begins, while it ends, or while it replaces a worker that was killed; the program goes on.
WORKERS_OF_ITS_OWN = """
import gc, os, random, signal, sys, time
from pathlib import Path
import taskfarm

def interrupt(_, frame):
    raise KeyboardInterrupt

def children():
    tasks = list(Path("/proc/self/task").iterdir())
    try:
        return [int(pid) for task in tasks for pid in (task / "children").read_text().split()]
    except FileNotFoundError:  # a thread has just ended
        return children()

def begin(farm):
    farm.append(taskfarm.Farm(workers=3, pickle=True))

def replace(farm):
    os.kill(children()[0], signal.SIGKILL)
    while True:
        farm[0].pump.collect(10)

def end(farm):
    farm[0].shutdown(cancel_futures=True)
    time.sleep(0.03)

way, longest_s, generator = sys.argv[1], float(sys.argv[2]), random.Random(7)
interrupts, left, more, descriptors = 0, 0, 0, []
signal.signal(signal.SIGALRM, interrupt)
for turn in range(15):
    farm = []
    if way != "begin":
        begin(farm)
        farm[0].wait_for_workers(3)
    try:
        signal.setitimer(signal.ITIMER_REAL, generator.uniform(1e-4, longest_s))
        globals()[way](farm)
    except KeyboardInterrupt:
        interrupts += 1
    signal.setitimer(signal.ITIMER_REAL, 0)
    if way == "replace":
        until = time.monotonic() + 10
        while len(children()) < 3 and time.monotonic() < until:  # the one that was killed may still be counted as here
            farm[0].pump.collect(10)
        farm[0].wait_for_workers(3)
        more += len(children()) - 3
    if way != "end" and farm:
        farm[0].shutdown()
    del farm
    until = time.monotonic() + 2
    while time.monotonic() < until and (gc.collect() or children()):
        time.sleep(0.01)
    left += len(children())
    descriptors.append(len(os.listdir("/proc/self/fd")))
print(interrupts > 5, left, more, max(descriptors) - descriptors[0] < 8)
"""


@pytest.mark.parametrize(("way", "longest_s"), [("begin", 0.03), ("end", 0.02), ("replace", 0.06)])
def test_ctrl_c_leaves_no_worker_behind_and_starts_none_twice(way: str, longest_s: float) -> None:
    done = run(WORKERS_OF_ITS_OWN, way, str(longest_s), timeout=120)
    assert done.stdout.split() == ["True", "0", "0", "True"], done.stdout + done.stderr


def test_a_bell_that_rings_before_somebody_waits_wakes_him_and_all_others() -> None:
    bell, woken = Bell(), []
    heard = bell.listen()
    bell.ring()
    began = time.monotonic()
    bell.wait(heard, 10)
    bell.wait(heard, 10)
    assert time.monotonic() - began < 5
    threads = [threading.Thread(target=lambda: woken.append(bell.wait(bell.listen(), 20))) for _ in range(3)]
    for thread in threads:
        thread.start()
    until = time.monotonic() + 10
    while len(woken) < 3 and time.monotonic() < until:
        bell.ring()
        time.sleep(0.01)
    assert len(woken) == 3
    bell.wait(bell.listen(), 0.01)  # nobody rings: the time is over


BEGINS = """
import os, signal, sys, time
import taskfarm
from task_functions import square

os.setpgid(0, 0)
signal.signal(signal.SIGINT, lambda *_: None)
with taskfarm.Farm(workers=2, pickle=True) as farm:
    for _ in range(20):
        time.sleep(0.02)
        os.killpg(0, signal.SIGINT)
    answer = farm.submit(square, 7).result(30)  # one that runs is interrupted, as concurrent.futures has it
    end = time.monotonic() + 30
    while farm.stats()["workers"] < 2 and time.monotonic() < end:
        time.sleep(0.01)
    print(answer, sorted(row["number"] for row in farm.workers()))
"""


def test_workers_that_start_while_ctrl_c_is_held_down_stay() -> None:
    came = run(BEGINS)
    assert (came.stdout, came.stderr) == ("49 [1, 2]\n", "")
