# SPDX-License-Identifier: Apache-2.0
"""bench/python/policy/mixed_sizes.py: a line for each policy."""

from __future__ import annotations

import subprocess
import sys


def test_each_policy_is_compared_with_always_right(repository, tmp_path):
    script = repository / "bench" / "python" / "policy" / "mixed_sizes.py"
    command = [sys.executable, str(script), "--tasks", "20", "--rounds", "1", "--largest", "10"]
    result = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, timeout=300)
    assert result.returncode == 0, result.stderr
    rows = [line.split("|") for line in result.stdout.splitlines() if line.startswith("|")]
    assert [row[1].strip() for row in rows[2:]] == ["AutoTune", "EarliestFinish"]
    assert all(float(row[4]) > 0 for row in rows[2:])
