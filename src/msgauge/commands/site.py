"""``msgauge site``: one static site of many runs, for a group or a course; no server."""

from __future__ import annotations

from pathlib import Path

from msgauge import evaluation
from msgauge.analysis.between_runs.run_levels import list_runs
from msgauge.errors import StoreError, UsageError
from msgauge.frontend.last_run import RUNS
from msgauge.report import json_output
from msgauge.report.phrasing import plain
from msgauge.report.terminal.console import print_warning
from msgauge.results.publishing import make_output_folder, publish_output


def site(*runs: Path, output: Path = Path("site"), json: bool = False) -> int:
    """Write a static site of many runs: an index, and the page of each run.

    A run that cannot be read has no page; the index says so, and the exit code is 4. The page of a run has its name;
    that of one called index is index-run.html.

    Parameters
    ----------
    runs
        Folders of runs, or folders that hold them (runs/ when left out).
    output
        The folder of the site; its pages work from a disk or any web server.
    json
        Print the index and the pages as JSON.
    """
    from msgauge.report.site_page import INDEX, SiteEntry, make_entry, name_page, render_index

    paths = list_runs(runs or (RUNS,))
    names = [path.resolve().name for path in paths]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise UsageError(f"two runs are called {', '.join(twice)}", remedy="rename the folder of one of them")
    make_output_folder(output)
    entries, pages, unread = list[SiteEntry](), list[Path](), dict[Path, StoreError]()
    for path, name in zip(paths, names, strict=True):
        try:
            folder, analysis = evaluation.reanalyse(path)
        except StoreError as error:
            unread[path] = error
            continue
        evaluation.keep_if_possible(folder, analysis)
        page = name_page(name, names)
        pages.append(evaluation.write_page(folder, output / page))
        started = min((record.started for record in folder.dataset.records if record.started), default="")
        entries.append(make_entry((name, page), folder.plan, analysis, folder.machine, started))
    if unread and not entries:
        raise next(iter(unread.values()))
    for path, why in unread.items():
        print_warning(plain(f"{path} has no page: {why}"))
    index = output / f"{INDEX}.html"
    reasons = {path.resolve().name: why.what for path, why in unread.items()}
    publish_output(index, render_index(entries, reasons).encode(errors="backslashreplace"))
    if json:
        found = {
            "index": str(index.absolute()),
            "pages": [str(page.absolute()) for page in pages],
            "unread": [{"run": str(path.absolute()), "reason": str(why)} for path, why in unread.items()],
        }
        print(json_output.text(found))
    else:
        print(index)
    return 4 if unread else 0
