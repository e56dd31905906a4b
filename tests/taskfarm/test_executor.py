"""Farm as an Executor: what the documentation of concurrent.futures promises, and what CPython's tests of it try."""

from __future__ import annotations

import functools
import gc
import multiprocessing
import pickle
import sys
import threading
import time
import traceback
import weakref
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
import task_functions
from task_functions import Adder, Evil, first_of, nap, square

import taskfarm


@pytest.fixture(scope="module")
def farm() -> Iterator[taskfarm.Farm]:
    with taskfarm.Farm(workers=2, pickle=True) as made:
        yield made


@pytest.fixture
def gate(tmp_path: Path) -> Path:
    """A file that tasks wait for."""
    return tmp_path / "gate"


# Values


def test_keywords_reach_the_function(farm: taskfarm.Farm) -> None:
    assert farm.submit(int, "ff", base=16).result(60) == 255
    assert farm.submit(dict, self=1, fn=2).result(60) == {"self": 1, "fn": 2}


def test_a_result_is_decoded_however_early_it_comes(farm: taskfarm.Farm) -> None:
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        for _ in range(200):
            assert {f.result(60) for f in [farm.submit(abs, -1) for _ in range(50)]} == {1}
    finally:
        sys.setswitchinterval(before)


def test_a_bound_method_is_called_with_the_state_that_it_has_now(farm: taskfarm.Farm) -> None:
    adder = Adder()
    assert farm.submit(adder.add, 1).result(60) == 2
    adder.x = 10
    assert farm.submit(adder.add, 1).result(60) == 11
    assert list(farm.map(adder.add, [1, 2])) == [11, 12]


def test_partials_leave_nothing_on_the_workers(farm: taskfarm.Farm) -> None:
    calls = [functools.partial(pow, base) for base in range(20)]
    assert [farm.submit(call, 2).result(60) for call in calls] == [base**2 for base in range(20)]
    assert not [fn for fn in farm._functions if isinstance(fn, functools.partial)]


def test_threads_agree_about_a_functions_first_use() -> None:
    functions = [square, nap, task_functions.prepared, task_functions.identity]
    with taskfarm.Farm(workers=1, pickle=True) as own:
        wrong: list[Any] = []
        barrier = threading.Barrier(4)

        def submit() -> None:
            barrier.wait()
            for function, argument, expected in ((square, 3, 9), (nap, 0, 0), (task_functions.identity, "x", "x")):
                value = own.submit(function, argument).result(60)
                if value != expected:
                    wrong.append((function, value))

        threads = [threading.Thread(target=submit) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not wrong
    assert len(functions) == len({taskfarm.calls.function_number(taskfarm.calls.encode_function(f)) for f in functions})


# What cannot be sent


def test_unpicklable_arguments_are_the_futures_error(farm: taskfarm.Farm) -> None:
    lock = threading.Lock()  # of this process alone
    assert "pickle" in str(farm.submit(square, lock).exception(1))
    assert isinstance(farm.submit(square, Evil("pickle", "error")).exception(1), ValueError)
    assert "make what it holds where it runs" in str(farm.submit(lambda: lock).exception(1))
    assert farm.submit(square, 3).result(60) == 9


def test_too_big_arguments_are_the_futures_error() -> None:
    with taskfarm.Farm(workers=1, pickle=True, max_frame_bytes=100_000) as own:
        error = own.submit(len, bytes(200_000)).exception(1)
        assert isinstance(error, taskfarm.Error) and error.code == taskfarm.errors.TOO_BIG
        sizes = [1, 200_000, 2, 3]
        stream = own.imap(len, [bytes(size) for size in sizes])
        assert outcomes(stream) == [1, "Error", 2, 3]


def process_pool() -> ProcessPoolExecutor:
    """What a farm is compared with; not by fork, since this process has threads."""
    return ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn"))


def outcomes(stream: Iterator[Any]) -> list[Any]:
    """Values, and the names of errors."""
    found: list[Any] = []
    while True:
        try:
            found.append(next(stream))
        except StopIteration:
            return found
        except Exception as error:
            found.append(type(error).__name__)


def test_an_unpicklable_argument_fails_its_own_call_of_a_stream(farm: taskfarm.Farm) -> None:
    items = [(lambda: 0) if i in (0, 400, 599) else i for i in range(600)]
    found = outcomes(farm.imap(abs, items, ahead=256))
    assert [i for i, value in enumerate(found) if isinstance(value, str)] == [0, 400, 599]
    assert [value for value in found if not isinstance(value, str)] == [i for i in range(600) if i not in (0, 400, 599)]
    unordered = outcomes(farm.imap_unordered(abs, items, ahead=256))
    assert len(unordered) == 600 and sum(isinstance(value, str) for value in unordered) == 3


def test_an_error_of_the_iterable_is_the_last_thing_that_comes(farm: taskfarm.Farm) -> None:
    def items() -> Iterator[int]:
        yield from range(300)
        raise OSError("the file ends here")

    found = outcomes(farm.imap(square, items()))
    assert found == [*(x * x for x in range(300)), "OSError"]


@pytest.mark.parametrize("what", ["error", "sys.exit"])
def test_what_goes_wrong_while_a_value_is_pickled_or_read_is_the_calls_failure(farm: taskfarm.Farm, what: str) -> None:
    expected = {"error": ValueError, "sys.exit": SystemExit}[what]
    for future in (
        farm.submit(task_functions.return_evil, "pickle", what),
        farm.submit(task_functions.return_evil, "unpickle", what),
        farm.submit(task_functions.identity, Evil("unpickle", what)),
    ):
        assert isinstance(future.exception(60), expected)
    assert farm.submit(square, 3).result(60) == 9


def test_an_exception_that_only_the_worker_can_read_comes_as_its_text(farm: taskfarm.Farm) -> None:
    error = farm.submit(task_functions.raise_only_here).exception(60)
    assert isinstance(error, taskfarm.TaskFailed)
    assert "the worker's words" in str(error)


def test_the_packages_own_errors_can_be_pickled(farm: taskfarm.Farm) -> None:
    error = farm.submit(task_functions.raise_taskfarm_error).exception(60)
    assert type(error) is taskfarm.Error and error.code == -2 and str(error) == "of a farm in a task"
    for made in (
        taskfarm.DeadLetter("x"),
        taskfarm.TaskFailed("x"),
        taskfarm.BrokenFarm("x"),
        taskfarm.DeadlineExceeded(),
    ):
        again = pickle.loads(pickle.dumps(made))
        assert (type(again), str(again), again.code) == (type(made), str(made), made.code)


def test_a_message_of_bytes_keeps_its_first_letter() -> None:
    with taskfarm.Farm(workers=1, function="task_functions:fail_in_words") as own:
        assert str(own.submit(None, b"Too bad").exception(60)).startswith("Traceback")
    assert taskfarm.calls.text_error(ValueError("Too bad")) == b"ValueError: Too bad\n"


# map


def test_map_makes_its_calls_though_nobody_takes_the_results(tmp_path: Path) -> None:
    lines = tmp_path / "lines"
    with taskfarm.Farm(workers=2, pickle=True) as own:
        own.map(task_functions.add_line, [str(lines)] * 5000)
    assert len(lines.read_text().splitlines()) == 5000


def test_maps_results_can_be_taken_after_the_shutdown() -> None:
    own = taskfarm.Farm(workers=2, pickle=True)
    results = own.map(abs, range(-9000, 0))
    own.shutdown()
    assert list(results) == list(range(9000, 0, -1))


def test_map_wants_a_chunksize_that_makes_sense_and_needs_none(farm: taskfarm.Farm) -> None:
    with pytest.raises(ValueError, match="chunksize"):
        farm.map(pow, range(4), range(4), chunksize=0)
    for chunksize in (1, 6, 50):
        assert list(farm.map(pow, range(40), range(40), chunksize=chunksize)) == [x**x for x in range(40)]


def test_map_gives_what_came_in_time_then_times_out(farm: taskfarm.Farm, gate: Path) -> None:
    results = farm.map(task_functions.wait_for, [__file__, __file__, str(gate)], timeout=2)
    assert [next(results), next(results)] == [__file__, __file__]
    with pytest.raises(TimeoutError):
        next(results)
    gate.touch()
    while farm.stats()["in_flight"]:  # it sees the file before that goes with its folder
        time.sleep(0.01)


def test_the_first_error_of_map_is_its_end_and_cancels_the_calls_behind_it(tmp_path: Path) -> None:
    gate, lines = tmp_path / "gate", tmp_path / "lines"
    arguments = [(str(lines), ""), (str(tmp_path / "none" / "lines"), ""), *[(str(lines), str(gate))] * 20]
    with taskfarm.Farm(workers=1, pickle=True, window=1) as own, ExitStack() as ends:
        ends.callback(gate.touch)  # whatever fails, the farm is not to wait for it
        results = own.map(task_functions.add_line_after, *zip(*arguments, strict=True))
        next(results)
        with pytest.raises(FileNotFoundError):
            next(results)
        gate.touch()
        assert list(results) == []
        assert own.submit(abs, -1).result(60) == 1
        assert own.stats()["cancelled"] >= 15
    assert 1 <= len(lines.read_text().splitlines()) <= 2  # one had begun


def test_an_error_of_the_iterable_comes_out_of_map_and_the_calls_before_it_are_made(tmp_path: Path) -> None:
    lines = tmp_path / "lines"

    def items() -> Iterator[str]:
        yield from [str(lines)] * 300
        raise OSError("the file ends here")

    with taskfarm.Farm(workers=2, pickle=True) as own, pytest.raises(OSError, match="ends here"):
        own.map(task_functions.add_line, items())
    assert len(lines.read_text().splitlines()) == 300


def test_map_does_what_the_map_of_a_process_pool_does(farm: taskfarm.Farm) -> None:
    with process_pool() as pool:
        for executor in (farm, pool):
            assert outcomes(executor.map(task_functions.fail_at, [0, 1, 2, 3, 4], [2] * 5)) == [0, 1, "ValueError"]
            with pytest.raises(ZeroDivisionError):
                executor.map(abs, (1 // number for number in (1, 0)))


def test_a_stream_that_is_closed_beside_a_step_ends(farm: taskfarm.Farm) -> None:
    stream = farm.imap(abs, [-1, -2])
    take = stream._take

    def take_and_close() -> Any:
        outcome = take()
        if outcome is not None:
            stream.close()
        return outcome

    stream._take = take_and_close  # type: ignore[method-assign]
    assert next(stream) == 1
    assert next(stream, "over") == "over"


def test_map_beyond_the_high_water_mark_waits_for_room() -> None:
    with taskfarm.Farm(workers=1, pickle=True, high_water_tasks=100) as own:
        assert list(own.map(square, range(1000))) == [x * x for x in range(1000)]


def test_results_are_not_kept_by_their_stream(farm: taskfarm.Farm) -> None:
    for adder in farm.map(task_functions.identity, [Adder() for _ in range(5)]):
        reference = weakref.ref(adder)
        del adder
        gc.collect()
        assert reference() is None


def test_a_submitted_object_is_not_kept(farm: taskfarm.Farm) -> None:
    adder = Adder()
    reference = weakref.ref(adder)
    farm.submit(adder.add, 1)
    del adder
    gc.collect()
    assert reference() is None


def test_a_stream_without_order_keeps_no_ids(farm: taskfarm.Farm) -> None:
    stream = farm.imap_unordered(abs, range(5000))
    assert sum(1 for _ in stream) == 5000
    assert not stream._order and not stream._early and not stream._came


def test_a_stream_may_be_one_call_ahead_and_not_less(farm: taskfarm.Farm) -> None:
    assert list(farm.imap(square, range(20), ahead=1)) == [x * x for x in range(20)]
    with pytest.raises(ValueError, match="ahead"):
        farm.imap(square, range(20), ahead=0)


@pytest.mark.parametrize("deadline", [-1, 2**32, 1.5, "10"])
def test_a_deadline_that_is_none_is_refused_where_it_is_given(farm: taskfarm.Farm, deadline: Any) -> None:
    """It was told when the first result was taken."""
    for stream in (farm.imap, farm.imap_unordered):
        with pytest.raises(taskfarm.Error, match=r"deadline_ms=.* is not within 0 \(none\) to 4294967295"):
            stream(square, range(20), deadline_ms=deadline)


def test_an_address_that_is_no_text_is_refused_by_its_name() -> None:
    no_text: Any = 5
    with pytest.raises(TypeError, match="url=5: give text"):
        taskfarm.Farm(no_text)


def test_results_that_are_larger_than_the_mark_keep_every_worker_busy() -> None:
    with taskfarm.Farm(workers=3, pickle=True, high_water_bytes=1 << 20) as own:
        list(own.imap(square, range(50)))
        began = time.monotonic()
        assert [len(one) for one in own.imap(task_functions.slow_block, [2 << 20] * 30)] == [2 << 20] * 30
        assert time.monotonic() - began < 30 * task_functions.SLOW_S * 0.7, "one after the other"


def test_a_stream_goes_on_while_its_first_call_takes_its_time() -> None:
    with taskfarm.Farm(workers=2, pickle=True) as own:
        stream = own.imap(task_functions.wait_if_first, range(1000))
        assert next(stream) == 0
        assert own.stats()["done"] > 500, "the other worker has nearly all of the others done"
        assert list(stream) == list(range(1, 1000))


def test_a_stream_that_is_read_after_its_farm_has_what_was_submitted_and_says_so() -> None:
    with taskfarm.Farm(workers=1, pickle=True) as own:
        stream = own.imap(square, range(10_000))
    came = []
    with pytest.raises(RuntimeError, match="shut down"):
        for value in stream:
            came.append(value)
    assert 0 < len(came) < 10_000 and came == [number * number for number in range(len(came))]
    assert list(stream) == []


def test_a_stream_of_nothing_is_empty_after_its_farm_too() -> None:
    with taskfarm.Farm(workers=1, pickle=True) as own:
        stream = own.imap(square, [])
    assert list(stream) == []


def test_a_stream_that_is_forgotten_cancels_its_calls(tmp_path: Path) -> None:
    gate, lines = tmp_path / "gate", tmp_path / "lines"
    with taskfarm.Farm(workers=1, pickle=True, window=1) as own:
        blocker = own.submit(task_functions.wait_for, str(gate))
        stream = own.imap_unordered(task_functions.add_line, [str(lines)] * 16)
        del stream
        gate.touch()
        blocker.result(60)
        assert own.stats()["cancelled"] >= 15


# States of futures


def test_a_future_is_running_while_a_worker_runs_it(gate: Path) -> None:
    with taskfarm.Farm(workers=1, pickle=True) as own:
        first = own.submit(task_functions.wait_for, str(gate))
        second = own.submit(square, 2)
        end = time.monotonic() + 60
        while not first.running() and time.monotonic() < end:
            time.sleep(0.005)
        assert first.running() and not first.done() and not first.cancel()
        assert not second.running()
        gate.touch()
        assert second.result(60) == 4
        assert not first.running() and first.done()


def test_waiting_for_several(farm: taskfarm.Farm) -> None:
    futures = [farm.submit(square, i) for i in range(50)]
    assert sorted(f.result() for f in as_completed(futures, timeout=60)) == [i * i for i in range(50)]


def test_callbacks_run_and_their_errors_hurt_nobody(farm: taskfarm.Farm) -> None:
    called = threading.Event()

    def exit_here(_: Any) -> None:
        called.set()
        sys.exit(1)

    farm.submit(square, 2).add_done_callback(exit_here)
    assert called.wait(60)
    assert farm.submit(square, 3).result(60) == 9


def test_callbacks_may_submit_also_at_the_high_water_mark() -> None:
    results: list[int] = []
    with taskfarm.Farm(workers=1, pickle=True, high_water_tasks=4) as own:
        done = threading.Event()

        def more(_: Any) -> None:
            if len(results) < 30:
                results.append(1)
                for _ in range(3):
                    own.submit(square, 2).add_done_callback(more)
            else:
                done.set()

        own.submit(square, 2).add_done_callback(more)
        assert done.wait(60)


def test_callbacks_that_submit_at_the_high_water_mark_do_not_nest() -> None:
    """Each makes room for two calls, whose results come meanwhile: their callbacks are not called within it."""
    called, depth, refused, over = 0, 0, list[BaseException](), threading.Event()
    with taskfarm.Farm(workers=1, pickle=True, high_water_tasks=4) as own:

        def submit_two(_: Any) -> None:
            nonlocal called, depth
            called, depth = called + 1, max(depth, len(traceback.extract_stack()))
            try:
                for _ in range(2 if called < 1000 else 0):
                    own.submit(square, 2).add_done_callback(submit_two)
            except BaseException as error:
                refused.append(error)
            if called == 1999 or refused:
                over.set()

        own.submit(square, 2).add_done_callback(submit_two)
        assert over.wait(60)
    assert (called, refused) == (1999, [])
    assert depth < 50


def test_stop_iteration_of_a_call_does_not_end_its_stream(farm: taskfarm.Farm) -> None:
    lists = [[1, 2], [], [3]]
    for stream in (farm.imap(first_of, lists), farm.imap_unordered(first_of, lists)):
        assert sorted(map(str, outcomes(stream))) == ["1", "3", "RuntimeError"]
    assert outcomes(farm.map(first_of, lists)) == [1, "RuntimeError"]
    with pytest.raises(RuntimeError, match="StopIteration"):
        list(farm.map(first_of, lists))
    assert isinstance(farm.submit(first_of, []).exception(60), StopIteration)


def test_the_cause_of_a_calls_error_is_the_workers_traceback_as_of_a_process_pool(farm: taskfarm.Farm) -> None:
    with process_pool() as pool:
        ours, theirs = (e.submit(task_functions.raise_from).exception(60) for e in (farm, pool))
    assert ours is not None and theirs is not None
    cause = ours.__cause__
    assert isinstance(cause, taskfarm.RemoteTraceback)
    for text in (cause.tb, str(theirs.__cause__)):
        assert 'raise ValueError("second") from error' in text
        assert "KeyError: 'first'" in text
    assert "direct cause" in "".join(traceback.format_exception(ours))
    again = pickle.loads(pickle.dumps(cause))
    assert (type(again), str(again), again.tb) == (taskfarm.RemoteTraceback, str(cause), cause.tb)


def test_an_exception_that_takes_no_cause_comes_without(farm: taskfarm.Farm) -> None:
    error = farm.submit(task_functions.raise_sealed).exception(60)
    assert (type(error), str(error)) == (task_functions.Sealed, "words")


@pytest.mark.parametrize("ordered", [True, False])
def test_threads_may_share_a_stream(farm: taskfarm.Farm, ordered: bool) -> None:
    stream = (farm.imap if ordered else farm.imap_unordered)(square, range(2000), ahead=100)
    taken: list[int] = []
    threads = [threading.Thread(target=lambda: taken.extend(stream)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert sorted(taken) == [x * x for x in range(2000)]


def test_a_stream_may_wait_without_end(farm: taskfarm.Farm) -> None:
    assert list(farm.map(nap, [0.1], timeout=float("inf"))) == [0.1]
