"""The published numbers come back on simulated machines of their time, as near as the pages say.

Simulated time does not depend on this computer, so one round is all there is to know.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from attrs import evolve
from stack_bench import NATIVE

from msgauge import pipeline
from msgauge.config import load_config
from msgauge.discovery import registry
from msgauge.hosts import this_host
from msgauge.kernels import load_kernels
from msgauge.model import Event
from msgauge.papers import catalogue, derived_results
from msgauge.papers.result import PaperResult
from msgauge.results.run_folder import RunFolder

pytestmark = pytest.mark.skipif(all(stack.family != "smpi" for stack in NATIVE), reason="SMPI is not here")


def ignore(_: Event) -> None:
    return None


CLOSE = {"arsc-t3d": (20, 40, 1.15, 1.4), "broxton-logp": (5, 0, 2.2, 2.2), "shue-scripting": (1, 0, 1.2, 1.2)}
"""Places that both have and that were not put in, pairs of systems, and the typical and the worst factor."""


@pytest.fixture(scope="module", params=sorted(CLOSE))
def paper(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, PaperResult]:
    return request.param, simulated(request.param, tmp_path_factory.mktemp("papers"))


def test_published_values_come_back_and_systems_in_their_order(paper: tuple[str, PaperResult]) -> None:
    """T3D and 100BaseT of 1995, 100BaseT of 1998, Gigabit Ethernet; what went into the simulation does not count."""
    name, found = paper
    places, pairs, typical, worst = CLOSE[name]
    (close,) = (table.accuracy for table in found.tables if table.accuracy is not None)
    assert close.values == places
    assert close.median_factor < typical
    assert close.largest_factor < worst
    assert close.pairs == pairs
    assert close.pairs_in_order == pairs
    assert not [one for one in found.statements if one.evidence], "a simulation judges no claim"


def test_what_was_put_in_comes_back(paper: tuple[str, PaperResult]) -> None:
    """A platform that misses the very numbers it was made from is wrong, however near the others come."""
    name, found = paper
    far = {
        f"{column.name}, {label}": (place.published, round(value.value, 4))
        for table in found.tables
        for label, row in zip(table.labels, table.values, strict=True)
        for column, place in zip(table.columns, row, strict=True)
        for _, value in place.simulated
        if place.calibration and abs(np.log(value.value / place.published)) > np.log(1.05)
    }
    assert not far, f"{name}: published and simulated"


def simulated(name: str, folder: Path) -> PaperResult:
    """A document with nothing but its simulated systems measured."""
    whole = catalogue.load_paper(name)
    here = registry.discover(this_host(), load_config())
    ready = catalogue.make_runnable(
        catalogue.only(whole, whole.simulated), lambda names: registry.select(here, names), load_kernels()
    )
    stopping = evolve(ready.study.stopping, minimum_rounds=1, maximum_rounds=1, budget_s=300.0)
    result = pipeline.run(evolve(ready.study, stopping=stopping), folder / "runs", ignore)
    assert not result.analysis.failures
    found = derived_results.paper(RunFolder.open(result.path))
    assert found is not None
    return found
