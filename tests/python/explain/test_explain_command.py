# SPDX-License-Identifier: Apache-2.0
"""The command `python -m pointsman explain`: its table, its sentences, its JSON and its errors."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

import pointsman as pm
from pointsman import _explain
from pointsman.__main__ import main
from pointsman.execution import AutoPolicy

HOST_POLICIES = ["pm.seq", "pm.unseq", "pm.par", "pm.par_unseq"]


@pytest.fixture(autouse=True)
def host_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leaves out OpenCL devices, whose kernels take long to compile, and further calls."""
    policies = [pm.seq, pm.unseq, pm.par, pm.par_unseq]
    monkeypatch.setattr(_explain, "AutoPolicy", lambda: AutoPolicy(policies))
    monkeypatch.setattr(_explain, "_SECONDS", 0.0)


def printed(capsys: Any, *arguments: str) -> str:
    assert main(["explain", *arguments]) == 0
    return str(capsys.readouterr().out)


@pytest.mark.parametrize("algorithm", _explain.ALGORITHMS)
def test_has_a_row_and_a_sentence_for_each_size(algorithm: str, capsys: Any):
    lines = printed(capsys, algorithm, "--size", "10", "2000").splitlines()
    assert lines[0].split() == ["size", *HOST_POLICIES]
    assert [line.split()[0] for line in lines[1:3]] == ["10", "2,000"]
    assert re.match(rf"{algorithm} of 10: AutoPolicy chose pm\.\w+: it was ", lines[4])
    assert re.match(rf"{algorithm} of 2,000: AutoPolicy chose ", lines[6])


def test_a_star_marks_the_shortest_time():
    candidates = tuple(pm.Candidate(time, False, time, "") for time in (2e-3, 1e-3, None))
    explanation = pm.Explanation("AutoPolicy", "a", "it was measured", "seconds", candidates)
    assert list(_explain._times_of(explanation)) == ["2 ms", "1 ms *", "-"]


def test_prints_json(capsys: Any):
    record = json.loads(printed(capsys, "sort", "--size", "10", "--json"))
    assert record["algorithm"] == "sort"
    (choice,) = record["choices"]
    assert choice["size"] == 10
    assert choice["chosen"] in HOST_POLICIES
    assert [each["name"] for each in choice["candidates"]] == HOST_POLICIES
    assert choice["reason"].startswith("it was ")


@pytest.mark.parametrize("size", ["0", "-1", "ten", "100000001", "9" * 5000])
def test_refuses_a_size_that_no_array_has(size: str, capsys: Any):
    with pytest.raises(SystemExit) as exit_:
        main(["explain", "sort", f"--size={size}"])
    assert exit_.value.code == 2
    assert "pass 1 to 100000000" in capsys.readouterr().err


def test_refuses_an_unknown_algorithm_and_lists_the_others(capsys: Any):
    with pytest.raises(SystemExit) as exit_:
        main(["explain", "guess"])
    assert exit_.value.code == 2
    listed = capsys.readouterr().err.replace("'", "")  # some versions of Python quote them
    assert "inclusive_scan, reduce, sort, transform" in listed
