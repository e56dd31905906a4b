"""What ``python start.py`` runs: one rank of the worker over mpi4py.

The package is found from here, behind everything that the environment of mpi4py brings itself.
"""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[3]))

from msgauge.workers.python.job import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
