"""Every kernel has a page, or a heading on one, that says what is timed and what the number means and does not."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from msgauge.discovery import kernel_index
from msgauge.kernels import load_kernels

PAGES = Path(__file__).parents[2] / "docs" / "reference" / "kernels"
SHARED = ("collectives.md", "one-sided.md")
LEADS = (r"\*\*Timed\.\*\*", r"\*\*The numbers?\.\*\*", r"\*\*Not\.\*\*", r"\*\*Source\.\*\*", r"\*\*Others")
KERNELS = load_kernels()


def own_text(name: str) -> tuple[str, str]:
    """The whole of what is said about a kernel, and the part that is about it alone."""
    page = PAGES / f"{name}.md"
    if page.exists():
        return page.read_text(encoding="utf-8"), page.read_text(encoding="utf-8")
    for shared in SHARED:
        head, *sections = re.split(r"^## ", (PAGES / shared).read_text(encoding="utf-8"), flags=re.MULTILINE)
        for section in sections:
            if name in section.partition("\n")[0].split(" and "):
                return head + section, section
    return "", ""


@pytest.mark.parametrize("name", sorted(KERNELS))
def test_every_kernel_is_explained(name: str) -> None:
    whole, own = own_text(name)
    assert whole, f"no page docs/reference/kernels/{name}.md and no heading for {name} on {' or '.join(SHARED)}"
    missing = [lead for lead in LEADS if not re.search(lead, whole)]
    assert not missing
    assert re.search(LEADS[0], own)
    assert re.search(LEADS[4], own), "what other suites measure under that name"
    assert re.search(r"OMB|osu_|IMB|IMB-|Netgauge|suite", own)
    if whole != own:
        assert f"Moves `{KERNELS[name].bytes_moved}`" in own, "the formula of the bytes is the kernel's own"
    for option in KERNELS[name].options:
        assert f"`{option.name}`" in whole or f"`{option.name}=" in whole, f"option {option.name} is not explained"


@pytest.mark.parametrize("name", sorted(KERNELS))
def test_the_numbers_of_a_kernel_are_named(name: str) -> None:
    """Every series beside the compared time has its word on the page, or on the one whose numbers are the same."""
    whole, _ = own_text(name)
    whole += "".join(own_text(other)[0] for other in re.findall(r"\b(?:As|those of) \[([a-z-]+)\]\(", whole))
    for series in KERNELS[name].series:
        assert series == "time" or f"`{series}`" in whole or f"`{series} " in whole, series


def test_the_index_leads_to_every_kernel() -> None:
    index = (PAGES / "README.md").read_text(encoding="utf-8")
    for name in KERNELS:
        assert name in index or (name.startswith("i") and name[1:] in index), name
    linked = set(re.findall(r"\]\(([a-z-]+\.md)\)", index))
    assert linked == {page.name for page in PAGES.glob("*.md")} - {"README.md"}


def test_the_list_of_all_kernels_is_made_from_their_headers() -> None:
    remedy = "run: python -m msgauge.discovery.kernel_index docs/reference/kernels"
    assert (PAGES / "README.md").read_text(encoding="utf-8") == kernel_index.write_index(PAGES), remedy


def test_what_is_explained_exists() -> None:
    """No page of a kernel that is gone."""
    for page in PAGES.glob("*.md"):
        assert page.stem in KERNELS or page.name in (*SHARED, "README.md")
