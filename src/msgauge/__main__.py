"""``python -m msgauge``: the command by the interpreter that has it, where no script of that name is on the path."""

import sys

from msgauge.cli import main

if __name__ == "__main__":
    sys.exit(main())
