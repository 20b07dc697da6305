# SPDX-License-Identifier: Apache-2.0
"""The demo's table, progress and timeline, from invented passes."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("PIL")
pytest.importorskip("matplotlib")

from pointsman.demo import _report, _timeline  # noqa: E402  (they need these two packages)
from pointsman.demo._race import Bar, Pass  # noqa: E402


def invented() -> list[Pass]:
    return [
        Pass("fixed: a", [Bar("cat", 0, 0.0, 0.1), Bar("dog", 0, 0.1, 0.2)]),
        Pass("round_robin", [Bar("cat", 0, 0.0, 0.1), Bar("dog", 1, 0.0, 0.05)]),
    ]


def test_the_table_has_a_row_for_each_pass_with_speed_against_the_best_single() -> None:
    lines = _report.table(invented(), ["a", "b"], 0.2).splitlines()
    assert lines[0].split("  ")[0] == "policy"
    assert lines[2].split() == ["fixed:", "a", "200.0", "ms", "2", "0", "1.00x"]
    assert lines[3].split() == ["round_robin", "100.0", "ms", "1", "1", "2.00x"]


def test_the_table_has_no_speed_without_a_single_resource_to_compare_with() -> None:
    lines = _report.table(invented()[1:], ["a", "b"], None).splitlines()
    assert lines[-1].split() == ["round_robin", "100.0", "ms", "1", "1", "-"]


def test_progress_is_silent_on_a_short_run(capsys: pytest.CaptureFixture[str]) -> None:
    with _report.Progress(2) as progress:
        progress.step()
        progress.step()
    assert capsys.readouterr().err == ""


def test_progress_writes_at_most_one_line_per_second(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [0.0]
    monkeypatch.setattr(_report.time, "monotonic", lambda: now[0])
    with _report.Progress(40) as progress:
        for _ in range(40):
            now[0] += 0.125
            progress.step()
    assert capsys.readouterr().err.splitlines() == [
        f"  {done} of 40 photographs" for done in (8, 16, 24, 32, 40)
    ]


def test_bars_at_the_same_time_share_a_lane() -> None:
    bars = [Bar("a", 0, 0.0, 2.0), Bar("b", 0, 1.0, 3.0), Bar("c", 0, 2.0, 4.0)]
    assert _timeline._levels(bars) == [0, 1, 0]


@pytest.mark.parametrize("photographs", [1, 12, 40])
def test_the_timeline_is_drawn_for_any_number_of_photographs(
    photographs: int, tmp_path: Path
) -> None:
    bars = [Bar(f"photograph {i}", 0, i * 0.01, i * 0.01 + 0.01) for i in range(photographs)]
    _timeline.draw(tmp_path / "timeline.png", [Pass("one", bars)], ["arena of 1"])
    assert (tmp_path / "timeline.png").stat().st_size > 10_000
