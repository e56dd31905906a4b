"""Claims about the identity of a build: the same for the same files, another when a library or the environment is."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from msgauge.stacks.base.build_identity import identify

pytestmark = pytest.mark.skipif(not (shutil.which("gcc") and shutil.which("ldd")), reason="needs gcc and ldd")


def compile_worker(folder: Path, answer: int) -> tuple[str, ...]:
    """A program and the library that it loads, which gives this answer."""
    folder.mkdir(exist_ok=True)
    (folder / "library.c").write_text(f"int answer(void) {{ return {answer}; }}\n")
    (folder / "main.c").write_text("int answer(void); int main(void) { return answer(); }\n")
    os.system(f"cd {folder} && gcc -shared -fPIC -o libanswer.so library.c")
    if not (folder / "worker").exists():
        os.system(f"cd {folder} && gcc -o worker main.c -L. -lanswer -Wl,-rpath,'$ORIGIN'")
    return (str(folder / "worker"),)


def test_a_library_that_is_rebuilt_is_another_build_though_the_worker_stays(tmp_path: Path) -> None:
    first = identify(compile_worker(tmp_path, 1), ())
    assert first
    assert first == identify((str(tmp_path / "worker"),), ())
    assert identify(compile_worker(tmp_path, 2), ()) != first


def test_the_environment_is_part_of_it_and_a_script_has_none(tmp_path: Path) -> None:
    program = compile_worker(tmp_path, 1)
    assert identify(program, (("A", "1"),)) != identify(program, (("A", "2"),))
    script = tmp_path / "worker.py"
    script.write_text("print()\n")
    assert identify(("python3", str(script)), ()) == identify((str(script),), ()) == identify((), ()) == ""
