"""Claims about purposes of the kernels that a run has."""

from __future__ import annotations

from msgauge.frontend.purposes import read_purpose
from msgauge.kernels import load_kernels

KERNELS = load_kernels()


def test_the_kernels_of_a_run_that_lacks_those_of_a_purpose_give_it_no_weight() -> None:
    assert read_purpose("latency", {"bcast": KERNELS["bcast"]}).weights == ()
    assert [one.kernel for one in read_purpose("fan-out", {"bcast": KERNELS["bcast"]}).weights] == ["bcast"]
