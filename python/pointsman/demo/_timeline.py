# SPDX-License-Identifier: Apache-2.0
# The demo's picture of where and when photographs of which size ran.
"""Draws the timeline with matplotlib."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.cm import ScalarMappable
from matplotlib.colors import LinearSegmentedColormap, LogNorm
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, NullLocator

from pointsman.demo._comparison import Result
from pointsman.demo._race import Bar
from pointsman.demo._resources import NamedResource, shares

_WIDTH_INCHES = 12.0
_LANE_INCHES = 0.3
_TITLE_INCHES = 0.38
_TOP_INCHES = 0.95
_BOTTOM_INCHES = 1.25
_BRACKET_INCHES = 0.25
_RIGHT = 0.975


def draw(path: Path, results: Sequence[Result], resources: Sequence[NamedResource]) -> None:
    """Write a picture: a row for each result, with a lane for each resource and a bar for each job.

    The row shows the pass whose time is nearest to the median. The colour of a bar shows the size
    of the photograph. Jobs that a resource worked on at the same time share the height of its lane.
    A bracket joins lanes of resources that share cores.
    """
    lanes = len(resources) * _LANE_INCHES
    rows_inches = len(results) * (lanes + _TITLE_INCHES) - _TITLE_INCHES
    height = _TOP_INCHES + _BOTTOM_INCHES + rows_inches
    left = 0.2 + _BRACKET_INCHES + 0.067 * max(len(each.name) for each in resources)
    figure = Figure(figsize=(_WIDTH_INCHES, height), facecolor="white")
    FigureCanvasAgg(figure)
    figure.subplots_adjust(
        left=left / _WIDTH_INCHES,
        right=_RIGHT,
        top=1 - _TOP_INCHES / height,
        bottom=_BOTTOM_INCHES / height,
        hspace=_TITLE_INCHES / lanes,
    )
    colours = _colours(results)
    _write_heading(figure, height, resources)
    rows = figure.subplots(len(results), 1, sharex=True, squeeze=False)[:, 0]
    for axes, result in zip(rows, results, strict=True):
        _draw_result(axes, result, resources, colours)
        _draw_brackets(axes, resources, (0.2 - left) / (_RIGHT * _WIDTH_INCHES - left))
    rows[-1].set_xlabel("time since the first submission in milliseconds")
    longest = max(result.typical.wall for result in results)
    rows[-1].set_xlim(0, longest * 1e3 * 1.01)
    _draw_colour_bar(figure, height, left / _WIDTH_INCHES, colours)
    figure.savefig(path, dpi=130)


def _write_heading(figure: Any, height: float, resources: Sequence[NamedResource]) -> None:
    lines = (
        "Times are the median and the range of the passes. Shown is the pass nearest to the "
        "median; the dotted line is its end."
    )
    if any(_groups(resources)):
        lines += " Brackets join resources that share cores."
    place = {"x": 0.2 / _WIDTH_INCHES, "va": "top"}
    figure.text(
        y=1 - 0.12 / height,
        s="Where and when the photographs were filtered",
        fontsize=13,
        fontweight="bold",
        **place,
    )
    figure.text(y=1 - 0.4 / height, s=lines, fontsize=9, color="0.3", **place)


def _draw_result(
    axes: Any, result: Result, resources: Sequence[NamedResource], colours: ScalarMappable
) -> None:
    shown = result.typical
    for lane in range(len(resources)):
        bars = sorted((b for b in shown.bars if b.resource == lane), key=lambda b: b.start)
        levels = _levels(bars)
        share = 0.84 / (max(levels, default=0) + 1)
        for bar, level in zip(bars, levels, strict=True):
            axes.broken_barh(
                [(bar.start * 1e3, (bar.end - bar.start) * 1e3)],
                (lane - 0.42 + level * share, share),
                facecolor=colours.to_rgba(bar.pixels / 1e6),
                edgecolor="white",
                linewidth=0.4,
            )
    axes.axvline(shown.wall * 1e3, color="0.35", linewidth=1, linestyle=":")
    low, high = result.range
    times = f"{result.median * 1e3:.0f} ms ({low * 1e3:.0f} to {high * 1e3:.0f} ms)"
    axes.set_title(
        f"{_literal(result.label)}: {times}",
        loc="left",
        fontsize=10,
    )
    axes.set_yticks(range(len(resources)), [_literal(each.name) for each in resources], fontsize=9)
    axes.tick_params(axis="y", length=0)
    axes.set_ylim(len(resources) - 0.5, -0.5)
    axes.grid(axis="x", color="0.9")
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)


def _literal(name: str) -> str:
    """Return a text that matplotlib shows as ``name``, also with the signs of a formula."""
    return name.replace("$", r"\$")


def _draw_brackets(axes: Any, resources: Sequence[NamedResource], x: float) -> None:
    """Draw a bracket at ``x``, left of the names, for each group of lanes on the same hardware."""
    for lanes in _groups(resources):
        tip = x + _BRACKET_INCHES / 3 / _WIDTH_INCHES
        top, bottom = lanes[0] - 0.3, lanes[-1] + 0.3
        axes.plot(
            [tip, x, x, tip],
            [top, top, bottom, bottom],
            transform=axes.get_yaxis_transform(),
            clip_on=False,
            color="0.3",
            linewidth=1.2,
        )


def _groups(resources: Sequence[NamedResource]) -> Iterator[list[int]]:
    """The lanes of each group of resources that share hardware, without lanes that are alone."""
    for index, each in enumerate(resources):
        lanes = [i for i, other in enumerate(resources) if shares(each, other)]
        if len(lanes) > 1 and lanes[0] == index:
            yield lanes


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


def _colours(results: Sequence[Result]) -> ScalarMappable:
    """Return colours for megapixels: viridis without its yellow, which is pale on white."""
    sizes = [bar.pixels / 1e6 for result in results for bar in result.typical.bars]
    whole = matplotlib.colormaps["viridis_r"]
    darker = LinearSegmentedColormap.from_list("sizes", whole(np.linspace(0.12, 1, 256)))
    low, high = min(sizes), max(sizes)
    if low == high:
        low, high = low / 2, high * 2
    return ScalarMappable(LogNorm(low, high), darker)


def _draw_colour_bar(figure: Any, height: float, left: float, colours: ScalarMappable) -> None:
    place = figure.add_axes((left, 0.48 / height, 0.4, 0.14 / height))
    low, high = colours.norm.vmin, colours.norm.vmax
    bar = figure.colorbar(colours, cax=place, orientation="horizontal")
    bar.set_ticks([low, (low * high) ** 0.5, high])
    bar.ax.xaxis.set_major_formatter(FuncFormatter(lambda size, _: f"{size:.2g}"))
    bar.ax.xaxis.set_minor_locator(NullLocator())
    bar.ax.tick_params(labelsize=9)
    bar.set_label("size of the photograph in megapixels", fontsize=9)
