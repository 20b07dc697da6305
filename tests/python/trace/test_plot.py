# SPDX-License-Identifier: Apache-2.0
"""The pictures of traces: their rows, bars, units, labels and colours."""

from __future__ import annotations

import subprocess
import sys

import pytest

import pointsman as pm

pytest.importorskip("matplotlib")


def axes_of(figure):
    return figure.axes[0]


def names_of(axes):
    return [label.get_text() for label in axes.get_yticklabels()]


def boxes_of(axes):
    """Left, bottom, right and top of each bar."""
    return sorted(
        tuple(round(float(number), 6) for number in path.get_extents().extents)
        for bars in axes.collections
        for path in bars.get_paths()
    )


def test_a_timeline_has_a_row_for_each_resource_and_a_bar_for_each_task(two_resources):
    axes = axes_of(pm.plot.timeline(two_resources))
    assert names_of(axes) == ["gpu", "cpu"]
    assert [(left, right) for left, _, right, _ in boxes_of(axes)] == [(0, 2), (1, 4), (6, 8)]
    assert axes.get_xlabel() == "time since the first event (ms)"
    assert axes.get_ylabel() == "resource"


def test_bars_that_overlap_in_time_do_not_overlap_in_a_timeline(two_resources):
    (_, low, _, high), (_, other_low, _, other_high), _ = boxes_of(
        axes_of(pm.plot.timeline(two_resources))
    )
    assert high <= other_low or other_high <= low


def test_a_timeline_explains_its_colours_and_failures(two_resources):
    legend = axes_of(pm.plot.timeline(two_resources)).get_legend()
    assert [text.get_text() for text in legend.get_texts()] == ["blur", "total", "failed"]


def test_rare_names_share_a_colour(made_trace):
    trace = made_trace(*((f"f{i}", "gpu", i, i, i + 1, True) for i in range(12)))
    texts = axes_of(pm.plot.timeline(trace)).get_legend().get_texts()
    assert len(texts) == 8
    assert texts[-1].get_text() == "others"


def test_a_timeline_of_64_resources_has_rows_that_do_not_touch(made_trace):
    trace = made_trace(*(("f", f"queue {i}", 0, i, i + 1, True) for i in range(64)))
    axes = axes_of(pm.plot.timeline(trace))
    axes.figure.canvas.draw()
    boxes = [label.get_window_extent() for label in axes.get_yticklabels()]
    assert len(boxes) == 64
    assert all(above.y0 >= below.y1 for above, below in zip(boxes, boxes[1:], strict=False))


def test_a_picture_is_drawn_into_the_given_axes(two_resources):
    from matplotlib.figure import Figure

    figure = Figure()
    first, second = figure.subplots(2)
    assert pm.plot.timeline(two_resources, axes=first) is figure
    assert pm.plot.load(two_resources, axes=second) is figure
    assert first.collections
    assert second.lines


def test_the_load_of_few_resources_is_a_line_each(two_resources):
    axes = axes_of(pm.plot.load(two_resources))
    gpu, cpu = axes.get_lines()
    assert list(gpu.get_ydata()) == [0, 1, 2, 1, 0]
    assert [round(float(time), 6) for time in cpu.get_xdata()] == [0, 2, 8]
    assert axes.get_ylabel() == "outstanding submissions"
    assert gpu.get_linestyle() != cpu.get_linestyle()


def test_the_load_of_many_resources_is_a_table(made_trace):
    trace = made_trace(*(("f", f"queue {i}", 0, i, 10, True) for i in range(64)))
    axes = axes_of(pm.plot.load(trace))
    assert axes.images[0].get_array().shape[0] == 64
    assert float(axes.images[0].get_array().mean()) == pytest.approx(1.0)
    assert len(names_of(axes)) == 64


@pytest.mark.parametrize("draw", [pm.plot.timeline, pm.plot.load], ids=lambda draw: draw.__name__)
def test_a_trace_without_complete_tasks_is_refused(draw):
    with pytest.raises(pm.InvalidOptionError, match="no complete task"):
        draw(pm.Trace())


def test_without_matplotlib_the_error_says_how_to_get_it():
    program = (
        "import sys; sys.modules['matplotlib'] = None\n"
        "import pointsman as pm\n"
        "with pm.trace() as traced:\n"
        "    pm.RoundRobin(['a']).submit(lambda resource: resource)\n"
        "try:\n"
        "    pm.plot.timeline(traced)\n"
        "except ImportError as error:\n"
        "    print(error)\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60
    )
    assert "pip install 'pointsman[plot]'" in run.stdout
