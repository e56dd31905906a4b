"""Exported text means to the simulator what the model says; SMPI itself is asked where it is installed."""

from __future__ import annotations

import shutil
import subprocess
import xml.etree.ElementTree as tree

import numpy as np
import pytest
from attrs import evolve

from msgauge.errors import UsageError
from msgauge.models.estimate import ParameterEstimate
from msgauge.models.export import loggopsim, simgrid
from msgauge.models.loggp import CostLaw, LogGP, ReceiveData, Segment, TrainData, fit_loggp
from msgauge.models.predict import pingpong_ns


def segment(first, last, latency, big_g, o_s_per_byte=0.0):
    """Overheads of 300 and 400 ns, g of 700 ns."""

    def law(at_one, per_byte):
        return CostLaw(ParameterEstimate(at_one), ParameterEstimate(per_byte))

    return Segment(
        first_bytes=first,
        last_bytes=last,
        send=law(300.0, o_s_per_byte),
        receive=law(400.0, 0.0),
        gap=law(700.0, big_g),
        half_round_trip=law(700.0 + latency, big_g + o_s_per_byte),
        latency=ParameterEstimate(latency),
        latency_per_byte=ParameterEstimate(0.0),
    )


MODEL = LogGP(
    (segment(1, 4096, 1500.0, 0.8, 0.05), segment(4097, 32768, 2500.0, 0.5), segment(40000, 10**6, 4000, 0.3))
)
SIZES = (1, 8, 1000, 4096, 4097, 32768, 32769, 65536, 10**6)


def smpi_half_round_trip_ns(exported, size):
    """SMPI's law, written down from its behaviour, read from the exported text alone."""
    cluster = tree.fromstring(exported.platform).find("cluster")
    options = dict(option.removeprefix("--cfg=").split(":", 1) for option in exported.options)

    def entry(name, key):
        fields = [tuple(map(float, one.split(":"))) for one in options[name].split(";")]
        return [values for threshold, *values in fields if key > threshold or threshold == 0][-1]

    latency = 2 * float(cluster.get("lat").removesuffix("s")) * entry("smpi/lat-factor", size + 16)[0]
    bandwidth = float(cluster.get("bw").removesuffix("Bps")) * entry("smpi/bw-factor", size + 16)[0]
    time = latency + (size + 16) / bandwidth
    if size < float(options["smpi/send-is-detached-thresh"]):
        time += sum(
            constant + per_byte * size for constant, per_byte in (entry(f"smpi/{o}", size) for o in ("os", "or"))
        )
    return time * 1e9


@pytest.mark.parametrize("limit", [None, 4096, 32768])
@pytest.mark.parametrize("size", SIZES)
def test_smpi_options_give_the_half_round_trip_of_the_model(size, limit):
    assert smpi_half_round_trip_ns(simgrid(MODEL, 2, limit), size) == pytest.approx(pingpong_ns(MODEL, size), rel=1e-6)


def test_the_platform_has_the_hosts_that_the_hostfile_names():
    exported = simgrid(MODEL, 5)
    assert exported.hostfile.split() == [f"node-{i}" for i in range(5)]
    assert tree.fromstring(exported.platform).find("cluster").get("radical") == "0-4"


def test_a_segment_whose_latency_overlaps_keeps_its_half_round_trip_and_says_so():
    overlapped = evolve(MODEL.segments[0], latency=ParameterEstimate(-50.0, reason="not identifiable: overlap"))
    exported = simgrid(LogGP((overlapped,)), 2)
    assert "overlap" in exported.notes[0]
    assert smpi_half_round_trip_ns(exported, 1000) == pytest.approx(700 + 1500 + 999 * 0.85, rel=1e-6)


def test_a_latency_shorter_than_the_header_takes_has_the_overheads_in_it():
    exported = simgrid(LogGP((segment(1, 64, 5.0, 0.8),)), 2)
    assert "less than nothing" in exported.notes[0]
    assert smpi_half_round_trip_ns(exported, 8) == pytest.approx(700 + 5 + 7 * 0.8, rel=1e-6)


def test_a_half_round_trip_shorter_than_the_header_takes_is_noted():
    short = CostLaw(ParameterEstimate(5.0), ParameterEstimate(0.8))
    overlapped = evolve(MODEL.segments[0], latency=ParameterEstimate(-50.0, reason="overlap"), half_round_trip=short)
    assert "too long" in simgrid(LogGP((overlapped,)), 2).notes[-1]


def test_overheads_that_grow_faster_than_the_round_trip_do_not_make_it_longer():
    """Fitted slopes scatter; taken off as they are, they would leave a wire on which bytes cost less than nothing."""
    steep = evolve(MODEL.segments[0], send=CostLaw(ParameterEstimate(300.0), ParameterEstimate(2.0)))
    exported = simgrid(LogGP((steep,)), 2)
    assert "less than nothing" in exported.notes[0]
    assert smpi_half_round_trip_ns(exported, 1000) == pytest.approx(700 + 1500 + 999 * 0.85, rel=1e-6)


def test_loggopsim_arguments_are_the_parameters_in_whole_units():
    exported = loggopsim(MODEL, 8, 4096)
    values = dict(argument.removeprefix("--LogGOPS_").split("=") for argument in exported.arguments)
    times = {name: int(value) * exported.unit_ns for name, value in values.items() if name != "S"}
    assert times == pytest.approx({"L": 1500.0, "o": 350.0, "g": 700.0, "G": 0.8, "O": 0.025}, rel=1e-3)
    assert values["S"] == "4096"
    assert all(int(value) < 2**31 for value in values.values())
    assert 4096 * int(values["G"]) < 2**31


def test_what_is_not_identifiable_is_not_exported_to_loggopsim():
    overlapped = evolve(MODEL.segments[0], latency=ParameterEstimate(-50.0, reason="not identifiable: overlap"))
    with pytest.raises(UsageError, match="overlap") as caught:
        loggopsim(LogGP((overlapped,)), 8)
    assert caught.value.remedy


def test_nonsense_is_refused_with_a_remedy():
    unknown = evolve(
        MODEL.segments[0],
        half_round_trip=CostLaw(ParameterEstimate(reason="missing"), ParameterEstimate(reason="missing")),
    )
    for call in (
        lambda: simgrid(MODEL, 0),
        lambda: simgrid(LogGP(()), 2),
        lambda: simgrid(LogGP((unknown,)), 2),
    ):
        with pytest.raises(UsageError) as caught:
            call()
        assert caught.value.remedy


# --- SMPI itself ------------------------------------------------------------------------------------------------

PROGRAM = r"""
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static char *data;
static void put(int to, int s) { MPI_Send(data, s, MPI_CHAR, to, 0, MPI_COMM_WORLD); }
static void get(int from, int s) { MPI_Recv(data, s, MPI_CHAR, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }
int main(int count, char **words) {
  int rank;
  MPI_Init(&count, &words);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  data = calloc(1, 1 << 20);
  for (int i = 1; i + 3 < count; i += 4) {
    int kind = atoi(words[i]), n = atoi(words[i + 1]), delay = atoi(words[i + 2]), s = atoi(words[i + 3]);
    if (rank) { put(0, 0); for (int k = 0; k < n; k++) get(0, s); put(0, s); get(0, 0); continue; }
    get(1, 0);
    usleep(1000);
    double start = MPI_Wtime();
    for (int k = 0; k < n; k++) { if (k && delay) usleep(delay); put(1, s); }
    if (kind) usleep(delay);
    get(1, s);
    printf("%d %d %d %d %.6f\n", kind, n, delay * 1000, s, (MPI_Wtime() - start) * 1e9);
    put(1, 0);
  }
  MPI_Finalize();
}
"""


@pytest.fixture(scope="module")
def smpi(tmp_path_factory):
    """Run the program above on an exported model; gives rows (kind, n, delay_ns, size, time_ns)."""
    if not (shutil.which("smpicc") and shutil.which("smpirun")):
        pytest.skip("SimGrid's smpicc and smpirun are not installed")
    folder = tmp_path_factory.mktemp("smpi")
    (folder / "trains.c").write_text(PROGRAM)
    subprocess.run(["smpicc", "-O1", "trains.c", "-o", "trains"], cwd=folder, check=True, timeout=60)

    def run(exported, asked):
        (folder / "platform.xml").write_text(exported.platform)
        (folder / "hosts").write_text(exported.hostfile)
        command = ["smpirun", "-np", "2", "-hostfile", "hosts", "-platform", "platform.xml"]
        command += ["--cfg=smpi/simulate-computation:no", *exported.options, "./trains"]
        words = [str(word) for one in asked for word in one]
        done = subprocess.run([*command, *words], cwd=folder, capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == 0, done.stderr[-2000:]
        return np.array([line.split() for line in done.stdout.splitlines() if line[:1].isdigit()], float)

    return run


def test_smpi_on_the_exported_platform_takes_the_time_of_the_model(smpi):
    rows = smpi(simgrid(MODEL, 2, 4096), [(0, 1, 0, size) for size in SIZES])
    assert rows[:, 4] / 2 == pytest.approx([pingpong_ns(MODEL, size) for size in SIZES], rel=1e-3)


def test_loggp_of_a_simulated_platform_comes_back_within_two_percent(smpi):
    """SMPI has no gap, so its g is what its header of 16 bytes and the first byte take: 17 G."""
    sizes, counts = (1, 512, 2048, 4096), (1, 2, 4, 8, 16, 32)
    truth = LogGP((segment(1, 4096, 1500.0, 0.8),))
    asked = [(0, n, delay, size) for size in sizes for delay in (0, 20, 40) for n in counts if n > 1 or not delay]
    asked += [(1, 1, delay, size) for size in sizes for delay in (40, 80)]
    kind, n, delay, size, time = smpi(simgrid(truth, 2), asked).T
    train, late = kind == 0, kind == 1
    trains = TrainData(np.zeros(train.sum()), n[train], delay[train], size[train], time[train])
    receives = ReceiveData(np.zeros(late.sum()), delay[late], size[late], time[late])
    (found,) = fit_loggp(trains, receives, ()).segments
    assert found.o_s.value == pytest.approx(300.0, rel=0.02)
    assert found.o_r.value == pytest.approx(400.0, rel=0.02)
    assert found.big_g.value == pytest.approx(0.8, rel=0.02)
    assert found.latency.value == pytest.approx(1500.0, rel=0.02)
    assert found.gap_set_by == "o_r"
