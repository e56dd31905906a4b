"""A map fits 100 columns however many hosts there are, and names of hosts are no markup."""

from __future__ import annotations

import re

import numpy as np
import pytest
from attrs import evolve
from report_example import example_view

from msgauge.analysis.findings.cluster_map import ClusterMap, MapFinding, PairMatrix
from msgauge.report import page
from msgauge.report.figures.cluster_matrix import plot_matrices, slowness
from msgauge.report.figures.theme import screen
from msgauge.report.figures.vega_render import render_svg
from msgauge.report.terminal.map_terminal import describe_map

EVIL = "n1<script>alert(1)</script>'];x"


def cluster(hosts: int, first: str = "n1") -> ClusterMap:
    """A map whose slowest pair is that of the last two hosts."""
    times = 1e5 * (1 - np.eye(hosts))
    times[-1, -2] = times[-2, -1] = 9e6
    with np.errstate(divide="ignore"):
        rates = np.where(times > 0, 1e13 / times, 0.0)
    tables = (
        PairMatrix("latency", 8, tuple(map(tuple, times.tolist())), 1e5, (1.0,) * hosts),
        PairMatrix("bandwidth", 1 << 18, tuple(map(tuple, rates.tolist())), 1e8, (1.0,) * hosts),
    )
    names = (first, *(f"n{number}" for number in range(2, hosts + 1)))
    found = MapFinding("pair", "latency", names[-2:], "the last two are slow", 90.0, 80.0, 99.0, 0.01)
    return ClusterMap("tcp@1", names, True, "sequence", 5, tables, (found,), (), "slow", (), 1e9, 2e9)


@pytest.mark.parametrize("hosts", [2, 3, 16, 17, 20, 21, 64, 500])
def test_the_table_fits_a_hundred_columns_and_shows_the_slowest_pair(hosts: int) -> None:
    lines = list(describe_map(cluster(hosts)))
    start = next(number for number, line in enumerate(lines) if line.startswith("Above the diagonal"))
    table = [line for line in lines[start + 1 :] if not line.startswith("Each row")]
    assert max(map(len, table)) <= 100 and len(table) <= 21
    assert any(value in line for value in ("9.0", "9000") for line in table[-2:])
    assert any("the last two are slow" in line for line in lines)


def test_a_picture_of_many_hosts_is_small_and_names_are_text() -> None:
    for figure in plot_matrices([cluster(64, EVIL)]):
        drawing = render_svg(figure, screen(narrow=True))
        assert len(drawing) < 120_000 and "<script" not in drawing
    small = [render_svg(figure, screen(narrow=True)) for figure in plot_matrices([cluster(4, EVIL)])]
    assert all("<script" not in drawing for drawing in small) and "90.0" in "".join(small)


def test_slowness_is_of_times_whatever_the_quantity() -> None:
    latency, bandwidth = cluster(4).tables
    assert slowness(latency, 2e5) == pytest.approx(2.0) and slowness(bandwidth, 5e7) == pytest.approx(2.0)
    assert slowness(latency, 0.0) == 0.0


def test_the_page_of_a_map_opens_with_the_map() -> None:
    text = page.render(evolve(example_view(hostile=False), maps=(cluster(4),)))
    headings = [heading for heading in re.findall(r"<h2[^>]*>([^<]*)</h2>", text) if heading]
    assert headings[:2] == ["Map of the hosts", "Summary"]


def test_a_picture_of_numbers_without_a_unit_names_it_above_them() -> None:
    latency, bandwidth = plot_matrices([cluster(4)])
    assert latency.short == "Half round trip, 8 B, in µs; typical 100 µs"
    assert bandwidth.short == "Bandwidth, 256 KiB, in MB/s; typical 100 MB/s"
    assert latency.title.endswith("between 4 emulated hosts, in µs")


@pytest.mark.parametrize(("notes", "certain"), [((), ""), (("too few launches",), " for certain")])
def test_a_map_without_findings_says_that_it_looked_for_no_lost_packets(notes: tuple[str, ...], certain: str) -> None:
    """A host that lost 1 % of its frames was in good health, and nothing said that this is not looked for."""
    one = evolve(cluster(4), findings=(), health="unknown" if notes else "good", notes=notes)
    sentence = f"No host, pair or group of hosts stands out{certain}. Lost packets are not looked for."
    assert f" • {sentence}" in list(describe_map(one))
    assert f"<li>{sentence}</li>" in page.render(evolve(example_view(hostile=False), maps=(one,)))
