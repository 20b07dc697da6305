# SPDX-License-Identifier: Apache-2.0
# Starts what must not wait for a free resource in the thread that asks for it.
"""A queue of calls that a thread makes in their order."""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable


class LateStarts:
    """Makes the added calls in order, in a thread that ends when no call is left.

    The calls may block and must not raise. A forked child makes none of its parent's calls.
    """

    def __init__(self) -> None:
        self._begin()

    def _begin(self) -> None:
        self._process = os.getpid()
        self._lock = threading.Lock()
        self._waiting: deque[Callable[[], object]] = deque()
        self._thread: threading.Thread | None = None

    def _check_process(self) -> None:
        if self._process != os.getpid():  # in the parent, another thread may have held the lock
            self._begin()

    def is_busy(self) -> bool:
        """Return True while a call has not ended."""
        self._check_process()
        return self._thread is not None

    def add(self, start: Callable[[], object]) -> None:
        """Let the thread call ``start`` after all calls that were added before it.

        Raises RuntimeError if no thread can be started.
        """
        self._check_process()
        with self._lock:
            if self._thread is None:
                thread = threading.Thread(target=self._run, name="pointsman-starts")
                thread.start()
                self._thread = thread
            self._waiting.append(start)

    def join(self) -> None:
        """Block until all calls have ended."""
        self._check_process()
        thread = self._thread
        if thread is not None:
            thread.join()

    def _run(self) -> None:
        while True:
            with self._lock:
                if not self._waiting:
                    self._thread = None
                    return
                start = self._waiting.popleft()
            start()
            del start
