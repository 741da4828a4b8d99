# `make help` lists what there is. Everything happens in this folder: dependencies go to .venv, products to build/.
# PYTHON=python3.12 names the Python for a new .venv; without it a fitting one is looked for.

VENV := .venv
PY := $(VENV)/bin/python
PIP := $(PY) -m pip --disable-pip-version-check
PACKAGES := cluster dashboard engine sim strategies
CSRC := $(wildcard engine/csrc/*.[ch] strategies/csrc/*.[ch])

INSTALLED := $(VENV)/.installed
BUILT := $(VENV)/.built

# The Python to build with; where the machine lacks something, make stops with that one line. Expanded in recipes only,
# so that `make help` and `make clean` need nothing. CC is handed on by hand: before 4.4 make does not export to $(shell).
machine = $(call answer,$(shell CC='$(COMPILER)' sh .ci/check_machine.sh $(1) 2>&1))
COMPILER = $(if $(filter default,$(origin CC)),,$(CC))
answer = $(if $(filter guandan-sim:,$(firstword $(1))),$(error $(1)),$(1))

.PHONY: help venv build demo test bench soak lint asan fuzz wheel lock clean

help:
	@echo 'make demo    build everything, play the demonstration run, print its figures'
	@echo 'make test    build everything, run the tests (under 8 minutes on 2 cores)'
	@echo 'make bench   measure speed          make soak   long tests'
	@echo 'make lint    style, types, imports  make asan   core tests under sanitizers'
	@echo 'make fuzz    random input to the C functions, for FUZZ_SECONDS (60)'
	@echo 'make wheel   build the wheel and try it in a fresh environment'
	@echo 'make lock    resolve requirements.txt again      make clean  remove all that make made'

# --- the environment and the extensions ---

$(INSTALLED): requirements.txt
	$(eval FOUND := $(call machine,$(PYTHON)))
	@$(PY) -c 'import pip' 2>/dev/null || $(FOUND) -m venv --clear $(VENV)
	@echo 'installing the pinned dependencies into $(VENV) (about a minute)'
	@$(PIP) install -qq --require-hashes -r requirements.txt
	@# Where PYTHONDONTWRITEBYTECODE is set, each Ray worker would compile its imports again: 4 s a start.
	@$(PY) -m compileall -q $(VENV)/lib || true
	@touch $@

$(BUILT): $(INSTALLED) pyproject.toml setup.py $(CSRC)
	$(if $(call machine,$(PY)),)
	@echo 'building the C extensions'
	@$(PIP) install -qq --no-deps --no-build-isolation --editable .
	@$(PY) -m compileall -q $(PACKAGES)
	@touch $@

venv: $(INSTALLED)
build: $(BUILT)

# --- use ---

demo: $(BUILT)
	@$(VENV)/bin/guandan demo

bench: $(BUILT)
	@$(PY) -m benchmarks

# --- checks ---

# A file of tests stays in one process, so that what its tests share is made once. A process that dies ends the round.
PARALLEL := -n auto --maxprocesses=4 --max-worker-restart=0 --dist=loadfile

test: $(BUILT)
	@$(PY) -m pytest $(PARALLEL) $(PYTEST_ARGS)

# Deals under the sanitizers for SOAK_MINUTES (5), going on where the last call stopped, then the long tests.
soak: $(BUILT)
	@$(PY) -m tests.support.soak
	@$(PY) -m pytest -m soak --timeout=0 --hypothesis-profile=searching $(PYTEST_ARGS)

lint: $(BUILT)
	@$(VENV)/bin/ruff check .
	@$(VENV)/bin/ruff format --check .
	@$(VENV)/bin/mypy
	@$(VENV)/bin/lint-imports --no-logo
	@rm -rf build/strict
	@GUANDAN_STRICT=1 $(PY) setup.py --quiet build_ext --build-lib build/strict --build-temp build/strict
	@echo 'C: no warnings'

# A copy of the tree, so that the instrumented extensions never replace the ordinary ones. Leaks are not looked for:
# CPython itself keeps memory to the end. A sanitizer ends the process with its report on stderr, hence --capture=sys:
# pytest's usual way of capturing would take the report with it.
ASAN := build/asan
ASAN_TREE := $(wildcard engine strategies tests setup.py pyproject.toml README.md LICENSE)
# Left out: what tries the same C code through long self-play, or libraries that are not ours.
ASAN_TESTS := $(filter-out $(addprefix tests/test_strategies_,$(addsuffix .py,fitting tuning styles examples registry)),\
	$(wildcard tests/test_engine*.py tests/test_strategies*.py))
ASAN_ENV = LD_PRELOAD="$$($(CC) -print-file-name=libasan.so) $$($(CC) -print-file-name=libubsan.so)" \
	ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1 PYTHONMALLOC=malloc PYTHONPATH="$$PWD"

asan: $(BUILT)
	@test -n '$(ASAN_TESTS)' || { echo 'make asan: no tests to run'; exit 2; }
	@$(CC) --version | grep -q -i 'free software foundation' || { echo 'make asan needs gcc: make asan CC=gcc'; exit 2; }
	@rm -rf $(ASAN) && mkdir -p $(ASAN) && cp -R $(ASAN_TREE) $(ASAN)
	@find $(ASAN) -name '*.so' -delete
	@cd $(ASAN) && GUANDAN_SANITIZE=1 GUANDAN_STRICT=1 $(CURDIR)/$(PY) setup.py --quiet build_ext --inplace
	@cd $(ASAN) && $(ASAN_ENV) $(CURDIR)/$(PY) -c 'import ctypes, os, engine._core as core, strategies._native as native; \
		assert all(os.path.samefile(os.getcwd(), os.path.dirname(os.path.dirname(m.__file__))) for m in (core, native)); \
		ctypes.CDLL(core.__file__).__asan_init'
	@cd $(ASAN) && $(ASAN_ENV) $(CURDIR)/$(PY) -m pytest $(PARALLEL) --capture=sys --timeout=600 $(ASAN_TESTS)

# libFuzzer where there is clang, else inputs made from a seed; one that ends the harness is left in build/fuzz.
FUZZ_SECONDS := 60
FUZZ := build/fuzz

fuzz:
	@CC='$(COMPILER)' sh tests/fuzz/build.sh $(FUZZ)
	@mkdir -p $(FUZZ)/inputs
	@if test -x $(FUZZ)/libfuzzer; then \
		$(FUZZ)/libfuzzer -max_total_time=$(FUZZ_SECONDS) -artifact_prefix=$(FUZZ)/ $(FUZZ)/inputs tests/data/fuzz; \
	else \
		seed=$$(date +%s) && echo "seed $$seed" && $(FUZZ)/fuzz $$seed 0 $(FUZZ_SECONDS) $(FUZZ)/fault tests/data/fuzz/*; \
	fi

# Installed where neither this folder nor the tools of the tests can be found, with the pinned versions.
wheel: $(BUILT)
	@rm -rf build/lib* build/bdist* build/temp* build/wheel
	@$(PIP) wheel -qq --no-deps --no-build-isolation --wheel-dir build/wheel .
	@sed -n 's/ *\\$$//; /^[a-zA-Z]/p' requirements.txt > build/wheel/pins.txt
	@place=$$(mktemp -d) && trap 'rm -rf "$$place"' EXIT && $(PY) -m venv "$$place/venv" && \
		"$$place/venv/bin/python" -m pip --disable-pip-version-check install -qq \
			--constraint build/wheel/pins.txt build/wheel/*.whl && \
		cp tests/support/wheel_smoke.py "$$place" && cd "$$place" && venv/bin/python wheel_smoke.py
	@ls -l build/wheel/*.whl

# --- upkeep ---

# Existing pins stay where they still fit; delete requirements.txt first to take the newest of everything.
lock:
	$(eval FOUND := $(call machine,$(PYTHON)))
	@test -x build/uv/bin/uv || { $(FOUND) -m venv build/uv && build/uv/bin/pip install -qq uv; }
	@build/uv/bin/uv pip compile pyproject.toml --extra dev --extra examples --universal --python-version 3.11 --generate-hashes \
		--no-emit-index-url --no-header --quiet --output-file requirements.txt
	@! grep -n '://' requirements.txt

clean:
	rm -rf $(VENV) build *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find $(PACKAGES) tests \( -name '*.so' -o -name __pycache__ \) -prune -exec rm -rf {} +
