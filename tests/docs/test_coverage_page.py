"""docs/reference/coverage.md is what the code says."""

from __future__ import annotations

from pathlib import Path

from msgauge import coverage
from msgauge.stacks.registry import families

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "coverage.md"


def test_the_coverage_page_is_up_to_date() -> None:
    remedy = "run: python -m msgauge.coverage docs/reference/coverage.md"
    assert PAGE.read_text(encoding="utf-8") == coverage.page(), remedy


def test_every_family_has_a_column_and_every_word_a_row() -> None:
    lines = coverage.page().splitlines()
    (titles,) = [line for line in lines if line.startswith("| operation |")]
    assert [word.strip() for word in titles.split("|")[2:-1]] == sorted(families())
    rows = {line.split("`")[1] for line in lines if line.startswith("| `")}
    assert rows == set(coverage.words())
    known = {word for family in ("openmpi", "tcp", "lam") for word in families()[family].capabilities(None)}  # type: ignore[arg-type]
    assert known <= rows, "a word that a header names and nothing proves"


def test_what_is_absent_native_and_emulated_is_told_apart() -> None:
    found = families()
    cells = {
        (name, word): coverage.how(found[name], None, word) for name in ("tcp", "lam") for word in coverage.words()
    }  # type: ignore[arg-type]
    assert cells["tcp", "bcast"] == coverage.BUILT
    assert cells["tcp", "put"] == coverage.ABSENT
    assert cells["lam", "bcast"] == coverage.NATIVE
    assert cells["lam", "fetch_op"] == coverage.ABSENT
