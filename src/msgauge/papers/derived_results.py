"""Results that follow from a run's samples beyond the comparison: its paper, the models of its stacks, its map.

They stand in the run folder as ``paper.json``, ``models.json`` and ``map.json``; the page reads them there, and they
may be made again at any time.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from msgauge.analysis.findings.cluster_map import make_maps
from msgauge.analysis.stack_models import model_fitting
from msgauge.analysis.stack_models.stack_model import Models, StackModel
from msgauge.model import serialization
from msgauge.papers import paper_evaluation
from msgauge.papers.claim_outlook import add_forecasts
from msgauge.papers.result import PaperResult
from msgauge.results.run_folder import RunFolder


def derive(folder: RunFolder) -> None:
    """Make and keep all that follows from a run; where it cannot be written, ``folder`` has it all the same.

    Raises:
        StoreError: the samples are damaged.
    """
    paper(folder)
    if model_fitting.has_trains(folder):
        keep_models(folder, model_fitting.models(folder))
    maps = make_maps(folder.dataset, folder.facts.kernels)
    if maps is not None:
        folder.keep_derived("map", maps)


def paper(folder: RunFolder) -> PaperResult | None:
    """What the run says of its paper, made anew; None when it ran no paper."""
    found = paper_evaluation.evaluate_paper(folder)
    if found is not None:
        found = add_forecasts(found, folder)
        folder.keep_derived("paper", found)
    return found


def keep_models(folder: RunFolder, found: Sequence[StackModel]) -> None:
    """Keep the models of a run where its page finds them."""
    folder.keep_derived("models", Models(tuple(found)))


def of_models(found: Sequence[StackModel], path: Path) -> dict[str, Any]:
    """The models as ``model --json`` prints them: schema ``model``."""
    return {"run": str(path.absolute()), "models": serialization.to_plain(list(found))}


def of_paper(found: PaperResult, path: Path) -> dict[str, Any]:
    """The result as ``paper --json`` prints it: schema ``paper``."""
    plain: dict[str, Any] = serialization.to_plain(found)
    return {"run": str(path.absolute()), **plain, "systems": {role: list(specs) for role, specs in found.systems}}
