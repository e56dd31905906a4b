"""Streams over iterables that have no end, take their time or raise: calls are made, and results come, meanwhile."""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import task_functions
from task_functions import nap, square

import taskfarm


@pytest.fixture(scope="module")
def farm() -> Iterator[taskfarm.Farm]:
    with taskfarm.Farm(workers=2, pickle=True) as made:
        made.wait_for_workers(2)
        yield made


def slowly(seconds: float) -> Iterator[int]:
    for number in itertools.count():
        time.sleep(seconds)
        yield number


@pytest.mark.parametrize("name", ["imap", "imap_unordered"])
def test_results_come_of_an_iterable_that_is_slow_and_has_no_end(farm: taskfarm.Farm, name: str) -> None:
    """All 4096 calls that may be ahead were asked for before the first result: 82 seconds."""
    begun = time.monotonic()
    stream = getattr(farm, name)(square, slowly(0.02))
    assert {next(stream) for _ in range(30)} <= {x * x for x in range(4096)}
    stream.close()
    assert time.monotonic() - begun < 40


@pytest.mark.parametrize("name", ["map", "imap", "imap_unordered"])
def test_a_call_is_made_before_the_iterable_has_given_the_next(farm: taskfarm.Farm, tmp_path: Path, name: str) -> None:
    made: list[bool] = []

    def arguments() -> Iterator[str]:
        for number in range(4):
            path = tmp_path / str(number)
            yield str(path)
            time.sleep(0.05)  # longer than what is submitted together may take
            end = time.monotonic() + 20
            while not path.exists() and time.monotonic() < end:
                time.sleep(0.01)
            made.append(path.exists())

    assert list(getattr(farm, name)(task_functions.add_line, arguments())) == [None] * 4
    assert made == [True] * 4


@pytest.mark.parametrize("name", ["imap", "imap_unordered"])
def test_who_may_be_one_call_ahead_has_its_result_before_the_next_is_asked_for(farm: taskfarm.Farm, name: str) -> None:
    """As a search needs it, whose next point depends on the last result."""
    results = [1]

    def doubled() -> Iterator[int]:
        while results[-1] < 1000:
            yield results[-1]

    for result in getattr(farm, name)(task_functions.identity, doubled(), ahead=1):
        results.append(2 * result)
    assert results == [2**power for power in range(11)]


@pytest.mark.parametrize("name", ["imap", "imap_unordered"])
def test_an_error_of_the_iterable_comes_behind_all_results(farm: taskfarm.Farm, name: str) -> None:
    """Without order it came first, and who left the loop by it had none of them."""

    def broken() -> Iterator[float]:
        yield 0.2
        yield 0.1
        raise KeyError("no more of them")

    stream = getattr(farm, name)(nap, broken())
    assert {next(stream), next(stream)} == {0.1, 0.2}
    with pytest.raises(KeyError, match="no more of them"):
        next(stream)
    assert next(stream, "over") == "over"
