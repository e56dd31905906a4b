"""``msgauge advise``: violated guidelines and anomalies of a run, with effect sizes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from msgauge import evaluation
from msgauge.analysis.undetectable import find_undetectable
from msgauge.frontend.last_run import choose_run
from msgauge.model import Finding, serialization
from msgauge.models import guidelines
from msgauge.models.guidelines import Judgement, NotJudged
from msgauge.report import json_output, phrasing

KINDS = frozenset(
    {
        "guideline",
        "off-power-of-two",
        "start-up",
        "rate-change",
        "not-stationary",
        "bimodal-launches",
        "slow-rank",
        "between-launches",
    }
)


def advise(run: Path | None = None, /, *, all: bool = False, json: bool = False) -> int:
    """Show violated performance guidelines and anomalies of a run.

    Parameters
    ----------
    run
        The folder of the run; the last one below runs/ by default.
    all
        Also show guidelines that hold and those that are undecided.
    json
        Print them as JSON.
    """
    run = choose_run(run)
    folder, analysis = evaluation.reanalyse(run)
    evaluation.keep_if_possible(folder, analysis)
    found = [one for one in analysis.findings if one.kind in KINDS]
    judged = guidelines.judge(analysis.estimates)
    untested = guidelines.find_unjudged(analysis.estimates, judged)
    undetectable = find_undetectable(analysis.estimates)
    if json:
        answer = {
            "run": str(run.absolute()),
            "findings": serialization.to_plain(found),
            "guidelines": [_judgement_as_plain(one) for one in judged],
            "untested_guidelines": [_list_untested(one) for one in untested],
            "untested_anomalies": serialization.to_plain(undetectable),
        }
        print(json_output.text(answer))
        return 0
    _print_findings(found, judged, everything=all)
    for sentence in phrasing.describe_untested(untested, undetectable):
        print(sentence)
    return 0


def _print_findings(found: list[Finding], judged: tuple[Judgement, ...], *, everything: bool) -> None:
    for finding in found:
        print(f"{finding.kind}: {finding.sentence}")
    if everything:
        for one in judged:
            print(f"{one.verdict}: {one.finding().sentence}")
    counts = {word: sum(one.verdict == word for one in judged) for word in ("violated", "holds", "undecided")}
    verdicts = ", ".join(f"{count} {word}" for word, count in counts.items())
    anomalies = sum(one.kind != "guideline" for one in found)
    print(f"Guidelines: {len(judged)} tests, {verdicts}; anomalies: {anomalies}.")


def _list_untested(one: NotJudged) -> dict[str, Any]:
    return {"guideline": one.guideline.name, "stack": one.stack, "ranks": one.ranks, "missing": one.missing}


def _judgement_as_plain(one: Judgement) -> dict[str, Any]:
    return {
        "guideline": one.guideline.name,
        "stack": one.stack,
        "left": one.left,
        "right": one.right,
        "size_bytes": one.size_bytes,
        "ranks": one.ranks,
        "ratio": serialization.to_plain(one.ratio.value),
        "ratio_low": serialization.to_plain(one.ratio.low),
        "ratio_high": serialization.to_plain(one.ratio.high),
        "p_adjusted": serialization.to_plain(one.p_adjusted),
        "rounds": one.rounds,
        "verdict": one.verdict,
        "emulated": one.emulated,
    }
