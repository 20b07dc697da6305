# SPDX-License-Identifier: Apache-2.0
# The index of the least or greatest value; NaN is ordered as in numpy.argmin and argmax.
"""``pm.min_element``, ``pm.max_element``, ``pm.minmax_element``, and two with NumPy's names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, overload

import numpy as np

from pointsman.algorithm import _axis, _device_axis, _device_native, _host
from pointsman.algorithm._arrays import Output, values_of
from pointsman.algorithm._expression import IDENTITY
from pointsman.algorithm._plain import flat, plain
from pointsman.algorithm._plan import Plan, run_under
from pointsman.algorithm._types import Array
from pointsman.execution import ExecutionPolicy, HostPolicy
from pointsman.opencl import Queue


def min_element(policy: ExecutionPolicy, a: Array) -> int:
    """Return the index of the least value of ``a``, the first if there are several, as if ``a``
    were flat.

    NaN counts as the least, as in ``numpy.argmin``. Raises ValueError for an empty array.
    """
    (index,) = _indices_of("min_element", policy, a, np.ndarray.argmin)
    return index


def max_element(policy: ExecutionPolicy, a: Array) -> int:
    """Return the index of the greatest value of ``a``, the first if there are several, as if ``a``
    were flat.

    NaN counts as the greatest, as in ``numpy.argmax``. Raises ValueError for an empty array.
    """
    (index,) = _indices_of("max_element", policy, a, np.ndarray.argmax)
    return index


def minmax_element(policy: ExecutionPolicy, a: Array) -> tuple[int, int]:
    """Return the results of ``pm.min_element`` and ``pm.max_element`` as a pair."""
    least, greatest = _indices_of("minmax_element", policy, a, np.ndarray.argmin, np.ndarray.argmax)
    return least, greatest


@overload
def argmin(policy: ExecutionPolicy, a: Array) -> int: ...
@overload
def argmin(
    policy: ExecutionPolicy, a: Array, axis: int | None = None, *, keepdims: bool = False
) -> Any: ...
def argmin(
    policy: ExecutionPolicy, a: Any, axis: int | None = None, *, keepdims: bool = False
) -> Any:
    """Return the index of the least value of ``a`` as ``pm.min_element`` does, or along ``axis`` an
    array of indices, int64, as ``numpy.argmin`` does.

    axis: as in NumPy; by default ``a`` counts as flat. Under a device policy the indices along one
        of several axes of a buffer are in a new buffer.
    keepdims: True if the axis, or without one every axis, stays in the result with the length 1.
    """
    if axis is None and not keepdims:
        return min_element(policy, a)
    return _indices_along(policy, a, axis, keepdims, np.ndarray.argmin)


@overload
def argmax(policy: ExecutionPolicy, a: Array) -> int: ...
@overload
def argmax(
    policy: ExecutionPolicy, a: Array, axis: int | None = None, *, keepdims: bool = False
) -> Any: ...
def argmax(
    policy: ExecutionPolicy, a: Any, axis: int | None = None, *, keepdims: bool = False
) -> Any:
    """Return the index of the greatest value of ``a`` as ``pm.max_element`` does, or along ``axis``
    an array of indices, int64, as ``numpy.argmax`` does; see ``pm.argmin``."""
    if axis is None and not keepdims:
        return max_element(policy, a)
    return _indices_along(policy, a, axis, keepdims, np.ndarray.argmax)


def _indices_along(
    policy: ExecutionPolicy,
    a: Any,
    axis: int | None,
    keepdims: bool,
    find: Callable[..., Any],
) -> Any:
    if type(axis) is int and (given := plain(policy, a)) and a.size:
        if -a.ndim <= axis < a.ndim:
            if given[0].is_parallel:
                found = _axis.indices(given[0], a, find, axis % a.ndim)
            else:
                found = find(a, axis)
            return np.expand_dims(found, axis) if keepdims else found
    values = values_of(a)
    lengths = values.shape
    if axis is None:
        (index,) = _indices_of(find.__name__, policy, a, find)
        return np.full((1,) * len(lengths), index)
    if isinstance(axis, tuple):
        raise TypeError(f"`axis` is {axis}: pass one axis, or None for a flat array")
    axes = _axis.axes_of(axis, len(lengths))
    at = axes[0] if axes else 0
    if lengths and lengths[at] == 0:
        raise ValueError(f"axis {axis} of an array of the shape {lengths} has no values: pass one")
    shape = _axis.kept_shape(lengths, axes, bool(keepdims))
    output = Output(None, shape, np.dtype(np.int64))
    stays = values.buffer is not None

    def on_host(chosen: HostPolicy) -> Any:
        arrays = values.on_host().reshape(lengths or (1,))
        return np.reshape(_axis.indices(chosen, arrays, find, at), shape)

    def on_device(queue: Queue) -> Any:
        if len(lengths) < 2:
            (index,) = _device_native.indices_of(queue, values, [find])
            return np.full(shape, index)
        indices = _device_axis.indices(queue, values, at, find is np.ndarray.argmin, shape)
        return output.finish_device(queue, indices, stays)

    kind = find.__name__, at, len(lengths)
    found = run_under(policy, Plan(kind, IDENTITY, [values], on_host, on_device))
    return found[()] if isinstance(found, np.ndarray) else found


def _indices_of(
    name: str, policy: ExecutionPolicy, a: Array, *finders: Callable[..., Any]
) -> tuple[int, ...]:
    if (given := plain(policy, a)) and given[1].size:
        return _host.indices_of(given[0], flat(given[1]), finders)
    values = values_of(a)
    if values.size == 0:
        raise ValueError(f"the array of shape {values.shape} has no values: pass one at least")

    def on_host(chosen: HostPolicy) -> tuple[int, ...]:
        return _host.indices_of(chosen, values.on_host(), finders)

    def on_device(queue: Queue) -> tuple[int, ...]:
        return _device_native.indices_of(queue, values, finders)

    found: tuple[int, ...] = run_under(policy, Plan(name, IDENTITY, [values], on_host, on_device))
    return found
