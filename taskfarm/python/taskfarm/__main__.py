"""``python -m taskfarm``: the command ``taskfarm`` by the interpreter that has the package."""

import sys

from taskfarm.cli import main

if __name__ == "__main__":
    sys.exit(main())
