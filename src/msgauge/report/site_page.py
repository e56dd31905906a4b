"""The index of many runs: one static page with the runs, their machines and stacks, linked to the page of each."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from urllib.parse import quote

from attrs import frozen
from markupsafe import Markup

from msgauge import __version__
from msgauge.model import Analysis, Plan
from msgauge.report.template import asset, fill

INDEX = "index"
"""The name of the index, without its ending: no page of a run may have it."""


@frozen
class SiteEntry:
    """One run of the site; ``page`` is the name of its file beside the index."""

    name: str
    page: str
    study: str
    machine: str
    started: str
    stacks: tuple[str, ...]
    rounds: int
    sentence: str
    """Its first line of advice, or its weightiest finding."""

    @property
    def link(self) -> str:
        """The address of its page, relative to the index."""
        return quote(os.fsencode(self.page), safe="")


@frozen
class SiteGroup:
    """A machine, or a stack, and the runs that have it."""

    name: str
    entries: tuple[SiteEntry, ...]


def name_page(name: str, names: Collection[str]) -> str:
    """The file of the page of a run; ``names``: of all runs, none of whose pages nor the index it may replace."""
    stem = name
    while stem == INDEX or (stem != name and stem in names):
        stem += "-run"
    return f"{stem}.html"


def make_entry(
    named: tuple[str, str], plan: Plan, analysis: Analysis, machine: Mapping[str, object], started: str
) -> SiteEntry:
    """What the index says of a run; ``named``: its name, and the file of its page."""
    guidance = analysis.summary.guidance if analysis.summary else ()
    sentence = guidance[0] if guidance else analysis.findings[0].sentence if analysis.findings else ""
    here = ", ".join(str(machine[key]) for key in ("host", "cpu_model") if machine.get(key))
    return SiteEntry(*named, analysis.study, here or "not recorded", started, plan.stacks, analysis.rounds, sentence)


def render_index(entries: Sequence[SiteEntry], unread: Mapping[str, str] | None = None) -> str:
    """The index, the latest run first; it asks no server for anything.

    ``unread``: why a run, by its name, has no page.
    """
    ordered = sorted(entries, key=lambda one: (one.started, one.name), reverse=True)
    return fill(
        "site.html",
        entries=ordered,
        unread=unread or {},
        machines=_group(ordered, lambda one: (one.machine,)),
        stacks=_group(ordered, lambda one: one.stacks),
        style=Markup(asset("page.css")),
        policy="default-src 'none'; style-src 'unsafe-inline'; img-src data:",
        version=__version__,
    )


def _group(entries: Sequence[SiteEntry], names: Callable[[SiteEntry], Sequence[str]]) -> list[SiteGroup]:
    found: dict[str, list[SiteEntry]] = {}
    for one in entries:
        for name in names(one):
            found.setdefault(name, []).append(one)
    return [SiteGroup(name, tuple(found[name])) for name in sorted(found)]
