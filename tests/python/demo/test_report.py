# SPDX-License-Identifier: Apache-2.0
"""The demo's table, sentence, progress and timeline, from invented passes."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("PIL")
pytest.importorskip("matplotlib")

from pointsman.demo import _progress, _report, _timeline  # noqa: E402  (they need these two)
from pointsman.demo._comparison import Result  # noqa: E402
from pointsman.demo._race import Bar, Pass  # noqa: E402
from pointsman.demo._resources import NamedResource  # noqa: E402

ARENA = NamedResource(None, "arena of 2", "threads of oneTBB", 1)
POCL = NamedResource(None, "PoCL", "OpenCL on a processor", 1)
GPU = NamedResource(None, "GPU", "OpenCL on a GPU", 7)


def result(label: str, counts: list[int], *walls: float) -> Result:
    """The result of passes that ran ``counts`` jobs on the resources in turn."""
    bars = [
        Bar(1000 * (i + 1), resource, i * 0.01, (i + 1) * 0.01)
        for resource, count in enumerate(counts)
        for i in range(count)
    ]
    return Result(label, [Pass(bars, wall) for wall in walls])


def results() -> list[Result]:
    return [
        result("fixed: arena of 2", [40, 0], 0.3, 0.2, 0.22),
        result("fixed: PoCL", [0, 40], 0.5, 0.6, 0.55),
        result("each on its best", [40, 0], 0.21, 0.19, 0.2),
        result("earliest_finish, learning", [30, 10], 0.3, 0.4, 0.44),
        result("earliest_finish, learnt", [39, 1], 0.2, 0.2, 0.2),
    ]


def test_the_table_has_median_range_and_speed_against_the_best_single_resource() -> None:
    lines = _report.table(results(), [ARENA, POCL]).splitlines()
    assert lines[0].split("  ")[0] == "policy"
    cells = ["fixed:", "arena", "of", "2", "220", "ms", "200", "to", "300", "ms", "1.00", "40", "0"]
    assert lines[2].split() == cells
    assert lines[3].split()[-3:] == ["0.40", "0", "40"]
    assert lines[4].split()[-3:] == ["1.10", "40", "0"]


def test_the_table_has_no_speed_without_the_single_resources() -> None:
    lines = _report.table(results()[3:], [ARENA, POCL]).splitlines()
    assert lines[-1].split()[-3:] == ["-", "39", "1"]


def test_the_legend_explains_what_is_in_the_table() -> None:
    words = [line.split(":")[0] for line in _report.legend(results()).splitlines()]
    assert words == ["speed", "each on its best", "learning"]
    assert _report.legend([result("round_robin", [1, 1], 1.0)]) == ""


def test_the_sentence_says_what_a_resource_is_worth_and_what_it_was_given() -> None:
    assert _report.lesson(results(), [ARENA, POCL]) == (
        "PoCL shares the cores of arena of 2 and is 0.4 x as fast: left alone."
    )
    with_gpu = [
        result("fixed: arena of 2", [40, 0], 0.2),
        result("fixed: GPU", [0, 40], 0.1),
        result("auto_tune, learnt", [10, 30], 0.07),
    ]
    assert _report.lesson(with_gpu, [ARENA, GPU]) == (
        "arena of 2 has hardware of its own beside GPU and is 0.5 x as fast: given 10 of 40 "
        "photographs."
    )


def test_there_is_no_sentence_without_single_resources_or_without_learning() -> None:
    assert _report.lesson(results()[3:], [ARENA, POCL]) is None
    assert _report.lesson(results()[:3], [ARENA, POCL]) is None


def test_the_typical_pass_is_the_one_nearest_to_the_median() -> None:
    assert result("any", [1], 0.5, 0.1, 0.2).typical.wall == 0.2


def test_progress_is_silent_on_a_short_run(capsys: pytest.CaptureFixture[str]) -> None:
    with _progress.Progress(2) as progress:
        progress.step()
        progress.step()
    assert capsys.readouterr().err == ""


def test_progress_writes_at_most_one_line_per_second(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [0.0]
    monkeypatch.setattr(_progress.time, "monotonic", lambda: now[0])
    with _progress.Progress(40) as progress:
        for _ in range(40):
            now[0] += 0.125
            progress.step()
    assert capsys.readouterr().err.splitlines() == [
        f"  {done} of 40 photographs" for done in (8, 16, 24, 32, 40)
    ]


def test_bars_at_the_same_time_share_a_lane() -> None:
    bars = [Bar(9, 0, 0.0, 2.0), Bar(9, 0, 1.0, 3.0), Bar(9, 0, 2.0, 4.0)]
    assert _timeline._levels(bars) == [0, 1, 0]


def test_a_bracket_joins_the_lanes_of_resources_that_share_cores() -> None:
    assert list(_timeline._groups([GPU, ARENA, POCL])) == [[1, 2]]
    assert list(_timeline._groups([GPU, ARENA])) == []


@pytest.mark.parametrize("sizes", [1, 2, 40])
def test_the_timeline_is_drawn_for_any_number_of_sizes(sizes: int, tmp_path: Path) -> None:
    drawn = [result("one", [sizes, 1], 0.5)]
    _timeline.draw(tmp_path / "timeline.png", drawn, [ARENA, POCL])
    assert (tmp_path / "timeline.png").stat().st_size > 10_000


def test_the_timeline_shows_names_as_they_are(tmp_path: Path) -> None:
    odd = NamedResource(None, r"GPU $\frac$ a\$b", "OpenCL on a GPU", 7)
    drawn = [result(f"fixed: {odd.name}", [2], 1.0)]
    _timeline.draw(tmp_path / "timeline.png", drawn, [odd])
    assert (tmp_path / "timeline.png").stat().st_size > 10_000
