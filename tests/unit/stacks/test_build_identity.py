"""Claims about the identity of a build: the same for the same files, another when a library or the environment is."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from msgauge.model import Origin, Stack
from msgauge.stacks.base.build_identity import describe_installation, find_changed, identify, names_libraries

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


def make_stack(folder: Path) -> Stack:
    """A stack in a prefix, with tools of its own."""
    for name in ("mpicxx", "mpiexec"):
        (folder / name).write_text("#!/bin/sh\n")
    return Stack(
        "openmpi",
        "1",
        Origin("prefix", str(folder)),
        (),
        str(folder / "mpicxx"),
        str(folder / "mpiexec"),
        (("A", "1"),),
    )


def test_an_installation_is_told_from_the_worker_that_is_compiled_by_it(tmp_path: Path) -> None:
    program, stack = compile_worker(tmp_path, 1), make_stack(tmp_path)
    noted = describe_installation(program, stack)
    assert [path for path, _ in noted] == [
        *(stack.compiler, stack.launcher, f"{tmp_path}/libanswer.so"),
        str(tmp_path),
    ], "what any program of the language loads is no part of it"
    assert names_libraries(noted, stack)
    (tmp_path / "main.c").write_text("int answer(void); int main(void) { return 1 + answer(); }\n")
    (tmp_path / "worker").unlink()
    os.system(f"cd {tmp_path} && gcc -o worker main.c -L. -lanswer -Wl,-rpath,'$ORIGIN'")
    assert describe_installation(program, stack) == noted
    compile_worker(tmp_path, 1)
    assert find_changed(noted) == [], "the same was installed once more"
    compile_worker(tmp_path, 2)
    assert find_changed(noted) == [f"{tmp_path}/libanswer.so", str(tmp_path)]
    (tmp_path / "mpiexec").unlink()
    assert stack.launcher in find_changed(noted)


def test_a_library_that_is_loaded_later_is_part_of_an_installation(tmp_path: Path) -> None:
    noted = describe_installation(compile_worker(tmp_path, 1), make_stack(tmp_path))
    (tmp_path / "transports").mkdir()
    (tmp_path / "transports" / "tcp.so").write_text("new")
    assert find_changed(noted) == [str(tmp_path)]


def test_what_comes_with_msgauge_and_the_compiler_of_the_system_are_no_installation(tmp_path: Path) -> None:
    program, stack = compile_worker(tmp_path, 1), make_stack(tmp_path)
    builtin, of_the_system = (
        Stack("tcp", "1", Origin("builtin"), compiler=stack.compiler),
        Stack("ucx", "1", Origin("system"), compiler=stack.compiler),
    )
    assert describe_installation(program, builtin) == ()
    assert stack.compiler not in dict(describe_installation(program, of_the_system))
    of_a_script = describe_installation(("python3", "worker.py"), stack)
    assert [path for path, _ in of_a_script] == [stack.compiler, stack.launcher]
    assert not names_libraries(of_a_script, stack)
