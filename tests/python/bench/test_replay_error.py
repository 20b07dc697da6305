# SPDX-License-Identifier: Apache-2.0
"""The comparison of replays with real runs, with few and short tasks."""

from __future__ import annotations

import runpy
from pathlib import Path

PROGRAM = Path(__file__).resolve().parents[3] / "bench/python/trace/replay_error.py"


def test_each_program_and_policy_has_a_line(capsys):
    bench = runpy.run_path(str(PROGRAM))
    bench["main"](["--tasks=6", "--seconds=0.0001"])
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2 + len(bench["PROGRAMS"]) * len(bench["REPLAYED"])
    assert lines[2].startswith("| phases | RoundRobin | 0.0")
