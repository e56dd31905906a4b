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
_ESTIMATES = (500, 700, 900)
"""Up to so many estimates each level of ``view.detail`` is tried; a level that comes out too large gives way."""
_ROOM_DETAIL = 3
"""The level of detail from which on the figures of single kernels share the room that the rest of the page leaves."""
_LAST_DETAIL = 5


@frozen
class Part:
    """One rendered section."""

    key: str
    title: str
    body: Markup


def render(view: RunView) -> str:
    """The page of a run. A large run is shown in less detail, and says what is left out.

    What single kernels show gives way first: wide drawings, spreads, figures, tables. Maps of collectives, crossovers,
    bursts, the figures over processes and the table of all numbers stay at every level.
    """
    count = len(view.analysis.estimates)
    first = max(view.detail, sum(count > most for most in _ESTIMATES))
    for detail in range(first, _LAST_DETAIL + 1):
        text = _fitted(evolve(view, detail=detail)) if detail >= _ROOM_DETAIL else _render(evolve(view, detail=detail))
        if len(text.encode()) <= LIMIT_BYTES:
            break
    return text


def _fitted(view: RunView) -> str:
    """The page with as many figures of single kernels as there is room for beside all else."""
    bare = _render(evolve(view, room_bytes=0.0))
    room = LIMIT_BYTES - len(bare.encode())
    if room <= 0:
        return bare
    full = _render(evolve(view, room_bytes=float(room)))
    return full if len(full.encode()) <= LIMIT_BYTES else bare


def _render(view: RunView) -> str:
    script = asset("page.js")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return fill(
        "page.html",
        view=view,
        study=words.plain(view.analysis.study),
        span=words.span(view),
        ending=words.ending(view.analysis.stopped),
        left_out=left_out(view),
        style=Markup(asset("page.css")),
        script=Markup(script),
        policy=f"default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src 'sha256-{digest}'",
        parts=[_part(module, view) for module in sections.every() if module.applies(view)],
        version=__version__,
    )


def left_out(view: RunView) -> tuple[str, ...]:
    """What the page of a run leaves out at its level of detail, as it is called on the page."""
    levels = {
        "wide drawings": range(1, 5),
        "how the samples spread": range(2, 5),
        "the figures of later kernels": range(3, 5),
        "the tables of single kernels": (4,),
        "the figures and tables of single kernels": (5,),
        "what each message costs": (5,) if view.analysis.costs else (),
        "the figures of programs": (5,) if any("serial" in kernel.series for kernel in view.used) else (),
        "the figures of models": range(3, 6) if view.models else (),
        "the figures of the document": range(3, 6) if view.paper else (),
    }
    return tuple(what for what, at in levels.items() if view.detail in at)


def _part(module: ModuleType, view: RunView) -> Part:
    return Part(module.__name__.rpartition(".")[2].replace("_", "-"), module.title, module.render(view))
