"""Workers started by what starts processes there: this computer, ssh, Slurm."""

from __future__ import annotations

import argparse
import os
import shlex
import subprocess
import time
from contextlib import nullcontext, suppress

from taskfarm import errors
from taskfarm.credentials import CREDENTIALS
from taskfarm.local import without_ctrl_c
from taskfarm.siblings import end_with, exit_status
from taskfarm.worker import check_work

PATIENCE_S = 5.0


def launch_commands(options: argparse.Namespace) -> list[list[str]]:
    """The commands that start `count` workers; nothing is run.

    By ssh it is one for each host, however many workers start there: an sshd refuses logins at random when ten are
    under way (MaxStartups).

    Raises:
        errors.Error: hosts are missing for ssh, or given for another launcher; or nothing says what workers do.
    """
    check_work(options.function, options.pickle)
    worker = _worker_command(options)
    hosts = [host.strip() for host in options.hosts.split(",") if host.strip()]
    if options.launch == "ssh" and not hosts:
        raise errors.Error(errors.INVALID, "--launch ssh starts workers on other hosts, and none is given: --hosts a,b")
    if hosts and options.launch != "ssh":
        raise errors.Error(errors.INVALID, f"--hosts is for --launch ssh, and not for {options.launch}")
    if options.launcher_option and options.launch == "local":
        raise errors.Error(errors.INVALID, "--launcher-option is for --launch ssh and slurm: none starts workers here")
    if any(host.startswith("-") for host in hosts):
        raise errors.Error(errors.INVALID, "a host's name does not begin with a dash")
    if options.launch == "slurm":
        return [["srun", f"--ntasks={options.count}", "--kill-on-bad-exit=0", *options.launcher_option, *worker]]
    if options.launch == "ssh":
        line = shlex.join([*worker, f"--processes={options.count}", "--while-input-open"])
        ssh = ["ssh", "-o", "BatchMode=yes", *options.launcher_option]
        return [[*ssh, host, line] for host in hosts]
    return [worker for _ in range(options.count)]


def launch(commands: list[list[str]]) -> int:
    """Runs all at once and waits; the highest exit status, 128 + N of one ended by signal N. Ctrl-C ends them, those on
    other hosts too.

    They end in whatever way this process does: those on other hosts hear of it by the end of their standard input,
    those on this one (workers, srun) by a signal that the kernel sends.

    Raises:
        errors.Error: a command cannot be started; those that have been are ended.
    """
    processes: list[subprocess.Popen[bytes]] = []
    try:
        for command in commands:
            processes.append(_started(command))
        return max((exit_status(process.wait()) for process in processes), default=0)
    finally:
        for process in processes:
            if process.stdin is not None:
                process.stdin.close()
            elif process.poll() is None:
                process.terminate()
        _wait_for_end(processes)


def _started(command: list[str]) -> subprocess.Popen[bytes]:
    here = os.getpid()
    try:
        if command[0] == "ssh":
            return subprocess.Popen(command, stdin=subprocess.PIPE)
        with without_ctrl_c() if command[0] != "srun" else nullcontext():
            return subprocess.Popen(command, stdin=subprocess.DEVNULL, preexec_fn=lambda: end_with(here))  # noqa: PLW1509
    except OSError as error:
        raise errors.Error(errors.SYSTEM, f"{command[0]} cannot be started: {error.strerror}") from error


def _worker_command(options: argparse.Namespace) -> list[str]:
    worker = [options.python, "-m", "taskfarm.worker", options.url]
    worker += ["--function", options.function] if options.function else []
    worker += ["--pickle"] if options.pickle else []
    for name, after in (("--reconnect-timeout", options.reconnect_timeout), ("--lost-exit", options.lost_exit)):
        worker += [name, f"{after / 1000:g}"] if after is not None else []
    given = {name: getattr(options, name, None) for name in CREDENTIALS}
    if given["certificate_file"] and given["key_file"] == os.environ.get("TASKFARM_KEY_FILE"):
        given["key_file"] = None  # the environment's does not stand against what was given by hand
    for name, value in given.items():
        worker += [f"--{name.replace('_', '-')}", value] if value else []
    return worker


def _wait_for_end(processes: list[subprocess.Popen[bytes]]) -> None:
    until = time.monotonic() + PATIENCE_S  # of all together
    for process in processes:
        with suppress(subprocess.TimeoutExpired):  # a host that does not answer
            process.wait(max(0.0, until - time.monotonic()))
    for process in processes:
        process.terminate()
    for process in processes:
        process.wait()
