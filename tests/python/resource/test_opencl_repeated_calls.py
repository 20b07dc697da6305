# SPDX-License-Identifier: Apache-2.0
# Kernels that are called repeatedly; the driver is given only the arguments that changed.
"""A kernel runs with the arguments of its call, whatever the previous call passed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import pointsman as pm

SOURCE = """
kernel void join(global float* x, float a, float b) { x[0] = a * 10 + b; }
kernel void is_null(global int* out, global int* other) { out[0] = other == 0; }
typedef struct { int a; float b; } pair;
kernel void sum(global float* x, pair p) { x[0] = p.a + p.b; }
kernel void size(global int* x, local int* part, int last) {
    part[last] = last;
    x[0] = part[last];
}
"""


@pytest.fixture
def program(opencl_queue: Any) -> Any:
    return opencl_queue.build(SOURCE)


def test_numbers_may_change_one_by_one(opencl_queue: Any, program: Any) -> None:
    join, x = program.join, opencl_queue.empty(1, np.float32)
    for a, b in [(1, 2), (1, 2), (1, 3), (4, 3), (np.float32(4), 3.0), (5, 6)]:
        opencl_queue.enqueue(join, 1, x, a, b)
        assert opencl_queue.read(x)[0] == a * 10 + b


def test_buffers_may_alternate(opencl_queue: Any, program: Any) -> None:
    join = program.join
    first, second = opencl_queue.empty(1, np.float32), opencl_queue.empty(1, np.float32)
    for n in range(4):
        opencl_queue.enqueue(join, 1, first, 1, n)
        opencl_queue.enqueue(join, 1, second, 2, n)
        assert (opencl_queue.read(first)[0], opencl_queue.read(second)[0]) == (10 + n, 20 + n)


def test_buffers_may_be_created_and_released_between_calls(opencl_queue: Any, program: Any) -> None:
    join = program.join
    for n in range(20):
        x = opencl_queue.empty(1, np.float32)
        opencl_queue.enqueue(join, 1, x, n, n)
        assert opencl_queue.read(x)[0] == n * 11
        del x


def test_a_null_pointer_and_a_buffer_may_alternate(opencl_queue: Any, program: Any) -> None:
    is_null, out, other = (
        program.is_null,
        opencl_queue.empty(1, np.int32),
        opencl_queue.empty(1, np.int32),
    )
    for given in (None, None, other, other, None):
        opencl_queue.enqueue(is_null, 1, out, given)
        assert opencl_queue.read(out)[0] == (given is None)


def test_structs_may_change(opencl_queue: Any, program: Any) -> None:
    pair = np.dtype([("a", np.int32), ("b", np.float32)], align=True)
    add, x = program.sum, opencl_queue.empty(1, np.float32)
    for a, b in [(1, 2.5), (1, 2.5), (2, 2.5), (2, 0.5)]:
        opencl_queue.enqueue(add, 1, x, np.array((a, b), pair)[()])
        assert opencl_queue.read(x)[0] == a + b


def test_local_memory_may_grow(opencl_queue: Any, program: Any) -> None:
    size, x = program.size, opencl_queue.empty(1, np.int32)
    for count in (1, 1, 100, 1000):
        opencl_queue.enqueue(size, 1, x, pm.opencl.LocalMemory(4 * count), count - 1)
        assert opencl_queue.read(x)[0] == count - 1


def test_a_refused_call_changes_nothing_for_the_next(opencl_queue: Any, program: Any) -> None:
    join, x = program.join, opencl_queue.empty(1, np.float32)
    opencl_queue.enqueue(join, 1, x, 1, 2)
    with pytest.raises(TypeError):
        opencl_queue.enqueue(join, 1, x, 5, "b")
    with pytest.raises(pm.opencl.Error):
        opencl_queue.enqueue(join, 3, x, 6, 7, local_size=2)
    opencl_queue.enqueue(join, 1, x, 1, 2)
    assert opencl_queue.read(x)[0] == 12
