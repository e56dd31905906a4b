"""``msgauge model``: why stacks are fast or slow, from a run or measured now; exports for simulators."""

from __future__ import annotations

from pathlib import Path

from msgauge import answers, conclusion
from msgauge.advise.stack_model import StackModel
from msgauge.analysis import derived, modelling
from msgauge.commands.asked import Asked, asked_study
from msgauge.commands.compare import measured
from msgauge.config import load_config
from msgauge.errors import UsageError
from msgauge.hosts import this_host
from msgauge.kernels import load_kernels
from msgauge.models import export
from msgauge.models.loggp import LogGP
from msgauge.stacks import registry
from msgauge.stacks.choice import split_list
from msgauge.store import RunFolder, publish


def model(
    run: Path | None = None,
    /,
    *,
    stacks: str = "",
    try_setting: str = "",
    rounds: int = 0,
    budget: str = "",
    seed: int = 0,
    runs: Path = Path("runs"),
    export_to: Path | None = None,
    hosts: int = 16,
    size: int = 8,
    json: bool = False,
) -> int:
    """Show why stacks are fast or slow: LogGP, protocol segments, closure; export them to simulators.

    Parameters
    ----------
    run
        The folder of a run that measured trains (study model or a paper); measured now when left out.
    stacks
        Stacks to measure, e.g. openmpi,mpich[tcp].
    try_setting
        A setting and two values or more, e.g. btl_sm_eager_limit=2KiB|16KiB: each stack is measured under each, to
        see which breakpoint follows it.
    rounds
        Exactly so many rounds.
    budget
        Time to measure at most.
    seed
        Seed of all random orders.
    runs
        The folder that run folders are made in.
    export_to
        A folder for SimGrid platforms with SMPI options and for LogGOPSim's arguments, one set for each stack.
    hosts
        Nodes of the exported platform.
    size
        The message size in bytes whose segment LogGOPSim's arguments are of; it knows one segment.
    json
        Print the models as JSON.
    """
    path = run or _measured(Asked(_tried(stacks, try_setting), rounds=rounds, budget=budget, seed=seed), runs)
    folder = RunFolder.open(path)
    found = modelling.models(folder)
    if not any(one.model for one in found):
        reasons = "; ".join(f"{one.stack}: {one.reason}" for one in found)
        raise UsageError(f"no model can be made: {reasons}", remedy="measure one: msgauge model --stacks NAME,NAME")
    derived.keep_models(folder, found)
    conclusion.write_page(path)
    files = _export(found, export_to, hosts, size) if export_to is not None else []
    _show(found, path, files, json=json)
    return 0


def _measured(asked: Asked, runs: Path) -> Path:
    asked_study("model", asked, load_kernels())
    return measured("model", asked, runs, None).path


def _tried(stacks: str, setting: str) -> str:
    """The stacks, each once for every value of the setting.

    Raises:
        UsageError: the setting is not written as NAME=VALUE|VALUE, or no stack is named with it.
    """
    if not setting:
        return stacks
    name, _, values = setting.partition("=")
    if not stacks or "|" not in values:
        raise UsageError(
            f"cannot try {setting!r}",
            remedy="write --stacks openmpi --try-setting 'btl_sm_eager_limit=2KiB|16KiB'",
        )
    here = registry.discover(this_host(), load_config())
    bases = [stack.spec for stack in registry.select(here, split_list(stacks))]
    words = [f"{name}={value}" for value in values.split("|")]
    return ",".join(
        f"{base[:-1]},{word}]" if base.endswith("]") else f"{base}[{word}]" for base in bases for word in words
    )


def _export(found: tuple[StackModel, ...], folder: Path, hosts: int, size: int) -> list[str]:
    """One set of files for each stack with a model; what cannot be exported is said in its notes."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for one in found:
        if one.model is None:
            continue
        name = "".join(c if c.isalnum() or c in ".-" else "-" for c in one.stack).strip("-")
        platform = export.simgrid(one.model, hosts, one.eager_limit)
        options = "".join(f"{line}\n" for line in (*(f"# {note}" for note in platform.notes), *platform.options))
        for suffix, text in (("xml", platform.platform), ("options", options)):
            publish(folder / f"{name}.{suffix}", text.encode())
            written.append(str(folder / f"{name}.{suffix}"))
        publish(folder / f"{name}.loggopsim", _loggopsim(one.model, size, one.eager_limit).encode())
        written.append(str(folder / f"{name}.loggopsim"))
    return written


def _loggopsim(model: LogGP, size: int, eager: int | None) -> str:
    try:
        found = export.loggopsim(model, size, eager)
    except UsageError as error:
        return f"# none: {error.what} {error.remedy}\n"
    return "".join(f"# {note}\n" for note in found.notes) + "\n".join(found.arguments) + "\n"


def _show(found: tuple[StackModel, ...], path: Path, files: list[str], *, json: bool) -> None:
    if json:
        print(answers.text({**derived.of_models(found, path), "exported": files}))
        return
    from msgauge.report import model_terminal

    model_terminal.show(found, path)
    for name in files:
        print(f"exported: {name}")
    if files:
        print("run it: msgauge compare quick --stacks 'smpi[platform=FILE.xml]'")
