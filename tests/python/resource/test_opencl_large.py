# SPDX-License-Identifier: Apache-2.0
"""Arrays so large that a device with its own memory copies them in chunks of pinned memory."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

LARGE = (5, 1 << 20)


@pytest.fixture
def values() -> Any:
    return np.arange(np.prod(LARGE), dtype=np.uint32).reshape(LARGE)


def test_large_arrays_are_copied_when_a_buffer_is_made_of_them(
    opencl_queue: Any, values: Any
) -> None:
    buffer = opencl_queue.buffer(values)
    values_then = values.copy()
    values[:] = 0
    np.testing.assert_array_equal(opencl_queue.read(buffer), values_then)


def test_large_arrays_are_written_after_earlier_commands(opencl_queue: Any, values: Any) -> None:
    buffer = opencl_queue.empty(LARGE, np.uint32)
    fill = opencl_queue.build("kernel void fill(global uint* x) { x[get_global_id(0)] = 7; }").fill
    opencl_queue.enqueue(fill, values.size, buffer)
    opencl_queue.write(buffer, values)
    np.testing.assert_array_equal(opencl_queue.read(buffer), values)
    opencl_queue.enqueue(fill, values.size, buffer)
    out = np.zeros(LARGE, np.uint32)
    assert opencl_queue.read(buffer, out) is out
    assert (out == 7).all()


@pytest.mark.parametrize("columns", [slice(None), slice(1, 4)], ids=["whole", "part"])
def test_large_pinned_arrays_are_copied_both_ways(
    opencl_queue: Any, values: Any, columns: slice
) -> None:
    pinned = opencl_queue.pinned(LARGE, np.uint32)[columns]
    pinned[:] = values[columns]
    buffer = opencl_queue.buffer(pinned)
    back = opencl_queue.pinned(LARGE, np.uint32)[columns]
    opencl_queue.read(buffer, back)
    np.testing.assert_array_equal(back, values[columns])
    back[:] = 3
    opencl_queue.write(buffer, back)
    assert (opencl_queue.read(buffer) == 3).all()


def test_large_arrays_are_copied_after_the_events_they_wait_for(
    opencl_queue: Any, values: Any
) -> None:
    buffer = opencl_queue.empty(LARGE, np.uint32)
    written = opencl_queue.enqueue_write(buffer, values)
    np.testing.assert_array_equal(opencl_queue.read(buffer, wait_for=written), values)
