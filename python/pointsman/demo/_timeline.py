# SPDX-License-Identifier: Apache-2.0
# The demo's picture of which photograph ran where and when.
"""Draws the timeline with matplotlib."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import matplotlib
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from pointsman.demo._race import Bar, Pass

_LANE_INCHES = 0.36
_TITLE_INCHES = 0.36


def draw(path: Path, passes: Sequence[Pass], resources: Sequence[str]) -> None:
    """Write the picture: a row for each pass, in it a lane for each resource, one bar for each job.

    Jobs that a resource worked on at the same time share the height of its lane.
    """
    names = sorted({bar.name for done in passes for bar in done.bars})
    colours = _colours(names)
    columns = min(5, len(names))
    top, bottom = 0.75, 0.75 + 0.24 * -(-len(names) // columns)
    lanes = len(resources) * _LANE_INCHES
    height = top + bottom + len(passes) * (lanes + _TITLE_INCHES) - _TITLE_INCHES
    figure = Figure(figsize=(12, height), facecolor="white")
    FigureCanvasAgg(figure)
    figure.subplots_adjust(
        left=_margin(resources) / 12,
        right=0.98,
        top=1 - top / height,
        bottom=bottom / height,
        hspace=_TITLE_INCHES / lanes,
    )
    figure.text(
        0.01, 1 - 0.15 / height, "Which photograph ran where and when",
        va="top", fontsize=13, fontweight="bold",
    )  # fmt: skip
    rows = figure.subplots(len(passes), 1, sharex=True, squeeze=False)[:, 0]
    for axes, done in zip(rows, passes, strict=True):
        _draw_pass(axes, done, resources, colours)
    rows[-1].set_xlabel("milliseconds since the first submission")
    rows[-1].set_xlim(0, max(done.wall for done in passes) * 1e3 * 1.01)
    figure.legend(
        handles=[Patch(facecolor=colours[name], label=name) for name in names],
        loc="lower center",
        ncols=columns,
        fontsize=9,
        frameon=False,
    )
    figure.savefig(path, dpi=130)


def _margin(resources: Sequence[str]) -> float:
    """Return the inches that the names of the lanes need."""
    return 0.25 + 0.072 * max(len(name) for name in resources)


def _draw_pass(axes: Any, done: Pass, resources: Sequence[str], colours: dict[str, Any]) -> None:
    for lane in range(len(resources)):
        bars = sorted((b for b in done.bars if b.resource == lane), key=lambda b: b.start)
        levels = _levels(bars)
        share = 0.84 / (max(levels, default=0) + 1)
        for bar, level in zip(bars, levels, strict=True):
            axes.broken_barh(
                [(bar.start * 1e3, (bar.end - bar.start) * 1e3)],
                (lane - 0.42 + level * share, share),
                facecolor=colours[bar.name],
                edgecolor="white",
                linewidth=0.4,
            )
    axes.axvline(done.wall * 1e3, color="0.35", linewidth=1, linestyle=":")
    axes.set_title(f"{done.label}: {done.wall * 1e3:.0f} ms", loc="left", fontsize=10)
    axes.set_yticks(range(len(resources)), resources, fontsize=9)
    axes.set_ylim(len(resources) - 0.5, -0.5)
    axes.grid(axis="x", color="0.9")
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)


def _levels(bars: Sequence[Bar]) -> list[int]:
    """Return for each bar, in order of starts, the first level where it overlaps no other."""
    free_from: list[float] = []
    levels = []
    for bar in bars:
        level = next((i for i, end in enumerate(free_from) if end <= bar.start), len(free_from))
        if level == len(free_from):
            free_from.append(bar.end)
        free_from[level] = bar.end
        levels.append(level)
    return levels


def _colours(names: Sequence[str]) -> dict[str, Any]:
    """Return a colour for each name: distinct up to twenty, along a colour map beyond."""
    if len(names) <= 20:
        palette = matplotlib.colormaps["tab10" if len(names) <= 10 else "tab20"]
        return {name: palette(i) for i, name in enumerate(names)}
    palette = matplotlib.colormaps["turbo"]
    return {name: palette(i / (len(names) - 1)) for i, name in enumerate(names)}
