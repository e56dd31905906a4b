"""Findings in the order in which they serve a decision: what changes it first, scatter and modes folded to a line each.

Nothing is left out: a topic holds its findings, for whoever asks for them. Pure.
"""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from msgauge.analysis.findings.caveats import BEYOND_MEDIANS
from msgauge.analysis.findings.ranking import rank
from msgauge.model import Finding
from msgauge.units import format_count

TURNING = frozenset({"slow-launches", "bimodal-launches", "tail"})
"""Kinds that may turn a choice round: the line that stands for them says the strongest."""
TOPICS: tuple[tuple[str, frozenset[str]], ...] = (
    ("Slow launches, launches in two modes", frozenset({"slow-launches", "bimodal-launches"})),
    ("Tails (P95, P99) that say more than the medians", frozenset({"tail"})),
    ("Counts of verdicts and mean ratios", frozenset({"pair"})),
    ("Violated guidelines", frozenset({"guideline"})),
    ("Between-launch variation beyond within-launch variation", frozenset({"between-launches"})),
    ("No steady state within a launch", frozenset({"not-stationary"})),
    ("Further anomalies", frozenset({"off-power-of-two", "start-up", "rate-change", "slow-rank"})),
    ("Undecided", frozenset({"undecided"})),
)
"""Kinds of findings that are told in one line together, in the order of the lines."""
_MOST_STACKS = 4


@frozen
class Topic:
    """Findings of the same kind: the line that stands for them, and they themselves, the strongest first."""

    title: str
    sentence: str
    findings: tuple[Finding, ...]


@frozen
class ArrangedFindings:
    """``decisive``: those told one by one, the strongest first; ``topics``: the others, in lines of their own."""

    decisive: tuple[Finding, ...]
    topics: tuple[Topic, ...]


def arrange_findings(findings: Sequence[Finding]) -> ArrangedFindings:
    """Every finding once, in its topic or, where it has none, by itself.

    What is undecided by the medians alone is told by itself: its tails or slow launches may turn the choice round.
    """
    ordered = rank(findings)
    folded = {kind: title for title, kinds in TOPICS for kind in kinds}
    topic_of = [None if BEYOND_MEDIANS in dict(one.evidence) else folded.get(one.kind) for one in ordered]
    topics = []
    for title, _ in TOPICS:
        mine = tuple(one for one, topic in zip(ordered, topic_of, strict=True) if topic == title)
        if mine:
            topics.append(Topic(title, _describe(title, mine), mine))
    decisive = tuple(one for one, topic in zip(ordered, topic_of, strict=True) if topic is None)
    return ArrangedFindings(decisive, tuple(topics))


def _describe(title: str, findings: Sequence[Finding]) -> str:
    """``Violated guidelines: 3 findings (openmpi@5.0.11, mpich@5.0.2).``; what may turn a choice round is said."""
    if findings[0].kind in TURNING:
        rest = len(findings) - 1
        return f"{title}: {findings[0].sentence}" + (f" {format_count(rest, 'finding')} more." if rest else "")
    evidence = [dict(one.evidence) for one in findings]
    stacks = list(dict.fromkeys(name for one in evidence if (name := one.get("stack") or one.get("other"))))
    named = ", ".join(stacks) if len(stacks) <= _MOST_STACKS else f"{len(stacks)} stacks"
    named = f" ({named})" if named else ""
    return f"{title}: {format_count(len(findings), 'finding')}{named}."
