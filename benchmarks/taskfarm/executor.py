"""A Farm under CPython's own tests of executors (``cpython_tests.py``).

`folder` holds ``test_concurrent_futures.py`` of the version of Python that runs them: Debian has it in
libpython3.11-testsuite (/usr/lib/python3.11/test), CPython's sources in Lib/test. Takes about a minute.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.taskfarm.programs import PACKAGE, need_programs

PROGRAM = Path(__file__).with_name("cpython_tests.py")
PATIENCE_S = 600


def main(arguments: Sequence[str]) -> int:
    """Runs them in a process of their own; 1 where one fails that is not known to be different, 2 without the tests."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.taskfarm executor", description=__doc__)
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args(arguments).folder.resolve()
    if not (folder / "test_concurrent_futures.py").is_file():
        print(f"{folder} has no test_concurrent_futures.py; see --help for where it comes from")
        return 2
    need_programs()
    path = os.pathsep.join([str(PACKAGE), str(folder)])
    done = subprocess.run(
        [sys.executable, str(PROGRAM)], check=False, env={**os.environ, "PYTHONPATH": path}, timeout=PATIENCE_S
    )
    return done.returncode
