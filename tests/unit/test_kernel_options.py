"""What options do is said for every option of every shipped kernel, once, and of nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from msgauge.cli import main
from msgauge.kernel_options import SHARED
from msgauge.kernels import load_kernels
from msgauge.model import Option

KERNELS = load_kernels()
OPTIONS = {(kernel.name, option.name): option for kernel in KERNELS.values() for option in kernel.options}
SAY_THEMSELVES = {"algorithm", "op", "type"}
"""Their choices are names of algorithms, operators and types."""


def words_of(option: Option) -> set[str]:
    return {choice for choice in option.choices if choice[0].isalpha()}


@pytest.mark.parametrize("key", OPTIONS, ids=" ".join)
def test_every_option_is_explained_with_each_of_its_words(key: tuple[str, str]) -> None:
    option = OPTIONS[key]
    assert option.what
    if option.name not in SAY_THEMSELVES:
        assert {word for word in words_of(option) if word not in option.what} == set()


def test_nothing_is_explained_that_no_kernel_has() -> None:
    shared = {option.name for option in OPTIONS.values() if option.what == SHARED.get(option.name)}
    assert set(SHARED) == shared


def test_a_kernel_of_the_user_is_given_no_meaning_of_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = '.name = "mine", .title = "t", .meaning = "m", .source = "s", .options = "root=0|1",'
    (tmp_path / "mine.hpp").write_text(f"inline constexpr Facts facts{{ {text} }};\n")
    monkeypatch.setenv("MSGAUGE_KERNELS", str(tmp_path))
    assert load_kernels()["mine"].options == (Option("root", ("0", "1")),)


def test_an_option_that_many_kernels_share_is_explained_once(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["kernels"]) == 0
    printed = capsys.readouterr().out
    assert {what for what in SHARED.values() if printed.count(what) != 1} == set()
    assert "  n (matmul, matvec): rows and columns of the matrix" in printed
    assert "  block: bytes of a block" in printed


def test_one_kernel_is_shown_by_its_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["kernels", "overlap,pi"]) == 0
    printed = capsys.readouterr().out
    assert [line.split(":")[0] for line in printed.splitlines() if line[0:1].isalpha()] == [
        "overlap",
        "pi",
        "options; the first choice is the default",
    ]
    assert "  progress: none; or test" in printed
    assert main(["kernels", "pi", "--json"]) == 0
    assert '"what": "trapezoids"' in capsys.readouterr().out
    assert main(["kernels", "pingpog"]) == 2
    assert "did you mean 'pingpong'?" in capsys.readouterr().err
