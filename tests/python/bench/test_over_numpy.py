# SPDX-License-Identifier: Apache-2.0
"""The comparison of calls with NumPy's prints its tables, and compares calls of one meaning."""

from __future__ import annotations

import importlib
import subprocess
import sys

import numpy as np
import pytest

import pointsman as pm

# NumPy's calls return nothing for these, or all indices.
WITHOUT_EQUALS = ("copy into an array", "fill", "find_if")


def test_the_difference_to_numpy_is_printed(repository):
    program = repository / "bench/python/algorithm/over_numpy.py"
    run = subprocess.run(
        [
            sys.executable,
            str(program),
            "--types",
            "float32",
            "--sizes",
            "199",
            "--control",
            "--only",
        ]
        + ["where", "sort", "clip"],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    rows = [line for line in run.stdout.splitlines() if line.startswith(("| w", "| s", "| c"))]
    assert len(rows) == 3
    for row in rows:
        numpy, *others = (float(cell.replace(",", "")) for cell in row.split("|")[2:-1])
        assert len(others) == 3
        assert all(each > -numpy for each in others)


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32"])
def test_our_calls_and_numpys_return_the_same(repository, monkeypatch, dtype):
    monkeypatch.syspath_prepend(str(repository / "bench/python/algorithm"))
    over_numpy = importlib.import_module("over_numpy")
    random = np.random.default_rng(1)
    a, b = ((1000 * random.random(70_000)).astype(dtype) for _ in range(2))
    for name, calls in over_numpy.more_cases(a, b, np.empty_like(a)).items():
        ours, numpys = calls["ours"](pm.seq), calls["numpy"]()
        if name in WITHOUT_EQUALS:
            continue
        pairs = (each if type(each) is tuple else (each,) for each in (ours, numpys))
        for x, y in zip(*pairs, strict=True):
            np.testing.assert_allclose(x, y, rtol=1e-3, err_msg=name)
