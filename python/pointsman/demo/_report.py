# SPDX-License-Identifier: Apache-2.0
# The demo's table and its progress on a long run.
"""The text that the demo prints."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Sequence
from types import TracebackType
from typing import Any

from pointsman.demo._race import Pass


def table(passes: Sequence[Pass], resources: Sequence[str], best_single: float | None) -> str:
    """Return one row for each pass: policy, wall time, jobs on each resource, relative speed.

    ``best_single`` is the wall time of the best single resource in seconds, if it was measured.
    """
    rows = [["policy", "wall time", *(f"on {name}" for name in resources), "speed"]]
    for done in passes:
        counts = [str(done.count(i)) for i in range(len(resources))]
        speed = f"{best_single / done.wall:.2f}x" if best_single is not None else "-"
        rows.append([done.label, f"{done.wall * 1e3:.1f} ms", *counts, speed])
    widths = [max(len(cell) for cell in column) for column in zip(*rows, strict=True)]
    lines = [
        "  ".join(
            [row[0].ljust(widths[0])]
            + [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
        ).rstrip()
        for row in rows
    ]
    lines.insert(1, "-" * len(lines[0]))
    if best_single is not None:
        lines.append("speed: 1.00x is the best single resource")
    return "\n".join(lines)


class Progress:
    """Reports progress on stderr once a run has taken a second.

    A tqdm bar if there is a terminal and tqdm, else at most one line a second.
    **Thread safety**: ``step`` may be called by any thread.
    """

    def __init__(self, total: int) -> None:
        self._total = total
        self._done = 0
        self._last = time.monotonic()
        self._lock = threading.Lock()
        self._bar = _bar(total)

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._bar is not None:
            self._bar.close()

    def step(self) -> None:
        """Count one job as done."""
        with self._lock:
            self._done += 1
            if self._bar is not None:
                self._bar.update()
            elif time.monotonic() - self._last >= 1.0:
                self._last = time.monotonic()
                print(f"  {self._done} of {self._total} photographs", file=sys.stderr, flush=True)


def _bar(total: int) -> Any:
    if not sys.stderr.isatty():
        return None
    try:
        from tqdm import tqdm
    except ImportError:
        return None
    return tqdm(total=total, unit="photograph", delay=1, leave=False)
