# SPDX-License-Identifier: Apache-2.0
# Every policy gives the same order, also of NaN and of zeros of both signs.
"""``pm.sort``, ``pm.stable_sort``, ``pm.argsort``, ``pm.sort_by_key`` and ``pm.merge``."""

from __future__ import annotations

from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from pointsman.algorithm import _device, _device_native, _host_sorts
from pointsman.algorithm._arrays import Output, Values, share_memory, values_of
from pointsman.algorithm._expression import IDENTITY
from pointsman.algorithm._plain import plain
from pointsman.algorithm._plan import Plan, run_under
from pointsman.algorithm._types import Array, D, OnHost, Other, Out
from pointsman.execution import ExecutionPolicy, HostPolicy
from pointsman.opencl import Buffer, Queue


def sort(policy: ExecutionPolicy, a: Out, *, descending: bool = False) -> Out:
    """Sort ``a`` in place, NaN last, and return it.

    a: a writable one-dimensional array, or a ``pm.opencl.Buffer``, of bool, integers, float16,
        float32 or float64.
    descending: from the greatest to the least, with NaN still last.

    The values equal those of ``numpy.sort`` bit for bit. Their order is the same under every
    policy: -0.0 comes before 0.0, and NaN values are ordered by their bits.
    Raises TypeError for other types and for read-only arrays, and ValueError for arrays with
    another number of dimensions.
    """
    return _sort("sort", policy, a, descending)


def stable_sort(policy: ExecutionPolicy, a: Out, *, descending: bool = False) -> Out:
    """Sort ``a`` in place as ``pm.sort`` does, but keep equal values in their original order.
    Zeros of both signs are equal to each other here, and so are NaN values."""
    return _sort("stable_sort", policy, a, descending)


@overload
def argsort(policy: ExecutionPolicy, a: Buffer, *, descending: bool = False) -> Buffer: ...
@overload
def argsort(
    policy: ExecutionPolicy, a: OnHost, *, descending: bool = False
) -> NDArray[np.int64]: ...
def argsort(policy: ExecutionPolicy, a: Any, *, descending: bool = False) -> Any:
    """Return the indices, int64, at which the values of ``a`` are in the order of
    ``pm.stable_sort``; ``a`` is not changed.

    a: like ``a`` in ``pm.sort``, but it may be read-only. Under a device policy the indices of a
        buffer are in a new buffer.

    Equals ``numpy.argsort(a, kind="stable")``. On the host the sort needs 40 bytes of memory per
    value in one thread, 50 in several. Raises as ``pm.sort`` does.
    """
    is_descending = bool(descending)
    if given := _sortable(policy, a):
        return _host_sorts.argsort(given[0], given[1], is_descending)
    values = values_of(a)
    _check_order(values)
    output = Output(None, values.shape, np.dtype(np.int64))
    stays = values.buffer is not None

    def on_host(chosen: HostPolicy) -> Any:
        return _host_sorts.argsort(chosen, values.on_host(), is_descending)

    def on_device(queue: Queue) -> Any:
        keys = values.on(queue)
        if keys is values.buffer:
            keys = queue.empty(values.shape, values.dtype)
            _device.copy(queue, values.on(queue), keys)
        indices = output.device(queue, stays)
        _device_native.iota(queue, indices)
        _device_native.sort(queue, keys, indices, is_descending=is_descending, is_stable=True)
        return output.finish_device(queue, indices, stays)

    kind = "argsort", is_descending
    return run_under(policy, Plan(kind, IDENTITY, [values], on_host, on_device))


def sort_by_key(
    policy: ExecutionPolicy, keys: Out, values: Other, *, descending: bool = False
) -> tuple[Out, Other]:
    """Sort ``keys`` in place as ``pm.stable_sort`` does, move each value with its key; return both.

    keys: like ``a`` in ``pm.sort``.
    values: one for each key; on the host they may have any type.

    Values with equal keys keep their order, as with ``numpy.argsort(keys, kind="stable")``. Needs
    as much memory as ``pm.argsort``. Raises as ``pm.sort`` does, and ValueError if keys and values
    share memory.
    """
    if (given := _sortable(policy, keys, values)) and not np.may_share_memory(*given[1:]):
        if all(each.flags.carray for each in given[1:]):
            _host_sorts.sort_by_key(*given, descending)
            return keys, values
    sorted_keys, moved = _InPlace(keys, "keys"), _InPlace(values, "values")
    both = sorted_keys.values, moved.values
    if both[0].shape != both[1].shape:
        raise ValueError(
            f"there are keys of the shape {both[0].shape} and values of the shape {both[1].shape}: "
            "pass one value for each key"
        )
    if share_memory(sorted_keys.output, moved.output):
        raise ValueError("`keys` and `values` share memory: pass a copy of one of them")
    _check_order(both[0])

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


@overload
def merge(
    policy: ExecutionPolicy, a: Buffer, b: Array, out: None = None, *, descending: bool = False
) -> Buffer: ...
@overload
def merge(
    policy: ExecutionPolicy, a: OnHost, b: Buffer, out: None = None, *, descending: bool = False
) -> Buffer: ...
@overload
def merge(
    policy: ExecutionPolicy,
    a: NDArray[D],
    b: NDArray[D],
    out: None = None,
    *,
    descending: bool = False,
) -> NDArray[D]: ...
@overload
def merge(
    policy: ExecutionPolicy, a: OnHost, b: OnHost, out: None = None, *, descending: bool = False
) -> NDArray[Any]: ...
@overload
def merge(
    policy: ExecutionPolicy, a: Array, b: Array, out: Out, *, descending: bool = False
) -> Out: ...
def merge(
    policy: ExecutionPolicy, a: Any, b: Any, out: Any = None, *, descending: bool = False
) -> Any:
    """Merge ``a`` and ``b``, both sorted in the order of ``pm.sort``, and return the result.

    a, b: one-dimensional; different types are converted to NumPy's common type.
    out: array or buffer for the results, as long as ``a`` and ``b`` together; by default a new
        array, or under a device policy a new buffer if ``a`` or ``b`` is a buffer. A buffer must
        not share memory with ``a`` or ``b``.

    Of equal values, those of ``a`` come first. Unsorted input gives an unspecified order. Raises
    TypeError and ValueError as ``pm.sort`` does, and ValueError if ``out`` is a buffer that shares
    memory with ``a`` or ``b``.
    """
    if out is None and (first := _sortable(policy, a)) and (second := _sortable(policy, b)):
        if first[1].dtype == second[1].dtype:
            results = np.empty(first[1].size + second[1].size, first[1].dtype)
            _host_sorts.merge(first[0], first[1], second[1], results, descending)
            return results
    inputs = values_of(a), values_of(b, "b")
    dtype = np.result_type(inputs[0].dtype, inputs[1].dtype)
    for each in inputs:
        _check_order(each)
    output = Output(out, (inputs[0].size + inputs[1].size,), dtype)
    if isinstance(out, Buffer) and any(share_memory(out, each.buffer) for each in inputs):
        raise ValueError("`out` shares memory with `a` or `b`: pass another buffer")
    stays = any(each.buffer is not None for each in inputs)

    def on_host(chosen: HostPolicy) -> Any:
        first, second = (each.on_host().astype(dtype, copy=False) for each in inputs)
        results = _elsewhere(output.host([]), first, second)
        _host_sorts.merge(chosen, first, second, results, descending)
        return output.finish_host(results)

    def on_device(queue: Queue) -> Any:
        buffer = output.device(queue, stays)
        _device_native.merge(queue, inputs, buffer, descending)
        return output.finish_device(queue, buffer, stays)

    kind = "merge", bool(descending)
    return run_under(policy, Plan(kind, IDENTITY, inputs, on_host, on_device, out))


class _InPlace:
    """An argument that is both input and output, such as the keys of a sort."""

    def __init__(self, a: Any, name: str) -> None:
        self.values = values_of(a, name)
        self.output = Output(a, self.values.shape, self.values.dtype, name)
        if len(self.values.shape) != 1:
            raise ValueError(
                f"`{name}` has the shape {self.values.shape}: pass an array of one dimension"
            )

    def on_host(self) -> NDArray[Any]:
        """A contiguous array of the values, without a copy if possible."""
        given = self.values.on_host()
        array = self.output.host([self.values])
        if not np.may_share_memory(array, given):
            np.copyto(array, given)
        return array

    def finish_device(self, queue: Queue, buffer: Any) -> Any:
        return self.output.finish_device(queue, buffer, stays=False)


def _sort(name: str, policy: ExecutionPolicy, a: Out, is_descending: bool) -> Out:
    is_descending = bool(is_descending)
    if (given := _sortable(policy, a)) and given[1].flags.carray:
        _host_sorts.sort(given[0], given[1], is_descending, is_stable=name == "stable_sort")
        return a
    replaced = _InPlace(a, "a")
    inputs = [replaced.values]
    _check_order(replaced.values)

    def on_host(chosen: HostPolicy) -> Any:
        array = replaced.on_host()
        _host_sorts.sort(chosen, array, is_descending, is_stable=name == "stable_sort")
        return replaced.output.finish_host(array)

    def on_device(queue: Queue) -> Any:
        buffer = replaced.values.on(queue)
        _device_native.sort(
            queue, buffer, is_descending=is_descending, is_stable=name == "stable_sort"
        )
        return replaced.finish_device(queue, buffer)

    plan = Plan((name, is_descending), IDENTITY, inputs, on_host, on_device)
    result: Out = run_under(policy, plan)
    return result


def _sortable(
    policy: ExecutionPolicy, a: Any, b: Any = None
) -> tuple[HostPolicy, NDArray[Any], NDArray[Any]] | None:
    """Return the arguments if they are plain and of one dimension, and ``a`` can be sorted."""
    given = plain(policy, a, b)
    if given is None or given[1].ndim != 1 or _host_sorts.obstacle(given[1].dtype):
        return None
    return given[0], given[1], given[1] if given[2] is None else given[2]


def _check_order(values: Values) -> None:
    if len(values.shape) != 1:
        raise ValueError(f"an array has the shape {values.shape}: pass one of one dimension")
    obstacle = _host_sorts.obstacle(values.dtype)
    if obstacle:
        raise TypeError(obstacle)


def _elsewhere(results: NDArray[Any], *inputs: NDArray[Any]) -> NDArray[Any]:
    """``results``, or a new array like it if they share memory with an input."""
    shares = any(np.may_share_memory(results, each) for each in inputs)
    return np.empty_like(results) if shares else results
