# SPDX-License-Identifier: Apache-2.0
# In a forked child all places are free: the work that holds them runs in the parent.
"""The bounded number of submissions of ``with_options(max_outstanding=...)``."""

from __future__ import annotations

import os
import threading


class Places:
    """The places of the submissions that may be outstanding; a forked child begins with all."""

    def __init__(self, number: int) -> None:
        self._number = number
        self._process = os.getpid()
        self._free = threading.Semaphore(number)

    def take(self, timeout: float | None) -> bool:
        """Take a place; return False if none becomes free within ``timeout`` seconds."""
        if os.getpid() != self._process:
            self.__init__(self._number)  # type: ignore[misc]
        if timeout == 0:
            return self._free.acquire(blocking=False)
        if timeout is None:
            return self._free.acquire()
        return self._free.acquire(timeout=min(timeout, threading.TIMEOUT_MAX))

    def give_back(self) -> None:
        """Make a place free."""
        if os.getpid() == self._process:
            self._free.release()
