# SPDX-License-Identifier: Apache-2.0
# The picture of how a policy came to know a kind of task.
"""Draws the timings of a kind of task in the order in which they were taken."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from pointsman._measured import Timings
from pointsman._representation import text_of_time
from pointsman.plot._drawing import Look, figure_and_axes, finish, looks_of
from pointsman.plot._kinds import kinds_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def learning(policy: Any, kind: Callable[..., Any] | str, *, axes: Any = None) -> Figure:
    """Draw the timings of ``kind`` on each resource in their order, and what was learnt from them.

    The horizontal axis counts the tasks of the kind. Each mark is a timed task; the first one on a
    resource is warm-up. Of many timings, up to 32 for each resource are shown, evenly spread. A
    dashed line is the mean that the policy goes by. Of more than seven resources, the slower ones
    are grey.

    policy: an ``AutoTune`` or ``EarliestFinish``.
    kind: the callable that was submitted, of which the most used size is drawn; or the name of a
        kind as in the policy's table, such as ``"total(2^12)"``.
    axes: matplotlib's axes to draw into; by default those of a new figure.

    Raises TypeError if the policy does not measure, InvalidOptionError if it has measured nothing
    of the kind, ImportError without matplotlib.

    >>> policy = pm.AutoTune(["near", "far"])
    >>> def total(resource, numbers):
    ...     return sum(numbers)
    >>> sums = [policy.submit_and_wait(total, range(1_000)) for _ in range(20)]
    >>> figure = pm.plot.learning(policy, total)
    """
    name, _, timings = kinds_of(policy, kind)[0]
    means = [math.inf if mean is None else mean for _, mean, _ in timings]
    ranking = sorted(range(len(means)), key=means.__getitem__)
    looks = looks_of(policy.get_resources(), ranking)
    figure, axes = figure_and_axes(axes)
    for look, of_resource in zip(looks, timings, strict=False):
        _draw_timings(axes, of_resource, look)
    finish(axes, f"{name}: timings in their order", "number of the task of this kind", looks)
    axes.set_xlim(left=0)
    return figure


def _draw_timings(axes: Any, of_resource: Timings, look: Look) -> None:
    count, mean, history = of_resource
    learnt = "not known yet" if mean is None else f"{text_of_time(mean)}, {count} timed"
    axes.plot(
        [run for run, _ in history],
        [seconds for _, seconds in history],
        color=look.color,
        marker=look.marker,
        linestyle="none",
        markersize=3 if look.is_grey else 6,
        label="_grey" if look.is_grey else f"{look.label}: {learnt}",
        zorder=look.order,
    )
    if mean is not None and not look.is_grey:
        axes.axhline(mean, color=look.color, linestyle="--", linewidth=1, zorder=look.order)
