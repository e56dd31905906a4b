"""The published numbers come back on simulated machines of their time, as near as the pages say.

Simulated time does not depend on this computer, so one round is all there is to know.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from attrs import evolve
from stack_bench import NATIVE

from msgauge import papers, pipeline
from msgauge.advise.published import Closeness
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


def closeness(name: str, folder: Path) -> list[Closeness]:
    """How near the simulated systems of a document come, table by table, where it has numbers that were not put in."""
    whole = papers.load_paper(name)
    roles = [role for role, expressions in whole.systems if all(one.startswith("smpi[") for one in expressions)]
    ready = papers.ready(papers.only(whole, roles), registry.discover(this_host(), load_config()), load_kernels())
    stopping = evolve(ready.study.stopping, minimum_rounds=1, maximum_rounds=1, budget_s=300.0)
    result = pipeline.run(evolve(ready.study, stopping=stopping), folder / "runs", ignore)
    assert not result.analysis.failures
    found = derived.paper(RunFolder.open(result.path))
    assert found is not None
    return [table.closeness for table in found.tables if table.closeness is not None]


def test_the_t3d_and_the_cluster_on_100baset_of_1995(tmp_path: Path) -> None:
    """PVM and two MPIs on the torus, two systems on Ethernet: bandwidths from 100 B to 100 kB, and all orders."""
    (table,) = closeness("arsc-t3d", tmp_path)
    assert table.places == 20
    assert table.typical < 1.15
    assert table.worst < 1.4
    assert table.pairs == 40
    assert table.in_order == table.pairs


def test_mpich_over_100baset_of_1998(tmp_path: Path) -> None:
    """Round trips of broxton-logp from its own LogP parameters."""
    tables = closeness("broxton-logp", tmp_path)
    assert sum(table.places for table in tables) >= 5
    assert max(table.worst for table in tables) < 2.2
    assert sum(table.in_order for table in tables) == sum(table.pairs for table in tables)
