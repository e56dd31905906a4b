"""Workers of this computer that live as long as their farm."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

PATIENCE_S = 5.0


class LocalWorkers:
    """So many `python -m taskfarm.worker` processes.

    Args:
        options: of the farm; credentials are handed on.
    """

    def __init__(self, url: str, count: int, pickle: bool, options: dict[str, Any]) -> None:
        self.processes: list[subprocess.Popen[bytes]] = []
        command = [sys.executable, "-m", "taskfarm.worker", url, "--reconnect-timeout", "1", "--lost-exit", "1"]
        if pickle:
            command.append("--pickle")
        for option in ("key_file", "certificate_file", "certificate_key_file", "ca_file"):
            if options.get(option):
                command += [f"--{option.replace('_', '-')}", str(options[option])]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
        for _ in range(count):
            self.processes.append(subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL))

    def end(self) -> None:
        """They were told to go; those that do not are ended."""
        for process in self.processes:
            try:
                process.wait(PATIENCE_S)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
