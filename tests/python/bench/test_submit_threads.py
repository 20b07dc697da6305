# SPDX-License-Identifier: Apache-2.0
"""bench/python/policy/submit_threads.py: a line for each policy."""

from __future__ import annotations

import subprocess
import sys


def test_each_policy_has_a_line(repository, tmp_path):
    script = repository / "bench" / "python" / "policy" / "submit_threads.py"
    command = [sys.executable, str(script), "--count", "100", "--rounds", "1"]
    result = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, timeout=300)
    assert result.returncode == 0, result.stderr
    rows = [line.split("|") for line in result.stdout.splitlines()[3:]]
    assert len(rows) == 7
    assert all(float(row[2]) > 0 and float(row[3]) > 0 for row in rows)
