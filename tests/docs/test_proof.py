"""The page of proof is what its command writes, of this version, and every row of it names a simulation that runs."""

from __future__ import annotations

import re
from math import isnan
from pathlib import Path

import numpy as np
import pytest
from attrs import evolve
from benchmarks.truth import __main__ as command
from benchmarks.truth import claims, fake_runs, page, real_runs, results, runs, tried_code, whole_runs
from benchmarks.truth.__main__ import all_simulations
from benchmarks.truth.simulated_runs import dataset_of, make_plan
from benchmarks.truth.simulation import Figure, Simulation

from msgauge import __version__
from msgauge.analysis.run import analyse
from msgauge.model import Origin, Stack, Stopping

PAGE = Path(__file__).parents[2] / "docs" / "explanation" / "proof.md"
ROW = re.compile(r"^\| (?P<case>[^|]+) \| [^|]+ \| [^|]+ \| \d+ \| `(?P<name>[^`]+)` \|$", re.MULTILINE)
SIMULATIONS = {one.name: one for one in all_simulations()}
OF_EACH_KIND = {one.function: one for one in SIMULATIONS.values() if one.function.__module__ != fake_runs.__name__}
"""Without those of real processes, which ``unit/commands/test_versions_on_folders.py`` has."""


def rows() -> dict[str, tuple[str, str]]:
    """Claim and case of each row, by the name of its simulation."""
    found = {}
    for section in PAGE.read_text(encoding="utf-8").split("\n## ")[1:]:
        found |= {row["name"]: (section.partition("\n")[0], row["case"]) for row in ROW.finditer(section)}
    return found


def test_the_page_is_what_the_command_writes_for_this_version() -> None:
    written = page.write(results.load(), list(SIMULATIONS.values()), __version__, real_runs.load())
    assert PAGE.read_text(encoding="utf-8") == written


def test_the_table_at_its_head_counts_all_rows_and_leads_to_their_sections() -> None:
    text = PAGE.read_text(encoding="utf-8")
    short = text.split("\n## ")[1]
    lines = [line.strip("| ").split(" | ") for line in short.splitlines() if line.startswith("| [")]
    rows_of, today = (sum(int(line[column]) for line in lines) for column in (2, 6))
    shown, open_ = (sum(int(line[column]) for line in lines if line[column] != "–") for column in (4, 5))
    told = r"numbers (\d+) are shown, 0 are broken,\s+and (\d+) are left open\.\nOf all (\d+) rows (\d+)"
    counts = re.search(told, text)
    assert counts is not None
    assert (shown, open_, rows_of, rows_of - today) == tuple(map(int, counts.groups()))
    anchors = {re.sub(r"[^\w -]", "", line[3:].lower()).replace(" ", "-") for line in re.findall(r"^## .+", text, re.M)}
    assert {re.search(r"\(#(.+)\)", line[0])[1] for line in lines} <= anchors  # type: ignore[index]


def test_every_simulation_has_its_row_and_every_row_its_simulation() -> None:
    assert rows().keys() == SIMULATIONS.keys()


@pytest.mark.parametrize("simulation", OF_EACH_KIND.values(), ids=lambda one: one.name)
def test_a_row_says_what_its_simulation_simulates(simulation: Simulation) -> None:
    """Run with the fewest trials: the figure is worth nothing, the words are those of the page."""
    figure = simulation.run(seed=3, effort=0.0)
    claim, case = rows()[simulation.name]
    assert (figure.claim.lower(), figure.case) == (claim.lower(), case)
    assert 0 <= figure.share <= 1
    assert isnan(figure.before) or 0 <= figure.before <= 1


def figure(promised: str, share: float) -> Figure:
    return Figure("a claim", promised, "a case", share, 0.5, 1000)


@pytest.mark.parametrize(
    ("promised", "share", "kept"),
    [
        ("<= 5 %", 0.051, True),
        ("<= 5 %", 0.08, False),
        ("93 to 97 %", 0.95, True),
        ("93 to 97 %", 0.90, False),
        ("93 to 97 %", 1.0, False),
        ("all but 5 %", 0.04, True),
        ("all but 5 %", 0.2, False),
        ("0", 0.0, True),
        ("0", 0.001, False),
        ("30 %", 0.31, True),
        ("30 %", 0.09, False),
        ("at least 80 %", 0.95, True),
        ("at least 80 %", 0.7, False),
        ("every one", 1.0, True),
        ("every one", 0.999, False),
        ("", 0.7, True),
    ],
)
def test_a_figure_beyond_its_promise_is_marked(promised: str, share: float, kept: bool) -> None:
    one = figure(promised, share)
    assert page.keeps_promise(one) is kept
    simulation = Simulation(figure, (promised, share), 1000)
    text = page.write([results.Piece(simulation.name, 1, "1", one)], [simulation], "1")
    assert ("**broken**" in text) is not kept


@pytest.mark.parametrize(
    ("promised", "share", "open_"),
    [("<= 5 %", 0.03, False), ("<= 5 %", 0.045, True), ("93 to 97 %", 0.94, True), ("at least 80 %", 0.81, True)],
)
def test_a_figure_whose_error_reaches_beyond_its_promise_leaves_it_open(
    promised: str, share: float, open_: bool
) -> None:
    assert page.keeps_promise(figure(promised, share))
    assert page.shows_promise(figure(promised, share)) is not open_


def test_pieces_of_one_simulation_are_pooled_by_their_trials() -> None:
    pieces = [results.Piece("a", seed, "1", evolve(figure("", share), trials=trials)) for seed, share, trials in
              ((1, 0.1, 300), (2, 0.2, 100))]  # fmt: skip
    assert results.pool(pieces).share == pytest.approx(0.125)
    assert results.pool(pieces).trials == 400


def row_of(*codes: str) -> str:
    """What the page writes of a simulation whose pieces have these digests; * stands for that of the present code."""
    simulation = next(one for one in SIMULATIONS.values() if one.function.__name__ == "power")
    present = tried_code.digest_of(simulation)
    shares = (0.2, 0.4)
    pieces = [
        results.Piece(simulation.name, seed, "1", figure("", share), code.replace("*", present))
        for seed, (code, share) in enumerate(zip(codes, shares, strict=False))
    ]
    return next(line for line in page.write(pieces, [simulation], "1").splitlines() if simulation.name in line)


def test_figures_that_other_code_gave_are_marked_until_they_are_drawn_again() -> None:
    assert "| 20.0 ± 2.5 % |" in row_of("*")
    assert "| 20.0 ± 2.5 % † |" in row_of("0123456789ab")
    assert "| 20.0 ± 2.5 % ‡ |" in row_of("")
    assert "| 30.0 ± 2.0 % ‡ |" in row_of("", "*")
    assert "| 30.0 ± 2.0 % † ‡ |" in row_of("", "0123456789ab"), "none is left out for its age alone"
    assert "| 40.0 ± 3.0 % |" in row_of("0123456789ab", "*"), "drawn again"


def test_the_digest_is_of_what_a_simulation_reaches_and_of_nothing_that_changes_no_figure() -> None:
    def reached(function: object) -> set[tuple[str, str]]:
        return {*tried_code.tried_definitions(function.__module__, function.__name__)}  # type: ignore[attr-defined]

    of_runs, of_tables = reached(runs.histories), reached(claims.false_equivalence)
    assert {"msgauge.stats.change_points"} <= {module for module, _ in of_runs}
    assert "msgauge.stats.change_points" not in {module for module, _ in of_tables}
    assert {("msgauge.stats.sign_flips", "step_down"), ("msgauge.stats.pairwise", "_limits")} <= of_tables
    assert ("msgauge.stats.pairwise", "ranks") not in of_tables, "beside it in the same file"
    assert ("msgauge.stats.pairwise", "ranks") in reached(whole_runs.coverage_of_runs), "named through its module"
    whole = reached(fake_runs.fake_pairs)
    assert {"msgauge.analysis.between_runs.history", "msgauge.analysis.between_runs.run_comparison"} <= {
        module for module, _ in whole
    }
    code = 'def f(x):\n    """One."""\n    # two\n\n    return x\n'
    assert tried_code.read_code(code) == tried_code.read_code(code.replace("One", "Three").replace("# two", "# four"))
    assert tried_code.read_code(code) != tried_code.read_code(code.replace("return x", "return -x"))


def test_what_is_drawn_again_stands_in_place_of_what_other_code_gave(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    simulation = next(one for one in SIMULATIONS.values() if one.function.__name__ == "false_equivalence")
    code, file = tried_code.digest_of(simulation), tmp_path / "results.json"
    older = [results.Piece(simulation.name, seed, __version__, figure("", 0.5), "0123456789ab") for seed in (1, 2)]
    other = results.Piece("another", 1, __version__, figure("", 0.5))

    def draw(*words: str) -> list[tuple[str, int, str]]:
        asked = ["truth", "--only", simulation.name, "--effort", "0", "--results", str(file), *words]
        monkeypatch.setattr("sys.argv", asked)
        command.main()
        return [(one.name, one.seed, one.code) for one in results.load(file)]

    results.keep([*older, other], file)
    drawn = [("another", 1, ""), (simulation.name, 1, code)]
    assert draw("--stale", "--seed", "1") == drawn
    assert draw("--stale", "--seed", "2") == drawn, "nothing is stale any more"
    assert draw("--seed", "1") == drawn, "drawn with this seed already"
    assert draw("--seed", "2") == [*drawn, (simulation.name, 2, code)]
    assert draw("--again", "--seed", "3") == [drawn[0], (simulation.name, 3, code)]


def test_what_another_version_gave_is_not_on_the_page_of_this_one() -> None:
    simulation = Simulation(figure, ("", 0.5), 1000)
    text = page.write([results.Piece(simulation.name, 1, "0", figure("", 0.5))], [simulation], "1")
    assert "## Not simulated for this version" in text
    assert simulation.name in text


def test_real_runs_have_a_table_of_their_own() -> None:
    row = real_runs.RealRun("quick, 7 rounds", "2026-11-26", "a build", "0 false differences", 200.0, 5.0, "AMD")
    paper = evolve(row, what="a-paper, 9 rounds", outcome="7 of 10 claims on numbers decided")
    text = page.write([], [], "1", [row, paper, evolve(paper, outcome="6 of 10 claims on numbers decided")])
    assert "| quick, 7 rounds | 2026-11-26 | AMD | a build | 0 false differences | 200 s | 2.5 % |" in text
    assert "| a-paper | 1 of 2 | 7 of 10, 6 of 10 |" in text


def test_a_run_tells_how_many_rounds_every_test_has_that_is_still_open() -> None:
    """Two tests of three scatter too much for seven rounds to settle them."""
    plan = make_plan(2, 3, Stopping(minimum_rounds=7, maximum_rounds=30))
    scatter = np.array([0.001, 0.3, 0.3])[:, None]
    dataset = dataset_of(plan, 1000 * np.exp(scatter * np.random.default_rng(1).normal(0, 1, (2, 3, 7))))
    told = real_runs.tell_open(dataset, analyse(dataset, run="", stopped="budget"))
    assert told == "2 of 3 tests still open, each with 7 rounds or more"


def test_a_stack_and_its_twin_are_found_and_compared() -> None:
    """Ten rounds in which the twin takes twice as long: every test says so."""
    stacks = tuple(Stack("one", "1", Origin("builtin"), variant=variant) for variant in ((), ("again",)))
    plan = evolve(make_plan(2, 3, Stopping(minimum_rounds=10, maximum_rounds=10)), stacks=tuple(s.spec for s in stacks))
    dataset = dataset_of(plan, 1000 * np.exp(np.log([1.0, 2.0])[:, None, None] + np.zeros((2, 3, 10))), stacks)
    assert real_runs.judge_twins(dataset, analyse(dataset, run="", stopped="rounds")) == {
        "medians": {"slower": 3},
        "tails": {},
        "means": {"slower": 1},
    }
