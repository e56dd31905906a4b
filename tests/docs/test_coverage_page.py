"""docs/reference/coverage.md is what the code says."""

from __future__ import annotations

from pathlib import Path

from msgauge.discovery import capability_matrix
from msgauge.stacks.base.families import families

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "coverage.md"


def test_the_coverage_page_is_up_to_date() -> None:
    remedy = "run: python -m msgauge.discovery.capability_matrix docs/reference/coverage.md"
    assert PAGE.read_text(encoding="utf-8") == capability_matrix.page(), remedy


def test_every_family_has_a_column_and_every_word_a_row() -> None:
    lines = capability_matrix.page().splitlines()
    (titles,) = [line for line in lines if line.startswith("| operation |")]
    assert [word.strip() for word in titles.split("|")[2:-1]] == sorted(families())
    rows = {line.split("`")[1] for line in lines if line.startswith("| `")}
    assert rows == set(capability_matrix.list_operations())
    known = {word for family in ("openmpi", "tcp", "lam") for word in families()[family].capabilities(None)}  # type: ignore[arg-type]
    assert known <= rows, "a word that a header names and nothing proves"


def test_what_is_absent_native_and_emulated_is_told_apart() -> None:
    found = families()
    cells = {
        (name, word): capability_matrix.find_support(found[name], None, word)
        for name in ("tcp", "lam")
        for word in capability_matrix.list_operations()
    }  # type: ignore[arg-type]
    assert cells["tcp", "bcast"] == "emulated"
    assert cells["tcp", "put"] == "absent"
    assert cells["lam", "bcast"] == "native"
    assert cells["lam", "fetch_op"] == "absent"
