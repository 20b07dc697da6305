# SPDX-License-Identifier: Apache-2.0
# Dask describes each future in a task with kilobytes, also if it is the same one again.
"""The task that a batch of ``map`` becomes on a cluster."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from pointsman._chunk import Chunk, call_each


def task_of(chunk: Chunk, items: Sequence[Any]) -> tuple[Any, ...]:
    """Return the callable and the arguments that call the chunk's function on the items.

    An argument that all items have in common, such as scattered data, occurs once in it.
    """
    if chunk.is_single:
        return call_each, chunk.__wrapped__, True, items
    columns = [_shortened(column) for column in zip(*items, strict=True)]
    return _call_columns, call_each, chunk.__wrapped__, len(items), columns


def _shortened(column: Sequence[Any]) -> list[Any]:
    first = column[0]
    return [first] if all(each is first for each in column) else list(column)


def _make_call_columns() -> Callable[..., Any]:
    """Return a function that is pickled by value, so that workers need no pointsman."""

    def call_columns(
        call_each: Callable[..., Any], func: Callable[..., Any], count: int, columns: list[Any]
    ) -> Any:
        full = [column * count if len(column) == 1 else column for column in columns]
        return call_each(func, False, list(zip(*full, strict=True)))

    return call_columns


_call_columns = _make_call_columns()
