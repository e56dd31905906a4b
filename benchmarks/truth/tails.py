"""What a median hides: tails of launches, and launches that are slow as a whole; planted, and absent.

Every operation is drawn: a launch has luck of its own, which all of its operations share, and its slow operations come
in bursts. So ten thousand operations of one launch are one observation of its tail.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import numpy as np
from benchmarks.truth.machines import ALIKE
from benchmarks.truth.simulated_runs import dataset_of, make_plan
from benchmarks.truth.simulation import Figure, Simulation, generator

from msgauge.analysis.run import analyse
from msgauge.analysis.verdicts.pair_table import Levels
from msgauge.analysis.verdicts.tails import TailTable
from msgauge.analysis.verdicts.verdict_family import judge_family
from msgauge.model import SlowLaunches, Stopping, StopReason, TailComparison
from msgauge.stats.launch_quantiles import launch_quantile, launch_quantiles, tails_of_equal_counts
from msgauge.stats.pairwise import EQUIVALENT, FASTER, SLOWER, judge_pairs
from msgauge.stats.slow_launches import find_slow_launches

OPERATIONS = 1000
SLOW_OPERATIONS = 0.03
LUCK = 0.02
TIMES_SLOWER = 2.8
ROUNDS = 20


def clustered(shape: tuple[int, int, int], random: np.random.Generator, tail: float = 1.0) -> np.ndarray:
    """Operations of launches, shape (stacks, cells, rounds, operations): 3 % are some 4 × slower, as much as ``tail``.

    How many are slow differs from launch to launch by a factor of two, and by how much, by 10 %.
    """
    share = np.minimum(0.2, SLOW_OPERATIONS * np.exp(random.normal(0, 0.7, (*shape, 1))))
    height = np.log(4 * tail) + random.normal(0, 0.1, (*shape, 1))
    slow = random.random((*shape, OPERATIONS)) < share
    logs = random.normal(0, LUCK, (*shape, 1)) + random.normal(0, 0.05, slow.shape) + slow * height
    return np.asarray(1000 * np.exp(logs))


def alternating(shape: tuple[int, int, int], random: np.random.Generator, tail: float = 1.0) -> np.ndarray:
    """As ``clustered``, and three launches in ten have a tail twice as high."""
    doubled = 1 + (random.random((*shape, 1)) < 0.3)
    times = clustered(shape, random, tail)
    return np.asarray(np.where(times > 2000, times * doubled, times))


BURSTS = {"slow operations in clusters": clustered, "tails of two modes": alternating}


LAWS: Mapping[str, Callable[[int, np.random.Generator], np.ndarray]] = {
    "exponential": lambda count, random: 1 + random.exponential(1, count),
    "lognormal": lambda count, random: random.lognormal(0, 1, count),
    "Pareto, shape 2": lambda count, random: 1 + random.pareto(2, count),
}
"""Of the operations of a launch."""


def false_tails(shape: tuple[int, int, int], machine: str, trials: int) -> Figure:
    """Share of A/A tables with a tail called faster or slower."""
    random, wrong = generator(51), 0
    for _ in range(trials):
        tails = _compare_tails(BURSTS[machine](shape, random))
        wrong += any(one.verdict in {"faster", "slower"} for one in tails)
    return _figure("identical tails are not called different", "<= 5 %", f"{machine}: {_case(shape)}", wrong, trials)


def false_words_of_a_report(shape: tuple[int, int, int], machine: str, trials: int) -> Figure:
    """Share of A/A reports with any false difference: of medians, of tails, or of the means of the summary.

    Each is a family of its own, so the three err more often together than each.
    """
    random, wrong = generator(57), 0
    stacks, cells, rounds = shape
    plan = make_plan(stacks, cells, Stopping(minimum_rounds=rounds, maximum_rounds=rounds), mode="single")
    for _ in range(trials):
        family = judge_family(dataset_of(plan, BURSTS[machine](shape, random)), Levels(), with_tails=True)
        words = set(family.words.values())
        for base in plan.stacks:
            means = family.mean_ratios(base, {cell.id: 1.0 for cell in plan.cells})
            words |= {mean.verdict for mean in means.values()}
        wrong += bool(words & {"faster", "slower"})
    claim = "any false difference in one report: medians, tails, means"
    return _figure(claim, "<= 15 %", f"{machine}: {_case(shape)}", wrong, trials)


def tail_intervals(shape: tuple[int, int, int], machine: str, trials: int) -> Figure:
    """Share of intervals of the ratio of two tails that hold; the tails are alike."""
    random, held = generator(52), []
    for _ in range(trials):
        held += [one.ratio_low <= 1 <= one.ratio_high for one in _compare_tails(BURSTS[machine](shape, random))]
    case = f"{machine}: {_case(shape)}"
    return _figure("intervals of the ratio of two tails hold", "93 to 97 %", case, sum(held), len(held))


def tails_found(shape: tuple[int, int, int], machine: str, tail: float, trials: int) -> Figure:
    """Share of cells in which the P99 of a stack is called slower, whose slow operations take so many times longer."""
    random, found = generator(53), []
    for _ in range(trials):
        times = BURSTS[machine](shape, random)
        times[1:] = BURSTS[machine]((shape[0] - 1, *shape[1:]), random, tail)
        found += [one.verdict == "slower" for one in _compare_tails(times) if one.quantile == "p99"]
    case = f"{machine}: {_case(shape)}"
    return _figure(f"a P99 that is {tail:g} times as long is found", "", case, sum(found), len(found))


def tails_of_unequal_counts(law: str, counts: tuple[int, int], trials: int) -> Figure:
    """Share of intervals of the ratio of two P99 of one law that hold 1, of launches with so many operations.

    Before: the quantile was that of the sample.
    """
    random = generator(59)
    now = before = 0
    for _ in range(trials):
        launches = [[LAWS[law](count, random) for _ in range(10)] for count in counts]
        tails = np.array([[launch_quantile(one, 0.99) for one in mine] for mine in launches])
        former = np.array([[np.quantile(one, 0.99, method="inverted_cdf") for one in mine] for mine in launches])
        now, before = now + _holds_one(tails), before + _holds_one(former)
    case = f"{law}: 10 launches of {counts[0]} operations against 10 of {counts[1]}, P99"
    claim = "intervals of the ratio of two tails hold where launches differ in their number of operations"
    return Figure(claim, "at least 93 %", case, now / trials, before / trials, trials)


def tails_of_clumps(clumps: tuple[float, int], counts: tuple[int, int], trials: int) -> Figure:
    """Share of tables of two stacks of one law with a tail called different, of launches with so many operations.

    ``clumps``: how many begin with an operation, and of how many operations each is, which take four times as long.
    Before: the tail of a launch was that of all its operations.
    """
    random = generator(158)
    now = before = 0
    for _ in range(trials):
        launches = [[[_clumped(clumps, count, random) for _ in range(10)] for count in counts] for _ in range(2)]
        tails = np.stack([[one.quantiles for one in tails_of_equal_counts(mine)] for mine in launches], axis=1)
        former = np.array([[launch_quantiles(one) for one in mine] for mine in launches]).swapaxes(0, 1)
        now, before = now + _tells(tails), before + _tells(former)
    case = f"2 tests, 10 launches of {counts[0]} operations against 10 of {counts[1]}; {clumps[1]} at a time are slow"
    claim = "identical tails are not called different where launches differ in their number of operations"
    return Figure(claim, "<= 5 %", case, now / trials, before / trials, trials)


def tails_of_launches_cut_by_time(share: float, trials: int) -> Figure:
    """Share of tables with a tail called equivalent or faster, of a stack that is never faster and often slower.

    So large a share of its launches is 1.6 times as slow at every quantile, and the time of a test ends before they
    come to 1,000 operations. Before: the launches that have the tail were compared.
    """
    random = generator(159)
    now = before = 0
    for _ in range(trials):
        slow = np.vstack([np.zeros(ROUNDS), random.random(ROUNDS) < share])
        launches = [[_cut_by_time(45_000 * 1.6**each, random) for each in row] for row in slow]
        tails = np.stack([one.quantiles for one in tails_of_equal_counts(launches)])
        former = np.array([[[launch_quantile(one, q) for one in mine] for q in (0.95, 0.99)] for mine in launches])
        now, before = now + _tells_better(tails), before + _tells_better(former)
    case = f"{100 * share:.0f} % of launches slow, {ROUNDS} rounds, P95 and P99"
    claim = "a tail is not called equivalent or faster where slow launches had no time for it"
    return Figure(claim, "<= 5 %", case, now / trials, before / trials, trials)


def _cut_by_time(operation_ns: float, random: np.random.Generator) -> np.ndarray:
    """Operations of one launch in a test of 50 ms."""
    logs = random.normal(0, LUCK) + random.normal(0, 0.05, int(60e6 / operation_ns))
    times = operation_ns * np.exp(logs)
    return np.asarray(times[np.cumsum(times) < 50e6])


def _tells_better(tails: np.ndarray) -> bool:
    """Whether any word says that the second stack is no slower; shape (stacks, quantiles, launches)."""
    judged = judge_pairs(tails)
    return bool(np.isin(judged.word, (EQUIVALENT, FASTER)).any())


def _clumped(clumps: tuple[float, int], count: int, random: np.random.Generator) -> np.ndarray:
    """Operations of one launch, in the order in which they ran."""
    logs = random.normal(0, LUCK) + random.normal(0, 0.05, count)
    for first in random.integers(1 - clumps[1], count, random.poisson(clumps[0] * count)):
        logs[max(first, 0) : first + clumps[1]] += np.log(4)
    return np.asarray(np.exp(logs))


def _tells(tails: np.ndarray) -> bool:
    """Whether any word says that they differ; shape (stacks, tests, quantiles, launches)."""
    judged = judge_pairs(tails.reshape(2, -1, tails.shape[-1]))
    return bool(np.isin(judged.word, (FASTER, SLOWER)).any())


def _holds_one(tails: np.ndarray) -> bool:
    judged = judge_pairs(tails[:, None, :])
    return bool(judged.low[0, 0] <= 1 <= judged.high[0, 0])


def modes_said(share: float, trials: int) -> Figure:
    """Share of runs whose first sentence on the stack says that launches are slow, where one was and fewer than half.

    One stack of two has a mode that is 2.8 times slower, in so large a share of its launches.
    """
    random, said = generator(54), []
    while len(said) < trials:
        logs = random.normal(0, LUCK, (2, 1, ROUNDS))
        slow = random.random(ROUNDS) < share
        logs[1, 0] += np.log(TIMES_SLOWER) * slow
        if 0 < slow.sum() < ROUNDS / 2:
            sentence = _first_sentence(logs)
            said.append("of its launches" in sentence or "of the launches" in sentence)
    case = f"{100 * share:.0f} % of {ROUNDS} launches 2.8 times slower, scatter of 2 %, 2 stacks"
    return _figure("slow launches are in the first sentence", "", case, sum(said), trials)


def normal(scale: float, shape: tuple[int, int, int], random: np.random.Generator) -> np.ndarray:
    """Luck of a launch that all of its cells share, as a normal, and a quarter as much for each cell; logarithms."""
    return random.normal(0, scale, (shape[0], 1, shape[2])) + random.normal(0, scale / 4, shape)


def exponential(scale: float, shape: tuple[int, int, int], random: np.random.Generator) -> np.ndarray:
    """The same with a tail towards slow launches: luck that the cells of a launch share is exponential."""
    return scale * random.exponential(1, (shape[0], 1, shape[2])) + random.normal(0, scale / 4, shape)


def exponential_by_cell(scale: float, shape: tuple[int, int, int], random: np.random.Generator) -> np.ndarray:
    """The same where each cell of a launch has an exponential luck of its own."""
    return scale * random.exponential(1, shape)


SCATTERS = {
    "normal": normal,
    "exponential tail": exponential,
    "exponential tail, cell by cell": exponential_by_cell,
}


def modes_invented(machine: str, stacks: int, trials: int) -> Figure:
    """Share of runs in which a cell of any stack is said to have slow launches, and there is no such mode."""
    random = generator(55)
    wrong = sum(_tells_slow(ALIKE[machine]((stacks, 9, ROUNDS), random)) for _ in range(trials))
    return _figure(_NONE_SAID, "<= 5 %", f"{machine}: {stacks} stacks, 9 cells, {ROUNDS} rounds", wrong, trials)


def modes_of_scatter(kind: str, scale: float, stacks: int, rounds: int, trials: int) -> Figure:
    """The same where launches scatter by ``scale`` as ``kind`` says, with a tail of slow launches or without."""
    random = generator(59)
    wrong = sum(_tells_slow(SCATTERS[kind](scale, (stacks, 9, rounds), random)) for _ in range(trials))
    case = f"{kind}, scatter of {100 * scale:.0f} %: {stacks} stacks, 9 cells, {rounds} rounds"
    return _figure(_NONE_SAID, "<= 5 %", case, wrong, trials)


def modes_of_a_clock(step_ns: float, time_ns: float, trials: int) -> Figure:
    """The same where operations, 51 a launch that scatter by 3 %, are read in whole steps of a coarse clock."""
    random, wrong = generator(60), 0
    for _ in range(trials):
        logs = np.log(time_ns) + random.uniform(-0.3, 0.3, (1, 9, 1)) + random.normal(0, LUCK, (3, 9, ROUNDS))
        steps = np.exp(logs[..., None] + random.normal(0, 0.03, (*logs.shape, 51))) / step_ns
        read = step_ns * np.median(np.floor(steps + random.random(steps.shape)), axis=-1)
        wrong += bool(find_slow_launches(read))
    case = f"operations of {time_ns:g} ns in steps of {step_ns:g} ns: 3 stacks, 9 cells, {ROUNDS} rounds"
    return _figure(_NONE_SAID, "<= 5 %", case, wrong, trials)


_NONE_SAID = "no slow launches are said where there is no such mode"


def _tells_slow(logs: np.ndarray) -> bool:
    return bool(find_slow_launches(np.exp(logs)))


def modes_measured(share: float, factor: float, scatter: float, trials: int) -> Figure:
    """Share of intervals of the factor of slow launches that hold it, of those that are told.

    None is told where one launch was slow. The slow launches scatter by ``scatter`` themselves, so some of a mode may
    not be told from the others.
    """
    random, held = generator(56), []
    while len(held) < trials:
        found = _draw_mode(share, factor, scatter, random)
        if found is not None and found.slow > 1:
            held.append(found.factor_low <= factor <= found.factor_high)
    case = _mode_case(share, factor, scatter)
    return _figure("the interval of how much slower slow launches are holds", "at least 93 %", case, sum(held), trials)


def mode_shares_measured(share: float, factor: float, scatter: float, trials: int) -> Figure:
    """Share of intervals of the share of slow launches that hold it, of those that are told."""
    random, held = generator(58), []
    while len(held) < trials:
        found = _draw_mode(share, factor, scatter, random)
        if found is not None:
            held.append(found.share_low <= share <= found.share_high)
    case = _mode_case(share, factor, scatter)
    return _figure("the interval of the share of slow launches holds", "at least 93 %", case, sum(held), trials)


def _draw_mode(share: float, factor: float, scatter: float, random: np.random.Generator) -> SlowLaunches | None:
    """What is found of a stack with such a mode, in fewer than half of its launches."""
    slow = random.random(ROUNDS) < share
    logs = random.normal(0, LUCK, ROUNDS) + slow * random.normal(np.log(factor), scatter, ROUNDS)
    return find_slow_launches(np.exp(logs)[None, None]).get((0, 0)) if 2 * slow.sum() < ROUNDS else None


def _mode_case(share: float, factor: float, scatter: float) -> str:
    slow = f"{100 * share:.0f} % of {ROUNDS} launches {factor:g} times slower"
    own = f", the slow ones by another {100 * scatter:.0f} %" if scatter else ""
    return f"{slow}, scatter of {100 * LUCK:.0f} %{own}"


def _compare_tails(times_ns: np.ndarray) -> list[TailComparison]:
    """All stacks against the first one, both tails; ``times_ns``: (stacks, cells, rounds, operations)."""
    count, cells, rounds, _ = times_ns.shape
    plan = make_plan(count, cells, Stopping(minimum_rounds=rounds, maximum_rounds=rounds), mode="single")
    table = TailTable.of(plan.stacks, dataset_of(plan, times_ns), Levels(), exact_clock=False)
    base, *others = plan.stacks
    return (
        [one for other in others for cell in plan.cells for one in table.compare(base, other, cell.id)] if table else []
    )


def _first_sentence(logs: np.ndarray) -> str:
    plan = make_plan(2, logs.shape[1], Stopping(minimum_rounds=logs.shape[2], maximum_rounds=logs.shape[2]))
    report = analyse(dataset_of(plan, 1000 * np.exp(logs)), run="", stopped=StopReason.ROUNDS)
    mine = [finding.sentence for finding in report.findings if plan.stacks[1] in finding.sentence]
    return mine[0] if mine else ""


def _case(shape: tuple[int, int, int]) -> str:
    stacks, cells, rounds = shape
    return f"{stacks} stacks, {cells} cells, {rounds} rounds of {OPERATIONS} operations, P95 and P99"


def _figure(claim: str, promised: str, case: str, count: int, trials: int) -> Figure:
    return Figure(claim, promised, case, count / trials, float("nan"), trials)


def simulations() -> Iterator[Simulation]:
    """Those of tails and slow launches; a trial of tails takes some 50 ms, one of a report 40."""
    for machine in BURSTS:
        yield Simulation(false_tails, ((2, 4, 10), machine), 1000)
        yield Simulation(false_tails, ((4, 4, 10), machine), 400)
        yield Simulation(false_words_of_a_report, ((3, 4, 10), machine), 1500)
        yield Simulation(tail_intervals, ((2, 4, 10), machine), 300)
        for rounds in (10, 20, 40):
            yield Simulation(tails_found, ((2, 4, rounds), machine, 2.0), 100)
    for law in LAWS:
        for counts in ((1000, 1000), (1000, 10_000)):
            yield Simulation(tails_of_unequal_counts, (law, counts), 2000)
    for clumps, counts in (
        ((0.0005, 30), (1000, 1000)),
        ((0.0005, 30), (1000, 10_000)),
        ((0.00025, 60), (1000, 10_000)),
        ((0.00012, 200), (2000, 10_000)),
    ):
        yield Simulation(tails_of_clumps, (clumps, counts), 1000)
    yield Simulation(tails_of_launches_cut_by_time, (0.6,), 400)  # of fewer than half the median launch is alike
    for share in (0.1, 0.3):
        yield Simulation(modes_said, (share,), 300)
        for factor, scatter in ((TIMES_SLOWER, 0.0), (TIMES_SLOWER, 0.1), (1.5, 0.15)):
            yield Simulation(modes_measured, (share, factor, scatter), 2000)
            yield Simulation(mode_shares_measured, (share, factor, scatter), 2000)
    for step_ns, time_ns in ((41.67, 60.0), (20.0, 60.0), (41.67, 300.0), (69.84, 300.0)):
        yield Simulation(modes_of_a_clock, (step_ns, time_ns), 300)
    for stacks in (2, 6):
        for machine in ("lognormal", "heavy tails", "drifting", "drifting slowly"):
            yield Simulation(modes_invented, (machine, stacks), 2000)
        for rounds in (5, 7, 10, 20):
            yield Simulation(modes_of_scatter, ("normal", 0.15, stacks, rounds), 1000)
            yield Simulation(modes_of_scatter, ("exponential tail", 0.1, stacks, rounds), 1000)
        yield Simulation(modes_of_scatter, ("normal", 0.1, stacks, 5), 1000)
        yield Simulation(modes_of_scatter, ("exponential tail", 0.05, stacks, 20), 1000)
        yield Simulation(modes_of_scatter, ("exponential tail", 0.15, stacks, 20), 1000)
        yield Simulation(modes_of_scatter, ("exponential tail, cell by cell", 0.15, stacks, 20), 1000)
