# SPDX-License-Identifier: Apache-2.0
# The table of times, what it means, and the sentence about what the policies learnt.
"""The text that the demo prints after the passes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pointsman import _console
from pointsman.demo._comparison import BEST_FOR_EACH, Result
from pointsman.demo._resources import NamedResource, shares

_LEFT_ALONE = 0.05  # of the photographs


def best_single(results: Sequence[Result], resources: Sequence[NamedResource]) -> int | None:
    """Return the fastest resource for all photographs; None if no pass used single resources."""
    singles = _singles(results, resources)
    if not singles:
        return None
    return min(range(len(singles)), key=lambda index: singles[index].median)


def _singles(results: Sequence[Result], resources: Sequence[NamedResource]) -> list[Result]:
    by_label = {each.label: each for each in results}
    labels = [f"fixed: {each.name}" for each in resources]
    return [by_label[label] for label in labels if label in by_label]


def table(results: Sequence[Result], resources: Sequence[NamedResource]) -> str:
    """Return a row for each result: median and range, relative speed, photographs by resource."""
    best = best_single(results, resources)
    reference = None if best is None else _singles(results, resources)[best].median
    heading = ["policy", "median", "range", "speed", *(f"on {each.name}" for each in resources)]
    rows = [heading]
    for each in results:
        low, high = each.range
        speed = "-" if reference is None else f"{reference / each.median:.2f}"
        counts = [str(each.typical.count(i)) for i in range(len(resources))]
        span = f"{low * 1e3:.0f} to {high * 1e3:.0f} ms"
        rows.append([each.label, f"{each.median * 1e3:.0f} ms", span, speed, *counts])
    return "\n".join(_console.table(rows, align=">", rule=True))


def record(results: Sequence[Result], resources: Sequence[NamedResource]) -> dict[str, Any]:
    """Return the names of the resources, and the table with times in seconds, for JSON."""
    names = [each.name for each in resources]
    rows = []
    for each in results:
        fastest, slowest = each.range
        counts = {name: each.typical.count(i) for i, name in enumerate(names)}
        times = {"median": each.median, "shortest": fastest, "longest": slowest}
        rows.append({"label": each.label, **times, "photographs": counts})
    return {"resources": names, "results": rows}


def legend(results: Sequence[Result]) -> str:
    """Return an explanation of the terms in the table."""
    labels = [each.label for each in results]
    lines = []
    if any(label.startswith("fixed") for label in labels):
        lines.append("speed: 1.00 is the best single resource, higher is faster")
    if BEST_FOR_EACH in labels:
        lines.append(
            f"{BEST_FOR_EACH}: every photograph on the resource that filters copies of it fastest, "
            "whatever else is outstanding there"
        )
    if any(label.endswith("learning") for label in labels):
        lines.append("learning: the first pass of a new policy; learnt: the second pass")
    return "\n".join(lines)


def lesson(results: Sequence[Result], resources: Sequence[NamedResource]) -> str | None:
    """Return a sentence: each resource's speed relative to the best one, and its photographs."""
    best = best_single(results, resources)
    learnt = [each for each in results if each.label.endswith("learnt")]
    if best is None or not learnt:
        return None
    singles = _singles(results, resources)
    chosen = learnt[-1].typical
    parts = []
    for index, each in enumerate(resources):
        if index == best:
            continue
        winner = resources[best]
        ratio = singles[best].median / singles[index].median
        has = "shares the cores of" if shares(each, winner) else "has hardware of its own beside"
        count = chosen.count(index)
        few = count <= _LEFT_ALONE * len(chosen.bars)
        given = "left alone" if few else f"given {count} of {len(chosen.bars)} photographs"
        parts.append(f"{each.name} {has} {winner.name} and is {ratio:.1f} x as fast: {given}")
    return "; ".join(parts) + "." if parts else None
