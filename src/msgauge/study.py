"""A study file, or the words of a command line, as one checked value; every mistake is reported at once.

    title = "Latency of small messages"
    stacks = ["openmpi", "mpich@all"]
    ranks = [2]

    [stopping]
    budget = "60s"

    [[measure]]
    kernel = "pingpong"
    sizes = "8B..4MiB x2"
    options = { send = ["standard", "nonblocking"] }

docs/reference/study-file.md lists every key.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import get_args

from attrs import evolve, field, frozen

from msgauge import units
from msgauge.errors import StudyError, UsageError, hint_nearest
from msgauge.model import CacheMode, CellWeight, ClockName, Kernel, Mode, Purpose, Stopping
from msgauge.model.kernel_names import find_kernel, hint_kernel
from msgauge.model.plan import MOST_RANKS, MOST_ROUNDS
from msgauge.toml_reader import Mistakes, TomlTable, parse_toml

STUDIES = Path(__file__).parent / "studies"
LARGEST_MESSAGE = 2**30
DEFAULT_SIZES = (0, 8, 64, 1024, 16 * 1024, 256 * 1024, 4 * 2**20)


@frozen
class Measure:
    """One block of cells: a kernel at every size, on every number of ranks, under every choice of its options."""

    kernel: str
    sizes: tuple[int, ...] = (0,)
    ranks: tuple[int, ...] = ()
    """Empty: the ranks of the study."""
    options: tuple[tuple[str, tuple[str, ...]], ...] = ()
    mode: Mode = "batch"
    cache: CacheMode = "hot"
    stacks: tuple[str, ...] = ()
    """Only these stacks, by expressions as in ``Study.stacks``; empty: all of the study."""
    oversubscribe: bool = True
    """Also on more processes than the computer has cores (simulated stacks have as many as they like)."""


@frozen
class Study:
    """What is to be measured and when it is enough, independent of the stacks that are here."""

    name: str
    title: str = ""
    stacks: tuple[str, ...] = ("each",)
    measures: tuple[Measure, ...] = ()
    ranks: tuple[int, ...] = (2,)
    stopping: Stopping = field(factory=Stopping)
    seed: int = 0
    """0: a fresh one is drawn and recorded."""
    base: str = ""
    clock: str = "monotonic"
    check: bool = True
    quiet_start: bool = False
    """Launches before which the machine's speed was unusual do not count."""
    hosts: str = ""
    """Where ranks stand, as ``--hosts`` says it (``lab:4@gigabit``); empty: on the present computer."""
    ssh_config: str = ""
    """The file that ``ssh -F`` is told on the way to these hosts; empty: the user's own configuration."""
    map: str = "node"
    """How ranks are dealt out to hosts: node or core."""
    again: bool = False
    """Every stack stands in twice, the second time as ``SPEC[again]``: an A/A comparison."""
    systems: tuple[str, ...] = ()
    """The roles of a paper that were asked for; the others were left out on purpose. None: no paper."""
    purpose: Purpose = field(factory=Purpose)
    """What the tests are weighed for in the summary: ``purpose = "NAME"`` and ``[[weight]]`` tables."""


def load_study(name: str, kernels: Mapping[str, Kernel]) -> Study:
    """A shipped study by its name, a study file by its path, or the study of one kernel by a name of that kernel.

    Raises:
        StudyError: no such study, or one with mistakes (all of them listed).
    """
    path = STUDIES / f"{name}.toml" if name in list_shipped_studies() else Path(name)
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, ValueError) as error:
        if kernel := _kernel_named(name, kernels):
            return Study(name=kernel.name, title=kernel.title, measures=study_of_kernels([kernel.name], (), kernels))
        why = "not UTF-8 text" if isinstance(error, UnicodeDecodeError) else getattr(error, "strerror", None) or error
        raise StudyError(
            f"cannot read the study {name!r}: {why}",
            remedy=_hint(name, kernels),
        ) from error
    return parse_study(text, kernels, where=path.stem if path.parent == STUDIES else str(path))


def _kernel_named(word: str, kernels: Mapping[str, Kernel]) -> Kernel | None:
    try:
        return find_kernel(word, kernels)
    except UsageError:
        return None


def _hint(name: str, kernels: Mapping[str, Kernel]) -> str:
    is_path = "/" in name or name.endswith(".toml")
    known = (*list_shipped_studies(), *kernels)
    near = "" if is_path else hint_nearest(name, known, _OTHER_NAMES) or hint_kernel(name, kernels)
    meant = f"did you mean {near!r}? Else " if near else ""
    return f"{meant}name a study file, a kernel, or one of {', '.join(list_shipped_studies())}"


_OTHER_NAMES = {
    **dict.fromkeys(("all", "full", "everything", "long"), "complete"),
    **dict.fromkeys(("apps", "programs", "proxies"), "applications"),
    **dict.fromkeys(("pt2pt", "point-to-point", "imb-p2p"), "p2p"),
    **dict.fromkeys(("coll", "imb-nbc"), "collectives"),
    **dict.fromkeys(("default", "normal", "imb-mpi1", "osu"), "standard"),
    **dict.fromkeys(("fast", "short", "smoke"), "quick"),
}
"""What people type who mean a shipped study."""


def list_shipped_studies() -> tuple[str, ...]:
    """Names of the studies that come with msgauge."""
    return tuple(sorted(path.stem for path in STUDIES.glob("*.toml")))


def parse_study(text: str, kernels: Mapping[str, Kernel], *, where: str) -> Study:
    """The study a TOML text describes.

    Raises:
        StudyError: with every mistake, one a line, each with its line and key.
    """
    document, mistakes = parse_toml(text, where), Mistakes(text)
    study = _study(TomlTable("", document, mistakes), kernels, Path(where).stem)
    if mistakes.found:
        raise StudyError(
            mistakes.describe(), where=where, remedy="correct them; docs/reference/study-file.md lists all keys"
        )
    return study


def print_study(study: Study) -> str:
    """The study as TOML that ``parse_study`` reads back to the same value."""
    stopping = study.stopping
    lines = [
        f"title = {_quote(study.title)}",
        f"stacks = {_list(study.stacks)}",
        f"ranks = {list(study.ranks)}",
        f"seed = {study.seed}",
        f"base = {_quote(study.base)}",
        f"clock = {_quote(study.clock)}",
        f"check = {str(study.check).lower()}",
        f"again = {str(study.again).lower()}",
        f"quiet_start = {str(study.quiet_start).lower()}",
        *([f"purpose = {_quote(study.purpose.name)}"] if study.purpose.name else []),
        *([f"hosts = {_quote(study.hosts)}", f"map = {_quote(study.map)}"] if study.hosts else []),
        *([f"ssh_config = {_quote(study.ssh_config)}"] if study.ssh_config else []),
        "",
        "[stopping]",
        f"budget = {stopping.budget_s!r}",
        f"minimum_rounds = {stopping.minimum_rounds}",
        f"maximum_rounds = {stopping.maximum_rounds}",
        f"ratio_precision = {stopping.ratio_precision!r}",
        f"cell_precision = {stopping.cell_precision!r}",
        f"cell_budget = {stopping.cell_budget_s!r}",
        f"launch_limit = {stopping.launch_limit_s!r}",
        *([f"deadline = {stopping.deadline_s!r}"] if stopping.deadline_s else []),
        *(["every_cell = true"] if stopping.every_cell else []),
        *([f"shared_core_budget = {stopping.shared_core_budget_s!r}"] if stopping.shared_core_budget_s else []),
    ]
    lines += [line for measure in study.measures for line in _measure_lines(measure)]
    return "\n".join([*lines, *(line for one in study.purpose.weights for line in _weight_lines(one))]) + "\n"


def _weight_lines(one: CellWeight) -> list[str]:
    sizes = f"sizes = [{one.least_bytes}, {one.most_bytes}]"
    return ["", "[[weight]]", f"kernel = {_quote(one.kernel)}", sizes, f"weight = {one.weight!r}"]


def _measure_lines(measure: Measure) -> list[str]:
    sizes = [f"sizes = {list(measure.sizes)}"] if measure.sizes else []
    ranks = [f"ranks = {list(measure.ranks)}"] if measure.ranks else []
    stacks = [f"stacks = {_list(measure.stacks)}"] if measure.stacks else []
    options = ", ".join(f"{_quote(name)} = {_list(choices)}" for name, choices in measure.options)
    return [
        "",
        "[[measure]]",
        f"kernel = {_quote(measure.kernel)}",
        *sizes,
        *ranks,
        *stacks,
        f"options = {{ {options} }}",
        f"mode = {_quote(measure.mode)}",
        f"cache = {_quote(measure.cache)}",
        *([] if measure.oversubscribe else ["oversubscribe = false"]),
    ]


def _quote(text: str) -> str:
    """A TOML basic string of any text."""
    plain = "".join(
        letter if letter.isprintable() and letter not in '"\\' else f"\\U{ord(letter):08X}" for letter in text
    )
    return f'"{plain}"'


def _list(words: Sequence[str]) -> str:
    return f"[{', '.join(_quote(word) for word in words)}]"


def _study(table: TomlTable, kernels: Mapping[str, Kernel], name: str) -> Study:
    measures = tuple(_measure(item, kernels) for item in table.tables("measure"))
    ranks = _ranks(table, (2,))
    measures += _others(table.sizes("others"), kernels, measures, ranks)
    if not measures:
        table.mistake("measure", "nothing is measured: add a [[measure]] with a kernel")
    study = Study(
        name=name,
        title=table.text("title", ""),
        stacks=tuple(table.words("stacks", ("each",))),
        measures=measures,
        ranks=ranks,
        stopping=_parse_stopping(table.table("stopping")),
        seed=table.integer("seed", 0, 0, 2**31 - 1),
        base=table.text("base", ""),
        clock=table.choice("clock", "monotonic", get_args(ClockName)),
        check=table.flag("check", True),
        again=table.flag("again", False),
        quiet_start=table.flag("quiet_start", False),
        purpose=Purpose(table.text("purpose", ""), _weights(table, kernels)),
        hosts=table.text("hosts", ""),
        ssh_config=table.text("ssh_config", ""),
        map=table.choice("map", "node", ("node", "core")),
    )
    table.refuse_the_rest()
    return study


def parse_weights(text: str, kernels: Mapping[str, Kernel], *, where: str) -> tuple[CellWeight, ...]:
    """The weights of a file of ``[[weight]]`` tables: ``kernel``, ``sizes`` (their first and last), ``weight``.

    Raises:
        StudyError: with every mistake.
    """
    document, mistakes = parse_toml(text, where), Mistakes(text)
    table = TomlTable("", document, mistakes)
    found = _weights(table, kernels)
    table.refuse_the_rest()
    if mistakes.found:
        raise StudyError(mistakes.describe(), where=where, remedy="correct them; docs/reference/study-file.md")
    return found


def _weights(table: TomlTable, kernels: Mapping[str, Kernel]) -> tuple[CellWeight, ...]:
    found = []
    for item in table.tables("weight"):
        word, sizes, weight = item.text("kernel", ""), item.sizes("sizes"), item.number("weight", 1.0)
        item.refuse_the_rest()
        kernel = _kernel_named(word, kernels)
        if kernel is None:
            item.unknown("kernel", word, tuple(kernels), "kernel")
        if not weight > 0:
            item.mistake("weight", "write a number above 0")
        if kernel is not None:
            whole = CellWeight(kernel.name, weight=weight)
            found.append(evolve(whole, least_bytes=sizes[0], most_bytes=sizes[-1]) if sizes else whole)
    return tuple(found)


def _others(
    sizes: tuple[int, ...], kernels: Mapping[str, Kernel], named: Sequence[Measure], ranks: Sequence[int]
) -> tuple[Measure, ...]:
    """Measures of the kernels that no measure names, on the ranks that they run on; none where no sizes are given."""
    rest = set(kernels) - {measure.kernel for measure in named} if sizes else set()
    return tuple(
        Measure(
            name,
            sizes if kernels[name].sized else (0,),
            ranks=tuple(one for one in ranks if one <= kernels[name].maximum_ranks)
            if kernels[name].maximum_ranks
            else (),
        )
        for name in sorted(rest)
    )


def _parse_stopping(table: TomlTable) -> Stopping:
    usual = Stopping()
    stopping = Stopping(
        budget_s=table.duration_s("budget", usual.budget_s, 0.1),
        minimum_rounds=table.integer("minimum_rounds", usual.minimum_rounds, 1, MOST_ROUNDS),
        maximum_rounds=table.integer("maximum_rounds", usual.maximum_rounds, 1, MOST_ROUNDS),
        ratio_precision=table.ratio("ratio_precision", usual.ratio_precision),
        cell_precision=table.ratio("cell_precision", usual.cell_precision),
        cell_budget_s=table.duration_s("cell_budget", usual.cell_budget_s, 1e-4),
        launch_limit_s=table.duration_s("launch_limit", usual.launch_limit_s, 0.1),
        deadline_s=table.duration_s("deadline", usual.deadline_s, 0.0),
        every_cell=table.flag("every_cell", usual.every_cell),
        shared_core_budget_s=table.duration_s("shared_core_budget", usual.shared_core_budget_s, 0.0),
    )
    if stopping.minimum_rounds > stopping.maximum_rounds:
        if "minimum_rounds" in table.names():
            table.mistake("minimum_rounds", f"more than maximum_rounds ({stopping.maximum_rounds})")
        else:
            what = f"less than minimum_rounds, {stopping.minimum_rounds} where it is left out: write both"
            table.mistake("maximum_rounds", what)
    table.refuse_the_rest()
    return stopping


def _measure(table: TomlTable, kernels: Mapping[str, Kernel]) -> Measure:
    word = table.text("kernel", "")
    kernel = _kernel_named(word, kernels) if word else None
    if not word:
        table.mistake("kernel", "missing: name one of " + ", ".join(kernels))
    elif kernel is None:
        table.unknown("kernel", word, tuple(kernels), "kernel")
    measure = Measure(
        kernel=kernel.name if kernel else word,
        sizes=_sizes(table, kernel),
        ranks=_ranks(table, ()),
        options=_options(table.table("options"), kernel),
        mode="single" if table.choice("mode", "batch", get_args(Mode)) == "single" else "batch",
        cache=_cache(table.choice("cache", "hot", get_args(CacheMode))),
        stacks=tuple(table.words("stacks", ())),
        oversubscribe=table.flag("oversubscribe", True),
    )
    table.refuse_the_rest()
    return measure


def _cache(word: str) -> CacheMode:
    return "rotate" if word == "rotate" else "cold" if word == "cold" else "hot"


def _ranks(table: TomlTable, usual: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(sorted(set(table.integers("ranks", usual, 1, MOST_RANKS))))


def _sizes(table: TomlTable, kernel: Kernel | None) -> tuple[int, ...]:
    """The sizes named; those of a kernel without sizes are (0,)."""
    given = table.sizes("sizes")
    if kernel is not None and not kernel.sized:
        if given and set(given) != {0}:
            table.mistake("sizes", f"kernel {kernel.name} has no sizes: leave this key out")
        return (0,)
    for size in given:
        if size > LARGEST_MESSAGE:
            table.mistake("sizes", f"{units.format_size(size)} is more than the largest message, 1 GiB")
    return given or DEFAULT_SIZES


def _options(table: TomlTable, kernel: Kernel | None) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The choices asked for, each known to the kernel, in the kernel's order."""
    if kernel is None:
        return ()
    asked = []
    for option in kernel.options:
        choices = table.words(option.name, ())
        for choice in choices:
            if choice not in option.choices:
                table.unknown(option.name, choice, option.choices, "choice")
        if choices:
            asked.append((option.name, tuple(dict.fromkeys(choices))))
    table.refuse_the_rest()
    return tuple(asked)


def study_of_kernels(names: Sequence[str], sizes: Sequence[int], kernels: Mapping[str, Kernel]) -> tuple[Measure, ...]:
    """Measures for kernels named on a command line.

    Raises:
        UsageError: a kernel that is not known.
    """
    found = [find_kernel(name, kernels) for name in names]
    return tuple(Measure(kernel.name, tuple(sizes) or DEFAULT_SIZES if kernel.sized else (0,)) for kernel in found)
