# SPDX-License-Identifier: Apache-2.0
"""The benchmark of faults completes all tasks."""

from __future__ import annotations

import subprocess
import sys

import pytest


@pytest.mark.parametrize("policy", ["RoundRobin", "DynamicLoad", "EarliestFinish"])
def test_nothing_is_lost_and_nothing_runs_too_often(repository, policy):
    program = repository / "bench/python/policy/faults.py"
    arguments = ["--tasks", "1000", "--threads", "4", "--policies", policy]
    run = subprocess.run(
        [sys.executable, str(program), *arguments],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    rows = [line.split() for line in run.stdout.splitlines() if line.startswith(policy)]
    assert [row[1] for row in rows] == ["without", "with"]
    assert [row[3:7] for row in rows] == [["1000", "0", "0", "0"]] * 2
    assert int(rows[1][7]) >= 50  # the tasks that threw
