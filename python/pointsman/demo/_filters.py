# SPDX-License-Identifier: Apache-2.0
# Sepia and Gaussian blur: the NumPy reference, and the same work for an arena and for OpenCL.
"""The demo's filters, implemented three times: as a reference, for arenas, for OpenCL queues.

All three compute in float32 and round once, at the end. Their results may differ by one grey level,
because they add in different orders.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib import resources
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from pointsman import Arena, _demo, opencl, variants

Pixels = NDArray[np.uint8]

SIGMA: Final = 2.0
RADIUS: Final = 6

_offsets = np.arange(-RADIUS, RADIUS + 1)
_bell = np.exp(-0.5 * (_offsets / SIGMA) ** 2)
TAPS: Final = (_bell / _bell.sum()).astype(np.float32)
SEPIA: Final = np.array(
    [[0.393, 0.769, 0.189], [0.349, 0.686, 0.168], [0.272, 0.534, 0.131]], dtype=np.float32
)


def reference(image: Pixels) -> Pixels:
    """Return ``image``, uint8 of shape (height, width, 3), after the sepia filter and the blur."""
    toned = np.minimum(np.float32(255), image.astype(np.float32) @ SEPIA.T)
    return np.rint(_blurred(_blurred(toned, axis=1), axis=0)).astype(np.uint8)


def _blurred(image: NDArray[np.float32], axis: int) -> NDArray[np.float32]:
    margins = [(RADIUS, RADIUS) if a == axis else (0, 0) for a in range(image.ndim)]
    padded = np.moveaxis(np.pad(image, margins, mode="edge"), axis, 0)
    length = image.shape[axis]
    result = np.zeros((length, *padded.shape[1:]), dtype=np.float32)
    for k, weight in enumerate(TAPS):
        result += weight * padded[k : k + length]
    return np.moveaxis(result, 0, axis)


def difference(picture: Pixels, expected: Pixels) -> int:
    """Return the largest difference of two pictures in grey levels; 255 if the shapes differ."""
    if picture.shape != expected.shape:
        return 255
    return int((np.maximum(picture, expected) - np.minimum(picture, expected)).max())


class Workshop:
    """Runs the filters on a set of resources. May be used from one thread only."""

    def __init__(self, resources: Iterable[Any]) -> None:
        """Build the kernels for each queue."""
        self._kernels = {
            each: _Kernels(each) for each in resources if isinstance(each, opencl.Queue)
        }
        self._gpu = next((each for each in self._kernels if each.device.type == "gpu"), None)
        self._taps = TAPS.tolist()
        self._sepia = SEPIA.ravel().tolist()
        self.work = variants({Arena: self._on_arena, opencl.Queue: self._on_queue})
        """What the policies submit: filters ``image`` into ``out`` and returns the waitable."""

    def picture(self, shape: tuple[int, ...]) -> Pixels:
        """Return memory for a picture; if there is a GPU, pinned memory, for fast transfers."""
        return np.empty(shape, np.uint8) if self._gpu is None else self._gpu.pinned(shape, np.uint8)

    def _on_arena(self, arena: Arena, image: Pixels, out: Pixels) -> _demo.FilterTask:
        return _demo.sepia_blur(arena, image, out, self._taps, self._sepia)

    def _on_queue(self, queue: Any, image: Pixels, out: Pixels) -> Any:
        kernels = self._kernels[queue]
        height, width, _ = image.shape
        first, second = kernels.between(image.shape)
        pixels = queue.empty(image.shape, image.dtype)
        queue.enqueue_write(pixels, image)
        target = queue.empty(image.shape, image.dtype)
        queue.enqueue(kernels.sepia, (width * height,), pixels, first, kernels.matrix)
        queue.enqueue(kernels.blur_rows, (width, height), first, second, kernels.taps)
        queue.enqueue(kernels.blur_columns, (width, height), second, target, kernels.taps)
        return queue.enqueue_read(target, out)


class _Kernels:
    """What the work needs on an in-order queue."""

    def __init__(self, queue: Any) -> None:
        source = resources.files("pointsman.demo").joinpath("filters.cl").read_text("utf-8")
        program = queue.build(source, f"-DRADIUS={RADIUS}")
        self.sepia = program.kernel("sepia")
        self.blur_rows = program.kernel("blur_rows")
        self.blur_columns = program.kernel("blur_columns")
        self.matrix = queue.buffer(SEPIA)
        self.taps = queue.buffer(TAPS)
        self._queue = queue
        self._between: dict[tuple[int, ...], tuple[Any, Any]] = {}

    def between(self, shape: tuple[int, ...]) -> tuple[Any, Any]:
        """Return two buffers; the queue runs in order, so one job at a time uses them."""
        if shape not in self._between:
            self._between[shape] = (
                self._queue.empty(shape, "f4"),
                self._queue.empty(shape, "f4"),
            )
        return self._between[shape]
