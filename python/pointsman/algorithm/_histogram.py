# SPDX-License-Identifier: Apache-2.0
# Counts and edges equal those of numpy.histogram bit for bit.
"""``pm.histogram``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, TypeAlias, overload

import numpy as np
from numpy.typing import NDArray

from pointsman.algorithm import _device, _device_native, _host_histogram
from pointsman.algorithm._arrays import Values, values_of
from pointsman.algorithm._expression import IDENTITY, DType
from pointsman.algorithm._operation import operation_of
from pointsman.algorithm._plain import plain
from pointsman.algorithm._plan import Plan, run_under
from pointsman.algorithm._types import Array
from pointsman.execution import ExecutionPolicy, HostPolicy, seq
from pointsman.opencl import Queue

Counted: TypeAlias = tuple[np.ndarray[Any, np.dtype[np.int64]], np.ndarray[Any, np.dtype[Any]]]
Bins: TypeAlias = "int | Sequence[float] | NDArray[Any]"


@overload
def histogram(
    policy: ExecutionPolicy,
    a: Array,
    bins: Bins = 10,
    range: tuple[float, float] | None = None,
    *,
    density: Literal[False] = False,
    weights: None = None,
) -> Counted: ...
@overload
def histogram(
    policy: ExecutionPolicy,
    a: Array,
    bins: Bins = 10,
    range: tuple[float, float] | None = None,
    *,
    density: bool,
    weights: Array | None = None,
) -> tuple[NDArray[Any], NDArray[Any]]: ...
@overload
def histogram(
    policy: ExecutionPolicy,
    a: Array,
    bins: Bins = 10,
    range: tuple[float, float] | None = None,
    *,
    density: bool = False,
    weights: Array,
) -> tuple[NDArray[Any], NDArray[Any]]: ...
def histogram(
    policy: ExecutionPolicy,
    a: Array,
    bins: Bins = 10,
    range: tuple[float, float] | None = None,
    *,
    density: bool = False,
    weights: Array | None = None,
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the number of values of ``a`` in each bin, and the edges of the bins.

    bins: the number of bins of equal width, or their edges in ascending order. A value on an edge
        belongs to the bin that begins there; on the last edge, to the last bin.
    range: lower and upper end of bins of equal width; by default the least and the greatest
        value.
    density: return each number divided by the width of its bin and the number of all counted
        values, so that the integral is 1.
    weights: one number for each value, in an array of the shape of ``a``, that counts instead of 1.
        The sums have their type.

    Both arrays equal those of ``numpy.histogram`` bit for bit. On the host it is called for few
    values, float16, more than 65,536 bins and bins of equal width that rounding errors make uneven;
    and with weights, in one thread, so that the sums are the same in every run. A device can count
    fewer than 2**32 values. With weights, and if a bin has zero width, values are counted on the
    host even under a device policy. Raises TypeError if ``bins`` names one of NumPy's rules, and
    ValueError as NumPy does.
    """
    if isinstance(bins, str):
        raise TypeError(
            f"bins is {bins!r}: pass their number or edges, such as those of "
            "numpy.histogram_bin_edges"
        )
    counts, edges = _counted(policy, a, bins, range, weights)
    if density:
        return counts / np.diff(edges).astype(float) / counts.sum(), edges
    return counts, edges


def _counted(
    policy: ExecutionPolicy,
    a: Any,
    bins: Bins,
    range: tuple[float, float] | None,
    weights: Any,
) -> tuple[NDArray[Any], NDArray[Any]]:
    if given := plain(policy, a, weights):
        array = given[1]
        is_for_numpy = given[2] is not None or array.size <= _host_histogram.FEW
        if is_for_numpy and array.dtype.kind != "b" and array.itemsize > 2:
            counts, edges = np.histogram(array, bins, range, weights=given[2])
            return counts, edges
        numbers = array.view(np.uint8) if array.dtype.kind == "b" else array
        return _host_histogram.histogram(given[0], numbers, bins, range, given[2])
    values = numbers_of(values_of(a))
    added = None if weights is None else values_of(weights, "weights")
    if added is not None and added.shape != values.shape:
        raise ValueError(
            f"`a` has the shape {values.shape} and `weights` {added.shape}: pass one weight for "
            "each value"
        )
    np.histogram(np.empty(0, values.dtype), bins, range)  # raises if NumPy refuses the arguments

    def on_host(chosen: HostPolicy) -> Counted:
        summed = None if added is None else added.on_host()
        return _host_histogram.histogram(chosen, values.on_host(), bins, range, summed)

    def on_device(queue: Queue) -> Counted:
        if added is not None:
            arrays = values.fetched(queue), added.fetched(queue)
            return _host_histogram.histogram(seq, arrays[0], bins, range, arrays[1])
        has_limits = range is not None or np.ndim(bins) != 0
        limits = range if has_limits else limits_of(queue, values)
        edges = np.histogram(np.empty(0, values.dtype), bins, limits)[1]
        dtype = _compared_type(values, edges)
        if dtype is None:
            return _host_histogram.histogram(seq, values.fetched(queue), bins, limits)
        bounds = queue.buffer(edges.astype(dtype))
        return _device_native.count_bins(queue, values, bounds), edges

    inputs = [values] if added is None else [values, added]
    number = int(np.size(bins)) if np.ndim(bins) else int(np.asarray(bins))
    kind = "histogram", number, added is not None
    counted: Counted = run_under(policy, Plan(kind, IDENTITY, inputs, on_host, on_device))
    return counted


def numbers_of(values: Values) -> Values:
    """The values, with bool viewed as uint8."""
    if values.dtype.kind != "b":
        return values
    array = None if values.host is None else values.host.view(np.uint8)
    return Values(array, values.buffer, values.shape, np.dtype(np.uint8))


def limits_of(queue: Queue, values: Values) -> tuple[Any, Any]:
    """The least and the greatest value; NaN if any value is NaN."""
    least, greatest = (
        _device.reduce(queue, operation, IDENTITY, [values], values.dtype)
        for operation in map(operation_of, ("min", "max"))
    )
    return least, greatest


def _compared_type(values: Values, edges: NDArray[Any]) -> DType | None:
    """The type in which a device compares values with edges as NumPy does; None if there is none.

    None also if two edges are equal: NumPy then assigns values to bins by an estimate of its own.
    """
    common = np.result_type(values.dtype, edges.dtype)
    wider = {"u": np.uint64, "i": np.int64, "f": np.float64 if common.itemsize > 4 else np.float32}
    is_wide_enough = common.kind in wider and common.itemsize <= 8
    rises = edges.size > 1 and bool(np.all(edges[:-1] < edges[1:]))
    return np.dtype(wider[common.kind]) if is_wide_enough and rises else None
