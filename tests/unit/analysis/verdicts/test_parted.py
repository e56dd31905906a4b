"""A stack that became slower when the run went on is never called equivalent, and the run says so."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import numpy as np

from msgauge.analysis.run import analyse
from msgauge.analysis.verdicts.parted import tells_parts
from msgauge.model import Analysis, Cell, Launch, LaunchRecord, Origin, Plan, Samples, Stack, Stopping
from msgauge.results.dataset import Dataset

STACKS = ("first@1", "later@1", "third@1")
CELLS = tuple(Cell(number, "pingpong", 8 << number, 2) for number in range(4))
ROUNDS = 24
BEGAN = datetime(2026, 11, 30, 12, tzinfo=UTC)


def measured(slower: float, pause_s: float, start: str = "") -> Analysis:
    """All stacks alike within 0.5 %; the second one is slower from the 21st round on, before which the run paused.

    ``start``: how rounds of the second stack began then.
    """
    random = np.random.default_rng(8)
    stopping = Stopping(minimum_rounds=5, maximum_rounds=ROUNDS, looked=(7, 10, 20))
    plan = Plan("unit", 1, STACKS, CELLS, (2,), stopping=stopping)
    records, samples = [], []
    for number in range(ROUNDS * len(STACKS)):
        round_, place = divmod(number, len(STACKS))
        launch = Launch(number, round_, STACKS[place], 2, tuple(cell.id for cell in CELLS), 1)
        began = BEGAN + timedelta(seconds=number + (pause_s if round_ >= 20 else 0))
        records.append(LaunchRecord(launch, "ok", timer_resolution_ns=1.0, started=began.isoformat(), seconds=0.9))
        for cell in CELLS:
            shift = slower if place == 1 and round_ >= 20 else 1.0
            values = np.full(5, round(1e6 * shift * np.exp(0.005 * random.standard_normal())))
            word = start if place == 1 and round_ >= 20 else "agreed" if start else ""
            samples.append(Samples(number, cell.id, "time", values, attributes=(("start", word),) if word else ()))
    stacks = [Stack(*spec.split("@"), Origin("builtin")) for spec in STACKS]
    return analyse(Dataset.of(plan, stacks, records, samples), run="unit", stopped="rounds")


def test_what_became_slower_when_the_run_went_on_is_not_called_equivalent() -> None:
    found = measured(1.2, pause_s=600)
    mine = [one for one in found.comparisons if "later@1" in (one.base, one.other)]
    assert mine and {one.verdict for one in mine} == {"undecided"}
    assert all(one.reason.startswith("the ratio is ") and tells_parts(one.reason) for one in mine)
    assert all(re.search(r" in the first 20 rounds and (1\.(19|2)|0\.8[34])", one.reason) for one in mine)
    others = [one for one in found.comparisons if one not in mine]
    assert {one.verdict for one in others} == {"equivalent"}
    (notice,) = (one for one in found.warnings if one.code == "sittings-differ")
    assert "when the run went on after 20 rounds" in notice.message and "with later@1" in notice.message
    assert len(notice.evidence) == 8 and notice.remedy


def test_a_run_that_went_on_as_it_was_or_did_not_pause_has_no_such_word() -> None:
    """Looks that the run had between are no pauses."""
    for slower, pause_s in ((1.0, 600.0), (1.2, 0.0)):
        assert "sittings-differ" not in {one.code for one in measured(slower, pause_s).warnings}
    assert {one.verdict for one in measured(1.0, 600).comparisons} == {"equivalent"}


def test_what_was_started_otherwise_since_then_is_no_such_pair() -> None:
    unlike = measured(1.2, pause_s=600, start="barrier")
    assert "sittings-differ" not in {one.code for one in unlike.warnings}, "these are times of different things"
    assert not any(tells_parts(one.reason) for one in unlike.comparisons)
