# SPDX-License-Identifier: Apache-2.0
# Sepia and Gaussian blur: the NumPy reference, and the same work for an arena and for OpenCL.
"""The demo's work, three times: as a reference, on an arena, on an OpenCL queue.

All compute in float32 and round once, at the end; they may differ by one grey level, because they
add in different orders.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from importlib import resources
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from pointsman import Arena, _demo

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
    """Return sepia and then blur of ``image``, uint8 of shape (height, width, 3)."""
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
    """Return the largest difference of two pictures in grey levels, 255 for unlike shapes."""
    if picture.shape != expected.shape:
        return 255
    return int((np.maximum(picture, expected) - np.minimum(picture, expected)).max())


@dataclass
class Job:
    """One photograph on its way through one policy. Times are seconds on ``time.monotonic()``."""

    name: str
    resource: Any = None
    submitted: float = 0.0
    picture: Pixels | None = None


class Filter(Protocol):
    """The implementation of the work for one resource."""

    def start(self, image: Pixels, job: Job) -> Any:
        """Start filtering ``image`` and return a waitable.

        Its result, or ``job.picture`` if it has none, is the filtered picture.
        """


class ArenaFilter:
    """C++ loops on the threads of an arena."""

    def __init__(self, arena: Arena) -> None:
        self._arena = arena
        self._taps = TAPS.tolist()
        self._sepia = SEPIA.ravel().tolist()

    def start(self, image: Pixels, job: Job) -> _demo.FilterTask:
        return _demo.sepia_blur(self._arena, image, self._taps, self._sepia)


@dataclass
class OpenCLFilter:
    """OpenCL kernels on an in-order queue. For use by one thread."""

    queue: Any
    _between: dict[tuple[int, ...], tuple[Any, Any]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        source = resources.files("pointsman.demo").joinpath("filters.cl").read_text("utf-8")
        program = self.queue.build(source, f"-DRADIUS={RADIUS}")
        self._sepia = program.kernel("sepia")
        self._blur_rows = program.kernel("blur_rows")
        self._blur_columns = program.kernel("blur_columns")
        self._matrix = self.queue.buffer(SEPIA)
        self._taps = self.queue.buffer(TAPS)

    def start(self, image: Pixels, job: Job) -> Any:
        height, width, _ = image.shape
        # The queue runs in order, so one job has finished with these before the next begins.
        if image.shape not in self._between:
            empty = self.queue.empty
            self._between[image.shape] = (empty(image.shape, "f4"), empty(image.shape, "f4"))
        first, second = self._between[image.shape]
        pixels = self.queue.buffer(image)
        target = self.queue.empty(image.shape, image.dtype)
        job.picture = np.empty_like(image)
        enqueue = self.queue.enqueue
        enqueue(self._sepia, (width * height,), pixels, first, self._matrix)
        enqueue(self._blur_rows, (width, height), first, second, self._taps)
        enqueue(self._blur_columns, (width, height), second, target, self._taps)
        return self.queue.enqueue_read(target, job.picture)


def _filter_for(resource: Any) -> Filter:
    if isinstance(resource, Arena):
        return ArenaFilter(resource)
    return OpenCLFilter(resource)


class Workshop:
    """The work for a set of resources. ``work`` is what the policies submit."""

    def __init__(self, resources: Iterable[Any]) -> None:
        """Build what each resource needs, kernels included."""
        self._filters = [(resource, _filter_for(resource)) for resource in resources]

    def work(self, resource: Any, image: Pixels, job: Job) -> Any:
        """Start filtering ``image`` on ``resource`` and return the waitable."""
        job.resource = resource
        job.submitted = time.monotonic()
        filter_of = next(f for r, f in self._filters if r is resource)
        return filter_of.start(image, job)
