"""The functions as MPI-TB had them: ``[info, ...] = MPI_X(...)``, the receive buffer as a further output.

Most have the arguments of ours. The others stand in SHAPES: their inputs, what is called with which of them, their outputs.
An output in capitals is the value received, brought into the shape of the input of that name. MPI-TB wrote it into the
variable that the caller gives: so does each function that is called without that output, where mpitb_named is sure of it.
What was begun by MPI_Irecv is written by the function that completes it (LANDINGS), in the same workspace, which is marked.
Those BY_HAND are no calls of ours with other arguments: they stand in ``compat/mpitb`` as they are.
"""

# ruff: noqa: E501 (lines of C++ and of help texts)

from __future__ import annotations

from typing import Protocol


class Named(Protocol):
    """An argument of the table."""

    name: str


class TableRow(Protocol):
    """What is needed of a row of the table."""

    name: str
    former: str
    inputs: tuple[Named, ...]
    outputs: tuple[Named, ...]


# name: (inputs, inputs of ours, outputs of ours in order, outputs after info)
SHAPES = {
    "Abort": ("comm, errcode", "errcode, comm", "", ""),
    "Allgather": ("svar, rvar, comm", "svar, comm", "RVAR", "RVAR"),
    "Allgatherv": ("svar, rvar, cnts, disps, comm", "svar, cnts, comm", "RVAR", "RVAR"),
    "Allreduce": ("svar, rvar, op, comm", "svar, op, comm", "RVAR", "RVAR"),
    "Alltoall": ("svar, rvar, srcnt, comm", "svar, comm", "RVAR", "RVAR"),
    "Alltoallv": ("svar, scnts, sdisps, rvar, rcnts, rdisps, comm", "svar, scnts, rcnts, comm", "RVAR", "RVAR"),
    "Bcast": ("var, root, comm", "var, root, comm", "VAR", "VAR"),
    "Buffer_attach": ("buf", "numel(typecast(buf(:), 'uint8'))", "", ""),
    "Buffer_detach": ("", "", "bytes", ""),
    "Errhandler_create": ("fcn", "fcn", "eh", "eh"),
    "Gather": ("svar, rvar, root, comm", "svar, root, comm", "RVAR", "RVAR"),
    "Gatherv": ("svar, rvar, cnts, disps, root, comm", "svar, cnts, root, comm", "RVAR", "RVAR"),
    "Get_count": ("stat", "stat", "count", "count"),
    "Info_get": ("inf, key", "inf, key", "val, flag", "flag, val"),
    "Irecv": ("buf, src, tag, comm", "src, tag, comm", "req", "req"),
    "Keyval_create": ("copy_fn, del_fn, extra_st", "", "kv", "kv"),
    "Lookup_name": ("svc, inf", "svc, inf", "port", "port"),
    "Publish_name": ("svc, inf, port", "svc, inf, port", "", ""),
    "Recv": ("buf, src, tag, comm", "src, tag, comm", "BUF, stat", "stat, BUF"),
    "Recv_init": ("buf, src, tag, comm", "buf, src, tag, comm", "req", "req"),
    "Reduce": ("svar, rvar, op, root, comm", "svar, op, root, comm", "RVAR", "RVAR"),
    "Reduce_scatter": ("svar, rvar, cnts, op, comm", "svar, cnts, op, comm", "RVAR", "RVAR"),
    "Scan": ("svar, rvar, op, comm", "svar, op, comm", "RVAR", "RVAR"),
    "Scatter": ("svar, rvar, root, comm", "svar, root, comm", "RVAR", "RVAR"),
    "Scatterv": ("svar, cnts, disps, rvar, root, comm", "svar, cnts, root, comm", "RVAR", "RVAR"),
    "Sendrecv": (
        "sbuf, dest, stag, rbuf, src, rtag, comm",
        "sbuf, dest, stag, src, rtag, comm",
        "RBUF, stat",
        "stat, RBUF",
    ),
    "Sendrecv_replace": (
        "buf, dest, stag, src, rtag, comm",
        "buf, dest, stag, src, rtag, comm",
        "BUF, stat",
        "stat, BUF",
    ),
    "Start": ("req", "req", "", ""),
    "Startall": ("varargin", "mpitb_list(varargin)", "", ""),
    "Test": ("req", "req", "flag, value, stat", "flag, stat, value"),
    "Test_cancelled": ("stat", "stat", "flag", "flag, stat"),
    "Testall": ("varargin", "mpitb_list(varargin)", "flag, values, stats", "flag, stats, values"),
    "Testany": ("varargin", "mpitb_list(varargin)", "flag, idx, value, stat", "idx - 1, flag, stat, value"),
    "Testsome": ("varargin", "mpitb_list(varargin)", "idxs, values, stats", "idxs - 1, stats, values"),
    "Unpublish_name": ("svc, inf, port", "svc, inf, port", "", ""),
    "Wait": ("req", "req", "value, stat", "stat, value"),
    "Waitall": ("varargin", "mpitb_list(varargin)", "values, stats", "stats, values"),
    "Waitany": ("varargin", "mpitb_list(varargin)", "idx, value, stat", "idx - 1, stat, value"),
    "Waitsome": ("varargin", "mpitb_list(varargin)", "idxs, values, stats", "idxs - 1, stats, values"),
    "Comm_spawn_multiple": (
        "cprg, carg, cnprc, cinf, root, comm",
        "cprg, carg, cnprc, root, comm",
        "children, errs",
        "children, errs",
    ),
}
BY_HAND = {"Get_elements", "Iprobe", "Pack", "Pack_size", "Probe", "Unpack"}
# name: (requests, which of them are complete, their values)
LANDINGS = {
    "Wait": ("req", "1", "{value}"),
    "Waitall": ("mpitb_list(varargin)", "1:numel(values)", "values"),
    "Waitany": ("mpitb_list(varargin)", "idx", "{value}"),
    "Waitsome": ("mpitb_list(varargin)", "idxs", "values"),
    "Test": ("req", "find(flag)", "{value}"),
    "Testall": ("mpitb_list(varargin)", "1:numel(values)", "values"),
    "Testany": ("mpitb_list(varargin)", "idx", "{value}"),
    "Testsome": ("mpitb_list(varargin)", "idxs", "values"),
}
PLAIN = {"Wtime": "secs", "Wtick": "res"}


def compat_file(row: TableRow) -> str:
    """The function file of one function of MPI-TB's."""
    name, native = f"MPI_{row.former}", f"MPI_{row.name}"
    if row.former in PLAIN:
        result = PLAIN[row.former]
        return f"function {result} = {name}()\n    % {name}  -  as MPI-TB had it.\n\n    {result} = mexmpi_call('{name}');\nend\n"
    if row.former not in SHAPES:
        return direct(name, native, [argument.name for argument in row.outputs])
    formal, actual, received, given = SHAPES[row.former]
    return shaped(name, native, (formal, actual, received, given), row.former)


def direct(name: str, native: str, outputs: list[str]) -> str:
    """The same arguments and outputs as ours, behind info."""
    result = f"[{', '.join(['info', *outputs])}]" if outputs else "info"
    lines = [f"function {result} = {name}(varargin)", f"    % {name}  -  as MPI-TB had it: {result} = {name}(...).", ""]
    lines += [f"    {result} = mpitb_call('{native}', {len(outputs)}, varargin{{:}});", "end", ""]
    return "\n".join(lines)


def shaped(name: str, native: str, shape: tuple[str, str, str, str], former: str) -> str:
    """Other arguments or outputs than ours."""
    formal, actual, received, given = shape
    outputs = [word.strip() for word in given.split(",") if word.strip()]
    results = [word.strip() for word in received.split(",") if word.strip()]
    names = [output_name(output) for output in outputs]
    head = f"[{', '.join(['info', *names])}]" if names else "info"
    call = f"[{', '.join(['info', *(word.lower() + '_' * word.isupper() for word in results)])}]" if results else "info"
    arguments = f", {actual}" if actual else ""
    lines = [
        f"function {head} = {name}({formal})",
        f"    % {name}  -  as MPI-TB had it: {head} = {name}({formal}).",
        "",
    ]
    lines.append(f"    {call} = mpitb_call('{native}', {len(results)}{arguments});")
    for word in results:
        if word.isupper():
            lines += written_by(word.lower(), formal, outputs.index(word) + 2)
    if former in LANDINGS:
        lines += landed_by(name, LANDINGS[former], len(outputs) + 1)
    if former == "Irecv":
        lines += [
            "    name = mpitb_named(1, nargin, true);",
            "    landing = mpitb_landing(req, name, ~isempty(name) && evalin('caller', sprintf('isglobal(''%s'')', name)));",
            "    if ~isempty(landing.mark)",
            "        assignin('caller', landing.mark, true);",
            "    end",
        ]
    lines += [
        f"    {output_name(output)} = {output};"
        for output in outputs
        if output != output_name(output) and not output.isupper()
    ]
    return "\n".join([*lines, "end", ""])


def written_by(word: str, formal: str, place: int) -> list[str]:
    """Lines that write a received value into the caller's variable, unless it is given out as the output of that place."""
    position = [argument.strip() for argument in formal.split(",")].index(word) + 1
    return [
        f"    name = mpitb_named({position}, nargin, nargout < {place});",
        "    if ~isempty(name)",
        f"        assignin('caller', name, mpitb_write({word}, {word}_));",
        "    end",
        f"    {word} = mpitb_fit({word}, {word}_);",
    ]


def landed_by(name: str, landing: tuple[str, str, str], place: int) -> list[str]:
    """Lines that write what MPI_Irecv has begun into the caller's variables, unless it is given out."""
    requests, complete, values = landing
    return [
        f"    landed = mpitb_landed({requests}, {complete}, {values});",
        f"    mpitb_land('{name}', nargout < {place});",
    ]


def output_name(output: str) -> str:
    """The name of an output that is given by an expression."""
    return output.removesuffix(" - 1").lower()
