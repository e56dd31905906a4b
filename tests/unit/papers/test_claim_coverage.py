"""Claims about cases that nobody measured: they are open and named, and what was measured decides only what it can."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from msgauge.analysis.estimates.burst_traces import Trace
from msgauge.analysis.estimates.observations import Observation
from msgauge.errors import StudyError
from msgauge.model import Cell
from msgauge.papers import catalogue
from msgauge.papers.burst_claims import judge_trace
from msgauge.papers.case_levels import Hold
from msgauge.papers.claim_cases import find_cases
from msgauge.papers.claim_forecast import ClaimForecast
from msgauge.papers.claim_prospects import foretell_claim
from msgauge.papers.claim_statement import Claim
from msgauge.papers.claims import JudgedClaim, judge_claim, judge_fact
from msgauge.papers.number_selection import Case, Pick, list_needed

SYSTEMS = {"lam": ("lam@7",), "mpich": ("mpich@5",)}
SLOWER, FASTER = 2.0, 0.5


def observe(stack: str, ratio: float, size: int = 8, ranks: int = 2, scatter: float = 0.01) -> Observation:
    logs = np.random.default_rng(size + ranks).permutation(np.linspace(-1, 1, 10)) * scatter
    medians = tuple(100 * ratio * np.exp(logs * (1 if stack == "lam@7" else -1)))
    return Observation(stack, "bcast", size, ranks, (), "time", tuple(range(10)), medians)


def measure(*cases: tuple[int, int, float]) -> list[Observation]:
    """LAM against MPICH on each (size, ranks), so many times as slow."""
    pairs = [(observe("lam@7", ratio, *place), observe("mpich@5", 1.0, *place)) for *place, ratio in cases]
    return [one for pair in pairs for one in pair]


def claim(hold: Hold = "all", sizes: Sequence[int] = (8, 64, 1024), ranks: Sequence[int] = (2,)) -> Claim:
    left, right = Pick("lam", "bcast"), Pick("mpich", "bcast")
    return Claim("LAM is slower", left=left, right=right, sizes=tuple(sizes), ranks=tuple(ranks), low=1.0, hold=hold)


@pytest.mark.parametrize(
    ("hold", "measured", "verdict"),
    [
        ("all", [SLOWER, SLOWER], "undecided"),
        ("all", [SLOWER, FASTER], "does not hold"),
        ("all", [SLOWER, SLOWER, SLOWER], "holds"),
        ("any", [FASTER, FASTER], "undecided"),
        ("any", [FASTER, SLOWER], "holds"),
        ("any", [FASTER, FASTER, FASTER], "does not hold"),
        ("most", [SLOWER], "undecided"),
        ("most", [FASTER], "undecided"),
        ("most", [SLOWER, SLOWER], "holds"),
        ("most", [FASTER, FASTER], "does not hold"),
    ],
)
def test_a_case_that_nobody_measured_is_open(hold: Hold, measured: Sequence[float], verdict: str) -> None:
    sizes = (8, 64, 1024)
    judged = judge_claim(
        claim(hold), measure(*((size, 2, one) for size, one in zip(sizes, measured, strict=False))), SYSTEMS
    )
    assert judged.verdict == verdict
    assert judged.unmeasured == ("8 B", "64 B", "1 KiB")[len(measured) :]
    assert ("not measured" in judged.reason) == bool(judged.unmeasured)


@pytest.mark.parametrize(
    ("measured", "said"),
    [
        ([(8, 2)], "3 of 4 cases were not measured: 64 B on 2 processes, 8 B and 64 B on 5 processes."),
        ([(8, 2), (64, 2)], "2 of 4 cases were not measured: 5 processes."),
        ([(8, 2), (8, 5)], "2 of 4 cases were not measured: 64 B."),
        ([(8, 2), (8, 5), (64, 5)], "1 of 4 cases was not measured: 64 B on 2 processes."),
    ],
)
def test_what_is_missing_is_counted_and_named(measured: Sequence[tuple[int, int]], said: str) -> None:
    observed = measure(*((*place, SLOWER) for place in measured))
    judged = judge_claim(claim(sizes=(8, 64), ranks=(2, 5)), observed, SYSTEMS)
    assert judged.reason.endswith(f" {said}")
    assert f"{len(measured)} of 4 cases agree" in judged.reason


def test_each_stack_of_a_system_that_is_named_counts() -> None:
    systems = {**SYSTEMS, "mpich": ("mpich@5", "mpich@4")}
    judged = judge_claim(claim(sizes=(8,)), measure((8, 2, SLOWER)), systems)
    assert (judged.verdict, judged.unmeasured) == ("undecided", ("lam@7 vs mpich@4",))
    assert judged.reason.endswith("1 of 2 cases was not measured: lam@7 vs mpich@4.")


def test_of_no_system_by_name_all_count_that_were_to_be_measured() -> None:
    """Each against itself: one that failed is open, and one that is not to run the kernel is none of them."""
    every = Claim("it lasts", left=Pick("", "bcast"), right=Pick("", "bcast", ranks=2), sizes=(8,), ranks=(5,), low=1.0)
    observed = [observe("lam@7", SLOWER, ranks=5), observe("lam@7", 1.0, ranks=2)]
    cells = tuple(Cell(number, "bcast", 8, ranks) for number, ranks in enumerate((2, 5)))
    assert judge_claim(every, observed, SYSTEMS, {"lam@7": cells, "mpich@5": cells[:1]}).verdict == "holds"
    failed = judge_claim(every, observed, SYSTEMS, {"lam@7": cells, "mpich@5": cells})
    assert (failed.verdict, failed.unmeasured) == ("undecided", ("mpich@5",))


def test_a_size_that_no_stack_measures_counts_too() -> None:
    every = Claim("it lasts", left=Pick("", "bcast"), right=Pick("", "bcast", size_bytes=8), sizes=(64, 1024), low=1.0)
    observed = [observe("lam@7", SLOWER, size=64), observe("lam@7", 1.0, size=8)]
    assert judge_claim(every, observed, SYSTEMS).unmeasured == ("no stack, 1 KiB",)


def test_a_question_is_answered_with_what_is_there_and_the_rest_named() -> None:
    asked = Claim("?", left=Pick("lam", "bcast"), right=Pick("mpich", "bcast"), sizes=(8, 64), question=True)
    judged = judge_claim(asked, measure((8, 2, SLOWER)), SYSTEMS)
    assert judged.verdict == "answered"
    assert judged.reason.endswith("1 of 2 cases was not measured: 64 B.")


def burst(size: int, launches: int = 8) -> Trace:
    steps = 1000.0 * np.exp(np.random.default_rng(1).normal(0, 0.01, (launches, 200)))
    return Trace("lam@7", "burst", size, 2, (), steps)


@pytest.mark.parametrize("there", [[burst(8)], [burst(8), burst(64, launches=3)]])
def test_bursts_that_nobody_measured_or_too_seldom_are_open(there: Sequence[Trace]) -> None:
    smooth = Claim(
        "no transient", kind="start-up", left=Pick("lam", series="sent"), sizes=(8, 64), low=1.5, expected=False
    )
    judged = judge_trace(smooth, there, SYSTEMS)
    assert judged.verdict == "undecided"
    assert judged.reason.endswith("1 of 2 cases was not measured in 5 launches: 64 B.")
    assert judge_trace(smooth, [burst(8), burst(64)], SYSTEMS).verdict == "holds"


def test_a_stack_of_which_a_fact_is_not_known_is_open() -> None:
    needs = Claim("a daemon", kind="fact", left=Pick("lam"), fact="daemon")
    systems = {"lam": ("lam@7", "lam@6")}
    judged = judge_fact(needs, {"lam@7": frozenset({"daemon"})}, systems)
    assert (judged.verdict, judged.unmeasured) == ("undecided", ("lam@6",))


def test_a_system_that_was_to_run_and_did_not_is_named() -> None:
    ran = Claim("it runs everywhere", kind="ran", left=Pick(kernel="bcast"))
    planned = {spec: (Cell(0, "bcast", 8, 2),) for spec in ("lam@7", "mpich@5")}
    judged = judge_claim(ran, [observe("lam@7", 1.0)], SYSTEMS, planned)
    assert (judged.verdict, judged.unmeasured) == ("undecided", ("mpich@5",))
    assert judged.reason.endswith("Not measured: mpich@5.")


def foretell(hold: Hold, ratio: float, scatter: float) -> tuple[JudgedClaim, ClaimForecast | None]:
    asked = claim(hold, sizes=(8, 64))
    observed = [observe("lam@7", ratio, scatter=scatter), observe("mpich@5", 1.0, scatter=scatter)]
    judged = judge_claim(asked, observed, SYSTEMS)
    cases = find_cases(asked, observed, SYSTEMS)
    return judged, foretell_claim(asked, cases, judged.evidence, len(judged.unmeasured))


def test_no_rounds_are_promised_to_stand_for_a_case_that_nobody_measured() -> None:
    for hold, ratio in (("all", SLOWER), ("any", FASTER), ("most", SLOWER)):
        judged, found = foretell(hold, ratio, 0.01)  # type: ignore[arg-type]
        assert judged.verdict == "undecided"
        assert found is None
    judged, refuted = foretell("all", 0.95, 0.06)
    assert judged.verdict == "undecided"
    assert refuted is not None
    assert refuted.word == "may", "one case that contradicts is enough"


@pytest.mark.parametrize("name", catalogue.list_shipped_papers())
def test_every_case_of_a_document_is_measured_by_its_file(name: str) -> None:
    """Else it could never be decided, though everything was measured; questions on bursts may ask for more."""
    paper = catalogue.load_paper(name)
    cells = dict[str, list[Cell]]()
    for asked in paper.measures:
        measured = asked.measure
        options = [()]
        for option, choices in measured.options:
            options = [(*known, (option, choice)) for known in options for choice in choices]
        for role in asked.systems:
            cells.setdefault(role, []).extend(
                Cell(0, measured.kernel, size, ranks, tuple(sorted(chosen)))
                for size in measured.sizes
                for ranks in measured.ranks
                for chosen in options
            )
    for one in paper.claims:
        if one.kind in {"ratio", "difference", "spread"}:
            for case in one.cases:
                for pick in (one.left, *([one.right] if one.right.kernel else [])):
                    roles = [pick.system] if pick.system else list(cells)
                    assert any(all(list_needed(pick, case, cells[role])) for role in roles), (one.text, case)
        elif one.kind in {"start-up", "rate-change"} and not one.question:
            bursts = [cell for cell in cells[one.left.system] if cell.kernel == "burst"]
            for size in one.sizes:
                assert any(cell.size_bytes == size and set(one.left.options) <= set(cell.options) for cell in bursts)


CASES = """\
[systems]
one = ["fake"]
[[claim]]
text = "a claim"
cases = [{ sizes = ["8", "64"], ranks = [2] }, { sizes = ["64"], ranks = [3, 4] }]
"""


def test_a_claim_may_speak_of_some_sizes_on_some_numbers_of_processes() -> None:
    (parsed,) = catalogue.parse_paper(CASES, "small").claims
    assert parsed.cases == (Case(8, 2), Case(64, 2), Case(64, 3), Case(64, 4))
    with pytest.raises(StudyError, match="stands in place of sizes and ranks"):
        catalogue.parse_paper(CASES + "ranks = [2]\n", "small")
    with pytest.raises(StudyError, match="unknown key 'size'"):
        catalogue.parse_paper(CASES.replace('[{ sizes = ["8", "64"]', '[{ size = "8"'), "small")
