"""The reference's interface, launching, names, machines, security: what programs and their owners rely on."""

from __future__ import annotations

import os
import re
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest
from filempi_bench import INSIDE, TOOLBOX, Bench
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

BASIC = """
MPI_Init;
comm = MPI_COMM_WORLD;
comm_size = MPI_Comm_size(comm);
my_rank = MPI_Comm_rank(comm);
tag = 1;
if my_rank == 0
    MPI_Send(1, tag, comm, 1:10);
else
    data = MPI_Recv(0, tag, comm);
    disp(sum(data));
end
MPI_Finalize;
disp('SUCCESS');
if my_rank ~= MatMPI_Host_rank(comm)
    exit;
end
"""


def test_a_program_written_for_the_reference_runs_unmodified(bench: Bench) -> None:
    bench.program("basic", BASIC)
    bench.program(
        "RUN",
        "MPI_Abort; pause(0.01); MatMPI_Delete_all; pause(0.01); machines = {};\neval( MPI_Run('basic',2,machines) );",
    )
    result = bench.octave("RUN; disp(comm_size)")
    assert result.status == 0, result.errors
    assert result.output.count("SUCCESS") == 2
    assert "[rank 1] 55" in result.output
    assert result.output.strip().endswith("2"), "the variables of rank 0 stay in the session"


def test_run_works_from_within_a_function_and_again_and_again(bench: Bench) -> None:
    bench.program("basic", BASIC)
    bench.program("caller", "function caller()\n for k = 1:3\n eval(MPI_Run('basic', 2, {}));\n end\nend\n")
    result = bench.octave("caller()")
    assert result.status == 0, result.errors
    assert result.output.count("SUCCESS") == 6


def test_rank_zero_begins_when_every_rank_has_its_interpreter(bench: Bench) -> None:
    """Else a clock in the program would measure how long the interpreter of another rank takes to start."""
    bench.program(
        "begins",
        "begun = time(); MPI_Init; comm = MPI_COMM_WORLD;\n"
        "if MPI_Comm_rank(comm) > 0, MPI_Send(0, 1, comm, begun);\n"
        "else, others = [MPI_Recv(1, 1, comm), MPI_Recv(2, 1, comm)]; disp(begun - max(others)); end\n",
    )
    result = bench.octave("eval(MPI_Run('begins', 3, {}))")
    assert result.status == 0, result.errors
    assert -0.05 <= float(result.output.split()[-1]) < 5, "a rank's first line may come just after it has said so"


def test_rank_zero_begins_without_a_rank_that_ended_at_its_start(bench: Bench) -> None:
    settings = (TOOLBOX / "MatMPI_Comm_settings.m").read_text()
    bench.program("MatMPI_Comm_settings", settings.replace("'octave-cli', '-qfW', '--no-gui', '--eval'", "'false'"))
    bench.program("alone", "MPI_Init; disp('rank 0 has begun');\n")
    started = time.monotonic()
    result = bench.octave("eval(MPI_Run('alone', 2, {}))")
    assert "rank 0 has begun" in result.output, result.errors
    assert time.monotonic() - started < 8, "the ten seconds of a rank that says nothing are not waited for"


def test_rank_zero_says_for_whom_it_waits_at_the_start(bench: Bench) -> None:
    settings = (TOOLBOX / "MatMPI_Comm_settings.m").read_text()
    late = 'until ls "$FILEMPI_DIR"/*/begun.0; do sleep 0.05; done; sleep 1.5'  # from when rank 0 begins to wait
    slow = settings.replace("'octave-cli', '-qfW', '--no-gui', '--eval'", f"'sh', '-c', '{late}'")
    bench.program("MatMPI_Comm_settings", slow)
    bench.program("alone", "MPI_Init; disp('rank 0 has begun');\n")
    result = bench.octave("eval(MPI_Run('alone', 2, {}))", FILEMPI_NOTICE="1")
    assert "rank 0 has waited 1 s for rank 1 to start." in result.errors
    assert "rank 0 has begun" in result.output, result.errors


REFERENCE = """
% Written as programs for the reference are: positional calls, a tag that counts up, a probe before each receive.
MPI_Init;
comm = MPI_COMM_WORLD;
n = MPI_Comm_size(comm);
me = MPI_Comm_rank(comm);
leader = MatMPI_Host_rank(comm);
tag = 1000;
[a, b, c] = MPI_Bcast(leader, tag, comm, 'settings', {1, 2}, struct('n', n));
if ~strcmp(a, 'settings') || ~isequal(b, {1, 2}) || c.n ~= n, error('broadcast'); end
for step = 1:3
    tag = tag + 1;
    if me ~= leader
        MPI_Send(leader, tag, comm, me, me * ones(2, step), num2str(me));
    else
        seen = zeros(0, 2);
        while size(seen, 1) < n - 1
            [ranks, tags] = MPI_Probe('*', tag, comm);
            for k = 1:numel(ranks)
                [who, what, name] = MPI_Recv(ranks(k), tags(k), comm);
                if who ~= ranks(k) || ~isequal(what, who * ones(2, step)) || ~strcmp(name, num2str(who))
                    error('message');
                end
                seen(end + 1, :) = [ranks(k), tags(k)];
            end
        end
        if ~isequal(sortrows(seen), [(1:n - 1)', tag * ones(n - 1, 1)]), error('probe'); end
    end
end
[ranks, tags] = MPI_Probe('*', '*', comm);
printf('rank %d of %d is done, %d messages wait\\n', me, n, numel(ranks));
MPI_Finalize;
if me ~= leader
    exit;
end
"""


def test_a_program_of_the_reference_s_kind_runs_on_many_ranks_with_settings_of_its_own(bench: Bench) -> None:
    """The settings are a copy of the function, earlier on the path, as the reference has them changed."""
    settings = (
        (TOOLBOX / "MatMPI_Comm_settings.m").read_text().replace("settings.grace_s = 0.5", "settings.grace_s = 2")
    )
    settings = settings.replace("settings.logs = text_of('FILEMPI_LOGS', 'MatMPI')", "settings.logs = pwd()")
    bench.program("MatMPI_Comm_settings", settings)
    bench.program("reference", REFERENCE)
    bench.program("caller", "function n = caller()\n eval(MPI_Run('reference', 4, {}));\nend\n")
    result = bench.octave("disp(caller())")
    assert result.status == 0, result.errors
    for rank in range(4):
        assert f"rank {rank} of 4 is done, 0 messages wait" in result.output
    assert result.output.endswith("4\n")
    assert "rank 3 of 4 is done" in (bench.work / "reference.3.out").read_text()


def test_there_is_no_compiler_in_octave_and_that_is_said(bench: Bench) -> None:
    assert "none is needed" in bench.octave("MPI_cc('basic')").errors


def test_every_function_tells_its_use(bench: Bench) -> None:
    names = sorted(path.stem for path in TOOLBOX.glob("*MPI_*.m"))
    listed = (TOOLBOX / "README.md").read_text()
    assert len(names) == 40
    for name in names:
        text = (TOOLBOX / f"{name}.m").read_text().splitlines()
        assert text[1].startswith(f"    % {name}  -  "), name
        assert name in listed


def test_a_global_communicator_is_the_same_one(bench: Bench) -> None:
    said = "printf('%d of %d\\n', MPI_COMM_WORLD.rank, MPI_COMM_WORLD.size);"
    result = bench.run(f"global MPI_COMM_WORLD\nMPI_Init; {said}")
    assert "0 of 2" in result.output
    assert "1 of 2" in result.output


def test_one_rank_needs_no_job(bench: Bench) -> None:
    result = bench.octave(
        "MPI_Init; comm = MPI_COMM_WORLD; MPI_Send(0, 1, comm, 'me'); disp(MPI_Recv(0, 1, comm)); "
        "disp(MPI_Allreduce(1, comm, 7)); MPI_Barrier(comm); r = MPI_Map(@(x) x^2, {2, 3}); disp([r{:}])"
    )
    assert result.output.split() == ["me", "7", "4", "9"], result.errors


def test_before_mpi_init_every_call_says_what_is_missing(bench: Bench) -> None:
    calls = ["MPI_Send(0, 1, comm, 1)", "MPI_Recv(0, 1, comm)", "MPI_Barrier(comm)", "MPI_COMM_WORLD"]
    tries = " ".join(f"try, {call}; catch e, printf('%s: %s\\n', e.identifier, e.message); end;" for call in calls)
    result = bench.octave(f"comm = struct('rank', 0, 'size', 1, 'base', 0, 'job', 'alone', 'key', 1); {tries}")
    said = result.output.splitlines()
    assert len(said) == len(calls), result.errors
    for line in said:
        assert line.startswith("MPI:badComm"), line
        assert "MPI_Init" in line


def test_a_communicator_of_an_earlier_job_is_refused(bench: Bench) -> None:
    bench.program("first", "MPI_Init; old = MPI_COMM_WORLD; if old.rank == 0, MPI_Send(1, 1, old, 1); end")
    bench.program(
        "second",
        "MPI_Init; comm = MPI_COMM_WORLD; if comm.rank == 0\n"
        "MPI_Send(1, 1, comm, 1); MPI_Send(1, 1, comm, 2);\n"
        "try, MPI_Send(1, 1, old, 3); catch e, disp(e.identifier); end\n"
        "else, disp([MPI_Recv(0, 1, comm), MPI_Recv(0, 1, comm)]); end",
    )
    result = bench.octave("eval(MPI_Run('first', 2, {})); eval(MPI_Run('second', 2, {}))")
    assert "MPI:badComm" in result.output, result.errors
    assert "[rank 1]    1   2" in result.output


def test_saved_messages_stay_until_they_are_deleted(bench: Bench) -> None:
    text = BASIC.replace("tag = 1;", "tag = 1; comm = MatMPI_Save_messages(comm, 1);")
    bench.program("basic", text)
    assert bench.octave("eval(MPI_Run('basic', 2, {}))").status == 0
    saved = [path.name for path in (bench.work / "MatMPI").glob("*.mat")]
    assert saved == ["p0_p1_t1_s1_buffer.mat"]
    assert bench.octave("MatMPI_Delete_all").status == 0
    assert not (bench.work / "MatMPI").exists()


def test_saved_messages_in_a_folder_with_files_of_the_user_leave_those_alone(bench: Bench) -> None:
    (bench.work / "MatMPI").mkdir()
    (bench.work / "MatMPI" / "thesis.mat").write_text("precious")
    bench.program("basic", BASIC.replace("tag = 1;", "tag = -1; comm = MatMPI_Save_messages(comm, 1);"))
    assert bench.octave("eval(MPI_Run('basic', 2, {})); disp(numel(readdir('MatMPI')) - 2)").output.endswith("4\n")
    assert bench.octave("MatMPI_Delete_all").status == 0
    assert [path.name for path in (bench.work / "MatMPI").iterdir()] == ["thesis.mat"]


def test_a_folder_named_matmpi_that_is_not_ours_is_left_alone(bench: Bench) -> None:
    (bench.work / "MatMPI").mkdir()
    (bench.work / "MatMPI" / "thesis.mat").write_text("precious")
    assert bench.octave("MatMPI_Delete_all").status == 0
    assert (bench.work / "MatMPI" / "thesis.mat").read_text() == "precious"


def test_messages_can_go_through_another_folder(bench: Bench) -> None:
    other = bench.work / "other place"
    other.mkdir()
    text = BASIC.replace("tag = 1;", "tag = 1; comm = MatMPI_Comm_dir(comm, getenv('OTHER'));")
    result = bench.run(text, OTHER=str(other))
    assert result.output.count("SUCCESS") == 2, result.errors + result.output
    assert list(other.iterdir()) == []


FOLDERS = """
MPI_Init; comm = MPI_COMM_WORLD;
for k = 1:3
    for spelling = {'sub', [pwd() '/sub'], './sub', 'link'}
        channel = MatMPI_Comm_dir(comm, spelling{1});
        if MPI_Comm_rank(comm) == 0
            MPI_Send(1, 7, channel, k); MPI_Send(1, 7, comm, -k);
        else
            printf('%d %d\\n', MPI_Recv(0, 7, channel), MPI_Recv(0, 7, comm));
        end
    end
end
MPI_Finalize;
"""


@pytest.mark.parametrize("machines", ["{}", "{'localhost:sub'}", "{'localhost', ['localhost:' pwd() '/sub/../link']}"])
@pytest.mark.parametrize("transport", ["stream", "file"])
def test_a_folder_may_be_named_again_and_in_any_way(bench: Bench, machines: str, transport: str) -> None:
    (bench.work / "sub").mkdir()
    (bench.work / "link").symlink_to("sub")
    bench.program("program", FOLDERS)
    result = bench.octave(f"eval(MPI_Run('program', 2, {machines}))", FILEMPI_TRANSPORT=transport)
    assert re.findall(r"(-?\d+) (-?\d+)", result.output) == [(f"{k}", f"-{k}") for k in (1, 2, 3) for _ in range(4)]
    assert list((bench.work / "sub").iterdir()) == []


def test_machines_with_folders_and_other_hosts(bench: Bench, stand_in_for_ssh: Path) -> None:
    inbox = bench.work / "in box"
    inbox.mkdir()
    bench.program("basic", BASIC)
    result = bench.octave(
        "eval(MPI_Run('basic', 2, {'localhost', ['far:' getenv('INBOX')]}))",
        PATH=f"{stand_in_for_ssh}:{os.environ['PATH']}",
        INBOX=str(inbox),
        HOSTLOG=str(bench.work / "hosts.txt"),
    )
    assert result.output.count("SUCCESS") == 2, result.errors + result.output
    assert "rank.sh" in (bench.work / "hosts.txt").read_text()
    assert list(inbox.iterdir()) == []


def test_when_all_ranks_are_elsewhere_the_session_waits(bench: Bench, stand_in_for_ssh: Path) -> None:
    bench.program("basic", BASIC)
    result = bench.octave("eval(MPI_Run('basic', 2, {'far'}))", PATH=f"{stand_in_for_ssh}:{os.environ['PATH']}")
    assert result.status == 0, result.errors
    assert "[rank 0] SUCCESS" in result.output
    assert "[rank 1] SUCCESS" in result.output


def test_a_deadline_is_that_of_a_message_not_of_the_job(bench: Bench, stand_in_for_ssh: Path) -> None:
    """A rank that computes for longer than a message may take, and a job of which all ranks are elsewhere."""
    path = f"{stand_in_for_ssh}:{os.environ['PATH']}"
    for machines in ("{}", "{'far'}"):
        bench.program("basic", "MPI_Init; if MPI_Comm_rank(MPI_COMM_WORLD) == 1, pause(2.5); end; disp('through');")
        result = bench.octave(f"eval(MPI_Run('basic', 2, {machines}))", FILEMPI_DEADLINE="1", PATH=path)
        assert result.status == 0, result.errors
        assert result.output.count("through") == 2


def test_a_machine_that_is_no_host_is_refused(bench: Bench) -> None:
    bench.program("basic", BASIC)
    machines = "{'-oProxyCommand=x', 'a b', 'host;id', '$(id)', '', 'h:/no/such/folder', 3}"
    result = bench.octave(
        f"for m = {machines}, try, eval(MPI_Run('basic', 2, m)); catch e, printf('%s\\n', e.identifier); end; end"
    )
    assert result.output.split() == ["MPI:badMachines"] * 7, result.errors


def test_a_session_may_have_variables_of_any_name(bench: Bench) -> None:
    """Names of Octave's functions and of the program itself, in the session and, set by the program, on every rank."""
    program = "program = 1; source = 2; run = 3; eval = 4; evalin = 5; x = source; disp('finished');"
    bench.program("program", program)
    result = bench.octave(
        "source = 7; run = 8; program = 9; which = 1; x = 0; file = 3;"
        "eval(MPI_Run([pwd() '/program.m'], 2, {})); clear eval; eval(MPI_Run('program', 2, {})); printf('%d', x);"
    )
    assert result.output.count("finished") == 4, result.errors
    assert result.output.endswith("2")


def test_a_function_is_a_program_too(bench: Bench) -> None:
    bench.program("work", "function work()\n MPI_Init; printf('%d works\\n', MPI_COMM_WORLD.rank);\nend\n")
    result = bench.octave("work = 1; eval(MPI_Run('work', 2, {})); eval(MPI_Run([pwd() '/work.m'], 2, {}))")
    assert result.output.count("0 works") == 2, result.errors
    assert result.output.count("[rank 1] 1 works") == 2


def test_a_program_that_is_not_there_is_named(bench: Bench) -> None:
    result = bench.octave("eval(MPI_Run('nowhere', 2, {}))")
    assert result.status == 1
    assert "no script nowhere" in result.errors


NAMES = ["new\nline", "it's", "$HOME `id` $(id)", 'a "quote"', "häß 漢", "with space", "-dash", "semi;colon & co", "%s"]


def test_paths_of_any_name_work(bench: Bench) -> None:
    """The working folder with the program, and the folder of jobs, both of such names; three scripts by their paths."""
    for name in NAMES:
        (bench.jobs / name).mkdir()
        (bench.work / name).mkdir()
        (bench.work / name / "basic.m").write_text(BASIC)
        (bench.work / name / "it's a script.m").write_text(BASIC)
    (bench.work / "names").write_bytes("\0".join(NAMES).encode())
    result = bench.octave(
        "names = strsplit(fileread('names'), char(0)); root = pwd(); jobs = getenv('FILEMPI_DIR'); "
        "for k = 1:numel(names), cd([root '/' names{k}]); setenv('FILEMPI_DIR', [jobs '/' names{k}]); "
        "eval(MPI_Run('basic', 2, {})); end; cd(root); "
        "for k = 1:3, eval(MPI_Run([root '/' names{k} '/it''s a script'], 2, {})); end; printf('still in %s', pwd())"
    )
    assert result.output.count("SUCCESS") == 2 * len(NAMES) + 6, result.errors
    assert result.output.endswith(f"still in {bench.work}")
    for name in NAMES:
        (bench.jobs / name).rmdir()


def test_two_jobs_at_once_in_one_folder(bench: Bench) -> None:
    bench.program("basic", BASIC.replace("tag = 1;", "tag = 1; pause(0.3);"))
    processes = [bench.start("for k = 1:2, eval(MPI_Run('basic', 2, {})); end") for _ in range(2)]
    results = [bench.finish(process) for process in processes]
    assert [result.output.count("SUCCESS") for result in results] == [4, 4], results


@pytest.mark.parametrize("transport", ["stream", "file"])
def test_ten_thousand_messages_of_one_tag_arrive_in_order(bench: Bench, transport: str) -> None:
    text = """
    MPI_Init; comm = MPI_COMM_WORLD;
    if MPI_Comm_rank(comm) == 0
        for k = 1:10000, MPI_Send(1, 1, comm, k); end
    else
        for k = 1:10000, if MPI_Recv(0, 1, comm) ~= k, error('order'); end; end
        disp('in order');
    end
    """
    result = bench.run(text, limit_s=120, FILEMPI_TRANSPORT=transport)
    assert "in order" in result.output, result.errors


def test_a_stream_goes_on_in_a_new_file_and_keeps_little(bench: Bench) -> None:
    text = """
    MPI_Init; comm = MPI_COMM_WORLD; global FILEMPI
    if MPI_Comm_rank(comm) == 0
        for k = 1:600, MPI_Send(1, 1, comm, k * ones(1, 3000)); MPI_Recv(1, 2, comm); end
    else
        most = 0;
        for k = 1:600
            if ~isequal(MPI_Recv(0, 1, comm), k * ones(1, 3000)), error('wrong'); end
            most = max(most, numel(readdir([FILEMPI.folder '/in.1'])) - 2);
            MPI_Send(0, 2, comm, 1);
        end
        printf('segments at once: %d, segment now: %d\\n', most, FILEMPI.insegment(1));
    end
    """
    result = bench.run(text)
    found = re.search(r"segments at once: (\d+), segment now: (\d+)", result.output)
    assert found is not None, result.errors + result.output
    assert int(found[1]) <= 2
    assert int(found[2]) >= 3


@pytest.mark.parametrize("transport", ["stream", "file"])
def test_large_arrays_travel_in_pieces(bench: Bench, transport: str) -> None:
    text = """
    MPI_Init; comm = MPI_COMM_WORLD;
    values = {reshape(1:60000, 200, 300), uint8(mod(1:200000, 251)), {ones(300), repmat('text', 1, 30000)}, ...
              struct('a', {single(1:50000), complex(1:20000, 2)}), sparse(1:9000, 1:9000, 1:9000), ...
              true(400), sparse(logical(eye(9000)))};
    for k = 1:numel(values)
        if MPI_Comm_rank(comm) == 0
            MPI_Send(1, k, comm, values{k});
        else
            got = MPI_Recv(0, k, comm);
            if ~isequal(got, values{k}) || ~strcmp(class(got), class(values{k})), error('value %d', k); end
        end
    end
    big = MPI_Bcast(0, 1, comm, values{1});
    if isequal(big, values{1}), disp('same'); end
    """
    result = bench.run(text, FILEMPI_TRANSPORT=transport, FILEMPI_PIECE="65536")
    assert result.output.count("same") == 2, result.errors + result.output


@pytest.mark.skipif("FILEMPI_BIG" not in os.environ, reason="needs 8 GB of memory: set FILEMPI_BIG")
def test_an_array_above_two_gigabytes_arrives(bench: Bench) -> None:
    text = """
    MPI_Init; comm = MPI_COMM_WORLD; n = 2200000000;
    if MPI_Comm_rank(comm) == 0
        v = zeros(1, n, 'uint8'); v([1, n / 2, n]) = [1 2 3]; MPI_Send(1, 1, comm, v);
    else
        v = MPI_Recv(0, 1, comm); printf('%d %d\\n', numel(v), sum(v([1, n / 2, n])));
    end
    """
    result = bench.run(text, limit_s=280, FILEMPI_DEADLINE="250")
    assert "2200000000 6" in result.output, result.errors


def test_a_deadline_ends_a_wait_and_says_for_what(bench: Bench) -> None:
    text = "MPI_Init; comm = MPI_COMM_WORLD; if MPI_Comm_rank(comm) == 0, MPI_Recv(1, 42, comm); else, pause(5); end"
    result = bench.run(text, FILEMPI_DEADLINE="1", limit_s=20)
    assert result.status == 1
    assert "waited 1 s for a message from rank 1 with tag 42" in result.errors


WAITS = """
MPI_Init; comm = MPI_COMM_WORLD;
if MPI_Comm_rank(comm) == 0
    waits = {@() MPI_Recv(1, 1, comm), @() MPI_Recv('*', '*', comm), @() MPI_Wait(MPI_Irecv(1, 2, comm)), ...
             @() MPI_Sendrecv(1, 3, 1, 3, comm, 'a'), @() MPI_Barrier(comm), @() MPI_Bcast(1, 4, comm), ...
             @() MPI_Scatter(1, 5, comm, {}), @() MPI_Gather(0, 6, comm, 1), @() MPI_Allgather(7, comm, 1), ...
             @() MPI_Reduce(0, 8, comm, 1), @() MPI_Allreduce(9, comm, 1), @() MPI_Alltoall(10, comm, {1, 2})};
    for k = 1:numel(waits)
        try
            waits{k}();
        catch problem
            printf('%s\\n', problem.identifier);
        end
    end
    fclose(fopen('over', 'w'));
elseif strcmp(getenv('HOLD'), '1')
    while ~exist('over', 'file'), pause(0.01); end
end
"""


@pytest.mark.parametrize(("hold", "raised"), [("0", "MPI:peerLost"), ("1", "MPI:timeout")])
@pytest.mark.parametrize("transport", ["stream", "file"])
def test_every_wait_ends_by_its_deadline_or_when_the_peer_is_lost(
    bench: Bench, transport: str, hold: str, raised: str
) -> None:
    result = bench.run(WAITS, HOLD=hold, FILEMPI_DEADLINE="30" if hold == "0" else "0.1", FILEMPI_TRANSPORT=transport)
    assert re.findall(r"^MPI:\w+", result.output, re.MULTILINE) == [raised] * 12, result.errors


POLLS = {
    "probe": "while isempty(MPI_Probe(1, '*', comm)), pause(0.001); end",
    "probe any": "while isempty(MPI_Probe('*', 4, comm)), pause(0.001); end",
    "test": "q = MPI_Irecv(1, 5, comm); while ~MPI_Test(q), pause(0.001); end",
    "send small": "while true, MPI_Send(1, 1, comm, 1); end",
    "send matrices": "while true, MPI_Send(1, 1, comm, ones(30)); end",
    "send texts": "while true, MPI_Send(1, 1, comm, 'some text'); end",
    "send large": "for k = 1:200, MPI_Send(1, 1, comm, ones(1, 1e5)); pause(0.02); end",
    "send large texts": "for k = 1:200, MPI_Send(1, 1, comm, repmat('x', 1, 1e5)); pause(0.02); end",
}


@pytest.mark.parametrize("poll", POLLS)
@pytest.mark.parametrize(("end", "raised"), [("error('the reason');", "peerLost"), ("MPI_Abort;", "aborted")])
def test_who_asks_or_sends_without_waiting_hears_of_the_end(bench: Bench, poll: str, end: str, raised: str) -> None:
    result = bench.run(
        f"MPI_Init; comm = MPI_COMM_WORLD; if MPI_Comm_rank(comm) == 1, {end} end;\n"
        f"try, {POLLS[poll]}; catch problem, printf('%s\\n', problem.identifier); end"
    )
    assert f"MPI:{raised}" in result.output, result.errors


def test_who_asks_for_a_rank_that_ended_well_hears_nothing(bench: Bench) -> None:
    result = bench.run(
        "MPI_Init; comm = MPI_COMM_WORLD; if MPI_Comm_rank(comm) == 0, q = MPI_Irecv(1, 5, comm); pause(1);"
        "disp([isempty(MPI_Probe(1, '*', comm)), isempty(MPI_Probe('*', '*', comm)), MPI_Test(q)]); end"
    )
    assert result.output.split() == ["1", "1", "0"], result.errors


def test_asking_whether_a_message_is_there_leaves_it_there(bench: Bench) -> None:
    result = bench.run(
        "MPI_Init; comm = MPI_COMM_WORLD; if MPI_Comm_rank(comm) == 1, MPI_Send(0, 5, comm, 'precious'); return; end\n"
        "q = MPI_Irecv(1, '*', comm); while ~MPI_Test(q), pause(0.01); end; MPI_Test(q), disp(MPI_Wait(q));\n"
        "try, MPI_Wait(q); catch problem, disp(problem.identifier); end"
    )
    assert result.output.split() == ["ans", "=", "1", "precious", "MPI:badRequest"], result.errors
    assert "warning" not in result.errors


MISUSE = {
    "clear all; MPI_Init;": "MPI:cleared",
    "MPI_Init; MPI_Finalize; MPI_Init;": "MPI:finalized",
    "MPI_Init; comm = MPI_COMM_WORLD; MPI_Finalize; MPI_Send(0, 1, comm, 1);": "MPI:finalized",
    "MPI_Init; comm = MPI_COMM_WORLD; MPI_Finalize; MPI_Recv(0, 1, comm);": "MPI:finalized",
    "MPI_Init; r = MPI_Comm_rank(MPI_COMM_WORLD); MPI_Map(@sin, 1:3);": "MPI:badInputs",
    "MPI_Init; r = MPI_Comm_rank(MPI_COMM_WORLD); MPI_Map(@sin, {1, containers.Map()});": "MPI:cannotCarry inputs{2}",
    "MPI_Init; MPI_Bcast(0, 1, [], 1);": "MPI:badComm",
    "MPI_Comm_size([]);": "MPI:badComm",
    "MPI_Comm_rank(7);": "MPI:badComm",
    "MPI_Wait([]);": "MPI:badRequest",
}


@pytest.mark.parametrize("program", MISUSE)
@pytest.mark.parametrize("ranks", [1, 2])
def test_misuse_is_told_by_its_name(bench: Bench, program: str, ranks: int) -> None:
    """On every rank that can know of it; a worker of MPI_Map ends well, and at once."""
    identifier, *rest = MISUSE[program].split(" ")
    result = bench.run(
        f"try, {program} catch problem, printf('%s %s\\n', problem.identifier, problem.message); end", ranks=ranks
    )
    assert result.status == 0, result.errors
    assert result.output.count(identifier) == (1 if "MPI_Map" in program else ranks), result.output
    assert all(word in result.output for word in rest)


def test_a_reduction_of_one_rank_has_the_class_of_any_other(bench: Bench) -> None:
    bench.program(
        "program",
        "MPI_Init; comm = MPI_COMM_WORLD; said = '';\n"
        "for pair = {{5, 'and'}, {true, 'sum'}, {true, 'max'}, {int8(3), 'prod'}, {single(2), '+'}, {'a', 'sum'}}\n"
        "said = [said, class(MPI_Allreduce(1, comm, pair{1}{:})), ' ']; end\n"
        "if MPI_Comm_rank(comm) == 0, disp(said); end",
    )
    result = bench.octave("for n = 1:3, eval(MPI_Run('program', n, {})); end")
    lines = result.output.splitlines()
    assert len(lines) == 3, result.errors
    assert len(set(lines)) == 1, lines


def test_bags_of_tasks_one_after_the_other_do_not_mix(bench: Bench) -> None:
    """A worker may ask for a task of the first bag when that is empty already."""
    result = bench.run(
        "MPI_Init; comm = MPI_COMM_WORLD; r = {};\n"
        "for k = 1:20, r{k} = MPI_Map(@(x) x + k, num2cell(1:2)); end\n"
        f"{INSIDE}\n"
        "if MPI_Comm_rank(comm) == 0, disp(isequal(r, arrayfun(@(k) {1 + k, 2 + k}, 1:20, 'UniformOutput', false)));\n"
        "disp(numel(find_unexpected('*', '*', comm, 3, true)) < 60); end",
        ranks=4,
    )
    assert result.output.split() == ["1", "1"], result.errors


def test_a_blocked_rank_sleeps(bench: Bench) -> None:
    """How little it uses of a core, ``benchmarks/filempi.py`` tells; on a busy computer the same looks cost more."""
    text = """
    MPI_Init; comm = MPI_COMM_WORLD;
    if MPI_Comm_rank(comm) == 0
        pause(4); MPI_Send(1, 1, comm, 1);
    else
        before = cputime(); MPI_Recv(0, 1, comm); printf('share %.4f\\n', (cputime() - before) / 4);
    end
    """
    result = bench.run(text)
    found = re.search(r"share ([\d.]+)", result.output)
    assert found is not None, result.errors
    assert float(found[1]) < 0.2


def test_the_task_bag_retries_what_failed_and_survives_a_dead_rank(bench: Bench) -> None:
    text = """
    MPI_Init; comm = MPI_COMM_WORLD;
    flag = [pwd() '/died'];
    results = MPI_Map(@(x) fragile_task(x, flag), num2cell(1:12));
    if MPI_Comm_rank(comm) == 0, printf('%s\\n', mat2str([results{:}])); end
    MPI_Finalize;
    """
    bench.program(
        "fragile_task",
        "function y = fragile_task(x, flag)\n"
        "if x == 5 && ~exist(flag, 'file'), fclose(fopen(flag, 'w')); kill(getpid(), 9); end\n"
        "if x == 7 && ~exist([flag '7'], 'file'), fclose(fopen([flag '7'], 'w')); error('first try'); end\n"
        "y = x * x;\nend\n",
    )
    result = bench.run(text, ranks=3)
    assert "[1 4 9 16 25 36 49 64 81 100 121 144]" in result.output, result.errors + result.output
    assert "killed by signal 9" in result.errors, "that a rank died is not hidden"


def test_a_task_that_always_fails_is_named(bench: Bench) -> None:
    text = """
    MPI_Init; comm = MPI_COMM_WORLD;
    MPI_Map(@(x) 1 / (x ~= 3) * error_if_three(x), {1, 2, 3});
    """
    bench.program("error_if_three", "function y = error_if_three(x)\nif x == 3, error('three!'); end\ny = x;\nend\n")
    result = bench.run(text, ranks=2)
    assert result.status == 1
    assert "Task 3: three!" in result.errors, result.errors


def test_a_job_folder_that_others_may_enter_is_refused(bench: Bench) -> None:
    modes = [0o770, 0o707, 0o755, 0o700]
    for mode in modes:
        (bench.work / f"{mode}").mkdir()
        (bench.work / f"{mode}").chmod(mode)
    result = bench.octave(
        f"{INSIDE} for mode = {modes}, try, check_private_folder(sprintf('%d', mode)); disp('taken'); "
        "catch e, disp(e.identifier); end; end"
    )
    assert result.output.split() == ["MPI:insecure"] * 3 + ["taken"], result.errors


def test_a_job_folder_that_is_a_link_or_of_another_user_is_refused(bench: Bench) -> None:
    real = bench.work / "real"
    real.mkdir(mode=0o700)
    (bench.work / "link").symlink_to(real)
    check = INSIDE + "check_private_folder(getenv('PLACE'))"
    assert "refused" in bench.octave(check, PLACE=str(bench.work / "link")).errors
    if os.geteuid() == 0:
        os.chown(real, 12345, 12345)
        assert "refused" in bench.octave(check, PLACE=str(real)).errors


def test_the_folders_of_a_running_job_are_private(bench: Bench) -> None:
    text = "MPI_Init; comm = MPI_COMM_WORLD; MPI_Barrier(comm); pause(0.2);"
    bench.program("program", text)
    process = bench.start("eval(MPI_Run('program', 2, {}))")
    seen = 0
    while process.poll() is None:
        for folder in bench.jobs.glob("filempi-*"):
            try:
                facts = folder.stat()
            except FileNotFoundError:
                continue
            assert stat.S_IMODE(facts.st_mode) == 0o700
            seen += 1
    assert seen > 0
    bench.finish(process)


def test_a_message_file_cannot_set_variables_or_run(bench: Bench) -> None:
    """A file with foreign variables in the place of a message gives none of them to the program."""
    text = f"""{INSIDE}
    v = 5; h = 1; comm = 'hijacked'; name = [getenv('FILEMPI_DIR') '/m'];
    save('-v6', name, 'v', 'h', 'comm');
    clear comm v h
    [values, header] = read_message(name);
    printf('%d %d %d\\n', values, header, exist('comm', 'var'));
    unlink(name);
    """
    bench.program("inject", text)
    assert "5 1 0" in bench.octave("inject").output


LETTERS = st.characters(blacklist_categories=["Cs"], blacklist_characters="\0")


@given(st.lists(st.text(LETTERS, max_size=20), max_size=8))
@settings(max_examples=5, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_quoting_gives_a_shell_exactly_the_text(bench: Bench, texts: list[str]) -> None:
    (bench.work / "texts").write_bytes(b"\0".join(text.encode() for text in [*texts, "it's $x `y`"]))
    program = INSIDE + (
        "t = strsplit(fileread('texts'), char(0), 'CollapseDelimiters', false); "
        "q = cellfun(@shell_quote, t, 'UniformOutput', false); "
        "f = fopen('quoted', 'w'); fwrite(f, strjoin(q, ' ')); fclose(f);"
    )
    assert bench.octave(program).status == 0
    line = (bench.work / "quoted").read_bytes()
    said = subprocess.run(
        [b"sh", b"-c", b"for t in " + line + b'; do printf "%s\\0" "$t"; done'], capture_output=True, check=True
    ).stdout
    assert said == (bench.work / "texts").read_bytes() + b"\0"


def test_the_toolbox_and_the_worker_are_clean_under_miss_hit() -> None:
    places = [str(TOOLBOX.parents[1] / place) for place in ("matlab", "src/msgauge/workers/octave")]
    tools = (["mh_lint"], ["mh_style"], ["mh_metric", "--ci"])
    commands = [[str(Path(sys.executable).parent / tool[0]), *tool[1:], *places] for tool in tools]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for command in commands]
    for process, command in zip(running, commands, strict=True):
        said, _ = process.communicate()
        assert process.returncode == 0, said[-3000:]
        assert "everything seems fine" in said or "mh_metric" in command[0], said[-3000:]
