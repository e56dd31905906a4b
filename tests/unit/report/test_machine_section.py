"""The machine on the page."""

from __future__ import annotations

from attrs import evolve
from report_example import example_view

from msgauge.report.sections import machine


def test_a_fact_of_the_machine_has_the_name_that_a_warning_gives_it() -> None:
    facts = {
        "cpu_model": "Xeon",
        "smt": True,
        "memory_bytes": 2**34,
        "isolated_processors": "2-3",
        "vm": {"swap_size": "1"},
    }
    page = str(machine.render(evolve(example_view(), machine=facts)))
    for name, value in (("processor model", "Xeon"), ("simultaneous multithreading", "yes"), ("memory", "16.0 GiB")):
        assert f"<dt>{name}</dt><dd>{value}</dd>" in page
    assert "<dt>isolated processors</dt>" in page and "<dt>vm swap size</dt>" in page
