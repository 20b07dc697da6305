# SPDX-License-Identifier: Apache-2.0
"""Kernel calls compare the elements of buffers with the kernel's parameters."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import pointsman as pm

TYPES = (
    "char uchar short ushort int uint long ulong float double half float2 float3 float4 uchar4 "
    "double2 real pair void"
).split()
DECLARATIONS = "typedef float real; typedef struct { int a; float b; } pair;\n"
PAIR = np.dtype([("a", "i4"), ("b", "f4")])


@pytest.fixture(scope="module")
def kernels(opencl_queue: Any) -> Any:
    """A kernel for each pointer type; skips if the driver does not tell types."""
    lines = [f"kernel void of_{name}(global {name}* x) {{}}\n" for name in TYPES]
    lines.append("kernel void of_constants(constant float* x) {}\n")
    lines.append("kernel void of_inputs(global const unsigned int* restrict x) {}\n")
    program = opencl_queue.build(DECLARATIONS + "".join(lines))
    if program.of_float.parameters != [("x", "float*")]:
        pytest.skip("the driver does not tell the types of parameters")
    return program


def call(queue: Any, kernels: Any, name: str, array: Any) -> None:
    buffer = array if isinstance(array, pm.opencl.Buffer) else queue.buffer(array)
    queue.enqueue(kernels.kernel(f"of_{name}"), 1, buffer).wait()


@pytest.mark.parametrize(
    ("name", "dtype", "shape"),
    [
        ("char", "int8", 3),
        ("uchar", "bool", 3),
        ("char", "S5", 3),
        ("uint", "U5", 3),
        ("ushort", "int16", 3),
        ("int", "uint32", 3),
        ("uint", "int32", 3),
        ("long", "uint64", 3),
        ("long", "datetime64[s]", 3),
        ("half", "float16", 3),
        ("float", "float32", (2, 3)),
        ("double", "float64", ()),
        ("float2", "float32", (3, 2)),
        ("float2", "complex64", 3),
        ("float4", "complex64", 2),
        ("double2", "complex128", 3),
        ("float3", "float32", (5, 4)),
        ("float4", "float32", 8),
        ("float4", "f4, f4, f4, f4", 3),
        ("uchar4", "uint8", (2, 3, 4)),
        ("uchar4", "u1, u1, u1, u1", 3),
        ("constants", "float32", 3),
        ("inputs", "int32", 3),
    ],
)
def test_takes_buffers_whose_elements_fit(
    opencl_queue: Any, kernels: Any, name: str, dtype: str, shape: Any
) -> None:
    call(opencl_queue, kernels, name, np.zeros(shape, dtype))


@pytest.mark.parametrize("dtype", ["int8", "float64", PAIR], ids=str)
@pytest.mark.parametrize("name", ["real", "pair", "void"])
def test_takes_any_buffer_where_the_type_is_not_known(
    opencl_queue: Any, kernels: Any, name: str, dtype: Any
) -> None:
    call(opencl_queue, kernels, name, np.zeros(3, dtype))


@pytest.mark.parametrize(
    ("name", "dtype", "wanted"),
    [
        ("float", "float64", "float32"),
        ("float", "int32", "float32"),
        ("float", "float16", "float32"),
        ("float", "complex64", "float32"),
        ("double", "float32", "float64"),
        ("double", "int64", "float64"),
        ("int", "int64", "int32"),
        ("int", "float32", "int32"),
        ("half", "uint16", "float16"),
        ("uchar", "float32", "uint8"),
        ("float2", "complex128", "float32"),
        ("float4", "float64", "float32"),
        ("float4", "f4, f4", "float32"),
        ("constants", "float64", "float32"),
        ("inputs", "float32", "uint32"),
    ],
)
def test_refuses_buffers_of_another_kind_or_size(
    opencl_queue: Any, kernels: Any, name: str, dtype: str, wanted: str
) -> None:
    array = np.zeros(16, dtype)
    with pytest.raises(TypeError) as refused:
        call(opencl_queue, kernels, name, array)
    text = str(refused.value)
    assert f"argument 0 ({kernels.kernel(f'of_{name}').parameters[0][1]} x)" in text
    assert f"of kernel 'of_{name}' does not take a Buffer of dtype {array.dtype}" in text
    assert f".astype('{wanted}')" in text
    assert f"buffer.view('{wanted}')" in text


def test_a_refused_buffer_of_vectors_may_be_structured(opencl_queue: Any, kernels: Any) -> None:
    with pytest.raises(TypeError, match="or use a structured dtype of 16 bytes"):
        call(opencl_queue, kernels, "float4", np.zeros(4, np.int32))


@pytest.mark.parametrize(
    ("name", "shape", "lanes"),
    [("float4", 6, 4), ("float2", (3, 3), 2), ("float3", (4, 3), 4), ("float3", 6, 4)],
)
def test_refuses_buffers_that_hold_no_whole_number_of_vectors(
    opencl_queue: Any, kernels: Any, name: str, shape: Any, lanes: int
) -> None:
    with pytest.raises(pm.InvalidOptionError, match=f"axis of the array to a multiple of {lanes}$"):
        call(opencl_queue, kernels, name, np.zeros(shape, np.float32))


def test_a_refused_call_does_not_run_and_the_kernel_runs_after_it(opencl_queue: Any) -> None:
    kernel = opencl_queue.build("kernel void set(global int* x) { x[0] = 7; }").set
    wrong = opencl_queue.buffer(np.zeros(2, np.float32))
    x = opencl_queue.buffer(np.zeros(2, np.int32))
    with pytest.raises(TypeError):
        opencl_queue.enqueue(kernel, 1, wrong)
    opencl_queue.enqueue(kernel, 1, x)
    assert opencl_queue.read(wrong).tolist() == [0, 0]
    assert opencl_queue.read(x).tolist() == [7, 0]


def test_a_view_is_taken_by_its_own_dtype(opencl_queue: Any, kernels: Any) -> None:
    buffer = opencl_queue.buffer(np.arange(6, dtype=np.float64))
    call(opencl_queue, kernels, "float", buffer.view(np.float32))
    call(opencl_queue, kernels, "uchar", buffer.view("uint8"))
    call(opencl_queue, kernels, "float4", buffer.view("float32"))
    with pytest.raises(TypeError, match="of dtype float32"):
        call(opencl_queue, kernels, "double", buffer.view("float32"))


@pytest.mark.parametrize(
    ("shape", "before", "after"),
    [
        (6, "float64", "float32"),
        (6, "float32", "complex64"),
        ((2, 3), "int32", "uint32"),
        ((2, 4), "uint8", "int32"),
        ((2, 3), PAIR, "int32"),
        ((), "float32", "int32"),
    ],
    ids=str,
)
def test_a_view_has_the_shape_and_values_of_numpy_and_shares_memory(
    opencl_queue: Any, shape: Any, before: Any, after: str
) -> None:
    array = np.arange(np.prod(shape, dtype=int)).reshape(shape).astype(before)
    buffer = opencl_queue.buffer(array)
    view, twin = buffer.view(after), array.view(after)
    assert (view.shape, view.dtype, view.nbytes) == (twin.shape, twin.dtype, twin.nbytes)
    np.testing.assert_array_equal(opencl_queue.read(view), twin)
    opencl_queue.write(view, np.zeros(twin.shape, after))
    np.testing.assert_array_equal(opencl_queue.read(buffer), np.zeros(shape, before))
    assert (buffer.shape, buffer.dtype) == (array.shape, array.dtype)


def test_a_view_keeps_the_memory_of_its_buffer(opencl_queue: Any) -> None:
    view = opencl_queue.buffer(np.arange(4, dtype=np.float32)).view("int32")
    assert opencl_queue.read(view.view("float32")).tolist() == [0, 1, 2, 3]


def test_refuses_views_that_numpy_refuses(opencl_queue: Any) -> None:
    with pytest.raises(pm.InvalidOptionError, match=r"\(3,\) and dtype float32 .* of 8 bytes"):
        opencl_queue.empty(3, np.float32).view(np.float64)
    with pytest.raises(pm.InvalidOptionError, match="is not a whole number"):
        opencl_queue.empty((), np.float64).view(np.float32)
    with pytest.raises(TypeError, match=r"view\(\): dtype is 'some': pass a NumPy dtype"):
        opencl_queue.empty(3, np.float32).view("some")
    with pytest.raises(TypeError, match="holds Python objects"):
        opencl_queue.empty(3, np.float32).view(object)
