"""The page in a real browser: no script error, no request, figures drawn, table sorted, no sideways scrolling."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from browser import Browser
from planted_runs import study_run
from report_example import example_view

from msgauge.report import page

pytestmark = pytest.mark.skipif(Browser.program() is None, reason="no Chromium on this machine")
COLUMN = "[...document.querySelectorAll('#numbers tbody tr')].map(row => row.cells[{}].textContent)"


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "report.html"
    path.write_text(page.render(example_view(stacks=6)), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with Browser(tmp_path_factory.mktemp("browser")) as started:
        yield started
    assert not started.left_behind(), "a process of the browser was left behind"


@pytest.fixture
def opened(browser: Browser, written: Path) -> Browser:
    browser.look(width=1280)
    browser.open(written)
    return browser


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("dark", [False, True])
def test_the_page_loads_without_an_error_or_a_request_in_any_look(
    browser: Browser, written: Path, width: int, dark: bool
) -> None:
    browser.look(width=width, dark=dark)
    browser.open(written)
    assert browser.errors == []
    assert browser.requests == [written.as_uri()]


def test_the_browser_of_these_tests_notices_errors_and_requests(browser: Browser, tmp_path: Path) -> None:
    bad = tmp_path / "bad.html"
    bad.write_text('<img src="missing.png"><script>nothing.there()</script>')
    browser.open(bad)
    assert any("nothing is not defined" in error for error in browser.errors)
    assert any(url.endswith("missing.png") for url in browser.requests)


@pytest.mark.parametrize("width", [1280, 390])
def test_figures_are_drawn_and_seen(browser: Browser, written: Path, width: int) -> None:
    browser.look(width=width)
    browser.open(written)
    seen = browser.evaluate(
        "[...document.querySelectorAll('.drawing')].map(d => [...d.querySelectorAll('svg')]"
        ".filter(s => s.getBoundingClientRect().width > 200 && s.querySelectorAll('path').length > 4).length)"
    )
    assert len(seen) >= 15
    assert set(seen) == {1}, "each figure is drawn once for this width"


@pytest.mark.parametrize("width", [320, 390, 768, 1280])
def test_the_page_never_scrolls_sideways(browser: Browser, written: Path, width: int) -> None:
    browser.look(width=width)
    browser.open(written)
    browser.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
    assert browser.evaluate("document.documentElement.scrollWidth") <= width


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return study_run(tmp_path_factory.mktemp("models"), "model", ("openmpi",), rounds=6).path / "report.html"


CUT = "[...document.querySelectorAll('#models .block > .scroll')].map(one => one.scrollWidth - one.clientWidth)"
"""By how many pixels each table of parameters is wider than its place."""


def test_no_parameter_of_a_model_is_cut_off_on_a_wide_screen(browser: Browser, models: Path) -> None:
    """Of what limits a stack half a word was seen; the ends of an interval stand below each other where it is long."""
    browser.look(width=1280)
    browser.open(models)
    cut = browser.evaluate(CUT)
    assert cut
    assert max(cut) <= 0
    browser.evaluate("document.querySelectorAll('.interval span').forEach(end => end.textContent = '-0.00213 ns/B')")
    assert max(browser.evaluate(CUT)) <= 0


def test_the_table_sorts_by_number_both_ways_and_says_so(opened: Browser) -> None:
    opened.evaluate("document.querySelectorAll('#numbers th button')[4].click()")
    sizes = opened.evaluate(COLUMN.format(4))
    assert sizes[0] == "0 B"
    assert sizes.index("8 B") < sizes.index("64 B") < sizes.index("1 KiB")
    opened.evaluate("document.querySelectorAll('#numbers th button')[4].click()")
    assert opened.evaluate(COLUMN.format(4))[0] == "64 MiB"
    assert opened.evaluate("document.querySelectorAll('#numbers th')[4].getAttribute('aria-sort')") == "descending"
    assert opened.errors == []


def test_the_table_can_be_filtered(opened: Browser) -> None:
    opened.evaluate("document.getElementById('filter').value = 'stream tcp'")
    opened.evaluate("document.getElementById('filter').dispatchEvent(new Event('input'))")
    assert set(opened.evaluate(COLUMN.format(1))) == {"stream"}
    assert "of" in opened.evaluate("document.getElementById('shown').textContent")


@pytest.mark.parametrize("form", ["csv", "json"])
def test_the_table_can_be_downloaded(opened: Browser, form: str) -> None:
    opened.evaluate(
        "window.saved = null; const make = URL.createObjectURL; URL.createObjectURL = blob => { window.saved = blob;"
        "return make.call(URL, blob); };"
        "HTMLAnchorElement.prototype.click = function() { window.named = this.download; }"
    )
    opened.evaluate(f"document.getElementById('{form}').click()")
    text = opened.evaluate("window.saved.text()")
    view = example_view(stacks=6)
    if form == "csv":
        rows = list(csv.DictReader(io.StringIO(text)))
        assert float(rows[0]["median_ns"]) == pytest.approx(view.analysis.estimates[0].median_ns, rel=1e-4)
    else:
        import json

        rows = json.loads(text)
    assert len(rows) == len(view.analysis.estimates)
    assert opened.evaluate("window.named") == f"{view.name}.{form}"


def test_the_pointer_is_told_what_it_is_over(opened: Browser) -> None:
    opened.evaluate("document.querySelector('.wide path[aria-label]').scrollIntoView({block: 'center'})")
    opened.settle()
    spot = opened.evaluate(
        "(() => { const b = document.querySelector('.wide path[aria-label]').getBoundingClientRect();"
        "return [b.left + b.width / 2, b.top + b.height / 2]; })()"
    )
    opened.send("Input.dispatchMouseEvent", type="mouseMoved", x=spot[0] + 2, y=spot[1] + 2)
    tip = opened.evaluate("document.getElementById('tip').hidden ? '' : document.getElementById('tip').textContent")
    assert "launches" in tip
    assert "0 B" in tip


def test_pressing_a_stack_dims_the_others_and_again_shows_all(opened: Browser) -> None:
    button = "document.querySelector('#measurements .legend button')"
    opened.evaluate(f"{button}.click()")
    dimmed = "document.querySelectorAll('figure .dim').length"
    assert opened.evaluate(dimmed) > 20
    assert opened.evaluate(f"{button}.getAttribute('aria-pressed')") == "true"
    opened.evaluate(f"{button}.click()")
    assert opened.evaluate(dimmed) == 0


def test_the_reader_can_switch_between_light_and_dark(opened: Browser) -> None:
    ground = "getComputedStyle(document.body).backgroundColor"
    light = opened.evaluate(ground)
    opened.evaluate("document.getElementById('theme').click()")
    assert opened.evaluate(ground) != light
    opened.evaluate("document.getElementById('theme').click()")
    assert opened.evaluate(ground) == light
    opened.evaluate("localStorage.clear()")
