# SPDX-License-Identifier: Apache-2.0
# The timeline of a trace: a row for each resource and a bar for each task.
"""The picture ``pointsman.plot.timeline``."""

from __future__ import annotations

import heapq
from collections import defaultdict
from typing import TYPE_CHECKING, Any

from pointsman._trace import Trace
from pointsman._trace_events import TracedTask
from pointsman.plot._drawing import figure_and_axes
from pointsman.plot._trace_axes import (
    FAILED,
    OTHERS,
    colours_of,
    height_for,
    label_rows,
    rows_of,
    shortened,
    tasks_of,
    unit_of,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def timeline(trace: Trace, *, axes: Axes | None = None) -> Figure:
    """Draw a bar for each task, in the row of its resource, coloured by the name of its callable.

    Tasks of a resource that overlap share the height of its row. A bar begins when the task began
    or, where the resource does not know that, when it was chosen. Failed tasks are hatched.

    axes: matplotlib's axes to draw into; by default those of a new figure, which is returned.

    Raises InvalidOptionError if the trace has no complete task, and ImportError without matplotlib.
    """
    tasks = tasks_of(trace)
    rows = rows_of(tasks)
    figure, drawn = figure_and_axes(axes, height_for(len(rows)))
    end = max(task.ended or 0.0 for task in tasks)
    unit, name_of_unit = unit_of(end)
    colours = colours_of(task.name for task in tasks)
    # Boxes as left, width, bottom and height, by colour and success.
    bars: dict[tuple[str, bool], list[tuple[float, float, float, float]]] = defaultdict(list)
    for resource, row in rows.items():
        mine = [task for task in tasks if task.resource == resource]
        lanes = _lanes_of(mine)
        height = 0.8 / (max(lanes) + 1)
        for task, lane in zip(mine, lanes, strict=True):
            left, right = (time / unit for time in _span(task))
            box = (left, right - left, row - 0.4 + lane * height, height)
            bars[colours.get(task.name, OTHERS), task.succeeded].append(box)
    for (colour, succeeded), boxes in bars.items():
        _draw(drawn, boxes, colour, succeeded)
    label_rows(drawn, rows)
    drawn.set_xlim(0.0, end / unit * 1.01)
    drawn.set_xlabel(f"time since the first event ({name_of_unit})")
    _explain_colours(drawn, colours, set(bars))
    return figure


def _explain_colours(axes: Any, colours: dict[str, str], used: set[tuple[str, bool]]) -> None:
    from matplotlib.patches import Patch

    handles = [Patch(color=colour, label=shortened(name)) for name, colour in colours.items()]
    if any(colour == OTHERS for colour, _ in used):
        handles.append(Patch(color=OTHERS, label="others"))
    if any(not succeeded for _, succeeded in used):
        handles.append(Patch(facecolor="white", edgecolor=FAILED, hatch="////", label="failed"))
    place = {"loc": "lower left", "bbox_to_anchor": (0.0, 1.0)}
    axes.legend(handles=handles, **place, ncols=4, fontsize=8, frameon=False)


def _span(task: TracedTask) -> tuple[float, float]:
    assert task.begin is not None and task.ended is not None
    return task.begin, max(task.begin, task.ended)


def _lanes_of(tasks: list[TracedTask]) -> list[int]:
    """Return a number for each task such that tasks with the same number do not overlap."""
    free: list[tuple[float, int]] = []  # when each lane becomes free
    lanes = [0] * len(tasks)
    for index in sorted(range(len(tasks)), key=lambda each: _span(tasks[each])[0]):
        begin, end = _span(tasks[index])
        if free and free[0][0] <= begin:
            lanes[index] = heapq.heapreplace(free, (end, free[0][1]))[1]
        else:
            lanes[index] = len(free)
            heapq.heappush(free, (end, lanes[index]))
    return lanes


def _draw(
    axes: Any, boxes: list[tuple[float, float, float, float]], colour: str, succeeded: bool
) -> None:
    from matplotlib.collections import PolyCollection

    corners = [
        [(left, low), (left, low + height), (left + width, low + height), (left + width, low)]
        for left, width, low, height in boxes
    ]
    drawn = PolyCollection(
        corners,
        facecolor=colour,
        edgecolor="white" if succeeded else FAILED,
        linewidth=0.3,
        hatch=None if succeeded else "////",
    )
    axes.add_collection(drawn)
