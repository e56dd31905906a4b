"""What is installed can be used: the library in a prefix, by CMake and pkg-config; the wheel in a fresh environment."""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from farms import BUILD, LIBRARY

PLAIN = """\
#include <stdio.h>
#include <taskfarm.h>
int main(void) {
  tf_farm *farm = NULL;
  tf_result result;
  size_t count = 0;
  tf_task_options too_short = {0, 50};
  tf_statistics statistics;
  tf_farm_options_init(NULL);
  tf_worker_options_init(NULL);
  if (tf_listen("unix://@taskfarm-test-prefix", NULL, &farm) != TF_OK) return 1;
  if (tf_submit(farm, "x", 1, NULL, 0, NULL) != TF_OK || tf_cancel(farm, 1, 1) != TF_OK) return 2;
  if (tf_next(farm, &result, 1, 1000, &count) != TF_OK || count != 1) return 3;
  if (tf_submit(farm, "x", 1, &too_short, 0, NULL) != TF_INVALID) return 4; /* the deadline would be overlooked */
  if (tf_stats(farm, &statistics) != TF_OK || statistics.submitted != 1) return 5;
  printf("%u.%u %d\\n", TF_VERSION_MAJOR, TF_VERSION_MINOR, result.status);
  return tf_close(farm, 0);
}
"""
PROJECT = """\
cmake_minimum_required(VERSION 3.18)
project(user LANGUAGES CXX)
find_package(taskfarm 1.0 REQUIRED)
add_executable(squares squares.cpp)
target_link_libraries(squares PRIVATE taskfarm::taskfarm)
"""

FETCHING = f"""\
cmake_minimum_required(VERSION 3.18)
project(user LANGUAGES C CXX)
include(FetchContent)
FetchContent_Declare(taskfarm SOURCE_DIR {LIBRARY})
FetchContent_MakeAvailable(taskfarm)
add_library(core STATIC core.c)
add_executable(plain plain.c)
target_link_libraries(plain PRIVATE core taskfarm::taskfarm)
"""


def call(*command: str | Path, **settings: str) -> str:
    """The output of a command that must succeed, in the environment of this process without Python's paths."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    done = subprocess.run(
        list(map(str, command)),
        env={**environment, **settings},
        capture_output=True,
        text=True,
        check=False,
        timeout=280,
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return done.stdout


def fresh_environment(folder: Path, wheel: Path) -> Path:
    """The interpreter of a new environment that holds a wheel: by uv, or where there is none by venv and its pip."""
    python = folder / "bin" / "python"
    uv = shutil.which("uv", path=f"{os.environ['PATH']}:{LIBRARY.parent / '.tools' / 'bin'}")
    if uv is not None:
        call(uv, "venv", "--python", sys.executable, folder)
        call(uv, "pip", "install", "--offline", "--no-deps", "--python", python, wheel)
    else:
        call(sys.executable, "-m", "venv", folder)
        call(python, "-m", "pip", "install", "--no-index", "--no-deps", wheel)
    return python


@pytest.fixture(scope="module")
def prefix(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The library as `cmake --install` leaves it, moved afterwards: nothing there may know where it was."""
    first, moved = (tmp_path_factory.mktemp("installed") / name for name in ("first", "moved"))
    call("cmake", "--install", BUILD, "--prefix", first)
    first.rename(moved)
    return moved


def test_the_library_alone_is_installed(prefix: Path) -> None:
    found = {path.name for path in prefix.rglob("*") if not path.is_dir()}
    libraries = {"libtaskfarm.so", "libtaskfarm.so.1", "libtaskfarm.so.1.0.0"}
    packages = {"taskfarm-config.cmake", "taskfarm-config-version.cmake", "taskfarm.pc"}
    expected = {"taskfarm.h", "taskfarm.hpp", "LICENSE"} | libraries | packages
    assert {name for name in found if not re.fullmatch("taskfarm-config-[a-z]+.cmake", name)} | packages == expected
    assert len(found) == len(expected) + 1  # a file of the package for the kind of build
    (licence,) = prefix.rglob("LICENSE")
    assert licence.read_text() == (LIBRARY / "LICENSE").read_text() == (LIBRARY.parent / "LICENSE").read_text()


@pytest.mark.parametrize("standard", ["c90", "c99", "c11"])
def test_a_program_in_c_finds_it_by_pkg_config(prefix: Path, tmp_path: Path, standard: str) -> None:
    source, program = tmp_path / "plain.c", tmp_path / "plain"
    source.write_text(PLAIN)
    (folder,) = prefix.rglob("pkgconfig")
    flags = call("pkg-config", "--cflags", "--libs", "taskfarm", PKG_CONFIG_PATH=str(folder)).split()
    call("gcc", f"-std={standard}", "-Wall", "-Wextra", "-Werror", "-pedantic", source, "-o", program, *flags)
    assert call(program, LD_LIBRARY_PATH=str(folder.parent)) == "1.0 3\n"


@pytest.mark.parametrize("standard", ["c++11", "c++17"])
def test_older_cpp_is_told_which_one_the_wrapper_needs_and_has_the_c_interface(tmp_path: Path, standard: str) -> None:
    source = tmp_path / "program.cpp"
    command = ["g++", f"-std={standard}", "-fsyntax-only", f"-I{LIBRARY / 'include'}", str(source)]
    source.write_text("#include <taskfarm.hpp>\n")
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "compile with -std=c++20" in next(line for line in done.stderr.splitlines() if "error" in line)
    source.write_text("#include <taskfarm.h>\nint main() { return tf_leave(nullptr); }\n")
    call(*command, "-Wall", "-Wextra", "-Werror", "-pedantic")


def test_the_library_stays_where_it_is_when_a_program_unloads_it() -> None:
    """A thread of it may be looking a name up, and nobody waits for that one."""
    program = (
        "import _ctypes, ctypes, sys; library = ctypes.CDLL(sys.argv[1]);"
        "library.tf_code_name.restype = ctypes.c_char_p; name = library.tf_code_name; _ctypes.dlclose(library._handle);"
        "print(name(2).decode())"
    )
    assert call(sys.executable, "-c", program, BUILD / "libtaskfarm.so") == "timeout\n"


def test_a_program_in_cpp_finds_it_by_cmake(prefix: Path, tmp_path: Path) -> None:
    (tmp_path / "CMakeLists.txt").write_text(PROJECT)
    shutil.copy(LIBRARY / "examples" / "squares.cpp", tmp_path)
    call("cmake", "-S", tmp_path, "-B", tmp_path / "build", f"-DCMAKE_PREFIX_PATH={prefix}")
    call("cmake", "--build", tmp_path / "build")
    program, url = tmp_path / "build" / "squares", "unix://@taskfarm-test-installed"
    with subprocess.Popen([program, url, "worker"]) as worker:
        assert call(program, url) == "sum of squares: 328350\n"
        assert worker.wait(20) == 0
    with pytest.raises(AssertionError, match="version"):
        (tmp_path / "CMakeLists.txt").write_text(PROJECT.replace("taskfarm 1.0", "taskfarm 2.0"))
        call("cmake", "-S", tmp_path, "-B", tmp_path / "other", f"-DCMAKE_PREFIX_PATH={prefix}")


def test_a_project_takes_it_in_by_fetchcontent_beside_targets_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "CMakeLists.txt").write_text(FETCHING)
    (tmp_path / "plain.c").write_text(PLAIN.replace("test-prefix", "test-fetched"))
    (tmp_path / "core.c").write_text("int nothing;\n")
    call("cmake", "-S", tmp_path, "-B", tmp_path / "build", "-DCMAKE_BUILD_TYPE=Debug")
    assert "unit" not in call("cmake", "--build", tmp_path / "build", "--target", "help")
    call("cmake", "--build", tmp_path / "build", "--target", "plain")
    assert call(tmp_path / "build" / "plain") == "1.0 3\n"


def test_the_wheel_works_in_a_fresh_environment(tmp_path: Path) -> None:
    """Built without isolation, installed without an index; then the ten lines of the tutorial, and the commands."""
    with (LIBRARY / ".building").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        call("make", "-C", LIBRARY, "wheel", f"PYTHON={sys.executable}", f"WHEELS={tmp_path}")
    (wheel,) = tmp_path.glob("taskfarm-*.whl")
    python = fresh_environment(tmp_path / "fresh", wheel)
    assert call(python, "-c", "import taskfarm; print(taskfarm.__file__)").startswith(str(tmp_path / "fresh"))
    assert call(python, LIBRARY / "examples" / "estimate_pi.py").startswith("pi is about 3.1")
    taskfarm = tmp_path / "fresh" / "bin" / "taskfarm"
    assert call(taskfarm, "key", tmp_path / "key").startswith(f"{tmp_path}/key: a new key")
    assert "tcp://h:1" in call(taskfarm, "workers", "tcp://h:1", "--pickle", "-n", "1", "--show")
