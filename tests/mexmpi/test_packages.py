"""Lines of programs that load a package, "pkg load mpi": compat's folders stand for it, and the user's lists stay as they are."""

# ruff: noqa: E501 (programs of Octave)

from __future__ import annotations

from pathlib import Path

import pytest
from mexmpi_jobs import TOOLBOX, Mpi

COMPAT = TOOLBOX / "compat"
ENTRY = "struct('name', '{}', 'version', '1.0', 'depends', {{{{}}}}, 'autoload', 0, 'dir', '{}', 'archprefix', '{}')"
END = "printf('rank is done\\n'); MPI_Finalize;"


def loaded(name: str, folder: str, before: str = "") -> str:
    """A program that puts a folder of compat on the path and loads a package of that name."""
    return f"mexmpi_use(); {before} addpath('{COMPAT / folder}'); pkg load {name}; assert(any(strcmp(pkg_names(), '{name}')));"


NAMES = "function names = pkg_names(), names = cellfun(@(p) p.name, pkg('list'), 'UniformOutput', false); end;"


@pytest.mark.parametrize(
    ("name", "folder", "check"),
    [
        ("mpi", "octave_mpi", "MPI_Init(); info = MPI_Barrier(MPI_Comm_Load('x')); assert(info == 0);"),
        ("openmpi_ext", "octave_mpi", "MPI_Init(); [r, info] = MPI_Comm_rank(MPI_COMM_WORLD); assert(info == 0);"),
        ("mpitb", "mpitb", "info = MPI_Init(); [info, n] = MPI_Comm_size(MPI_COMM_WORLD); assert(n == 2);"),
    ],
)
def test_the_package_is_this_folder(mpi: Mpi, name: str, folder: str, check: str) -> None:
    mpi.run_to_end(f"{NAMES} {loaded(name, folder)} {check} {END}")


@pytest.mark.parametrize("user", [0, 1000])
def test_packages_of_the_user_stay_and_their_lists_are_not_written(mpi: Mpi, tmp_path: Path, user: int) -> None:
    (tmp_path / "other").mkdir()
    (tmp_path / "geteuid.m").write_text(f"function id = geteuid()\n    id = {user};\nend\n")
    entry = ENTRY.format("other", tmp_path / "other", tmp_path / "other")
    for which in ("local", "global"):
        made = f"{which}_packages = {{{entry.replace('other', f'other_{which}', 1)}}}; save('-text', '{tmp_path}/{which}', '{which}_packages');"
        mpi.run_to_end(f"{made} printf('rank is done\\n');", ranks=1)
    written = {which: (tmp_path / which).read_bytes() for which in ("local", "global")}
    before = f"addpath('{tmp_path}'); pkg('local_list', '{tmp_path}/local'); pkg('global_list', '{tmp_path}/global');"
    kept = "global_list" if user == 0 else "local_list"
    check = f"assert(all(ismember({{'other_local', 'other_global'}}, pkg_names()))); assert(strcmp(pkg('{kept}'), '{tmp_path}/{kept[:-5]}'));"
    mpi.run_to_end(f"{NAMES} {loaded('mpi', 'octave_mpi', before)} {check} MPI_Init(); {END}", ranks=1)
    assert written == {which: (tmp_path / which).read_bytes() for which in ("local", "global")}


def test_an_installed_package_of_the_name_is_loaded(mpi: Mpi, tmp_path: Path) -> None:
    entry = ENTRY.format("mpi", tmp_path, tmp_path)
    before = f"local_packages = {{{entry}}}; save('-text', '{tmp_path}/list', 'local_packages'); pkg('local_list', '{tmp_path}/list');"
    check = f"assert(any(strcmp(strsplit(path(), pathsep()), '{tmp_path}')));"
    mpi.run_to_end(f"{NAMES} {loaded('mpi', 'octave_mpi', before)} {check} MPI_Init(); {END}", ranks=1)


def test_a_folder_of_builds_that_cannot_be_written_is_told(mpi: Mpi, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    program = f"mexmpi_use(); setenv('MEXMPI_BUILDS', '{tmp_path}/file/builds'); addpath('{COMPAT / 'octave_mpi'}');"
    output = mpi.run_to_end(f"{program} MPI_Init(); {END}", ranks=1).output
    assert "Leave out that line, or set MEXMPI_BUILDS" in output, output


def test_without_a_launcher_the_first_build_is_used(mpi: Mpi) -> None:
    """Named by nothing: no launcher, no MEXMPI_USE."""
    hidden = "for n = {'MEXMPI_USE', 'OMPI_COMM_WORLD_SIZE', 'PMI_SIZE', 'I_MPI_MPIRUN', 'OMPI_VERSION', 'PMIX_VERSION'}, unsetenv(n{1}); end;"
    mpi.run_to_end(f"{hidden} assert(~isempty(mexmpi_use())); printf('rank is done\\n');", ranks=1)
