# SPDX-License-Identifier: Apache-2.0
# NumPy is faster for the shortest lines, and C++ for long ones. Between them, it depends on the
# dtype, the CPU, NumPy's version and the values: a policy measures both.
"""Sorts of the lines along an axis under ``pm.seq``, ``pm.unseq``, ``pm.par``, ``pm.par_unseq``."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pointsman._core import AutoTune
from pointsman._task import task
from pointsman.algorithm import _host_sorts
from pointsman.algorithm._host_lines import Block, lines_of_block, on_lines, policies
from pointsman.execution import HostPolicy, seq

SHORT = 16  # values: NumPy sorts lines of fewer
LONG = 512  # values: lines of as many are sorted in C++


def sort(policy: HostPolicy, values: NDArray[Any], is_descending: bool, is_stable: bool) -> None:
    """Sort each line along the second of three axes in place, NaN last."""
    if values.size == 0:
        return
    _, n, inner = values.shape
    of_line, among_lines = policies(policy, values.shape)

    def work(block: Block) -> None:
        lines = np.ascontiguousarray(np.moveaxis(values[block], 1, 2))
        if n < SHORT:
            _sort_by_numpy(lines, is_descending, is_stable)
        elif n < LONG:
            _tuner().submit_and_wait(_sort_by, lines, is_descending, is_stable)
        else:
            _host_sorts.sort(of_line, lines, is_descending, is_stable)
        if inner > 1:
            values[block] = np.moveaxis(lines, 2, 1)

    on_lines(among_lines, values.shape, work, lines_of_block(n, inner))


def argsort(
    policy: HostPolicy, values: NDArray[Any], out: NDArray[np.int64], is_descending: bool
) -> None:
    """Write the indices that sort each line along the second of three axes stably, NaN last."""
    if values.size == 0:
        return
    _, n, inner = values.shape
    of_line, among_lines = policies(policy, values.shape)

    def work(block: Block) -> None:
        lines = np.moveaxis(values[block], 1, 2)
        is_changed = is_descending and n < LONG
        lines = np.array(lines, order="C") if is_changed else np.ascontiguousarray(lines)
        found = np.moveaxis(out[block], 1, 2)
        if n < LONG:
            if is_descending:
                _host_sorts.mirror_if(is_descending, seq, lines.reshape(-1))
            found[:] = np.argsort(lines, kind="stable")
        else:
            for at in np.ndindex(*lines.shape[:2]):
                found[at] = _host_sorts.argsort(of_line, lines[at], is_descending)

    on_lines(among_lines, values.shape, work, lines_of_block(n, inner))


@cache
def _tuner() -> AutoTune:
    """Chooses between NumPy and C++ for each kind of lines."""
    return AutoTune([_sort_by_numpy, _sort_in_cpp])


def _kind(lines: NDArray[Any], is_descending: bool, is_stable: bool) -> tuple[Any, ...]:
    """Equal for lines that are expected to take equally long."""
    sizes = lines.shape[-1].bit_length(), lines.size.bit_length()
    return lines.dtype.char, *sizes, is_descending, is_stable


def _call(sort: Callable[..., None], *lines_and_order: Any) -> None:
    sort(*lines_and_order)


_sort_by = task(_call, key=_kind, name="sort of lines")


def _sort_in_cpp(lines: NDArray[Any], is_descending: bool, is_stable: bool) -> None:
    _host_sorts.sort(seq, lines, is_descending, is_stable)


def _sort_by_numpy(lines: NDArray[Any], is_descending: bool, is_stable: bool) -> None:
    _host_sorts.mirror_if(is_descending, seq, lines.reshape(-1))
    _sort_short(lines, is_stable)
    _host_sorts.mirror_if(is_descending, seq, lines.reshape(-1))


def _sort_short(lines: NDArray[Any], is_stable: bool) -> None:
    """Sort contiguous lines along the last axis in place with NumPy."""
    if lines.dtype.kind != "f" or (not is_stable and _has_one_order(lines)):
        lines.sort()
    elif is_stable:
        lines.sort(kind="stable")
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


def _has_one_order(lines: NDArray[Any]) -> bool:
    """Whether there are neither zeros, of both signs, nor NaN, whose order NumPy leaves open."""
    if lines.itemsize == 2:  # the question takes NumPy longer than the sort
        return False
    with np.errstate(invalid="ignore"):  # signalling NaN
        return not np.isnan(lines.max()) and not np.equal(lines, 0).any()


def _turn_magnitudes(images: NDArray[Any], limits: Any) -> None:
    """Map bits of floats to integers of their order, or back: the greater a negative number is, the
    less is its magnitude."""
    images ^= (images >> (limits.bits - 1)) & limits.max
