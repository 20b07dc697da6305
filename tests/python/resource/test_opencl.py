# SPDX-License-Identifier: Apache-2.0
# OpenCL queues from Python: programs, buffers, kernels, events.
"""Tests of ``pointsman.opencl`` that need a device."""

from __future__ import annotations

import gc
import threading
import weakref
from array import array
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pointsman as pm

SOURCE = """
kernel void scale(global float* values, float factor) { values[get_global_id(0)] *= factor; }
kernel void fill(global long* out, char a, uchar b, short c, ushort d, int e, uint f, long g) {
    out[0] = a; out[1] = b; out[2] = c; out[3] = d; out[4] = e; out[5] = f; out[6] = g;
}
kernel void is_null(global int* out, global int* other) { out[0] = other == 0; }
typedef struct { int a; float b; } pair;
kernel void sum(global float* out, pair p) { out[0] = p.a + p.b; }
kernel void where(global int* out) {
    out[get_global_id(1) * 4 + get_global_id(0)] = get_group_id(0);
}
"""


@pytest.fixture
def queue(opencl_queue: pm.opencl.Queue) -> pm.opencl.Queue:
    return opencl_queue


@pytest.fixture
def program(queue: pm.opencl.Queue) -> pm.opencl.Program:
    return queue.build(SOURCE)


def test_runs_a_kernel_on_an_array(queue: Any, program: Any) -> None:
    values = queue.buffer(np.arange(6, dtype=np.float32).reshape(2, 3))
    event = queue.enqueue(program.scale, 6, values, 2.0)
    event.wait()
    assert event.done()
    assert event.elapsed >= 0
    np.testing.assert_array_equal(queue.read(values), [[0, 2, 4], [6, 8, 10]])


@pytest.mark.parametrize("dtype", ["bool", "uint8", "int16", "float16", "float64", "complex64"])
@pytest.mark.parametrize("shape", [(), (7,), (2, 3), (2, 3, 4)])
def test_returns_an_array_unchanged(queue: Any, dtype: str, shape: tuple[int, ...]) -> None:
    array = np.arange(np.prod(shape, dtype=int)).astype(dtype).reshape(shape)
    buffer = queue.buffer(array)
    assert (buffer.shape, buffer.dtype, buffer.nbytes) == (shape, array.dtype, array.nbytes)
    result = queue.read(buffer)
    assert (result.shape, result.dtype) == (shape, array.dtype)
    np.testing.assert_array_equal(result, array)


def test_copies_non_contiguous_arrays_and_lists(queue: Any) -> None:
    array = np.arange(12, dtype=np.int32).reshape(3, 4).T
    np.testing.assert_array_equal(queue.read(queue.buffer(array)), array)
    np.testing.assert_array_equal(queue.read(queue.buffer([1.5, 2.5])), [1.5, 2.5])


def test_transfers_without_blocking_keep_their_memory(queue: Any) -> None:
    buffer = queue.empty((1000, 100), np.float32)
    out = np.empty((1000, 100), np.float32)
    for i in range(50):
        queue.enqueue_write(buffer, np.full((1000, 100), i, np.float32))
        gc.collect()
    queue.enqueue_read(buffer, out).wait()
    assert (out == 49).all()


def test_releases_memory_after_the_transfer(queue: Any, is_gone: Any) -> None:
    out = np.empty(4, np.float32)
    reference = weakref.ref(out)
    event = queue.enqueue_read(queue.buffer(out), out)
    del out
    event.wait()
    assert is_gone(reference)


def test_copies_a_buffer_into_another(queue: Any) -> None:
    x, out = queue.buffer(np.arange(3, dtype=np.int32)), queue.empty(3, np.int32)
    assert queue.enqueue_copy(x, out).wait()
    assert queue.read(out).tolist() == [0, 1, 2]
    with pytest.raises(pm.InvalidOptionError, match="12 bytes cannot be copied into one of 16"):
        queue.enqueue_copy(x, queue.empty(4, np.int32))
    with pytest.raises(TypeError, match=r"enqueue_copy\(\): out is None: pass a Buffer"):
        queue.enqueue_copy(x, None)


def test_reads_into_an_array_of_the_caller(queue: Any) -> None:
    out = np.empty(3, np.int32)
    assert queue.read(queue.buffer(np.array([1, 2, 3], np.int32)), out) is out
    np.testing.assert_array_equal(out, [1, 2, 3])


class Tensor:
    """Supports only DLPack."""

    def __init__(self, values: Any) -> None:
        self.values = values

    def __dlpack__(self, **settings: Any) -> Any:
        return self.values.__dlpack__(**settings)

    def __dlpack_device__(self) -> Any:
        return self.values.__dlpack_device__()


@pytest.mark.parametrize(
    ("given", "dtype"),
    [
        (array("f", [1, 2, 3]), "float32"),
        (memoryview(array("h", [1, 2, 3])), "int16"),
        (b"\1\2\3", "uint8"),
        (bytearray(b"\1\2\3"), "uint8"),
        (Tensor(np.array([1, 2, 3], np.int64)), "int64"),
        (range(1, 4), "int64"),
    ],
    ids=["array", "memoryview", "bytes", "bytearray", "dlpack", "range"],
)
def test_makes_buffers_from_anything_that_holds_numbers(queue: Any, given: Any, dtype: str) -> None:
    buffer = queue.buffer(given)
    assert (buffer.shape, buffer.dtype) == ((3,), np.dtype(dtype))
    assert queue.read(buffer).tolist() == [1, 2, 3]
    other = queue.empty(3, dtype)
    queue.write(other, given)
    assert queue.read(other).tolist() == [1, 2, 3]


def test_reads_into_anything_that_holds_numbers(queue: Any) -> None:
    buffer = queue.buffer(np.array([1, 2, 3], np.float32))
    numbers = array("f", [0, 0, 0])
    assert queue.read(buffer, numbers) is numbers
    assert numbers.tolist() == [1, 2, 3]
    plain = bytearray(12)
    queue.enqueue_read(buffer, plain).wait()
    assert plain == numbers.tobytes()
    with pytest.raises(TypeError, match="int16"):
        queue.read(buffer, array("h", [0, 0, 0]))
    with pytest.raises(TypeError, match="dtype"):
        queue.read(buffer, bytearray(11))
    with pytest.raises((BufferError, ValueError), match="read-only|not writable"):
        queue.read(buffer, bytes(12))


class FirstTensor(Tensor):
    """Supports only the first DLPack, which cannot express read-only memory."""

    def __dlpack__(self, *, stream: Any = None) -> Any:
        return self.values.__dlpack__()


@pytest.mark.parametrize("kind", [Tensor, FirstTensor])
def test_reads_into_a_dlpack_tensor(queue: Any, kind: type[Tensor]) -> None:
    tensor = kind(np.zeros(3, np.float32))
    assert queue.read(queue.buffer(np.array([1, 2, 3], np.float32)), tensor) is tensor
    assert tensor.values.tolist() == [1, 2, 3]


def test_does_not_read_into_a_read_only_tensor(queue: Any) -> None:
    values = np.zeros(3, np.float32)
    values.flags.writeable = False
    with pytest.raises(
        (BufferError, ValueError), match="read-?only"
    ):  # the first: before NumPy 2.1
        queue.read(queue.buffer(np.ones(3, np.float32)), Tensor(values))
    assert values.tolist() == [0, 0, 0]


def test_a_buffer_has_the_attributes_of_an_array(queue: Any) -> None:
    for shape in [(), (5,), (2, 3)]:
        buffer, twin = queue.empty(shape, np.int16), np.empty(shape, np.int16)
        for name in ("shape", "dtype", "ndim", "size", "itemsize", "nbytes"):
            assert getattr(buffer, name) == getattr(twin, name), name
    assert len(buffer) == 2
    with pytest.raises(TypeError, match=r"shape \(\) has no len"):
        len(queue.empty((), np.int16))


def test_pinned_arrays_transfer_values_both_ways(queue: Any) -> None:
    source, target = queue.pinned((30, 7), np.float32), queue.pinned((30, 7), "float32")
    assert isinstance(source, np.ndarray)
    assert (source.shape, source.dtype, source.flags.c_contiguous) == ((30, 7), np.float32, True)
    source[...] = np.arange(210).reshape(30, 7)
    buffer = queue.empty((30, 7), np.float32)
    queue.write(buffer, source)
    assert queue.read(buffer, out=target) is target
    np.testing.assert_array_equal(target, source)
    queue.write(buffer, source[::-1])
    np.testing.assert_array_equal(queue.read(buffer), source[::-1])
    with pytest.raises(pm.InvalidOptionError, match="is empty"):
        queue.pinned(0, np.float32)


def test_pinned_memory_lives_as_long_as_a_view_or_a_transfer_uses_it(
    queue: Any, is_gone: Any
) -> None:
    whole = queue.pinned(1000, np.int32)
    owner = weakref.ref(whole.base)
    whole[:] = 7
    part = whole[500:]
    del whole
    gc.collect()
    assert (part == 7).all()
    buffer = queue.empty(500, np.int32)
    event = queue.enqueue_write(buffer, part)
    del part
    gc.collect()
    event.wait()
    assert (queue.read(buffer) == 7).all()
    assert is_gone(owner)


def test_pinned_arrays_may_be_created_and_released_repeatedly(queue: Any) -> None:
    for size in range(1, 101):
        values = queue.pinned(size * 1000, np.uint8)
        values[-1] = size
        assert queue.read(queue.buffer(values))[-1] == size


def test_converts_python_numbers_to_the_type_of_the_parameter(queue: Any, program: Any) -> None:
    out = queue.empty(7, np.int64)
    queue.enqueue(program.fill, 1, out, -1, 255, -2, 65535, True, 2**32 - 1, -(2**63)).wait()
    assert queue.read(out).tolist() == [-1, 255, -2, 65535, 1, 2**32 - 1, -(2**63)]


def test_takes_numpy_scalars_by_their_bytes(queue: Any, program: Any) -> None:
    out = queue.buffer(np.ones(1, np.float32))
    queue.enqueue(program.scale, 1, out, np.float32(0.5)).wait()
    assert queue.read(out)[0] == 0.5
    pair = np.array((2, 0.25), np.dtype([("a", np.int32), ("b", np.float32)]))[()]
    queue.enqueue(program.sum, 1, out, pair).wait()
    assert queue.read(out)[0] == 2.25


def test_takes_none_for_a_null_pointer(queue: Any, program: Any) -> None:
    out = queue.empty((), np.int32)
    queue.enqueue(program.is_null, 1, out, None).wait()
    assert queue.read(out) == 1


def test_runs_in_work_groups_of_local_size(queue: Any, program: Any) -> None:
    out = queue.empty((3, 4), np.int32)
    queue.enqueue(program.where, (4, 3), out, local_size=(2, 1)).wait()
    np.testing.assert_array_equal(queue.read(out), [[0, 0, 1, 1]] * 3)


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ((), TypeError, "kernel 'scale' takes 2 arguments, given 0"),
        ((None, 1.0, 2.0), TypeError, "kernel 'scale' takes 2 arguments, given 3"),
        ((np.ones(4, np.float32), 1.0), TypeError, r"argument 0 .*queue\.buffer\(array\)"),
        ((None, "x"), TypeError, r"argument 1 \(float factor\) .*str.*numpy\.float32\(value\)"),
        ((None, np.int32(1)), TypeError, r"does not take numpy\.int32: pass numpy\.float32"),
        ((None, np.float64(1)), TypeError, r"does not take numpy\.float64: pass numpy\.float32"),
        ((None, 1e300), OverflowError, r"argument 1 .* cannot hold 1e\+300"),
    ],
)
def test_names_the_argument_that_does_not_fit(
    queue: Any, program: Any, arguments: tuple[Any, ...], error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        queue.enqueue(program.scale, 4, *arguments)


def test_refuses_numbers_that_the_parameter_cannot_hold(queue: Any, program: Any) -> None:
    out = queue.empty(7, np.int64)
    with pytest.raises(OverflowError, match=r"argument 2 \(uchar b\) .* cannot hold 256"):
        queue.enqueue(program.fill, 1, out, 0, 256, 0, 0, 0, 0, 0)
    with pytest.raises(TypeError, match=r"argument 5 .* does not take a float"):
        queue.enqueue(program.fill, 1, out, 0, 0, 0, 0, 0.5, 0, 0)
    with pytest.raises(TypeError, match="does not take a Buffer"):
        queue.enqueue(program.fill, 1, out, out, 0, 0, 0, 0, 0, 0)
    with pytest.raises(TypeError, match=r"only where its type is a known scalar.*numpy"):
        queue.enqueue(program.sum, 1, queue.empty(1, np.float32), 1)


@pytest.mark.parametrize(
    ("size", "local"), [(0, None), (-1, None), ((1, 2, 3, 4), None), ((), None), (4, (2, 2))]
)
def test_refuses_invalid_sizes(queue: Any, program: Any, size: Any, local: Any) -> None:
    values = queue.empty(4, np.float32)
    with pytest.raises(pm.InvalidOptionError, match="_size has"):
        queue.enqueue(program.scale, size, values, 1.0, local_size=local)


def test_refuses_arrays_that_do_not_fit(queue: Any) -> None:
    buffer = queue.empty((2, 2), np.float32)
    with pytest.raises(TypeError, match=r"float32.*float64.*astype"):
        queue.read(buffer, np.empty((2, 2)))
    with pytest.raises(ValueError, match=r"\(2, 2\).*\(4,\)"):
        queue.enqueue_write(buffer, np.empty(4, np.float32))
    with pytest.raises(ValueError, match="contiguous"):
        queue.read(buffer, np.empty((2, 4), np.float32)[:, ::2])
    with pytest.raises(TypeError, match="cannot copy into list: pass a NumPy array"):
        queue.read(buffer, [0.0])
    frozen = np.empty((2, 2), np.float32)
    frozen.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        queue.enqueue_read(buffer, frozen)


def test_refuses_arrays_that_no_device_can_hold(queue: Any) -> None:
    with pytest.raises(pm.InvalidOptionError, match=r"\(0, 3\).*is empty"):
        queue.buffer(np.empty((0, 3)))
    with pytest.raises(pm.InvalidOptionError, match="negative"):
        queue.empty(-1, np.int8)
    with pytest.raises(pm.InvalidOptionError, match="does not fit in memory"):
        queue.empty((2**40, 2**40), np.int8)
    with pytest.raises(TypeError, match="holds Python objects"):
        queue.buffer(np.array([object()]))


def test_a_failed_build_shows_the_log(queue: Any) -> None:
    with pytest.raises(pm.opencl.BuildError, match="undeclared_name") as caught:
        queue.build("kernel void broken() { undeclared_name; }")
    assert "undeclared_name" in caught.value.log
    assert caught.value.code == -11
    assert isinstance(caught.value, (pm.Error, RuntimeError))


def test_a_failed_build_shows_the_line_of_the_program(queue: Any) -> None:
    with pytest.raises(pm.BuildError) as caught:
        queue.build("#define X 1\nkernel void broken(global int* x) {\n\tx[0] = wrong;\n}\n")
    shown = str(caught.value)
    assert "\tx[0] = wrong;\n" in shown
    assert shown.splitlines()[shown.splitlines().index("    3 | \tx[0] = wrong;") + 1] in {
        "      | \t       ^",
        "    \t       ^",
    }


def test_builds_a_program_from_a_file(queue: Any, tmp_path: Path) -> None:
    (tmp_path / "two.h").write_text("#define TWO 2.0f\n")
    path = tmp_path / "twice.cl"
    path.write_text(
        '#include "two.h"\nkernel void twice(global float* x) { *x *= TWO; } // \u00d7\n'
    )
    for given in (path, str(path)):
        program = queue.build_file(given, f"-I {tmp_path}")
        value = queue.buffer(np.float32(21))
        queue.enqueue(program.twice, 1, value)
        assert queue.read(value) == 42


def test_a_failed_build_of_a_file_names_the_file(queue: Any, tmp_path: Path) -> None:
    path = tmp_path / "broken.cl"
    path.write_text("kernel void broken() { wrong; }\n")
    with pytest.raises(pm.BuildError, match=r"broken\.cl: the program does not build") as caught:
        queue.build_file(path)
    assert "kernel void broken() { wrong; }" in str(caught.value)
    assert "wrong" in caught.value.log
    with pytest.raises(FileNotFoundError, match="missing"):
        queue.build_file(tmp_path / "missing.cl")


def test_a_program_lists_its_kernels(program: Any) -> None:
    assert set(program.kernel_names) == {"scale", "fill", "is_null", "sum", "where"}
    assert program.kernel("scale").name == "scale"
    assert program.scale.parameters == [("values", "float*"), ("factor", "float")]
    assert not hasattr(program, "scael")
    with pytest.raises(pm.OpenCLError, match=r"'scael'.*scale"):
        program.kernel("scael")


def test_a_name_that_contains_a_nul_names_no_kernel(program: Any) -> None:
    assert not hasattr(program, "scale\0d")
    with pytest.raises(pm.OpenCLError, match=r"no kernel 'scale\\0\.\.\.' .*scale"):
        program.kernel("scale\0d")


def test_a_program_with_a_nul_is_refused(queue: Any, tmp_path: Path) -> None:
    source = "kernel void f(global int* x) { x[0] = 1; }"
    with pytest.raises(pm.InvalidOptionError, match="the source of a program has a NUL .* 42"):
        queue.build(f"{source}\0 wrong")
    with pytest.raises(pm.InvalidOptionError, match="the options of a program have a NUL .* 5"):
        queue.build(source, "-DA=1\0 -DB=2")
    with pytest.raises(ValueError, match="null"):
        queue.build_file(f"{tmp_path}/a\0.cl")


def test_threads_may_share_a_kernel(queue: Any, program: Any) -> None:
    scale = program.scale
    results = {}

    def work(factor: float) -> None:
        values = queue.buffer(np.ones(16, np.float32))
        for _ in range(10):
            queue.enqueue(scale, 16, values, factor)
        results[factor] = queue.read(values)

    threads = [threading.Thread(target=work, args=(float(n),)) for n in range(1, 8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for factor, values in results.items():
        np.testing.assert_array_equal(values, np.float32(factor) ** 10)


def test_queues_are_equal_to_themselves_and_work_as_keys(queue: Any) -> None:
    other = pm.opencl.Queue(queue.device, profiling=False)
    assert queue == queue
    assert other != queue
    assert len({queue: 1, other: 2}) == 2
    assert queue.profiling
    assert not other.profiling
    assert not other.out_of_order
    assert queue.device == pm.opencl.devices()[0]
    assert "no profiling" in repr(other)


def test_an_event_without_profiling_has_no_elapsed_time(queue: Any, program: Any) -> None:
    plain = pm.opencl.Queue(queue.device, profiling=False)
    event = plain.enqueue(program.scale, 4, plain.empty(4, np.float32), 1.0)
    event.wait()
    assert event.elapsed is None


def test_devices_describe_themselves(queue: Any) -> None:
    for device in pm.opencl.devices():
        assert device.name
        assert device.platform
        assert device.type in {"gpu", "cpu", "accelerator"}
        assert device.compute_units > 0
        assert device.global_memory_bytes > 0
        assert device.name in repr(device)


def test_each_device_has_a_default_queue(queue: Any) -> None:
    assert [q.device for q in pm.opencl.default_queues()] == pm.opencl.devices()


def test_a_policy_waits_for_the_event_that_work_returns(queue: Any, program: Any) -> None:
    values = queue.buffer(np.ones(4, np.float32))
    policy = pm.DynamicLoad([queue])
    for _ in range(10):
        policy.submit(lambda q: q.enqueue(program.scale, 4, values, 2.0))
    policy.submission_group().wait()
    assert policy.loads() == [0]
    np.testing.assert_array_equal(queue.read(values), [1024] * 4)


ARGUMENTS = """
kernel void turn(global int* x, local int* scratch) {
    size_t i = get_local_id(0), n = get_local_size(0);
    scratch[i] = x[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    x[get_global_id(0)] = scratch[n - 1 - i];
}
kernel void sum2(global float* x, float2 v) { x[0] = v.x + v.y; }
kernel void picture(read_only image2d_t image, global int* x) { x[0] = 1; }
"""


def test_a_local_pointer_takes_local_memory(queue: Any):
    x = queue.buffer(np.arange(8, dtype=np.int32))
    turn = queue.build(ARGUMENTS).turn
    queue.enqueue(turn, 8, x, pm.opencl.LocalMemory(4 * 4), local_size=4)
    assert queue.read(x).tolist() == [3, 2, 1, 0, 7, 6, 5, 4]
    with pytest.raises(TypeError, match=r"local int\* scratch.*LocalMemory\(size_bytes\)"):
        queue.enqueue(turn, 8, x, x)
    with pytest.raises(TypeError, match="does not take LocalMemory: pass a Buffer"):
        queue.enqueue(turn, 8, pm.opencl.LocalMemory(16), pm.opencl.LocalMemory(16))


@pytest.mark.usefixtures("opencl_queue")
def test_local_memory_is_made_from_a_number_of_bytes():
    assert pm.opencl.LocalMemory(size_bytes=16).size_bytes == 16
    with pytest.raises(ValueError, match="0 bytes"):
        pm.opencl.LocalMemory(0)
    with pytest.raises(
        ValueError, match=r"LocalMemory\(\): size_bytes is -1: pass an int, the bytes"
    ):
        pm.opencl.LocalMemory(-1)
    with pytest.raises(
        TypeError, match=r"LocalMemory\(\): size_bytes is 'x': pass an int, the bytes"
    ):
        pm.opencl.LocalMemory("x")
    with pytest.raises(TypeError, match=r"signature is LocalMemory\(size_bytes\)"):
        pm.opencl.LocalMemory()


def test_a_vector_takes_only_a_structured_scalar(queue: Any):
    x = queue.empty(1, np.float32)
    sum2 = queue.build(ARGUMENTS).sum2
    pair = np.array((1.5, 2.5), "f4, f4")
    for value in (pair, pair[()]):
        queue.enqueue(sum2, 1, x, value)
        assert queue.read(x)[0] == 4
    with pytest.raises(TypeError, match=r"float2 v.*float64.*structured"):
        queue.enqueue(sum2, 1, x, np.float64(1))


def test_an_image_is_refused(queue: Any):
    x = queue.empty(1, np.int32)
    with pytest.raises(TypeError, match="image2d_t.*use buffers"):
        queue.enqueue(queue.build(ARGUMENTS).picture, 1, x, x)


@pytest.mark.parametrize("dtype", [">i4", np.dtype([("a", ">f8")])])
def test_values_in_another_byte_order_are_refused(queue: Any, dtype: Any):
    for make in (lambda: queue.buffer(np.ones(3, dtype)), lambda: queue.empty(3, dtype)):
        with pytest.raises(pm.InvalidOptionError, match=r"byte order.*newbyteorder"):
            make()


def test_a_kernel_of_another_device_is_refused(queue: Any):
    try:
        (part,) = queue.device.split([1])
    except pm.OpenCLError:
        pytest.skip("the device does not split")
    other = pm.opencl.Queue(part)
    x = other.empty(1, np.float32)
    with pytest.raises(pm.InvalidOptionError, match=r"'sum2' was built for another device.*build"):
        other.enqueue(queue.build(ARGUMENTS).sum2, 1, x, np.array((1, 2), "f4, f4"))


@pytest.mark.parametrize("convert", [np.asarray, np.array, np.sum, lambda b: np.ones(4) + b])
def test_numpy_does_not_implicitly_convert_a_buffer(opencl_queue: Any, convert: Any):
    buffer = opencl_queue.buffer(np.arange(4.0))
    with pytest.raises(TypeError, match=r"copy it with queue\.read\(buffer\)"):
        convert(buffer)
    assert opencl_queue.read(buffer).sum() == 6


@pytest.mark.usefixtures("opencl_queue")
@pytest.mark.parametrize(
    ("arguments", "settings", "text"),
    [
        (("gpu",), {}, r"Queue\(\): device is 'gpu': pass a Device, or None"),
        ((), {"profile": True}, "Queue.. got an unexpected keyword argument 'profile'"),
        ((None, True), {}, "Queue.. takes at most 1 arguments by position"),
    ],
)
def test_a_queue_says_what_it_takes(arguments: Any, settings: Any, text: str):
    with pytest.raises(TypeError, match=text):
        pm.opencl.Queue(*arguments, **settings)
