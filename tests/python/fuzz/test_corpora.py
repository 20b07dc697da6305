# SPDX-License-Identifier: Apache-2.0
# The fuzz targets in Python are in tests/fuzz, beside those in C++ and the inputs.
"""Every kept input keeps the promises of its target; this needs no fuzzer."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest


@pytest.mark.parametrize("target", ["command_line", "expression", "table_cells", "tracing"])
def test_kept_inputs_break_no_promise(
    target: str, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(repository / "tests" / "fuzz"))
    test_one_input = importlib.import_module(target).test_one_input
    inputs = sorted((repository / "tests" / "fuzz" / "corpus" / target).iterdir())
    assert inputs
    for path in inputs:
        print(path.name)  # which pytest shows for a failure
        test_one_input(path.read_bytes())
