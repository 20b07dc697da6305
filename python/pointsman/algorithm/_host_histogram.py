# SPDX-License-Identifier: Apache-2.0
# Calls C++ for many values where it counts as NumPy does, and NumPy for the rest.
"""``pm.histogram`` under ``pm.seq``, ``pm.unseq``, ``pm.par`` and ``pm.par_unseq``.

The extension module links further libraries, so it is loaded only by the first call for more than a
few values.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pointsman.algorithm._engine import host_engine
from pointsman.execution import HostPolicy

Counted = tuple[NDArray[Any], NDArray[Any]]

FEW = 256  # values, up to which NumPy is faster than C++
MOST_BINS = 65_536
EXACT = {4: 2**24, 8: 2**53}  # by the size of floats: all integers below are different floats


def histogram(
    policy: HostPolicy,
    values: NDArray[Any],
    bins: Any,
    limits: tuple[Any, Any] | None,
    weights: NDArray[Any] | None = None,
) -> Counted:
    """The number of values in each bin, or the sum of their weights, and the edges of the bins.

    float16 values are widened if edges are given: NumPy then sorts the values, and the AVX-512 sort
    of NumPy 2.2 leaves some float16 values out of order.
    """
    if np.ndim(bins) != 0 and values.dtype == np.float16:
        values = values.astype(np.float32)
    if weights is None and values.size > FEW and _has_known_type(values):
        flat = values.reshape(-1)
        count = _count_in_even_bins if np.ndim(bins) == 0 else _count_between
        counted = count(policy, flat, bins, limits)
        if counted is not None:
            return counted
    counts, edges = np.histogram(values, bins, limits, weights=weights)
    return counts, edges


def _has_known_type(values: NDArray[Any]) -> bool:
    dtype = values.dtype
    return (
        dtype.isnative
        and values.flags.aligned
        and (dtype.kind in "iu" or (dtype.kind == "f" and dtype.itemsize in EXACT))
    )


def _count_in_even_bins(
    policy: HostPolicy, values: NDArray[Any], bins: Any, limits: tuple[Any, Any] | None
) -> Counted | None:
    """The histogram; None if C++ might count values otherwise than NumPy. Raises as NumPy does.

    NumPy compares values with the limits, then converts them to the type of the edges and compares
    them with edges.
    """
    sample = values[:0] if limits is not None else _extremes(policy, values)
    edges = np.histogram_bin_edges(sample, bins, limits)
    if edges.dtype.kind != "f" or edges.itemsize not in EXACT:
        return None
    first, last = sample if limits is None else limits
    if limits is not None and not (
        _is_reached_alike(values, first, edges[0]) and _is_reached_alike(values, last, edges[-1])
    ):
        return None
    width = float(np.asarray(last).item() - np.asarray(first).item())
    return _counted(policy, values, edges, edges, width) if width > 0 else None


def _extremes(policy: HostPolicy, values: NDArray[Any]) -> NDArray[Any]:
    """The least and the greatest value, NaN if there is one, in an array."""
    found = np.empty(2, values.dtype)
    host_engine.extremes(values, found, policy.is_parallel)
    if found[1] == 0:
        found[1] = values.max()  # the zero, -0.0 or 0.0, that is NumPy's last edge
    return found


def _is_reached_alike(values: NDArray[Any], limit: Any, edge: Any) -> bool:
    """Return True if a value reaches the limit if and only if it reaches the first or last edge
    once it has the type of that edge."""
    compared = np.result_type(values, limit)
    if compared.kind in "iu":
        return abs(int(limit)) < EXACT[edge.itemsize] and int(limit) == float(edge)
    is_narrow = compared.kind == "f" and compared.itemsize <= edge.itemsize
    return is_narrow and float(compared.type(limit)) == float(edge)


def _count_between(
    policy: HostPolicy, values: NDArray[Any], bins: Any, limits: tuple[Any, Any] | None
) -> Counted | None:
    """Like ``_count_in_even_bins``, for given edges, for which NumPy ignores the limits."""
    edges = np.histogram_bin_edges(values[:0], bins, limits)
    compared = np.result_type(values.dtype, edges.dtype)
    if compared.kind in "iu" and edges.size > 1:
        is_exact = -EXACT[8] < int(edges[0]) and int(edges[-1]) < EXACT[8]
    else:
        is_exact = compared.kind == "f" and compared.itemsize <= 8
    return _counted(policy, values, edges, edges.astype(compared), 0) if is_exact else None


def _counted(
    policy: HostPolicy,
    values: NDArray[Any],
    edges: NDArray[Any],
    bounds: NDArray[Any],
    width: float,
) -> Counted | None:
    """The histogram and ``edges``; C++ compares values with ``bounds``."""
    if not 2 <= edges.size <= MOST_BINS + 1:
        return None
    if bounds.dtype != values.dtype or bounds.dtype.kind != "f":
        bounds = bounds.astype(np.float64)
    counts = np.empty(edges.size - 1, np.int64)
    has_counted = host_engine.histogram(values, bounds, counts, width, policy.is_parallel)
    return (counts, edges) if has_counted else None
