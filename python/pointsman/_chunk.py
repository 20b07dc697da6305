# SPDX-License-Identifier: Apache-2.0
# Runs in workers of a cluster too, which need not have pointsman.
"""The calls of a function on many items that a resource makes for ``map``."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T")

Outcome = tuple[list[T], "BaseException | None", float]


def _make_call_each() -> Callable[[Callable[..., Any], bool, list[Any]], Outcome[Any]]:
    """Return the function that calls ``func`` on many items.

    A function within a function is pickled by value where cloudpickle is used, so that the worker
    of a cluster needs no pointsman.
    """

    def call_each(func: Callable[..., Any], is_single: bool, items: list[Any]) -> Outcome[Any]:
        results: list[Any] = []
        begin = time.perf_counter()
        try:
            # Not `extend`, which takes a StopIteration of `func` for the end of the items.
            if is_single:
                for item in items:
                    results.append(func(item))
            else:
                for item in items:
                    results.append(func(*item))
        except BaseException as error:
            return results, error, 0.0
        return results, None, time.perf_counter() - begin

    return call_each


call_each = _make_call_each()


class Chunk:
    """Calls a function on many items; policies see the function through ``__wrapped__``.

    raises: True if an exception fails the chunk, so that the chunk may run again.
    """

    __slots__ = ("__wrapped__", "is_single", "raises")

    def __init__(self, func: Callable[..., Any], is_single: bool, raises: bool) -> None:
        self.__wrapped__ = func
        self.is_single = is_single
        self.raises = raises

    def __call__(self, items: list[Any]) -> Outcome[Any]:
        """Return the results, the exception that ended the calls early, or None, and the seconds
        that the calls took, or 0 after an exception."""
        outcome = call_each(self.__wrapped__, self.is_single, items)
        if self.raises and outcome[1] is not None:
            raise outcome[1]
        return outcome
