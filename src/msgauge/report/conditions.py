"""What differs between the machines of several runs, in the words and units of people."""

from __future__ import annotations

from collections.abc import Iterable

from attrs import evolve

from msgauge import units
from msgauge.analysis.between_runs.run_levels import OTHER_CONDITIONS
from msgauge.model import Notice
from msgauge.model.machine_facts import name_fact

_LONGEST = 80
"""Letters of values that a sentence still holds; longer ones are in the evidence alone."""


def name_conditions(warnings: Iterable[Notice]) -> tuple[Notice, ...]:
    """The same warnings; one of other conditions names these, and their values, as people do. Its evidence stays."""
    return tuple(_name(one) if one.code == "machines-differ" else one for one in warnings)


def _name(one: Notice) -> Notice:
    differing = "; ".join(_describe(key, values) for key, values in one.evidence)
    return evolve(one, message=f"{OTHER_CONDITIONS}: {differing}")


def _describe(key: str, values: str) -> str:
    """``memory (15.5 GiB / 31.0 GiB)``."""
    texts = [_format(key, value) for value in values.split(" / ")]
    shown = " / ".join(texts)
    return f"{name_fact(key)} ({shown})" if len(shown) <= _LONGEST else name_fact(key)


def _format(key: str, value: str) -> str:
    if key.endswith("bytes") and value.isdecimal():
        return units.format_amount(int(value))
    words = {"None": "not known", "True": "on", "False": "off", "": "none"}
    return words.get(value, value.strip("[]").replace("'", "") or "none")
