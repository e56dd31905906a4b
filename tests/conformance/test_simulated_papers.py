"""The published numbers come back on simulated machines of their time, as near as the pages say.

Simulated time does not depend on this computer, so one round is all there is to know.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from attrs import evolve
from stack_bench import NATIVE

from msgauge import papers, pipeline
from msgauge.advise.paper_result import PaperResult
from msgauge.analysis import derived
from msgauge.config import load_config
from msgauge.hosts import this_host
from msgauge.kernels import load_kernels
from msgauge.model import Event
from msgauge.stacks import registry
from msgauge.store import RunFolder

pytestmark = pytest.mark.skipif(all(stack.family != "smpi" for stack in NATIVE), reason="SMPI is not here")


def ignore(_: Event) -> None:
    return None


@pytest.mark.parametrize(
    ("name", "places", "pairs", "factors"),
    [("arsc-t3d", 20, 40, (1.15, 1.4)), ("broxton-logp", 5, 0, (2.2, 2.2)), ("shue-scripting", 1, 0, (1.2, 1.2))],
)
def test_published_values_come_back_and_systems_in_their_order(
    name: str, places: int, pairs: int, factors: tuple[float, float], tmp_path: Path
) -> None:
    """T3D and 100BaseT of 1995, 100BaseT of 1998, Gigabit Ethernet; what went into the simulation does not count."""
    found = simulated(name, tmp_path)
    (close,) = (table.closeness for table in found.tables if table.closeness is not None)
    assert close.places == places
    assert close.typical < factors[0]
    assert close.worst < factors[1]
    assert close.pairs == pairs
    assert close.in_order == pairs
    assert not [one for one in found.claims if one.evidence], "a simulation judges no claim"


def simulated(name: str, folder: Path) -> PaperResult:
    """A document with nothing but its simulated systems measured."""
    whole = papers.load_paper(name)
    roles = [role for role, expressions in whole.systems if all(one.startswith("smpi[") for one in expressions)]
    ready = papers.ready(papers.only(whole, roles), registry.discover(this_host(), load_config()), load_kernels())
    stopping = evolve(ready.study.stopping, minimum_rounds=1, maximum_rounds=1, budget_s=300.0)
    result = pipeline.run(evolve(ready.study, stopping=stopping), folder / "runs", ignore)
    assert not result.analysis.failures
    found = derived.paper(RunFolder.open(result.path))
    assert found is not None
    return found
