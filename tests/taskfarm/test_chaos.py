"""The short chaos, the unit tests and the C interface."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from farms import BUILD, LIBRARY, Transport


def test_the_parts() -> None:
    done = subprocess.run([BUILD / "tests" / "unit"], cwd=BUILD, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


WAYS, STATES = ("exit", "abort", "SIGKILL", "SIGSTOP", "segv", "oom"), ("idle", "receiving", "task", "reply")


def test_workers_die_in_every_way_and_nothing_is_lost_doubled_or_stuck(transport: Transport) -> None:
    """Each way in each state once. Where memory cgroups can be written, the OOM killer itself ends those of "oom"."""
    command = [BUILD / "tests" / "chaos", transport.url, "5000", "24", "4", "7", *transport.options.values()]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=200)
    report = json.loads(done.stdout)
    assert report["good"], report
    assert done.returncode == 0
    assert report["deaths"] == {f"{way} {state}": 1 for way in WAYS for state in STATES}
    assert report["oom_killer"] in (-1, 4)  # -1: no cgroup can be written


def test_the_header_is_plain_c(tmp_path: Path) -> None:
    source = tmp_path / "plain.c"
    source.write_text('#include "taskfarm.h"\nint main(void) { return tf_version() == 0; }\n')
    command = ["gcc", "-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", f"-I{LIBRARY / 'include'}", str(source)]
    command += [f"-L{BUILD}", "-ltaskfarm", f"-Wl,-rpath,{BUILD}", "-o", str(tmp_path / "plain")]
    subprocess.run(command, check=True)
    assert subprocess.run([tmp_path / "plain"], check=False).returncode == 0


def test_only_the_interface_is_exported_and_it_has_a_version() -> None:
    text = subprocess.run(
        ["nm", "-D", "--defined-only", BUILD / "libtaskfarm.so"], capture_output=True, text=True, check=True
    )
    names = [line.split()[-1] for line in text.stdout.splitlines()]
    functions = [name for name in names if name != "TASKFARM_1.0"]
    assert len(functions) > 20
    assert all(name.startswith("tf_") and name.endswith("@@TASKFARM_1.0") for name in functions), functions


def test_the_cpp_example() -> None:
    program, url = BUILD / "tests" / "squares", "unix://@taskfarm-test-squares"
    with subprocess.Popen([program, url, "worker"]) as worker:
        done = subprocess.run([program, url], capture_output=True, text=True, check=False, timeout=60)
        assert (done.stdout, done.returncode) == ("sum of squares: 328350\n", 0)
        assert worker.wait(20) == 0
