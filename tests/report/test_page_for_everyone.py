"""The page for readers of every kind: nothing serious for axe-core, a printed summary of two pages, nothing cut.

axe-core is the rule set of the package axe-core-python, one script that runs inside the page.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve
from browser import Browser
from planted_runs import LAWS, paper_run, study_run
from simulated_histories import simulate_history

from msgauge import cli
from msgauge.analysis.history import trace_history
from msgauge.report import page, view
from msgauge.report.history_page import render_history
from msgauge.results.run_folder import RunFolder

pytestmark = pytest.mark.skipif(Browser.program() is None, reason="no Chromium on this machine")
SERIOUS = {"serious", "critical"}
MANY = 14


def many_stacks(run: RunFolder) -> view.RunView:
    """The view of a run, its first stack standing in again under other names until there are fourteen."""
    found = view.load(run)
    first = found.plan.stacks[0]
    names = [f"mpi4py@4.1.2+intelmpi-2021.{number}" for number in range(MANY - len(found.plan.stacks))]
    summary = found.analysis.summary
    assert summary is not None
    row = next(one for one in summary.stacks if one.stack == first)
    copies = [evolve(one, stack=name) for one in found.analysis.estimates if one.stack == first for name in names]
    analysis = evolve(
        found.analysis,
        estimates=(*found.analysis.estimates, *copies),
        summary=evolve(summary, stacks=(*summary.stacks, *(evolve(row, stack=name) for name in names))),
    )
    return evolve(found, plan=evolve(found.plan, stacks=(*found.plan.stacks, *names)), analysis=analysis)


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[int, Path]:
    place = tmp_path_factory.mktemp("pages")
    run = study_run(place, "quick", list(LAWS))
    large = place / "large.html"
    large.write_text(page.render(many_stacks(run)), encoding="utf-8")
    return {len(LAWS): run.path / "report.html", MANY: large}


KINDS = ("history", "paper", "site")
WIDTHS = (1280, 800, 500)


@pytest.fixture(scope="module")
def other_pages(pages: dict[int, Path], tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A page of each other kind, by its kind."""
    place = tmp_path_factory.mktemp("kinds")
    history = place / "history.html"
    runs = simulate_history(30, seed=1, stacks=("openmpi", "mpich"), steps={"openmpi": (20, 0.2)})
    history.write_text(render_history(trace_history(runs)), encoding="utf-8")
    assert cli.main(["site", str(pages[len(LAWS)].parent), "--output", str(place / "site")]) == 0
    paper = paper_run(place, "broxton-logp").path / "report.html"
    return {"history": history, "paper": paper, "site": place / "site" / "index.html"}


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with Browser(tmp_path_factory.mktemp("browser")) as started:
        yield started


def axe(browser: Browser) -> list[dict[str, Any]]:
    """What axe-core finds in the page that is open."""
    script = (resources.files("axe_core_python") / "axe.min.js").read_text(encoding="utf-8")
    browser.evaluate(f"{script}; 0")
    found = browser.evaluate("axe.run({resultTypes: ['violations']}).then(result => JSON.stringify(result.violations))")
    violations: list[dict[str, Any]] = json.loads(found)
    return violations


def list_serious(browser: Browser, path: Path, *, dark: bool) -> list[tuple[str, str, str]]:
    """What is serious to axe-core in a page with all that can be opened open."""
    browser.look(width=1280, dark=dark)
    browser.open(path)
    browser.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
    return [(one["id"], one["help"], one["nodes"][0]["html"][:200]) for one in axe(browser) if one["impact"] in SERIOUS]


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_axe_finds_nothing_serious_in_the_open_page(browser: Browser, pages: dict[int, Path], dark: bool) -> None:
    assert list_serious(browser, pages[len(LAWS)], dark=dark) == []


@pytest.mark.parametrize("kind", KINDS)
def test_axe_finds_nothing_serious_in_pages_of_other_kinds(
    browser: Browser, other_pages: dict[str, Path], kind: str
) -> None:
    assert list_serious(browser, other_pages[kind], dark=kind == "paper") == []


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("kind", KINDS)
def test_no_page_is_wider_than_its_screen_and_every_section_is_named_whole(
    browser: Browser, other_pages: dict[str, Path], kind: str, width: int
) -> None:
    browser.look(width=width)
    browser.open(other_pages[kind])
    assert browser.evaluate("document.documentElement.scrollWidth") <= width
    assert browser.evaluate(
        "[...document.querySelectorAll('nav a')].every(one => one.getBoundingClientRect().right <= innerWidth)"
    )


def test_a_page_of_a_paper_opens_with_its_claims(browser: Browser, other_pages: dict[str, Path]) -> None:
    browser.look(width=1280)
    browser.open(other_pages["paper"])
    headings = browser.evaluate("[...document.querySelectorAll('h2, h3')].map(one => one.textContent)")
    assert headings[:2] == ["The paper repeated", "Claims, tested on the data of this run"]


def count_pages(browser: Browser) -> int:
    printed = base64.b64decode(browser.send("Page.printToPDF", preferCSSPageSize=True)["data"])
    return len(re.findall(rb"/Type\s*/Page\b", printed))


def test_the_printed_summary_of_a_paper_is_two_pages_at_most(browser: Browser, other_pages: dict[str, Path]) -> None:
    browser.look(width=1280)
    browser.open(other_pages["paper"])
    assert count_pages(browser) <= 2


def test_no_column_of_all_numbers_is_cut_on_paper(browser: Browser, pages: dict[int, Path]) -> None:
    """Printed crosswise on A4: 297 mm less the margins, at 96 px to the inch."""
    browser.look(width=round((297 - 20) / 25.4 * 96))
    browser.open(pages[len(LAWS)])
    browser.evaluate("document.getElementById('print').click()")
    browser.send("Emulation.setEmulatedMedia", media="print")
    wide = browser.evaluate("document.getElementById('numbers').getBoundingClientRect().right - innerWidth")
    browser.send("Emulation.setEmulatedMedia", media="")
    assert wide <= 0


def test_axe_finds_what_is_wrong_in_a_bad_page(browser: Browser, tmp_path: Path) -> None:
    bad = tmp_path / "bad.html"
    bad.write_text('<html><body><img src="data:,"><button></button></body></html>')
    browser.open(bad)
    assert {"image-alt", "button-name"} <= {one["id"] for one in axe(browser)}


def test_tables_are_reached_by_keyboard_and_figures_are_described(browser: Browser, pages: dict[int, Path]) -> None:
    browser.open(pages[len(LAWS)])
    assert browser.evaluate(
        "[...document.querySelectorAll('.scroll')].every(one => one.tabIndex === 0 && one.ariaLabel)"
    )
    assert browser.evaluate("[...document.querySelectorAll('.drawing')].every(one => one.ariaLabel.length > 20)")
    assert browser.evaluate("[...document.querySelectorAll('table th')].every(one => one.scope)")


@pytest.mark.parametrize("stacks", [len(LAWS), MANY])
def test_the_printed_summary_is_two_pages_at_most(browser: Browser, pages: dict[int, Path], stacks: int) -> None:
    browser.look(width=1280)
    browser.open(pages[stacks])
    assert 1 <= count_pages(browser) <= 2


def test_the_whole_page_is_printed_by_choice_with_what_is_open(browser: Browser, pages: dict[int, Path]) -> None:
    browser.open(pages[len(LAWS)])
    shown = "[...document.querySelectorAll('section')].filter(one => getComputedStyle(one).display !== 'none').length"
    browser.send("Emulation.setEmulatedMedia", media="print")
    brief = browser.evaluate(shown)
    browser.evaluate("document.getElementById('print').click()")
    whole = browser.evaluate(shown)
    browser.send("Emulation.setEmulatedMedia", media="")
    assert 0 < brief < whole == browser.evaluate("document.querySelectorAll('section').length")


@pytest.mark.parametrize("stacks", [len(LAWS), MANY])
def test_the_table_of_the_decision_is_within_the_first_screen(
    browser: Browser, pages: dict[int, Path], stacks: int
) -> None:
    browser.look(width=1280, height=900)
    browser.open(pages[stacks])
    box = browser.evaluate(
        "(box => [box.top, box.bottom, box.right])(document.querySelector('.decision').getBoundingClientRect())"
    )
    assert 0 < box[0] < box[1] <= 900
    assert box[2] <= 1280
    assert browser.evaluate("document.querySelectorAll('.decision tbody tr').length") == stacks


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("stacks", [len(LAWS), MANY])
def test_no_column_of_the_decision_is_cut(browser: Browser, pages: dict[int, Path], stacks: int, width: int) -> None:
    browser.look(width=width)
    browser.open(pages[stacks])
    assert (
        browser.evaluate("(one => one.scrollWidth - one.clientWidth)(document.querySelector('.decision').parentNode)")
        <= 0
    )


def test_no_two_stacks_of_fourteen_have_one_colour_in_a_legend(browser: Browser, pages: dict[int, Path]) -> None:
    browser.open(pages[MANY])
    inks = browser.evaluate(
        "[...document.querySelector('.legend').querySelectorAll('button')].map(one => "
        "getComputedStyle(one.querySelector('path:last-child')).fill)"
    )
    assert len(inks) == MANY == len(set(inks))
