"""The cards of the stacks on the page."""

from __future__ import annotations

from attrs import evolve
from report_example import example_view

from msgauge.report.sections import stacks


def test_a_fact_of_a_stack_stands_once_on_its_card() -> None:
    """Library and language stood twice, first with the version and then without."""
    view = example_view()
    twice = evolve(view.stacks[0], library="Open MPI v5", axes=(("library", "openmpi"), ("language", "c++")))
    card = str(stacks.render(evolve(view, stacks=(twice,))))
    assert card.count("<dt>library</dt>") == card.count("<dt>language</dt>") == 1
    assert "<dd>Open MPI v5</dd>" in card
