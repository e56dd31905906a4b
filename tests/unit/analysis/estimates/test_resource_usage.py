"""What a stack costs besides time, on invented launches."""

from __future__ import annotations

from msgauge.analysis.estimates.resource_usage import stack_costs
from msgauge.model import (
    Launch,
    LaunchRecord,
    RankPlacement,
    Route,
    Usage,
)

PLACED = (RankPlacement(0, "h", 0, "0"), RankPlacement(1, "h", 1, "1"))


def test_waiting_is_what_most_launches_did_and_each_number_of_ranks_has_its_own() -> None:
    def one(ranks: int, waits: str) -> LaunchRecord:
        route = Route("tcp", "tcp", waits, 0.5)
        return LaunchRecord(Launch(0, 0, "a", ranks, (0,), 1), "ok", placement=PLACED, route=route)

    told = stack_costs([one(2, "spins"), one(2, "spins"), one(2, "yields"), one(8, "sleeps"), one(8, "")])
    assert [(cost.ranks, cost.wait_mode) for cost in told] == [(2, "spins"), (8, "sleeps")]


def test_upkeep_is_the_largest_memory_and_the_usual_waiting() -> None:
    def one(memory: int, busy: float) -> LaunchRecord:
        return LaunchRecord(
            Launch(0, 0, "a", 2, (0,), 1),
            "ok",
            usage=Usage(1.0, 0.5, 3, 4, memory),
            placement=PLACED,
            route=Route("tcp", "tcp", "spins", busy),
        )

    (told,) = stack_costs([one(10, 0.9), one(30, 1.0), one(20, 0.8)])
    assert (told.peak_memory_bytes, told.wait_cpu_fraction, told.wait_mode, told.cpu_s, told.launches) == (
        30,
        0.9,
        "spins",
        1.5,
        3,
    )
