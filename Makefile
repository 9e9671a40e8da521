# What people and CI share. Everything lives in .venv; remove it to start anew.
PYTHON ?= python3
BIN := .venv/bin
STAMP := .venv/.installed
STAMP_TEST := .venv/.installed-test
PACKAGES := $(BIN)/python -m pip install --disable-pip-version-check --progress-bar off

.PHONY: demo test lint types docs unit browser format clean

demo: $(STAMP)  ## Explain a photo with the built-in network, and say where the picture is.
	@echo "── explaining a photo of a cup of coffee with EfficientNet-Lite0"
	@$(BIN)/rsi-gradcam explain --out demo

test: lint types docs unit  ## Everything that must hold.

lint: $(STAMP_TEST)
	@echo "── lint and format"
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .

types: $(STAMP_TEST)
	@echo "── types"
	@$(BIN)/mypy

docs: $(STAMP_TEST)
	@echo "── docs"
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

unit: $(STAMP_TEST) browser
	@echo "── tests"
	@$(BIN)/python -m pytest $(PYTEST)

browser:  ## Chromium, for the tests of the page and the report. Without it they are skipped, and say so.
	@if ! { command -v chromium || command -v chromium-browser || command -v google-chrome; } >/dev/null; then \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	    echo "── installing Chromium"; \
	    apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install -y chromium >/dev/null; \
	  else \
	    echo "── no Chromium: its tests will be skipped (on Debian: sudo apt-get install chromium)"; \
	  fi; \
	fi

format: $(STAMP_TEST)
	@$(BIN)/ruff check --fix-only --quiet .
	@$(BIN)/ruff format --quiet .

$(STAMP): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit("Python 3.10 or newer is needed, this is " + sys.version.split()[0] + ": make PYTHON=python3.12 …" if sys.version_info < (3, 10) else 0)'
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv || { echo "no virtual environment could be made: on Debian and Ubuntu, apt-get install python3-venv"; exit 1; }
	@echo "── installing PyTorch and the command line into .venv (some GB, once; minutes on a slow line)"
	@$(PACKAGES) --quiet -e ".[cli]"
	@touch $@

$(STAMP_TEST): $(STAMP) pyproject.toml
	@echo "── installing what the tests need"
	@$(PACKAGES) --quiet "pip>=25.1"
	@$(PACKAGES) --quiet -e ".[cli,zoo,figures,captum,evaluation,ray,app]" --group test --group lint --group docs
	@touch $@

clean:
	rm -rf .venv site demo .mypy_cache .ruff_cache .pytest_cache .hypothesis
