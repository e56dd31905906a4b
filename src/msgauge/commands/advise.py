"""``msgauge advise``: what to try next, and the violated guidelines and anomalies it rests on."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from attrs import asdict

from msgauge import evaluation
from msgauge.analysis.findings.caveats import BEYOND_MEDIANS
from msgauge.analysis.findings.topics import TURNING, arrange_findings
from msgauge.analysis.findings.undetectable import find_undetectable
from msgauge.analysis.guidance.advice import UNKNOWN, Advice, find_advice
from msgauge.frontend.last_run import choose_run
from msgauge.model import Analysis, Finding, serialization
from msgauge.models import guidelines
from msgauge.models.guidelines import Judgement, NotJudged
from msgauge.report import json_output, phrasing
from msgauge.results.incomplete_runs import COMMAND, MISSING, NOTHING
from msgauge.units import format_count

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
    """Show what to try next: commands, the largest expected gain first, each with its evidence.

    Parameters
    ----------
    run
        The folder of the run; the last one below runs/ by default.
    all
        Also show every violated guideline and anomaly, and the guidelines that hold or are undecided.
    json
        Print them as JSON.
    """
    run = choose_run(run)
    folder, analysis = evaluation.reanalyse(run)
    evaluation.keep_if_possible(folder, analysis)
    found = [one for one in analysis.findings if one.kind in KINDS | TURNING or BEYOND_MEDIANS in dict(one.evidence)]
    judged = guidelines.judge(analysis.estimates, level=1 - analysis.interval_level)
    untested = guidelines.find_unjudged(analysis.estimates, judged)
    undetectable = find_undetectable(analysis.estimates)
    todo = _advise_measuring(analysis)
    if analysis.has_times:
        todo += find_advice(str(run), folder.plan, analysis, judged, (untested, undetectable))
    if json:
        answer = {
            "run": str(run.absolute()),
            "advice": [asdict(one) for one in todo],
            "findings": serialization.to_plain(found),
            "guidelines": [_judgement_as_plain(one) for one in judged],
            "untested_guidelines": [_list_untested(one) for one in untested],
            "untested_anomalies": serialization.to_plain(undetectable),
        }
        print(json_output.text(answer))
        return 0
    _print_advice(todo)
    _print_findings(found, judged, everything=all)
    sentences = phrasing.describe_untested(untested, undetectable)
    _say("\n".join(sentences if all or len(sentences) < 4 else _sum_up(sentences)))
    return 0


def _advise_measuring(analysis: Analysis) -> list[Advice]:
    """Before all else: to measure what the run lacks, by the warnings that say so; each command once."""
    lacking = {NOTHING: "measure this run, in which nothing was measured", MISSING: "measure again what is missing"}
    found = {
        dict(one.evidence)[COMMAND]: Advice(lacking[one.code], dict(one.evidence)[COMMAND], UNKNOWN, f"{one.message}.")
        for one in analysis.warnings
        if one.code in lacking
    }
    return list(found.values())


def _sum_up(sentences: list[str]) -> list[str]:
    return [*sentences[:1], f"{len(sentences) - 1} more were not tested: msgauge advise --all"]


def _say(text: str) -> None:
    """A line that a name of a stack or a host cannot turn into commands for the terminal."""
    print(phrasing.plain(text))


def _print_advice(todo: Sequence[Advice]) -> None:
    """Numbered, best first: what to do, the command, the gain, the evidence."""
    if not todo:
        _say("Nothing to try: no stack is resolved as slower, and no guideline as violated.")
    for number, one in enumerate(todo, start=1):
        _say(f"{number}. {one.what[0].upper()}{one.what[1:]}")
        _say(f"   {one.command}")
        _say(f"   gain: {one.gain}")
        _say(f"   because: {one.evidence}")
    print()


def _print_findings(found: list[Finding], judged: tuple[Judgement, ...], *, everything: bool) -> None:
    if everything:
        for finding in found:
            _say(f"{finding.kind}: {finding.sentence}")
        for one in judged:
            _say(f"{one.verdict}: {one.finding().sentence}")
    else:
        arranged = arrange_findings(found)
        for finding in arranged.decisive:
            _say(finding.sentence)
        for topic in arranged.topics:
            _say(topic.sentence)
    counts = {word: sum(one.verdict == word for one in judged) for word in ("violated", "holds", "undecided")}
    verdicts = ", ".join(f"{count} {word}" for word, count in counts.items())
    anomalies = sum(one.kind in KINDS - {"guideline"} for one in found)
    _say(f"Guidelines: {format_count(len(judged), 'test')}, {verdicts}; anomalies: {anomalies}.")


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
