# SPDX-License-Identifier: Apache-2.0
# Counts are exact everywhere; sums of weights are added in the order of the array, on the host.
"""``pm.bincount``."""

from __future__ import annotations

from functools import cache
from operator import index
from typing import Any, SupportsIndex, overload

import numpy as np
from numpy.typing import NDArray

from pointsman.algorithm import _device_native
from pointsman.algorithm._arrays import Values, values_of
from pointsman.algorithm._engine import host_engine
from pointsman.algorithm._expression import IDENTITY, DType
from pointsman.algorithm._histogram import limits_of, numbers_of
from pointsman.algorithm._plain import plain
from pointsman.algorithm._plan import Plan, run_under
from pointsman.algorithm._scalars import shown
from pointsman.algorithm._types import Array
from pointsman.execution import ExecutionPolicy, HostPolicy
from pointsman.opencl import Queue

MOST = 2**60  # counts: an array of more has too many bytes for any machine
MANY = 65_536  # counts: NumPy gets the memory for as many already cleared


@overload
def bincount(
    policy: ExecutionPolicy, a: Array, weights: None = None, *, minlength: SupportsIndex = 0
) -> NDArray[np.int64]: ...
@overload
def bincount(
    policy: ExecutionPolicy, a: Array, weights: Array, *, minlength: SupportsIndex = 0
) -> NDArray[Any]: ...
def bincount(
    policy: ExecutionPolicy,
    a: Array,
    weights: Array | None = None,
    *,
    minlength: SupportsIndex = 0,
) -> NDArray[Any]:
    """Return how often each of the numbers 0, 1, 2 and so on occurs in ``a``, up to its greatest.

    a: one-dimensional, of bool or of non-negative integers.
    weights: one number for each value of ``a``. The result then has the sum of the weights at each
        number, float64, instead of the counts, int64.
    minlength: the least length of the result.

    Equals ``numpy.bincount`` bit for bit, also in that the result is int64 if ``a`` has no values.
    uint64 is counted with every version of NumPy.
    Weights are added in the order of ``a`` by one thread, under a device policy on the host, so
    that the sums are the same in every run. NumPy counts in one thread if ``a`` holds a number
    greater than 65,535 that is not less than the number of values. A device can count fewer than
    2**32 values.
    Raises ValueError for negative values, a negative ``minlength``, either of 2**60 and more, and
    wrong shapes; MemoryError if there is no memory for the counts; TypeError for other types, such
    as floats.
    """
    length = index(minlength)
    if not 0 <= length < MOST:
        raise ValueError(f"`minlength` is {shown(length)}: pass 0 or more, and less than 2**60")
    if given := plain(policy, a, weights):
        host, array, summed = given
        if array.ndim > 1 or summed is not None or _counted_type(array.dtype) is None:
            _check(array.shape, array.dtype, summed)
        return _on_host(host, array, summed, length)
    values = values_of(np.empty(0, np.int64) if isinstance(a, (list, tuple)) and not a else a)
    added = None if weights is None else values_of(weights, "weights")
    _check(values.shape, values.dtype, added)

    def on_host(chosen: HostPolicy) -> NDArray[Any]:
        summed = None if added is None else added.on_host()
        return _on_host(chosen, values.on_host(), summed, length)

    def on_device(queue: Queue) -> NDArray[Any]:
        if added is None:
            return _on_device(queue, values, length)
        return _by_numpy(values.fetched(queue), added.fetched(queue), length)

    inputs = [values] if added is None else [values, added]
    kind = "bincount", length.bit_length(), added is not None
    counts: NDArray[Any] = run_under(policy, Plan(kind, IDENTITY, inputs, on_host, on_device))
    return counts


def _check(shape: tuple[int, ...], dtype: DType, weights: Values | NDArray[Any] | None) -> None:
    if len(shape) != 1:
        raise ValueError(f"`a` has the shape {shape}: pass an array of one dimension")
    if dtype.kind not in "bui":
        raise TypeError(
            f"`a` has the type {dtype}: pass bool or integers, such as a.astype(numpy.int64)"
        )
    if weights is None:
        return
    if weights.shape != shape:
        raise ValueError(
            f"`a` has the shape {shape} and `weights` {weights.shape}: pass one weight for each "
            "value"
        )
    if weights.dtype.kind not in "biuf" or weights.dtype.itemsize > 8:
        raise TypeError(
            f"`weights` has the type {weights.dtype}: pass real numbers that fit into float64"
        )


def _on_host(
    policy: HostPolicy, values: NDArray[Any], weights: NDArray[Any] | None, length: int
) -> NDArray[Any]:
    """The counts, or the sums of weights, by C++ unless the numbers or ``length`` are large."""
    dtype = _counted_type(values.dtype)
    if dtype is not None and (length <= MANY or length < values.size):
        numbers = values if dtype is values.dtype else values.view(dtype)
        counts: NDArray[Any] | None
        if weights is None:
            counts = host_engine.bincount(numbers, length, policy.is_parallel)
        else:
            summands = np.ascontiguousarray(weights, np.float64)
            counts = host_engine.weighted_bincount(numbers, summands, length)
        if counts is not None:
            return counts
    return _by_numpy(values, weights, length)


@cache
def _counted_type(dtype: DType) -> DType | None:
    """The type of the same size in which C++ counts such values; None for other types."""
    if dtype.kind == "b":
        return np.dtype(np.uint8)
    if dtype == np.uint64:
        return np.dtype(np.int64)  # C++ leaves numbers that do not fit
    return dtype if dtype.kind in "iu" and dtype.isnative else None


def _by_numpy(values: NDArray[Any], weights: NDArray[Any] | None, length: int) -> NDArray[Any]:
    """In one thread: numpy.bincount holds the GIL."""
    if values.itemsize == 8 and values.size:
        greatest = values[values.argmax()]  # in a third of the time of max()
        _check_limits(0, int(greatest))  # NumPy may overflow
    if values.dtype.kind == "u" and values.itemsize == 8:
        values = values.astype(np.int64)  # NumPy before 2.2.4 refuses uint64
    try:
        return np.bincount(values, weights, length)
    except ValueError:
        _check_limits(int(values.min(initial=0)), 0)
        raise


def _check_limits(least: int, greatest: int) -> None:
    if least < 0:
        raise ValueError(f"`a` holds {least}: pass non-negative integers")
    if greatest >= MOST - 1:
        raise ValueError(
            f"`a` holds {greatest}, and the result a count for each number up to it: pass smaller "
            "integers, or use numpy.unique(a, return_counts=True)"
        )


def _on_device(queue: Queue, values: Values, length: int) -> NDArray[np.int64]:
    """The counts, by a device's histogram with the edges 0, 1, 2 and so on."""
    numbers = numbers_of(values)
    numbers = Values(None, numbers.on(queue), numbers.shape, numbers.dtype)
    least, greatest = map(int, limits_of(queue, numbers))
    _check_limits(least, greatest)
    edges = queue.empty(max(greatest + 1, length) + 1, np.int64)
    _device_native.iota(queue, edges)
    return _device_native.count_bins(queue, numbers, edges)
