"""Maps of hosts from the times of all pairs: what launches have to have measured for one."""

from __future__ import annotations

import numpy as np
import pytest
from attrs import evolve
from benchmarks.truth.simulated_runs import make_plan, stacks

from msgauge.analysis.findings.cluster_map import ClusterMaps, make_maps
from msgauge.kernels import load_kernels
from msgauge.model import Cell, Launch, LaunchRecord, LaunchStatus, Samples, Stopping
from msgauge.results.dataset import Dataset

RANKS = 5
PAIRS = RANKS * (RANKS - 1) // 2


def a_map(time_ns: int, points: int) -> ClusterMaps | None:
    """Of six launches with three passes of so many points each, all of the same time."""
    plan = make_plan(1, 1, Stopping(minimum_rounds=6, maximum_rounds=6))
    plan = evolve(plan, cells=(Cell(0, "all-pairs", 8, RANKS),))
    dataset = Dataset(plan, stacks(1))
    for round in range(6):
        launch = Launch(round, round, plan.stacks[0], RANKS, (0,), 1)
        values = np.full(3 * points, time_ns)
        frame = Samples(round, 0, "time", values, 1, attributes=(("points", str(points)),))
        dataset.add(LaunchRecord(launch, LaunchStatus.OK, seconds=1.0), [frame])
    return make_maps(dataset, load_kernels().values())


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("time_ns", [0, 1000])
def test_times_that_are_all_alike_are_a_map_without_a_slow_host(time_ns: int) -> None:
    found = a_map(time_ns, PAIRS + 1)
    assert found is not None
    (one,) = found.maps
    assert one.findings == () and one.tables[0].values[0][1] == time_ns


@pytest.mark.filterwarnings("error")
def test_launches_without_a_time_for_each_pair_are_no_map() -> None:
    """The ranks would be counted from the points: of one point there is one, beside none."""
    assert a_map(0, 1) is None
    assert a_map(1000, PAIRS) is None
