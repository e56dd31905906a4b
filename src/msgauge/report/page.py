"""One self-contained HTML page of a run: works offline, asks nobody for anything, small enough to mail.

A section of the page is one file in ``sections/`` with ``order``, ``title``, ``applies(view)`` and ``render(view)``;
being in the folder is all it takes. Sections return safe markup; every name in it goes through autoescaping. Each
section declares itself what it leaves out of a large page, and from which level of detail on (``omissions(view)``).
"""

from __future__ import annotations

from types import ModuleType

from attrs import evolve, frozen
from markupsafe import Markup

from msgauge.report import phrasing, sections
from msgauge.report.detail import LEVELS
from msgauge.report.template import LIMIT_BYTES, fill_page
from msgauge.report.view import RunView

_ESTIMATES = (500, 700, 900)
"""Above each number of estimates the first level of ``view.detail`` that is tried is one higher."""


@frozen
class Part:
    """One rendered section."""

    key: str
    title: str
    body: Markup
    brief: bool = False
    """Part of the printed summary."""


def render(view: RunView) -> str:
    """The page of a run. A large run is shown in less detail, and the page names what is left out."""
    count = len(view.analysis.estimates)
    first = max(view.detail, sum(count > most for most in _ESTIMATES))
    shared_from = sections.first_level_of_shared_room()
    for detail in LEVELS[first:]:
        fit = _fit_to_limit if detail >= shared_from else _render
        text = fit(evolve(view, detail=detail))
        if len(text.encode()) <= LIMIT_BYTES:
            break
    return text


def _fit_to_limit(view: RunView) -> str:
    """The page in which sections that share the room get what the other sections leave of it."""
    bare = _render(evolve(view, room_bytes=0.0))
    room = LIMIT_BYTES - len(bare.encode())
    if room <= 0:
        return bare
    full = _render(evolve(view, room_bytes=float(room)))
    return full if len(full.encode()) <= LIMIT_BYTES else bare


def _render(view: RunView) -> str:
    return fill_page(
        "page.html",
        view=view,
        heading=describe_stacks(view),
        study=phrasing.plain(view.analysis.study),
        title=phrasing.plain(view.plan.title),
        span=phrasing.describe_extent(view),
        ending=phrasing.describe_ending(view.analysis),
        left_out=list_omissions(view),
        parts=[_part(module, view) for module in sections.every() if module.applies(view)],
    )


def describe_stacks(view: RunView) -> str:
    """``5 message-passing stacks compared``; ``3 of 5 ...`` where the others gave no result."""
    planned = len(view.plan.stacks)
    there = len({one.stack for one in view.analysis.estimates if one.median_ns > 0})
    if planned == 1 or there == 1:
        return f"One message-passing stack{f' of {planned}' if planned > 1 else ''} measured"
    count = f"{there} of {planned}" if there < planned else f"{planned}"
    return f"{count} message-passing stacks compared"


def list_omissions(view: RunView) -> tuple[str, ...]:
    """What the sections of a run's page leave out at its level of detail, as it is called on the page."""
    stated = [omission for module in sections.every() for omission in sections.omissions_of(module, view)]
    return tuple(one.what for one in stated if one.holds_at(view.detail))


def _part(module: ModuleType, view: RunView) -> Part:
    key = module.__name__.rpartition(".")[2].replace("_", "-")
    return Part(key, module.title, module.render(view), getattr(module, "brief", False))
