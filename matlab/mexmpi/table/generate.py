"""Make from the table what follows from it: the calls in C++, the help of each function, the reference page.

    python matlab/mexmpi/table/generate.py [--check]

The rows are in functions.txt and constants.txt, the examples in examples.m. With --check nothing is written; what differs
is named, and the exit status is 1. Nothing that is made here is edited by hand.
"""

# ruff: noqa: E501 (lines of C++ and of help texts)

from __future__ import annotations

import argparse
import re
import sys
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
TOOLBOX = HERE.parent
PAGE = TOOLBOX.parents[1] / "docs" / "reference" / "mexmpi.md"
SYMBOLS = {
    "world": "start_objects().world",
    "self": "start_objects().self",
    "null": "0",
    "shared": "MPI_COMM_TYPE_SHARED",
    "seekset": "MPI_SEEK_SET",
}
FREEING = ("freecomm", "freegroup", "freeinfo", "freetype", "freeerrhandler", "committype")
MADE_BY_INIT = ("MAXLOC", "MINLOC")
"""Constants that are there from MPI_Init on; all others may be named before, as in C."""
OWN = ("mexmpi_call", "mexmpi_state", "mexmpi_debug")


@dataclass(frozen=True)
class Argument:
    """One input or output: name, kind, and how it is left out ('' when it cannot be)."""

    name: str
    kind: str
    default: str


@dataclass(frozen=True)
class Row:
    """One function of the table."""

    name: str
    section: str
    inputs: tuple[Argument, ...]
    outputs: tuple[Argument, ...]
    version: str
    former: str
    any_time: bool
    call: str
    meaning: str


def main() -> int:
    """Write, or with --check compare, all that follows from the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing; name what differs")
    options = parser.parse_args()
    made = generated()
    folder = TOOLBOX / "functions"
    compat = TOOLBOX / "compat" / "mpitb"
    stale = [path for place in (folder, compat) for path in place.glob("MPI_*.m") if path not in made]
    differing = [path for path, text in made.items() if not path.is_file() or path.read_text(encoding="utf-8") != text]
    if options.check:
        for path in [*stale, *differing]:
            sys.stderr.write(f"{path.relative_to(TOOLBOX.parents[1])} is not what the table makes\n")
        return 1 if stale or differing else 0
    for path in stale:
        path.unlink()
    for path in differing:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(made[path], encoding="utf-8")
    return 0


def generated() -> dict[Path, str]:
    """All files that follow from the table, with their text."""
    rows, constants, examples = read_rows(), read_constants(), read_examples()
    missing = [row.name for row in rows if row.name not in examples]
    unknown = set(examples) - {row.name for row in rows}
    if missing or unknown:
        raise SystemExit(f"examples.m: no example of {missing}; no such function: {sorted(unknown)}")
    made = {TOOLBOX / "source" / "generated" / "table.inc": native_table(rows, constants)}
    for row in rows:
        made[TOOLBOX / "functions" / f"MPI_{row.name}.m"] = help_file(row, examples[row.name])
    for name, kind, meaning in constants:
        made[TOOLBOX / "functions" / f"MPI_{name}.m"] = constant_file(name, kind, meaning)
    made[TOOLBOX / "functions" / "mexmpi_names.m"] = names_file(rows, constants)
    made.update(compat_files(rows))
    made[PAGE] = reference_page(rows, constants)
    return made


def read_rows() -> list[Row]:
    """The functions in the order of the table."""
    rows, section = [], ""
    for line in (HERE / "functions.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            section = line.strip("[]")
        elif line and not line.startswith("#"):
            rows.append(read_row(line, section))
    return rows


def read_row(line: str, section: str) -> Row:
    """One line of the table."""
    cells = [cell.strip() for cell in line.split(" | ")] if " | " in line else []
    if len(cells) != 6:
        cells = [cell.strip() for cell in re.split(r"\|", line)]
    if len(cells) != 6:
        raise SystemExit(f"functions.txt: not six cells: {line}")
    name, inputs, outputs, version, call, meaning = cells
    found = re.fullmatch(r"([\d.]+|\+)(\*(\w*))?(@?)", version)
    if found is None:
        raise SystemExit(f"functions.txt: no version: {line}")
    former = (found[3] or name) if found[2] else ""
    return Row(name, section, arguments(inputs), arguments(outputs), found[1], former, bool(found[4]), call, meaning)


def arguments(text: str) -> tuple[Argument, ...]:
    """NAME:KIND=DEFAULT ..."""
    made = []
    for word in text.split():
        name, _, rest = word.partition(":")
        kind, _, default = rest.partition("=")
        made.append(Argument(name, kind, default))
    return tuple(made)


def read_constants() -> list[tuple[str, str, str]]:
    """Name, kind, meaning of each constant."""
    lines = (HERE / "constants.txt").read_text(encoding="utf-8").splitlines()
    cells = [[cell.strip() for cell in line.split("|")] for line in lines if line and not line.startswith("#")]
    return [(name, kind, meaning) for name, kind, meaning in cells]


def read_examples() -> dict[str, str]:
    """The example of each function: what stands below its line ``%% MPI_NAME``."""
    parts = re.split(r"^%% MPI_(\w+)[^\n]*\n", (HERE / "examples.m").read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {name: text.strip("\n") for name, text in zip(parts[1::2], parts[2::2], strict=True)}


def native_table(rows: list[Row], constants: list[tuple[str, str, str]]) -> str:
    """The C++ side: a function for each row, and the sorted table of all."""
    lines = ["// Made from table/functions.txt and table/constants.txt by table/generate.py."]
    entries = {}
    for row in rows:
        lines += native_function(row)
        entries[row.name] = entry(row)
    for name, kind, _ in constants:
        lines += [f"static void call_{name}(Call& c) {{ {constant_body(name, kind)} }}"]
        any_time = "false" if name in MADE_BY_INIT else "true"
        entries[name] = f'{{{{"{name}", "", 0, 0, 1, {any_time}, {{}}}}, call_{name}}}'
    lines.append("static const Entry entries[] = {")
    lines += [f"    {entries[name]}," for name in sorted(entries)]
    return "\n".join([*lines, "};", ""])


def constant_body(name: str, kind: str) -> str:
    """A constant gives a number, or the handle of an object."""
    return (
        f"c.give(0, double(MPI_{name}));" if kind == "int" else f'c.give_handle(0, start_objects().handles["{name}"]);'
    )


def entry(row: Row) -> str:
    """The row as a value of C++."""
    least = least_inputs(row)
    names = ", ".join(f'"{argument.name}"' for argument in row.inputs)
    any_time = "true" if row.any_time else "false"
    numbers = f"{least}, {len(row.inputs)}, {len(row.outputs)}, {any_time}"
    return f'{{{{"{row.name}", "{signature(row)}", {numbers}, {{{names}}}}}, call_{row.name}}}'


def least_inputs(row: Row) -> int:
    """How many inputs cannot be left out: all up to the last without a default."""
    return max((k + 1 for k, argument in enumerate(row.inputs) if not argument.default), default=0)


def signature(row: Row) -> str:
    """The inputs as help shows them: those that may be left out in brackets."""
    least = least_inputs(row)
    text = ", ".join(argument.name for argument in row.inputs[:least])
    rest = [argument.name for argument in row.inputs[least:]]
    opened = "".join((" [, " if text or k else "[") + name for k, name in enumerate(rest))
    return text + opened + "]" * len(rest)


def native_function(row: Row) -> list[str]:
    """The C++ of one row; where the MPI underneath lacks the function, an error that says so."""
    body = [f"    {line}" for line in native_body(row)]
    head = f"static void call_{row.name}(Call& c) {{"
    if row.version == "+":
        return [head, *body, "}"]
    lacking = (
        f'    (void)c; fail("unsupported", "%s has no MPI_{row.name} (MPI {row.version})", library_name().c_str());'
    )
    return [f"#ifdef HAVE_MPI_{row.name}", head, *body, "}", "#else", head, lacking, "}", "#endif"]


def native_body(row: Row) -> list[str]:
    """Read the inputs, call MPI, give the outputs; or the body that is written by hand."""
    written = re.fullmatch(r"[\w<>]+\(c.*\)", row.call)
    if written:
        return [f"{row.call};"]
    *before, call = (part.strip() for part in row.call.split(";")) if row.call else ("",)
    names = {argument.name: argument for argument in (*row.inputs, *row.outputs)}
    lines = [declaration(argument, k) for k, argument in enumerate(row.inputs)]
    lines += [declaration_out(argument) for argument in row.outputs]
    lines += [f"{part};" for part in before]
    words = [word.strip() for word in call.split(",")] if call else list(names)
    lines.append(f"check(MPI_{row.name}({', '.join(c_argument(word, names) for word in words)}));")
    lines += [f"{argument.name}_.done();" for argument in row.inputs if argument.kind in FREEING]
    lines += [f"{argument.name}_.give(c, {k});" for k, argument in enumerate(row.outputs)]
    return [re.sub(r"(\w+)\.copy\((\w+)\)", r"\1_.copy(\2_)", line) for line in lines]


def declaration(argument: Argument, k: int) -> str:
    """Read input k."""
    otherwise = f", {SYMBOLS.get(argument.default, argument.default)}" if argument.default else ""
    return f"in_{argument.kind} {argument.name}_(c, {k}{otherwise});"


def declaration_out(argument: Argument) -> str:
    """Room for an output; ints(x) has as many elements as x, coords(x) as the grid x has dimensions."""
    found = re.fullmatch(r"(\w+)\((\w+)\)", argument.kind)
    return f"out_{found[1]} {argument.name}_({found[2]}_);" if found else f"out_{argument.kind} {argument.name}_;"


def c_argument(word: str, names: dict[str, Argument]) -> str:
    """What MPI is given for one word of the call."""
    if word.startswith("#"):
        return f"{word[1:]}_.size()"
    if word not in names:
        return word
    if names[word].kind == "text":
        return f"{word}_.text, &{word}_.length"
    return f"{word}_.c()"


def help_file(row: Row, example: str) -> str:
    """The help of a function, and what it does as long as no build is on the path: choose one."""
    name = f"MPI_{row.name}"
    outputs = [argument.name for argument in row.outputs]
    result = f"[{', '.join(outputs)}] = " if len(outputs) > 1 else f"{outputs[0]} = " if outputs else ""
    lines = [f"% {name}  -  {row.meaning}.", "%", f"%   {result}{name}({signature(row)})", "%"]
    lines += [f"%   {argument.name}: {KINDS[plain(argument.kind)]}{default_text(argument)}" for argument in row.inputs]
    lines += [f"%   {argument.name} (output): {RESULTS[plain(argument.kind)]}" for argument in row.outputs]
    lines += ["%", f"% {version_text(row)}", "%", "% Example (w: MPI_COMM_WORLD, rank, n: its rank and size):", "%"]
    lines += [f"%   {line}".rstrip() for line in example.splitlines()]
    return stub(name, lines)


def stub(name: str, lines: list[str]) -> str:
    """A function file: help, then the way to the build."""
    body = [f"function varargout = {name}(varargin)", *(f"    {line}" for line in lines), ""]
    body += ["    mexmpi_use();", f"    [varargout{{1:nargout}}] = feval('{name}', varargin{{:}});", "end", ""]
    return "\n".join(body)


def constant_file(name: str, kind: str, meaning: str) -> str:
    """The help of a constant."""
    what = "a number" if kind == "int" else f"a handle: {KINDS[kind]}"
    return stub(f"MPI_{name}", [f"% MPI_{name}  -  {meaning} ({what})."])


def plain(kind: str) -> str:
    """A kind without what stands in brackets."""
    return kind.partition("(")[0]


def version_text(row: Row) -> str:
    """Since when MPI has it."""
    if row.version == "+":
        return "An addition of mexmpi's."
    was = ""
    if row.former:
        was = " MPI-TB had it." if row.former == row.name else f" MPI-TB had it as MPI_{row.former}."
    return f"Since MPI {row.version}.{was}"


def default_text(argument: Argument) -> str:
    """What is taken when an argument is left out."""
    if not argument.default:
        return ""
    known = {"world": "MPI_COMM_WORLD", "self": "MPI_COMM_SELF", "null": "MPI_INFO_NULL", "seekset": "MPI_SEEK_SET"}
    known |= {"-1": "any, or as many as fit", "none": "none", "shared": "shared", "byte": "MPI_BYTE", "sum": "'sum'"}
    return f" (default: {known.get(argument.default, argument.default)})"


def names_file(rows: list[Row], constants: list[tuple[str, str, str]]) -> str:
    """All names under which the MEX file stands."""
    names = sorted([f"MPI_{row.name}" for row in rows] + [f"MPI_{name}" for name, _, _ in constants]) + list(OWN)
    lines = [
        "function names = mexmpi_names()",
        "    % All functions that a build of mexmpi provides.",
        "",
        "    names = { ...",
    ]
    lines += [f"             '{name}' ..." for name in names]
    return "\n".join([*lines, "            };", "end", ""])


def reference_page(rows: list[Row], constants: list[tuple[str, str, str]]) -> str:
    """The coverage page."""
    former = sum(bool(row.former) for row in rows)
    lines = [
        "# mexmpi: all functions",
        "",
        "Made from the table `matlab/mexmpi/table/functions.txt` by `generate.py`; not edited by hand.",
        "",
    ]
    lines += [
        f"{len(rows)} functions; {former} of them are MPI-TB's 135 (marked ●; a name behind it is the one that it had there).",
        "",
    ]
    lines += [
        "`help MPI_Send` tells the arguments of each, with an example that the tests run on Open MPI and MPICH with 1 to 4 ranks.",
        "",
    ]
    lines += [
        "Arguments in brackets may be left out, or given as `[]`. What the MPI underneath lacks raises `mpi:unsupported`.",
        "",
    ]
    section = ""
    for row in rows:
        if row.section != section:
            section = row.section
            lines += ["", f"## {section}", "", "| function | MPI | MPI-TB | what it does |", "|---|---|---|---|"]
        outputs = [argument.name for argument in row.outputs]
        result = f"[{', '.join(outputs)}] = " if len(outputs) > 1 else f"{outputs[0]} = " if outputs else ""
        mark = "" if not row.former else "●" if row.former == row.name else f"● `MPI_{row.former}`"
        version = "mexmpi" if row.version == "+" else row.version
        lines.append(f"| `{result}MPI_{row.name}({signature(row)})` | {version} | {mark} | {row.meaning} |")
    lines += ["", "## Constants", "", "| constant | kind | meaning |", "|---|---|---|"]
    lines += [
        f"| `MPI_{name}` | {'number' if kind == 'int' else KINDS[kind]} | {meaning} |"
        for name, kind, meaning in constants
    ]
    return "\n".join([*lines, ""])


def compat_files(rows: list[Row]) -> dict[Path, str]:
    """The functions as MPI-TB had them; compat.py says how."""
    from compat import BY_HAND, compat_file

    folder = TOOLBOX / "compat" / "mpitb"
    made = [row for row in rows if row.former and row.former not in BY_HAND]
    by_hand = {folder / f"MPI_{name}.m" for name in BY_HAND}
    return {folder / f"MPI_{row.former}.m": compat_file(row) for row in made} | {
        path: path.read_text(encoding="utf-8") for path in by_hand
    }


sys.path.insert(0, str(HERE))
from kinds import KINDS, RESULTS  # noqa: E402

if __name__ == "__main__":
    raise SystemExit(main())
