"""Words that people type: of misspelt ones the right one is named first, those of other benchmarks are understood."""

from __future__ import annotations

import pytest

from msgauge import cli
from msgauge.errors import MsgaugeError
from msgauge.kernels import load_kernels
from msgauge.model.kernel_names import find_kernel

UNDERSTOOD = {
    "latency": "pingpong",
    "osu_latency": "pingpong",
    "IMB-PingPong": "pingpong",
    "IMB PingPong": "pingpong",
    "IMB-MPI1 PingPong": "pingpong",
    "ping-pong": "pingpong",
    "NetPIPE": "pingpong",
    "bw": "stream",
    "osu_bw": "stream",
    "bandwidth": "stream",
    "IMB Uniband": "stream",
    "bibw": "exchange",
    "osu_bibw": "exchange",
    "PingPing": "exchange",
    "IMB-Exchange": "exchange",
    "mbw_mr": "rate",
    "osu_mbw_mr": "rate",
    "message rate": "rate",
    "IMB-Sendrecv": "sendrecv",
    "MPI_Allreduce": "allreduce",
    "osu_allreduce": "allreduce",
    "osu_reduce_scatter": "reduce-scatter",
    "IMB-Reduce_scatter": "reduce-scatter",
    "Broadcast": "bcast",
    "osu_ibcast": "ibcast",
    "osu_put_latency": "put",
    "osu_get_bw": "get",
    "osu_acc_latency": "accumulate",
    "osu_fop_latency": "fetch-op",
    "osu_cas_latency": "compare-swap",
    "osu_init": "startup",
    "stencil": "halo",
    "MPI_Wtime": "wtime",
    "loggp": "prtt",
    "osu_allgather": "allgather",
    "osu_iallreduce": "iallreduce",
    "osu_scatterv": "scatterv",
    "osu_put_bw": "put",
    "osu_barrier": "barrier",
    "Exchange": "exchange",
    "Sendrecv": "sendrecv",
    "Biband": "exchange",
    "IMB-RMA Unidir_put": "put",
    "IMB-RMA Compare_and_swap": "compare-swap",
    "IMB-NBC Ialltoall": "ialltoall",
    "IMB-EXT Accumulate": "accumulate",
    "NPmpi": "pingpong",
    "mpptest": "pingpong",
    "sqmr": "rate",
    "all_reduce_perf": "allreduce",
    "alltoall_perf": "alltoall",
    "MPI_Ireduce_scatter": "ireduce-scatter",
    "halo exchange": "halo",
    "start-up": "startup",
    "round-trip": "pingpong",
    "osu_hello": "startup",
    "bisection": "all-pairs",
    "IMB-RMA Fetch_and_op": "fetch-op",
    "all_gather_perf": "allgather",
    "reduce_scatter_perf": "reduce-scatter",
}
MISSPELT = [
    (["comapre"], "msgauge compare"),
    (["reprot"], "msgauge report"),
    (["Doctor"], "msgauge doctor"),
    (["kernel"], "msgauge kernels"),
    (["compare", "--stack", "fake"], "--stacks"),
    (["compare", "--buget", "60s"], "--budget"),
    (["show", "--serie"], "--series"),
    (["compare", "quik"], "'quick'"),
    (["compare", "Collectives"], "'collectives'"),
    (["plan", "pingpog"], "'pingpong'"),
    (["kernels", "pingpog"], "'pingpong'"),
    (["kernels", "allredcue"], "'allreduce'"),
    (["kernels", "osu_alltoal"], "'alltoall'"),
    (["kernels", "latancy"], "'pingpong'"),
    (["plan", "--kernels", "bandwith", "--stacks", "fake"], "'stream'"),
    (["plan", "--stacks", "opnmpi"], "openmpi"),
    (["plan", "--stacks", "MPICH2"], "mpich"),
    (["stacks", "install", "opnempi"], "openmpi"),
    (["paper", "jyi-lam-mpch"], "jyi-lam-mpich"),
    (["dif"], "msgauge diff"),
    (["hisotry"], "msgauge history"),
    (["kernals"], "msgauge kernels"),
    (["mpa"], "msgauge map"),
    (["mpirun"], "msgauge compare"),
    (["benchmark"], "msgauge compare"),
    (["plot"], "msgauge figures"),
    (["benchstat"], "msgauge diff"),
    (["reproduce"], "msgauge paper"),
    (["compare", "-np", "4"], "--ranks"),
    (["compare", "-n", "4"], "--ranks"),
    (["compare", "--ntasks=4"], "--ranks"),
    (["compare", "-H", "n1,n2"], "--hosts"),
    (["compare", "--machinefile", "hosts"], "--hostfile"),
    (["compare", "--map-by", "node"], "--map"),
    (["compare", "--iterations", "100"], "--rounds"),
    (["compare", "-m", "8:64"], "--sizes"),
    (["compare", "--mca", "btl", "self,tcp"], "--stacks"),
    (["compare", "--timeout", "60"], "--budget"),
    (["plan", "--stakcs", "fake"], "--stacks"),
    (["figures", "--format", "pdf"], "--formats"),
    (["export", "--formats", "csv"], "--format"),
    (["plan", "apps"], "'applications'"),
    (["plan", "pt2pt"], "'p2p'"),
    (["plan", "full"], "'complete'"),
    (["paper", "shue"], "'shue-scripting'"),
    (["paper", "ARSC_T3D"], "'arsc-t3d'"),
    (["plan", "--stacks", "ompi"], "openmpi"),
    (["plan", "--stacks", "intel-mpi"], "intelmpi"),
    (["plan", "--stacks", "zmq"], "zeromq"),
    (["plan", "--stacks", "simgrid"], "smpi"),
    (["plan", "--stacks", "MatlabMPI"], "filempi"),
    (["plan", "--stacks", "tcp[spni]"], "'spin'"),
    (["plan", "--stacks", "fake", "--for", "throughput"], "bandwidth"),
    (["plan", "--stacks", "fake", "--hosts", "lab:4@gigabyte"], "gigabit"),
    (["kernels", "osu_latency_mt"], "'pingpong'"),
    (["kernels", "osu_bw_persistent"], "'stream'"),
    (["kernels", "osu_multi_lat"], "'pingpong'"),
    (["kernels", "PingPongAnySource"], "'pingpong'"),
    (["kernels", "halo3d"], "'halo'"),
    (["kernels", "IMB Reduce_scatter_block"], "'reduce-scatter'"),
    (["kernels", "osu_get_acc_latency"], "'accumulate'"),
    (["kernels", "osu_put_bibw"], "'put'"),
    (["kernels", "osu_ialltoallw"], "'ialltoallv'"),
    (["kernels", "osu_neighbor_allgather"], "'halo'"),
    (["kernels", "osu_latency_mp"], "'pingpong'"),
    (["kernels", "osu_bibw_persistent"], "'exchange'"),
    (["kernels", "IMB-MPI1 Multi-PingPing"], "'exchange'"),
    (["kernels", "IMB-NBC Ibcast_pure"], "'ibcast'"),
    (["kernels", "IMB-RMA Exchange_put"], "'put'"),
    (["kernels", "IMB-RMA All_get_all"], "'get'"),
    (["kernels", "IMB-RMA Bidir_get"], "'get'"),
    (["kernels", "PingPongSpecificSource"], "'pingpong'"),
    (["kernels", "Pingpong_Send_Recv"], "'pingpong'"),
    (["kernels", "mpi_overhead"], "'overlap'"),
    (["kernels", "tag_lat"], "'pingpong'"),
    (["kernels", "tag_bw"], "'stream'"),
    (["kernels", "ucp_put_bw"], "'put'"),
    (["kernels", "ib_send_lat"], "'pingpong'"),
    (["kernels", "ib_write_bw"], "'put'"),
    (["kernels", "allreduces"], "'allreduce'"),
    (["kernels", "Latenz"], "'pingpong'"),
    (["kernels", "Bandbreite"], "'stream'"),
    (["kernels", "latencia"], "'pingpong'"),
    (["kernels", "barriere"], "'barrier'"),
    (["kernels", "all2all"], "'alltoall'"),
    (["kernels", "MPI_Neighbor_alltoall"], "'halo'"),
    (["kernels", "pt2pt latency"], "'pingpong'"),
    (["compare", "--dryrun"], "msgauge plan"),
    (["compare", "--np", "4"], "--ranks"),
    (["compare", "-ppn", "2"], "--map"),
    (["compare", "--msg-size", "8"], "--sizes"),
    (["compare", "-i", "1000"], "--rounds"),
    (["compare", "--nodelist", "n1,n2"], "--hosts"),
    (["compare", "--mpi", "openmpi"], "--stacks"),
    (["compare", "--benchmark", "pingpong"], "--kernels"),
    (["compare", "--time-limit", "60"], "--budget"),
    (["compare", "--baseline", "openmpi"], "--base"),
    (["compare", "--csv"], "msgauge export"),
    (["diff", "a", "b", "--threshold", "5%"], "--fail-on"),
    (["compare", "--outdir", "x"], "--output"),
    (["compare", "--Stacks", "fake"], "--stacks"),
    (["hilfe"], "msgauge --help"),
    (["aide"], "msgauge --help"),
    (["ayuda"], "msgauge --help"),
    (["vergleichen"], "msgauge compare"),
    (["advice"], "msgauge advise"),
    (["check"], "msgauge doctor"),
    (["install"], "msgauge stacks"),
    (["html"], "msgauge report"),
    (["dry-run"], "msgauge plan"),
    (["results"], "msgauge show"),
    (["plan", "--stacks", "0mq"], "zeromq"),
    (["plan", "--stacks", "impi"], "intelmpi"),
    (["plan", "--stacks", "MVAPICH2"], "mpich"),
    (["plan", "--stacks", "lam-mpi"], "lam"),
    (["plan", "--stacks", "octave"], "filempi"),
    (["plan", "--stacks", "python"], "mpi4py"),
    (["kernels", "osu_put_latency_hip"], "'put'"),
    (["kernels", "IMB-RMA One_put_all"], "'put'"),
    (["kernels", "osu_mbw_mr_persistent"], "'rate'"),
    (["kernels", "osu_neighbor_alltoallv"], "'halo'"),
    (["kernels", "ib_read_bw"], "'get'"),
    (["kernels", "SCATERV"], "'scatterv'"),
    (["compare", "-perhost", "2"], "--map"),
    (["compare", "--html"], "msgauge report"),
    (["compare", "--machines", "a,b"], "--hosts"),
    (["comparer"], "msgauge compare"),
    (["validate"], "msgauge doctor"),
    (["plan", "--stacks", "0MQ"], "zeromq"),
]
DONE_UNASKED = {"--warmup": "warm-up", "--bind-to": "bound to a core", "--oversubscribe": "more ranks than cores"}


@pytest.mark.parametrize("word", UNDERSTOOD)
def test_names_of_other_benchmarks_find_their_kernel(word: str) -> None:
    assert find_kernel(word, load_kernels()).name == UNDERSTOOD[word]


@pytest.mark.parametrize(
    ("words", "meant"), MISSPELT, ids=lambda value: " ".join(value) if isinstance(value, list) else ""
)
def test_a_misspelt_word_is_answered_with_the_right_one_first(
    words: list[str], meant: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(words) in (2, 5)
    said = capsys.readouterr().err
    hint = said.lower().partition("did you mean")[2]
    assert hint.lstrip(" '-").startswith(meant.strip("'-")), said


@pytest.mark.parametrize("option", DONE_UNASKED)
def test_what_is_done_without_being_asked_is_said_to_be(option: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["compare", option, "4"]) == 2
    said = capsys.readouterr().err
    assert "there is no need" in said
    assert DONE_UNASKED[option] in said


def test_a_word_for_the_version_is_that_of_the_option(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["version"]) == 0
    assert capsys.readouterr().out.startswith("msgauge ")


def test_a_word_that_resembles_nothing_is_answered_with_where_all_are_listed() -> None:
    with pytest.raises(MsgaugeError) as raised:
        find_kernel("zzzzz", load_kernels())
    assert "'msgauge kernels' lists all" in raised.value.remedy


def test_no_other_name_of_a_kernel_is_that_of_another_one() -> None:
    kernels = load_kernels()
    names = [name for kernel in kernels.values() for name in (kernel.name, *kernel.aliases)]
    bare = [name.replace("-", "").replace("_", "") for name in names]
    assert [name for name, form in zip(names, bare, strict=True) if bare.count(form) > 1] == []
