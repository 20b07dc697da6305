# SPDX-License-Identifier: Apache-2.0
"""The kinds of objects that algorithms read from and write to."""

from __future__ import annotations

import array

import numpy as np
import pytest

import pointsman as pm


class Tensor:
    """Supports only DLPack."""

    def __init__(self, values):
        self.values = values

    def __dlpack__(self, **options):
        return self.values.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.values.__dlpack_device__()


def test_values_may_be_in_anything_that_holds_numbers(policy):
    wanted = np.arange(6) * 2
    x = np.arange(6)
    for held in (x, array.array("q", x), memoryview(x), x.tolist(), Tensor(x)):
        np.testing.assert_array_equal(pm.transform(policy, "2*x", held), wanted)
        assert pm.reduce(policy, held) == 15
        np.testing.assert_array_equal(pm.copy_if(policy, "x > 2", held), [3, 4, 5])
        np.testing.assert_array_equal(pm.unique(policy, held), x)
        assert pm.minmax_element(policy, held) == (0, 5)
        assert pm.merge(policy, held, held).tolist() == np.repeat(x, 2).tolist()
        assert pm.histogram(policy, held, 2)[0].tolist() == [3, 3]


def test_arrays_of_any_layout_and_shape_are_taken(policy):
    x = np.arange(24, dtype=np.int32).reshape(4, 6)
    for view in (x, x.T, x[::2, ::-1], np.asfortranarray(x)):
        np.testing.assert_array_equal(pm.transform(policy, "x + 1", view), view + 1)
        assert pm.reduce(policy, view) == view.sum()
    out = np.zeros((6, 4), np.int32).T
    assert pm.transform(policy, "-x", x, out=out) is out
    np.testing.assert_array_equal(out, -x)


def test_an_input_may_be_the_output(policy):
    x = np.arange(70_000, dtype=np.int32)
    assert pm.transform(policy, "x + 1", x, out=x) is x
    assert x[0] == 1 and x[-1] == 70_000
    sums = np.arange(70_000)
    pm.inclusive_scan(policy, sums, out=sums)
    np.testing.assert_array_equal(sums, np.cumsum(np.arange(70_000)))


def test_an_output_may_overlap_an_input(policy):
    x = np.arange(70_000)
    pm.transform(policy, "x", x[:-1], out=x[1:])
    np.testing.assert_array_equal(x[1:], np.arange(69_999))


def test_results_are_cast_to_the_type_of_the_output_as_numpy_does(policy):
    out = np.zeros(3, np.float32)
    pm.transform(policy, "x / 2", np.arange(3), out=out)
    np.testing.assert_array_equal(out, np.arange(3, dtype=np.float32) / 2)
    with pytest.raises(TypeError, match="int32.*float64"):
        pm.transform(policy, "x / 2", np.arange(3), out=np.zeros(3, np.int32))


def test_arrays_of_different_shapes_are_refused(policy):
    with pytest.raises(ValueError, match=r"\(3,\) and \(4,\)"):
        pm.transform(policy, "x + y", np.zeros(3), np.zeros(4))
    with pytest.raises(ValueError, match=r"\(4,\).*\(3,\)"):
        pm.transform(policy, "x", np.zeros(3), out=np.zeros(4))
    with pytest.raises(ValueError, match="one dimension"):
        pm.inclusive_scan(policy, np.zeros((2, 2)))


def test_an_output_that_cannot_be_written_to_is_refused(policy):
    frozen = np.zeros(3)
    frozen.flags.writeable = False
    for out in (frozen, bytes(24), [0.0, 0.0, 0.0]):
        with pytest.raises((TypeError, ValueError)):
            pm.transform(policy, "x", np.zeros(3), out=out)


def test_objects_are_refused(policy):
    with pytest.raises(TypeError, match="no numbers"):
        pm.reduce(policy, [object()])


def test_buffers_stay_on_their_device(opencl_queue):
    policy = pm.device_policy(opencl_queue)
    x = opencl_queue.buffer(np.arange(1000, dtype=np.int32))
    y = pm.transform(policy, "2*x", x)
    assert isinstance(y, pm.opencl.Buffer)
    assert pm.transform(policy, "x + y", x, y, out=x) is x
    assert pm.reduce(policy, x) == 3 * 999 * 500
    assert pm.count_if(policy, "x % 2 == 0", x) == 500
    sums = pm.inclusive_scan(policy, y)
    np.testing.assert_array_equal(opencl_queue.read(sums), np.cumsum(2 * np.arange(1000)))
    host = np.zeros(1000, np.int32)
    pm.copy(policy, x, out=host)
    np.testing.assert_array_equal(host, 3 * np.arange(1000))
    pm.fill(policy, x, 7)
    assert (opencl_queue.read(x) == 7).all()


def test_buffers_need_a_device_policy(opencl_queue):
    x = opencl_queue.buffer(np.arange(10, dtype=np.int32))
    with pytest.raises(TypeError, match="use a device policy"):
        pm.reduce(pm.par, x)
    assert pm.reduce(pm.AutoPolicy([pm.seq, pm.device_policy(opencl_queue)]), x) == 45


def test_types_that_devices_lack_are_refused_there_and_computed_on_the_host(opencl_queue):
    x = np.arange(4) * 1j
    with pytest.raises(TypeError, match="complex128 is no type"):
        pm.transform(pm.device_policy(opencl_queue), "x + 1", x)
    for policy in (pm.auto, pm.par):
        np.testing.assert_array_equal(pm.transform(policy, "x + 1", x), x + 1)


def test_arrays_of_pyopencl_are_read_and_written(policy, pyopencl_context):
    pyopencl = pytest.importorskip("pyopencl")
    arrays = pytest.importorskip("pyopencl.array")
    queue = pyopencl.CommandQueue(pyopencl_context)
    x = arrays.to_device(queue, np.arange(10, dtype=np.float32))
    assert pm.transform(policy, "2*x", x, out=x) is x
    np.testing.assert_array_equal(x.get(), 2 * np.arange(10, dtype=np.float32))
    assert pm.reduce(policy, x) == 90
    assert pm.sort(policy, x, descending=True) is x
    assert x.get().tolist() == list(range(18, -1, -2))
    assert pm.copy_if(policy, "x > 14", x).tolist() == [18, 16]
    kept = pm.copy_if(policy, "x > 14", x, out=x)
    assert (kept.get().tolist(), x.get().tolist()[:3]) == ([18, 16], [18, 16, 14])
    assert pm.minmax_element(policy, x) == (9, 0)
    assert pm.merge(policy, x[:1], x[:1], out=x[:2]).get().tolist() == [18, 18]
