# SPDX-License-Identifier: Apache-2.0
# What the pictures of traces share: rows, units of time, and colours of tasks.
"""Rows, units and colours of the pictures of traces."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, Final

from pointsman._trace import Trace
from pointsman._trace_events import TracedTask
from pointsman.error import InvalidOptionError

# The colours of Okabe and Ito, which people with any kind of colour vision can tell apart.
COLOURS: Final = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442")
OTHERS: Final = "#999999"
FAILED: Final = "black"
LONGEST_NAME: Final = 24
_UNITS: Final = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"))


def height_for(rows: int) -> float:
    """Return the height of a figure in inches that fits ``rows``."""
    return max(2.4, 1.6 + max(0.16, 0.5 - rows / 60) * rows)


def tasks_of(trace: Trace) -> list[TracedTask]:
    """Return the tasks whose begin and end are known.

    Raises InvalidOptionError if there are none.
    """
    known = [task for task in trace.tasks if task.begin is not None and task.ended is not None]
    if not known:
        raise InvalidOptionError(
            f"{trace!r} has no complete task to draw: let the traced block wait for its work"
        )
    return known


def unit_of(seconds: float) -> tuple[float, str]:
    """Return the unit in which a time is a number from 1 on, in seconds, and its name."""
    return next(((size, name) for size, name in _UNITS if seconds >= size), _UNITS[-1])


def colours_of(names: Iterable[str]) -> dict[str, str]:
    """Return a colour for each of the most frequent names; all others share a grey."""
    frequent = [name for name, _ in Counter(names).most_common(len(COLOURS))]
    return dict(zip(sorted(frequent), COLOURS, strict=False))


def shortened(name: str) -> str:
    """Return a name that fits beside a picture."""
    if len(name) <= LONGEST_NAME:
        return name
    return f"{name[: LONGEST_NAME - 9]}…{name[-8:]}"


def rows_of(tasks: Sequence[TracedTask]) -> dict[str, int]:
    """Return a row for each resource, in the order in which they were first used."""
    return {name: row for row, name in enumerate(dict.fromkeys(task.resource for task in tasks))}


def label_rows(axes: Any, rows: dict[str, int]) -> None:
    """Write the names of the resources beside their rows, the first one on top."""
    size = 9.0 if len(rows) <= 12 else 7.0
    axes.set_yticks(range(len(rows)), [shortened(name) for name in rows], fontsize=size)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_ylabel("resource")
