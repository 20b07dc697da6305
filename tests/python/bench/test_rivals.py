# SPDX-License-Identifier: Apache-2.0
"""The comparisons of algorithms with other packages run and print their tables."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROWS = "| where |", "| sort |", "| clip |"


def rows_of(repository: Path, program: str, *arguments: str) -> list[list[str]]:
    """The cells of some rows of each table that the program prints."""
    path = repository / "bench/python/algorithm" / program
    run = subprocess.run(
        [sys.executable, str(path), "--types", "float32", *arguments],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    rows = [line for line in run.stdout.splitlines() if line.startswith(ROWS)]
    return [row.split("|")[2:-1] for row in rows]


def test_each_algorithm_has_a_row(repository):
    rows = rows_of(repository, "rivals.py", "--sizes", "100", "70000")
    assert len(rows) == 4
    assert all(float(numpy) > 0 for _, _, numpy, *_ in rows)


def test_the_difference_to_numpy_is_printed(repository):
    some = "--only", "where", "sort", "clip"
    rows = rows_of(repository, "over_numpy.py", "--sizes", "199", "--control", *some)
    assert len(rows) == 3
    for numpy, *others in rows:
        assert len(others) == 3
        assert all(float(each.replace(",", "")) > -float(numpy) for each in others)


def test_each_call_is_compared_with_numpys(repository):
    path = repository / "bench/python/algorithm/over_numpy.py"
    program = f"""
import runpy, sys
import numpy as np, pointsman as pm
sys.path.insert(0, {str(path.parent)!r})
more = runpy.run_path({str(path)!r})["more_cases"]
for dtype in ("float32", "float64", "int32"):
    a, b = ((1000 * np.random.default_rng(i).random(70_000)).astype(dtype) for i in (1, 2))
    for name, calls in more(a, b, np.empty_like(a)).items():
        ours, numpys = calls["ours"](pm.seq), calls["numpy"]()
        if name not in ("copy into an array", "fill", "find_if"):
            pairs = (each if type(each) is tuple else (each,) for each in (ours, numpys))
            for x, y in zip(*pairs, strict=True):
                np.testing.assert_allclose(x, y, rtol=1e-3, err_msg=name)
"""
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=300, check=False
    )
    assert run.returncode == 0, run.stderr
