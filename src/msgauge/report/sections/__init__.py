"""PLUG-INS: one file = one section of the page, with ``order``, ``title``, ``applies(view)`` and ``render(view)``.

Optional names:

- ``figures(view)``: its figures, which ``msgauge figures`` writes as files too.
- ``omissions(view)``: what it leaves out of a large page, and at which levels of detail (``report.detail``).
- ``brief``: True where the section is part of the printed summary.
- ``shares_room_from``: the level of detail from which on it takes only as much as the other sections leave
  (``view.room_bytes``).
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable
from types import ModuleType

from msgauge.report.detail import LEVELS, Omission
from msgauge.report.view import RunView


def every() -> list[ModuleType]:
    """The sections, in the order of the page."""
    modules = [importlib.import_module(f"{__name__}.{info.name}") for info in pkgutil.iter_modules(__path__)]
    return sorted(modules, key=lambda module: (module.order, module.__name__))


def omissions_of(section: ModuleType, view: RunView) -> Iterable[Omission]:
    """What a section declares to leave out of the page of this run; none where it declares nothing."""
    return section.omissions(view) if hasattr(section, "omissions") else ()


def first_level_of_shared_room() -> int:
    """The level of detail from which on a section takes only the room that the others leave; past the last: none."""
    return min((getattr(section, "shares_room_from", LEVELS.stop) for section in every()), default=LEVELS.stop)
