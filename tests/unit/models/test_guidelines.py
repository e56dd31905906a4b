"""Every guideline finds a violation that is planted, and none in a clean stack."""

from __future__ import annotations

from math import log2

import numpy as np
import pytest
from attrs import evolve

from msgauge.model import Estimate
from msgauge.models.guidelines import BLOCK_KERNELS, GUIDELINES, find_unjudged, judge
from msgauge.stats.ratio import interval_at

SIZES = (8, 64, 1024, 8192, 65536)
RANKS = 4
ROUNDS = 8


def clean_time(kernel: str, whole: float, ranks: int) -> float:
    """A consistent library, by textbook costs: start-up 1000 ns, 0.5 ns a byte, binomial trees."""
    steps, part = log2(ranks), whole * (ranks - 1) / ranks
    return {
        "pingpong": 1000 + 0.5 * whole,
        "bcast": min(steps * (1000 + 0.5 * whole), 0.95 * (2 * steps * 1000 + 0.5 * 2 * part)),
        "scatter": 0.9 * min(steps * 1000 + 0.5 * part, steps * (1000 + 0.5 * whole)),
        "gather": 0.9 * (steps * 1000 + 0.5 * part),
        "allgather": steps * 1000 + 0.5 * part,
        "reduce": steps * (1100 + 0.6 * whole),
        "allreduce": steps * (1150 + 0.65 * whole),
        "barrier": steps * 900,
    }[kernel]


KERNELS = ("pingpong", "bcast", "scatter", "gather", "allgather", "reduce", "allreduce", "barrier")


def estimates(slow=(), factor=2.0, noise=0.01, seed=1, rounds=ROUNDS):
    """One clean stack; cells for which ``slow`` says (kernel, size) take ``factor`` times as long."""
    rng = np.random.default_rng(seed)
    moods = np.exp(0.1 * rng.standard_normal(rounds))
    found = []
    for kernel in KERNELS:
        for size in (0,) if kernel == "barrier" else SIZES:
            ranks = 2 if kernel == "pingpong" else RANKS
            block = size // RANKS if kernel in BLOCK_KERNELS else size
            time = clean_time(kernel, size, ranks) * (factor if (kernel, size) in slow else 1.0)
            medians = time * moods * np.exp(noise * rng.standard_normal(rounds))
            found.append(
                Estimate(
                    stack="fake@1",
                    cell=len(found),
                    kernel=kernel,
                    size_bytes=block,
                    ranks=ranks,
                    launch_medians_ns=tuple(medians),
                    rounds=tuple(range(rounds)),
                )
            )
    return found


def violated(judgements):
    return {(one.guideline.name, one.size_bytes) for one in judgements if one.verdict == "violated"}


def test_every_guideline_is_judged_on_a_complete_study():
    assert {one.guideline.name for one in judge(estimates())} == {guideline.name for guideline in GUIDELINES}


def test_a_clean_stack_breaks_no_guideline():
    assert [violated(judge(estimates(seed=seed))) for seed in range(20)] == [set()] * 20


@pytest.mark.parametrize(
    ("name", "kernel", "size", "factor"),
    [
        ("monotone", "reduce", 64, 8.0),
        ("bcast <= scatter + allgather", "bcast", 65536, 3.0),
        ("allreduce <= reduce + bcast", "allreduce", 1024, 3.0),
        ("gather <= allgather", "gather", 8192, 1.3),
        ("scatter <= bcast", "scatter", 65536, 3.0),
        ("bcast <= sends", "bcast", 1024, 2.0),
        ("barrier <= allreduce", "barrier", 0, 2.0),
    ],
)
def test_a_planted_violation_is_found_at_its_size(name, kernel, size, factor):
    assert (name, size) in violated(judge(estimates(slow={(kernel, size)}, factor=factor)))


def test_the_finding_says_who_what_and_how_much():
    judged = judge(estimates(slow={("gather", 8192)}, factor=1.5))
    worst = max((one for one in judged if one.verdict == "violated"), key=lambda one: one.ratio.value).finding()
    assert worst.sentence.startswith("fake@1: gather of 2 KiB a rank takes 1.3")
    assert "at 4 ranks" in worst.sentence
    assert ("guideline", "gather <= allgather") in worst.evidence
    assert worst.kind == "guideline"


def test_the_ratio_comes_back_inside_its_interval():
    plain, slowed = (judge(estimates(slow=slow, factor=1.5)) for slow in ((), {("gather", 8192)}))
    truth = 1.5 * 0.9
    (one,) = [j for j in slowed if j.guideline.name == "gather <= allgather" and j.size_bytes == 8192]
    assert one.ratio.low <= truth * 1.01
    assert one.ratio.high >= truth * 0.99
    assert all(j.verdict == "holds" for j in plain if j.guideline.name == "gather <= allgather")


def test_an_excess_inside_the_margin_is_no_violation():
    equal = {("gather", 8192)}
    judged = judge(estimates(slow=equal, factor=1.02 / 0.9, noise=0.0005))
    assert ("gather <= allgather", 8192) not in violated(judged)


def test_a_noisy_excess_is_undecided_and_not_a_violation():
    judged = judge(estimates(slow={("gather", 8192)}, factor=1.2, noise=0.4))
    (one,) = [j for j in judged if j.guideline.name == "gather <= allgather" and j.size_bytes == 8192]
    assert one.verdict == "undecided"


def test_noise_alone_breaks_a_guideline_in_at_most_five_percent_of_runs():
    """Gather exactly as slow as allgather, so that half of the ratios lie above one by chance."""
    wrong = 0
    for seed in range(60):
        cells = estimates(noise=0.05, seed=seed, slow={("gather", size) for size in SIZES}, factor=1 / 0.9)
        wrong += any(name == "gather <= allgather" for name, _ in violated(judge(cells)))
    assert wrong <= 6


def test_a_report_that_others_came_before_errs_less():
    """A resumed run has several; each has its share of what all may err in."""
    told = [judge(estimates(slow={("gather", 8192)}, noise=noise), level=0.01) for noise in (0.01, 0.11)]
    assert ("gather <= allgather", 8192) in violated(told[0])
    (early,) = [one for one in told[1] if (one.guideline.name, one.size_bytes) == ("gather <= allgather", 8192)]
    assert 0.01 < early.p_adjusted < 0.05 and early.verdict == "undecided"
    (alone,) = [
        one
        for one in judge(estimates(slow={("gather", 8192)}, noise=0.11))
        if (one.guideline.name, one.size_bytes) == ("gather <= allgather", 8192)
    ]
    assert alone.verdict == "violated" and alone.ratio.low > early.ratio.low


def test_guidelines_have_the_interval_of_as_many_as_are_judged():
    judged = judge(estimates(rounds=12, noise=0.1))
    cells = {(one.kernel, one.size_bytes): np.log(one.launch_medians_ns) for one in estimates(rounds=12, noise=0.1)}
    (one,) = [one for one in judged if one.guideline.name == "gather <= allgather" and one.size_bytes == 8192]
    low, high = interval_at(cells["gather", 2048] - cells["allgather", 2048], 1 - 0.05 / len(judged))
    assert (one.ratio.low, one.ratio.high) == pytest.approx((low, high))


def test_the_interval_of_a_violation_lies_above_the_margin():
    """One wild round of the right side: the corrected test bears it, the interval of so many would reach below."""
    cells = estimates(slow={("gather", 8192)}, factor=3.0, rounds=12)
    wild = [
        evolve(one, launch_medians_ns=(9e9, *one.launch_medians_ns[1:])) if one.kernel == "allgather" else one
        for one in cells
    ]
    told = [one for one in judge(wild) if one.verdict == "violated" and one.guideline.name == "gather <= allgather"]
    assert [one.size_bytes for one in told] == [8192]
    assert told[0].ratio.low >= 1.03


def test_rounds_are_paired_so_that_moods_of_the_machine_cancel():
    cells = estimates(slow={("gather", 8192)}, factor=1.3, noise=0.005)
    moods = np.exp(np.random.default_rng(5).normal(0, 1.0, ROUNDS))
    moody = [evolve(e, launch_medians_ns=tuple(np.array(e.launch_medians_ns) * moods)) for e in cells]
    assert ("gather <= allgather", 8192) in violated(judge(moody))


def test_only_rounds_that_both_sides_have_are_paired():
    cells = [
        evolve(e, launch_medians_ns=e.launch_medians_ns[2:], rounds=e.rounds[2:]) if e.kernel == "gather" else e
        for e in estimates()
    ]
    (one, *_) = [j for j in judge(cells) if j.guideline.name == "gather <= allgather"]
    assert one.rounds == ROUNDS - 2


def test_a_size_that_was_not_measured_is_stood_in_for_by_the_next_larger():
    cells = [e for e in estimates(slow={("scatter", 1024)}, factor=30.0) if (e.kernel, e.size_bytes) != ("bcast", 1024)]
    bigger = [evolve(e, size_bytes=2048) if (e.kernel, e.size_bytes) == ("bcast", 8192) else e for e in cells]
    (one,) = [j for j in judge(bigger) if j.guideline.name == "scatter <= bcast" and j.size_bytes == 1024]
    assert one.right == "bcast of 2 KiB"


def test_what_was_not_measured_or_failed_is_not_judged():
    cells = [e for e in estimates() if e.kernel in ("gather", "allgather")]
    assert {j.guideline.name for j in judge(cells)} == {"monotone", "gather <= allgather"}
    assert judge([evolve(e, failed="crashed") for e in cells]) == ()
    assert judge([]) == ()
    assert judge(estimates(rounds=2)) == ()


def silent(cells):
    return {one.guideline.name: (one.ranks, one.missing) for one in find_unjudged(cells, judge(cells))}


def test_a_complete_study_leaves_no_guideline_unjudged():
    assert silent(estimates()) == {}


def test_a_guideline_that_could_not_be_judged_says_what_was_not_measured():
    without = [one for one in estimates() if one.kernel not in {"pingpong", "barrier"}]
    assert silent(without) == {
        "bcast <= sends": (
            4,
            "pingpong on 2 ranks at an m of 8 B or 64 B or 1 KiB or 8 KiB or 64 KiB, or up to twice that",
        ),
        "barrier <= allreduce": (0, "barrier"),
    }


def test_sizes_that_do_not_meet_are_told():
    cells = [one for one in estimates() if one.kernel != "bcast" or one.size_bytes == 1024]
    cells = [one for one in cells if one.kernel not in BLOCK_KERNELS or one.size_bytes == 2]
    missing = "on 4 ranks at an m (block × ranks) of 1 KiB, or up to twice that"
    assert silent(cells)["bcast <= scatter + allgather"] == (4, f"scatter {missing}, allgather {missing}")
    assert silent(cells)["scatter <= bcast"] == (4, "bcast on 4 ranks at an m of 8 B, or up to twice that")


def test_each_number_of_ranks_is_judged_or_told():
    more = [evolve(one, ranks=8) for one in estimates() if one.kernel == "gather"]
    assert silent([*estimates(), *more])["gather <= allgather"][0] == 8


def test_two_rounds_are_told_as_too_few():
    assert silent(estimates(rounds=2))["gather <= allgather"] == (4, "5 rounds that both sides share")


def test_a_stack_whose_cells_all_failed_is_told_of_too():
    failed = [evolve(one, failed="killed", launch_medians_ns=(), rounds=()) for one in estimates()]
    assert set(silent(failed)) == {one.name for one in GUIDELINES}


@pytest.mark.parametrize(
    ("emulated", "said"), [("bcast", "bcast of 8 B (emulated) takes"), ("scatter", "(emulated) + ")]
)
def test_a_violation_says_which_operation_of_either_side_msgauge_built(emulated: str, said: str) -> None:
    cells = [evolve(one, emulated=one.kernel == emulated) for one in estimates(slow={("bcast", 8)})]
    found = [one for one in judge(cells) if one.verdict == "violated" and one.emulated]
    assert any(said in one.finding().sentence for one in found)
    assert not any("(emulated)" in one.finding().sentence for one in judge(cells) if not one.emulated)


def begun(cells, ways):
    """With how the rounds of a kernel began, ``ways``: by kernel."""
    return [evolve(one, starts=tuple(enumerate(ways.get(one.kernel, ["agreed"] * ROUNDS)))) for one in cells]


def test_rounds_that_began_in_different_ways_are_not_held_against_each_other():
    """Gather behind a barrier, three times as long in these rounds: that is the barrier, not gather."""
    late = [2, 5, 6]
    plain = estimates()
    fenced = [
        evolve(one, launch_medians_ns=tuple(t * (3 if n in late else 1) for n, t in enumerate(one.launch_medians_ns)))
        if one.kernel == "gather"
        else one
        for one in plain
    ]
    ways = {"gather": ["barrier" if n in late else "agreed" for n in range(ROUNDS)]}
    told = {(j.guideline.name, j.size_bytes): j for j in judge(begun(fenced, ways))}
    as_it_is = {(j.guideline.name, j.size_bytes): j for j in judge(begun(plain, {}))}
    key = "gather <= allgather", 8192
    assert (told[key].rounds, as_it_is[key].rounds) == (ROUNDS - 3, ROUNDS)
    assert told[key].ratio.value == pytest.approx(0.9, rel=0.02)
    both = ways | {"allgather": ways["gather"]}
    assert {(j.guideline.name, j.size_bytes): j.rounds for j in judge(begun(plain, both))}[key] == ROUNDS


def test_a_guideline_without_rounds_that_began_alike_is_not_judged_and_says_so():
    cells = begun(estimates(), {"gather": ["barrier"] * ROUNDS})
    judged = judge(cells)
    assert "gather <= allgather" not in {one.guideline.name for one in judged}
    (missing,) = (one for one in find_unjudged(cells, judged) if one.guideline.name == "gather <= allgather")
    assert missing.missing == "5 rounds that both sides share and began in the same way"
    assert "bcast <= sends" in {one.guideline.name for one in judged}
