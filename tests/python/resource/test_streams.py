# SPDX-License-Identifier: Apache-2.0
"""Streams of CuPy and of PyTorch as resources, if there is a device for them."""

from __future__ import annotations

from typing import Any

import pytest

import pointsman as pm


def test_completion_of_work_on_cupy_streams_is_seen():
    cupy = pytest.importorskip("cupy")
    if not cupy.cuda.is_available():
        pytest.skip("no CUDA device here")

    def double(stream: Any, array: Any) -> Any:
        with stream:
            array *= 2
        return stream

    arrays = [cupy.arange(1000) for _ in range(20)]
    cupy.cuda.Device().synchronize()
    policy = pm.DynamicLoad([cupy.cuda.Stream(non_blocking=True) for _ in range(2)])
    for array in arrays:
        policy.submit(double, array)
    policy.submission_group().wait()
    assert policy.loads() == [0, 0]
    assert all(int(array[999]) == 1998 for array in arrays)


def test_completion_of_work_on_pytorch_streams_is_seen():
    torch = pytest.importorskip("torch")
    if not torch.cuda.is_available():
        pytest.skip("no CUDA device here")

    def double(stream: Any, tensor: Any) -> Any:
        with torch.cuda.stream(stream):
            tensor.mul_(2)
        return stream

    tensors = [torch.arange(1000, device="cuda") for _ in range(20)]
    torch.cuda.synchronize()
    policy = pm.DynamicLoad([torch.cuda.Stream() for _ in range(2)])
    for tensor in tensors:
        policy.submit(double, tensor)
    policy.submission_group().wait()
    assert policy.loads() == [0, 0]
    assert all(int(tensor[999]) == 1998 for tensor in tensors)
