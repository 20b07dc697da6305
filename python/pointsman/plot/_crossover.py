# SPDX-License-Identifier: Apache-2.0
# The picture of which resource is fastest at which size.
"""Draws the measured times of a callable by the size of its arguments."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from pointsman.plot._drawing import Look, figure_and_axes, finish, looks_of
from pointsman.plot._kinds import kinds_of, name_of_callable, size_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_STEPS: Final = 20  # to a power of two

# The mean seconds by the index of a resource, by the binary logarithm of the size.
_Times: TypeAlias = Mapping[int, Mapping[int, float]]


def crossover(policy: Any, kind: Callable[..., Any] | str, *, axes: Any = None) -> Figure:
    """Draw the mean time of ``kind`` on each resource, by the size of its arguments.

    Dotted lines mark the sizes from which another resource is the fastest, interpolated between the
    measured ones. The seven resources that are the fastest at most sizes have colours; others are
    grey. The size is a power of two, of the bytes of an array, the length of a container or an
    integer; of several arguments, their product.

    policy: an ``AutoTune`` or ``EarliestFinish``.
    kind: the callable that was submitted, or its name as in the policy's table.
    axes: matplotlib's axes to draw into; by default those of a new figure.

    Raises TypeError if the policy does not measure, InvalidOptionError if it has measured nothing
    of the kind, ImportError without matplotlib.

    >>> policy = pm.AutoTune(["near", "far"])
    >>> def total(resource, numbers):
    ...     return sum(numbers)
    >>> sums = [policy.submit_and_wait(total, range(n)) for n in (10, 10_000) for _ in range(5)]
    >>> figure = pm.plot.crossover(policy, total)
    """
    kinds = kinds_of(policy, kind)
    times: dict[int, dict[int, float]] = {}
    for name, _, timings in reversed(kinds):  # of kinds with the same size the most used one counts
        means = {i: mean for i, (_, mean, _) in enumerate(timings) if mean is not None}
        if means:
            times[size_of(name)] = means
    times = dict(sorted(times.items()))
    resources = policy.get_resources()
    fastest = _fastest(times)
    looks = looks_of(resources, _ranking(fastest, times, len(resources)))
    figure, axes = figure_and_axes(axes)
    for index, look in enumerate(looks):
        _draw_resource(axes, [(x, at[index]) for x, at in times.items() if index in at], look)
    _draw_crossings(axes, _crossings(fastest), (max(times) - min(times)) / 16)
    _show_powers(axes)
    title = f"{name_of_callable(kinds[0][0])}: time by size"
    finish(axes, title, "size of the arguments (bytes, length or integer)", looks)
    return figure


def _draw_resource(axes: Any, points: list[tuple[int, float]], look: Look) -> None:
    if points:
        axes.plot(
            *zip(*points, strict=True),
            color=look.color,
            marker=look.marker,
            label="_grey" if look.is_grey else look.label,
            linewidth=0.7 if look.is_grey else 1.6,
            zorder=look.order,
        )


def _draw_crossings(axes: Any, sizes: list[float], least: float) -> None:
    """Draw a line at each size, and write sizes that are ``least`` from the last written one."""
    written = -math.inf
    for size in sizes:
        axes.axvline(size, color="0.35", linestyle=":", linewidth=1)
        if size - written >= least:
            place = {"xycoords": ("data", "axes fraction"), "va": "top"}
            axes.annotate(f" $2^{{{size:.1f}}}$", (size, 1), **place)
            written = size


def _fastest(times: _Times) -> list[tuple[float, int]]:
    """Return sizes in small steps, as binary logarithms, with the index of the resource whose line
    is the lowest there."""
    first, last = min(times), max(times)
    sizes = [first + step / _STEPS for step in range((last - first) * _STEPS + 1)]
    return [(size, min(at, key=at.__getitem__)) for size in sizes if (at := _lines_at(times, size))]


def _lines_at(times: _Times, size: float) -> dict[int, float]:
    """Return the logarithm of the time by resource, interpolated between measured sizes."""
    found = {}
    for index in {index for at in times.values() for index in at}:
        known = [x for x, at in times.items() if index in at]
        low = max((x for x in known if x <= size), default=None)
        high = min((x for x in known if x >= size), default=None)
        if low is not None and high is not None:
            share = (size - low) / (high - low) if high > low else 0.0
            below, above = math.log(times[low][index]), math.log(times[high][index])
            found[index] = below + share * (above - below)
    return found


def _ranking(fastest: list[tuple[float, int]], times: _Times, count: int) -> list[int]:
    """Return the indices of the resources: those that are fastest at most sizes first, then those
    that were measured at most sizes."""
    wins = Counter(index for _, index in fastest)
    measured = Counter(index for at in times.values() for index in at)
    return sorted(range(count), key=lambda index: (-wins[index], -measured[index]))


def _crossings(fastest: list[tuple[float, int]]) -> list[float]:
    """Return the sizes from which another resource is the fastest."""
    pairs = zip(fastest, fastest[1:], strict=False)
    return [(low + high) / 2 for (low, before), (high, after) in pairs if before != after]


def _show_powers(axes: Any) -> None:
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"$2^{{{x:.0f}}}$"))
