"""What workers cannot import goes by value: lambdas, and what shells, notebooks, `-c` and standard input define."""

from __future__ import annotations

import pickle
import shutil
import subprocess
import sys
import threading
from pathlib import Path
from types import SimpleNamespace

import dask
import pytest
from farms import run_python

import taskfarm
from taskfarm import calls, pickling

NOTEBOOK = """\
import taskfarm
class Point:
    def __init__(self, x): self.x = x
class Wrong(Exception): pass
factor = 2
def times(point): return Point(factor * point.x)
def fail(): raise Wrong(7)
def prepare(value): taskfarm.prepared = value
def prepared(): return taskfarm.prepared
with taskfarm.Farm(workers=1, pickle=True, initializer=prepare, initargs=(Point(5),)) as farm:
    made = farm.submit(times, Point(4)).result(60)
    print(type(made) is Point, made.x)
    factor = 3
    print([point.x for point in farm.map(times, map(Point, range(3)))])
    print(type(farm.submit(fail).exception(60)) is Wrong, farm.submit(prepared).result(60).x)
"""
SAID = "True 8\n[0, 3, 6]\nTrue 5\n"


@pytest.mark.parametrize("way", ["argument", "standard input", "shell", "package", "archive"])
def test_a_program_without_a_script_gets_what_it_defines_to_workers_and_back(tmp_path: Path, way: str) -> None:
    if way == "argument":
        said = run_python("-c", NOTEBOOK, folder=tmp_path)
    elif way == "standard input":
        said = run_python("-", given=NOTEBOOK, folder=tmp_path)
    elif way == "shell":
        lines = f"import sys; sys.ps1 = sys.ps2 = ''\nexec({NOTEBOOK!r})\n"
        said = run_python("-i", "-q", given=lines, folder=tmp_path).replace(">>> ", "")
    else:
        (tmp_path / "own").mkdir()
        (tmp_path / "own" / "__main__.py").write_text(NOTEBOOK)
        if way == "archive":
            subprocess.run([sys.executable, "-m", "zipapp", "own"], cwd=tmp_path, check=True, timeout=60)
        said = run_python(*(["-m", "own"] if way == "package" else ["own.pyz"]), folder=tmp_path)
    assert said.rstrip() == SAID.rstrip()


def test_lambdas_and_inner_functions_go_by_value_as_calls_arguments_and_results() -> None:
    def inner(value: int) -> int:
        return value + offset

    offset = 10
    with taskfarm.Farm(workers=1, pickle=True) as farm:
        assert list(farm.map(inner, range(3))) == [10, 11, 12]
        offset = 20
        assert farm.submit(inner, 1).result(60) == 21  # not what it held when it was sent first
        assert farm.submit(lambda f: f(1), lambda x: x + 1).result(60) == 2
        assert farm.submit(lambda: lambda: offset).result(60)() == 20


def test_what_holds_what_no_process_can_be_sent_says_so() -> None:
    lock = threading.Lock()
    with pytest.raises(TypeError, match=r"cannot be pickled: .*lock.*; make what it holds where it runs"):
        calls.encode_function(lambda: lock)


def test_a_worker_without_cloudpickle_says_that_it_wants_it(monkeypatch: pytest.MonkeyPatch) -> None:
    call = calls.encode_call(pickling.to_bytes(lambda: 7), ())
    made = calls.Calls(SimpleNamespace(context=lambda key: None, farms=1))
    assert pickle.loads(made(call)) == 7
    for name in [name for name in sys.modules if name.partition(".")[0] == "cloudpickle"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "cloudpickle", None)
    with pytest.raises(ModuleNotFoundError) as missing:
        made(call)
    assert "install cloudpickle where the workers run" in calls.encode_error(missing.value).decode(errors="replace")


def test_another_python_is_named_as_what_it_was_not_installed_for(tmp_path: Path) -> None:
    package = Path(taskfarm.__file__).parent
    shutil.copytree(package, tmp_path / "taskfarm", ignore=shutil.ignore_patterns("_core*", "__pycache__"))
    command = [sys.executable, "-S", "-m", "taskfarm.worker", "unix://@nobody"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 1
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    assert f"installed for another Python, not for {version}" in done.stderr


def test_without_cloudpickle_the_error_is_that_of_pickle(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cloudpickle", None)
    with pytest.raises(TypeError, match="install cloudpickle"):
        calls.encode_function(lambda: None)
    with pytest.raises(pickle.PicklingError, match="cloudpickle, which would send it, is not installed"):
        pickling.to_bytes("__main__", nameless=True)


def test_what_pickle_can_do_is_left_to_pickle() -> None:
    assert pickling.to_bytes(run_python) == pickle.dumps(run_python, pickle.HIGHEST_PROTOCOL)
    assert not pickling.is_by_value(pickling.to_bytes((run_python, {"a": [1, 2.0, b"c"]}), nameless=True))
    assert pickling.is_by_value(pickling.to_bytes(lambda: None))


def test_dask_computes_on_a_farm() -> None:
    total = dask.delayed(sum)([dask.delayed(pow)(value, 2) for value in range(50)])
    with taskfarm.Farm(workers=2, pickle=True) as farm:
        for scheduler in ("threads", "processes"):
            with dask.config.set(scheduler=scheduler, pool=farm):
                assert total.compute() == sum(value**2 for value in range(50))
        assert farm.stats()["delivered"] >= 50
