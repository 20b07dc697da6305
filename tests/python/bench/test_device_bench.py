# SPDX-License-Identifier: Apache-2.0
"""bench/python/algorithm/device_bench.py: the table, the JSON result, a missing device."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest


@pytest.fixture
def bench(repository, tmp_path):
    """Runs device_bench.py in an empty folder and returns the finished process."""

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        script = repository / "bench" / "python" / "algorithm" / "device_bench.py"
        command = [sys.executable, str(script), *arguments]
        return subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, timeout=300)

    return run


@pytest.mark.parametrize("size", ["1e2", "1e4"])
def test_every_algorithm_has_a_line_beside_the_plain_copy(bench, opencl_queue, tmp_path, size):
    result = bench(
        "--size", size, "--rounds", "2", "--min-time", "0.0001", "--out", "result.json"
    )  # fmt: skip
    assert result.returncode == 0, result.stderr
    lines = result.stdout.splitlines()
    assert "values, medians of 2 rounds" in lines[0]
    copy = next(line for line in lines if line.startswith("plain copy"))
    assert copy.split()[4] == "100.0"
    for name in ("transform", "fill", "copy", "reduce", "inclusive_scan", "sort of uint32"):
        assert any(line.startswith(name) for line in lines)
    rows = json.loads((tmp_path / "result.json").read_text())
    assert rows["context"]["size"] == float(size)
    assert "pointsman/reduce" in {row["run_name"] for row in rows["benchmarks"]}


def test_a_missing_device_is_named(bench, opencl_queue):
    result = bench("--device", "1000")
    assert result.returncode == 2
    assert "1000 is none of [<Device" in result.stderr
