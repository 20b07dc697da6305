# SPDX-License-Identifier: Apache-2.0
# Silent on a short run, and where the output is not a terminal at most a line a second.
"""The demo's progress on a long run."""

from __future__ import annotations

import sys
import threading
import time
from types import TracebackType
from typing import Any


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
