"""What programs for MatlabMPI, OctaveMPI and pMatlab rely on beside the calls: names, machines, outputs, pictures."""

from __future__ import annotations

import os
import re
import time
from pathlib import Path

from filempi_bench import Bench

OCTAVE_MPI = """
MPI_Init; comm = MPI_COMM_WORLD;
comm = OctMPI_Save_messages(comm, 0);
OctMPI_Sleep; MatMPI_Sleep;
db = comm.machine_db;
printf('rank %d on %s of %d in %s, group %s\\n', comm.rank, db.machine{comm.machine_id(comm.rank + 1)}, ...
       db.n_machine, db.type{1}, mat2str(comm.group));
printf('ranks %d to %d, %d of them, %s\\n', db.id_start(1), db.id_stop(1), db.n_proc(1), class(db.dir{1}));
disp(OctMPI_Host_rank(comm));
MPI_Finalize;
disp('after the end');
if comm.rank ~= OctMPI_Host_rank(comm)
    exit;
end
"""


def test_the_names_of_octave_mpi_and_the_fields_of_a_communicator(bench: Bench) -> None:
    result = bench.run(OCTAVE_MPI, ranks=2)
    assert result.status == 0, result.errors
    host = os.uname().nodename
    for rank in range(2):
        assert f"rank {rank} on {host} of 1 in unix, group [0 1]" in result.output
    assert result.output.count("ranks 1 to 2, 2 of them, char") == 2
    assert result.output.count("after the end") == 2
    assert bench.octave("OctMPI_Delete_all").status == 0
    assert not (bench.work / "MatMPI").exists()


def test_finalize_ends_the_workers_when_it_is_set_so(bench: Bench) -> None:
    result = bench.run(OCTAVE_MPI, ranks=2, FILEMPI_FINALIZE="exit")
    assert result.status == 0, result.errors
    assert result.output.count("after the end") == 1


def test_machines_as_the_original_writes_them(bench: Bench, stand_in_for_ssh: Path) -> None:
    """Ranks are dealt out in blocks; a PC is refused by reason, and so is what is no machine."""
    (bench.work / "sub").mkdir()
    text = "MPI_Init; d = MPI_COMM_WORLD.machine_db; printf('%s ', d.machine{:}); disp(MPI_COMM_WORLD.machine_id);"
    bench.program("program", text)
    result = bench.octave(
        "eval(MPI_Run('program', 3, {'localhost:unix', ['far:unix:' pwd() '/sub']})); "
        "for m = {'far:pc', 'far&:pc:C:\\tmp', 'a;b'}, "
        "try, MPI_Run('program', 2, m); catch e, disp(e.message); end; end",
        PATH=f"{stand_in_for_ssh}:{os.environ['PATH']}",
    )
    assert len(re.findall(r"localhost far +1 +1 +2", result.output)) == 3, result.errors + result.output
    assert result.output.count("is a PC under Windows") == 2
    assert (bench.work / "sub").exists()
    assert "no valid host name" in result.output


UNIT_TEST = """
MPI_Run('program', 3, {'localhost&'});
done = 0;
for k = 1:200
    pause(0.05);
    [~, said] = system('grep SUCCESS ./MatMPI/program.*.out | wc -l');
    done = str2num(said);
    if done == 3, break; end
end
printf('%d of 3 are done\\n', done);
MatMPI_Delete_all;
"""


def test_a_job_in_the_background_writes_what_a_unit_test_greps(bench: Bench) -> None:
    bench.program("program", "MPI_Init; MPI_Barrier(MPI_COMM_WORLD); disp('SUCCESS');")
    bench.program("unit", UNIT_TEST)
    result = bench.octave("unit; unit;")
    assert result.output.count("3 of 3 are done") == 2, result.errors + result.output
    assert bench.left() == []


LATE_OUTPUT = """
function varargout = rmdir(varargin)
    persistent calls
    calls = [calls, 1];
    if numel(calls) == 1
        fclose(fopen('MatMPI/program.1.out', 'w'));
    end
    [varargout{1:nargout}] = builtin('rmdir', varargin{:});
end
"""


def test_all_is_deleted_though_a_job_that_ends_still_puts_its_outputs_there(bench: Bench) -> None:
    """As its keeper does: here just before the folder itself is removed."""
    bench.program("program", "MPI_Init; MPI_Barrier(MPI_COMM_WORLD);")
    bench.program("rmdir", LATE_OUTPUT)
    result = bench.octave("eval(MPI_Run('program', 2, {})); MatMPI_Delete_all; disp(exist('MatMPI', 'dir'));")
    assert result.output.endswith("0\n"), result.errors + result.output


def test_a_job_in_the_background_is_ended_by_abort(bench: Bench) -> None:
    bench.program("program", "MPI_Init; disp('on'); fflush(stdout); pause(60);")
    result = bench.octave(
        "MPI_Run('program', 2, {'localhost&'}); while exist('MatMPI/program.1.out', 'file') ~= 2, pause(0.05); end; "
        "pause(0.5); MPI_Abort; disp('ended')"
    )
    assert "ended" in result.output, result.errors
    assert bench.ranks() == {}
    assert "on" in (bench.work / "MatMPI" / "program.1.out").read_text()


def test_output_stands_in_a_file_while_the_program_runs(bench: Bench) -> None:
    hold = "if MPI_COMM_WORLD.rank == 1, while exist('go', 'file') ~= 2, pause(0.05); end; end;"
    text = f"MPI_Init; printf('begun\\n'); {hold} disp('over');"
    bench.program("program", text)
    process = bench.start("eval(MPI_Run('program', 2, {}))")
    log = bench.work / "MatMPI" / "program.1.out"
    until = time.monotonic() + 20
    while time.monotonic() < until and not (log.exists() and log.read_text() == "begun\n"):
        time.sleep(0.02)
    assert log.read_text() == "begun\n"
    (bench.work / "go").touch()
    assert bench.finish(process).status == 0
    assert log.read_text() == "begun\nover\n"
    assert not log.is_symlink()


def test_the_folder_of_logs_is_made_or_its_lack_is_said(bench: Bench) -> None:
    text = "MPI_Init; disp('here');"
    result = bench.run(text, FILEMPI_LOGS="new folder")
    assert result.status == 0, result.errors
    assert (bench.work / "new folder" / "program.1.out").read_text() == "here\n"
    (bench.work / "a file").touch()
    result = bench.run(text, FILEMPI_LOGS="a file/logs")
    assert "The folder of logs a file/logs (FILEMPI_LOGS) is not there and cannot be made" in result.errors
    assert bench.run(text, FILEMPI_LOGS="off").status == 0
    assert not (bench.work / "MatMPI").exists()


def test_an_error_of_ssh_reads_as_ssh_s(bench: Bench, stand_in_for_ssh: Path) -> None:
    refusal = "ssh: connect to host far port 22: No route to host"
    (stand_in_for_ssh / "ssh").write_text(f"#!/bin/sh\necho '{refusal}' >&2\nexit 255\n")
    bench.program("program", "MPI_Init; if MPI_COMM_WORLD.rank == 0, MPI_Recv(1, 1, MPI_COMM_WORLD); end")
    result = bench.octave(
        "eval(MPI_Run('program', 2, {'localhost', 'far'}))", PATH=f"{stand_in_for_ssh}:{os.environ['PATH']}"
    )
    assert result.status == 1
    assert "ssh to far failed with exit status 255" in result.errors
    assert refusal in result.errors


FUNCTIONS = """
MPI_Init; comm = MPI_COMM_WORLD; me = comm.rank; a = 3; inner = {@(x) x + a};
warning('off', 'Octave:legacy-function');
if me == 0
    MPI_Send(1, 1, comm, @(x) inner{1}(x) * a, @sin, inline('x^2 + y', 'x', 'y'), {struct('f', @(y) [y, a])});
    MPI_Bcast(0, 2, comm, @(n) magic(n));
    for bad = {containers.Map(), {1, local_handle()}}
        try, MPI_Send(1, 3, comm, 1, bad); catch e, printf('%s: %s\\n', e.identifier, e.message); end
    end
else
    clear a inner
    [f, g, h, s] = MPI_Recv(0, 1, comm);
    m = MPI_Recv(0, 2, comm);
    printf('%g ', f(1), g(pi / 2), h(3, 2), s{1}.f(9), m(2)); printf('%s %s', class(h), func2str(g));
end
"""


def test_function_handles_and_inline_functions_travel(bench: Bench) -> None:
    bench.program("local_handle", "function h = local_handle()\n    h = @inside;\nend\n\nfunction inside()\nend\n")
    for transport in ("stream", "file"):
        result = bench.run(FUNCTIONS, FILEMPI_TRANSPORT=transport)
        assert "12 1 11 9 3 4 1 3 2 inline sin" in result.output, result.errors + result.output
        assert "MPI:cannotCarry: value 2{1} is of class containers.Map" in result.output
        assert re.search(r"MPI:cannotCarry: value 2\{1\}\{2\} is a handle of the function \S*inside", result.output)


def test_a_program_that_draws_runs_without_a_display(bench: Bench) -> None:
    text = (
        "MPI_Init; figure(1); clf; set(gcf, 'Name', 'n'); h = imagesc(magic(3)); set(h, 'CData', magic(4));"
        "axis('square', 'off'); for k = 1:3, imagesc(k * magic(3)); drawnow; end;"
        "figure; plot(1:3, 'o'); hold on; plot(3:5); title('t'); disp('drawn');"
    )
    result = bench.run(text, ranks=2, DISPLAY="", WAYLAND_DISPLAY="")
    assert result.output.count("drawn") == 2, result.errors
    if "has no display" in result.errors:
        kept = sorted(path.name for path in (bench.work / "MatMPI").glob("figure.*.mat"))
        assert kept == [f"figure.{rank}.{number}.mat" for rank in (0, 1) for number in (1, 2)]
        names = bench.octave(
            "for k = 1:2, x = load(sprintf('MatMPI/figure.1.%d.mat', k)); "
            "for c = x.drawing, printf('%s ', c{1}{2}); end; end"
        )
        assert names.output.split() == ["imagesc", "plot", "hold", "plot", "title"], names.errors
        assert bench.octave("MatMPI_Delete_all").status == 0
        assert not (bench.work / "MatMPI").exists()


def test_settings_that_were_written_for_the_original_do_no_harm(bench: Bench, stand_in_for_ssh: Path) -> None:
    """The owner's copy of the original's file, in the working folder: its remote command is taken."""
    (stand_in_for_ssh / "rsh").write_text((stand_in_for_ssh / "ssh").read_text().replace("shift 2", "shift"))
    (stand_in_for_ssh / "rsh").chmod(0o755)
    bench.program(
        "MatMPI_Comm_settings",
        "function s = MatMPI_Comm_settings\ns.type = 'unix'; s.matlab_command = ' matlab -nojvm ';"
        "s.remote_launch = ' rsh '; s.remote_flags = ' -n ';\nend\n",
    )
    bench.program("program", "MPI_Init; x = MPI_Bcast(0, 1, MPI_COMM_WORLD, 5); disp(x); MPI_Finalize;")
    result = bench.octave(
        "eval(MPI_Run('program', 3, {'localhost', 'far'})); MatMPI_Delete_all; disp(pwd())",
        PATH=f"{stand_in_for_ssh}:{os.environ['PATH']}",
        HOSTLOG=str(bench.work / "hosts.txt"),
    )
    assert len(re.findall(r"\b5$", result.output, re.MULTILINE)) == 3, result.errors
    assert "far sh" in (bench.work / "hosts.txt").read_text()
    assert result.output.strip().endswith(str(bench.work))
