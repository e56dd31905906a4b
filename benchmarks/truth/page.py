"""The page of proof: each claim, what is promised, what was simulated, what came out, and whether it keeps its word."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from math import isnan

from benchmarks.truth.real_runs import RealRun
from benchmarks.truth.results import Piece, choose, pool
from benchmarks.truth.simulation import Figure, Simulation
from benchmarks.truth.tried_code import digest_of

HEAD = """# What is claimed, and what simulations say of it

Made by `python -m benchmarks.truth --page docs/explanation/proof.md`, for msgauge {version}. Do not edit.

Each row is a simulation of machines whose truth is known: launches that scatter, that fall into two groups, that drift.
"Now" is what msgauge does, with the 95 % Monte-Carlo error; "before" is what it did until November 2026, on the same
data (–: it said nothing of the kind). A promise is shown where the figure with its whole error lies within it, and
broken where all of it lies beyond; what the trials leave open is marked, and was drawn again with a number of trials
set beforehand. `benchmarks/truth/` holds the machines and simulations; each row names its own.

† the code that is tried has changed since, and `--stale` would draw the figure again; ‡ drawn before it was kept which
code is tried, some of it or all.
{kept}
"""
SHORT = """
## In short

Each line is a section below. "Now": the least and the greatest figure of its rows. "Shown" and "open" count the rows
whose promise is a number; "today" those that were drawn with the code as it is.

| claim | promised | rows | now | shown | open | today |
|---|---|---|---|---|---|---|
"""
TABLE = """
{promised}

| simulated | now | before | trials | simulation |
|---|---|---|---|---|
"""
REAL = """
## Real runs

On virtual machines with two processors, since rounds that resemble each other are allowed for; a row is of the code
of its day. Papers are those that msgauge ships (`msgauge paper NAME`), their claims on numbers, in fifteen minutes
at most; `quick` is `msgauge compare quick --again`: six stacks, each against its twin, and of more stacks `msgauge
compare quick --stacks all`, two minutes of measuring; of `compare --against` what is told of a build whose old one is
known. A test is open while more rounds could still tell more of it.
Wasted: launches that were repeated, that broke off, or that do not count. A row is added by `python -m
benchmarks.truth.real_runs RUN --keep`.

What stays open in papers: in broxton-logp whether there is a transient at the start; in jyi-lam-mpich,
shue-scripting and tcp-or-mpi cases that lie at the bound that is claimed. How much else runs matters most for
tcp-or-mpi, whose 200 processes share two cores with all that. Of all runs of a paper:

{papers}
| run | on | machine | beside it ran | outcome | measuring time | wasted |
|---|---|---|---|---|---|---|
"""
NOTES = {
    "a history without a change shows none": "Where runs do not resemble their neighbours a clean history shows a "
    "change in 0.25 %, so that one of twenty does in 5 %; where they do, in 1 %, and one of twenty in 18 %. Until "
    "November 2026 it was 1 % and 5 %.",
    "a history that wanders for long shows no change": "Nothing is promised of 30 runs at a correlation of 0.8, whose "
    "wanderings are steps themselves; it stands among what does not hold yet.",
    "any false difference in one report: medians, tails, means": "Each of the three is a family of its own and errs in "
    "5 % at most, so that any of them does in 15 % at most; as means are made of the medians, less comes out.",
    "the best of all rules that widen absolute intervals of a shared pace": "Nothing is promised: a rule turns what a "
    "series tells of its coefficient into a factor, and no rule comes nearer to 95 % at every coefficient. Five and "
    "seven rounds cannot keep to 93 to 97 %, whoever judges them; with ten it takes factors of 4 to 9 in most runs, "
    "and none at all in those that happen not to resemble themselves.",
    "stacks of two laws whose median ratio is 1 are called different": "Nothing is promised: the test asks whether two "
    "stacks have one law. The word tells where the usual launches lie; slow launches are told beside it.",
    "stacks of one law whose launches resemble those before them are not called different": "No share is promised: "
    "seven or ten rounds seldom show that they resemble each other, and where they do not show it nothing is allowed "
    "for. It stands among what does not hold yet.",
    "runs of one binary are not called different beside references that shift together": "No share is promised: what "
    "a run does to all references alike looks like the machine. Where they are all of one library, and the stack that "
    "is judged is not, diff says so; it stands among what does not hold yet.",
    "a step of 5 % is found within one run, and no other": "No share is promised: single runs scatter by nearly half "
    "of such a step, so that it is placed two runs or more beside the truth in some histories, and not told in some "
    "where few runs have one of the levels.",
}
"""What has to be said of a claim beside what is promised."""
_DECIDED = re.compile(r"(?P<decided>\d+) of (?P<claims>\d+) claims on numbers decided")
_LIMITS = re.compile(r"(?:(?P<low>\d+(?:\.\d+)?) to )?(?:<= )?(?P<high>\d+(?:\.\d+)?) ?%")


def write(
    pieces: Sequence[Piece], simulations: Sequence[Simulation], version: str, real: Sequence[RealRun] = ()
) -> str:
    """The page from what was drawn for this version; simulations that were not drawn yet are listed at its end.

    ``real``: runs on a real machine, in a table of their own.
    """
    found: dict[str, list[Piece]] = {}
    for piece in pieces:
        if piece.version == version:
            found.setdefault(piece.name, []).append(piece)
    chosen = {one.name: choose(found[one.name], digest_of(one)) for one in simulations if one.name in found}
    marks = {one.name: _mark_age(chosen[one.name], digest_of(one)) for one in simulations if one.name in found}
    drawn = [(name, pool(kept)) for name, kept in chosen.items()]
    parts = [HEAD.format(version=version, kept=_count_promises([figure for _, figure in drawn], marks))]
    parts += [SHORT, *_list_claims(drawn, marks)] if drawn else []
    for claim in dict.fromkeys(figure.claim for _, figure in drawn):
        parts.append(f"\n## {_heading_of(claim)}\n")
        rows = [(name, one) for name, one in drawn if one.claim == claim]
        for number, promised in enumerate(dict.fromkeys(one.promised for _, one in rows)):
            parts.append(TABLE.format(promised=_describe_promise(claim, promised, is_first=not number)))
            parts += [_row(name, one, marks[name]) for name, one in rows if one.promised == promised]
    missing = [one.name for one in simulations if one.name not in found]
    parts += ["\n## Not simulated for this version\n\n", *(f"* `{name}`\n" for name in missing)] if missing else []
    parts += [REAL.format(papers=_list_papers(real)), *(_row_of_run(one) for one in real)] if real else []
    return "".join(parts)


def _list_claims(drawn: Sequence[tuple[str, Figure]], marks: Mapping[str, str]) -> list[str]:
    """A line for each claim and promise: how many rows, what came out, how many of them show it."""
    lines = []
    order = list(dict.fromkeys(one.claim for _, one in drawn))
    kinds = dict.fromkeys((one.claim, one.promised) for _, one in drawn)
    for claim, promised in sorted(kinds, key=lambda kind: order.index(kind[0])):
        rows = [(name, one) for name, one in drawn if (one.claim, one.promised) == (claim, promised)]
        shares = [100 * one.share for _, one in rows]
        now = " to ".join(dict.fromkeys(f"{share:.1f}" for share in (min(shares), max(shares))))
        exact = [one for _, one in rows if _is_exact(promised)]
        counts = [sum(map(shows_promise, exact)), sum(map(is_open, exact))] if exact else ["–", "–"]
        today = sum(not marks[name] for name, _ in rows)
        cells = [promised or "–", len(rows), f"{now} %", *counts, today]
        title = _heading_of(claim)
        lines.append(f"| [{title}](#{_anchor_of(title)}) | {' | '.join(map(str, cells))} |\n")
    return lines


def _heading_of(claim: str) -> str:
    return f"{claim[0].upper()}{claim[1:]}"


def _anchor_of(title: str) -> str:
    """What a link to a heading ends in."""
    return re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-")


def _describe_promise(claim: str, promised: str, *, is_first: bool) -> str:
    """What stands over a table of a claim; what there is to say of the claim itself stands over its first one."""
    note = NOTES.get(claim, "")
    what = f"Promised: {promised}." if promised else "No share is promised." * (not note or not is_first)
    return "\n\n".join(word for word in (what, note if is_first else "") if word)


def _mark_age(kept: Sequence[Piece], code: str) -> str:
    """What the page says of figures that other code gave, or nobody knows which."""
    codes = {one.code for one in kept} - {code}
    return f"{' †' if codes - {''} else ''}{' ‡' if '' in codes else ''}"


def _count_promises(figures: Sequence[Figure], marks: Mapping[str, str]) -> str:
    judged = [figure for figure in figures if _is_exact(figure.promised)]
    broken, shown = sum(not keeps_promise(one) for one in judged), sum(shows_promise(one) for one in judged)
    old, unknown = (sum(mark in one for one in marks.values()) for mark in "†‡")
    return (
        f"\nOf {len(judged)} promises that are numbers {shown} are shown, {broken} are broken, "
        f"and {len(judged) - shown - broken} are left open.\n"
        f"Of all {len(marks)} rows {old} have the mark † and {unknown} the mark ‡."
    )


def keeps_promise(figure: Figure) -> bool:
    """Whether a figure lies within what is promised, give or take its Monte-Carlo error; True where nothing is."""
    low, high = _limits(figure.promised)
    if high == 0 or low == 1:
        return figure.share == low
    return low - figure.error <= figure.share <= high + figure.error


def shows_promise(figure: Figure) -> bool:
    """Whether it lies within what is promised with its whole error; True where nothing is."""
    low, high = _limits(figure.promised)
    inside = (low == 0 or low <= figure.share - figure.error) and (high == 1 or figure.share + figure.error <= high)
    return figure.share == low if high == 0 or low == 1 else inside


def is_open(figure: Figure) -> bool:
    """Whether more trials may still show what is promised, or break it."""
    return _is_exact(figure.promised) and keeps_promise(figure) and not shows_promise(figure)


def _limits(promised: str) -> tuple[float, float]:
    """Least and greatest share that keeps a promise; (0, 0): never, (0, 1): nothing exact is promised."""
    if promised == "every one":
        return 1.0, 1.0
    if promised.startswith("at least"):
        return float(promised.split()[2]) / 100, 1.0
    if promised == "0":
        return 0.0, 0.0
    if promised.startswith("all but"):
        return 0.0, float(promised.split()[2]) / 100
    limits = _LIMITS.fullmatch(promised)
    if limits is None:
        return 0.0, 1.0
    high = float(limits["high"]) / 100
    return (0.0 if promised.startswith("<=") else float(limits["low"] or limits["high"]) / 100), high


def _is_exact(promised: str) -> bool:
    """Whether a figure can be held against it."""
    return (
        promised in {"0", "every one"}
        or promised.startswith(("all but", "at least"))
        or _LIMITS.fullmatch(promised) is not None
    )


def _list_papers(real: Sequence[RealRun]) -> str:
    """Of each paper how many of its runs decide 70 % of the claims on numbers, and how many each of them did."""
    found: dict[str, list[tuple[int, int]]] = {}
    for one in real:
        if said := _DECIDED.match(one.outcome):
            found.setdefault(one.what.partition(",")[0], []).append((int(said["decided"]), int(said["claims"])))
    lines = ["| paper | runs that decide 70 % | claims decided in each |", "|---|---|---|"]
    for name, runs in found.items():
        enough = sum(decided >= 0.7 * claims for decided, claims in runs)
        each = ", ".join(f"{decided} of {claims}" for decided, claims in runs)
        lines.append(f"| {name} | {enough} of {len(runs)} | {each} |")
    return "\n".join(lines) + "\n"


def _row_of_run(one: RealRun) -> str:
    numbers = f"{one.measured_s:.0f} s | {100 * one.wasted:.1f} %"
    return f"| {one.what} | {one.day} | {one.machine} | {one.beside} | {one.outcome} | {numbers} |\n"


def _row(name: str, one: Figure, age: str) -> str:
    now = f"{100 * one.share:.1f} ± {100 * one.error:.1f} %{age}"
    mark = " (open)" if is_open(one) else "" if keeps_promise(one) else " **broken**"
    before = "–" if isnan(one.before) else f"{100 * one.before:.1f} %"
    return f"| {one.case} | {now}{mark} | {before} | {one.trials} | `{name}` |\n"
