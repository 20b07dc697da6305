# SPDX-License-Identifier: Apache-2.0
# Two sorted arrays become one, in the order in which sorts leave them.
"""``pm.merge``."""

from __future__ import annotations

from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from pointsman.algorithm import _device_native, _host_sorts
from pointsman.algorithm._arrays import Output, share_memory, values_of
from pointsman.algorithm._expression import IDENTITY
from pointsman.algorithm._plan import Plan, run_under
from pointsman.algorithm._sort import check_order, sortable
from pointsman.algorithm._types import Array, D, OnHost, Out
from pointsman.execution import ExecutionPolicy, HostPolicy
from pointsman.opencl import Buffer, Queue


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
    if out is None and (first := sortable(policy, a)) and (second := sortable(policy, b)):
        is_aligned = first[1].flags.aligned and second[1].flags.aligned
        if is_aligned and first[1].dtype == second[1].dtype:
            results = np.empty(first[1].size + second[1].size, first[1].dtype)
            _host_sorts.merge(first[0], first[1], second[1], results, descending)
            return results
    inputs = values_of(a), values_of(b, "b")
    dtype = np.result_type(inputs[0].dtype, inputs[1].dtype)
    for each, name in zip(inputs, "ab", strict=True):
        check_order(each, name)
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


def _elsewhere(results: NDArray[Any], *inputs: NDArray[Any]) -> NDArray[Any]:
    """``results``, or a new array like it if they share memory with an input."""
    shares = any(np.may_share_memory(results, each) for each in inputs)
    return np.empty_like(results) if shares else results
