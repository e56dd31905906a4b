"""No hang is silent: a long wait says for what, ranks that wait for each other raise MPI:deadlock, and no others do."""

from __future__ import annotations

import re

from filempi_bench import INSIDE, Bench

BEFORE = "MPI_Init; comm = MPI_COMM_WORLD; me = comm.rank; n = comm.size; "
CYCLES = {
    "a ring": "MPI_Recv(mod(me + 1, n), 3, comm);",
    "a rank and itself": "if me == 0, MPI_Recv(0, 1, comm); end",
    "all for any": "MPI_Send(mod(me + 1, n), 2, comm, me); MPI_Recv('*', 1, comm);",
    "a wrong tag": "if me == 0, MPI_Bcast(0, 1, comm, 5); MPI_Barrier(comm); else, MPI_Recv(0, 2, comm); end",
    "a request": "if me == 0, MPI_Wait(MPI_Irecv(1, 1, comm)); elseif me == 1, MPI_Recv(0, 'x', comm); end",
    "another folder": "other = MatMPI_Comm_dir(comm, pwd()); if me == 0, MPI_Send(1, 1, other, 1);"
    "MPI_Recv(1, 1, comm); elseif me == 1, MPI_Recv(0, 1, comm); end",
}


def test_ranks_that_wait_for_each_other_raise_at_once(bench: Bench) -> None:
    """Some of three ranks are in each cycle; all cycles run side by side, most of the time asleep."""
    running = {}
    for number, (name, text) in enumerate(CYCLES.items()):
        bench.program(f"cycle{number}", BEFORE + text)
        running[name] = bench.start(
            f"s = tic(); try, eval(MPI_Run('cycle{number}', 3, {{}})); "
            "catch e, printf('%s %d\\n%s\\n', e.identifier, toc(s) < 20, e.message); end"
        )
    said = {name: bench.finish(process, limit_s=90) for name, process in running.items()}
    for name, result in said.items():
        assert "MPI:deadlock 1" in result.output, (name, result)
        assert "rank 0 waits for a message from" in result.output, (name, result)
    assert "a message from 0 with tag 1 was sent by MPI_Bcast" in said["a wrong tag"].output
    assert "rank 2 waits" not in said["a request"].output


PATIENT = {
    "a token with long holds": "for k = 1:3, if me == mod(k, n), pause(0.8); for r = setdiff(0:n - 1, me),"
    "MPI_Send(r, k, comm, k); end; else, MPI_Recv(mod(k, n), k, comm); end; end",
    "a chain that starts late": "if me == 0, pause(1.5); MPI_Send(1, 1, comm, 1); else, MPI_Recv(me - 1, 1, comm);"
    "if me < n - 1, MPI_Send(me + 1, 1, comm, 1); end; end",
    "a prober": "if me == 0, s = tic(); while toc(s) < 1.5, MPI_Probe('*', 7, comm); pause(0.05); end;"
    "for r = 1:n - 1, MPI_Send(r, 1, comm, 1); end; else, MPI_Recv(0, 1, comm); end",
    "tasks": "r = MPI_Map(@(x) slow(x), {1, 2}, comm);",
    "many messages that do not match yet": "if me == 0, for k = 1:300, MPI_Send(1, k, comm, k); end; pause(1.2);"
    "MPI_Send(1, 999, comm, 1); elseif me == 1, MPI_Recv(0, 999, comm);"
    "for k = 300:-1:1, MPI_Recv(0, k, comm); end; end",
}


def test_ranks_that_wait_long_for_one_that_works_are_left_alone(bench: Bench) -> None:
    """Side by side, each over both transports in turn."""
    bench.program("slow", "function y = slow(x)\n    pause(1.2);\n    y = x;\nend\n")
    running = {}
    for number, (name, text) in enumerate(PATIENT.items()):
        bench.program(f"patient{number}", BEFORE + f"\n{text}\nMPI_Barrier(comm); printf('all well\\n');")
        running[name] = bench.start(
            "for t = {'stream', 'file'}, setenv('FILEMPI_TRANSPORT', t{1}); "
            f"eval(MPI_Run('patient{number}', 3, {{}})); end"
        )
    for name, process in running.items():
        result = bench.finish(process, limit_s=90)
        assert result.output.count("all well") == 6, (name, result)


def test_a_wait_that_may_still_end_is_no_deadlock(bench: Bench) -> None:
    """The decision on states as ranks publish them: wait, source and channel; taken in; sent on each channel; words."""
    states = {
        "'1 1 0\\n0 0 0\\n0 0 0 0\\nx', '1 0 0\\n0 0 0\\n0 0 0 0\\nx', ''": [0, 1],
        "'1 1 0\\n0 0 0\\n0 0 1 0\\nx', '1 0 0\\n0 0 0\\n0 0 0 0\\nx', ''": [],  # a message to 1 is under way
        "'1 1 0\\n0 0 0\\n0 0 1 0\\nx', '1 0 0\\n1 0 0\\n0 0 0 0\\nx', ''": [
            0,
            1,
        ],  # it was taken in, and does not match
        "'1 1 0\\n0 0 0\\n5 0 1 0\\nx', '1 0 0\\n0 0 0\\n0 0 0 0\\nx', ''": [0, 1],  # it went another way
        "'1 -1 0\\n0 0 0\\n0 0 0 0\\nx', '1 0 0\\n0 0 0\\n0 0 0 0\\nx', ''": [],  # rank 2 may send to 0
        "'1 -1 0\\n0 0 0\\n0 0 0 0\\nx', '1 0 0\\n0 0 0\\n0 0 0 0\\nx', 'ended'": [0, 1],  # and it has ended
        "'1 2 0\\n0 0 0\\n0 0 0 0\\nx', '1 0 0\\n0 0 0\\n0 0 0 0\\nx', 'ended'": [],  # an error of another kind
        "'1 2 0\\n0 0 0\\n0 0 0 0\\nx', '1 0 0\\n0 0 0\\n0 0 0 0\\nx', '1 1 0\\n0 0 0\\n0 0 0 0\\nx'": [0, 1, 2],
        "'1 2 0\\n0 0 0\\n0 0 0 0\\nx', '1 0 0\\n0 0 0\\n0 0 0 0\\nx', ''": [],
        "'1 0 0\\n0 0 0\\n0 0 0 0\\nx', '', ''": [0],
        "'1 1 0\\n0 0', '1 0 0\\n0 0 0\\n0 0 0 0\\nx', ''": [],  # half written
    }
    calls = "".join(
        f"printf('%s;', mat2str(stuck_ranks(cellfun(@(t) sprintf(strrep(t, '\\n', char(10))), {{{text}}}, "
        "'UniformOutput', false)))); "
        for text in states
    )
    result = bench.octave(INSIDE + calls)
    found = [
        [int(number) for number in re.findall(r"\d+", part)]
        for part in re.sub(r"zeros\(\d,\d\)", "", result.output).split(";")
    ]
    assert found[:-1] == list(states.values()), result.errors


def test_a_long_wait_says_once_for_what_and_what_is_there(bench: Bench) -> None:
    text = (
        "if me == 0, MPI_Bcast(0, 1, comm, 5); MPI_Send(1, 'other', comm, 1); pause(2.5); MPI_Send(1, 2, comm, 1);"
        "else, MPI_Recv(0, 2, comm); pause(0.5); end"
    )
    result = bench.run(BEFORE + text, FILEMPI_NOTICE="1")
    pattern = (
        r"\[filempi\] rank 1 has waited 1 s, since \d\d:\d\d:\d\d, for a message from rank 0 with tag 2\. There, and not "  # noqa: E501
        r"matching: a message from 0 with tag 1 was sent by MPI_Bcast or MPI_Mcast; a message from 0 with tag other was "  # noqa: E501
        r"sent by MPI_Send\."
    )
    assert result.status == 0, result.errors
    assert len(re.findall(rf"^{pattern}", result.errors, re.MULTILINE)) == 1, result.errors
    assert len(re.findall(rf"^\[rank 1\] {pattern}", result.output, re.MULTILINE)) == 1, result.output
