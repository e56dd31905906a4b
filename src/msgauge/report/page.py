"""One self-contained HTML page of a run: works offline, asks nobody for anything, small enough to mail.

A section of the page is one file in ``sections/`` with ``order``, ``title``, ``applies(view)`` and ``render(view)``;
being in the folder is all it takes. Sections give back safe markup; every name that enters goes through autoescaping.
"""

from __future__ import annotations

import base64
import hashlib
from types import ModuleType

from attrs import evolve, frozen
from markupsafe import Markup

from msgauge import __version__
from msgauge.report import sections, words
from msgauge.report.template import asset, fill
from msgauge.report.view import RunView

LIMIT_BYTES = 1_500_000
_ESTIMATES = (700, 1100, 1500, 6000)
"""Up to so many estimates each level of ``view.detail`` is tried; a level that comes out too large gives way."""


@frozen
class Part:
    """One rendered section."""

    key: str
    title: str
    body: Markup


def render(view: RunView) -> str:
    """The page of a run. A large run is shown in less detail (wide drawings, spreads, later figures), and says so."""
    count = len(view.analysis.estimates)
    first = max(view.detail, sum(count > most for most in _ESTIMATES))
    for detail in range(first, len(_ESTIMATES) + 1):
        text = _render(evolve(view, detail=detail))
        if len(text.encode()) <= LIMIT_BYTES:
            break
    return text


def _render(view: RunView) -> str:
    script = asset("page.js")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return fill(
        "page.html",
        view=view,
        study=words.plain(view.analysis.study),
        span=words.span(view),
        ending=words.ending(view.analysis.stopped),
        style=Markup(asset("page.css")),
        script=Markup(script),
        policy=f"default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src 'sha256-{digest}'",
        parts=[_part(module, view) for module in sections.every() if module.applies(view)],
        version=__version__,
    )


def _part(module: ModuleType, view: RunView) -> Part:
    return Part(module.__name__.rpartition(".")[2].replace("_", "-"), module.title, module.render(view))
