# SPDX-License-Identifier: Apache-2.0
"""The comparison of algorithms with other packages runs and prints its tables."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROWS = ("| where |", "| sort |")


def rows_of(repository: Path, *arguments: str) -> list[list[str]]:
    """The cells of two rows of each table that the program prints."""
    program = repository / "bench/python/algorithm/rivals.py"
    run = subprocess.run(
        [sys.executable, str(program), "--types", "float32", *arguments],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    rows = [line for line in run.stdout.splitlines() if line.startswith(ROWS)]
    return [row.split("|")[2:-1] for row in rows]


def test_each_algorithm_has_a_row(repository):
    rows = rows_of(repository, "--sizes", "100", "70000")
    assert len(rows) == 4
    assert all(float(numpy) > 0 for _, _, numpy, *_ in rows)
