# SPDX-License-Identifier: Apache-2.0
# NumPy is faster for the shortest lines. For others, it depends on the dtype, the CPU, NumPy's
# version and the values: a policy measures both.
"""Sorts of a line, or of the lines along an axis, under ``pm.seq``, ``pm.unseq``, ``pm.par`` and
``pm.par_unseq``."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pointsman._core import AutoTune
from pointsman.algorithm import _host_sorts
from pointsman.algorithm._axis import lengths_of
from pointsman.algorithm._host import CHUNK
from pointsman.algorithm._host_lines import Block, lines_of_block, on_lines, policies
from pointsman.execution import HostPolicy, par, seq

Sort = Callable[[NDArray[Any]], None]

SHORT = 16  # values: NumPy sorts lines of fewer
LONG = 512  # values: C++ is faster for as many, or the policy measures both
FEW = 1_024  # values of all lines, for which a policy would take longer than it could save
ASKED = 16  # calls of a kind that ask the policy, before others take over its last choice
KEPT = 63  # calls that do so, before the next asks again
# NumPy sorts long lines by AVX-512 since 1.25 and by AVX2 since 2.0; before, C++ is faster.
MAY_BE_FASTER = np.lib.NumpyVersion(np.__version__) >= "1.25.0"


def sort(
    policy: HostPolicy, values: NDArray[Any], axis: int, is_descending: bool, is_stable: bool
) -> None:
    """Sort each line of contiguous values along ``axis``, which is not negative, in place, NaN
    last."""
    if values.size == 0:
        return
    if values.ndim == 1:
        sort_lines(policy, values, is_descending, is_stable)
        return
    if values.size <= CHUNK:  # one block
        _sort_block(seq, values, axis, is_descending, is_stable)
        return
    outer, n, inner = lengths_of(values.shape, (axis,))
    table = values.reshape(outer, n, inner)
    of_line, among_lines = policies(policy, table.shape)

    def work(block: Block) -> None:
        part = table[block] if inner > 1 else table[block][:, :, 0]
        _sort_block(of_line, part, 1, is_descending, is_stable)

    on_lines(among_lines, table.shape, work, lines_of_block(n, inner))


def _sort_block(
    of_line: HostPolicy, values: NDArray[Any], axis: int, is_descending: bool, is_stable: bool
) -> None:
    """Sort each line along ``axis`` in place, under ``of_line`` if the lines are long."""
    is_last = axis == values.ndim - 1
    lines = values if is_last else np.ascontiguousarray(values.swapaxes(axis, -1))
    n = lines.shape[-1]
    if n < SHORT or (n < LONG and lines.size <= FEW):
        _numpy(lines.dtype.kind, False, is_descending, is_stable)(lines)
    else:
        sort_lines(of_line, lines, is_descending, is_stable)
    if not is_last:
        values[:] = lines.swapaxes(axis, -1)


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
    """The sort that the policy chose last for lines of one kind, and for how many calls it holds:
    to ask the policy takes as long as to sort hundreds of values."""

    __slots__ = "asked", "left", "sort"

    def __init__(self) -> None:
        self.asked = 0  # how often
        self.left = 0  # calls that do not ask
        self.sort: Sort = _sort_floats


@cache
def _choice(type_char: str, thousands: int, length_bits: int, *options: bool) -> _Choice:
    """The choice for lines of this type, with about as many values in all and in each."""
    return _Choice()


@cache
def _tuner(type_char: str) -> AutoTune:
    """Chooses between NumPy and C++ for lines of this type, by how many and how long they are. A
    key of the type would take longer."""
    return AutoTune([_numpy, _cpp])


def sort_lines(
    policy: HostPolicy, lines: NDArray[Any], is_descending: bool, is_stable: bool
) -> None:
    """Sort contiguous lines along the last axis in place: by what was faster for such lines, if
    they are neither few nor many."""
    size = lines.size
    if not FEW < size <= CHUNK or (lines.ndim == 1 and not MAY_BE_FASTER):
        _host_sorts.sort(policy, lines, is_descending, is_stable)
        return
    char, length = lines.dtype.char, lines.shape[-1]
    options = policy.is_parallel, is_descending, is_stable
    choice = _choice(char, size >> 10, length.bit_length(), *options)
    if choice.left > 0:  # threads that decrease it at once may leave it below
        choice.left -= 1
        choice.sort(lines)
        return
    choice.sort = _tuner(char).submit_and_wait(_sort_of_lines, lines, length, *options)
    choice.asked += 1
    if choice.asked >= ASKED:
        choice.left = KEPT


def _sort_of_lines(
    library: Callable[..., Sort], lines: NDArray[Any], length: int, *options: bool
) -> Sort:
    """Sort as ``library`` does, and return how. ``length`` only tells tasks apart that do not take
    equally long."""
    sort = library(lines.dtype.kind, *options)
    sort(lines)
    return sort


@cache
def _cpp(kind: str, is_parallel: bool, is_descending: bool, is_stable: bool) -> Sort:
    """C++'s sort of contiguous lines along the last axis in place."""
    policy = par if is_parallel else seq
    return lambda lines: _host_sorts.sort(policy, lines, is_descending, is_stable)


@cache
def _numpy(kind: str, is_parallel: bool, is_descending: bool, is_stable: bool) -> Sort:
    """NumPy's sort of contiguous lines of this kind of values along the last axis in place."""
    ascending: Sort = np.ndarray.sort
    if kind == "f":
        ascending = _sort_floats_stably if is_stable else _sort_floats
    if not is_descending:
        return ascending

    def descending(lines: NDArray[Any]) -> None:
        _host_sorts.mirror(seq, lines)
        ascending(lines)
        _host_sorts.mirror(seq, lines)

    return descending


def _sort_floats_stably(lines: NDArray[Any]) -> None:
    lines.sort(kind="stable")


def _sort_floats(lines: NDArray[Any]) -> None:
    # NumPy leaves the order of zeros and of NaN open. It sorts float16 as fast in the other way.
    if lines.itemsize > 2 and _order_asked()(lines):
        lines.sort()
    elif lines.size <= FEW:
        _host_sorts.sort(seq, lines, False, False)
    else:
        images = lines.view(f"i{lines.itemsize}")
        limits, mantissa = np.iinfo(images.dtype), np.finfo(lines.dtype).nmant
        # NaN of the negative sign come first until this number is subtracted, which wraps around.
        below = images.dtype.type(2**mantissa - 1)
        _turn_magnitudes(images, limits)
        images -= below
        images.sort()
        images += below
        _turn_magnitudes(images, limits)


@cache
def _order_asked() -> Callable[[NDArray[Any]], bool]:
    from pointsman import _algorithm

    return _algorithm.has_one_order


def _turn_magnitudes(images: NDArray[Any], limits: Any) -> None:
    """Map bits of floats to integers of their order, or back: the greater a negative number is, the
    less is its magnitude."""
    images ^= (images >> (limits.bits - 1)) & limits.max
