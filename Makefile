# One command for each thing a developer does; `make` alone lists them.
# Every target sets up what it needs: a virtual environment in .venv with the packages of requirements/, and Juneau
# itself installed so that an edit shows at once.

PYTHON ?= python3
BIN := .venv/bin
INSTALLED := .venv/installed
UV := build/lock/bin/uv
UV_VERSION := 0.13.9
# For `make test PYTEST="-k arp -x"`.
PYTEST ?=

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help setup demo test check format promises bench fuzz properties-long manifests lock wheel clean

help: ## List the targets.
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

setup: $(INSTALLED) ## Make .venv; again only when setup.cfg, pyproject.toml or requirements/ change.

# The environment is not cleared first: a running process keeps its files.
$(INSTALLED): setup.cfg pyproject.toml requirements/build.txt requirements/dev.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	    echo "Juneau needs Python 3.11 or newer, and '$(PYTHON)' is: $$($(PYTHON) --version 2>&1)." >&2; \
	    echo "Name a newer one: make PYTHON=python3.12 $(or $(MAKECMDGOALS),setup)" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
	    echo "'$(PYTHON)' cannot make a virtual environment. On Debian: apt-get install python3-venv" >&2; exit 1; }
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --require-hashes -r requirements/build.txt -r requirements/dev.txt
	$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation --editable .
	@touch $@

demo: $(INSTALLED) ## Show Juneau at work, on this machine and without root.
	$(BIN)/juneau demo

test: $(INSTALLED) ## Run all tests and scenarios; they take less than 15 minutes.
	$(BIN)/python -m pytest -q $(PYTEST)

check: $(INSTALLED) ## Run the formatter, linters, type checkers and the repository's own rules; changes nothing.
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/pyright --pythonpath $(BIN)/python
	$(BIN)/lint-imports
	$(BIN)/interrogate -vv --omit-covered-files --fail-under 100 --whitelist-regex '^test_' --ignore-module tests features
	$(BIN)/python -m pytest -q tests/test_repository.py

format: $(INSTALLED) ## Format the code and mend what the linter can.
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .

promises: $(INSTALLED) ## List what the documents promise and which scenario shows it.
	$(BIN)/python -m juneau.features.promises

bench: $(INSTALLED) ## Measure speed and memory.
	$(BIN)/python -m bench

fuzz: $(INSTALLED) ## Run the fuzz tests for long.
	$(BIN)/python -m pytest -q tests/fuzz --hypothesis-profile=long $(PYTEST)

properties-long: $(INSTALLED) ## Run the property tests for long.
	$(BIN)/python -m pytest -q tests/properties --hypothesis-profile=long $(PYTEST)

manifests: $(INSTALLED) ## Write manifests/crds.yaml and docs/reference.md from the Kinds.
	$(BIN)/juneau crds > manifests/crds.yaml.new
	mv manifests/crds.yaml.new manifests/crds.yaml
	$(BIN)/juneau reference > docs/reference.md.new
	mv docs/reference.md.new docs/reference.md

# `--universal`: one lock for every Python from 3.11 on. A pin stays as it is for as long as it fits;
# `make lock UPGRADE=--upgrade` renews them all.
LOCK = UV_CUSTOM_COMPILE_COMMAND="make lock" $(UV) pip compile --quiet --universal --python-version 3.11 \
    --generate-hashes --no-emit-index-url --no-emit-find-links --annotation-style line $(UPGRADE)

lock: $(UV) ## Write requirements/ from setup.cfg and pyproject.toml.
	$(LOCK) --extra dev setup.cfg --output-file requirements/dev.txt
	$(PYTHON) -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["build-system"]["requires"], sep="\n")' \
	    > build/lock/build-system.in
	$(LOCK) --no-annotate build/lock/build-system.in --output-file requirements/build.txt

$(UV):
	$(PYTHON) -m venv build/lock
	build/lock/bin/python -m pip install --quiet uv==$(UV_VERSION)

# A build folder left from before would ship modules deleted since.
wheel: $(INSTALLED) ## Build dist/juneau-*.whl.
	rm -rf build/lib build/bdist.*
	$(BIN)/python -m pip wheel --quiet --no-deps --no-build-isolation --wheel-dir dist .
	rm -rf build/lib build/bdist.*

clean: ## Remove what make has made, the virtual environment included.
	rm -rf .venv build dist src/*.egg-info .hypothesis .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .coverage
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
