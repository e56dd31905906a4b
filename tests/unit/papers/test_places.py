"""A paper on hosts: what sent over a network is measured there and here, and claims are judged where the network is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import nan

import pytest
from attrs import evolve

from msgauge import cli
from msgauge.analysis.estimates.observations import Observation
from msgauge.discovery import registry
from msgauge.kernels import load_kernels
from msgauge.model import Origin, Stack
from msgauge.papers import catalogue
from msgauge.papers.case_levels import Verdict
from msgauge.papers.catalogue import NAMED, PlacedSystems, make_runnable, parse_paper, systems_of
from msgauge.papers.claim_statement import Claim
from msgauge.papers.claims import JudgedClaim, judge_claim
from msgauge.papers.figures import Plot, make_paper_figure
from msgauge.papers.number_selection import Pick
from msgauge.papers.paper_evaluation import add_named_systems, judge_where_it_is
from msgauge.papers.result import PaperResult
from msgauge.papers.tables import Column, Row, Table, redraw
from msgauge.report.terminal.paper_terminal import bands, count_verdicts, table_notes, tell_beside, tell_verdict

TCP, SHM = Stack("tcp", "1", Origin("builtin")), Stack("shm", "1", Origin("builtin"))
OLD = Stack("smpi", "3", Origin("builtin"), simulated=True)

TEXT = """\
title = "A small document"
network = "100baset"
hosts = 2
networked = ["wired"]
simulated = ["old"]
[systems]
wired = ["tcp"]
shared = ["shm"]
old = ["smpi"]
[[measure]]
kernel = "pingpong"
sizes = ["16"]
"""
PAPER = parse_paper(TEXT, "small")


def select(names: Sequence[str]) -> Sequence[Stack]:
    return registry.select([TCP, SHM, OLD], names)


def test_what_sent_over_a_network_is_measured_there_and_here_and_the_rest_here() -> None:
    ready = make_runnable(PAPER, select, load_kernels(), ["shm"], on_hosts=True)
    assert ready.study.stacks == ("tcp@1", "tcp@1[local]", "shm@1[local]", "smpi@3", "shm@1")
    assert make_runnable(PAPER, select, load_kernels()).study.stacks == ("tcp@1", "shm@1", "smpi@3")


def test_the_stacks_of_a_run_find_their_roles_again_by_place() -> None:
    stacks = select(["tcp", "tcp[local]", "shm[local]", "smpi"])
    placed = systems_of(PAPER, stacks, on_hosts=True)
    assert placed.here == {"wired": ("tcp@1[local]",), "shared": ("shm@1[local]",), "old": ("smpi@3",), NAMED: ()}
    assert placed.across == {"wired": ("tcp@1",), "shared": (), "old": ("smpi@3",), NAMED: ()}
    assert placed.every["wired"] == ("tcp@1", "tcp@1[local]")
    alone = systems_of(PAPER, [TCP, SHM, OLD])
    assert (alone.here["wired"], alone.across) == (("tcp@1",), {})


def test_a_stack_of_the_users_has_one_column_for_both_places() -> None:
    paper = evolve(PAPER, tables=(Table("t", (Column("One", "wired"),), ()),))
    unix = Stack("unix", "1", Origin("builtin"))
    placed = systems_of(paper, [TCP, *registry.select([unix], ["unix", "unix[local]"])], on_hosts=True)
    paper, placed = add_named_systems(paper, placed)
    assert [column.system for column in paper.tables[0].columns] == ["wired", "unix@1"]
    assert (placed.here["unix@1"], placed.across["unix@1"]) == (("unix@1[local]",), ("unix@1",))


# --- claims ----------------------------------------------------------------------------------------------------

PLACED = PlacedSystems({"a": ("a@1[local]",), "b": ("b@1[local]",)}, {"a": ("a@1",), "b": ()})
PLACES = {"a@1": "emulated"}


def observe(stack: str, time_ns: float, size: int = 16) -> Observation:
    times = tuple(time_ns * (1 + 0.001 * place) for place in range(8))
    return Observation(stack, "pingpong", size, 2, (), "time", tuple(range(8)), times)


def judge(claim: Claim, observed: Sequence[Observation]) -> JudgedClaim:
    delivered = {one.stack for one in observed}
    places = {spec: word for spec, word in PLACES.items() if spec in delivered}

    def by(claim: Claim, systems: Mapping[str, Sequence[str]]) -> JudgedClaim:
        return judge_claim(claim, observed, systems)

    return judge_where_it_is(claim, PLACED, places, by)


SLOW = Claim("slower than 20 µs", left=Pick("a", "pingpong"), right=Pick(constant_ns=20_000), sizes=(16,), low=1.0)


def test_a_claim_about_a_network_is_judged_on_the_network_and_not_on_shared_memory() -> None:
    found = judge(SLOW, [observe("a@1", 90_000), observe("a@1[local]", 900)])
    assert (found.verdict, found.place, found.verdict_here) == ("holds", "emulated", "does not hold")
    assert tell_verdict(found) == "holds (emulated)"
    assert "a@1 vs" in found.reason or "a@1, " in found.reason
    assert tell_beside(found).startswith("this computer: does not hold; a@1[local]")


def test_a_claim_is_judged_here_where_one_of_its_systems_never_left_or_the_network_delivered_nothing() -> None:
    both = Claim("a beats b", left=Pick("a", "pingpong"), right=Pick("b", "pingpong"), sizes=(16,), high=1.0)
    here = [observe("a@1[local]", 100), observe("b@1[local]", 200)]
    found = judge(both, [*here, observe("a@1", 90_000)])
    assert (found.verdict, found.place, tell_beside(found)) == ("holds", "", "")
    assert judge(SLOW, here).verdict == "does not hold"
    assert judge(SLOW, here).place == ""


def test_too_little_on_the_network_does_not_make_this_computer_decide() -> None:
    other_size = observe("a@1", 90_000, size=1024)
    found = judge(SLOW, [other_size, observe("a@1[local]", 900_000)])
    assert (found.verdict, found.place, found.verdict_here) == ("undecided", "emulated", "holds")


# --- tables ----------------------------------------------------------------------------------------------------


def draw(emulated_us: Sequence[float], unit: str = "us") -> PaperResult:
    rows = tuple(
        Row(f"row {size}", Pick("", "pingpong", size), unit=unit if size == 4 else "us", published=(published,))
        for size, published in ((1, 145.0), (2, 140.0), (3, 1300.0), (4, 1200.0))
    )
    observed = [observe("a@1", 1e3 * time, size) for size, time in enumerate(emulated_us, start=1)]
    table = redraw(Table("t", (Column("A", "a"),), rows), observed, PLACED.here, PLACED.across)
    return PaperResult("n", "t", "s", "a", (), network="emulated 100baset", across="emulated", tables=(table,))


def test_a_table_states_the_factor_to_the_published_numbers_and_their_order() -> None:
    found = draw([14.5, 30.0, 260.0, 270.0])
    (table,) = found.tables
    assert table.across_accuracy is not None
    assert table.across_accuracy.largest_factor == pytest.approx(10.0, rel=0.01)
    assert (table.across_accuracy.pairs, table.across_accuracy.pairs_in_order) == (5, 4), "145 and 140 have no order"
    (note,) = table_notes(table, found)
    assert note.startswith("Emulated over published: within a factor of 9.97 for 4 values")
    assert "4 of 5 pairs of values in the published order" in note
    assert [line.whose for line in bands(table, "emulated")][:2] == ["published", "emulated"]
    assert table.accuracy is None


def test_rows_of_another_unit_have_no_order_with_the_rest() -> None:
    (table,) = draw([14.5, 14.0, 260.0, 270.0], unit="ms").tables
    assert table.across_accuracy is not None
    assert table.across_accuracy.pairs == 2


def test_the_lines_of_a_table_on_hosts_say_whose_they_are_and_a_figure_too() -> None:
    row = Row("16 B", Pick("", "pingpong", 16), published=(nan,))
    observed = [observe("a@1", 90_000), observe("a@1[local]", 900)]
    table = redraw(Table("t", (Column("A", "a"),), (row,)), observed, PLACED.here, PLACED.across)
    assert [(line.whose, line.kind) for line in bands(table, "emulated")] == [
        ("emulated", "across"),
        ("this computer", "measured"),
    ]
    assert [line.whose for line in bands(evolve(table, values=((evolve(table.values[0][0], across=()),),)))] == [
        "measured"
    ]
    plot = Plot("f", (Pick("", "pingpong"),), "size", systems=("a",))
    lines = make_paper_figure(plot, observed, (), PLACED.every, PLACES).lines
    assert [line.name for line in lines] == ["a@1, emulated", "a@1[local]"]


@pytest.mark.parametrize("name", ["broxton-logp", "jyi-lam-mpich", "tcp-or-mpi"])
def test_papers_on_a_network_name_it_and_who_sent_over_it(name: str) -> None:
    paper = catalogue.load_paper(name)
    assert paper.network in {"100baset", "gigabit"}
    assert paper.networked
    assert not set(paper.networked) & set(paper.simulated)
    assert paper.emulation.startswith("lab:")


def test_a_paper_can_be_run_on_some_numbers_of_processes_alone() -> None:
    paper = catalogue.limit_ranks(catalogue.load_paper("tcp-or-mpi"), (10, 20))
    assert {count for asked in paper.measures for count in asked.measure.ranks} == {10, 20}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["arsc-t3d", "--hosts", "lab:2"], "no network stands for that of arsc-t3d"),
        (["tcp-or-mpi", "--hosts", "lab:1@gigabit"], "one host has no network"),
        (["tcp-or-mpi", "--ranks", "11"], "tcp-or-mpi is not run on 11 processes"),
        (["--resume", "nowhere", "--hosts", "lab:2"], "as it was measured there: not --hosts"),
    ],
)
def test_hosts_that_make_no_sense_are_refused(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["paper", *words]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert "remedy" in error


@pytest.mark.parametrize(
    ("verdicts", "said"),
    [
        (["holds", "does not hold"], "1 holds, 1 does not hold, 0 undecided"),
        (["holds"] * 3 + ["undecided"], "3 hold, 0 do not hold, 1 undecided"),
    ],
)
def test_claims_are_counted_by_verdict(verdicts: list[Verdict], said: str) -> None:
    claims = tuple(JudgedClaim("a claim", "", verdict, "", ()) for verdict in verdicts)
    assert count_verdicts(PaperResult("p", "", "", "", (), claims=claims)) == said
