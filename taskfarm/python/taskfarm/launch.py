"""Workers started by what starts processes there: this computer, ssh, Slurm."""

from __future__ import annotations

import argparse
import shlex
import subprocess

from taskfarm import errors


def launch_commands(options: argparse.Namespace) -> list[list[str]]:
    """The commands that start `count` workers; nothing is run.

    Raises:
        errors.Error: hosts are missing for ssh, or given for another launcher.
    """
    worker = [options.python, "-m", "taskfarm.worker", options.url]
    worker += ["--function", options.function] if options.function else []
    worker += ["--pickle"] if options.pickle else []
    worker += ["--key-file", options.key_file] if options.key_file else []
    hosts = [host for host in options.hosts.split(",") if host]
    if bool(hosts) != (options.launch == "ssh"):
        raise errors.Error(errors.INVALID, "--hosts a,b belongs to --launch ssh, and only to it")
    if any(host.startswith("-") for host in hosts):
        raise errors.Error(errors.INVALID, "a host's name does not begin with a dash")
    if options.launch == "slurm":
        return [["srun", f"--ntasks={options.count}", "--kill-on-bad-exit=0", *options.launcher_option, *worker]]
    if options.launch == "ssh":
        line = shlex.join(worker)
        ssh = ["ssh", "-o", "BatchMode=yes", *options.launcher_option]
        return [[*ssh, host, line] for host in hosts for _ in range(options.count)]
    return [worker for _ in range(options.count)]


def launch(commands: list[list[str]]) -> int:
    """Runs all at once and waits; the highest exit status. Ctrl-C ends them."""
    processes = [subprocess.Popen(command, stdin=subprocess.DEVNULL) for command in commands]
    try:
        return max((process.wait() for process in processes), default=0)
    finally:
        for process in processes:
            if process.poll() is None:
                process.terminate()
                process.wait()
