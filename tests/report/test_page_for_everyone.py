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
from planted_runs import LAWS, eventful_run, paper_run, study_run
from simulated_histories import simulate_history

from msgauge import cli
from msgauge.analysis.between_runs.history import trace_history
from msgauge.report import page, view
from msgauge.report.history_page import render_history
from msgauge.report.template import asset
from msgauge.results.run_folder import RunFolder

pytestmark = pytest.mark.skipif(Browser.program() is None, reason="no Chromium on this machine")
SERIOUS = {"serious", "critical"}
MANY = 14
NUMBERS = (len(LAWS), 9, MANY)
"""Stacks of a page."""
GUIDANCE = (
    "pingpong, sendrecv, exchange (2 processes): intelmpi@2021.18.1 up to 1 KiB, openmpi@5.0.11 from 64 KiB; "
    "not resolved at 16 KiB (intelmpi@2021.18.1 or openmpi@5.0.11).",
    "stream (2 processes): openmpi@5.0.11 at every size.",
    "bcast (2 processes): not resolved: 4 stacks may be the fastest.",
    "allreduce (4 processes): mpich@4.0.2 up to 4 KiB; not resolved at 64 KiB, 1 MiB (5 stacks may be the fastest).",
    "3 more lines in the tables: * marks what may be the fastest of each test",
)
"""As many lines as there can be."""


MACHINE = {
    "msgauge": "0.1.0", "host": "node17.cluster.example.org", "system": "Linux 6.1.0-18-amd64 x86_64",
    "distribution": "Debian GNU/Linux 12 (bookworm)", "cpu_model": "Intel(R) Xeon(R) Gold 6338 CPU @ 2.00GHz",
    "processors": 128, "allowed_processors": list(range(64)), "physical_cores": 64, "packages": 2, "smt": True,
    "isolated_processors": "32-63", "clocksource": "tsc", "invariant_tsc": True, "governors": ["performance"],
    "turbo": False, "load": [3.41, 3.23, 3.45], "running_threads": 3, "steal": 0.002981,
    "memory_bytes": 25276510208, "memory_available_bytes": 23663398912, "swap_used_bytes": 0,
    "shared_memory_free_bytes": 25276510208, "cpu_quota": 2.0, "memory_limit_bytes": 25276510208,
    "autogroup": True, "hypervisor": "yes", "container": "docker",
}  # fmt: skip
"""As many facts as a machine states about itself."""


def many_stacks(run: RunFolder, number: int = MANY) -> view.RunView:
    """The view of a run, its first stack standing in again under other names until there are so many."""
    found = view.load(run)
    first = found.plan.stacks[0]
    names = [f"mpi4py@4.1.2+intelmpi-2021.{one}" for one in range(number - len(found.plan.stacks))]
    summary = found.analysis.summary
    assert summary is not None
    row = next(one for one in summary.stacks if one.stack == first)
    copies = [evolve(one, stack=name) for one in found.analysis.estimates if one.stack == first for name in names]
    analysis = evolve(
        found.analysis,
        estimates=(*found.analysis.estimates, *copies),
        summary=evolve(
            summary, guidance=GUIDANCE, stacks=(*summary.stacks, *(evolve(row, stack=name) for name in names))
        ),
    )
    plan = evolve(found.plan, stacks=(*found.plan.stacks, *names))
    return evolve(found, plan=plan, analysis=analysis, machine=MACHINE)


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[int, Path]:
    place = tmp_path_factory.mktemp("pages")
    run = study_run(place, "quick", list(LAWS))
    written = {number: place / f"{number}.html" for number in NUMBERS}
    for number, path in written.items():
        path.write_text(page.render(many_stacks(run, number)), encoding="utf-8")
    return written


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


def test_a_guideline_is_a_line_and_not_a_column_of_words(browser: Browser, pages: dict[int, Path]) -> None:
    """Name and sentence are two lines where there is room; five they were, beside three columns of empty space."""
    browser.look(width=1280)
    browser.open(pages[len(LAWS)])
    heights = browser.evaluate(
        "[...document.querySelectorAll('.guidelines tbody th')].map(one => one.getBoundingClientRect().height"
        " / parseFloat(getComputedStyle(one).lineHeight))"
    )
    assert heights and max(heights) < 3


def test_a_short_name_of_a_stack_is_not_broken_where_there_is_room(browser: Browser, tmp_path: Path) -> None:
    cells = "<th scope=col>Stack</th>" + "<th scope=col>Time per worker</th>" * 5
    row = "<th scope=row>tcp<wbr>@1</th><td>8 B</td>" + "<td>18.0 µs</td>" * 4
    table = f"<table class='pivot programs'><thead><tr>{cells}</tr></thead><tbody><tr>{row}</tr></tbody></table>"
    path = tmp_path / "table.html"
    path.write_text(f"<meta charset=utf-8><style>{asset('page.css')}</style><main>{table}</main>", encoding="utf-8")
    for width in WIDTHS:
        browser.look(width=width)
        browser.open(path)
        heights = browser.evaluate(
            "[...document.querySelectorAll('tbody tr > *')].map(one => one.firstChild).map(text => {"
            "const range = document.createRange(); range.selectNodeContents(text.parentNode);"
            "return range.getBoundingClientRect().height})"
        )
        assert heights[0] < 1.5 * heights[1], width


@pytest.mark.parametrize("width", WIDTHS)
def test_no_word_of_an_index_of_runs_is_broken_and_it_stays_a_table(
    browser: Browser, other_pages: dict[str, Path], width: int
) -> None:
    browser.look(width=width)
    browser.open(other_pages["site"])
    letters = "document.createRange()"
    broken = browser.evaluate(
        f"(() => {{ const range = {letters}; return [...document.querySelectorAll('.runs th, .runs td')].filter(one => "
        "one.getBoundingClientRect().width > 2).flatMap(one => [...one.childNodes].filter(each => each.nodeType === 3))"
        ".flatMap(text => [...text.data.matchAll(/[A-Za-z]{3,}/g)].filter(word => { range.setStart(text, word.index);"
        "range.setEnd(text, word.index + word[0].length); return range.getClientRects().length > 1; })"
        ".map(word => word[0])); })()"
    )
    assert broken == []
    roles = [
        node["role"]["value"] for node in browser.send("Accessibility.getFullAXTree")["nodes"] if not node["ignored"]
    ]
    assert roles.count("columnheader") == 5


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


@pytest.mark.parametrize("is_eventful", [False, True])
def test_no_column_of_all_numbers_is_cut_on_paper(
    browser: Browser, pages: dict[int, Path], tmp_path: Path, is_eventful: bool
) -> None:
    """Printed crosswise on A4: 297 mm less the margins, at 96 px to the inch; tests differ in mode."""
    page = eventful_run(tmp_path, "quick").path / "report.html" if is_eventful else pages[len(LAWS)]
    browser.look(width=round((297 - 20) / 25.4 * 96))
    browser.open(page)
    titles = browser.evaluate("[...document.querySelectorAll('#numbers th')].map(one => one.textContent)")
    assert "Mode" in titles
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


@pytest.mark.parametrize("stacks", NUMBERS)
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


LAYOUT = """(() => {
  const box = one => one.getBoundingClientRect();
  const shown = [...document.querySelectorAll(".decision, .decision *, .guidance *")].filter(one =>
    !one.classList.contains("hidden") && [...one.childNodes].some(each => each.nodeType === 3 && each.data.trim()));
  const rows = [...document.querySelectorAll(".decision tr")];
  const meet = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  return {
    top: box(document.querySelector(".decision")).top,
    bottom: box(document.querySelector(".guidance")).bottom,
    lines: document.querySelectorAll(".guidance li").length,
    right: Math.max(...shown.map(one => box(one).right)),
    smallest: Math.min(...shown.map(one => parseFloat(getComputedStyle(one).fontSize))),
    cut: [...document.querySelectorAll(".decision, .decision *")].filter(one => !one.closest(".hidden") &&
      getComputedStyle(one).display !== "inline" && one.scrollWidth > one.clientWidth + 1).length,
    meeting: rows.filter(row => [...row.cells].some((one, at) =>
      [...row.cells].slice(at + 1).some(other => meet(box(one), box(other))))).length,
    page: document.documentElement.scrollWidth,
    table: (one => one.scrollWidth - one.clientWidth)(document.querySelector(".decision").parentNode),
  };
})()"""
LEAST_PX = 11.5


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("stacks", NUMBERS)
def test_the_decision_is_whole_readable_and_within_the_first_screen(
    browser: Browser, pages: dict[int, Path], stacks: int, width: int, dark: bool
) -> None:
    browser.look(width=width, height=900, dark=dark)
    browser.open(pages[stacks])
    found = browser.evaluate(LAYOUT)
    assert browser.evaluate("document.querySelectorAll('.decision tbody tr').length") == stacks
    assert found["lines"] == len(GUIDANCE)
    assert 0 < found["top"] < found["bottom"] <= 900
    assert found["right"] <= width
    assert found["page"] <= width
    assert (found["table"], found["cut"], found["meeting"]) == (0, 0, 0), "a cell is cut or lies over another one"
    assert found["smallest"] >= LEAST_PX


def test_a_table_that_is_cut_small_or_overlapping_is_noticed(browser: Browser, pages: dict[int, Path]) -> None:
    browser.look(width=500, height=900)
    browser.open(pages[MANY])
    for rule, noticed in (
        (".decision td{font-size:24px!important;white-space:nowrap!important}", lambda found: found["table"] > 0),
        (".decision small{font-size:9px!important}", lambda found: found["smallest"] < LEAST_PX),
        (".decision .mean{grid-area:1/1/2/-1!important}", lambda found: found["meeting"] > 0),
        (".decision td{line-height:2!important}", lambda found: found["bottom"] > 900),
    ):
        browser.evaluate(
            "(() => { const one = document.createElement('style'); one.id = 'bad';"
            f"one.textContent = {json.dumps(rule)}; document.head.append(one); }})()"
        )
        assert noticed(browser.evaluate(LAYOUT)), rule
        browser.evaluate("document.getElementById('bad').remove()")


def test_sections_are_folded_on_a_narrow_screen_and_listed_on_a_wide_one(
    browser: Browser, pages: dict[int, Path]
) -> None:
    listed = "[...document.querySelectorAll('nav a')].filter(one => one.checkVisibility()).length"
    sections = "document.querySelectorAll('main section').length"
    browser.look(width=1280)
    browser.open(pages[len(LAWS)])
    assert browser.evaluate(listed) == browser.evaluate(sections)
    browser.look(width=500)
    browser.settle()
    assert browser.evaluate(listed) == 0
    browser.evaluate("document.querySelector('.menu > summary').click()")
    browser.settle()
    assert browser.evaluate(listed) == browser.evaluate(sections)
    assert browser.evaluate(
        "[...document.querySelectorAll('nav a')].every(one => one.getBoundingClientRect().right <= 500)"
    )


def test_the_table_of_the_decision_is_a_table_to_a_screen_reader_at_every_width(
    browser: Browser, pages: dict[int, Path]
) -> None:
    for width in WIDTHS:
        browser.look(width=width)
        browser.open(pages[len(LAWS)])
        nodes = browser.send("Accessibility.getFullAXTree")["nodes"]
        roles = [node["role"]["value"] for node in nodes if not node["ignored"]]
        assert roles.count("rowheader") >= len(LAWS), width
        assert roles.count("columnheader") >= 6, width


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("stacks", NUMBERS)
def test_no_two_stacks_have_one_colour_in_a_legend(
    browser: Browser, pages: dict[int, Path], stacks: int, dark: bool
) -> None:
    browser.look(width=1280, dark=dark)
    browser.open(pages[stacks])
    inks = browser.evaluate(
        "[...document.querySelector('.legend').querySelectorAll('button')].map(one => "
        "getComputedStyle(one.querySelector('path:last-child')).fill)"
    )
    assert len(inks) == stacks == len(set(inks))
