# SPDX-License-Identifier: Apache-2.0
"""The comparison of single sorts with NumPy's runs and prints a row for each size and type."""

from __future__ import annotations

import subprocess
import sys


def test_each_size_and_type_has_a_row(repository):
    program = repository / "bench/python/algorithm/single_sorts.py"
    arguments = ["--sizes", "100", "2000", "--types", "int8", "float64", "--calls", "50"]
    run = subprocess.run(
        [sys.executable, str(program), *arguments],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    rows = [line.split() for line in run.stdout.splitlines()[1:]]
    assert [row[:2] for row in rows] == [
        ["100", "int8"],
        ["100", "float64"],
        ["2000", "int8"],
        ["2000", "float64"],
    ]
    assert all(float(row[2]) > 0 for row in rows)
