"""A breakpoint that moves with a setting is told from one that stays."""

from __future__ import annotations

import numpy as np
import pytest

from msgauge.errors import UsageError
from msgauge.models.breakpoint_causes import SettingTrial, explain
from msgauge.models.estimate import ParameterEstimate
from msgauge.models.segments import Breakpoint, Segmentation, find_segments

SIZES = np.unique(np.round(2 ** np.arange(0, 22.01, 0.25)))


def trial(setting, limit, seed=1):
    """A jump at ``limit``, and a second protocol that always begins at 262,144 bytes."""
    times = np.where(limit >= SIZES, 500.0 + 0.3 * SIZES, 4000.0 + 0.25 * SIZES)
    times = np.where(SIZES > 262_144, 60_000.0 + 0.25 * SIZES, times)
    noisy = times * np.exp(0.005 * np.random.default_rng(seed).standard_normal((8, SIZES.size)))
    return SettingTrial(setting, find_segments(SIZES, noisy, np.random.default_rng(2)))


def test_a_jump_at_the_eager_limit_is_due_to_it_and_another_is_not():
    first, second = explain([trial(4096, 4096), trial(32_768, 32_768, seed=2)])
    assert first.follows == "setting"
    assert first.places == pytest.approx((4096, 32_768), rel=0.15)
    assert second.follows == "nothing"
    assert second.places == pytest.approx((262_144, 262_144), rel=0.15)


def test_a_header_counted_in_the_limit_does_not_hide_the_cause():
    first, _ = explain([trial(4096, 4096 - 80), trial(32_768, 32_768 - 80, seed=2)])
    assert first.follows == "setting"


def test_a_setting_without_effect_explains_nothing():
    first, second = explain([trial(4096, 16_384), trial(32_768, 16_384, seed=2)])
    assert (first.follows, second.follows) == ("nothing", "nothing")


def segmentation(*places):
    """Jumps at these sizes: each one number, or its value with an interval."""
    limits = [place if isinstance(place, tuple) else (place, place, place) for place in places]
    jump = ParameterEstimate(0.5, 0.4, 0.6)
    points = (Breakpoint(ParameterEstimate(*one), "jump", jump, one[0], one[0] + 1) for one in limits)
    return Segmentation((), tuple(points))


def test_protocols_that_begin_at_both_values_whatever_the_setting_are_not_its_doing():
    fixed = segmentation(4096, 32_768)
    causes = explain([SettingTrial(4096, fixed), SettingTrial(32_768, segmentation(4096, 32_768))])
    assert [one.follows for one in causes] == ["nothing", "nothing"]


def test_a_jump_that_moves_onto_another_follows_the_setting():
    first, second = explain(
        [SettingTrial(4096, segmentation(4096, 32_768)), SettingTrial(32_768, segmentation(32_768))]
    )
    assert (first.follows, second.follows) == ("setting", "nothing")


def test_a_place_known_so_roughly_that_it_may_be_both_values_is_unexplained():
    rough = segmentation((12_000, 4000, 40_000))
    assert explain([SettingTrial(4096, rough), SettingTrial(32_768, rough)])[0].follows == "unexplained"


def test_a_jump_that_vanishes_is_unexplained():
    first, _ = explain([trial(4096, 16_384), trial(32_768, 1e9, seed=2)])
    assert first.follows == "unexplained"


def test_values_too_close_to_tell_are_refused_with_a_remedy():
    one = trial(4096, 4096)
    for trials in ([one], [one, one]):
        with pytest.raises(UsageError) as caught:
            explain(trials)
        assert "factor of two" in caught.value.remedy


def test_a_jump_at_the_setting_once_only_is_unexplained():
    first, _ = explain([trial(4096, 4096), trial(32_768, 1e9, seed=2)])
    assert first.follows == "unexplained"
