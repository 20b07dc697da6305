# SPDX-License-Identifier: Apache-2.0
"""as_executor under repeated Ctrl-C between any two steps of the main thread."""

from __future__ import annotations

import random
import signal
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from types import FrameType
from typing import Any

import pytest

import pointsman as pm

pytestmark = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timers that signal")


@contextmanager
def storm(seed: int) -> Iterator[None]:
    """Raises KeyboardInterrupt in the main thread repeatedly, after random pauses, while `weather`
    runs; later code must not meet a timer that is still set."""
    pauses = random.Random(seed)

    def strike(_signal: int, frame: FrameType | None) -> None:
        while frame is not None and frame.f_code is not weather.__code__:
            frame = frame.f_back
        if frame is not None:
            signal.setitimer(signal.ITIMER_REAL, pauses.uniform(2e-5, 5e-4))
            raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, strike)
    signal.setitimer(signal.ITIMER_REAL, 1e-3)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def weather(executor: Any, kept: list[Future[int]], until: float) -> None:
    """Submit and wait despite the interrupts; keep the futures that were returned."""
    while time.monotonic() < until:
        try:
            future = executor.submit(abs, -len(kept))
            kept.append(future)
            future.result()
            future.exception()
            future.done()
        except (KeyboardInterrupt, RuntimeError) as error:
            # Ctrl-C may interrupt threading's wait while it does not hold its lock.
            if type(error) is RuntimeError and "un-acquired" not in str(error):
                raise


# In CPython 3.14 Ctrl-C may come after `with lock` has taken the lock and before the body, which
# leaves it locked: that of a Future, too.
@pytest.mark.skipif(sys.version_info >= (3, 14), reason="Ctrl-C leaves CPython's own locks locked")
@pytest.mark.parametrize("kind", ["arenas", "arena", "tokens", "inline"])
def test_a_storm_of_interrupts_leaves_an_executor_in_working_order(
    kind: str, monkeypatch: pytest.MonkeyPatch
):
    # Ctrl-C also interrupts callbacks, and pytest's hook while it reports one, but no C function.
    monkeypatch.setattr(sys, "unraisablehook", id)
    seed = random.randrange(1 << 30)
    print(f"seed {seed}")
    executor = {
        "arenas": lambda: pm.DynamicLoad([pm.Arena(1), pm.Arena(1)]),
        "arena": lambda: pm.RoundRobin([pm.Arena(2)]),
        "tokens": lambda: pm.Token([pm.Arena(1)]).with_options(timeout=60),
        "inline": lambda: pm.RoundRobin([Inline()]),
    }[kind]().as_executor()
    kept: list[Future[int]] = []
    until = time.monotonic() + 0.7
    while time.monotonic() < until:
        try:
            with storm(seed):
                weather(executor, kept, until)
        except KeyboardInterrupt:
            continue
    assert len(kept) > 0
    results = {future.exception(timeout=60) for future in kept}
    assert all(error is None or isinstance(error, KeyboardInterrupt) for error in results)
    assert executor.submit(pow, 2, 5).result(timeout=60) == 32
    ended = threading.Thread(target=executor.shutdown, daemon=True)
    ended.start()
    ended.join(60)
    assert not ended.is_alive()


class Inline:
    """Runs functions in the submitting thread."""

    def run(self, func: Any, /, *args: Any) -> Any:
        return func(*args)
