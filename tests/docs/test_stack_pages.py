"""Every stack has a page, and the page names every variant that the code knows."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from msgauge.discovery import registry

PAGES = Path(__file__).parents[2] / "docs" / "reference" / "stacks"
FAMILIES = registry.families()
ELSEWHERE = {"fortran"}
"""Variants with a page of their own."""


@pytest.mark.parametrize("name", FAMILIES)
def test_a_page_says_how_to_get_a_stack_its_variants_and_its_traps(name: str) -> None:
    text = (PAGES / f"{name}.md").read_text(encoding="utf-8")
    words = {variant.word.rstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ") for variant in FAMILIES[name].variants()} - ELSEWHERE
    if name != "fake":  # its page tells of several parameters at once
        assert [word for word in sorted(words) if not re.search(rf"`[^`\n]*{re.escape(word.rstrip('='))}", text)] == []
    assert re.search(r"Get it|comes\s+with msgauge|Comes with msgauge|config\.toml", text)
    assert name == "fake" or "Traps:" in text
    assert name == "fake" or re.search(r"[Oo]ne host", text), "it does not say what it does on one host and on many"


def test_no_page_is_of_a_stack_that_is_not_there() -> None:
    assert {page.stem for page in PAGES.glob("*.md")} == set(FAMILIES) | ELSEWHERE
