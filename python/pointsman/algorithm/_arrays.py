# SPDX-License-Identifier: Apache-2.0
# Uniform access to the arguments of algorithms: inputs are Values, results go to an Output.
"""NumPy arrays, buffer objects, DLPack tensors, OpenCL buffers and pyopencl arrays as arguments."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pointsman.algorithm._engine import opencl
from pointsman.algorithm._expression import DType
from pointsman.algorithm._scalars import shown
from pointsman.opencl import Buffer, Queue


@dataclass(slots=True, eq=False)  # not frozen, which would triple the time of each call
class Values:
    """Values that an algorithm reads, contiguous and aligned in host memory, or in an OpenCL
    buffer. Never changed."""

    host: NDArray[Any] | None
    buffer: Buffer | None
    shape: tuple[int, ...]
    dtype: DType

    @property
    def size(self) -> int:
        """The number of values."""
        return math.prod(self.shape)

    @property
    def nbytes(self) -> int:
        """The size of the values in bytes."""
        return self.size * self.dtype.itemsize

    def on_host(self) -> NDArray[Any]:
        """The values, flat; requires that they are on the host."""
        assert self.host is not None
        return self.host

    def fetched(self, queue: Queue) -> NDArray[Any]:
        """The values as a flat host array; copies them from a buffer."""
        if self.buffer is None:
            return self.on_host()
        return queue.read(self.buffer).view(self.dtype).reshape(-1)

    def on(self, queue: Queue) -> Buffer:
        """A buffer with the values on the queue's device; copies them from the host."""
        if self.buffer is not None:
            return self.buffer
        host = self.on_host()
        return queue.buffer(host.view(np.uint8) if host.dtype.kind == "b" else host)


def values_of(array: Any, name: str = "a") -> Values:
    """The values of ``array``, copied only if it is not contiguous and aligned, or an array of
    pyopencl.

    name: the name of the argument, for error messages.
    """
    if isinstance(array, Buffer):
        return Values(None, array, array.shape, array.dtype)
    host = _host_array(array, name)
    flat = np.ascontiguousarray(host).reshape(-1)
    return Values(flat if flat.flags.aligned else flat.copy(), None, host.shape, host.dtype)


class Output:
    """The destination of an algorithm's results: the caller's ``out``, or a new array or buffer."""

    def __init__(self, out: Any, shape: tuple[int, ...], dtype: DType, name: str = "out") -> None:
        self.out = out
        self.shape = shape
        self.dtype = dtype
        self.target: NDArray[Any] | None = None
        if out is not None and not isinstance(out, Buffer):
            self.target = _writeable(out, name)
        given = out if isinstance(out, Buffer) else self.target
        if given is None or (given.shape == shape and given.dtype == dtype):
            return
        if tuple(given.shape) != shape:
            raise ValueError(f"`{name}` has the shape {given.shape}: pass one of the shape {shape}")
        if not np.can_cast(dtype, given.dtype, "same_kind"):
            raise TypeError(f"`{name}` has the type {given.dtype}: the results are {dtype}")

    @property
    def memory(self) -> NDArray[Any] | Buffer | None:
        """The caller's ``out`` as an array or a buffer; None if there is none."""
        return self.out if isinstance(self.out, Buffer) else self.target

    def host(self, inputs: Sequence[Values]) -> NDArray[Any]:
        """A flat array for the results. It shares memory with an input only if both have the same
        address and type, so that each element is read before it is overwritten."""
        target = self.target
        if target is None or target.dtype != self.dtype or not target.flags.carray:
            return np.empty(int(np.prod(self.shape, dtype=np.int64)), self.dtype)
        for each in inputs:
            if each.host is not None and np.may_share_memory(target, each.host):
                same = target.ctypes.data == each.host.ctypes.data
                if not same or target.dtype != each.dtype:
                    return np.empty(target.size, self.dtype)
        return target.reshape(-1)

    def finish_host(self, results: NDArray[Any]) -> Any:
        """The caller's result; ``results`` is the array that ``host`` returned, now filled."""
        if self.target is None:
            return results.reshape(self.shape)
        if not np.may_share_memory(self.target, results):
            np.copyto(self.target, results.reshape(self.shape), casting="same_kind")
        if hasattr(self.out, "set") and _is_of_pyopencl(self.out):
            self.out.set(self.target)
        return self.out

    def device(self, queue: Queue, stays: bool) -> Buffer:
        """A buffer for the results: ``out`` if that is a buffer, else a new one. With ``stays`` and
        without ``out``, the new buffer is returned to the caller."""
        if isinstance(self.out, Buffer):
            if self.out.dtype != self.dtype:
                raise TypeError(
                    f"`out` has the type {self.out.dtype}: the results are {self.dtype}"
                )
            return self.out
        dtype = self.dtype if stays and self.out is None else device_type(self.dtype)
        return queue.empty(self.shape, dtype)

    def finish_device(self, queue: Queue, buffer: Buffer, stays: bool) -> Any:
        """Wait for the kernels that write to ``buffer`` and return the caller's result."""
        if buffer is self.out or (stays and self.out is None):
            opencl.await_commands(queue)
            return buffer
        target = self.target
        if target is None or target.dtype != self.dtype or not target.flags.c_contiguous:
            return self.finish_host(queue.read(buffer).view(self.dtype).reshape(-1))
        queue.read(buffer, target.view(buffer.dtype).reshape(buffer.shape))
        return self.finish_host(target.reshape(-1))


def context_of(buffer: Buffer) -> int:
    """Identify the OpenCL context of the buffer."""
    return opencl.context_of(buffer)


def share_memory(a: Output | Buffer | None, b: Output | Buffer | None) -> bool:
    """Return True if both outputs or buffers contain the same element of memory."""
    first, second = (each.memory if isinstance(each, Output) else each for each in (a, b))
    if isinstance(first, Buffer) and isinstance(second, Buffer):
        return opencl.share_memory(first, second)
    are_arrays = isinstance(first, np.ndarray) and isinstance(second, np.ndarray)
    return are_arrays and np.shares_memory(first, second)


def check_beginning(out: Any, dtype: DType) -> None:
    """Raise unless ``out`` is None or a one-dimensional output for values of type ``dtype``."""
    if out is None:
        return
    given = out if isinstance(out, Buffer) else _writeable(out, "out")
    if len(given.shape) != 1:
        raise ValueError(f"`out` has the shape {given.shape}: pass one of one dimension")
    Output(out, given.shape, dtype)


def beginning_of(out: Any, size: int) -> Any:
    """The first ``size`` elements of ``out``, as an array or a buffer that shares its memory;
    ``check_beginning`` has checked ``out``.

    None without an output, and for no elements of a buffer: OpenCL has no empty buffers.
    """
    if out is None:
        return None
    target = out if isinstance(out, Buffer) or _is_of_pyopencl(out) else _writeable(out, "out")
    if target.shape[0] < size:
        raise ValueError(
            f"`out` has the shape {tuple(target.shape)}: pass one of one dimension and {size} "
            "elements"
        )
    if isinstance(out, Buffer):
        return _beginning_of_buffer(out, size) if size else None
    return target[:size]


def _beginning_of_buffer(buffer: Buffer, size: int) -> Buffer:
    return opencl.beginning(buffer, size)


def device_type(dtype: DType) -> DType:
    """The type of a buffer for values of the type: bytes for bool."""
    return np.dtype(np.uint8) if dtype.kind == "b" else dtype


def _is_of_pyopencl(array: Any) -> bool:
    return type(array).__module__.startswith("pyopencl.")


def _host_array(array: Any, name: str) -> NDArray[Any]:
    """The values as a host array, without a copy if they are in host memory."""
    if isinstance(array, np.ndarray):
        return _without_class(array, name)
    if _is_of_pyopencl(array) and hasattr(array, "get"):
        return np.asarray(array.get())
    if hasattr(array, "__dlpack__") and not hasattr(array, "__array__"):
        return np.from_dlpack(array)
    host = _without_class(np.asanyarray(array), name)
    if host.dtype == object:
        if isinstance(array, int):
            raise ValueError(
                f"`{name}` is {shown(array)}, which no integer type of NumPy holds: pass an "
                "integer from -2**63 to 2**64 - 1, or a float"
            )
        raise TypeError(
            f"`{name}` is a {type(array).__qualname__} that holds no numbers that NumPy knows: "
            "pass an array, an object with the buffer protocol or DLPack, or a buffer of OpenCL"
        )
    return host


def _without_class(array: NDArray[Any], name: str) -> NDArray[Any]:
    """The array viewed as ``numpy.ndarray``; TypeError if its class gives the values a meaning that
    the view would lose, such as a mask or a unit."""
    of_class = type(array)
    if of_class is np.ndarray:
        return array
    if isinstance(array, np.ma.MaskedArray):
        raise TypeError(
            f"`{name}` is a {of_class.__qualname__}, and algorithms know no masks: pass its "
            ".compressed() or .filled(value)"
        )
    if of_class.__array_ufunc__ is not np.ndarray.__array_ufunc__:
        raise TypeError(
            f"`{name}` is a {of_class.__qualname__}, whose operations are not those of NumPy's "
            f"arrays: pass numpy.asarray({name})"
        )
    return array.view(np.ndarray)


def _writeable(out: Any, name: str) -> NDArray[Any]:
    target = _host_array(out, name)
    is_copy = not (isinstance(out, np.ndarray) or _is_of_pyopencl(out)) and (
        _address_of(target) != _address_of(_host_array(out, name))
    )
    if is_copy or not target.flags.writeable:
        raise TypeError(
            f"`{name}` is a {type(out).__qualname__} that cannot be written to: pass a NumPy array "
            "that can, or what shares its memory with one"
        )
    return target


def _address_of(array: NDArray[Any]) -> int:
    return int(array.__array_interface__["data"][0])
