"""The list of all kernels with their pages: a part of docs/reference/kernels/README.md, made from the headers.

python -m msgauge.discovery.kernel_index docs/reference/kernels
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from msgauge.kernels import load_kernels

BEGIN = "<!-- made by python -m msgauge.discovery.kernel_index docs/reference/kernels -->\n"
END = "<!-- end of what is made -->\n"


def write_index(pages: Path) -> str:
    """The text of ``README.md`` in the folder of the kernels' pages, with the list made anew.

    Raises:
        ValueError: the text has no place for the list.
    """
    text = (pages / "README.md").read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    _, found, after = rest.partition(END)
    if not found:
        raise ValueError(f"README.md has no lines {BEGIN!r} and {END!r}")
    rows = [f"| [{name}]({find_page(pages, name)}) | {kernel.title} |" for name, kernel in load_kernels().items()]
    return before + BEGIN + "\n".join(["| kernel | what |", "|---|---|", *rows, ""]) + END + after


def find_page(pages: Path, name: str) -> str:
    """The file name of the page of a kernel: its own, or the one that has a heading for it."""
    if (pages / f"{name}.md").is_file():
        return f"{name}.md"
    for page in sorted(pages.glob("*.md")):
        headings = re.findall(r"^## (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
        if any(name in heading.split(" and ") for heading in headings):
            return page.name
    return f"{name}.md"


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    (folder / "README.md").write_text(write_index(folder), encoding="utf-8")
