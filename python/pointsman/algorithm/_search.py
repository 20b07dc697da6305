# SPDX-License-Identifier: Apache-2.0
# Predicates over arrays: whether, where and how often they hold.
"""``pm.count_if``, ``pm.find_if``, ``pm.any_of``, ``pm.all_of`` and ``pm.none_of``."""

from __future__ import annotations

from pointsman.algorithm import _device, _host
from pointsman.algorithm._function import Function
from pointsman.algorithm._operands import operands_of
from pointsman.algorithm._plain import flat, operands_for
from pointsman.algorithm._plan import Plan, run_under
from pointsman.algorithm._types import Array
from pointsman.execution import ExecutionPolicy, HostPolicy
from pointsman.opencl import Queue


def count_if(policy: ExecutionPolicy, f: Function, a: Array, b: Array | None = None) -> int:
    """Return the number of values for which the predicate ``f`` holds; see ``pm.transform``."""
    if given := operands_for(policy, f, a, b):
        host, typed, arrays = given
        return _host.count(host, typed.expression, arrays)
    predicate, inputs = operands_of(f, a, b)

    def on_host(chosen: HostPolicy) -> int:
        return _host.count(chosen, predicate, [each.on_host() for each in inputs])

    def on_device(queue: Queue) -> int:
        return _device.count(queue, predicate, inputs)

    kind = "count_if", predicate.kind
    return int(run_under(policy, Plan(kind, predicate, inputs, on_host, on_device)))


def find_if(policy: ExecutionPolicy, f: Function, a: Array, b: Array | None = None) -> int | None:
    """Return the first index for which the predicate ``f`` holds, as if the array were flat; None
    if there is none.

    A device evaluates every value, wherever the first match is.
    """
    if given := operands_for(policy, f, a, b):
        host, typed, arrays = given
        return _host.find(host, typed.expression, [flat(each) for each in arrays])
    predicate, inputs = operands_of(f, a, b)

    def on_host(chosen: HostPolicy) -> int | None:
        return _host.find(chosen, predicate, [each.on_host() for each in inputs])

    def on_device(queue: Queue) -> int | None:
        return _device.find(queue, predicate, inputs)

    kind = "find_if", predicate.kind
    index: int | None = run_under(policy, Plan(kind, predicate, inputs, on_host, on_device))
    return index


def any_of(policy: ExecutionPolicy, f: Function, a: Array, b: Array | None = None) -> bool:
    """Return True if the predicate ``f`` holds for some value; False for no values."""
    return find_if(policy, f, a, b) is not None


def none_of(policy: ExecutionPolicy, f: Function, a: Array, b: Array | None = None) -> bool:
    """Return True if the predicate ``f`` holds for no value, or there are no values."""
    return not any_of(policy, f, a, b)


def all_of(policy: ExecutionPolicy, f: Function, a: Array, b: Array | None = None) -> bool:
    """Return True if the predicate ``f`` holds for every value, or there are no values.

    On the host, the search ends where it does not hold; a device evaluates every value.
    """
    if given := operands_for(policy, f, a, b):
        host, typed, arrays = given
        return _host.find(host, typed.expression, [flat(each) for each in arrays], False) is None
    predicate, inputs = operands_of(f, a, b)

    def on_host(chosen: HostPolicy) -> bool:
        arrays = [each.on_host() for each in inputs]
        return _host.find(chosen, predicate, arrays, False) is None

    def on_device(queue: Queue) -> bool:
        return _device.count(queue, predicate, inputs) == inputs[0].size

    kind = "all_of", predicate.kind
    return bool(run_under(policy, Plan(kind, predicate, inputs, on_host, on_device)))
