"""Packed variables of MPI-TB's programs: into text, out of it by the names that they had, and how much room to make."""

# ruff: noqa: E501 (programs of Octave)

from __future__ import annotations

from mexmpi_jobs import Mpi
from test_mpi_tb import assert_run

KINDS = (
    "cmd = 'x = 1;'; A = magic(4); c = {1, 'two'}; none = []; yes = true; b = int8(-1); r = 1:5; s = single(2);"
    "sp = sparse(eye(3)); z = 1 + 2i; st.a = 1; st.b = {2}; names = {'cmd','A','c','none','yes','b','r','s','sp','z','st'};"
    "for k = 1:numel(names), kept.(names{k}) = eval(names{k}); end;"
)
PACKED = (
    "total = 0; for k = 1:numel(names), eval(['[info, sz] = MPI_Pack_size(' names{k} ', world);']); total += sz; end;"
    "msg = blanks(total); pos = 0;"
    "for k = 1:numel(names), eval(['info = MPI_Pack(' names{k} ',msg, pos, world);']); assert(info == 0); end;"
    "assert(ischar(msg) && pos == total && numel(msg) == total);"
)


def test_variables_go_into_text_and_come_out_by_their_names(mpi: Mpi) -> None:
    check = (
        "function check(msg, world, kept, names), pos = 0; [info, had] = MPI_Unpack(msg, pos, world);"
        "assert(all(info == 0) && numel(info) == 11 && pos == numel(msg)); assert(isequal(cellstr(had)', names));"
        "for k = 1:11, x = eval(names{k}); assert(isequal(x, kept.(names{k})) && strcmp(class(x), class(kept.(names{k})))); end; end;"
    )
    assert_run(mpi, f"{check} {KINDS} {PACKED} check(msg, world, kept, names);")


def test_names_that_are_given_take_so_many(mpi: Mpi) -> None:
    program = (
        "[info, had] = MPI_Unpack(msg, 0, world, 'one', 'two'); assert(isequal(info, [0 0]) && rows(had) == 2);"
        "assert(strcmp(one, kept.cmd) && isequal(two, kept.A)); pos = 0; MPI_Unpack(msg, pos, world, 'one');"
        "MPI_Unpack(msg, pos, world, 'three'); assert(isequal(three, kept.A)); cmd = 'a'; MPI_Unpack(msg, 0, cmd, world);"
        "assert(strcmp(cmd, kept.cmd)); [info, x, next] = MPI_Unpack(msg, pos, cmd, world); assert(isequal(x, kept.c) && next > pos);"
    )
    assert_run(mpi, f"{KINDS} {PACKED} {program}")


def test_a_message_of_packed_variables_is_received_by_a_probe(mpi: Mpi) -> None:
    program = (
        "if rank == 0, x = 1:3; [info, sz] = MPI_Pack_size(x, world); msg = blanks(sz); MPI_Pack(x, msg, 0, world);"
        "MPI_Send(msg, 1, 7, world); MPI_Send(magic(4), 1, 7, world); else, [info, stat] = MPI_Probe(0, 7, world);"
        "[info, elem] = MPI_Get_elements(stat, ''); buffer = blanks(elem); MPI_Recv(buffer, 0, 7, world);"
        "info = MPI_Unpack(buffer, 0, world); assert(info == 0 && isequal(x, 1:3)); flag = 0;"
        "while ~flag, [info, flag, stat] = MPI_Iprobe(0, 7, world); end; [info, elem] = MPI_Get_elements(stat, []); assert(elem == 16);"
        "y = zeros(4); [info, stat] = MPI_Recv(y, 0, 7, world); [info, elem] = MPI_Get_elements(stat, 1i); assert(elem == 8); end;"
    )
    assert_run(mpi, program)


def test_buffers_of_numbers_keep_class_and_shape(mpi: Mpi) -> None:
    program = (
        "d = zeros(5, 20); x = 'text'; pos = 8; d(1) = 3; MPI_Pack(x, d, pos, world); assert(isequal(size(d), [5 20]) && d(1) == 3);"
        "clear x; MPI_Unpack(d, 8, world); assert(strcmp(x, 'text')); [info, b, p] = MPI_Pack(x, [], 0, world);"
        "[info, b, p] = MPI_Pack(x, b, p, world); assert(numel(b) == p); [info, had] = MPI_Unpack(b, 0, world); assert(isequal(info, [0 0]));"
    )
    assert_run(mpi, program)


def test_what_does_not_fit_or_is_not_packed_is_told(mpi: Mpi) -> None:
    program = (
        "x = 1; b = blanks(10); pos = 0; info = MPI_Pack(x, b, pos, world); assert(info == MPI_ERR_TRUNCATE);"
        "assert(isequal(b, blanks(10)) && pos == 0); assert(MPI_Unpack(repmat('A', 1, 200), 0, world) == MPI_ERR_TRUNCATE);"
        "assert(MPI_Unpack(blanks(200), 0, world) == 0); s.b = blanks(200);"
        "try, MPI_Pack(x, s.b, 0, world); assert(false); catch e, assert(strcmp(e.identifier, 'mpi:badInput')); end;"
    )
    assert_run(mpi, program)
