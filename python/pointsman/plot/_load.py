# SPDX-License-Identifier: Apache-2.0
# The load of each resource over the time of a trace.
"""The picture ``pointsman.plot.load``."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, cycle
from typing import TYPE_CHECKING, Any, Final

from pointsman._trace import Trace
from pointsman._trace_events import TracedTask
from pointsman.plot._drawing import figure_and_axes
from pointsman.plot._trace_axes import (
    COLOURS,
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

MOST_LINES: Final = 6
COLUMNS: Final = 200  # of the table of colours


def load(trace: Trace, *, axes: Axes | None = None) -> Figure:
    """Draw the number of outstanding submissions of each resource over time.

    Up to six resources have a line each, told apart by colour and dashes; more are the rows of a
    table, in which darker means more.

    axes: matplotlib's axes to draw into; by default those of a new figure, which is returned.

    Raises InvalidOptionError if the trace has no complete task, and ImportError without matplotlib.
    """
    tasks = tasks_of(trace)
    rows = rows_of(tasks)
    figure, drawn = figure_and_axes(axes, height_for(4 if len(rows) <= MOST_LINES else len(rows)))
    end = max(task.ended or 0.0 for task in tasks)
    unit, name_of_unit = unit_of(end)
    if len(rows) <= MOST_LINES:
        _draw_lines(drawn, tasks, rows, unit)
    else:
        _draw_table(drawn, tasks, rows, end, unit)
    drawn.set_xlim(0.0, end / unit * 1.01)
    drawn.set_xlabel(f"time since the first event ({name_of_unit})")
    return figure


def _changes(tasks: Sequence[TracedTask], resource: str) -> list[tuple[float, int]]:
    """Return when the load of the resource changes, and by how much."""
    mine = [task for task in tasks if task.resource == resource]
    begins = [(task.selected or 0.0, 1) for task in mine]
    return sorted(begins + [(task.ended or 0.0, -1) for task in mine])


def _draw_lines(axes: Any, tasks: list[TracedTask], rows: dict[str, int], unit: float) -> None:
    styles = zip(COLOURS, cycle(("-", "--", "-.", ":")), strict=False)
    for resource, (colour, dashes) in zip(rows, styles, strict=False):
        times, steps = zip(*_changes(tasks, resource), strict=True)
        axes.step(
            [0.0, *(time / unit for time in times)],
            [0, *accumulate(steps)],
            where="post",
            color=colour,
            linestyle=dashes,
            label=shortened(resource),
        )
    axes.set_ylabel("outstanding submissions")
    axes.set_ylim(bottom=0)
    axes.yaxis.get_major_locator().set_params(integer=True)
    axes.legend(loc="lower left", bbox_to_anchor=(0.0, 1.0), ncols=3, fontsize=8, frameon=False)


def _draw_table(
    axes: Any, tasks: list[TracedTask], rows: dict[str, int], end: float, unit: float
) -> None:
    table = [_means(_changes(tasks, resource), end) for resource in rows]
    shown = axes.imshow(
        table,
        aspect="auto",
        cmap="Blues",
        vmin=0.0,
        interpolation="nearest",
        extent=(0.0, end / unit, len(rows) - 0.5, -0.5),
    )
    axes.figure.colorbar(shown, ax=axes, label="outstanding submissions (mean)", pad=0.01)
    label_rows(axes, rows)


def _means(changes: list[tuple[float, int]], end: float) -> list[float]:
    """Return the mean load in each of the columns between 0 and ``end``."""
    width = end / COLUMNS or 1.0
    sums = [0.0] * COLUMNS
    load = 0
    before = 0.0
    for time, step in [*changes, (end, 0)]:
        _add(sums, before / width, time / width, load)
        load += step
        before = time
    return sums


def _add(sums: list[float], begin: float, end: float, load: int) -> None:
    """Add ``load`` to the columns from ``begin`` to ``end``, which are counted in columns."""
    if load == 0:
        return
    for column in range(int(begin), min(int(end) + 1, COLUMNS)):
        sums[column] += load * (min(end, column + 1) - max(begin, column))
