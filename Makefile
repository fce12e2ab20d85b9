# Everything a person or a machine does with this repository. `make help` lists it.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

PYTHON ?= python3.11
# Debian 12's python3 is 3.11; a machine with another default names its own.
ifeq ($(shell command -v $(PYTHON)),)
PYTHON := python3
endif
VENV := .venv
BIN := $(VENV)/bin
DISTRIBUTIONS := proto $(wildcard libs/*) $(wildcard services/*) $(wildcard sources/*) sdk
PROTOS := $(shell cd proto && find doublethink -name '*.proto' | sort)
SOURCES := $(wildcard libs/*/src services/*/src sources/*/src sdk/src)

.PHONY: help
help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

$(VENV)/ready: requirements/dev.txt requirements/install $(addsuffix /pyproject.toml,$(DISTRIBUTIONS))
	requirements/install $(PYTHON) $(VENV) $(DISTRIBUTIONS)
	@touch $@

.PHONY: setup
setup: $(VENV)/ready ## Make .venv with everything; the command is .venv/bin/doublethink

.PHONY: demo
demo: setup ## Run the main job: start everything, ask, show the ledger and the answer, stop
	$(BIN)/python demo/run.py

.PHONY: test
test: setup lint test-fast ## Lint, then the unit, contract and security tests

.PHONY: test-fast
test-fast: setup ## The unit, contract and security tests alone
	$(BIN)/pytest -q

.PHONY: test-system
test-system: setup ## The tests over real processes: launcher, crashes, the sealed log, a local model, bad input
	$(BIN)/pytest -q tests/system

# The oldest version that is supported; the wheel brings the newest. Debian 12 has it in this place.
POSTGRES_15 ?= /usr/lib/postgresql/15/bin
LEDGER_TESTS := $(wildcard tests/contract/test_ledger_*.py) tests/contract/test_sealer_database.py \
	tests/contract/test_gate_proof.py tests/security/test_ledger_roles.py

.PHONY: test-oldest
test-oldest: setup ## The ledger's tests on PostgreSQL 15, if POSTGRES_15=FOLDER has its programs
	@if [ -x "$(POSTGRES_15)/postgres" ]; then \
		"$(POSTGRES_15)/postgres" --version; \
		DOUBLETHINK_POSTGRES_BINDIR="$(POSTGRES_15)" $(BIN)/pytest -q $(LEDGER_TESTS); \
	else \
		echo "NOT RUN: there is no $(POSTGRES_15)/postgres; POSTGRES_15 names the folder"; \
		[ "$${DOUBLETHINK_REQUIRE_15:-}" != 1 ]; \
	fi

.PHONY: chart-test
chart-test: setup ## The Helm chart: rendered, validated, its policies held against the contracts, each loosened once
	$(BIN)/python tests/chart/summary.py

.PHONY: cluster-test
cluster-test: setup ## The chart on the cluster that KUBECONFIG names: installed, used, attacked, upgraded, its alarm tried
	$(BIN)/python tests/chart/summary.py --suite cluster

.PHONY: kind
kind: setup ## The same on a cluster that kind makes; needs kind, Docker and `make images`
	deploy/kind/run

.PHONY: test-all
test-all: test test-system ## All tests that need no engine

# The engine is that of DOCKER_HOST or the default one; COMPOSE names another compose (docker-compose), COMPOSE_FILE
# other files (docker-compose.yml:docker-compose.model.yml).
COMPOSE ?= docker compose
export COMPOSE

.PHONY: images
images: ## Build the container images; BASE, VERSION and SOURCE_DATE_EPOCH from the environment
	deploy/images/build

.PHONY: images-report
images-report: ## Size, user and packages of each image
	@$(PYTHON) deploy/images/report.py

.PHONY: up
up: ## Start everything in containers, wait until it is ready, and look for the hole to this machine
	$(COMPOSE) --profile setup run --rm setup
	$(COMPOSE) up -d
	@$(PYTHON) deploy/compose/wait.py
	@$(PYTHON) deploy/compose/verify.py planner || true
	@echo "console http://127.0.0.1:8443, token: make token"

.PHONY: down
down: ## Stop the containers; data, keys and certificates stay in their volumes
	$(COMPOSE) down

.PHONY: logs
logs: ## Follow the containers' logs
	$(COMPOSE) logs --follow --tail 100

.PHONY: token
token: ## The token of the console in containers
	@$(COMPOSE) --profile setup run --rm -T setup token --out /out 2>/dev/null

.PHONY: verify
verify: ## Attack the isolation of the running containers from each one's place
	@$(PYTHON) deploy/compose/verify.py

.PHONY: model
model: ## Pull the planner's model into its volume, by a job with a network of its own
	$(COMPOSE) -f docker-compose.yml -f docker-compose.model.yml --profile pull run --rm model-pull

.PHONY: compose-test
compose-test: setup ## Images, compose, the main job and the attacks on a real engine; NOT RUN without one
	$(BIN)/python tests/compose/run.py

.PHONY: lint
lint: setup ## ruff, mypy --strict, import contracts, buf lint
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy $(SOURCES) tests eval demo deploy/images deploy/compose
	$(BIN)/lint-imports
	$(BIN)/buf lint proto

.PHONY: format
format: setup ## Format the code
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

.PHONY: proto
proto: setup ## Generate the code of the contracts anew
	$(BIN)/python -m grpc_tools.protoc -Iproto --python_out=proto/src --pyi_out=proto/src $(PROTOS)

.PHONY: docs
docs: setup ## Write docs/cli.md from the program's own help
	$(BIN)/python -m doublethink_sdk.reference > docs/cli.md

.PHONY: soak
soak: setup ## Kill processes at random: the whole product 50 times, the ledger 100; DOUBLETHINK_SEED=N repeats a run
	DOUBLETHINK_ROUNDS=50 $(BIN)/pytest -q -s -o faulthandler_timeout=7200 tests/system/test_crashes.py
	DOUBLETHINK_ROUNDS=100 $(BIN)/pytest -q -s -o faulthandler_timeout=7200 tests/system/test_ledger_soak.py

.PHONY: lock
lock: setup ## Resolve the hashed requirement locks anew
	requirements/lock $(BIN)

.PHONY: bench
bench: setup ## The benchmarks of eval/bench, each beside its baseline
	set -e; for script in eval/bench/*.py; do echo "== $$script"; $(BIN)/python "$$script"; done

.PHONY: clean
clean: ## Remove what setup made
	rm -rf $(VENV)
