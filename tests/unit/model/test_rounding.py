"""Results are rounded to digits that do not depend on the processor."""

from __future__ import annotations

import math

from msgauge.model import CellKey, Finding
from msgauge.model.rounding import round_floats


def test_floats_are_rounded_at_any_depth_and_nothing_else_is_touched() -> None:
    found = Finding("0.12345678901234 stays", 1 / 3, "kind", (("a", "0.12345678901234"),))
    rounded = round_floats((found, 2 / 3, 12345678901234, CellKey("s", 1)))
    assert rounded[1:] == (0.6666666667, 12345678901234, CellKey("s", 1))
    assert rounded[0] == Finding(found.sentence, 0.3333333333, found.kind, found.evidence)


def test_what_differs_in_its_last_digits_alone_becomes_the_same() -> None:
    assert round_floats(0.1 + 0.2) == round_floats(0.3)
    assert round_floats(1234567.8) == 1234567.8


def test_values_without_digits_stay() -> None:
    assert math.isnan(round_floats(math.nan))
    assert round_floats((math.inf, -math.inf, 0.0, True, None, "x")) == (math.inf, -math.inf, 0.0, True, None, "x")
