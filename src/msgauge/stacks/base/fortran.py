"""The language variant ``[fortran]`` of MPIs: the same worker in Fortran, by the MPI's own wrapper and gfortran.

A library whose module ``mpi`` was written by another compiler (Intel's wheel), or that has none (LAM), is compiled with
the include file ``mpif.h`` instead.
"""

from __future__ import annotations

import re
import shutil
from functools import cache
from pathlib import Path

from msgauge.errors import StackError
from msgauge.model import Command, Stack
from msgauge.stacks.base.family import Recipe, Variant

FORTRAN = Variant("fortran", "language", "the worker in Fortran 90, by the wrapper mpif90 and gfortran")
FOLDER = Path(__file__).parents[2] / "workers" / "fortran"
SOURCES = ("binding", "protocol", "series", "sampling", "kernels", "coordination", "data_path", "measure", "worker")
WRAPPERS = ("mpif90", "mpifort", "mpif77")
BY_INCLUDE_FILE = ("MSGAUGE_MPIF_H",)


def is_fortran(stack: Stack) -> bool:
    """Is it a stack under the variant ``fortran``?"""
    return FORTRAN.word in stack.variant


@cache
def fortran_kernels() -> frozenset[str]:
    """The kernels of the worker in Fortran, as its source lists them. Raises StackError where it lists none."""
    listed = re.search(r"\bkernel_names = '([^']+)'", (FOLDER / "kernels.F90").read_text(encoding="utf-8"))
    if listed is None:
        raise StackError("the worker in Fortran lists no kernels", where=str(FOLDER / "kernels.F90"))
    return frozenset(listed[1].split())


def fortran_wrapper(stack: Stack) -> str:
    """The Fortran wrapper beside a stack's C++ wrapper, of the same suffix.

    Raises:
        StackError: there is none.
    """
    compiler = Path(stack.compiler)
    suffix = re.sub(r"^(?:mpicxx|mpic\+\+|mpicc|mpiCC)", "", compiler.name)
    for name in WRAPPERS:
        candidate = str(compiler.with_name(name + suffix)) if "/" in stack.compiler else name + suffix
        if shutil.which(candidate):
            return candidate
    raise StackError(
        f"{stack.spec} has no Fortran: none of {', '.join(WRAPPERS)} is beside {stack.compiler}",
        where=stack.spec,
        remedy="take a build with Fortran; of Debian's packages all have it",
    )


def fortran_command(stack: Stack, recipe: Recipe, flags: tuple[str, ...], defines: tuple[str, ...]) -> Command:
    """How to compile the worker; its modules are written beside it."""
    argv = (
        fortran_wrapper(stack),
        "-O2",
        "-fallow-argument-mismatch",
        *flags,
        *(f"-D{define}" for define in defines),
        f"-J{recipe.output.parent}",
        *(str(FOLDER / f"{source}.F90") for source in SOURCES),
        "-o",
        str(recipe.output),
    )
    return Command(argv, stack.environment)
