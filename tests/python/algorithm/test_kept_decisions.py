# SPDX-License-Identifier: Apache-2.0
# The tests of call sites show that nothing is kept for too long; here, that not too much is.
"""What algorithms decide once is kept in bounded memory, without any array."""

from __future__ import annotations

import gc
import weakref
from typing import Any

import numpy as np
import pytest

import pointsman as pm
from pointsman.algorithm._expression import IDENTITY, MOST_TYPES
from pointsman.algorithm._function import expression_of
from pointsman.algorithm._typed import typed

CALLS: dict[str, Any] = {
    "transform": lambda p, a: pm.transform(p, "2*x + 1", a),
    "number": lambda p, a: pm.transform(p, "x + y", a, 3),
    "strided": lambda p, a: pm.transform(p, "2*x", a[:, ::2]),
    "lambda": lambda p, a: pm.transform(p, lambda x: x * a.size, a),
    "reduce": lambda p, a: pm.reduce(p, a, where=a > 2, initial=3),
    "axis": lambda p, a: pm.reduce(p, a, axis=1, dtype="float64"),
    "function": lambda p, a: pm.reduce(p, a, np.hypot),
    "copy_if": lambda p, a: pm.copy_if(p, "x > 2", a),
    "scan": lambda p, a: pm.inclusive_scan(p, a, axis=1, initial=2),
    "sort": lambda p, a: pm.sort(p, a, axis=1),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
@pytest.mark.parametrize("policy", [pm.seq, pm.par], ids=str)
def test_arrays_are_freed_after_the_calls(policy, call):
    a: Any = np.arange(60, dtype=np.float32).reshape(6, 10)
    kept = weakref.ref(a)
    for _ in range(3):
        call(policy, a)
    del a
    gc.collect()
    assert kept() is None


def test_buffers_are_freed_after_the_calls(opencl_queue, device_policy):
    x: Any = opencl_queue.buffer(np.ones(9, np.float32))
    kept = weakref.ref(x)
    for _ in range(3):
        pm.transform(device_policy, "2*x", x)
        pm.reduce(device_policy, x)
        pm.fill(device_policy, x, 2)
    del x
    gc.collect()
    assert kept() is None


def test_an_expression_keeps_few_types():
    for length in range(1, 3 * MOST_TYPES):
        text = np.full(3, "a", f"U{length}")
        assert pm.copy(pm.seq, text).dtype == text.dtype
        assert typed(IDENTITY, text.dtype).dtype == text.dtype
        assert len(IDENTITY._types) <= MOST_TYPES
        assert len(IDENTITY.for_types) <= MOST_TYPES


def test_constants_get_their_types_at_the_second_call():
    expression = expression_of("3*x + 0.7071", 1)
    types = np.dtype(np.float32)
    assert typed(expression, types).expression is expression
    final = typed(expression, types)
    assert typed(expression, types) is final
    assert (
        final.expression.text == "multiply(float32(00004040), v0); add(v1, float32(8104353f)); v2"
    )
