"""``msgauge model``: LogGP models of stacks, from a run or measured now; exports for simulators."""

from __future__ import annotations

import shlex
from pathlib import Path

from msgauge import evaluation
from msgauge.analysis.stack_models import model_fitting
from msgauge.analysis.stack_models.stack_model import StackModel
from msgauge.config import load_config
from msgauge.discovery import registry
from msgauge.errors import INTERRUPTED, UsageError
from msgauge.frontend.exit_status import exit_code
from msgauge.frontend.last_run import RUNS
from msgauge.frontend.measurement import measure_study
from msgauge.frontend.study_options import StudyOptions
from msgauge.frontend.typed_lists import read_list
from msgauge.frontend.whole_numbers import MaybeWhole, Whole
from msgauge.hosts import this_host
from msgauge.models import export
from msgauge.models.loggp import LogGP
from msgauge.papers import derived_results
from msgauge.report import json_output
from msgauge.report.terminal.console import print_note, print_warning
from msgauge.results.publishing import make_output_folder, publish_output
from msgauge.results.run_folder import RunFolder


def model(
    run: Path | None = None,
    /,
    *,
    stacks: str = "",
    try_setting: str = "",
    rounds: MaybeWhole = None,
    budget: str = "",
    seed: Whole = 0,
    runs: Path = RUNS,
    export_to: Path | None = None,
    hosts: Whole = 16,
    size: Whole = 8,
    json: bool = False,
) -> int:
    """Show the LogGP models of stacks: parameters, protocol segments, closure; export to simulators.

    Parameters
    ----------
    run
        The folder of a run that measured message trains (study model or a paper); measured now by default.
    stacks
        Stacks to measure, e.g. openmpi,mpich[tcp].
    try_setting
        A setting and two or more values, e.g. btl_sm_eager_limit=2KiB|16KiB: each stack is measured with each value,
        to find the breakpoints that the setting moves.
    rounds
        Exact number of rounds.
    budget
        Limit of the measuring time.
    seed
        Seed of all random orders.
    runs
        Folder in which run folders are created.
    export_to
        Folder for SimGrid platforms with SMPI options and for LogGOPSim arguments, one set for each stack.
    hosts
        Number of nodes of the exported platform.
    size
        Message size in bytes that selects the segment for LogGOPSim, which has a single one.
    json
        Print the models as JSON.
    """
    if run is not None and (stacks or try_setting or rounds or budget or seed):
        raise UsageError("a run whose models are shown takes no options of measuring", remedy="leave out RUN")
    code = 0
    if run is not None:
        folder = RunFolder.open(run)
    else:
        asked = StudyOptions(_expand_setting(stacks, try_setting), rounds=rounds, budget=budget, seed=seed)
        result = measure_study("model", asked, runs, None)
        folder, code = result.folder, exit_code(result.analysis)
    found = model_fitting.models(folder)
    if code == INTERRUPTED and not any(one.model for one in found):
        print_note(f"interrupted before a model could be fitted; {_tell_how_to_go_on(folder.path)}")
        return code
    if not any(one.model for one in found):
        reasons = "; ".join(f"{one.stack}: {one.reason}" for one in found)
        raise UsageError(f"no model can be fitted: {reasons}", remedy="measure one: msgauge model --stacks NAME,NAME")
    derived_results.keep_models(folder, found)
    if missing := evaluation.keep_page(folder):
        print_warning(missing)
    files = _export(found, export_to, hosts, size) if export_to is not None else []
    _print_models(found, folder.path, files, json=json)
    if code == INTERRUPTED:
        print_note(f"interrupted: the models rest on what was measured until then; {_tell_how_to_go_on(folder.path)}")
    return code


def _tell_how_to_go_on(run: Path) -> str:
    return f"to go on: msgauge compare --resume {shlex.quote(str(run))}, then: msgauge model {shlex.quote(str(run))}"


def _expand_setting(stacks: str, setting: str) -> str:
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
    named = read_list("--stacks", stacks)
    bases = [stack.spec for stack in registry.select(registry.discover(this_host(), load_config(), named), named)]
    words = [f"{name}={value}" for value in values.split("|")]
    return ",".join(
        f"{base[:-1]},{word}]" if base.endswith("]") else f"{base}[{word}]" for base in bases for word in words
    )


def _export(found: tuple[StackModel, ...], folder: Path, hosts: int, size: int) -> list[str]:
    """One set of files for each stack with a model; what cannot be exported is said in its notes."""
    make_output_folder(folder)
    written = []
    for one in found:
        if one.model is None:
            continue
        name = "".join(c if c.isalnum() or c in ".-" else "-" for c in one.stack).strip("-")
        platform = export.simgrid(one.model, hosts, one.eager_limit)
        options = "".join(f"{line}\n" for line in (*(f"# {note}" for note in platform.notes), *platform.options))
        for suffix, text in (("xml", platform.platform), ("options", options)):
            publish_output(folder / f"{name}.{suffix}", text.encode())
            written.append(str(folder / f"{name}.{suffix}"))
        publish_output(folder / f"{name}.loggopsim", _loggopsim(one.model, size, one.eager_limit).encode())
        written.append(str(folder / f"{name}.loggopsim"))
    return written


def _loggopsim(model: LogGP, size: int, eager: int | None) -> str:
    try:
        found = export.loggopsim(model, size, eager)
    except UsageError as error:
        return f"# none: {error.what} {error.remedy}\n"
    return "".join(f"# {note}\n" for note in found.notes) + "\n".join(found.arguments) + "\n"


def _print_models(found: tuple[StackModel, ...], path: Path, files: list[str], *, json: bool) -> None:
    if json:
        print(json_output.text({**derived_results.of_models(found, path), "exported": files}))
        return
    from msgauge.report.terminal import model_terminal

    model_terminal.print_models(found, path)
    for name in files:
        print(f"exported: {name}")
    if files:
        print("to run it: msgauge compare quick --stacks 'smpi[platform=FILE.xml]'")
