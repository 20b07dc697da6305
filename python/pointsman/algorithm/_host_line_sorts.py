# SPDX-License-Identifier: Apache-2.0
# NumPy is faster for the shortest lines and slower for the longest. For others, it depends on the
# dtype, the CPU, NumPy's version and the values: a policy measures both.
"""Sorts of a line, or of the lines along an axis, under ``pm.seq``, ``pm.unseq``, ``pm.par`` and
``pm.par_unseq``."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from pointsman._core import AutoTune
from pointsman.algorithm import _host_sorts
from pointsman.algorithm._axis import lengths_of
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
from pointsman.algorithm._plain import line_kind
from pointsman.execution import HostPolicy

T = TypeVar("T")

SHORT = 16  # values: NumPy sorts lines of fewer
LONG = 512  # values: C++ is faster for as many, or the policy measures both
THREADS_FROM = 786_432  # values; fewer are sorted before the threads have waited for the GIL
BLOCKS_AT_ONCE = 8  # for a thread: after each, it waits for the GIL
FEW = 1_024  # values of all lines of an array that NumPy sorts without asking a policy
UNMEASURED = 2  # calls, one of each library, whose first one takes longer
ALIKE = 16  # times that the policy chooses a sort before calls take it over: one may be a trial
KEPT = 63  # calls that do so, before the next asks again
RESAMPLE_TIME = 1.0  # seconds, after which both are measured again: the first calls may be slower
LARGE = 262_144  # values of an array that threads sort faster than NumPy
FOREVER = float("inf")
# NumPy sorts long lines by AVX-512 since 1.25 and by AVX2 since 2.0; before, C++ is faster.
MAY_BE_FASTER = np.lib.NumpyVersion(np.__version__) >= "1.25.0"


def sort(
    policy: HostPolicy, values: NDArray[Any], axis: int, is_descending: bool, is_stable: bool
) -> None:
    """Sort each line of contiguous values along ``axis``, which is not negative, in place, NaN
    last."""
    if values.size == 0:
        return
    if values.size <= (CHUNK if axis < values.ndim - 1 else LARGE):  # one block
        _along(axis, values, lambda lines: sort_lines(policy, lines, is_descending, is_stable))
        return
    outer, n, inner = lengths_of(values.shape, (axis,))
    table = values.reshape(outer, n, inner)
    of_line, among_lines = policies(policy, table.shape)
    most = lines_of_block(n, inner)

    def lines_in(block: Block) -> NDArray[Any]:
        return table[block] if inner > 1 else table[block][:, :, 0]

    def choose(lines: NDArray[Any]) -> _Choice:
        return sort_lines(of_line, lines, is_descending, is_stable)

    # Threads that wait for each other measure nothing: one chooses for all.
    done = []
    for block in blocks_of(table.shape, most):
        choice = _along(1, lines_in(block), choose)
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


def _along(axis: int, values: NDArray[Any], sort: Callable[[NDArray[Any]], T]) -> T:
    """Return what ``sort`` does that sorts contiguous lines in place, here those along ``axis``."""
    if axis == values.ndim - 1:
        return sort(values)
    lines = np.ascontiguousarray(values.swapaxes(axis, -1))
    result = sort(lines)
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
        if n < LONG:
            found[:] = _host_sorts.argsort_by_numpy(lines, 2, is_descending)
        else:
            lines = np.ascontiguousarray(lines)
            for at in np.ndindex(*lines.shape[:2]):
                found[at] = _host_sorts.argsort(of_line, lines[at], is_descending)

    on_lines(among_lines, values.shape, work, lines_of_block(n, inner))


class _Choice:
    """The sort that was chosen last for lines of one kind, and for how many calls it holds: to ask
    a policy takes as long as to sort hundreds of values."""

    __slots__ = "alike", "calls", "left", "sort"

    def __init__(self) -> None:
        self.calls = 0  # that were not measured
        self.alike = 0  # how often the policy chose it in a row
        self.left: float = 0  # calls that do not ask
        self.sort: Sort = np.ndarray.sort


@cache
def _choice(kind: int, *options: bool) -> _Choice:
    return _Choice()


@cache
def _tuner(type_char: str) -> AutoTune:
    """Chooses between NumPy and C++ for lines of this type, by how many and how long they are. A
    key of the type would take longer."""
    _sort_of_floats("d")  # loads the module: no sort is measured with that
    return AutoTune([_numpy, _cpp], RESAMPLE_TIME)


def sort_lines(
    policy: HostPolicy, lines: NDArray[Any], is_descending: bool, is_stable: bool
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
    choice = _choice(kind, policy.is_parallel, is_descending, is_stable)
    if choice.left > 0:  # threads that decrease it at once may leave it below
        choice.left -= 1
        choice.sort(lines)
        return choice
    options = policy.is_parallel, is_descending, is_stable
    length = lines.shape[-1]
    is_flat = lines.ndim == 1
    is_short = length < SHORT or (not is_flat and length < LONG and lines.size <= FEW)
    most = LARGE if policy.is_parallel else FOREVER
    if is_short or lines.size > most or (is_flat and not MAY_BE_FASTER):
        choice.sort = (_numpy if is_short else _cpp)(lines.dtype.char, *options)
        choice.left = FOREVER
        choice.sort(lines)
        return choice
    if choice.calls < UNMEASURED:
        choice.calls += 1
        library = _numpy if choice.calls == 1 else _cpp
        library(lines.dtype.char, *options)(lines)
        return choice
    tuner = _tuner(lines.dtype.char)
    sort = tuner.submit_and_wait(_sort_of_lines, lines, length, *options)
    choice.alike = choice.alike + 1 if sort is choice.sort else 1
    choice.sort = sort
    if choice.alike >= ALIKE:
        choice.left = KEPT
    return choice


def _sort_of_lines(
    library: Callable[..., Sort], lines: NDArray[Any], length: int, *options: bool
) -> Sort:
    """Sort as ``library`` does, and return how. ``length`` only tells tasks apart that do not take
    equally long."""
    sort = library(lines.dtype.char, *options)
    sort(lines)
    return sort


@cache
def _numpy(type_char: str, is_parallel: bool, is_descending: bool, is_stable: bool) -> Sort:
    """NumPy's sort of contiguous lines of this type along the last axis in place."""
    ascending: Sort = np.ndarray.sort
    if type_char in "efd" and is_stable:
        ascending = _sort_floats_stably
    elif type_char in "efd":
        ascending = _sort_of_floats(type_char)
    return _host_sorts.descending(ascending, False, is_stable) if is_descending else ascending


def _sort_floats_stably(lines: NDArray[Any]) -> None:
    lines.sort(kind="stable")


@cache
def _sort_of_floats(type_char: str) -> Sort:
    """The sort by NumPy of floats in the order of ``pm.sort``. In vector registers, NumPy sorts
    integers of 32 bits faster than float32, but those of 64 bits as fast as float64 or slower."""
    from pointsman._algorithm import has_one_order, order_as_floats

    integer = np.dtype(f"i{np.dtype(type_char).itemsize}")

    def sort_bits(lines: NDArray[Any]) -> None:
        bits = lines.view(integer)
        bits.sort()
        order_as_floats(bits)

    def sort(lines: NDArray[Any]) -> None:
        if has_one_order(lines):
            lines.sort()
        else:
            sort_bits(lines)

    return sort if type_char == "d" else sort_bits
