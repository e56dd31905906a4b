"""Real runs held to account: ``python -m benchmarks.truth.real_runs FOLDER [...]`` prints a row of the page for each.

Of a run of twins (``msgauge compare quick --again``) it says what was said falsely, for no stack differs from itself.
Of the run of a paper it says how many of its claims were decided, of any other how many rounds every test has that was
still open. Of every run it says how much of the measuring time went into launches that were repeated, that broke off,
or that do not count. ``--pairs`` compares each run of twins with the next one instead, as ``diff`` does: no build
differs from itself. ``--old TEXT`` makes one row of runs of ``msgauge compare --against``, whose old build differs from
the new one as the text says: in how many of them a difference was told, and which way. ``--keep`` puts the rows into
the page, ``--beside TEXT`` says there what else the machine did.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

from attrs import asdict, evolve, frozen

from msgauge.analysis.between_runs.run_comparison import compare_runs
from msgauge.analysis.between_runs.run_levels import find_series, take_levels
from msgauge.analysis.run import choose_levels
from msgauge.analysis.verdicts.stop_decision import find_open_cells
from msgauge.analysis.verdicts.verdict_family import judge_family
from msgauge.evaluation import reanalyse
from msgauge.model import Analysis
from msgauge.papers.catalogue import load_paper
from msgauge.papers.paper_evaluation import evaluate_paper
from msgauge.results.dataset import Dataset
from msgauge.results.run_folder import RunFolder

FILE = Path(__file__).with_name("real_runs.json")
TWIN = "again"


@frozen
class RealRun:
    """A row of the page: what was run, what came of it, and the seconds of measuring that were of no use."""

    what: str
    day: str
    """On which it began, as ISO 8601 has it."""
    beside: str
    """What else ran on the machine."""
    outcome: str
    measured_s: float
    wasted_s: float
    machine: str = ""
    """Of which kind the processor is."""

    @property
    def wasted(self) -> float:
        """Share of the measuring time."""
        return self.wasted_s / self.measured_s if self.measured_s else 0.0


def examine(path: Path, beside: str = "nothing") -> RealRun:
    """The row of a run folder; ``beside``: what else ran.

    Raises:
        StoreError: no run folder, or a damaged one.
    """
    folder, analysis = reanalyse(path)
    dataset = folder.dataset
    apart = "" if evaluate_paper(folder) or judge_twins(dataset, analysis) else f" of {len(dataset.stacks)} stacks"
    what = f"{folder.plan.study}{apart}, {dataset.rounds} rounds"
    measured_s = _measured_s(dataset)
    day = path.resolve().name[:10]
    wasted_s = measured_s - _useful_s(dataset)
    return RealRun(what, day, beside, _tell_outcome(folder, analysis), measured_s, wasted_s, _processor(folder))


def examine_pairs(paths: Sequence[Path], beside: str = "nothing") -> RealRun:
    """The row of ``diff`` of each run of twins and the next: the twins are judged, the others are references."""
    folders = [RunFolder.open(path) for path in paths]
    runs = [take_levels(folder, find_series(folder.dataset)) for folder in folders]
    own = [stack.spec for stack in folders[0].stacks if TWIN not in stack.variant]
    compared = [compare_runs([old], [new], own) for old, new in pairwise(runs)]
    words = [one.verdict for pair in compared for one in pair.judged]
    false = sum(word in {"faster", "slower"} for word in words)
    what = f"diff of {len(compared)} pairs of runs of {folders[0].plan.study} --again, {len(own)} references"
    measured_s = sum(_measured_s(folder.dataset) for folder in folders)
    outcome = f"{false} false changes in {len(words)} comparisons of a build with itself"
    return RealRun(what, paths[0].resolve().name[:10], beside, outcome, measured_s, 0.0, _processor(folders[0]))


def examine_against(paths: Sequence[Path], old: str, beside: str = "nothing") -> RealRun:
    """The row of several runs of a build beside its old one, which is known to be as ``old`` says."""
    examined = [reanalyse(path) for path in paths]
    folders = [folder for folder, _ in examined]
    words = [Counter(one.verdict for one in analysis.comparisons) for _, analysis in examined]
    every = sum(words, Counter[str]())
    family, rounds = folders[0].stacks[0].family, sorted({folder.dataset.rounds for folder in folders})
    told = f"{rounds[0]} to {rounds[-1]}" if len(rounds) > 1 else str(rounds[0])
    what = f"compare --against, {len(paths)} runs of {family} beside its old build, {told} rounds"
    ways = ", ".join(f"{way} in {sum(word[way] > 0 for word in words)}" for way in ("faster", "slower"))
    outcome = (
        f"{old}: of {len(paths)} runs the new one is {ways}; "
        f"of {every.total()} tests faster in {every['faster']}, slower in {every['slower']}"
    )
    measured_s = sum(_measured_s(folder.dataset) for folder in folders)
    wasted_s = measured_s - sum(_useful_s(folder.dataset) for folder in folders)
    return RealRun(what, paths[0].resolve().name[:10], beside, outcome, measured_s, wasted_s, _processor(folders[0]))


def _measured_s(dataset: Dataset) -> float:
    return sum(record.seconds for record in dataset.records)


def _processor(folder: RunFolder) -> str:
    return str(folder.machine.get("cpu_model", ""))


def load(path: Path = FILE) -> tuple[RealRun, ...]:
    """The rows that were kept."""
    return tuple(RealRun(**row) for row in json.loads(path.read_text())) if path.is_file() else ()


def keep(rows: tuple[RealRun, ...], path: Path = FILE) -> None:
    """Write them all, one line a row."""
    path.write_text("[\n" + ",\n".join(json.dumps(asdict(one), ensure_ascii=False) for one in rows) + "\n]\n")


def _tell_outcome(folder: RunFolder, analysis: Analysis) -> str:
    result = evaluate_paper(folder)
    if result is not None:
        facts = {claim.text for claim in load_paper(result.name).claims if claim.kind in {"fact", "ran"}}
        asked = [one.verdict for one in result.claims if not one.question and one.text not in facts]
        return f"{len(asked) - asked.count('undecided')} of {len(asked)} claims on numbers decided"
    verdicts = judge_twins(folder.dataset, analysis)
    if verdicts:
        false = sum(words["faster"] + words["slower"] for words in verdicts.values())
        compared = ", ".join(f"{words.total()} {what}" for what, words in verdicts.items())
        told = f"{false} false differences in what was said of stacks and their twins: {compared}"
    else:
        words = Counter(one.verdict for one in analysis.comparisons)
        told = f"{words.total() - words['undecided']} of {words.total()} comparisons decided"
    return f"{told}; {tell_open(folder.dataset, analysis)}"


def tell_open(dataset: Dataset, analysis: Analysis) -> str:
    """How many tests were still open at the end, and how many rounds every one of them has."""
    rounds = dataset.rounds_of_cells
    still = find_open_cells(dataset.plan, analysis, rounds)
    of = f"{len(still)} of {len(dataset.plan.cells)} tests still open"
    return f"{of}, each with {min(rounds[cell] for cell in still)} rounds or more" if still else of


def judge_twins(dataset: Dataset, analysis: Analysis) -> dict[str, Counter[str]]:
    """Verdicts on every stack against its twin: of medians and tails in all tests, and of means over them.

    Empty where no stack has a twin.
    """
    family = judge_family(dataset, choose_levels(dataset, analysis.stopped), with_tails=True)
    twins = [stack for stack in dataset.stacks if TWIN in stack.variant]
    variants = [tuple(word for word in stack.variant if word != TWIN) for stack in twins]
    pairs = [(evolve(twin, variant=own).spec, twin.spec) for twin, own in zip(twins, variants, strict=True)]
    cells = dataset.plan.cells
    told = [one for pair in pairs for cell in cells if (one := family.compare(*pair, cell)) is not None]
    weights = {cell.id: 1.0 for cell in cells}
    means = [mean for one, twin in pairs if (mean := family.mean_ratios(one, weights).get(twin)) is not None]
    words = {
        "medians": Counter(one.verdict for one in told),
        "tails": Counter(tail.verdict for one in told for tail in one.tails),
        "means": Counter(one.verdict for one in means),
    }
    return words if pairs else {}


def _useful_s(dataset: Dataset) -> float:
    """Seconds of the launches that count, each block of a round once."""
    counted = {launch.number for one in dataset.cells.values() for launch in one.compared.launches}
    useful = {
        (record.launch.round, record.launch.stack, record.launch.ranks, record.launch.cells): record.seconds
        for record in dataset.records
        if record.launch.number in counted
    }
    return sum(useful.values())


def main() -> None:
    """Print a row for each folder; keep them where asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path, help="run folders")
    parser.add_argument("--beside", default="nothing", help="what else ran on the machine")
    parser.add_argument("--pairs", action="store_true", help="compare each run with the next one")
    parser.add_argument("--old", default="", metavar="TEXT", help="how the old build of runs of --against differs")
    parser.add_argument("--keep", action="store_true", help="put the rows into the page")
    asked = parser.parse_args()
    if asked.pairs:
        rows: tuple[RealRun, ...] = (examine_pairs(asked.folders, asked.beside),)
    elif asked.old:
        rows = (examine_against(asked.folders, asked.old, asked.beside),)
    else:
        rows = tuple(examine(folder, asked.beside) for folder in asked.folders)
    for one in rows:
        print(f"{one.what}: {one.outcome}; {one.wasted_s:.1f} of {one.measured_s:.0f} s ({100 * one.wasted:.1f} %)")
    if asked.keep:
        keep((*load(), *rows))


if __name__ == "__main__":
    main()
