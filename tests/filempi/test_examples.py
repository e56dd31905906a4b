"""Every example runs, gives the same answer on any number of ranks, and draws its picture."""

from __future__ import annotations

import math
import re
import struct

import pytest
from conftest import TOOLBOX, Bench, Result


def example(bench: Bench, name: str, ranks: int, **settings: str) -> Result:
    result = bench.octave(
        f"addpath(getenv('EXAMPLES')); eval(MPI_Run('{name}', {ranks}, {{}}))",
        limit_s=90,
        EXAMPLES=str(TOOLBOX / "examples"),
        **settings,
    )
    assert result.status == 0, result.errors + result.output
    return result


def size_of_picture(bench: Bench) -> tuple[int, int]:
    data = (bench.work / "picture.png").read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", data[16:24])
    return width, height


def test_ping_pong_draws_its_curve(bench: Bench) -> None:
    result = example(bench, "ping_pong", 2, FILEMPI_PICTURE="picture.png")
    assert len(re.findall(r"bytes +[\d.]+ us", result.output)) == 9
    assert size_of_picture(bench) == (320, 200)


def test_broadcast_agrees_everywhere(bench: Bench) -> None:
    assert f"4 ranks agree on the sum {300 * 300 * (300 * 300 + 1) // 2}" in example(bench, "broadcast", 4).output


@pytest.mark.parametrize("name", ["image_filter", "mandelbrot"])
def test_pictures_do_not_depend_on_the_number_of_ranks(bench: Bench, name: str) -> None:
    sums, pictures = set(), set()
    for ranks in (1, 2, 3):
        result = example(bench, name, ranks, FILEMPI_PICTURE="picture.png")
        sums.update(re.findall(r"sum ([\d.]+)", result.output))
        size_of_picture(bench)
        pictures.add((bench.work / "picture.png").read_bytes())
    assert len(sums) == 1
    assert len(pictures) == 1


def test_monte_carlo_finds_pi_the_same_on_any_number_of_ranks(bench: Bench) -> None:
    found = {re.search(r"about ([\d.]+)", example(bench, "monte_carlo", ranks).output)[1] for ranks in (1, 3)}
    assert len(found) == 1
    assert abs(float(found.pop()) - math.pi) < 0.02
