"""Every example runs, gives the same answer on any number of ranks, and draws its picture."""

from __future__ import annotations

import math
import re
import struct

import pytest
from filempi_bench import TOOLBOX, Bench, Result


def example(bench: Bench, name: str, ranks: int, **settings: str) -> Result:
    result = bench.octave(
        f"addpath(getenv('EXAMPLES')); eval(MPI_Run('{name}', {ranks}, {{}}))",
        limit_s=90,
        EXAMPLES=str(TOOLBOX / "examples"),
        **settings,
    )
    assert result.status == 0, result.errors + result.output
    return result


def size_of_picture(data: bytes) -> tuple[int, int]:
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", data[16:24])
    return width, height


def test_ping_pong_draws_its_curve(bench: Bench) -> None:
    result = example(bench, "ping_pong", 2, FILEMPI_PICTURE="picture.png")
    assert len(re.findall(r"bytes +[\d.]+ us", result.output)) == 9
    assert size_of_picture((bench.work / "picture.png").read_bytes()) == (320, 200)


def test_broadcast_agrees_everywhere(bench: Bench) -> None:
    assert f"4 ranks agree on the sum {300 * 300 * (300 * 300 + 1) // 2}" in example(bench, "broadcast", 4).output


@pytest.mark.parametrize("name", ["image_filter", "mandelbrot", "monte_carlo"])
def test_answers_and_pictures_do_not_depend_on_the_number_of_ranks(bench: Bench, name: str) -> None:
    result = bench.octave(
        "addpath(getenv('EXAMPLES')); "
        "for n = 1:3, setenv('FILEMPI_PICTURE', sprintf('%d.png', n)); eval(MPI_Run(getenv('NAME'), n, {})); end",
        EXAMPLES=str(TOOLBOX / "examples"),
        NAME=name,
    )
    assert result.status == 0, result.errors + result.output
    answers = re.findall(r"(?:sum|about) ([\d.]+)", result.output)
    pictures = [(bench.work / f"{ranks}.png").read_bytes() for ranks in (1, 2, 3)]
    assert len(answers) == 3
    assert len(set(answers)) == 1
    assert len(set(pictures)) == 1
    width, height = size_of_picture(pictures[0])
    assert min(width, height) >= 180
    if name == "monte_carlo":
        assert abs(float(answers[0]) - math.pi) < 0.01
