"""The command line: the only place that parses arguments, catches errors and sets exit codes.

0 ok · 1 regression by --fail-on · 2 usage · 3 undecided under --fail-on · 4 some cells failed · 5 no usable stack ·
130 interrupted (docs/reference/exit-codes.md).

``msgauge --help`` is printed from the table below without importing anything heavy; a test holds it to the commands.
"""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from msgauge.errors import INTERRUPTED, MsgaugeError, UsageError
from msgauge.frontend.ending_signals import take_ending_signals
from msgauge.frontend.shell_limits import find_limit
from msgauge.frontend.standard_streams import secure_streams

if TYPE_CHECKING:
    from cyclopts import App, CycloptsError, UnknownOptionError

COMMANDS = {
    "compare": "Measure and compare stacks: which is faster, by how much, with which confidence.",
    "doctor": "Check whether this machine is suitable for measurements; problems with remedies.",
    "stacks": "List the message-passing stacks of this machine, test them, or install more.",
    "plan": "Show what a study would run: commands, expected time, refused tests. Runs nothing.",
    "run": "Measure a study and keep the samples; no report.",
    "show": "Show the findings and tables of a run.",
    "report": "Write the HTML page of a run.",
    "figures": "Write the figures of a run as SVG, PDF or PNG.",
    "diff": "Compare two versions in different runs, and fail on a regression if asked to.",
    "history": "Show the history of many runs: where the level of a test changed, and the first run after it.",
    "model": "Show the LogGP models of stacks: parameters, protocol segments, closure; export to simulators.",
    "advise": "Show what to try next: commands, the largest expected gain first, each with its evidence.",
    "paper": "Repeat the experiments of a published paper and test its claims.",
    "export": "Write a run as CSV, Markdown, LaTeX, JSON or Parquet.",
    "site": "Write a static site of many runs: an index, and the page of each run.",
    "map": "Map a cluster: latency and bandwidth of every pair of hosts; which hosts, links and switches are slow.",
    "lab": "Make emulated hosts on this computer, list them, run programs on them, take them down.",
    "kernels": "List the kernels: what they measure, and their options.",
}
HELP_FLAGS = ("--help", "-h")
_STACKS_BY_OPTION = "write lists as one,other, and stacks behind --stacks: --stacks one,other"
_OTHERWISE = {
    "diff": "name more runs of a version behind --old and --new",
    "stacks": "'msgauge stacks' lists all of them, 'msgauge stacks prove NAME' tests one",
    **dict.fromkeys(("compare", "run", "plan"), _STACKS_BY_OPTION),
}
"""Of words that a command has no place for: where they belong."""
_INTERNAL = 70


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command line; returns the exit code."""
    secure_streams()
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        with take_ending_signals():
            code = _dispatch(words)
            sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        _say("interrupted")
        return INTERRUPTED
    except MsgaugeError as error:
        _say(f"error: {error}")
        return error.exit_code
    except Exception as error:
        return _report_crash(error, words)


def _dispatch(words: list[str]) -> int:
    """Print help or version by the short way; everything else is a command."""
    if not words or words[0] in (*HELP_FLAGS, "help"):
        if words[1:2] and words[0] == "help":
            return _command([words[1], "--help"])
        sys.stdout.write(overview())
        return 0
    if words[0] in ("--version", "-V", "version"):
        from msgauge import __version__

        sys.stdout.write(f"msgauge {__version__}\n")
        return 0
    return _command(words)


def overview() -> str:
    """What ``msgauge --help`` prints."""
    width = max(map(len, COMMANDS))
    commands = [f"  {name:<{width}}  {what}" for name, what in COMMANDS.items()]
    lines = [
        "msgauge measures and compares message-passing stacks on this machine.",
        "",
        "usage: msgauge COMMAND [OPTIONS]",
        "",
        "commands:",
        *commands,
        "",
        "msgauge COMMAND --help explains a command. A first comparison: msgauge compare",
        "exit codes: 0 ok, 1 regression, 2 usage, 3 undecided, 4 some cells failed, 5 no usable stack, 130 interrupted",
    ]
    return "\n".join(lines) + "\n"


def application() -> App:
    """All commands; each is imported when it is asked for."""
    from msgauge.frontend.command_group import make_group

    app = make_group(
        "msgauge",
        suppress_keyboard_interrupt=False,
    )
    for name in COMMANDS:
        app.command(f"msgauge.commands.{name}:{name}", name=name)
    return app


def _command(words: list[str]) -> int:
    """Parse and run one command; its return value is the exit code.

    Raises:
        UsageError: the words do not fit the command.
    """
    import cyclopts

    if words[0] not in COMMANDS:
        raise _unknown(words[0])
    # The limits of two rounds that differ a thousandfold may be beyond all numbers: infinite is what they tell.
    warnings.filterwarnings("ignore", "overflow encountered in exp", RuntimeWarning)
    _refuse_empty(words)
    commands = application()
    if any(flag in words for flag in HELP_FLAGS):
        from msgauge.frontend.command_group import make_help_console

        commands.console = make_help_console()
    try:
        code = commands(words)
    except cyclopts.UnknownOptionError as error:
        raise _unknown_option(error, words[0]) from error
    except cyclopts.CycloptsError as error:
        raise _misfit(error, words[0]) from error
    return code if isinstance(code, int) else 0


def _refuse_empty(words: list[str]) -> None:
    """An empty word is a variable that a script did not set: passed over, it would have other things done than meant.

    What is run on a host of a lab may have empty words of its own.
    """
    of_program = words[:2] == ["lab", "run"]
    for before, word in pairwise(words[:3] if of_program else words):
        if word and not (word.startswith("--") and word.endswith("=")):
            continue
        option = word.rstrip("=") or (before if before.startswith("--") else "")
        raise UsageError(
            f"{option} is empty" if option else f"an empty word stands after {before!r}",
            remedy="write a value or leave it out; is it a variable that is not set?",
        )


def _unknown_option(error: UnknownOptionError, command: str) -> UsageError:
    from msgauge.frontend.typed_words import hint_option

    word = error.token.keyword or error.token.value
    hint = hint_option(word, [name for one in error.argument_collection for name in one.names], COMMANDS)
    return UsageError(
        f"there is no option {word} of {command}", remedy=f"{hint} see 'msgauge {command} --help'".lstrip()
    )


def _misfit(error: CycloptsError, command: str) -> UsageError:
    """Words that are too many or too few, said as the user typed them; all else as the parser says it."""
    import cyclopts

    see = f"see 'msgauge {command} --help'"
    if isinstance(error, cyclopts.UnusedCliTokensError):
        more = " ".join(error.unused_tokens or ())
        remedy = _OTHERWISE.get(command, "write lists as one,other")
        return UsageError(f"{command} has no place for {more!r}", remedy=f"{remedy}; {see}")
    if isinstance(error, cyclopts.MissingArgumentError) and error.argument is not None:
        name = error.keyword or error.argument.name
        what = f"{name} is given without a value" if name.startswith("-") else f"{command} lacks {name}"
        return UsageError(what, remedy=see)
    return UsageError(" ".join(str(error).split()).rstrip("."), remedy=see)


def _unknown(word: str) -> UsageError:
    from msgauge.frontend.typed_words import hint_command

    near = hint_command(word, COMMANDS)
    remedy = f"did you mean 'msgauge {near}'?" if near else "see 'msgauge --help'"
    return UsageError(f"there is no command {word!r}", remedy=remedy)


def _report_crash(error: Exception, words: list[str]) -> int:
    """A bug in msgauge: a short message, the traceback in a file, and how to report it."""
    import tempfile
    import traceback

    if os.environ.get("MSGAUGE_DEBUG") == "1":
        traceback.print_exc()
        return _INTERNAL
    if isinstance(error, FileNotFoundError) and _works_nowhere():
        gone = UsageError(
            "the current folder is gone: it was removed or replaced", remedy="go to one that is there: cd"
        )
        _say(f"error: {gone}")
        return gone.exit_code
    if limit := find_limit(error):
        _say(f"error: {limit}")
        return limit.exit_code
    _say(f"internal error: {type(error).__name__}: {error}")
    try:
        with tempfile.NamedTemporaryFile("w", prefix="msgauge-", suffix=".txt", delete=False) as file:
            file.write(f"msgauge {words!r}\n{traceback.format_exc()}")
        _say(f"  remedy: please report it with the file {file.name} (or run it again with MSGAUGE_DEBUG=1)")
    except OSError:
        _say("  remedy: please run it again with MSGAUGE_DEBUG=1 and report what it prints")
    return _INTERNAL


def _works_nowhere() -> bool:
    """Whether the folder in which the command was started is no more; then no relative path means anything."""
    from pathlib import Path

    try:
        Path.cwd()
    except FileNotFoundError:
        return True
    return False


def _say(text: str) -> None:
    sys.stderr.write(f"msgauge: {text}\n")
    sys.stderr.flush()
