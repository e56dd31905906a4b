"""Claims about the facts of kernels: read without compiling, and never trusted blindly."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from msgauge.errors import ConfigError
from msgauge.kernels import load_kernels, parse_facts
from msgauge.model.kernel_arithmetic import bytes_moved

GOOD = """\
#pragma once
// A comment with "quotes" and { braces }.
inline constexpr Facts facts{
    .name = "toy",
    .title = "Toy",  // what people call it
    .meaning = "Half of "
               "a round trip; with a \\"quote\\", a comma and a } brace.",
    .source = "Nobody 1994",
    .minimum_ranks = 2,
    .bytes_moved = "2 * bytes * (ranks - 1)",
    .needs = "send recv",
    .options = "send=standard|nonblocking tag=any",
    .option_meanings = "send: the call that sends, "
                       "one of two\\n",
    .series = "time",
    .sized = true,
    .collective = false,
    .kind = "curve",
    .pattern = "stream",
    .headline = "bandwidth",
};
"""


def test_the_facts_of_a_header_are_read_without_compiling() -> None:
    kernel = parse_facts(GOOD, where="toy.hpp")
    assert (kernel.name, kernel.title, kernel.minimum_ranks, kernel.sized) == ("toy", "Toy", 2, True)
    assert kernel.meaning == 'Half of a round trip; with a "quote", a comma and a } brace.'
    assert [(option.name, option.choices) for option in kernel.options] == [
        ("send", ("standard", "nonblocking")),
        ("tag", ("any",)),
    ]
    assert [option.what for option in kernel.options] == ["the call that sends, one of two", ""]
    assert (kernel.kind, kernel.pattern, kernel.headline) == ("curve", "stream", "bandwidth")
    assert bytes_moved(kernel, 8, 3) == 32


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ('.title = "Toy"', '.titel = "Toy"', 5),
        (".minimum_ranks = 2", '.minimum_ranks = "two"', 9),
        (".sized = true", ".sized = maybe", 16),
        ('"2 * bytes * (ranks - 1)"', '"__import__(1)"', 10),
        ('"2 * bytes * (ranks - 1)"', '"bytes ** ranks"', 10),
        ('.series = "time"', '.series = ""', 15),
        ('.source = "Nobody 1994",', ".source = ,", 8),
        ('.needs = "send recv"', '.name = "again"', 11),
        ('.name = "toy"', '.name = "To Y"', 4),
        ("send=standard", "send=;", 12),
        ('.needs = "send recv"', ".needs = @", 11),
        ("send: the call", "sent: the call", 13),
        ("send: the call", "the call", 13),
        ('.kind = "curve"', '.kind = "bent"', 18),
        ('.pattern = "stream"', '.pattern = "river"', 19),
        ('.headline = "bandwidth"', '.headline = "speed"', 20),
    ],
)
def test_a_wrong_fact_is_named_with_its_file_and_line(old: str, new: str, line: int) -> None:
    assert old in GOOD
    with pytest.raises(ConfigError) as caught:
        parse_facts(GOOD.replace(old, new), where="toy.hpp")
    assert caught.value.where == f"toy.hpp:{line}"
    assert caught.value.remedy


@pytest.mark.parametrize(
    "text", ["", "int x;", GOOD.replace("};", ""), GOOD.replace('    .source = "Nobody 1994",\n', "")]
)
def test_missing_facts_are_refused(text: str) -> None:
    with pytest.raises(ConfigError):
        parse_facts(text, where="toy.hpp")


@given(st.text(alphabet='.=,"{}abc019\n\\/* ', max_size=60))
def test_no_header_does_anything_but_parse_or_be_refused(body: str) -> None:
    with pytest.raises(ConfigError) as caught:
        parse_facts("Facts facts{" + body + "};", where="x.hpp")
    assert caught.value.remedy


def test_bytes_moved_that_divides_by_zero_says_where() -> None:
    kernel = parse_facts(GOOD.replace("2 * bytes * (ranks - 1)", "bytes / (ranks - 1)"), where="toy.hpp")
    with pytest.raises(ConfigError, match="toy"):
        bytes_moved(kernel, 8, 1)


def test_a_folder_of_the_user_adds_kernels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "toy.hpp").write_text(GOOD)
    monkeypatch.setenv("MSGAUGE_KERNELS", str(tmp_path))
    assert {"toy", "pingpong"} <= load_kernels().keys()


def test_a_kernel_of_the_same_name_twice_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MSGAUGE_KERNELS", str(tmp_path))
    (tmp_path / "one.hpp").write_text(GOOD)
    (tmp_path / "two.hpp").write_text(GOOD)
    with pytest.raises(ConfigError, match="twice"):
        load_kernels()


def test_a_folder_that_is_not_there_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MSGAUGE_KERNELS", str(tmp_path / "absent"))
    with pytest.raises(ConfigError, match="no folder"):
        load_kernels()


def test_the_shipped_kernels_state_what_they_move() -> None:
    kernels = load_kernels()
    assert {"pingpong", "stream", "exchange", "bcast"} <= kernels.keys()
    assert bytes_moved(kernels["pingpong"], 1024, 2) == 1024
    assert kernels["bcast"].collective
