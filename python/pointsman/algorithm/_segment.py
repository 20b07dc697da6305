# SPDX-License-Identifier: Apache-2.0
# A segment is a run of equal keys; its values are at the same indices as its keys.
"""``pm.reduce_by_segment``, ``pm.inclusive_scan_by_segment``, ``pm.exclusive_scan_by_segment``."""

from __future__ import annotations

from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from pointsman.algorithm import _device, _device_segments, _host_segments
from pointsman.algorithm._arrays import Output, Values, device_type, values_of
from pointsman.algorithm._expression import IDENTITY, DType
from pointsman.algorithm._operation import Operation, operation_of
from pointsman.algorithm._plain import are_apart, is_target, plain
from pointsman.algorithm._plan import Plan, run_under
from pointsman.algorithm._scalars import held
from pointsman.algorithm._types import Array, D, F, OnHost, Out
from pointsman.execution import ExecutionPolicy, HostPolicy
from pointsman.opencl import Buffer, Queue


@overload
def reduce_by_segment(
    policy: ExecutionPolicy, keys: Buffer, values: Array, op: Any = "+"
) -> tuple[Buffer, Buffer]: ...
@overload
def reduce_by_segment(
    policy: ExecutionPolicy, keys: Array, values: Buffer, op: Any = "+"
) -> tuple[Buffer, Buffer]: ...
@overload
def reduce_by_segment(
    policy: ExecutionPolicy, keys: NDArray[D], values: NDArray[F], op: Any = "+"
) -> tuple[NDArray[D], NDArray[F]]: ...
@overload
def reduce_by_segment(
    policy: ExecutionPolicy, keys: NDArray[D], values: OnHost, op: Any = "+"
) -> tuple[NDArray[D], NDArray[Any]]: ...
@overload
def reduce_by_segment(
    policy: ExecutionPolicy, keys: OnHost, values: OnHost, op: Any = "+"
) -> tuple[NDArray[Any], NDArray[Any]]: ...
def reduce_by_segment(policy: ExecutionPolicy, keys: Any, values: Any, op: Any = "+") -> Any:
    """Return the first key of each run of equal ``keys``, and the fold by ``op`` of its ``values``.

    keys, values: one-dimensional, with one value for each key. Sort them with ``pm.sort_by_key`` to
        fold all values of a key. NaN equals no key, not even the one before it.
    op: as in ``pm.reduce``; the folds have the type that ``pm.reduce`` returns.

    The results are new arrays, or under a device policy new buffers if ``keys`` or ``values`` is a
    buffer. Integers equal NumPy's ``ufunc.reduceat`` bit for bit, and so do floats under ``pm.seq``
    and ``pm.unseq``. Under other policies the sum of n floats has an error of at most n * eps / 2
    times the sum of their magnitudes, where eps is that of their type. A device folds float16 in
    float32 and rounds once at the end.

    Raises ValueError for arrays of other shapes, and TypeError for other operations.

    >>> keys, sums = pm.reduce_by_segment(pm.par, np.array([1, 1, 4, 1]), np.array([2, 3, 5, 7]))
    >>> keys.tolist(), sums.tolist()
    ([1, 4, 1], [5, 5, 7])
    """
    operation = operation_of(op)
    if values is not None and (pair := plain(policy, keys, values)) and keys.ndim == 1:
        dtype = operation.reduced_type(values.dtype)
        return _host_segments.reduce(pair[0], operation, keys, values, dtype)
    given = _pair_of(keys, values)
    dtype = operation.reduced_type(given[1].dtype)
    stays = any(each.buffer is not None for each in given)

    def on_host(chosen: HostPolicy) -> Any:
        arrays = given[0].on_host(), given[1].on_host()
        return _host_segments.reduce(chosen, operation, *arrays, dtype)

    def on_device(queue: Queue) -> Any:
        folded = _device_segments.reduce(queue, operation, *given, dtype)
        return tuple(
            _finished(queue, buffer, of_type, stays)
            for buffer, of_type in zip(folded, (given[0].dtype, dtype), strict=True)
        )

    kind = "reduce_by_segment", operation.name, dtype.char
    return run_under(policy, Plan(kind, IDENTITY, given, on_host, on_device))


def _finished(queue: Queue, buffer: Buffer, dtype: DType, stays: bool) -> Any:
    """The values of a buffer as type ``dtype``, in a buffer if that ``stays``."""
    output = Output(None, buffer.shape, dtype)
    if buffer.dtype == (dtype if stays else device_type(dtype)):
        return output.finish_device(queue, buffer, stays)
    results = output.device(queue, stays)
    _device.transform(queue, IDENTITY, [values_of(buffer)], results)
    return output.finish_device(queue, results, stays)


@overload
def inclusive_scan_by_segment(
    policy: ExecutionPolicy, keys: Array, values: Buffer, op: Any = "+", out: None = None
) -> Buffer: ...
@overload
def inclusive_scan_by_segment(
    policy: ExecutionPolicy, keys: Buffer, values: Array, op: Any = "+", out: None = None
) -> Buffer: ...
@overload
def inclusive_scan_by_segment(
    policy: ExecutionPolicy, keys: OnHost, values: NDArray[F], op: Any = "+", out: None = None
) -> NDArray[F]: ...
@overload
def inclusive_scan_by_segment(
    policy: ExecutionPolicy, keys: OnHost, values: OnHost, op: Any = "+", out: None = None
) -> NDArray[Any]: ...
@overload
def inclusive_scan_by_segment(
    policy: ExecutionPolicy, keys: Array, values: Array, op: Any = "+", out: Out = ...
) -> Out: ...
def inclusive_scan_by_segment(
    policy: ExecutionPolicy, keys: Any, values: Any, op: Any = "+", out: Any = None
) -> Any:
    """Return, for each of ``values``, the fold by ``op`` of those of its run of equal ``keys``, up
    to and including it.

    keys, values: as in ``pm.reduce_by_segment``.
    op, out: as in ``pm.inclusive_scan``, whose result type the folds have.

    Integers equal those of a loop over the values bit for bit, and so do floats under ``pm.seq``
    and ``pm.unseq``; other sums of floats have the error that ``pm.reduce_by_segment`` states. A
    device folds float16 in float32 and rounds each result once. Raises as
    ``pm.reduce_by_segment`` and ``pm.inclusive_scan`` do.

    >>> pm.inclusive_scan_by_segment(pm.par, [1, 1, 4, 1], [2, 3, 5, 7]).tolist()
    [2, 5, 5, 7]
    """
    return _scan("inclusive_scan_by_segment", policy, keys, values, op, None, out)


@overload
def exclusive_scan_by_segment(
    policy: ExecutionPolicy,
    keys: Array,
    values: Buffer,
    initial: Any = 0,
    op: Any = "+",
    out: None = None,
) -> Buffer: ...
@overload
def exclusive_scan_by_segment(
    policy: ExecutionPolicy,
    keys: Buffer,
    values: Array,
    initial: Any = 0,
    op: Any = "+",
    out: None = None,
) -> Buffer: ...
@overload
def exclusive_scan_by_segment(
    policy: ExecutionPolicy,
    keys: OnHost,
    values: NDArray[F],
    initial: Any = 0,
    op: Any = "+",
    out: None = None,
) -> NDArray[F]: ...
@overload
def exclusive_scan_by_segment(
    policy: ExecutionPolicy,
    keys: OnHost,
    values: OnHost,
    initial: Any = 0,
    op: Any = "+",
    out: None = None,
) -> NDArray[Any]: ...
@overload
def exclusive_scan_by_segment(
    policy: ExecutionPolicy,
    keys: Array,
    values: Array,
    initial: Any = 0,
    op: Any = "+",
    out: Out = ...,
) -> Out: ...
def exclusive_scan_by_segment(
    policy: ExecutionPolicy,
    keys: Any,
    values: Any,
    initial: Any = 0,
    op: Any = "+",
    out: Any = None,
) -> Any:
    """Return, for each of ``values``, the fold by ``op`` of ``initial`` and those of its run of
    equal ``keys`` before it.

    initial: as in ``pm.exclusive_scan``; every run of keys starts with it.

    Otherwise like ``pm.inclusive_scan_by_segment``.

    >>> pm.exclusive_scan_by_segment(pm.par, [1, 1, 4, 1], [2, 3, 5, 7], initial=10).tolist()
    [10, 12, 10, 10]
    """
    return _scan("exclusive_scan_by_segment", policy, keys, values, op, initial, out)


def _scan(
    name: str, policy: ExecutionPolicy, keys: Any, values: Any, op: Any, initial: Any, out: Any
) -> Any:
    operation = operation_of(op)
    if values is not None and (pair := plain(policy, keys, values)) and keys.ndim == 1:
        dtype = operation.scanned_type(values.dtype)
        if out is None or is_target(out, values, dtype):
            start = _start(name, operation, dtype, initial)
            results = np.empty(values.shape, dtype) if out is None else out
            if out is None or (are_apart(out, keys) and are_apart(out, values)):
                _host_segments.scan(pair[0], operation, keys, values, results, start)
                return results
    given = _pair_of(keys, values)
    dtype = operation.scanned_type(given[1].dtype)
    output = Output(out, given[1].shape, dtype)
    start = _start(name, operation, dtype, initial)
    stays = any(each.buffer is not None for each in given)

    def on_host(chosen: HostPolicy) -> Any:
        results = output.host(given)
        arrays = given[0].on_host(), given[1].on_host()
        _host_segments.scan(chosen, operation, *arrays, results, start)
        return output.finish_host(results)

    def on_device(queue: Queue) -> Any:
        buffer = output.device(queue, stays)
        _device_segments.scan(queue, operation, *given, buffer, dtype, start)
        return output.finish_device(queue, buffer, stays)

    kind = name, operation.name, dtype.char
    return run_under(policy, Plan(kind, IDENTITY, given, on_host, on_device, out))


def _start(name: str, operation: Operation, dtype: DType, initial: Any) -> Any:
    """The value with which each segment begins, of type ``dtype``; None for its first value."""
    if name == "inclusive_scan_by_segment":
        return None
    return operation.identity(dtype) if initial is None else held(initial, dtype, "initial")


def _pair_of(keys: Any, values: Any) -> tuple[Values, Values]:
    """The keys and the values; ValueError unless both have one dimension and the same length."""
    given = values_of(keys, "keys"), values_of(values, "values")
    for name, each in zip(("keys", "values"), given, strict=True):
        if len(each.shape) != 1:
            raise ValueError(f"`{name}` has the shape {each.shape}: pass an array of one dimension")
    if given[0].size != given[1].size:
        raise ValueError(
            f"`keys` has {given[0].size} elements and `values` has {given[1].size}: pass one value "
            "for each key"
        )
    return given
