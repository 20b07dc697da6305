# SPDX-License-Identifier: Apache-2.0
# Lines are shared among threads; a long line is shared itself where there are few.
"""Work on the lines along an axis, for the algorithms on the host."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from pointsman.algorithm import _host
from pointsman.execution import HostPolicy, seq

# Lines side by side that are taken together, at least: their values share cache lines.
SIDE_BY_SIDE = 16

Block = tuple[slice, slice, slice]  # an index of an array of the shape (outer, n, inner)


def policies(policy: HostPolicy, shape: tuple[int, ...]) -> tuple[HostPolicy, HostPolicy]:
    """The policies under which each line is processed, and the lines are shared."""
    outer, n, inner = shape
    is_shared = policy.is_parallel and n >= 2 * _host.CHUNK
    return (policy, seq) if is_shared and outer * inner < _host.most_spans() else (seq, policy)


def lines_of_block(n: int, inner: int) -> int:
    """The number of lines that a thread processes at a time."""
    return max(_host.CHUNK // n, min(SIDE_BY_SIDE, inner))


def blocks_of(shape: tuple[int, int, int], most: int) -> Iterator[Block]:
    """The blocks of an array of the shape (outer, n, inner), of ``most`` lines at most."""
    outer, _, inner = shape
    return _blocks(0, outer * inner, inner, most)


def on_lines(
    policy: HostPolicy,
    shape: tuple[int, ...],
    work: Callable[[Block], None],
    most: int,
    least: int = 2 * _host.CHUNK,
) -> None:
    """Call ``work`` for blocks of the lines of an array of the shape (outer, n, inner).

    most: the number of lines in a block, at most.
    least: the number of values from which threads share the work.
    """
    outer, n, inner = shape

    def span(begin: int, end: int) -> None:
        for block in _blocks(-(-begin // n), -(-end // n), inner, most):
            work(block)

    _host.on_spans(policy, outer * n * inner, span, least)


def _blocks(begin: int, end: int, inner: int, most: int) -> Iterator[Block]:
    """The lines with the numbers [begin, end), counted along ``inner`` first: whole rows of
    ``inner`` lines, or a part of one."""
    while begin < end:
        row, column = divmod(begin, inner)
        rows = min(end - begin, most) // inner
        if column == 0 and rows > 0:
            yield slice(row, row + rows), slice(None), slice(None)
            begin += rows * inner
        else:
            columns = min(inner - column, end - begin, most)
            yield slice(row, row + 1), slice(None), slice(column, column + columns)
            begin += columns
