"""``msgauge advise``: what a run says though nobody asked; broken guidelines and anomalies, with their sizes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from msgauge import answers, conclusion, jsonio
from msgauge.advise.unlooked import not_looked_for
from msgauge.models import guidelines
from msgauge.models.guidelines import Judgement, NotJudged
from msgauge.report import words

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


def advise(run: Path, /, *, all: bool = False, json: bool = False) -> int:
    """Show broken performance guidelines and anomalies of a run.

    Parameters
    ----------
    run
        The folder of the run.
    all
        Also show the guidelines that hold and those that are undecided.
    json
        Print them as JSON.
    """
    folder, analysis = conclusion.analysed_again(run)
    conclusion.keep_if_possible(folder, analysis)
    found = [one for one in analysis.findings if one.kind in KINDS]
    judged = guidelines.judge(analysis.estimates)
    silent = guidelines.not_judged(analysis.estimates, judged)
    unlooked = not_looked_for(analysis.estimates)
    if json:
        answer = {
            "run": str(run.absolute()),
            "findings": jsonio.to_plain(found),
            "guidelines": [_plain(one) for one in judged],
            "not_judged": [_silent(one) for one in silent],
            "not_looked_for": jsonio.to_plain(unlooked),
        }
        print(answers.text(answer))
        return 0
    _show([f"{one.kind}: {one.sentence}" for one in found], judged, everything=all)
    for sentence in words.of_silence(silent, unlooked):
        print(sentence)
    return 0


def _show(sentences: list[str], judged: tuple[Judgement, ...], *, everything: bool) -> None:
    counts = {word: sum(one.verdict == word for one in judged) for word in ("violated", "holds", "undecided")}
    for sentence in sentences:
        print(sentence)
    if everything:
        for one in judged:
            print(f"{one.verdict}: {one.finding().sentence}")
    told = ", ".join(f"{count} {word}" for word, count in counts.items())
    print(
        f"Guidelines: {len(judged)} judged, {told}; anomalies: {sum(not s.startswith('guideline') for s in sentences)}."
    )


def _silent(one: NotJudged) -> dict[str, Any]:
    return {"guideline": one.guideline.name, "stack": one.stack, "ranks": one.ranks, "missing": one.missing}


def _plain(one: Judgement) -> dict[str, Any]:
    return {
        "guideline": one.guideline.name,
        "stack": one.stack,
        "left": one.left,
        "right": one.right,
        "size_bytes": one.size_bytes,
        "ranks": one.ranks,
        "ratio": jsonio.to_plain(one.ratio.value),
        "ratio_low": jsonio.to_plain(one.ratio.low),
        "ratio_high": jsonio.to_plain(one.ratio.high),
        "p_adjusted": jsonio.to_plain(one.p_adjusted),
        "rounds": one.rounds,
        "verdict": one.verdict,
        "emulated": one.emulated,
    }
