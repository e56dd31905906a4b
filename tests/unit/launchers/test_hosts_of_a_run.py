"""Which hosts a run asks for, where its ranks stand, and which stacks cannot go there."""

from __future__ import annotations

import re
import socket
from pathlib import Path

import pytest
from attrs import evolve
from hypothesis import example, given
from hypothesis import strategies as st

from msgauge.commands import map
from msgauge.discovery.registry import select
from msgauge.errors import StoreError, UsageError
from msgauge.frontend.study_options import StudyOptions
from msgauge.lab import label
from msgauge.launchers.known_launchers import LAUNCHERS, launcher_of, read_hosts
from msgauge.launchers.launcher import unfit_reason
from msgauge.model import RSH_AGENT, HostSet, Origin, Stack, serialization
from msgauge.model.factors import pairs
from msgauge.pipeline import deal_ranks, offer_of
from msgauge.stacks.base.families import families


def test_hosts_are_read_from_words() -> None:
    hosts = read_hosts("lab:3x2@gigabit", "core")
    assert (hosts.names, hosts.slots, hosts.map, hosts.emulated) == (("n1", "n2", "n3"), 2, "core", True)
    assert hosts.network == "emulated gigabit (1 Gbit/s, latency 20.0 µs)"
    assert read_hosts("") == HostSet()


def test_from_a_host_of_a_lab_ssh_reaches_emulated_hosts_and_pairs_of_a_map_follow_each_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was known only after the plan was made: in rounds, pairs were measured on processors that they share."""

    def list_schedules() -> set[tuple[str, ...]]:
        fitted = map._fit("", "", StudyOptions(hosts="n1,n2,n3"))
        return {dict(one.options)["schedule"] for one in fitted.measures} & {("sequence",), ("rounds",)}

    monkeypatch.setattr(label, "LABEL", str(tmp_path / "label"))
    assert not read_hosts("n1,n2").emulated and list_schedules() == {("rounds",)}
    (tmp_path / "label").write_text('{"lab": "course", "network": "emulated gigabit"}')
    assert (read_hosts("n1,n2").emulated, read_hosts("n1,n2").network) == (True, "emulated gigabit")
    assert list_schedules() == {("sequence",)}


def test_ranks_are_dealt_to_hosts_in_turn_or_fill_them() -> None:
    assert read_hosts("lab:3").layout(4) == ("n1", "n2", "n3", "n1")
    assert read_hosts("lab:3x2", "core").layout(7) == ("n1", "n1", "n2", "n2", "n3", "n3", "n1")
    assert HostSet().layout(4) == ()


def test_the_place_of_ranks_is_told_with_the_hosts_that_they_use() -> None:
    assert read_hosts("lab:4@gigabit").place(2) == "on 2 emulated hosts"
    assert HostSet().place(2) == ""
    assert read_hosts("lab:2x2", "core").place(4) == "on 2 emulated hosts, 2 ranks on each"
    assert read_hosts("lab:2x3", "core").place(4) == "on 2 emulated hosts, 1 to 3 ranks on each"
    assert read_hosts("lab:2x2", "core").place(2) == "on 1 emulated host"


@pytest.mark.parametrize(
    ("name", "variable", "content"),
    [
        ("pbs", "PBS_NODEFILE", "m1\nm1\nm2\nm2\n"),
        ("oge", "PE_HOSTFILE", "m1 2 all.q@m1 UNDEFINED\nm2 2 all.q@m2 UNDEFINED\n"),
        ("lsf", "LSB_DJOB_HOSTFILE", "m1\nm1\nm2\nm2\n"),
    ],
)
def test_a_job_of_a_scheduler_names_its_hosts(
    name: str, variable: str, content: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the dialect that each is documented to write; they are reached by ssh."""
    (tmp_path / "hosts").write_text(content)
    monkeypatch.setenv(variable, str(tmp_path / "hosts"))
    found = read_hosts("", "core")
    assert (found.launcher, found.asked, found.slots) == ("ssh", "ssh:m1:2,m2:2", 2) and found == read_hosts(
        name, "core"
    )
    assert read_hosts("local").names == ()
    with pytest.raises(UsageError, match="takes no words"):
        read_hosts(f"{name}:m1")
    (tmp_path / "hosts").write_text(f"{socket.gethostname()}\n")
    assert read_hosts("") == HostSet(), "a job of this computer alone changes nothing"
    monkeypatch.delenv(variable)
    with pytest.raises(UsageError, match=f"{variable} is not set"):
        read_hosts(name)


@pytest.mark.parametrize(
    "words",
    [
        "lab",
        "lab:",
        "lab:0",
        "lab:501",
        "lab:4@",
        "lab:4@nowhere",
        "lab:4x0",
        "lba:4",
        "labs:4@gigabit",
        "ssh",
        "ssh:",
        "n1,-oX",
        "lab:-1",
        "local:x",
    ],
)
def test_hosts_that_make_no_sense_are_refused_before_anything_starts(words: str) -> None:
    with pytest.raises(UsageError):
        read_hosts(words)


def test_an_unknown_way_of_dealing_out_is_refused() -> None:
    with pytest.raises(UsageError, match="--map node or --map core"):
        read_hosts("lab:2", "socket")


@given(st.text(max_size=60))
@example("lab:4@gigabit;reboot")
@example("lab:$(reboot)")
@example("lab:<script>")
@example("lab:4\n@gigabit")
@example("lab:../../etc")
@example("lab:٤")
def test_no_words_bring_more_than_plain_host_names(text: str) -> None:
    """Host names become words of shells and of pages: whatever is read has letters, digits and few signs."""
    for words in (text, f"lab:{text}"):
        try:
            hosts = read_hosts(words)
        except UsageError:
            continue
        assert all(re.fullmatch(r"[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?", name, re.ASCII) for name in hosts.names)
        assert re.fullmatch(r"[A-Za-z0-9:@,._-]*", hosts.asked, re.ASCII)


def test_a_stack_that_cannot_leave_its_computer_is_refused_with_the_reason() -> None:
    lab = LAUNCHERS["lab"]
    assert unfit_reason(None, lab) == "its ranks cannot leave the computer that they are started on"
    assert unfit_reason(frozenset({"pmi2"}), lab) == "it needs pmi2, which the launcher lab does not offer"
    assert unfit_reason(frozenset({RSH_AGENT}), lab) == ""
    assert unfit_reason(None, LAUNCHERS["local"]) == ""


@pytest.mark.parametrize(
    ("spec", "reason"),
    [
        ("taskfarm[tcp]", "takes TLS alone: taskfarm[tls]"),
        ("taskfarm[tls]", ""),
        ("filempi", "take filempi[protocol=file]"),
        ("filempi[protocol=classic]", ""),
        ("openmpi[shm]", "go through shared memory, which ends at one computer"),
        ("openmpi[tcp]", ""),
        ("zeromq[ipc]", "Unix sockets, which end at one computer"),
        ("zeromq", ""),
        ("mpi4py[shm]", "shared memory"),
        ("mpi4py", ""),
    ],
)
def test_variants_that_end_at_one_computer_are_refused_between_hosts_alone(spec: str, reason: str) -> None:
    name, _, word = spec.rstrip("]").partition("[")
    family = families()[name]
    axes = (("library", "openmpi"), ("version", "5"), ("transport", "shm"))
    plain = Stack(name, "5", Origin("system"), environment=(("FILEMPI_TRANSPORT", "stream"),), axes=axes)
    stack = family.with_variant(plain, (word,)) if word else plain
    between, within = read_hosts("n1,n2"), read_hosts("n1:4")
    if not reason:
        assert offer_of(stack, between).confined == ""
    else:
        assert reason in offer_of(stack, between).confined
    assert offer_of(stack, within).confined == ""


def test_a_stack_may_have_a_placement_of_its_own() -> None:
    hosts = evolve(read_hosts("lab:2x2"), maps=(("tcp@1[map=core]", "core"),))
    assert hosts.of("tcp@1").layout(4) == ("n1", "n2", "n1", "n2")
    assert hosts.of("tcp@1[map=core]").layout(4) == ("n1", "n1", "n2", "n2")
    (stack,) = select([Stack("tcp", "1", Origin("builtin"))], ["tcp[map=core]"])
    assert (stack.map, stack.spec, stack.family_words) == ("core", "tcp@1[map=core]", ())
    assert pairs([evolve(stack, variant=()), stack], "map") == ((evolve(stack, variant=()), stack),)
    again = serialization.from_plain(serialization.to_plain(hosts), HostSet, where="plan.json")
    assert again == hosts


def test_a_placement_without_hosts_is_refused() -> None:
    stack = Stack("tcp", "1", Origin("builtin"), variant=("map=core",))
    with pytest.raises(UsageError, match="this run has none"):
        deal_ranks([stack], HostSet())
    assert deal_ranks([stack], read_hosts("n1,n2")).maps == (("tcp@1[map=core]", "core"),)


def test_files_are_refused_where_the_hosts_are_emulated_and_share_a_disk() -> None:
    needs = families()["filempi"].needs
    assert "a folder that hosts share over their network" in unfit_reason(needs, LAUNCHERS["lab"])
    assert unfit_reason(needs, LAUNCHERS["ssh"]) == unfit_reason(needs, LAUNCHERS["slurm"]) == ""


def test_a_run_folder_knows_its_hosts_again() -> None:
    hosts = read_hosts("lab:3x2@gigabit", "core")
    again = serialization.from_plain(serialization.to_plain(hosts), HostSet, where="plan.json")
    assert again == hosts and launcher_of(again) is LAUNCHERS["lab"]
    with pytest.raises(UsageError):
        launcher_of(HostSet(launcher="elsewhere"))


def test_a_plan_whose_hosts_take_ranks_that_no_host_has_is_not_read() -> None:
    plain = serialization.to_plain(HostSet(names=("n1", "n2", "n3"), takes=(1, 2, 3), map="core"))
    assert serialization.from_plain(plain, HostSet, where="plan.json").layout(6)[-1] == "n3"
    with pytest.raises(StoreError, match="not a readable HostSet") as refusal:
        serialization.from_plain({**plain, "takes": [1, 2]}, HostSet, where="plan.json")
    assert refusal.value.remedy
