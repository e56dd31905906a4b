"""How far the ratios of stacks scatter by the order of a round's launches: msgauge's own against two others.

    python benchmarks/launch_orders.py [--triples 12] [--stacks openmpi,mpich,intelmpi,mpi4py,tcp] [--ranks 2,4,8]
    python benchmarks/launch_orders.py --of RUN_FOLDER [--ranks 2,4]

One run, measured by ``msgauge compare``, whose rounds have three orders in turn, drawn anew for each three rounds:

- nested: all stacks on one number of processes, then on the next, as msgauge has it;
- mixed: every stack on every number of processes in random order;
- by stack: one stack on all numbers of processes, then the next.

A round's ratio of two stacks in one test scatters by what the machine did between their launches. Printed is the
scatter of such a ratio in each order (1.4826 times the median distance from its median, the median over all pairs and
tests), and those of the other orders over that of the nested one, with intervals from rounds that are drawn again.
Nothing is judged: on a machine whose pace is steady all orders are alike. The machine is told by the run.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Collection, Sequence
from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from msgauge import campaign, cli
from msgauge.model import CellKey, Launch, Plan
from msgauge.plan import launches_of_round
from msgauge.results.run_folder import RunFolder
from msgauge.results.run_folders import find_run_folders

ORDERS = ("nested", "mixed", "by stack")
WHOLE = 0.9
"""Of the rounds, a share that a ratio needs: stacks that were given up have few."""
DRAWN = 2000
"""Times that the rounds are drawn again."""


def main() -> int:
    """Measure a run, or take the one that is named, and print what it shows."""
    parser = argparse.ArgumentParser(description="scatter of ratios by the order of launches")
    parser.add_argument("--triples", type=int, default=12, help="rounds of each order")
    parser.add_argument("--stacks", default="openmpi,mpich,intelmpi,mpi4py,tcp")
    parser.add_argument("--kernels", default="pingpong,allreduce,barrier")
    parser.add_argument("--sizes", default="8,4KiB")
    parser.add_argument("--ranks", default="2,4,8")
    parser.add_argument("--budget", default="20m")
    parser.add_argument("--runs", default="", help="a folder in which the run is kept")
    parser.add_argument("--of", type=Path, help="a run that this benchmark made")
    options = parser.parse_args()
    if options.triples < 3:
        parser.error("a scatter takes at least 3 rounds of each order")
    if options.of:
        print_scatter(options.of, options.ranks)
        return 0
    campaign.launches_of_round = reorder_launches  # type: ignore[attr-defined]
    asked = ("stacks", "kernels", "sizes", "ranks", "budget")
    words = [word for name in asked for word in (f"--{name}", getattr(options, name))]
    with TemporaryDirectory() as own:
        folder = options.runs or own
        rounds = str(len(ORDERS) * options.triples)
        code = cli.main(["compare", *words, "--rounds", rounds, "--runs", folder])
        for run in find_run_folders(Path(folder)):
            print_scatter(run, options.ranks)
    return code


def reorder_launches(
    plan: Plan, round: int, first_number: int, held: Collection[CellKey] | None = None
) -> tuple[Launch, ...]:
    """The launches that msgauge has in a round, with the numbers that it gives them, in the order of this round."""
    launches = launches_of_round(plan, round, first_number, held)
    order, dice = order_of(plan.seed, round), random.Random(f"orders {plan.seed} {round}")
    mixed = dice.sample(launches, len(launches))
    if order == "by stack":
        stacks = list(dict.fromkeys(one.stack for one in mixed))
        return tuple(sorted(mixed, key=lambda one: stacks.index(one.stack)))
    return launches if order == "nested" else tuple(mixed)


def order_of(seed: int, round: int) -> str:
    """Which order a round has; every three rounds have all three."""
    each = len(ORDERS)
    return random.Random(f"orders {seed} {round // each}").sample(ORDERS, each)[round % each]


def print_scatter(run: Path, ranks: str) -> None:
    """The scatter in each order on these numbers of processes, and ratios of scatters with intervals of 95 %."""
    folder = RunFolder.open(run)
    dataset, seed = folder.dataset, folder.plan.seed
    ratios = collect_ratios(folder, [int(one) for one in ranks.split(",")])
    places = {order: [at for at in range(ratios.shape[1]) if order_of(seed, at) == order] for order in ORDERS}
    print(f"{folder.machine.get('cpu_model', '')}: {len(dataset.stacks)} stacks, {ratios.shape[0]} ratios")
    found = {order: ratios[:, at] for order, at in places.items()}
    for order, mine in found.items():
        print(f"{order}: a ratio scatters by {100 * scatter_of(mine):.2f} %, {mine.shape[1]} rounds")
    for other in ORDERS[1:]:
        low, high = draw_again(found["nested"], found[other])
        told = scatter_of(found[other]) / scatter_of(found["nested"])
        print(f"{other} over nested: {told:.2f} ({low:.2f} to {high:.2f})")


def collect_ratios(folder: RunFolder, ranks: Collection[int]) -> np.ndarray:
    """Log ratios of two stacks in a test, shape (pairs and tests, rounds), nan where a round lacks one of them."""
    plan, rounds = folder.plan, folder.dataset.rounds
    logs: dict[CellKey, np.ndarray] = {}
    for key, samples in folder.dataset.cells.items():
        row = np.full(rounds, np.nan)
        row[samples.compared.pairs] = np.log(samples.medians_ns)
        logs[key] = row
    pairs = [
        logs[other] - logs[base]
        for cell in plan.cells
        if cell.ranks in ranks
        for base, other in combinations([CellKey(stack, cell.id) for stack in plan.stacks], 2)
        if base in logs and other in logs
    ]
    ratios = np.array(pairs)
    return np.asarray(ratios[np.isfinite(ratios).mean(axis=1) > WHOLE])


def scatter_of(ratios: np.ndarray) -> float:
    """Median over rows (pairs and tests, rounds) of the standard deviation that the median distance stands for."""
    middle = np.nanmedian(ratios, axis=1, keepdims=True)
    return float(np.median(1.4826 * np.nanmedian(np.abs(ratios - middle), axis=1)))


def draw_again(base: np.ndarray, other: np.ndarray) -> Sequence[float]:
    """Interval of 95 % of the ratio of two scatters, from rounds (columns) that are drawn again with replacement."""
    dice = np.random.default_rng(1)

    def draw(ratios: np.ndarray) -> float:
        return scatter_of(ratios[:, dice.integers(ratios.shape[1], size=ratios.shape[1])])

    return [float(one) for one in np.quantile([draw(other) / draw(base) for _ in range(DRAWN)], [0.025, 0.975])]


if __name__ == "__main__":
    sys.exit(main())
