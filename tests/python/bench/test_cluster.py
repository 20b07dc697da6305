# SPDX-License-Identifier: Apache-2.0
"""bench/python/cluster: a line for each policy or size of task, beside that of Dask."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytest.importorskip("distributed")

FEW = ("--tasks", "12", "--rounds", "1")


@pytest.fixture
def first_cells(repository, tmp_path):
    """Returns the first cell of each row that a benchmark prints."""

    def run(name: str, *options: str) -> list[str]:
        script = repository / "bench" / "python" / "cluster" / name
        command = [sys.executable, str(script), *options]
        result = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, timeout=300)
        assert result.returncode == 0, result.stderr
        rows = [line.split("|") for line in result.stdout.splitlines() if line.startswith("|")]
        return [row[1].strip() for row in rows[2:]]

    return run


def test_policies_are_compared_with_the_scheduler_of_dask(first_cells):
    names = ["Dask's scheduler", "RoundRobin", "DynamicLoad", "EarliestFinish"]
    assert first_cells("makespan.py", *FEW) == names


def test_a_map_is_compared_with_that_of_the_client(first_cells):
    assert first_cells("bulk.py", *FEW) == ["0", "1", "5"]


def test_each_policy_is_measured_over_each_number_of_workers(first_cells):
    names = ["RoundRobin", "DynamicLoad", "AutoTune", "EarliestFinish"]
    cells = first_cells("scale.py", "--workers", "2", "9", "--learn", "1")
    assert cells == [name for name in names for _ in range(2)]
