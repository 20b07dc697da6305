# SPDX-License-Identifier: Apache-2.0
"""Errors of queues, programs and devices about invalid arguments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import pointsman as pm

Call = Callable[[pm.opencl.Queue], Any]

OF_THE_WRONG_TYPE: dict[str, Call] = {
    r"build\(\): source is 3: pass a str of OpenCL C": lambda q: q.build(3),
    r"build\(\): options is 3: pass a str": lambda q: q.build("", 3),
    r"build_file\(\): options is 3: pass a str": lambda q: q.build_file("a.cl", 3),
    r"kernel\(\): name is 3: pass a str": lambda q: q.build("kernel void f() {}").kernel(3),
    r"read\(\): buffer is \[1\]: pass a Buffer": lambda q: q.read([1]),
    r"read\(\): buffer is None: pass a Buffer": lambda q: q.read(None),
    r"write\(\): buffer is 3: pass a Buffer": lambda q: q.write(3, [1]),
    r"enqueue_read\(\): buffer is 3: pass a Buffer": lambda q: q.enqueue_read(3, np.ones(1)),
    r"enqueue_write\(\): buffer is 3: pass a Buffer": lambda q: q.enqueue_write(3, np.ones(1)),
    r"empty\(\): shape is 1.5: pass an int or a sequence": lambda q: q.empty(1.5, "f4"),
    r"empty\(\): shape is \(2, 'x'\): pass an int": lambda q: q.empty((2, "x"), "f4"),
    r"empty\(\): dtype is 'some': pass a NumPy dtype": lambda q: q.empty(3, "some"),
    r"pinned\(\): shape is None: pass an int": lambda q: q.pinned(None, "f4"),
    r"split\(\): compute_units is 3: pass a sequence of ints": lambda q: q.device.split(3),
    r"split\(\): compute_units is \[1.5\]: pass a sequence": lambda q: q.device.split([1.5]),
    r"split_equally\(\): compute_units is 'x': pass an int": lambda q: q.device.split_equally("x"),
    r"share_context\(\): devices is 3: pass a list": lambda q: pm.opencl.share_context(3),
}
OF_THE_WRONG_NAME_OR_NUMBER: dict[str, Call] = {
    r"build\(\) misses the argument 'source': its signature is build\(source, options=''\)": (
        lambda q: q.build()
    ),
    r"build\(\) got an unexpected keyword argument 'flags'": lambda q: q.build("", flags=""),
    r"read\(\) takes at most 2 arguments by position, but 3 were": lambda q: q.read(1, 2, 3),
    r"buffer\(\) misses the argument 'array'": lambda q: q.buffer(),
    r"empty\(\) misses the argument 'dtype'": lambda q: q.empty(3),
    r"finish\(\) got an unexpected keyword argument 'seconds'": lambda q: q.finish(seconds=1),
}


@pytest.mark.parametrize("words", [*OF_THE_WRONG_TYPE, *OF_THE_WRONG_NAME_OR_NUMBER])
def test_an_invalid_argument_is_named_with_what_to_pass(opencl_queue, words):
    call = (OF_THE_WRONG_TYPE | OF_THE_WRONG_NAME_OR_NUMBER)[words]
    with pytest.raises(TypeError, match=words):
        call(opencl_queue)


def test_a_shape_beyond_all_memory_is_a_value_error(opencl_queue):
    with pytest.raises(pm.InvalidOptionError, match=r"empty\(\): shape is 1180591620717411303424"):
        opencl_queue.empty(2**70, "f4")


def test_arguments_are_taken_by_keyword(opencl_queue):
    x = opencl_queue.empty(shape=3, dtype=np.int32)
    opencl_queue.write(buffer=x, array=np.array([1, 2, 3], np.int32))
    assert opencl_queue.read(buffer=x, out=np.empty(3, np.int32)).tolist() == [1, 2, 3]
    program = opencl_queue.build(source="kernel void f() {}", options="-DX")
    assert program.kernel(name="f").name == "f"
