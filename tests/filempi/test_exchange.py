"""The exchange cases: the same on every toolbox, here on the file toolbox over each of its transports."""

from __future__ import annotations

import re

import pytest
from filempi_bench import EXCHANGE, Bench

CASES = sorted(path.stem for path in EXCHANGE.glob("case_*.m"))


def test_there_are_enough_cases_to_mean_something() -> None:
    assert len(CASES) >= 20


@pytest.mark.parametrize(("transport", "ranks"), [("stream", 2), ("stream", 4), ("file", 2), ("file", 3)], ids=str)
def test_every_exchange_case_passes_on_every_rank(bench: Bench, transport: str, ranks: int) -> None:
    result = bench.octave(
        f"addpath(getenv('EXCHANGE')); eval(MPI_Run('run_exchange', {ranks}, {{}}))",
        limit_s=120,
        EXCHANGE=str(EXCHANGE),
        EXCHANGE_BINDING="exchange_filempi",
        EXCHANGE_CASES=" ".join(CASES),
        FILEMPI_TRANSPORT=transport,
    )
    passed = re.findall(r"case (\w+) ok", result.output)
    failed = re.findall(r".*case \w+ failed: .*", result.output)
    assert not failed, "\n".join(failed)
    assert result.status == 0, result.errors + result.output
    assert sorted(passed) == sorted(CASES * ranks)
