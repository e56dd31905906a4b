"""Words that people bring from other programs for our commands and options, and the hint that a wrong one gets.

Options of mpirun, mpiexec, srun, the OSU and the Intel benchmarks, hyperfine and benchstat; words for commands that
people tried. None of them is taken silently: the hint names ours.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from msgauge.errors import hint_nearest
from msgauge.kernels import load_kernels
from msgauge.model.kernel_names import names_kernel

_COMMANDS = {
    "--help": "hilfe aide ayuda aiuto ajuda usage man info",
    "compare": "cmp bench benchmark versus vs osu imb mpirun mpiexec srun vergleich vergleichen comparer comparar",
    "doctor": "check health diagnose preflight noise validate verify",
    "stacks": "list ls mpis libraries implementations install prove discover",
    "plan": "dry-run preview estimate",
    "run": "measure execute start launch messen mesurer medir",
    "show": "results print view summary tables zeigen montrer mostrar",
    "report": "html page bericht rapport informe",
    "figures": "plot plots graph graphs chart charts draw",
    "diff": "delta benchstat regression gate",
    "history": "log trend trends timeline",
    "model": "logp loggp fit predict",
    "advise": "recommend suggest tune tips",
    "paper": "reproduce replicate study",
    "export": "csv latex markdown parquet save",
    "site": "web website publish index",
    "map": "linktest mpigraph pairs links matrix",
    "lab": "emulate netns hosts",
    "kernels": "tests benchmarks operations",
}
_OPTIONS = {
    "--ranks": "-n -np -c --np --nprocs --ntasks --processes --procs -P",
    "--hosts": "-H --host --nodes --nodelist --machines -w",
    "--hostfile": "-f --machinefile --hostlist",
    "--map": "-N --ppn --perhost --map-by --rank-by --npernode --ntasks-per-node --tasks-per-node --distribution",
    "--rounds": "-i --iterations --iters --iter --repetitions --reps --repeat --runs --trials --samples --npmin",
    "--sizes": "-m --message-size --msglen --msglog --bytes --length",
    "--kernels": "-k --benchmarks --tests --operations --include",
    "--stacks": "-s --mpi --mpis --library --libraries --implementations --mca --genv",
    "--budget": "-t --time --timeout --time-limit --duration --max-time",
    "--base": "--baseline --reference --ref",
    "--for": "--purpose --goal --weights",
    "--fail-on": "--threshold --exit-code --assert",
    "--output": "-o --out --outdir --file",
    "--format": "--type --as",
    "--formats": "--format --ext --type --as",
}
"""Of options that a command has not, the others count: ``--format`` is none of ``figures``, and means ``--formats``."""
_DONE_UNASKED = {
    "warm-up is found in the samples and left out; the study sets the least time of a test": (
        "-x --warmup --warm-up --warmups --skip --discard"
    ),
    "each rank is bound to a core of its own while there are enough": (
        "--bind-to --bind --binding --cpu-bind --cpu-set --cpu-list --pin --report-bindings"
    ),
    "more ranks than cores are allowed, and said to be": "--oversubscribe --overcommit",
    "payloads are checked before and after what is timed": "--check --validate --validation --verify",
}
"""What others must be told to do, and is done here."""


def hint_command(word: str, commands: Collection[str]) -> str:
    """The command that was probably meant, with the kernel where a word is the name of one; '' when none is near."""
    near = hint_nearest(word, [*commands, "--help"], _turn(_COMMANDS, [*commands, "--help"]))
    return f"compare {word}" if near in ("", "compare") and names_kernel(word, load_kernels()) else near


def hint_option(word: str, options: Collection[str], commands: Collection[str] = ()) -> str:
    """What to type, or what to know, for a word such as ``-np``; '' when nothing is near.

    An option of the command; else a command that does what the option does elsewhere (``--csv``); else what is done
    without being asked (``--warmup``). One letter means something only where another program has it: case counts,
    and nothing is guessed.
    """
    others = _turn(_OPTIONS, options)
    name = word.partition("=")[0]
    long = f"-{name}" if len(name) > len("-n") and not name.startswith("--") else name
    for one in (name, long):
        if one in others:
            return f"did you mean {others[one]}?"
    if said := _turn(_DONE_UNASKED, _DONE_UNASKED).get(long):
        return f"there is no need: {said};"
    if not long.startswith("--"):
        return ""
    if near := hint_nearest(long, options, others, nearly_right=True):
        return f"did you mean {near}?"
    elsewhere = {option for words in _OPTIONS.values() for option in words.split()} | set(_OPTIONS)
    if long not in elsewhere and (
        command := hint_nearest(long, commands, _turn(_COMMANDS, commands), nearly_right=True)
    ):
        return f"did you mean 'msgauge {command}'?"
    near = hint_nearest(long, options, others)
    return f"did you mean {near}?" if near else ""


def _turn(words: Mapping[str, str], known: Collection[str]) -> dict[str, str]:
    """Each other word, and what it means among those that are known."""
    return {other: ours for ours, others in words.items() if ours in known for other in others.split()}
