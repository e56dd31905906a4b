"""Performance guidelines tested on every stack: holding, violated, undecided, or not tested."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

from attrs import frozen
from markupsafe import Markup

from msgauge.analysis.findings.undetectable import find_undetectable
from msgauge.model import Analysis, Estimate
from msgauge.models.guidelines import Judgement, find_unjudged, judge
from msgauge.report import phrasing
from msgauge.report.template import fill
from msgauge.report.view import RunView

order = 45
title = "Guidelines"
_MOST = 40


@frozen
class GuidelineLine:
    """One guideline over all stacks: counts, and what it says."""

    name: str
    says: str
    source: str
    counts: dict[str, int]


def applies(view: RunView) -> bool:
    """Whether a side of any guideline was measured."""
    judged = _judge(view.analysis)
    return bool(judged) or any(one.ranks for one in find_unjudged(view.analysis.estimates, judged))


def render(view: RunView) -> Markup:
    """A table of guidelines, then violations, what is undecided, and what was not tested."""
    judged = _judge(view.analysis)
    lines: dict[str, GuidelineLine] = {}
    for one in judged:
        guideline = one.guideline
        line = lines.setdefault(
            guideline.name, GuidelineLine(guideline.name, guideline.says, guideline.source, Counter())
        )
        line.counts[one.verdict] += 1
    violated = sorted((one for one in judged if one.verdict == "violated"), key=lambda one: -one.ratio.value)
    open_ = [one for one in judged if one.verdict == "undecided"]
    return fill(
        "guidelines.html",
        lines=list(lines.values()),
        violated=[one.finding().sentence for one in violated[:_MOST]],
        open=[one.finding().sentence for one in open_[:_MOST]],
        untested=phrasing.describe_untested(
            find_unjudged(view.analysis.estimates, judged), find_undetectable(view.analysis.estimates)
        ),
        left_out=max(0, len(violated) - _MOST) + max(0, len(open_) - _MOST),
    )


def _judge(analysis: Analysis) -> tuple[Judgement, ...]:
    return _judge_at(analysis.estimates, 1 - analysis.interval_level)


@lru_cache(maxsize=1)
def _judge_at(estimates: tuple[Estimate, ...], level: float) -> tuple[Judgement, ...]:
    """Asked for at each level of detail that a page is tried at."""
    return judge(estimates, level=level)
