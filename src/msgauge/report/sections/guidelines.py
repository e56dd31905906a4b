"""Performance guidelines held against every stack: those that hold, are broken or undecided, or could not be judged."""

from __future__ import annotations

from collections import Counter

from attrs import frozen
from markupsafe import Markup

from msgauge.advise.unlooked import not_looked_for
from msgauge.models.guidelines import Judgement, judge, not_judged
from msgauge.report import words
from msgauge.report.template import fill
from msgauge.report.view import RunView

order = 45
title = "Guidelines"
_MOST = 40


@frozen
class Line:
    """One guideline over all stacks: counts, and what it says."""

    name: str
    says: str
    source: str
    counts: dict[str, int]


def applies(view: RunView) -> bool:
    """Whether a guideline had one of its sides measured."""
    judged = _judged(view)
    return bool(judged) or any(one.ranks for one in not_judged(view.analysis.estimates, judged))


def render(view: RunView) -> Markup:
    """A table of guidelines, then the violations, what is undecided, and what could not be judged at all."""
    judged = _judged(view)
    lines: dict[str, Line] = {}
    for one in judged:
        guideline = one.guideline
        line = lines.setdefault(guideline.name, Line(guideline.name, guideline.says, guideline.source, Counter()))
        line.counts[one.verdict] += 1
    broken = sorted((one for one in judged if one.verdict == "violated"), key=lambda one: -one.ratio.value)
    open_ = [one for one in judged if one.verdict == "undecided"]
    return fill(
        "guidelines.html",
        lines=list(lines.values()),
        broken=[one.finding().sentence for one in broken[:_MOST]],
        open=[one.finding().sentence for one in open_[:_MOST]],
        silent=words.of_silence(not_judged(view.analysis.estimates, judged), not_looked_for(view.analysis.estimates)),
        left_out=max(0, len(broken) - _MOST) + max(0, len(open_) - _MOST),
    )


def _judged(view: RunView) -> tuple[Judgement, ...]:
    return judge(view.analysis.estimates)
