# SPDX-License-Identifier: Apache-2.0
# NumPy sorts short lines, many in a call; the C++ sorts are faster for long ones.
"""Sorts of the lines along an axis under ``pm.seq``, ``pm.unseq``, ``pm.par``, ``pm.par_unseq``."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pointsman.algorithm import _host_sorts
from pointsman.algorithm._host_lines import Block, lines_of_block, on_lines, policies
from pointsman.execution import HostPolicy, seq

LONG = 512  # values of a line that the C++ sorts take


def sort(policy: HostPolicy, values: NDArray[Any], is_descending: bool, is_stable: bool) -> None:
    """Sort each line along the second of three axes in place, NaN last."""
    if values.size == 0:
        return
    _, n, inner = values.shape
    of_line, among_lines = policies(policy, values.shape)

    def work(block: Block) -> None:
        lines = np.ascontiguousarray(np.moveaxis(values[block], 1, 2))
        if n < LONG:
            _host_sorts.mirror_if(is_descending, seq, lines.reshape(-1))
            _sort_short(lines, is_stable)
            _host_sorts.mirror_if(is_descending, seq, lines.reshape(-1))
        else:
            for line in lines.reshape(-1, n):
                _host_sorts.sort(of_line, line, is_descending, is_stable)
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


def _sort_short(lines: NDArray[Any], is_stable: bool) -> None:
    """Sort contiguous lines along the last axis in place with NumPy."""
    if lines.dtype.kind != "f":
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


def _turn_magnitudes(images: NDArray[Any], limits: Any) -> None:
    """Map bits of floats to integers of their order, or back: the greater a negative number is, the
    less is its magnitude."""
    images ^= (images >> (limits.bits - 1)) & limits.max
