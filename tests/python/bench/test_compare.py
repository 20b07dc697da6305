# SPDX-License-Identifier: Apache-2.0
"""bench/compare.py: the table, the errors, the exit status."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.fixture
def compare(repository, tmp_path):
    """Runs compare.py in an empty folder and returns the finished process."""

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, str(repository / "bench" / "compare.py"), *arguments]
        return subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, timeout=60)

    return run


def iteration(name: str, time: float, unit: str = "ns") -> dict[str, object]:
    return {
        "name": name,
        "run_name": name,
        "run_type": "iteration",
        "real_time": time,
        "time_unit": unit,
    }


def aggregate(name: str, kind: str, time: float) -> dict[str, object]:
    return {
        "name": f"{name}_{kind}",
        "run_name": name,
        "run_type": "aggregate",
        "aggregate_name": kind,
        "real_time": time,
        "time_unit": "ns",
    }


@pytest.fixture
def write(tmp_path):
    """Writes a result with the given rows and returns its name."""

    def write_rows(name: str, *rows: dict[str, object]) -> str:
        (tmp_path / name).write_text(json.dumps({"context": {}, "benchmarks": rows}))
        return name

    return write_rows


def test_prints_after_over_before_for_each_shared_benchmark(compare, write):
    before = write("before.json", iteration("submit", 100), iteration("select", 50))
    after = write("after.json", iteration("submit", 200), iteration("select", 25))
    result = compare(before, after)
    assert result.returncode == 0, result.stderr
    lines = [line.split() for line in result.stdout.splitlines()]
    assert lines[0] == ["benchmark", "before", "after", "ratio"]
    assert lines[1] == ["submit", "100", "ns", "200", "ns", "2.000"]
    assert lines[2] == ["select", "50", "ns", "25", "ns", "0.500"]
    assert lines[3] == ["geometric", "mean", "1.000"]


def test_converts_units_before_it_compares(compare, write):
    before = write("before.json", iteration("submit", 2, "us"))
    after = write("after.json", iteration("submit", 1000, "ns"))
    assert "0.500" in compare(before, after).stdout


def test_takes_the_median_of_repetitions(compare, write):
    repeats = [iteration("submit", time) for time in (10, 1000, 20)]
    before = write("before.json", *repeats)
    after = write("after.json", aggregate("submit", "mean", 999), aggregate("submit", "median", 10))
    assert "0.500" in compare(before, after).stdout


def test_lists_benchmarks_of_only_one_result_without_a_ratio(compare, write):
    before = write("before.json", iteration("both", 1), iteration("old", 5))
    after = write("after.json", iteration("both", 1), iteration("new", 7))
    lines = [line.split() for line in compare(before, after).stdout.splitlines()]
    assert ["old", "5", "ns", "-"] in lines
    assert ["new", "-", "7", "ns"] in lines


def test_fails_with_status_1_only_above_the_allowed_ratio(compare, write):
    before = write("before.json", iteration("submit", 100))
    after = write("after.json", iteration("submit", 130))
    assert compare(before, after, "--fail-above", "1.4").returncode == 0
    result = compare(before, after, "--fail-above", "1.2")
    assert result.returncode == 1
    assert "submit" in result.stderr


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, "No such file"),
        ("no json", "not JSON"),
        ("[]", "not a Google Benchmark result"),
        ('{"benchmarks": 3}', "not a Google Benchmark result"),
        ('{"benchmarks": [{"name": "a"}]}', "lacks 'real_time'"),
        ('{"benchmarks": [{"name": "a", "error_occurred": true}]}', "a failed"),
        ('{"benchmarks": []}', "share no benchmark"),
    ],
    ids=["missing", "text", "list", "no rows", "no time", "failed run", "nothing shared"],
)
def test_says_in_one_line_why_a_file_cannot_be_compared(compare, write, tmp_path, content, words):
    good = write("good.json", iteration("submit", 100))
    if content is not None:
        (tmp_path / "other.json").write_text(content)
    result = compare(good, "other.json")
    assert result.returncode == 2
    assert result.stdout == ""
    assert words in result.stderr
    assert "other.json" in result.stderr
    assert result.stderr.count("\n") == 1


def test_reads_the_output_of_the_python_runner(compare, repository, tmp_path):
    runner = str(repository / "bench" / "python" / "run.py")
    brief = ["--rounds", "2", "--min-time", "0.0001"]
    for name, pattern in (("before.json", ""), ("after.json", "round_robin")):
        subprocess.run(
            [sys.executable, runner, pattern, "--out", name, *brief],
            check=True,
            capture_output=True,
            cwd=tmp_path,
            timeout=300,
        )
    result = compare("before.json", "after.json")
    assert result.returncode == 0, result.stderr
    assert "round_robin" in result.stdout
    context = json.loads(Path(tmp_path / "after.json").read_text())["context"]
    assert {"date", "cpu", "num_cpus", "compiler", "python"} <= context.keys()
