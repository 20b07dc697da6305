# SPDX-License-Identifier: Apache-2.0
# Sends SIGINT at random moments, which raises KeyboardInterrupt in marked blocks only.
"""Random Ctrl-C in tests."""

from __future__ import annotations

import contextlib
import random
import signal
import sys
import threading
from collections.abc import Iterator
from types import FrameType
from typing import Any


class Interruptions:
    """Sends SIGINT every few hundred microseconds while it is entered. Inside ``allowed`` the
    signal raises KeyboardInterrupt, at most once per block; elsewhere it is ignored.

    Interrupts dropped in the interpreter's own WeakSets, such as its set of threads, are ignored.
    """

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._is_allowed = False
        self._stop = threading.Event()
        self._main = threading.get_ident()
        self._thread = threading.Thread(target=self._interrupt)

    def __enter__(self) -> Interruptions:
        self._before = signal.signal(signal.SIGINT, self._handle)
        self._report_before, sys.unraisablehook = sys.unraisablehook, self._report
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()
        signal.signal(signal.SIGINT, self._before)
        sys.unraisablehook = self._report_before

    @contextlib.contextmanager
    def allowed(self) -> Iterator[None]:
        self._is_allowed = True
        try:
            yield
        finally:
            self._is_allowed = False

    def _handle(self, _signal: int, frame: FrameType | None) -> None:
        if frame is not None and frame.f_code.co_name == "gc_callback":
            return  # Hypothesis times garbage collections, in which nothing can be raised
        if self._is_allowed:
            self._is_allowed = False
            raise KeyboardInterrupt

    def _report(self, unraisable: Any) -> None:
        if getattr(unraisable.object, "__module__", None) != "_weakrefset":
            self._report_before(unraisable)

    def _interrupt(self) -> None:
        while not self._stop.wait(self._random.uniform(0.00005, 0.0005)):
            signal.pthread_kill(self._main, signal.SIGINT)
