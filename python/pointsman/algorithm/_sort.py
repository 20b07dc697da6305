# SPDX-License-Identifier: Apache-2.0
# Every policy gives the same order, also of NaN and of zeros of both signs.
"""``pm.sort``, ``pm.stable_sort``, ``pm.argsort`` and ``pm.sort_by_key``."""

from __future__ import annotations

from typing import Any, cast, overload

import numpy as np
from numpy.typing import NDArray

from pointsman.algorithm import (
    _device,
    _device_line_sorts,
    _device_native,
    _host_line_sorts,
    _host_sorts,
)
from pointsman.algorithm._arrays import Output, Values, share_memory, values_of
from pointsman.algorithm._axis import axis_of, lengths_of
from pointsman.algorithm._expression import CHUNK, IDENTITY
from pointsman.algorithm._host_line_sorts import sort_lines_of
from pointsman.algorithm._plain import are_apart, is_target, line_kind, may_go_along, plain
from pointsman.algorithm._plan import Plan, run_under
from pointsman.algorithm._types import OnHost, Other, Out
from pointsman.execution import ExecutionPolicy, HostPolicy
from pointsman.opencl import Buffer, Queue


def sort(
    policy: ExecutionPolicy, a: Out, *, descending: bool = False, axis: int | None = None
) -> Out:
    """Sort ``a`` in place, NaN last, and return it.

    a: a writable array, or a ``pm.opencl.Buffer``, of bool, integers, float16, float32 or float64.
    descending: from the greatest to the least, with NaN still last.
    axis: the axis along which the values are sorted, as in NumPy; needed unless ``a`` has one
        dimension.

    The values equal those of ``numpy.sort`` bit for bit. Their order is the same under every
    policy: -0.0 comes before 0.0, and NaN values are ordered by their bits.
    Raises TypeError for other types and for read-only arrays, and ValueError for arrays of several
    dimensions without ``axis``.
    """
    return _sort(policy, a, bool(descending), axis, False)


def stable_sort(
    policy: ExecutionPolicy, a: Out, *, descending: bool = False, axis: int | None = None
) -> Out:
    """Sort ``a`` in place as ``pm.sort`` does, but keep equal values in their original order.
    Zeros of both signs are equal to each other here, and so are NaN values."""
    return _sort(policy, a, bool(descending), axis, True)


@overload
def argsort(
    policy: ExecutionPolicy, a: Buffer, *, descending: bool = False, axis: int | None = None
) -> Buffer: ...
@overload
def argsort(
    policy: ExecutionPolicy, a: OnHost, *, descending: bool = False, axis: int | None = None
) -> NDArray[np.int64]: ...
def argsort(
    policy: ExecutionPolicy, a: Any, *, descending: bool = False, axis: int | None = None
) -> Any:
    """Return the indices, int64, at which the values of ``a`` are in the order of
    ``pm.stable_sort``; ``a`` is not changed.

    a: like ``a`` in ``pm.sort``, but it may be read-only. Under a device policy the indices of a
        buffer are in a new buffer.
    axis: as in ``pm.sort``; the indices are those along it.

    Equals ``numpy.argsort(a, axis, kind="stable")``. On the host the sort of one dimension needs 40
    bytes of memory per value in one thread, 50 in several; less for bool and integers of one or two
    bytes. Raises as ``pm.sort`` does.
    """
    is_descending = bool(descending)
    if lines := _sortable_along(policy, a, axis):
        if a.ndim == 1:
            return _host_sorts.argsort(lines[0], a, is_descending)
        is_for_one_thread = not lines[0].is_parallel or a.size < 2 * CHUNK
        if is_for_one_thread and a.shape[lines[2]] <= _host_sorts.FEW:
            return _host_sorts.argsort_by_numpy(lines[1], lines[2], is_descending)
        lengths = lengths_of(a.shape, (lines[2],))
        found = np.empty(lengths, np.int64)
        _host_line_sorts.argsort(lines[0], lines[1].reshape(lengths), found, is_descending)
        return found.reshape(a.shape)
    values = values_of(a)
    along = axis_of(axis, values.shape)
    _check_type(values)
    lengths = lengths_of(values.shape, (along,))
    is_flat = len(values.shape) == 1
    output = Output(None, values.shape, np.dtype(np.int64))
    stays = values.buffer is not None

    def on_host(chosen: HostPolicy) -> Any:
        if is_flat:
            return output.finish_host(_host_sorts.argsort(chosen, values.on_host(), is_descending))
        indices = np.empty(lengths, np.int64)
        table = values.on_host().reshape(lengths)
        _host_line_sorts.argsort(chosen, table, indices, is_descending)
        return output.finish_host(indices)

    def on_device(queue: Queue) -> Any:
        keys = values.on(queue)
        indices = output.device(queue, stays)
        if is_flat:
            if keys is values.buffer:
                keys = queue.empty(values.shape, values.dtype)
                _device.copy(queue, values.on(queue), keys)
            _device_native.iota(queue, indices)
            _device_native.sort(queue, keys, indices, is_descending=is_descending, is_stable=True)
        else:
            _device_line_sorts.argsort(queue, keys, indices, lengths, is_descending)
        return output.finish_device(queue, indices, stays)

    kind = _kind("argsort", is_descending, along, values)
    return run_under(policy, Plan(kind, IDENTITY, [values], on_host, on_device))


def sort_by_key(
    policy: ExecutionPolicy, keys: Out, values: Other, *, descending: bool = False
) -> tuple[Out, Other]:
    """Sort ``keys`` in place as ``pm.stable_sort`` does, move each value with its key; return both.

    keys: like ``a`` in ``pm.sort``.
    values: one for each key; on the host they may have any type.

    Values with equal keys keep their order, as with ``numpy.argsort(keys, kind="stable")``. Needs
    as much memory as ``pm.argsort``, and on the host copies of keys and values. Raises as
    ``pm.sort`` does, and ValueError if keys and values share memory.
    """
    if type(policy) is HostPolicy and line_kind(keys, None) and type(values) is np.ndarray:
        arrays = cast("tuple[NDArray[Any], NDArray[Any]]", (keys, values))
        if is_target(values, keys, arrays[1].dtype) and are_apart(keys, values):
            _host_sorts.sort_by_key(policy, *arrays, descending)
            return keys, cast("Other", values)
    sorted_keys, moved = _InPlace(keys, "keys"), _InPlace(values, "values")
    both = sorted_keys.values, moved.values
    if both[0].shape != both[1].shape:
        raise ValueError(
            f"there are keys of the shape {both[0].shape} and values of the shape {both[1].shape}: "
            "pass one value for each key"
        )
    if share_memory(sorted_keys.output, moved.output):
        raise ValueError("`keys` and `values` share memory: pass a copy of one of them")
    check_order(both[0], "keys")

    def on_host(chosen: HostPolicy) -> Any:
        arrays = sorted_keys.on_host(), moved.on_host()
        _host_sorts.sort_by_key(chosen, *arrays, descending)
        return sorted_keys.output.finish_host(arrays[0]), moved.output.finish_host(arrays[1])

    def on_device(queue: Queue) -> Any:
        buffers = both[0].on(queue), both[1].on(queue)
        _device_native.sort(queue, *buffers, is_descending=descending, is_stable=True)
        return tuple(
            each.finish_device(queue, buffer)
            for each, buffer in zip((sorted_keys, moved), buffers, strict=True)
        )

    kind = "sort_by_key", bool(descending)
    pair: tuple[Out, Other] = run_under(policy, Plan(kind, IDENTITY, both, on_host, on_device))
    return pair


class _InPlace:
    """An argument that is both input and output, such as the keys of a sort."""

    def __init__(self, a: Any, name: str) -> None:
        self.values = values_of(a, name)
        self.output = Output(a, self.values.shape, self.values.dtype, name)

    def on_host(self) -> NDArray[Any]:
        """A contiguous array of the values, without a copy if possible."""
        given = self.values.on_host()
        array = self.output.host([self.values])
        if not np.may_share_memory(array, given):
            np.copyto(array, given)
        return array

    def finish_device(self, queue: Queue, buffer: Any) -> Any:
        return self.output.finish_device(queue, buffer, stays=False)


def _sort(
    policy: ExecutionPolicy, a: Out, is_descending: bool, axis: int | None, is_stable: bool
) -> Out:
    if type(policy) is HostPolicy and (kind := line_kind(a, axis)):
        sort_lines_of(kind, policy, cast("NDArray[Any]", a), is_descending, is_stable)
        return a
    if (lines := _sortable_along(policy, a, axis)) and lines[1].flags.carray:
        _host_line_sorts.sort(*lines, is_descending, is_stable)
        return a
    replaced = _InPlace(a, "a")
    values = replaced.values
    along = axis_of(axis, values.shape)
    _check_type(values)
    lengths = lengths_of(values.shape, (along,))
    is_flat = len(values.shape) == 1

    def on_host(chosen: HostPolicy) -> Any:
        array = replaced.on_host()
        table = array.reshape(values.shape)
        _host_line_sorts.sort(chosen, table, along, is_descending, is_stable)
        return replaced.output.finish_host(array)

    def on_device(queue: Queue) -> Any:
        buffer = values.on(queue)
        if is_flat:
            _device_native.sort(queue, buffer, is_descending=is_descending, is_stable=is_stable)
        else:
            _device_line_sorts.sort(queue, buffer, lengths, is_descending, is_stable)
        return replaced.finish_device(queue, buffer)

    name = "stable_sort" if is_stable else "sort"
    described = _kind(name, is_descending, along, values)
    result: Out = run_under(policy, Plan(described, IDENTITY, [values], on_host, on_device))
    return result


def _kind(name: str, is_descending: bool, along: int, values: Values) -> tuple[Any, ...]:
    ndim = len(values.shape)
    return (name, is_descending) if ndim == 1 else (name, is_descending, along, ndim)


def sortable(policy: ExecutionPolicy, a: Any) -> tuple[HostPolicy, NDArray[Any]] | None:
    """Return the arguments if ``a`` is plain, of one dimension, and can be sorted."""
    given = plain(policy, a)
    if given is None or given[1].ndim != 1 or _host_sorts.obstacle(given[1].dtype):
        return None
    return given[0], given[1]


def _sortable_along(
    policy: ExecutionPolicy, a: Any, axis: Any
) -> tuple[HostPolicy, NDArray[Any], int] | None:
    """Return the policy, the array and the axis, not negative, if the array is plain and can be
    sorted along the axis."""
    given = plain(policy, a)
    if given is None or not may_go_along(axis, a.ndim) or _host_sorts.obstacle(a.dtype):
        return None
    return given[0], given[1], axis % a.ndim if axis else 0


def check_order(values: Values, name: str) -> None:
    """Raise unless the argument of this name can be sorted and has one dimension."""
    if len(values.shape) != 1:
        raise ValueError(f"`{name}` has the shape {values.shape}: pass an array of one dimension")
    _check_type(values)


def _check_type(values: Values) -> None:
    obstacle = _host_sorts.obstacle(values.dtype)
    if obstacle:
        raise TypeError(obstacle)
