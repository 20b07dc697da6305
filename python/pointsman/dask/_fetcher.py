# SPDX-License-Identifier: Apache-2.0
# A message to the scheduler and back takes milliseconds, so values are fetched many at a time.
"""Fetches the values of complete calls from the workers, ahead of ``result()``."""

from __future__ import annotations

import threading
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any


class Fetcher:
    """Fetches values on a thread of its own: all that became ready during the last fetch.

    **Thread safety**: any thread.
    """

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="pointsman-dask-fetch")
        self._lock = threading.Lock()
        self._ready: dict[str, tuple[Any, Future[list[Any]]]] = {}

    def fetch(self, key: str, future: Any) -> Future[list[Any]]:
        """Return a future of a list of the value; the list is empty if it could not be fetched."""
        value: Future[list[Any]] = Future()
        with self._lock:
            is_first = not self._ready
            self._ready[key] = (future, value)
        if is_first:
            self._thread.submit(self._fetch_all)
        return value

    def _fetch_all(self) -> None:
        with self._lock:
            ready, self._ready = self._ready, {}
        found: dict[str, Any] = {}
        try:
            client = next(iter(ready.values()))[0].client
            futures = {key: future for key, (future, _) in ready.items()}
            found = client.gather(futures, errors="skip")
        finally:
            for key, (_, value) in ready.items():
                value.set_result([found[key]] if key in found else [])
