"""What differs between the machines of several runs, in the words and units of people."""

from __future__ import annotations

from collections.abc import Iterable

from attrs import evolve

from msgauge.analysis.between_runs.run_levels import OTHER_CONDITIONS
from msgauge.analysis.warnings.changed_conditions import describe_condition
from msgauge.model import Notice


def name_conditions(warnings: Iterable[Notice]) -> tuple[Notice, ...]:
    """The same warnings; one of other conditions names these, and their values, as people do. Its evidence stays."""
    return tuple(_name(one) if one.code == "machines-differ" else one for one in warnings)


def _name(one: Notice) -> Notice:
    differing = "; ".join(describe_condition(key, values) for key, values in one.evidence)
    return evolve(one, message=f"{OTHER_CONDITIONS}: {differing}")
