# make run    installs the site, creates a demo event and serves it on port 8000 (PORT=8080 make run) of this
#             machine; HOST=0.0.0.0 make run also serves its network, in plain HTTP (see docs/deploy.md)
# make test   installs and runs all checks and tests, and lists those that it had to leave out
# make nightly  runs the long tests: coverage, many examples, all faults, mutants, both databases, a slow
#             machine, newest (ONLY=coverage runs one part)
# make fresh  follows the README's commands in a bare Debian (as root; needs mmdebstrap)
# make server  sets up a server with deploy/setup in bare Debian 12 and 13, updates it, and reverts the update
# make newest  runs the tests (SQLite, no browser) on Python 3.13 and the newest Django; any warning is a failure
# make bad-network  plays a match over a bad network N=20 times
# make faults  tries each numbered fault as often as its description promises, and prints a table (ONLY=f51)
# make messages  extracts the texts of the code for translators (LOCALE=de adds a language)
# make mutants  changes the code in SAMPLE=600 places, one at a time, to see whether the tests notice (SEED=8)
# make audit  looks for known vulnerabilities in all lock files (needs a network connection)
# make compiled  compiles the rules to machine code, half as fast again (make plain returns to Python)
# make bench  runs the benchmarks (SECTION=rules runs one); for make screenshots, make lock, make clean see below

PORT ?= 8000
HOST ?= 127.0.0.1
PYTHON ?= $(shell for python in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$python && break; done)
BIN := .venv/bin

.PHONY: run test newest nightly fresh server bad-network faults messages mutants compiled plain bench screenshots lock audit clean install install-dev
.DEFAULT_GOAL := run

run: install
	@$(BIN)/python manage.py migrate --verbosity 0
	@$(BIN)/python manage.py collectstatic --noinput --verbosity 0
	@exec $(BIN)/python manage.py demo --serve --host $(HOST) --port $(PORT)

test: install-dev
	@$(BIN)/python -m tests.check

nightly: install-dev
	@ONLY=$(ONLY) $(BIN)/python -m tests.nightly

# With FRESH=--where-possible, a machine on which this cannot run is not a failure.
fresh: install-dev
	@$(BIN)/python -m tests.fresh $(FRESH)

server: install-dev
	@$(BIN)/python -m tests.server $(FRESH)

# If neither the system nor pyenv has Python 3.13, uv downloads it.
NEWEST ?= $(or $(shell for python in python3.13 ~/.pyenv/versions/3.13*/bin/python; do \
	$$python -c '' 2>/dev/null && echo $$python && break; done),3.13)
newest: .venv-newest/installed
	@.venv-newest/bin/python -c 'import platform, django; print("Python", platform.python_version(), "Django", django.__version__)'
	@env -u DATABASE_URL -u REDIS_URL PYTHONWARNINGS=error .venv-newest/bin/python -m pytest -n 3 --dist worksteal --second-try \
		-m 'not browser and not firefox and not webkit' $(ARGS)

.venv-newest/installed: requirements-newest.txt | $(BIN)/uv
	@$(BIN)/uv venv --quiet --clear --python $(NEWEST) .venv-newest
	@$(BIN)/uv pip install --quiet --require-hashes --python .venv-newest/bin/python -r $<
	@touch $@

N ?= 20
bad-network: install-dev
	@LASTCARD_REPEAT=$(N) $(BIN)/python -m pytest -n 2 tests/browser/test_bad_network.py

faults: install-dev
	@$(BIN)/python -m tests.faults $(if $(ONLY),-k $(ONLY))

messages: install-dev
	@$(BIN)/python -m tests.catalogues update $(LOCALE)

SAMPLE ?= 600
SEED ?= 8
mutants: install-dev
	@$(BIN)/python -m tests.mutants --sample $(SAMPLE) --seed $(SEED) $(if $(ONLY),--only $(ONLY)) $(if $(AGAIN),--again)

compiled: install-dev
	@$(BIN)/python -m tests.compiled

plain:
	@rm -f games/rules/*.so games/rules/*/*.so ./*__mypyc*.so

bench: install
	@$(BIN)/python -m bench $(SECTION)

screenshots: install-dev
	@$(BIN)/python docs/screenshots.py

install: .venv/installed
install-dev: .venv/installed-dev node_modules/.package-lock.json

.venv/installed: requirements.txt | $(BIN)/uv
	@echo 'Installing what the site needs into .venv …'
	@$(BIN)/uv pip install --quiet --require-hashes --python $(BIN)/python -r $<
	@touch $@

.venv/installed-dev: requirements-dev.txt .venv/installed
	@echo 'Installing what the tests need into .venv …'
	@$(BIN)/uv pip install --quiet --require-hashes --python $(BIN)/python -r $<
	@touch $@

# Only the checks of the JavaScript need these packages. Without npm, `make test` lists the checks as left out.
node_modules/.package-lock.json: package-lock.json
	@! command -v npm >/dev/null || { echo 'Installing what checks the JavaScript into node_modules …'; \
		npm ci --ignore-scripts --no-audit --no-fund --loglevel=error; }

$(BIN)/uv: | $(BIN)/pip
	@sed -n '/^uv==/,/[^\\]$$/p' requirements-dev.txt > .venv/uv.txt
	@$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r .venv/uv.txt

$(BIN)/pip:
	@test -n '$(PYTHON)' || { echo 'Lastcard needs Python 3.11 or newer: apt install python3 python3-venv'; exit 1; }
	@$(PYTHON) -c 'import ensurepip' 2>/dev/null || { \
		echo "This Python cannot make virtual environments yet: apt install python3-venv, then again: make $(MAKECMDGOALS)"; exit 1; }
	@$(PYTHON) -m venv .venv

# A college that inspects TLS has its certificate authority in the system's store.
export UV_SYSTEM_CERTS ?= 1

COMPILE = $(BIN)/uv pip compile --quiet --no-header --generate-hashes --python-version
PIP_AUDIT = pip-audit==2.10.1

# Run this after changing a requirements*.in file.
lock: | $(BIN)/uv
	$(COMPILE) 3.11 requirements.in -o requirements.txt
	$(COMPILE) 3.11 requirements-dev.in -o requirements-dev.txt
	$(COMPILE) 3.12 requirements-dev.in -o requirements-newest.txt --universal --override requirements-newest.in

# Queries two databases of advisories on the network, and fails without an answer.
AUDITED = requirements.txt requirements-dev.txt requirements-newest.txt
audit: | $(BIN)/uv
	@failed=; for file in $(AUDITED); do \
		$(BIN)/uv tool run --from '$(PIP_AUDIT)' pip-audit --strict --disable-pip --require-hashes \
			--requirement $$file || failed="$$failed $$file"; done; \
	npm audit --package-lock-only || failed="$$failed package-lock.json"; \
	test -z "$$failed" || { echo "Vulnerable, or not audited:$$failed. The lines above say which."; exit 1; }

clean:
	rm -rf .venv .venv-newest bench/.venv node_modules var .coverage .mypy_cache .ruff_cache .pytest_cache .hypothesis
