"""Why something is undecided: the true reason, and a number of rounds only where it will come true."""

from __future__ import annotations

import numpy as np
from attrs import evolve

from msgauge.analysis.verdicts.doubt import Doubt, describe_doubt
from msgauge.stats.ratio import Ratio

WIDE = Doubt(Ratio(1.01, 0.94, 1.08, 0.7, 10), least_p=0.002, level=0.04, family=40, least_rounds=6, resumed=0.04)
APART = evolve(WIDE, ratio=Ratio(1.1, 1.02, 1.2, 0.02, 10))


def test_few_rounds_are_the_first_reason() -> None:
    few = evolve(APART, ratio=evolve(APART.ratio, rounds=4))
    assert describe_doubt(few) == "only 4 rounds with both; to tell a difference takes at least 6"
    assert "only 1 round with both" in describe_doubt(evolve(few, ratio=evolve(APART.ratio, rounds=1)))


def test_of_times_that_are_computed_a_second_round_decides_and_where_two_differ_as_many_as_of_measured_ones() -> None:
    once = evolve(APART, computed=True, ratio=evolve(APART.ratio, rounds=1))
    assert describe_doubt(once) == "only 1 round with both; to tell a difference takes at least 2"
    assert describe_doubt(evolve(once, ratio=evolve(APART.ratio, rounds=2))).endswith("takes at least 6")


def test_an_interval_around_one_says_whether_it_is_within_the_margin() -> None:
    assert describe_doubt(WIDE) == "the interval 0.940 to 1.08 includes 1 and is wider than the ±3 % margin"
    alike = describe_doubt(evolve(WIDE, ratio=Ratio(1.0, 0.98, 1.02, 0.9, 10)))
    assert alike == (
        "the interval 0.980 to 1.02 lies within the ±3 % margin, but that is not sure when corrected for 40 comparisons"
    )


def test_what_is_lost_among_many_comparisons_says_so() -> None:
    assert describe_doubt(APART) == (
        "the interval 1.02 to 1.20 excludes 1; not significant when corrected for 40 comparisons"
    )


def test_rounds_that_can_show_nothing_say_how_many_can() -> None:
    five = evolve(APART, least_p=0.0625, ratio=evolve(APART.ratio, rounds=5))
    assert describe_doubt(five).endswith(
        "p of 5 rounds cannot fall below 0.062, which is not enough here: at least 6 rounds are needed"
    )


def test_where_no_look_is_left_that_could_decide_it_a_new_run_is_named_and_no_number() -> None:
    exhausted = describe_doubt(evolve(APART, least_p=0.001, level=0.0, least_rounds=0))
    assert exhausted.endswith(": after so many reports of this run only a new one can tell more")
    alike = describe_doubt(evolve(WIDE, ratio=Ratio(1.0, 0.98, 1.02, 0.9, 10), level=0.0, least_rounds=0))
    assert alike == (
        "the interval 0.980 to 1.02 is all that is told: after so many reports of this run only a new one can tell more"
    )


def test_a_number_of_rounds_is_said_where_it_will_come_true_and_not_where_it_will_not() -> None:
    scatter = np.tile([-1.0, 1, -0.5, 0.5, 0.8, -0.8, 0.2, -0.2, 1.1, -1.1], 2)
    clear, hopeless = 0.06 + 0.03 * scatter, 0.5 * scatter
    said = describe_doubt(APART, clear)
    assert "; about " in said
    assert 20 < int(said.split("about ")[1].split()[0]) <= 200
    assert "about" not in describe_doubt(APART, clear[:10]), "ten rounds hide slow launches"
    assert "about" not in describe_doubt(WIDE, hopeless)
    assert "about" not in describe_doubt(WIDE), "without the rounds nothing is forecast"


def test_a_run_resumed_so_often_that_no_look_is_left_forecasts_nothing() -> None:
    scatter = 0.06 + 0.03 * np.tile([-1.0, 1, -0.5, 0.5, 0.8, -0.8, 0.2, -0.2, 1.1, -1.1], 2)
    assert describe_doubt(evolve(APART, resumed=0.0), scatter) == describe_doubt(APART)


def test_an_interval_that_is_said_to_exclude_one_does_not_read_as_if_it_ended_there() -> None:
    near = describe_doubt(evolve(APART, ratio=Ratio(0.67, 0.45, 0.99974, 0.02, 10)))
    assert near.startswith("the interval 0.450 to 0.9997 excludes 1")
    at_one = describe_doubt(evolve(APART, ratio=Ratio(0.67, 0.45, 1 - 1e-13, 0.02, 10)))
    assert at_one.startswith("the interval 0.450 to 1.00 includes 1")
