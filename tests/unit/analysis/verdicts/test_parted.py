"""A stack that became slower when the run went on is never called equivalent, and the run says so."""

from __future__ import annotations

import re

import numpy as np

from msgauge.analysis.run import analyse
from msgauge.model import Analysis, Cell, Launch, LaunchRecord, Origin, Plan, Samples, Stack, Stopping
from msgauge.results.dataset import Dataset
from msgauge.stats.look_schedule import extend_looks

STACKS = ("first@1", "later@1", "third@1")
CELLS = tuple(Cell(number, "pingpong", 8 << number, 2) for number in range(4))
ROUNDS = 24
TWENTY, WHOLE = (Stopping(minimum_rounds=rounds, maximum_rounds=rounds) for rounds in (20, ROUNDS))


def measured(slower: float, stopping: Stopping) -> Analysis:
    """All stacks alike within 0.5 %; the second one is slower from the 21st round on."""
    random = np.random.default_rng(8)
    plan = Plan("unit", 1, STACKS, CELLS, (2,), stopping=stopping)
    records, samples = [], []
    for number in range(ROUNDS * len(STACKS)):
        round_, place = divmod(number, len(STACKS))
        launch = Launch(number, round_, STACKS[place], 2, tuple(cell.id for cell in CELLS), 1)
        records.append(LaunchRecord(launch, "ok", timer_resolution_ns=1.0))
        for cell in CELLS:
            shift = slower if place == 1 and round_ >= 20 else 1.0
            values = np.full(5, round(1e6 * shift * np.exp(0.005 * random.standard_normal())))
            samples.append(Samples(number, cell.id, "time", values))
    stacks = [Stack(*spec.split("@"), Origin("builtin")) for spec in STACKS]
    return analyse(Dataset.of(plan, stacks, records, samples), run="unit", stopped="rounds")


def test_what_became_slower_when_the_run_went_on_is_not_called_equivalent() -> None:
    found = measured(1.2, extend_looks(TWENTY, WHOLE, 20))
    mine = [one for one in found.comparisons if "later@1" in (one.base, one.other)]
    assert mine and {one.verdict for one in mine} == {"undecided"}
    assert all(one.reason.startswith("the ratio is ") for one in mine)
    assert all(re.search(r" in the first 20 rounds and (1\.(19|2)|0\.8[34])", one.reason) for one in mine)
    others = [one for one in found.comparisons if one not in mine]
    assert {one.verdict for one in others} == {"equivalent"}
    (notice,) = (one for one in found.warnings if one.code == "sittings-differ")
    assert "when the run went on after 20 rounds" in notice.message and "with later@1" in notice.message
    assert len(notice.evidence) == 8 and notice.remedy


def test_a_run_that_went_on_as_it_was_has_no_such_word() -> None:
    for slower, stopping in ((1.0, extend_looks(TWENTY, WHOLE, 20)), (1.2, WHOLE)):
        assert "sittings-differ" not in {one.code for one in measured(slower, stopping).warnings}
    found = measured(1.0, extend_looks(TWENTY, WHOLE, 20))
    assert {one.verdict for one in found.comparisons} == {"equivalent"}
