"""When a host that is away is tried again, in simulated time."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from msgauge.execution.absences import STEADY_S, WAITED_FOR_S, Absence


class Clock:
    """A launch every ``launch_s`` seconds needs a host that is there from ``back_s`` on; an attempt takes ``try_s``."""

    def __init__(self, launch_s: float, try_s: float, back_s: float) -> None:
        self.launch_s, self.try_s, self.back_s = launch_s, try_s, back_s
        self.now_s = 1000.0
        self.absence = Absence()
        self.tried: list[float] = []
        self.spent: list[float] = []
        """What each launch waited."""

    def pass_launch(self) -> bool:
        """A launch that needs the host, and whether it was had."""
        before_s, returned = self.now_s, False
        while not returned:
            self.absence.take_loss(self.now_s)
            if self.absence.is_due(self.now_s):
                self.tried.append(self.now_s)
                returned = self.now_s >= self.back_s
                self.now_s += 0.5 if returned else self.try_s
                (self.absence.take_return if returned else self.absence.take_failure)(self.now_s)
            pause_s = self.absence.pause_s(self.now_s)
            if returned or pause_s is None:
                break
            self.now_s += pause_s
        self.spent.append(self.now_s - before_s)
        self.now_s += self.launch_s
        return returned


def test_a_host_that_is_soon_back_costs_its_launch_a_wait_alone() -> None:
    assert [Clock(5.0, 3.0, 1000.0 + away_s).pass_launch() for away_s in (0.0, 30.0, 50.0)] == [True] * 3


@settings(max_examples=30, deadline=None)
@given(st.floats(2.0, 60.0), st.floats(0.01, 10.0))
def test_a_host_that_stays_away_is_waited_for_once_and_tried_less_and_less(launch_s: float, try_s: float) -> None:
    clock = Clock(launch_s, try_s, float("inf"))
    while clock.now_s < 1000.0 + 3600.0:
        assert not clock.pass_launch()
    assert clock.spent[0] <= WAITED_FOR_S + try_s
    assert max(clock.spent[1:]) <= try_s * 1.001, "later launches do not wait; at most they try"
    later = [at_s for at_s in clock.tried if at_s >= 1000.0 + WAITED_FOR_S + try_s]
    assert len(clock.tried) - len(later) <= 1 + WAITED_FOR_S / 2 and len(later) <= 16


def test_a_host_that_is_long_away_is_found_when_it_is_back() -> None:
    clock = Clock(5.0, 10.0, 1000.0 + 1200.0)
    while not clock.pass_launch():
        assert clock.now_s < 1000.0 + 1600.0
    assert clock.spent[-1] < 1.0


def test_a_connection_that_was_steady_before_it_broke_is_waited_for_anew() -> None:
    absence = Absence()
    for began_s in (0.0, 100.0 + STEADY_S, 1000.0):
        absence.take_loss(began_s)
        assert absence.is_due(began_s)
        absence.take_failure(began_s + 10.0)
        assert absence.pause_s(began_s + 10.0) == 2.0
        absence.take_return(began_s + 12.0)


def test_a_connection_that_breaks_after_each_launch_is_no_success() -> None:
    """As where the stack itself takes the host down: its launches would follow each other for ever."""
    absence, made = Absence(), 0
    for now_s in range(3600):
        absence.take_loss(now_s)
        if absence.is_due(now_s):
            made += 1
            absence.take_return(now_s + 1)
    assert 20 < made < 50
