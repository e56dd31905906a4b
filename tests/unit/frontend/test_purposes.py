"""Claims about purposes of the kernels that a run has."""

from __future__ import annotations

from pathlib import Path

from msgauge.frontend.purposes import read_purpose
from msgauge.kernels import load_kernels

KERNELS = load_kernels()


def test_a_file_of_weights_may_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_bytes(b'\xef\xbb\xbf[[weight]]\r\nkernel = "bcast"\r\n')
    assert [one.kernel for one in read_purpose(str(tmp_path / "mine.toml"), KERNELS).weights] == ["bcast"]


def test_the_kernels_of_a_run_that_lacks_those_of_a_purpose_give_it_no_weight() -> None:
    assert read_purpose("latency", {"bcast": KERNELS["bcast"]}).weights == ()
    assert [one.kernel for one in read_purpose("fan-out", {"bcast": KERNELS["bcast"]}).weights] == ["bcast"]
