"""Claims about which claims of a paper still need rounds."""

from __future__ import annotations

from itertools import repeat
from pathlib import Path

import numpy as np
import pytest
from attrs import evolve

from msgauge.evaluation import conclude
from msgauge.kernels import load_kernels
from msgauge.model import Cell, LaunchRecord, Origin, Plan, Samples, Stack
from msgauge.papers.case_levels import LOOK_ERROR, choose_error, error_when_resumed
from msgauge.papers.catalogue import list_shipped_papers, load_paper
from msgauge.papers.claim_cells import find_claim_cells
from msgauge.papers.claim_progress import find_open_claims
from msgauge.papers.paper_evaluation import evaluate_paper
from msgauge.plan import launches_of_round
from msgauge.results.run_folder import RunFolder
from msgauge.stats.look_schedule import extend_looks

OPENMPI = Stack("openmpi", "1", Origin("builtin"), ("tcp", "yield", "pmix_base_async_modex=1"))
TCP = Stack("tcp", "1", Origin("builtin"))
STACKS = (OPENMPI, TCP)
SIZES = {10: (8, 32, 64, 256, 1024, 2048), 20: (64, 2048), 40: (64, 2048), 50: (8, 32, 64, 256, 1024, 2048),
         100: (64, 2048), 150: (64, 2048), 200: (8, 32, 64, 256, 1024, 2048)}  # fmt: skip
CELLS = tuple(
    Cell(number, "fanout", size, ranks, (("form", "sends"),))
    for number, (size, ranks) in enumerate((size, ranks) for ranks, sizes in SIZES.items() for size in sizes)
)
PLAN = Plan("tcp-or-mpi", 1, tuple(stack.spec for stack in STACKS), CELLS, tuple(SIZES))
LAUNCHES = len(STACKS) * len(SIZES)
"""Of a round."""
SLOWER = "Open MPI is slower than the TCP library"


def run(
    place: Path,
    ratio: float,
    scatter: float,
    rounds: int = 7,
    *,
    study: str = "tcp-or-mpi",
    most: int = 200,
    alike: int = 0,
    behind: bool = False,
) -> RunFolder:
    """Every launch of so many rounds; Open MPI takes ``ratio`` times as long as the library, but on ``alike`` ranks as
    long, and fails on more ranks than ``most``. ``behind``: it began behind a barrier, and no other stack did.
    """
    random = np.random.default_rng(1)
    claims = find_claim_cells(PLAN, STACKS, load_kernels())
    assert len(claims) == 3
    plan = evolve(PLAN, claims=claims, study=study)
    folder = RunFolder.create(place, "", plan, {}, STACKS)
    for round in range(rounds):
        for launch in launches_of_round(plan, round, LAUNCHES * round):
            if launch.stack == OPENMPI.spec and launch.ranks > most:
                folder.dataset.add(LaunchRecord(launch, "timeout", reason="took longer than 60 s"), [])
                continue
            level = 1e6 * (ratio if launch.stack == OPENMPI.spec and launch.ranks != alike else 1.0)
            times = (level * np.exp(random.normal(0, scatter, (len(launch.cells), 1)))).astype(int)
            start = "barrier" if behind and launch.stack == OPENMPI.spec else "agreed"
            frames = [
                Samples(launch.number, *one, 1, attributes=(("start", start),))
                for one in zip(launch.cells, repeat("time"), times)
            ]
            record = LaunchRecord(launch, "ok", started="2026-01-01T00:00:00.000", seconds=1.0)  # type: ignore[arg-type]
            folder.dataset.add(record, frames)
    return folder


def open_texts(folder: RunFolder) -> set[str]:
    return {folder.plan.claims[number].text for number in find_open_claims(folder, folder.dataset)}


def verdict_of(folder: RunFolder, text: str, stopped: str = "rounds") -> str:
    conclude(folder, stopped)
    found = evaluate_paper(folder)
    assert found is not None
    return next(claim.verdict for claim in found.claims if claim.text.startswith(text))


def test_what_is_clear_needs_no_more_rounds_and_what_lies_at_its_bound_does(tmp_path: Path) -> None:
    with run(tmp_path / "clear", 20.0, 0.1) as clear, run(tmp_path / "near", 1.0, 0.1) as near:
        assert verdict_of(clear, SLOWER) == "holds"
        assert not any(text.startswith(SLOWER) for text in open_texts(clear))
        assert verdict_of(near, SLOWER) == "undecided"
        assert any(text.startswith(SLOWER) for text in open_texts(near))


def test_of_an_open_claim_only_the_cases_that_are_not_clear_get_more_rounds(tmp_path: Path) -> None:
    cells = {cell.id: cell for cell in CELLS}
    with run(tmp_path / "some", 3.0, 0.03, alike=40) as folder, run(tmp_path / "few", 3.0, 0.03, 4) as few:
        number = next(n for n, claim in enumerate(folder.plan.claims) if claim.text.startswith(SLOWER))
        left = find_open_claims(folder, folder.dataset)[number]
        every = find_open_claims(few, few.dataset)[number]
    assert {cells[key.cell].ranks for case in left for key in case} == {40}
    assert sorted(sorted({key.stack for key in case}) for case in left) == [sorted([OPENMPI.spec, TCP.spec])] * 2
    assert len(every) == len(CELLS), "no case is clear before five rounds"


def test_what_holds_where_it_was_measured_is_undecided_of_all_and_gets_no_more_rounds(tmp_path: Path) -> None:
    with run(tmp_path, 3.0, 0.03, most=10) as folder:
        assert not any(text.startswith(SLOWER) for text in open_texts(folder))
        conclude(folder, "rounds")
        found = evaluate_paper(folder)
    assert found is not None
    told = {claim.text: claim for claim in found.claims}
    slower = next(claim for text, claim in told.items() if text.startswith(SLOWER))
    assert slower.verdict == "undecided"
    assert "6 of 26 cases agree" in slower.reason
    assert "20 of 26 cases were not measured: 20, 40, 50, 100, 150 and 200 processes." in slower.reason
    unstable = next(claim for text, claim in told.items() if text.startswith("Open MPI is unstable"))
    assert unstable.verdict == "undecided", "it is about any of three numbers of processes"
    assert unstable.unmeasured == ("50 processes", "200 processes")


def test_a_look_is_harder_to_convince_than_the_last_word(tmp_path: Path) -> None:
    """Who stops at the first look that says so would be wrong more often than is promised."""
    with run(tmp_path, 1.5, 0.12, rounds=7) as folder:
        assert verdict_of(folder, SLOWER) == "holds"
        assert any(text.startswith(SLOWER) for text in open_texts(folder))


def test_a_run_that_goes_on_has_a_third_of_the_error_for_its_next_report_and_an_interrupted_one_that_of_a_look(
    tmp_path: Path,
) -> None:
    """All reports of a run together err in 5 %, however often it is resumed: each is another look at growing data."""
    with run(tmp_path, 1.5, 0.12, rounds=7) as folder:
        assert verdict_of(folder, SLOWER) == "holds"
        assert verdict_of(folder, SLOWER, "interrupted") == "undecided"
        before = folder.plan.stopping
        errors = [choose_error(before, "rounds")]
        for _ in range(9):
            folder.extend(extend_looks(folder.plan.stopping, before, folder.dataset.rounds))
            errors.append(choose_error(folder.plan.stopping, "budget"))
        assert verdict_of(folder, SLOWER) == "undecided"
    assert errors[:3] == pytest.approx([0.05, 0.05 / 3, 0.05 / 9])
    assert sum(errors) / 2 + 9 * LOOK_ERROR / 2 <= 0.05
    assert error_when_resumed(before) == errors[1]


def test_claims_of_a_study_that_is_no_paper_here_are_all_open(tmp_path: Path) -> None:
    with run(tmp_path, 20.0, 0.1, study="quick") as folder:
        assert len(find_open_claims(folder, folder.dataset)) == 3


@pytest.mark.parametrize("name", list_shipped_papers())
def test_no_two_claims_of_a_paper_have_the_same_words(name: str) -> None:
    texts = [claim.text for claim in load_paper(name).claims]
    assert len(texts) == len(set(texts))
