"""``--fail-on 'slower>5%'``: a condition on comparisons that decides the exit code of a script."""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import log
from typing import Literal

from attrs import frozen

from msgauge.errors import UsageError
from msgauge.model import Comparison, TailComparison
from msgauge.model.measured_way import note_marks
from msgauge.units import format_change, format_percent, format_size, parse_ratio

Judgement = Literal["passed", "regression", "undecided"]
Found = tuple[Judgement, tuple[Comparison, ...]]
"""What a gate says, and the comparisons that it says it of."""
_CONDITION = re.compile(r"\s*(?P<word>slower|faster|different)\s*(?P<sign>>=?)\s*(?P<amount>[0-9.]+\s*%?)\s*")


@frozen
class Gate:
    """Fail when ``other`` is surely ``word`` than ``base`` by more than ``amount`` (0.05: 5 %)."""

    word: str
    amount: float


def parse_gate(text: str) -> Gate:
    """The condition a person wrote.

    Raises:
        UsageError: not a condition, one with >=, or one of a whole number without a %, which would let everything pass.
    """
    match = _CONDITION.fullmatch(text)
    if match is None:
        raise UsageError(f"cannot read --fail-on {text!r}", remedy="write for example --fail-on 'slower>5%'")
    if match["sign"] == ">=":
        raise UsageError(
            f"--fail-on {text!r}: no measurement tells 'at least' from 'more than'",
            remedy=f"write --fail-on '{match['word']}>{match['amount']}', which asks for more than that",
        )
    amount = parse_ratio(match["amount"])
    if amount >= 1 and "%" not in match["amount"]:
        raise UsageError(
            f"--fail-on {text!r} means {format_percent(amount)}, for there is no % behind the number",
            remedy=f"write --fail-on '{match['word']}>{match['amount']}%', or '{match['word']}>{100 * amount:g}%'",
        )
    return Gate(match["word"], amount)


def apply_gate(gate: Gate, comparisons: Sequence[Comparison], beyond: Sequence[bool]) -> Found:
    """Regression when one comparison surely fails; undecided when one may fail and cannot be told; and which ones.

    Surely: the verdict says so, or "equivalent" where the amount is less than its margin; the whole interval of the
    ratio lies beyond the amount, and so does the ratio by a test that is corrected for all comparisons, ``beyond``
    (``analysis.beyond_amount``).
    Passed needs every interval wholly on the good side.
    """
    known = tuple(comparisons)
    failing = tuple(one for one, is_beyond in zip(known, beyond, strict=True) if is_beyond and _surely(gate, one))
    if failing:
        return "regression", failing
    open_ones = tuple(one for one in known if _perhaps(gate, one))
    return ("undecided", open_ones) if open_ones or not known else ("passed", ())


def describe_gate(gate: Gate, found: Found, compared: int, code: int | None = None, beyond: Sequence[str] = ()) -> str:
    """What ``apply_gate`` found, as a sentence; ``compared``: how many comparisons it looked at.

    ``code``: with which the command ends, where something else decides it too (a stack that failed, Ctrl-C).
    ``beyond``: what speaks against the stacks judged and is no matter of medians, by which alone it judges.
    """
    judgement, which = found
    ending = {"passed": 0, "regression": 1, "undecided": 3}[judgement] if code is None else code
    word = "failed" if judgement == "regression" else judgement
    by, but = (" by medians", f"; but {'; '.join(beyond)}") if beyond else ("", "")
    return f"--fail-on: {word}{by}: {_describe_finding(gate, judgement, which, compared)}{but} (exit code {ending})"


def find_tails_beyond(gate: Gate, one: Comparison) -> tuple[TailComparison, ...]:
    """Tails found to differ as the gate forbids, and perhaps by more than its amount."""
    words = {"slower", "faster"} if gate.word == "different" else {gate.word}
    return tuple(tail for tail in one.tails if tail.verdict in words and _perhaps(gate, tail))


def _describe_finding(gate: Gate, judgement: Judgement, which: Sequence[Comparison], compared: int) -> str:
    amount = f"{gate.word} by more than {format_percent(gate.amount)}"
    if judgement == "passed":
        return f"none of {compared} is {amount}"
    if judgement == "undecided":
        count = f"{len(which)} of {compared} may be {amount}" if which else "nothing could be compared"
        return f"{count}, and the data cannot tell"
    worst = max(which, key=lambda one: abs(log(one.ratio)))
    test = f"{worst.kernel} {format_size(worst.size_bytes)} on {worst.ranks} ranks"
    place = ", ".join([f"{worst.other} in {test}", *note_marks(worst)])
    low, high = min(one.ratio_low for one in which), max(one.ratio_high for one in which)
    within = "intervals within " if len(which) > 1 else ""
    span = f"{format_change(worst.ratio)} ({within}{format_change(low)} to {format_change(high)})"
    sure = f"{len(which)} of {compared} {'is' if len(which) == 1 else 'are'} surely {amount}"
    return f"{sure}; the largest: {place}, {span}"


def _surely(gate: Gate, one: Comparison) -> bool:
    """Of what is "equivalent" the interval decides: it lies within the margin, so beyond no amount of the margin."""
    slower = one.verdict in {"slower", "equivalent"} and one.ratio_low > 1 + gate.amount
    faster = one.verdict in {"faster", "equivalent"} and one.ratio_high < 1 / (1 + gate.amount)
    return {"slower": slower, "faster": faster, "different": slower or faster}[gate.word]


def _perhaps(gate: Gate, one: Comparison | TailComparison) -> bool:
    """Written so that an interval that is not known (NaN) counts as perhaps."""
    not_slower = one.ratio_high <= 1 + gate.amount
    not_faster = one.ratio_low >= 1 / (1 + gate.amount)
    return not {"slower": not_slower, "faster": not_faster, "different": not_slower and not_faster}[gate.word]
