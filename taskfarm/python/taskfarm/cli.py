"""The command taskfarm: key, workers, top."""

from __future__ import annotations

import argparse
import json
import os
import shlex
import shutil
import sys
import time
from typing import Any

from taskfarm import __version__, errors
from taskfarm._core import Monitor, make_key
from taskfarm.credentials import add_credentials, credentials_of
from taskfarm.launch import launch, launch_commands
from taskfarm.quantities import count, milliseconds

CLEAR = "\033[H\033[J"
COLUMNS = (
    "number",
    "name",
    "pid",
    "transport",
    "window",
    "in_flight",
    "completed",
    "running",
    "silent_ms",
    "service_us",
)
SPARED = (
    "service_us",
    "silent_ms",
    "window",
    "name",
    "pid",
    "transport",
    "running",
)  # the first to go, where it is narrow
TOTALS = ("queued", "in_flight", "ready", "done", "failed", "dead", "workers", "workers_lost", "requeued", "refused")


def main(arguments: list[str] | None = None) -> int:
    """Runs one command; its exit status."""
    options = _parser().parse_args(arguments)
    try:
        return int(options.run(options))
    except errors.Error as error:
        print(f"taskfarm: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # Python would write the rest at its end
        if isinstance(error, BrokenPipeError):  # who read the tables has seen enough
            return 0
        print(f"taskfarm: {error.strerror or error}; is there room where the output goes?", file=sys.stderr)
        return 1


def key(options: argparse.Namespace) -> int:
    """Writes a new key file."""
    make_key(options.file)
    print(f"{options.file}: a new key, readable by you only; copy it to the other computers (mode 600)")
    return 0


def workers(options: argparse.Namespace) -> int:
    """Starts workers by a launcher, and waits for them."""
    commands = launch_commands(options)
    if options.show:
        for command in commands:
            print(shlex.join(command))
        return 0
    return launch(commands)


def top(options: argparse.Namespace) -> int:
    """A live table of a farm, until it says that it ends."""
    if sys.stdout is None:
        raise errors.Error(errors.SYSTEM, "standard output is closed; give top a place for its tables")
    monitor = Monitor(options.url, {**credentials_of(options), "connect_timeout_ms": 5000})
    while True:
        try:
            text = monitor.next(10_000)
        except errors.Error as error:
            if error.code != errors.CLOSED or options.once:  # which has seen none
                raise
            return 0
        if text is None:
            print("taskfarm: no word from the coordinator for 10 s", file=sys.stderr)
            continue
        if options.json:
            print(text, flush=True)
        else:
            screen = shutil.get_terminal_size() if sys.stdout.isatty() else None
            print((CLEAR if screen else "") + table(json.loads(text), screen), flush=True)
        if options.once:
            return 0


def table(statistics: dict[str, Any], screen: os.terminal_size | None = None) -> str:
    """The statistics as text: totals, then one line for each worker, the busiest first, those that are away last.

    Args:
        screen: where all of it is to be seen at once: columns and rows that have no room are left out.
    """
    width = screen.columns if screen else sys.maxsize
    lines = [f"{statistics['url']}  {time.strftime('%H:%M:%S')}"]
    lines += _folded([f"{name} {statistics[name]}" for name in TOTALS], width)
    rows = sorted(statistics["table"], key=lambda row: (not row["connected"], -row["completed"], row["number"]))
    room = max(1, screen.lines - len(lines) - 3) if screen else len(rows)  # below the heading; the cursor has a line
    shown = rows if len(rows) <= room + 1 else rows[:room]
    columns = list(COLUMNS)
    texts = _cells(shown, columns)
    for name in SPARED:
        if len(texts[0]) <= width:
            break
        columns.remove(name)
        texts = _cells(shown, columns)
    lines += texts
    if len(shown) < len(rows):
        away = sum(not row["connected"] for row in rows[len(shown) :])
        lines.append(f"and {len(rows) - len(shown)} more{f', {away} of them away' if away else ''}")
    return "\n".join(lines)


def _cells(rows: list[dict[str, Any]], columns: list[str]) -> list[str]:
    """A heading and a line for each row, with columns as wide as what stands in them."""
    texts = [columns] + [[str(row[column]) for column in columns] for row in rows]
    widths = [max(len(row[i]) for row in texts) for i in range(len(columns))]
    return ["  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in texts]


def _folded(parts: list[str], width: int) -> list[str]:
    """Parts side by side, in as many lines as they need."""
    lines = [parts[0]]
    for part in parts[1:]:
        if len(lines[-1]) + 2 + len(part) <= width:
            lines[-1] += f"  {part}"
        else:
            lines.append(part)
    return lines


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="taskfarm", description=__doc__)
    parser.add_argument("--version", action="version", version=f"taskfarm {__version__}")
    commands = parser.add_subparsers(required=True)
    command = commands.add_parser("key", help="make a key file for TLS")
    command.add_argument("file")
    command.set_defaults(run=key)
    command = commands.add_parser("workers", help="start workers here, by ssh or by Slurm")
    command.add_argument("url")
    command.add_argument("-n", "--count", type=count, default=os.cpu_count() or 1, help="in all; by ssh for each host")
    command.add_argument("--launch", choices=["local", "ssh", "slurm"], default="local")
    command.add_argument("--hosts", default="", help="for ssh: host,host,...")
    command.add_argument("--python", default=sys.executable, help="the interpreter there")
    command.add_argument("--function", metavar="MODULE:NAME")
    command.add_argument("--pickle", action="store_true")
    command.add_argument("--key-file", default=os.environ.get("TASKFARM_KEY_FILE") or None)
    command.add_argument("--certificate-file", help="as of the worker command; the same path on every host")
    command.add_argument("--certificate-key-file")
    command.add_argument("--ca-file")
    help_text = "how long workers look for a lost coordinator; 10"
    command.add_argument("--reconnect-timeout", type=milliseconds, metavar="SECONDS", help=help_text)
    help_text = "workers end when the coordinator is gone that long while a task runs; 30; 0: never"
    command.add_argument("--lost-exit", type=milliseconds, metavar="SECONDS", help=help_text)
    command.add_argument("--launcher-option", action="append", default=[], help="handed on to srun or ssh")
    command.add_argument("--show", action="store_true", help="print the commands and start nothing")
    command.set_defaults(run=workers)
    command = commands.add_parser("top", help="a live table of a farm")
    command.add_argument("url")
    add_credentials(command)
    command.add_argument("--once", action="store_true", help="one table, then end")
    command.add_argument("--json", action="store_true", help="one line of JSON a second")
    command.set_defaults(run=top)
    return parser
