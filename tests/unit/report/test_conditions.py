"""What differs between machines is said in words and units of people; programs keep the keys."""

from __future__ import annotations

from msgauge.model import Notice
from msgauge.model.machine_facts import CONDITIONS, name_fact
from msgauge.report.conditions import name_conditions


def notice(*evidence: tuple[str, str]) -> Notice:
    keys = ", ".join(name for name, _ in evidence)
    return Notice("machines-differ", f"the runs were made under different conditions: {keys}", "run both", evidence)


def test_a_difference_has_the_name_and_the_unit_that_people_use() -> None:
    differing = notice(
        ("memory_bytes", f"{2**34} / {2**35}"), ("smt", "True / False"), ("governors", "[] / ['powersave']")
    )
    (said,) = name_conditions([differing])
    assert said.message == (
        "the runs were made under different conditions: memory (16.0 GiB / 32.0 GiB); "
        "simultaneous multithreading (on / off); frequency governor (none / powersave)"
    )
    assert said.evidence == differing.evidence


def test_values_that_fill_lines_are_left_to_the_evidence() -> None:
    (said,) = name_conditions([notice(("cpu_model", f"{'a' * 60} / {'b' * 60}"))])
    assert said.message.endswith("conditions: processor model")


def test_no_condition_is_called_by_its_key() -> None:
    assert not [key for key in CONDITIONS if "_" in name_fact(key) or name_fact(key) in ("smt", "clocksource")]


def test_other_warnings_stay_as_they_are() -> None:
    other = Notice("stacks-differ", "only one of the versions has a", "measure both")
    assert name_conditions([other]) == (other,)
