"""Functions, classes and errors of the program that makes the farm: a script, or a module that `python -m` runs."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from farms import run_python

import taskfarm

PROGRAM = """\
import dataclasses, multiprocessing, sys
import taskfarm

class Mine(int): pass

class Wrong(Exception): pass

@dataclasses.dataclass
class Point:
    x: int

def point(x):
    return Point(x)

def fail():
    raise Wrong(7)

def by_a_farm(count):
    with taskfarm.Farm(workers=1, pickle=True) as farm:
        return sum(made.x for made in farm.map(point, range(count)))

def by_a_pool(kind):
    with multiprocessing.get_context(kind).Pool(1) as pool:
        return sum(made.x for made in pool.map(point, range(4)))

if __name__ == "__main__":
    with taskfarm.Farm(workers=1, pickle=True) as farm:
        print(farm.submit(abs, Mine(-3)).result(60))
        print(type(farm.submit(point, 3).result(60)) is Point, type(farm.submit(fail).exception(60)) is Wrong)
        print(farm.submit(by_a_farm, 4).result(60))
        print([farm.submit(by_a_pool, kind).result(60) for kind in ("fork", "spawn")])
"""


@pytest.mark.parametrize(
    "arguments", [["own.py"], ["-m", "own"], ["-m", "mine.own"]], ids=["script", "module", "package"]
)
def test_what_the_program_itself_defines_goes_to_workers_and_comes_back(tmp_path: Path, arguments: list[str]) -> None:
    (tmp_path / "mine").mkdir()
    for folder in (tmp_path, tmp_path / "mine"):
        (folder / "own.py").write_text(PROGRAM)
    assert run_python(*arguments, folder=tmp_path) == "3\nTrue True\n6\n[6, 6]\n"


def test_a_programs_folder_may_have_a_name_that_is_no_text(tmp_path: Path) -> None:
    folder = tmp_path / os.fsdecode(b"\xfcber \xff")
    folder.mkdir()
    (folder / "own.py").write_text(PROGRAM)
    assert run_python(str(folder / "own.py"), folder=tmp_path) == "3\nTrue True\n6\n[6, 6]\n"


def test_a_program_that_does_not_ask_for_its_name_is_told_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text(
        "import taskfarm\ndef half(x): return x / 2\n"
        "with taskfarm.Farm(workers=1, pickle=True) as farm: print(farm.submit(half, 3).result(60))\n"
    )
    last = run_python("own.py", folder=tmp_path).splitlines()[-1]
    assert last.startswith("RuntimeError: a farm is made while a worker loads ")
    assert last.endswith("if __name__ == '__main__':")


def test_a_worker_that_does_not_have_the_programs_module_does_calls_of_others(tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text(
        "import os, subprocess, sys, taskfarm\n"
        "if __name__ == '__main__':\n"
        f"    with taskfarm.Farm('unix://{tmp_path}/s', pickle=True) as farm:\n"
        "        command = [sys.executable, '-m', 'taskfarm.worker', farm.url, '--pickle']\n"
        "        with subprocess.Popen(command, cwd='/'):\n"
        "            print(farm.submit(abs, -3).result(60))\n"
        "            farm.shutdown()\n"
    )
    assert run_python("-m", "own", folder=tmp_path) == "3\n"


def test_tasks_have_the_paths_of_the_environment_and_not_those_of_the_farm(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another Python that a task starts would look for its library in that of this one."""
    for path in (None, "/nowhere/at/all"):
        monkeypatch.delenv("PYTHONPATH", raising=False)
        if path is not None:
            monkeypatch.setenv("PYTHONPATH", path)
        with taskfarm.Farm(workers=1, pickle=True) as farm:
            assert farm.submit(os.getenv, "PYTHONPATH").result(60) == path


READING = """\
import asyncio, sys, taskfarm
FACTOR = int(sys.argv[1])

def times(x):
    assert sys.argv[2:] == ["a", "b c"]
    return FACTOR * x

if __name__ == "__main__":
    with taskfarm.Farm(workers=1, pickle=True) as farm:
        print(list(farm.map(times, range(3))))
"""


def test_workers_have_the_arguments_of_the_program(tmp_path: Path) -> None:
    """A script may read them where it is loaded; there stood those of the worker."""
    (tmp_path / "own.py").write_text(READING)
    assert run_python("own.py", "7", "a", "b c", folder=tmp_path) == "[0, 7, 14]\n"
    assert run_python("-m", "own", "7", "a", "b c", folder=tmp_path) == "[0, 7, 14]\n"


def test_modules_are_found_where_the_program_finds_them_and_not_in_the_folder_where_it_is_started(
    tmp_path: Path,
) -> None:
    """A random.py of that folder was taken for the one of the library, and no worker could live."""
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "own.py").write_text(READING)
    for module in ("random", "json", "asyncio"):
        (tmp_path / f"{module}.py").write_text("raise ImportError('of another program')\n")
    assert run_python("own/own.py", "7", "a", "b c", folder=tmp_path) == "[0, 7, 14]\n"


def test_a_shell_has_the_modules_of_its_folder(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("def times(x):\n    return 7 * x\n")
    program = "import mine, taskfarm, os\nwith taskfarm.Farm(workers=1, pickle=True) as farm:\n"
    program += "    os.chdir('/')\n    print(farm.submit(mine.times, 2).result(60))\n"
    assert run_python("-c", program, folder=tmp_path) == "14\n"


def test_workers_have_the_options_of_the_programs_interpreter(tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text(
        "import sys, taskfarm\n"
        "def options():\n"
        "    return __debug__, sys.flags.dev_mode, 'error::UserWarning' in sys.warnoptions\n"
        "if __name__ == '__main__':\n"
        "    with taskfarm.Farm(workers=1, pickle=True) as farm:\n"
        "        print(farm.submit(options).result(60) == options(), *options())\n"
    )
    assert run_python("own.py", folder=tmp_path) == "True True False False\n"
    given = ("-O", "-X", "dev", "-W", "error::UserWarning", "own.py")
    assert run_python(*given, folder=tmp_path) == "True False True True\n"


IN_ANOTHER_INTERPRETER = """
import sys
import _xxsubinterpreters as interpreters
import taskfarm
from task_functions import square

with taskfarm.Farm(workers=1, pickle=True) as farm:
    waiting = [farm.submit(square, number) for number in range(4)]
    other = interpreters.create()
    try:
        interpreters.run_string(other, f"import sys; sys.path[:] = {sys.path}; import taskfarm")
    except interpreters.RunFailedError as refused:
        print(refused)
    interpreters.destroy(other)
    print([one.result(30) for one in waiting], farm.submit(square, 5).result(30))
"""


def test_a_sub_interpreter_is_refused_and_the_farms_of_the_main_one_go_on(tmp_path: Path) -> None:
    refused, results = run_python("-c", IN_ANOTHER_INTERPRETER, folder=tmp_path).splitlines()
    assert "ImportError" in refused
    assert "taskfarm works in the main interpreter alone" in refused
    assert results == "[0, 1, 4, 9] 25"
