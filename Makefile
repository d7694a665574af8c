# `make run` computes the study of config.yaml, `make test` checks the project in minutes, `make test-all` also whole studies
# and what takes longer (studies that are killed, a SLURM cluster), `make nightly` kills them more often,
# `make site` builds the documentation; all need Python 3.11 or newer, and PyPI only.
PYTHON ?= python3
CORES ?= all
VENV := .venv
BIN := $(CURDIR)/$(VENV)/bin
export PATH := $(BIN):$(PATH)

.PHONY: run test test-workflow test-slow test-all nightly lint site gallery test-peers bench mutants sweep clean

# On a terminal the run shows what is done, what runs and how far it is; in a file it is a log, line by line. `relprobe run` is
# Snakemake, with sentences where a folder or an option is wrong.
run: $(VENV)/run.installed
	PYTHONPATH=workflow/scripts python -m relprobe run --cores $(CORES)

# All tests are one pool, from which each worker takes the next; two workers of one thread each need 4 GB of memory.
WORKERS ?= 2
# ORDER=random runs them in an order of its own, whose number the last lines name; ORDER=NUMBER repeats it.
ORDER ?=
SHUFFLED := $(if $(ORDER),-p randomly $(if $(filter-out random,$(ORDER)),--randomly-seed $(ORDER)))
POOL := OMP_NUM_THREADS=1 pytest --numprocesses $(WORKERS) --dist worksteal $(SHUFFLED)

# All that needs no run of all studies, with a run of one of them (tests/test_one_study.py).
test: $(VENV)/dev.installed
	$(POOL) --ignore tests/workflow -m "not slow"

# What the workflow makes of all studies: pages, reruns, mistakes, further agents.
test-workflow: $(VENV)/dev.installed
	$(POOL) tests/workflow -m "not slow"

# What each of these tests takes long for, its marker says.
test-slow: $(VENV)/dev.installed
	$(POOL) -m slow --durations 20
	RELPROBE_EXAMPLES=150 $(POOL) tests/sources/test_readers_fuzz.py tests/studies/relations/measure/test_metrics.py

test-all: test test-workflow test-slow

nightly: export RELPROBE_KILLS := 50
# Every write of every step fails once.
nightly: export RELPROBE_FAULTS := all
nightly: test-all

# Every network class of transformers, small, against its plain forward: a new version of transformers has to pass. With
# UPDATE_ENGINE_PAGE=1 it writes the table of benchmarks/architectures.md.
sweep: $(VENV)/dev.installed
	OMP_NUM_THREADS=1 pytest tests/lm/network/test_sweep.py $(if $(UPDATE_ENGINE_PAGE),,--numprocesses $(WORKERS))

lint: $(VENV)/dev.installed
	ruff check workflow tests benchmarks docs
	ruff format --check workflow tests benchmarks docs
	snakefmt --check Snakefile workflow
	snakemake --lint
	@git ls-files '*.py' '*.smk' | xargs wc --lines | awk '$$1 > 500 && $$2 != "total" \
		{ print "advice: " $$2 " has " $$1 " lines; two modules may be easier to read" }'
	PYTHONPATH=workflow/scripts lint-imports --no-logo
	mypy

# The documentation as a site; a broken link or example is an error.
site: $(VENV)/dev.installed
	sphinx-build --fail-on-warning --keep-going --quiet docs docs/_build/html

# The figure of the README, and what the pages say of the default study, from a run of it.
gallery: run
	$(VENV)/bin/python docs/run_manual.py

# The page for people who come from other libraries, with these libraries.
test-peers: $(VENV)/bench/installed
	$(VENV)/bench/bin/python -m pytest tests/package/test_coming_from.py tests/export

# All benchmarks, which takes hours on a quiet machine; `make bench QUICK=1` shows in minutes that all of them work. The
# requirements are large and those of other libraries, so they get an environment of their own.
QUICK ?=
bench: $(VENV)/bench/installed run
	$(VENV)/bench/bin/python -m benchmarks $(if $(QUICK),--quick)

# Which changes of the code the tests notice: `make mutants NUMBER=5 SEED=2 MODULES="hits.py entropy.py"`. NUMBER is that of
# mutants of each module, 0 for all. NEAR=1 leaves out the tests that do not name the module: a mutant then takes about ten
# seconds on a busy core, and otherwise one that survives takes minutes.
NUMBER ?= 10
SEED ?= 1
NEAR ?=
MODULES ?=
mutants: $(VENV)/mutants/installed
	nice $(VENV)/mutants/bin/python -m benchmarks.mutants --number $(NUMBER) --seed $(SEED) $(if $(NEAR),--near) $(MODULES)

clean:
	rm -rf results .snakemake docs/_build dist

$(VENV)/run.installed: envs/requirements.txt envs/constraints.txt
	$(PYTHON) -c 'import sys; sys.version_info >= (3, 11) or sys.exit("relprobe needs Python 3.11 or newer: set PYTHON=…")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --requirement envs/requirements.txt --constraint envs/constraints.txt
	touch $@

$(VENV)/dev.installed: $(VENV)/run.installed envs/requirements-dev.txt
	$(BIN)/python -m pip install --quiet --requirement envs/requirements-dev.txt --constraint envs/constraints.txt
	touch $@

$(VENV)/bench/installed: envs/requirements.txt envs/requirements-bench.txt envs/constraints.txt
	$(PYTHON) -m venv $(VENV)/bench
	$(VENV)/bench/bin/python -m pip install --quiet --requirement envs/requirements.txt \
	    --requirement envs/requirements-bench.txt --constraint envs/constraints.txt
	touch $@

$(VENV)/mutants/installed: envs/requirements.txt envs/requirements-mutants.txt envs/constraints.txt
	$(PYTHON) -m venv $(VENV)/mutants
	$(VENV)/mutants/bin/python -m pip install --quiet --requirement envs/requirements.txt \
	    --requirement envs/requirements-mutants.txt --constraint envs/constraints.txt
	touch $@
