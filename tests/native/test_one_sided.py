"""One-sided operations: right however they are completed, and refused where a transport has none."""

from __future__ import annotations

from frames import cell, plan_text
from running import Runner, of_cell


def test_one_sided_operations_are_right_however_they_are_completed(runner: Runner) -> None:
    cells = []
    for sync in ("flush", "lock", "fence"):
        cells += [cell(name, 1000, options=f"opt.sync={sync}") for name in ("put", "get", "accumulate")]
        cells += [cell(name, 0, options=f"opt.sync={sync}") for name in ("fetch-op", "compare-swap")]
        cells += [cell("get", 64, options=f"opt.sync={sync} opt.window=16"), cell("put", 64, cache="cold")]
    frames = runner.measure("loopback", plan_text(cells, budget_ms="2"))
    for number, text in enumerate(cells):
        header = of_cell(frames, number).header
        assert (header["status"], header["emulated"]) == ("ok", "no"), text
        assert int(header["divisor"]) % (16 if "window=16" in text else 1) == 0


def test_what_a_transport_lacks_of_one_sided_operations_is_a_refusal(runner: Runner) -> None:
    frames = runner.measure("fake", plan_text([cell("put", 8)]))
    assert of_cell(frames, 0).header["status"] == "refused"
    assert "no such one-sided operation" in of_cell(frames, 0).header["reason"]
