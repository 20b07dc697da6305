# SPDX-License-Identifier: Apache-2.0
"""bench/python/policy/service_stalls.py: a line for each way to serve a request."""

from __future__ import annotations

import subprocess
import sys


def test_each_way_has_a_line(repository, tmp_path):
    script = repository / "bench" / "python" / "policy" / "service_stalls.py"
    command = [sys.executable, str(script), "--requests", "4", "--milliseconds", "1"]
    result = subprocess.run(
        [*command, "--rounds", "1"], capture_output=True, text=True, cwd=tmp_path, timeout=300
    )
    assert result.returncode == 0, result.stderr
    rows = [line.split("|") for line in result.stdout.splitlines()[2:]]
    assert [row[1].strip() for row in rows] == ["`run`", "`run_async`", "`run_in_executor`"]
    assert all(float(row[3]) > 0 for row in rows)
