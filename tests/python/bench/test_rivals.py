# SPDX-License-Identifier: Apache-2.0
"""The comparison of algorithms with other packages runs and prints its tables."""

from __future__ import annotations

import subprocess
import sys


def test_each_algorithm_has_a_row(repository):
    program = repository / "bench/python/algorithm/rivals.py"
    arguments = ["--sizes", "100", "70000", "--types", "float32"]
    run = subprocess.run(
        [sys.executable, str(program), *arguments],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    rows = [line for line in run.stdout.splitlines() if line.startswith(("| where |", "| sort |"))]
    assert len(rows) == 4
    assert all(float(row.split("|")[4]) > 0 for row in rows)
