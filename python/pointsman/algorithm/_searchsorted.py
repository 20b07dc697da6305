# SPDX-License-Identifier: Apache-2.0
# Both arrays are compared in NumPy's common type, on devices too, so that indices equal NumPy's.
"""``pm.searchsorted``."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias, overload

import numpy as np
from numpy.typing import NDArray

from pointsman.algorithm import _device, _device_native, _host
from pointsman.algorithm._arrays import Output, Values, values_of
from pointsman.algorithm._device import computed_type
from pointsman.algorithm._expression import IDENTITY, DType
from pointsman.algorithm._opencl_operations import C_TYPES
from pointsman.algorithm._plain import flat, plain
from pointsman.algorithm._plan import Plan, run_under
from pointsman.algorithm._scalars import is_number
from pointsman.algorithm._types import Array, OnHost
from pointsman.execution import ExecutionPolicy, HostPolicy
from pointsman.opencl import Buffer, Queue

Side: TypeAlias = Literal["left", "right"]


@overload
def searchsorted(
    policy: ExecutionPolicy, a: Array, v: Buffer, *, side: Side = "left"
) -> Buffer: ...
@overload
def searchsorted(
    policy: ExecutionPolicy, a: Array, v: NDArray[Any], *, side: Side = "left"
) -> NDArray[np.int64]: ...
@overload
def searchsorted(
    policy: ExecutionPolicy, a: Array, v: OnHost, *, side: Side = "left"
) -> NDArray[np.int64] | np.int64: ...
def searchsorted(policy: ExecutionPolicy, a: Array, v: Any, *, side: Side = "left") -> Any:
    """Return the indices, int64, at which the values of ``v`` would be inserted into ``a`` to keep
    it sorted.

    a: one-dimensional and sorted as ``pm.sort`` sorts, NaN last. Unsorted values give unspecified
        indices.
    v: a number, or values of any shape, which is also the shape of the result. Under a device
        policy the indices for a buffer are in a new buffer.
    side: ``"left"`` for the index before all equal values of ``a``, ``"right"`` for the one after
        them. NaN values are equal to each other, and so are zeros of both signs.

    The indices equal those of ``numpy.searchsorted``: values of different types are compared in
    NumPy's common type, float64 for int64 and uint64. Raises ValueError for another ``side``, an
    ``a`` with another number of dimensions and an integer ``v`` of more than 64 bits, and TypeError
    for types that NumPy cannot order.
    """
    if side not in ("left", "right"):
        raise ValueError(f"`side` is {side!r}: pass 'left' or 'right'")
    if (table := plain(policy, a)) and table[1].ndim == 1:
        if keys := plain(policy, v):
            found = _on_host(table[0], table[1], flat(keys[1]), side)
            return found.reshape(keys[1].shape)
        if is_number(v) and (number := np.asarray(v)).dtype != object:  # of at most 64 bits
            return _on_host(table[0], table[1], number, side)
    rising, values = values_of(a), values_of(v, "v")
    if len(rising.shape) != 1:
        raise ValueError(f"`a` has the shape {rising.shape}: pass an array of one dimension")
    output = Output(None, values.shape, np.dtype(np.int64))
    stays = values.buffer is not None

    def on_host(chosen: HostPolicy) -> Any:
        indices = _on_host(chosen, rising.on_host(), values.on_host(), side)
        return output.finish_host(indices)

    def on_device(queue: Queue) -> Any:
        if values.size == 0:
            return np.empty(values.shape, np.int64)
        indices = output.device(queue, stays)
        if rising.size == 0:
            _device.fill(queue, indices, np.int64(0))
        else:
            _on_device(queue, rising, values, indices, side)
        return output.finish_device(queue, indices, stays)

    kind = "searchsorted", side, rising.size.bit_length()
    results = run_under(policy, Plan(kind, IDENTITY, [rising, values], on_host, on_device))
    return results[()] if isinstance(results, np.ndarray) else results


def _on_host(
    policy: HostPolicy, a: NDArray[Any], values: NDArray[Any], side: Side
) -> NDArray[np.int64]:
    rising = a.astype(np.promote_types(a.dtype, values.dtype), copy=False)
    if values.size <= _host.CHUNK:
        return rising.searchsorted(values, side)
    indices = np.empty(values.size, np.int64)

    def work(begin: int, end: int) -> None:
        indices[begin:end] = rising.searchsorted(values[begin:end], side)

    _host.on_spans(policy, values.size, work)
    return indices


def _on_device(queue: Queue, a: Values, values: Values, indices: Buffer, side: Side) -> None:
    """Start to write the index of each value to ``indices``."""
    dtype = computed_type(np.promote_types(a.dtype, values.dtype))
    arrays = [_device_native.converted(queue, each, dtype) for each in (a, values)]
    options = _options(dtype, side)
    kernel = _device.kernel_of(queue, "searchsorted", "searchsorted", options=options)
    arguments = arrays[0], a.size, arrays[1], values.size, indices
    _device.start(queue, kernel, values.size, *arguments)


def _options(dtype: DType, side: Side) -> str:
    is_floating, is_right = int(dtype.kind == "f"), int(side == "right")
    return f"-Dkey_t={C_TYPES[dtype]} -DIS_FLOATING={is_floating} -DIS_RIGHT={is_right}"
