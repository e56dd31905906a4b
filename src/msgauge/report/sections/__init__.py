"""PLUG-INS: one file = one section of the page, with ``order``, ``title``, ``applies(view)`` and ``render(view)``.

A section that draws has ``figures(view)`` too: what it gives is also written as files by ``msgauge figures``.
"""

from __future__ import annotations

import importlib
import pkgutil
from types import ModuleType


def every() -> list[ModuleType]:
    """The sections, in the order of the page."""
    modules = [importlib.import_module(f"{__name__}.{info.name}") for info in pkgutil.iter_modules(__path__)]
    return sorted(modules, key=lambda module: (module.order, module.__name__))
