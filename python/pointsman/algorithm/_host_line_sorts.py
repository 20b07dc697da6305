# SPDX-License-Identifier: Apache-2.0
# NumPy is faster for the shortest lines. For others, it depends on the dtype, the CPU, NumPy's
# version and the values: each sort is measured, because to ask a policy would take longer than to
# sort hundreds of values.
"""Sorts of a line, or of the lines along an axis, under ``pm.seq``, ``pm.unseq``, ``pm.par`` and
``pm.par_unseq``."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from time import perf_counter_ns
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from pointsman.algorithm import _host_sorts
from pointsman.algorithm._axis import lengths_of
from pointsman.algorithm._engine import host_engine
from pointsman.algorithm._host import CHUNK
from pointsman.algorithm._host_lines import (
    Block,
    blocks_of,
    lines_of_block,
    on_lines,
    policies,
)
from pointsman.algorithm._host_sorts import Sort
from pointsman.algorithm._host_sorts import sort_of as _cpp
from pointsman.algorithm._numpy_sorts import float64_by_bits, sort_few
from pointsman.algorithm._numpy_sorts import sort_of as _numpy
from pointsman.algorithm._plain import line_kind
from pointsman.execution import HostPolicy

T = TypeVar("T")

SHORT = 16  # values: NumPy sorts lines of fewer
LONG = 512  # values: C++ is faster for as many, or all sorts are measured
THREADS_FROM = 786_432  # values; fewer are sorted before the threads have waited for the GIL
BLOCKS_AT_ONCE = 8  # for a thread: after each, it waits for the GIL
FEW = 1_024  # values of all lines of an array that NumPy sorts without a measurement
TRIALS = 3  # timed calls of each sort; their minimum is compared, as the first may start threads
KEPT, MOST_KEPT = 63, 255  # calls of the fastest sort between trials
MOST_TIME = 1e9  # ns that more than KEPT of these calls may take
LARGE = 262_144  # values of an array that threads sort faster than NumPy
FOREVER = float("inf")
# NumPy sorts long lines by AVX-512 since 1.25 and by AVX2 since 2.0; before, C++ is faster.
MAY_BE_FASTER = np.lib.NumpyVersion(np.__version__) >= "1.25.0"
# Values of lines side by side that one call of NumPy sorts before all of them are moved.
FEW_SIDE_BY_SIDE = 4_096 if MAY_BE_FASTER else 1_024
MOST_SIDE_BY_SIDE = 512  # lines; it takes longer to begin with each of more


def sort(
    policy: HostPolicy, values: NDArray[Any], axis: int, is_descending: bool, is_stable: bool
) -> None:
    """Sort each line of contiguous values along ``axis``, which is not negative, in place, NaN
    last."""
    if values.size == 0:
        return
    most = min(FEW_SIDE_BY_SIDE, MOST_SIDE_BY_SIDE * values.shape[axis])
    if values.size <= most and not (is_stable or is_descending) and sort_few(values, axis):
        return
    if values.size <= (CHUNK if axis < values.ndim - 1 else LARGE):  # one block
        _along(axis, values, sort_lines, policy, is_descending, is_stable)
        return
    outer, n, inner = lengths_of(values.shape, (axis,))
    table = values.reshape(outer, n, inner)
    of_line, among_lines = policies(policy, table.shape)
    most = lines_of_block(n, inner)

    def lines_in(block: Block) -> NDArray[Any]:
        return table[block] if inner > 1 else table[block][:, :, 0]

    # Threads that wait for each other measure nothing: one chooses for all.
    done = []
    for block in blocks_of(table.shape, most):
        choice = _along(1, lines_in(block), sort_lines, of_line, is_descending, is_stable)
        done.append(block)
        if choice.left > 0:
            break
    chosen = choice.sort

    def work(block: Block) -> None:
        if block not in done:
            _along(1, lines_in(block), chosen)

    if inner == 1:
        table, done = table[done[-1][0].stop :], []
        if table.size == 0:
            return
        most *= BLOCKS_AT_ONCE
    on_lines(among_lines, table.shape, work, most, THREADS_FROM)


def _along(axis: int, values: NDArray[Any], sort: Callable[..., T], *arguments: Any) -> T:
    """Return what ``sort`` does that sorts contiguous lines in place, here those along ``axis``;
    the lines are its first argument."""
    if axis == values.ndim - 1:
        return sort(values, *arguments)
    lines = np.ascontiguousarray(values.swapaxes(axis, -1))
    result = sort(lines, *arguments)
    values[:] = lines.swapaxes(axis, -1)
    return result


def argsort(
    policy: HostPolicy, values: NDArray[Any], out: NDArray[np.int64], is_descending: bool
) -> None:
    """Write the indices that sort each line along the second of three axes stably, NaN last."""
    if values.size == 0:
        return
    _, n, inner = values.shape
    of_line, among_lines = policies(policy, values.shape)

    def work(block: Block) -> None:
        lines = values[block].swapaxes(1, 2)
        found = out[block].swapaxes(1, 2)
        if n <= _host_sorts.FEW:
            found[:] = _host_sorts.argsort_by_numpy(lines, 2, is_descending)
        else:
            lines = np.ascontiguousarray(lines)
            for at in np.ndindex(*lines.shape[:2]):
                found[at] = _host_sorts.argsort(of_line, lines[at], is_descending)

    on_lines(among_lines, values.shape, work, lines_of_block(n, inner))


class _Choice:
    """The fastest one of some sorts for lines of similar number and length. Threads may use it at
    once: at worst, they make a few trials more or less."""

    __slots__ = "kept", "left", "sort", "sorts", "times", "trial"

    def __init__(self, *sorts: Sort) -> None:
        self.sorts = sorts
        self.sort = sorts[0]
        self.trial = 0
        self.times = [FOREVER] * len(sorts)  # ns of the fastest of these trials for each value
        self.kept = 0
        self.left: float = 0 if len(sorts) > 1 else FOREVER  # calls before the next trials

    def try_next(self, lines: NDArray[Any]) -> None:
        """Sort lines by each sort in turn; after the last trial, choose the fastest one."""
        trial, sorts = self.trial, self.sorts
        self.trial = trial + 1
        tried = trial % len(sorts)
        begin = perf_counter_ns()
        sorts[tried](lines)
        time = perf_counter_ns() - begin
        self.times[tried] = min(time / lines.size, self.times[tried])
        if trial + 1 >= len(sorts) * TRIALS:
            times = self.times
            self.trial, self.times = 0, [FOREVER] * len(sorts)
            fastest = sorts[times.index(min(times))]
            most = min(MOST_KEPT, MOST_TIME // max(time, 1)) if fastest is self.sort else KEPT
            self.kept = int(max(KEPT, min(2 * self.kept, most)))
            self.sort = fastest
            self.left = self.kept


_choices: dict[tuple[int, bool, bool, bool], _Choice] = {}


def _choice_for(
    lines: NDArray[Any], is_parallel: bool, is_descending: bool, is_stable: bool
) -> _Choice:
    """Return the choice for such lines. Where sorts are measured, arrays of one dtype share a
    choice if their sizes, and the lengths of their lines, have equal bit lengths."""
    kind = lines.dtype.char, is_parallel, is_descending, is_stable
    length, is_flat = lines.shape[-1], lines.ndim == 1
    is_small = not is_flat and length < LONG and lines.size <= FEW
    if lines.size == 0 or length < SHORT or is_small:
        return _Choice(_numpy(*kind))
    if (is_parallel and length >= LARGE) or (is_flat and not MAY_BE_FASTER):
        return _Choice(_cpp(*kind))
    return _measured(kind, lines.size.bit_length(), length.bit_length())


@cache
def _measured(kind: tuple[str, bool, bool, bool], _size_bits: int, _length_bits: int) -> _Choice:
    _ = host_engine.sort  # loads the module: no sort is measured with that
    type_char, _, is_descending, is_stable = kind
    bits = [float64_by_bits(is_descending)] if type_char == "d" and not is_stable else []
    return _Choice(_numpy(*kind), *bits, _cpp(*kind))


def sort_lines(
    lines: NDArray[Any], policy: HostPolicy, is_descending: bool, is_stable: bool
) -> _Choice:
    """Sort contiguous lines along the last axis in place, and return how."""
    if kind := line_kind(lines, -1):
        return sort_lines_of(kind, policy, lines, is_descending, is_stable)
    for line in lines.reshape(-1, lines.shape[-1]):
        choice = sort_lines_of(line_kind(line, 0), policy, line, is_descending, is_stable)
    return choice


def sort_lines_of(
    kind: int,
    policy: HostPolicy,
    lines: NDArray[Any],
    is_descending: bool,
    is_stable: bool,
) -> _Choice:
    """Sort contiguous lines along the last axis in place: by what was faster for lines of this
    ``line_kind``, unless they are very short or many. Return how."""
    key = kind, policy.is_parallel, is_descending, is_stable
    choice = _choices.get(key)
    if choice is None:
        choice = _choices[key] = _choice_for(lines, *key[1:])
    if choice.left > 0:  # threads that decrease it at once may leave it below
        choice.left -= 1
        choice.sort(lines)
    else:
        choice.try_next(lines)
    return choice
