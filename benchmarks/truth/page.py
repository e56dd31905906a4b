"""The page of proof: each claim, what is promised, what was simulated, what came out, and whether it keeps its word."""

from __future__ import annotations

import re
from collections.abc import Sequence

from benchmarks.truth.results import Piece, pool
from benchmarks.truth.simulation import Figure, Simulation

HEAD = """# What is claimed, and what simulations say of it

Made by `python -m benchmarks.truth --page docs/explanation/proof.md`, for msgauge {version}. Do not edit.

Each row is a simulation of machines whose truth is known: launches that scatter, that fall into two groups, that drift.
"Now" is what msgauge does, with the 95 % Monte-Carlo error; "before" is what it did until November 2026, on the same
data. Promises are about the truth, so a figure may lie beyond one by its error. Rows beyond their promise by more than
that are marked. `benchmarks/truth/` holds the machines and the simulations; every row names its own.
{kept}
"""
TABLE = """
## {claim}

{promised}

| simulated | now | before | trials | simulation |
|---|---|---|---|---|
"""
_LIMITS = re.compile(r"(?:(?P<low>\d+(?:\.\d+)?) to )?(?:<= )?(?P<high>\d+(?:\.\d+)?) ?%")


def write(pieces: Sequence[Piece], simulations: Sequence[Simulation], version: str) -> str:
    """The page from what was drawn for this version; simulations that were not drawn yet are listed at its end."""
    found: dict[str, list[Piece]] = {}
    for piece in pieces:
        if piece.version == version:
            found.setdefault(piece.name, []).append(piece)
    drawn = [(one.name, pool(found[one.name])) for one in simulations if one.name in found]
    claims = dict.fromkeys(figure.claim for _, figure in drawn)
    beyond = sum(not keeps_promise(figure) for _, figure in drawn)
    judged = sum(_is_exact(figure.promised) for _, figure in drawn)
    parts = [HEAD.format(version=version, kept=f"\n{judged - beyond} of {judged} promises that are numbers are kept.")]
    for claim in claims:
        rows = [(name, figure) for name, figure in drawn if figure.claim == claim]
        promised = next((figure.promised for _, figure in rows if figure.promised), "")
        what = f"Promised: {promised}." if promised else "No share is promised."
        parts.append(TABLE.format(claim=claim[0].upper() + claim[1:], promised=what))
        parts += [_row(name, figure) for name, figure in rows]
    missing = [one.name for one in simulations if one.name not in found]
    parts += ["\n## Not simulated for this version\n\n", *(f"* `{name}`\n" for name in missing)] if missing else []
    return "".join(parts)


def keeps_promise(figure: Figure) -> bool:
    """Whether a figure lies within what is promised, give or take its Monte-Carlo error; True where nothing is."""
    if figure.promised == "0":
        return figure.share == 0
    if figure.promised.startswith("all but"):
        return figure.share - figure.error <= float(figure.promised.split()[2]) / 100
    limits = _LIMITS.fullmatch(figure.promised)
    if limits is None:
        return True
    low, high = float(limits["low"] or 0) / 100, float(limits["high"]) / 100
    if not figure.promised.startswith("<=") and limits["low"] is None:
        low = high
    return low - figure.error <= figure.share <= high + figure.error


def _is_exact(promised: str) -> bool:
    """Whether a figure can be held against it."""
    return promised == "0" or promised.startswith("all but") or _LIMITS.fullmatch(promised) is not None


def _row(name: str, one: Figure) -> str:
    now = f"{100 * one.share:.1f} ± {100 * one.error:.1f} %"
    mark = "" if keeps_promise(one) else " **beyond**"
    return f"| {one.case} | {now}{mark} | {100 * one.before:.1f} % | {one.trials} | `{name}` |\n"
