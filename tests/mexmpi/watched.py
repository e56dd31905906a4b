"""The functions of mexmpi under watch: each compares all variables of its caller before and after the call."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from mexmpi_jobs import TOOLBOX

INTO = frozenset({"Recv_into", "Bcast_into", "Allreduce_into"})
"""They write the variable that is named: here one of the watch, which shares its memory with the caller's."""
WATCHED = """function varargout = MPI_{name}(varargin)
    watched_before = evalin('caller', 'told_workspace()');
    held_values('MPI_{name}', varargin({places}({places} <= nargin)));
    unwind_protect
        {call}
    unwind_protect_cleanup
        watched_call('{name}', {places}, varargin, watched_before, evalin('caller', 'told_workspace()'));
    end_unwind_protect
    held_values('MPI_{name}', varargout);
    {afterwards}
end
"""
CALL = "[varargout{{1:nargout}}] = mexmpi_call('MPI_{name}', varargin{{:}});"
TAKE = """if isvarname(varargin{{1}}) && evalin('caller', ['exist(''', varargin{{1}}, ''', ''var'')'])
            eval([varargin{{1}}, ' = evalin(''caller'', varargin{{1}});']);
        end
        """
GIVE = "assignin('caller', varargin{1}, eval(varargin{1}));"


def array_places() -> dict[str, list[int]]:
    """Of each function of the table the places of its arguments, from 1, that are arrays or any values."""
    places = {}
    for name, inputs in re.findall(r"^([A-Z]\w+) \|([^|]*)\|", (TOOLBOX / "table" / "functions.txt").read_text(), re.M):
        kinds = [re.split("[:=]", word)[1] for word in inputs.split()]
        places[name] = [place for place, kind in enumerate(kinds, 1) if kind in ("array", "value")]
    return places


def write_watches(folder: Path, functions: Mapping[str, list[int]]) -> None:
    """A function of the same name for each; the folder goes on the path before the build."""
    for name, places in functions.items():
        call = (TAKE if name in INTO else "").format() + CALL.format(name=name)
        text = WATCHED.format(name=name, call=call, places=places, afterwards=GIVE if name in INTO else "")
        (folder / f"MPI_{name}.m").write_text(text)
