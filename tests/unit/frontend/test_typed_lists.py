"""Claims about lists that are typed: all options read them alike, and what a script left out is not passed over."""

from __future__ import annotations

from pathlib import Path

import pytest

from msgauge import cli
from msgauge.errors import UsageError
from msgauge.frontend.study_options import StudyOptions, make_study, parse_ranks
from msgauge.frontend.typed_lists import read_list
from msgauge.kernels import load_kernels

KERNELS = load_kernels()


@pytest.mark.parametrize("gap", ["{0},", ",{0}", "{0},,{0}", "{0}, ,{0}"])
@pytest.mark.parametrize(
    ("name", "word"), [("stacks", "fake[L=2us,G=1]"), ("kernels", "pingpong"), ("sizes", "8"), ("ranks", "2")]
)
def test_a_comma_with_nothing_beside_it_is_refused_by_every_list(name: str, word: str, gap: str) -> None:
    with pytest.raises(UsageError, match=f"--{name} .* has a comma with nothing beside it") as caught:
        make_study("quick", StudyOptions(**{name: gap.format(word)}), KERNELS)
    assert "variable that is not set" in caught.value.remedy and repr(word)[:-1] in caught.value.remedy


@pytest.mark.parametrize(
    "words",
    [
        ["show", "RUN", "--kernels", "pingpong,"],
        ["diff", "RUN", "RUN", "--reference", "tcp,"],
        ["figures", "RUN", "--formats", "svg,,pdf"],
        ["paper", "NAME", "--systems", "pvm,"],
        ["paper", "NAME", "--stacks", ",tcp"],
        ["paper", "NAME", "--ranks", "2,"],
        ["model", "--stacks", "fake,", "--try-setting", "L=1us|2us"],
        ["kernels", "pingpong,"],
    ],
)
def test_commands_that_measure_nothing_refuse_it_alike(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main([str(tmp_path) if word == "RUN" else word for word in words]) == 2
    assert "has a comma with nothing beside it" in capsys.readouterr().err


def test_blanks_stand_around_words_and_commas_inside_of_brackets() -> None:
    assert read_list("--stacks", " fake[L=2us,G=1] , tcp") == ["fake[L=2us,G=1]", "tcp"]
    assert read_list("--stacks", "") == []
    with pytest.raises(UsageError, match="names nothing"):
        read_list("--reference", " ")


@pytest.mark.parametrize("text", ["4-2", "1e3", "0x10", "٢", "²", "2_0", "+2", "2..4", "2 4", "9" * 5000])
def test_only_numbers_are_numbers_of_processes(text: str) -> None:
    with pytest.raises(UsageError, match="cannot read --ranks") as caught:
        parse_ranks(text)
    assert caught.value.remedy and len(str(caught.value)) < 200


@pytest.mark.parametrize("text", ["٢", "2_0", "1e3", "0x10", "3.5", "9" * 5000])
@pytest.mark.parametrize(
    "words",
    [
        ("plan", "pingpong", "--stacks", "fake", "--rounds"),
        ("doctor", "--quick", "--ranks"),
        ("lab", "up", "no-such-network", "--hosts"),
        ("lab", "up", "no-such-network", "--switches"),
    ],
)
def test_only_digits_are_whole_numbers(words: tuple[str, ...], text: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main([*words, text]) == 2
    said = capsys.readouterr().err
    assert "is no whole number" in said and f"remedy: write for example {words[-1]} 10" in said and len(said) < 300
