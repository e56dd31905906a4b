"""What a Slurm allocation says of its hosts, what is refused of it, and how its agent is called."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from msgauge.errors import LaunchError, ToolError, UsageError
from msgauge.execution.supervisor import clean_environment
from msgauge.execution.wire_proof import check_crossing
from msgauge.lab import label
from msgauge.launchers import slurm
from msgauge.launchers.known_launchers import read_hosts
from msgauge.launchers.launcher import reason_against_job, unfit_reason
from msgauge.model import Command, HostSet, Reach
from msgauge.report.phrasing import describe_allocation, describe_hosts
from msgauge.slurm import slurm_access
from msgauge.stacks.base.family import LaunchOptions
from msgauge.stacks.mpich import FAMILY as MPICH
from msgauge.stacks.openmpi import FAMILY as OPENMPI

JOB = {"SLURM_JOB_ID": "7", "SLURM_JOB_NODELIST": "n[1-3]", "SLURM_TASKS_PER_NODE": "4(x2),2"}
TOOLS = {"hostnames": "n1\nn2\nn3\n", "--mpi=list": "MPI plugin types are...\n\tpmix\n\tnone\n\tpmi2\n"}


@pytest.fixture
def inside(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in JOB.items():
        monkeypatch.setenv(name, value)

    def say(argv: list[str], **_: object) -> str:
        return next(said for word, said in TOOLS.items() if word in argv)

    monkeypatch.setattr(slurm_access, "_say", say)
    monkeypatch.setattr(label, "LABEL", "/nowhere")


@pytest.mark.usefixtures("inside")
def test_inside_an_allocation_its_hosts_are_taken_without_a_word() -> None:
    hosts = read_hosts("")
    assert (hosts.asked, hosts.names, hosts.slots) == ("slurm", ("n1", "n2", "n3"), 2)
    assert not hosts.emulated and hosts.pmis == ()
    assert describe_allocation(hosts).startswith("inside Slurm job 7: ranks stand on its 3 hosts (n1, n2, n3)")
    assert "hosts slurm (Slurm job 7): 3 hosts, one rank" in describe_hosts(hosts, {})
    assert read_hosts("local") == HostSet()
    assert read_hosts("slurm", "core").layout(5) == ("n1", "n1", "n2", "n2", "n3")


@pytest.mark.usefixtures("inside")
def test_what_cannot_run_inside_a_job_is_refused_with_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SLURMD_NODENAME", "n1")
    assert reason_against_job(read_hosts(""), "", daemon=True) == ""
    assert "whose job this is not" in reason_against_job(read_hosts(""), "nobody", daemon=True)
    monkeypatch.setenv("SLURMD_NODENAME", "login")
    assert "need msgauge on n1" in reason_against_job(read_hosts(""), "", daemon=True)
    assert reason_against_job(read_hosts(""), "", daemon=False) == ""
    assert reason_against_job(HostSet(), "nobody", daemon=True) == ""


@pytest.mark.usefixtures("inside")
def test_the_pmis_are_those_that_srun_has() -> None:
    assert read_hosts("slurm:srun").pmis == ("pmix", "pmi2")
    assert read_hosts("slurm:pmi2").pmis == ("pmi2",)
    with pytest.raises(UsageError, match="slurm:cray") as refusal:
        read_hosts("slurm:cray")
    assert "slurm:pmix, slurm:pmi2" in refusal.value.remedy


@pytest.fixture
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder on the path, for programs in the place of Slurm's, inside of a job."""
    for name, value in JOB.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    return tmp_path


def put(file: Path, script: str) -> None:
    file.write_text(f"#!/bin/sh\n{script}\n")
    file.chmod(0o755)


def test_what_scontrol_remarks_beside_its_answer_names_no_host(tools: Path) -> None:
    put(tools / "scontrol", "echo n1; echo n2; echo old configuration >&2")
    assert slurm_access.find_allocation().hosts == ("n1", "n2")


@pytest.mark.parametrize(
    ("script", "says"),
    [
        ("printf 'n\\3771\\n'", "cannot read the hosts of Slurm job 7"),
        ("printf 'ung\\374ltig\\n' >&2; exit 1", "scontrol show hostnames .* ended with 1: ung.ltig"),
        ("exec sleep 60", r"scontrol show hostnames n\[1-3\] does not answer within"),
    ],
)
def test_tools_of_slurm_that_say_anything_or_nothing_are_refused_with_a_remedy(
    script: str, says: str, tools: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(slurm_access, "_ASK_S", 1.0)
    put(tools / "scontrol", script)
    with pytest.raises((UsageError, ToolError), match=says) as refusal:
        slurm_access.find_allocation()
    assert refusal.value.remedy and "PATH" not in refusal.value.remedy


def test_processors_of_hosts_are_counted_whatever_openmp_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def count() -> str:
        probe = subprocess.run(["/bin/sh", "-c", slurm_access._PROBE], capture_output=True, text=True, check=True)
        return probe.stdout.split()[1]

    for name in ("OMP_NUM_THREADS", "OMP_THREAD_LIMIT"):
        monkeypatch.delenv(name, raising=False)
    all_of_them = count()
    monkeypatch.setenv("OMP_NUM_THREADS", str(int(all_of_them) + 1))
    monkeypatch.setenv("OMP_THREAD_LIMIT", str(int(all_of_them) + 2))
    assert count() == all_of_them


def test_outside_of_an_allocation_it_is_refused_with_the_way_into_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SLURM_JOB_ID", raising=False)
    for words in ("slurm", "slurm:srun", "slurm:nosuchpmi"):  # srun is asked inside of one alone
        with pytest.raises(UsageError, match="no allocation") as refusal:
            read_hosts(words)
        assert "salloc" in refusal.value.remedy
    assert read_hosts("") == HostSet()


def test_an_allocation_of_this_host_alone_is_no_reason_to_leave_it(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {**JOB, "SLURMD_NODENAME": "n1"}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(slurm_access, "_say", lambda _: "n1\n")
    assert read_hosts("") == HostSet()
    assert read_hosts("slurm").names == ("n1",)


@given(job=st.text(max_size=12), nodes=st.text(max_size=30), said=st.text(max_size=30))
@example(job="7", nodes="n1;reboot", said="n1")
@example(job="7", nodes="n[1-2]", said="n1\n$(reboot)")
@example(job="7", nodes="n[1-2]", said="n1\n-oProxyCommand=reboot")
@example(job="7 --uid=0", nodes="n1", said="n1")
@example(job="٧", nodes="n1", said="<script>")
def test_no_variable_brings_more_than_plain_host_names(job: str, nodes: str, said: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(slurm_access, "_say", lambda _: said)
        try:
            found = slurm_access.find_allocation({"SLURM_JOB_ID": job, "SLURM_JOB_NODELIST": nodes})
        except UsageError:
            return
    allowed = set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-")
    assert found.job.isascii() and found.job.isdigit()
    assert all(set(name) <= allowed and name[0].isalnum() for name in found.hosts)


@pytest.mark.parametrize(
    ("speaks", "pmis", "reason"),
    [
        ((), ("pmi2",), "speaks no PMI"),
        (("pmix",), ("pmi2",), "speaks pmix, and is to be started by pmi2: each process would be rank 0 of 1"),
        (("pmi2",), ("pmix", "pmi2"), ""),
        (("pmix",), (), ""),
    ],
)
def test_a_stack_that_speaks_another_pmi_is_refused(
    speaks: tuple[str, ...], pmis: tuple[str, ...], reason: str
) -> None:
    found = unfit_reason(frozenset({"rsh agent"}), slurm.LAUNCHER, speaks, pmis)
    assert reason in found and bool(found) == bool(reason)


def test_ranks_are_started_by_the_pmi_that_the_library_speaks() -> None:
    hosts = HostSet(names=("n1", "n2"), pmis=("pmix", "pmi2"), launcher="slurm")
    start = ("srun", "--mpi={pmi}", "-n", "{ranks}", "-w", "{layout}")
    options = LaunchOptions(4, 8, Path("/work"), reach=Reach(hosts, start=start, interface="eth0"))
    for family, pmi in ((MPICH, "pmi2"), (OPENMPI, "pmix")):
        command = family.launch_command(_stack(family.name), ("worker", "{x}"), options)
        assert command.argv == ("srun", f"--mpi={pmi}", "-n", "4", "-w", "n1,n2,n1,n2", "worker", "{x}")
    assert ("OMPI_MCA_btl_tcp_if_include", "eth0") in command.environment


def _stack(family: str) -> object:
    from msgauge.model import Origin, Stack

    return Stack(family=family, version="5.0", origin=Origin("system", "/usr"), compiler="mpicc", launcher="mpiexec")


@pytest.mark.parametrize(
    ("words", "host", "command"),
    [
        (["n2", "echo", "a b;", "c"], "n2", "echo a b; c"),
        (["-x", "-o", "BatchMode=yes", "me@n2", "-n", "-l", "me", "true"], "n2", "true"),
        (["n2", "--", "-odd"], "n2", "-odd"),
    ],
)
def test_the_agent_is_called_as_rsh_is(tmp_path: Path, words: list[str], host: str, command: str) -> None:
    done = _call_agent(tmp_path, words)
    assert done.returncode == 0, done.stderr
    said = done.stdout.splitlines()
    assert said[said.index("-w") + 1] == host and said[-1] == command


@pytest.mark.parametrize("words", [[], ["n1"], ["n1;reboot", "true"], ["$(reboot)", "true"], ["-x", "n1"]])
def test_an_agent_that_is_asked_wrongly_starts_nothing(tmp_path: Path, words: list[str]) -> None:
    done = _call_agent(tmp_path, words)
    assert done.returncode == 255 and not done.stdout and done.stderr.startswith("rsh: ")


def _call_agent(folder: Path, words: list[str]) -> subprocess.CompletedProcess[str]:
    """With a srun that says what it is called with."""
    srun = folder / "srun"
    srun.write_text('#!/bin/sh\nprintf "%s\\n" "$@"\n')
    srun.chmod(0o755)
    agent = folder / "rsh"
    agent.write_text(slurm_access.AGENT.replace("@SRUN@", str(srun)))
    agent.chmod(0o755)
    return subprocess.run([str(agent), *words], capture_output=True, text=True, timeout=20, check=False)


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ("n1 4 BOOT - 0 emulated", "take hosts of one kind"),
        ("other 4 BOOT - 0 real", "calls itself other"),
        ("n1 bash: no such file", "gives no sense"),
    ],
)
def test_hosts_that_are_not_what_the_plan_takes_them_for_are_refused(said: str, reason: str) -> None:
    hosts = HostSet(names=("n1",), launcher="slurm")
    with pytest.raises(LaunchError, match=reason):
        slurm_access.read_probes(hosts, {"n1": [said]})


def test_hosts_of_one_kernel_have_one_clock_and_others_have_not() -> None:
    boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    space = Path("/proc/self/ns/time").readlink()
    hosts = HostSet(names=("n1", "n2", "n3"), launcher="slurm")
    said = {"n1": [f"n1 4 {boot} {space} 0 real"], "n2": [f"n2 8 {boot} time:[1] 2 real"], "n3": ["n3 8 else - 0 real"]}
    found = slurm_access.read_probes(hosts, said)
    assert [one.same_clock for one in found.values()] == [True, False, False]
    assert [one.fabric for one in found.values()] == [False, True, False]


def test_launchers_find_nothing_of_the_allocation_in_their_environment() -> None:
    given = {**JOB, "SLURMD_NODENAME": "n1", "SRUN_DEBUG": "3", "PMI_RANK": "0", "HOME": "/root"}
    assert clean_environment(Command(("true",)), given, ()) == {"HOME": "/root", "LC_ALL": "C"}


def test_bytes_that_no_interface_counts_prove_nothing() -> None:
    frames = [(("rank", str(rank)), ("large_moved", "1000"), ("large_wire_received", "5")) for rank in (0, 1)]
    layout, hosts = ("n1", "n2"), HostSet(names=("n1", "n2"))
    assert "past the wire" in check_crossing(layout, frames, Reach(hosts))
    assert check_crossing(layout, frames, Reach(hosts, uncounted=True)) == ""
