"""What a breakpoint is said to follow when a setting of the library is moved."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from benchmarks.truth.simulation import Figure, Simulation, generator

from msgauge.models.breakpoint_causes import SettingTrial, explain
from msgauge.models.segments import find_segments

SIZES = np.unique(np.round(2 ** np.arange(0, 22.01, 0.5)))
SETTINGS = (4096.0, 65536.0)
LAUNCHES = 8


def setting_without_effect(places: tuple[int, ...], scatter: float, trials: int) -> Figure:
    """Share of models that say a breakpoint follows a setting, of a library that begins new protocols at ``places``.

    Before: what was at the setting each time was said to follow it, whether or not it was at its old place as well.
    """
    random, now, before = generator(171), 0, 0
    for _ in range(trials):
        tried = [_try_setting(setting, places, scatter, random) for setting in SETTINGS]
        now += any(one.follows == "setting" for one in explain(tried))
        before += all(_is_at(trial) for trial in tried)
    where = " and ".join(f"{place} B" for place in places)
    case = f"protocols begin at {where}, the setting is tried at 4 and 64 KiB, scatter {100 * scatter:g} %"
    claim = "no breakpoint is said to follow a setting without effect"
    return Figure(claim, "<= 5 %", case, now / trials, before / trials, trials)


def setting_with_effect(places: tuple[int, ...], scatter: float, trials: int) -> Figure:
    """Share of models that find the breakpoint which a setting moves, beside others at ``places``."""
    random, found = generator(172), 0
    for _ in range(trials):
        tried = [_try_setting(setting, (int(setting), *places), scatter, random) for setting in SETTINGS]
        found += any(one.follows == "setting" for one in explain(tried))
    where = " and ".join(f"{place} B" for place in places) or "nowhere else"
    case = f"protocols begin at the setting, 4 or 64 KiB, and {where}, scatter {100 * scatter:g} %"
    return Figure("a breakpoint that follows a setting is found", "", case, found / trials, float("nan"), trials)


def _try_setting(setting: float, places: tuple[int, ...], scatter: float, random: np.random.Generator) -> SettingTrial:
    times = 500.0 + 0.1 * SIZES
    for place in places:
        times *= np.where(place < SIZES, 1.5, 1.0)
    noisy = times * np.exp(scatter * random.standard_normal((LAUNCHES, SIZES.size)))
    return SettingTrial(setting, find_segments(SIZES, noisy, np.random.default_rng(2)))


def _is_at(trial: SettingTrial) -> bool:
    places = [one.size_bytes for one in trial.found.breakpoints]
    return any(0.9 * place.low <= trial.setting_bytes <= 1.1 * place.high for place in places)


def simulations() -> Iterator[Simulation]:
    """Those of causes."""
    for places in ((4096, 65536), (16384,), (16384, 65536)):
        yield Simulation(setting_without_effect, (places, 0.02), 60)
    for places in ((), (16384,), (65536,)):
        yield Simulation(setting_with_effect, (places, 0.02), 60)
