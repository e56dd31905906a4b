"""Claims about study files: read into checked values, every mistake reported at once with its place."""

from __future__ import annotations

from pathlib import Path

import attrs
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from msgauge.errors import StudyError, UsageError
from msgauge.kernels import load_kernels
from msgauge.model import Kernel, Option, Stopping
from msgauge.study import Measure, Study, list_shipped_studies, load_study, parse_study, print_study, study_of_kernels

KERNELS = {
    "pingpong": Kernel("pingpong", "Ping-pong", "", "", options=(Option("send", ("standard", "nonblocking")),)),
    "stream": Kernel("stream", "Stream", "", ""),
    "exchange": Kernel("exchange", "Exchange", "", ""),
    "bcast": Kernel("bcast", "Broadcast", "", "", collective=True),
    "startup": Kernel("startup", "Start-up", "", "", sized=False),
}

GOOD = """\
title = "Small"
stacks = ["openmpi", "mpich@all"]
ranks = [2, 4]
seed = 7

[stopping]
budget = "30s"
ratio_precision = "1%"

[[measure]]
kernel = "pingpong"
sizes = ["0", "8B..64B x2"]
options = { send = ["standard", "nonblocking"] }

[[measure]]
kernel = "startup"
ranks = 2
"""

BAD = """\
titel = "Small"
stacks = [1]
ranks = [0]

[stopping]
budget = "soon"
minimum_rounds = 50

[[measure]]
kernel = "pingpnog"

[[measure]]
kernel = "pingpong"
sizes = "8..4"
mode = "both"
options = { send = ["fast"] }
"""


def test_a_study_file_becomes_a_value() -> None:
    study = parse_study(GOOD, KERNELS, where="small.toml")
    assert study.name == "small"
    assert study.stacks == ("openmpi", "mpich@all")
    assert study.stopping == Stopping(budget_s=30.0, ratio_precision=0.01)
    assert study.measures[0].sizes == (0, 8, 16, 32, 64)
    assert study.measures[0].options == (("send", ("standard", "nonblocking")),)
    assert study.measures[1] == Measure("startup", sizes=(0,), ranks=(2,))


def test_too_few_rounds_for_the_usual_least_are_told_at_the_line_that_says_them() -> None:
    with pytest.raises(StudyError, match=r"line 2: stopping.maximum_rounds: less than minimum_rounds, 5 where it is"):
        parse_study('[stopping]\nmaximum_rounds = 1\n[[measure]]\nkernel = "pingpong"\n', KERNELS, where="one.toml")


def test_every_mistake_is_reported_at_once_with_its_line() -> None:
    with pytest.raises(StudyError) as caught:
        parse_study(BAD, KERNELS, where="small.toml")
    expected = [
        "line 1: titel: unknown key 'titel'; did you mean 'title'?",
        "line 2: stacks: write a list of words",
        "line 3: ranks: write a list of whole numbers",
        "line 6: stopping.budget: 'soon' is not a duration",
        "line 7: stopping.minimum_rounds: more than maximum_rounds (30)",
        "line 10: measure[1].kernel: unknown kernel 'pingpnog'; did you mean 'pingpong'?",
        "line 14: measure[2].sizes: '8..4' is an empty or endless range",
        "line 15: measure[2].mode: unknown choice 'both'",
        "line 16: measure[2].options.send: unknown choice 'fast'",
    ]
    assert caught.value.what.startswith("9 mistakes:")
    for line in expected:
        assert line in caught.value.what
    assert caught.value.remedy


@pytest.mark.parametrize(
    ("word", "meant"), [("osu_bcast", "bcast"), ("IMB-PingPong", "pingpong"), ("ping-pong", "pingpong")]
)
def test_a_study_file_may_name_kernels_as_other_benchmarks_do(word: str, meant: str) -> None:
    study = parse_study(f'[[measure]]\nkernel = "{word}"\nsizes = "8"\n', KERNELS, where="unit")
    assert [one.kernel for one in study.measures] == [meant]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "measure = 3",
        "measure = [1]",
        "[measure]\nkernel = 'pingpong'",
        "[[measure]]\nkernel = 'startup'\nsizes = 8",
        "[[measure]]\nkernel = 'pingpong'\nsizes = '2GiB'",
        "[[measure]]\nkernel = 'pingpong'\nsizes = true",
        "stopping = 1\n[[measure]]\nkernel = 'pingpong'",
        "seed = -1\n[[measure]]\nkernel = 'pingpong'",
        "check = 1\n[[measure]]\nkernel = 'pingpong'",
        "not toml",
        "stacks = []\n[[measure]]\nkernel = 'pingpong'",
        "ranks = []\n[[measure]]\nkernel = 'pingpong'",
        "[[measure]]\nkernel = 'pingpong'\nsizes = []",
        "[[measure]]\nkernel = 'pingpong'\nranks = []",
        "[[measure]]\nkernel = 'pingpong'\nstacks = []",
    ],
)
def test_what_makes_no_sense_is_refused(text: str) -> None:
    with pytest.raises(StudyError) as caught:
        parse_study(text, KERNELS, where="x.toml")
    assert caught.value.remedy


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(st.text(max_size=60), st.sampled_from(["title", "stacks", "ranks", "seed", "stopping", "measure", "clock"]))
def test_no_text_does_anything_but_parse_or_be_refused(text: str, key: str) -> None:
    for content in (text, f"{key} = {text}", f"[{key}]\n{text}", f"[[{key}]]\n{text}"):
        try:
            parse_study(content, KERNELS, where="x.toml")
        except StudyError as error:
            assert error.remedy


@given(
    title=st.text(max_size=30),
    stacks=st.lists(st.text(min_size=1, max_size=20), min_size=1, max_size=3),
    seed=st.integers(0, 2**31 - 1),
    budget=st.floats(0.1, 1e4),
    again=st.booleans(),
)
def test_a_printed_study_reads_back_to_itself(
    title: str, stacks: list[str], seed: int, budget: float, again: bool
) -> None:
    study = Study(
        name="x",
        title=title,
        stacks=tuple(stacks),
        seed=seed,
        again=again,
        quiet_start=again,
        stopping=Stopping(budget_s=budget),
        measures=(
            Measure("pingpong", (0, 8), (2,), (("send", ("nonblocking",)),), "single", "cold", (), oversubscribe=again),
        ),
    )
    assert parse_study(print_study(study), KERNELS, where="x.toml") == study


@pytest.mark.parametrize("name", list_shipped_studies())
def test_shipped_studies_have_no_mistakes(name: str) -> None:
    kernels = load_kernels()
    study = load_study(name, kernels)
    assert study.name == name
    assert study.title
    assert attrs.evolve(parse_study(print_study(study), kernels, where=name)) == study


def test_the_study_complete_leaves_no_kernel_out() -> None:
    kernels = load_kernels()
    study = load_study("complete", kernels)
    assert {measure.kernel for measure in study.measures} == set(kernels)
    assert study.ranks == (2, 4)
    only_two = {name for name, kernel in kernels.items() if kernel.maximum_ranks == 2}
    assert {measure.kernel for measure in study.measures if measure.ranks == (2,)} == only_two


def test_kernels_that_no_measure_names_are_measured_where_others_are_asked_for() -> None:
    kernels = {name: kernel for name, kernel in load_kernels().items() if name in ("pingpong", "bcast", "barrier")}
    text = 'ranks = [2, 4]\nothers = ["8"]\n[[measure]]\nkernel = "bcast"\nsizes = ["64"]\n'
    found = parse_study(text, kernels, where="study").measures
    assert [(one.kernel, one.sizes, one.ranks) for one in found] == [
        ("bcast", (64,), ()),
        ("barrier", (0,), ()),
        ("pingpong", (8,), (2,)),
    ]


def test_the_study_fanout_has_the_sizes_and_forms_of_its_document() -> None:
    measure = load_study("fanout", load_kernels()).measures[0]
    assert measure.sizes == (8, 32, 64, 256, 1024, 2048)
    assert dict(measure.options)["form"] == ("sends", "bcast", "blocking")


def test_the_study_collectives_has_every_collective_and_every_one_sided_operation() -> None:
    kernels = load_kernels()
    collective = {name for name, kernel in kernels.items() if kernel.collective}
    remote = {name for name, kernel in kernels.items() if "One-sided" in kernel.source}
    assert len(collective) == 30
    assert len(remote) == 5
    sends = {"pingpong"}  # what a broadcast is held against
    assert {measure.kernel for measure in load_study("collectives", kernels).measures} == collective | remote | sends


@pytest.mark.parametrize("name", ["complete", "collectives"])
def test_one_sided_operations_are_also_completed_by_fences(name: str) -> None:
    """A library of MPI-2, such as LAM, has no flush: without fences its put, get and accumulate count as absent."""
    options = {one.kernel: dict(one.options).get("sync", ()) for one in load_study(name, load_kernels()).measures}
    assert all({"flush", "fence"} <= set(options[kernel]) for kernel in ("put", "get", "accumulate")), options


def test_quick_and_standard_are_shipped_and_standard_reaches_64_mib() -> None:
    assert {"quick", "standard"} <= set(list_shipped_studies())
    assert max(load_study("standard", KERNELS).measures[0].sizes) == 64 * 2**20


@pytest.mark.parametrize("name", ["quik", "/dev/null/x", "\0", "x" * 5000, "$(id)"])
def test_a_study_that_is_not_there_is_an_error_with_a_remedy(name: str) -> None:
    with pytest.raises(StudyError, match="cannot read") as caught:
        load_study(name, KERNELS)
    assert "quick" in caught.value.remedy


def test_a_study_that_is_not_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "s.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(StudyError, match="UTF-8"):
        load_study(str(tmp_path / "s.toml"), KERNELS)


def test_a_byte_order_mark_and_the_line_ends_of_another_system_change_nothing(tmp_path: Path) -> None:
    (tmp_path / "s.toml").write_bytes(b"\xef\xbb\xbf" + GOOD.replace("\n", "\r\n").encode())
    (tmp_path / "t" / "s.toml").parent.mkdir()
    (tmp_path / "t" / "s.toml").write_text(GOOD)
    assert load_study(str(tmp_path / "s.toml"), KERNELS) == load_study(str(tmp_path / "t" / "s.toml"), KERNELS)


def test_kernels_of_the_command_line_become_measures() -> None:
    assert study_of_kernels(["startup"], [8], KERNELS) == (Measure("startup", (0,)),)
    assert study_of_kernels(["stream"], [8, 64], KERNELS) == (Measure("stream", (8, 64)),)
    with pytest.raises(UsageError, match="no kernel"):
        study_of_kernels(["nosuch"], [], KERNELS)
