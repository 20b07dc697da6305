# SPDX-License-Identifier: Apache-2.0
# `make demo` and `make test` work from a fresh clone, with Debian's own packages.

# Debian's Python, even if another is first on PATH: Debian's packages are built for this one.
PYTHON := /usr/bin/python3
BUILD := build/release
# Arguments for the demo: make demo ARGS="--policy auto_tune --out pictures"
ARGS :=

.PHONY: help demo test bench docs wheel format clean packages configure
.DEFAULT_GOAL := help

help:
	@echo "make demo    filter photographs under every policy (ARGS=... is passed on)"
	@echo "make test    build and run all tests"
	@echo "make bench   run all benchmarks; results go to $(BUILD)/results"
	@echo "make docs    build the documentation; it begins at build/docs/index.html"
	@echo "make wheel   build and try a wheel that needs no compiler; it goes to build/wheel/dist"
	@echo "make format  format the C++ and Python files in place"
	@echo "make clean   delete the build folder"

packages:
	@.ci/install-packages .ci/apt-packages.txt

configure: packages
	@cmake --preset release -DPython_EXECUTABLE=$(PYTHON)

demo: configure
	cmake --build $(BUILD) --target pointsman_python
	PYTHONPATH=$(BUILD)/python $(PYTHON) -m pointsman demo $(ARGS)

test: configure
	cmake --build $(BUILD)
	ctest --preset release
	@sed -n '/^=.* \(passed\|failed\).* in .*=$$/p' $(BUILD)/Testing/Temporary/LastTest.log

bench: configure
	cmake --build --preset bench
	mkdir -p $(BUILD)/results
	for program in $(BUILD)/bench/cpp/bench_*; do \
	    [ -x "$$program" ] || continue; \
	    "$$program" --benchmark_out="$(BUILD)/results/$$(basename "$$program").json" \
	        --benchmark_out_format=json || exit 1; \
	done
	PYTHONPATH=$(BUILD)/python $(PYTHON) bench/python/run.py --out $(BUILD)/results/python.json

docs: configure
	@.ci/install-packages .ci/apt-packages-docs.txt
	cmake --build $(BUILD) --target pointsman_python
	rm -rf build/doxygen build/doctrees
	doxygen docs/Doxyfile
	PYTHONPATH=$(BUILD)/python $(PYTHON) -m sphinx -b html -q -W --keep-going -d build/doctrees docs build/docs

wheel: packages
	@PYTHON=$(PYTHON) .ci/build-wheel
	@.ci/on-debian "$$(. /etc/os-release && echo "$$VERSION_CODENAME")" build/wheel/dist/*.whl

format:
	@.ci/lint --fix

clean:
	rm -rf build
