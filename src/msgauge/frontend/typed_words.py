"""Words that people bring from other programs for our commands and options, and the hint that a wrong one gets.

Options of mpirun, mpiexec, srun, the OSU and the Intel benchmarks, hyperfine and benchstat; words for commands that
people tried. None of them is taken silently: the hint names ours.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from msgauge.errors import hint_nearest

_COMMANDS = {
    "compare": "cmp bench benchmark versus vs osu imb mpirun mpiexec",
    "doctor": "check health diagnose preflight noise",
    "stacks": "list mpis libraries implementations install prove discover",
    "plan": "dry-run preview estimate",
    "run": "measure execute start launch",
    "show": "results print view summary tables",
    "report": "html page",
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
    "--hosts": "-H --host --nodes --nodelist -w",
    "--hostfile": "-f --machinefile --hostlist",
    "--map": "-N --ppn --map-by --rank-by --npernode --distribution",
    "--rounds": "-i --iterations --iters --iter --repetitions --reps --repeat --runs --trials --samples --npmin -x",
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


def hint_command(word: str, commands: Collection[str]) -> str:
    """The command that was probably meant; '' when none is near."""
    return hint_nearest(word, commands, _turn(_COMMANDS, commands))


def hint_option(word: str, options: Collection[str]) -> str:
    """The option, among those of the command, that was probably meant by a word such as ``-np``; '' when none is near.

    One letter means something only where another program has it: case counts, and nothing is guessed.
    """
    others = _turn(_OPTIONS, options)
    name = word.partition("=")[0]
    if name in others:
        return others[name]
    return hint_nearest(name, options, others) if name.startswith("--") else ""


def _turn(words: Mapping[str, str], known: Collection[str]) -> dict[str, str]:
    """Each other word, and what it means among those that are known."""
    return {other: ours for ours, others in words.items() if ours in known for other in others.split()}
