# SPDX-License-Identifier: Apache-2.0
"""A user's program for mypy --strict and pyright: a service that edits photographs. Never run."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

import pointsman as pm

Image: TypeAlias = NDArray[np.float32]
SOURCE = "kernel void brighten(global float* image) { image[get_global_id(0)] *= 1.5f; }"


class Nearest(pm.PolicyBase[pm.opencl.Queue]):
    """The GPU while it has less than four submissions, then the others."""

    def try_select(self, work: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
        is_gpu = [queue.device.type == "gpu" for queue in self.get_resources()]
        return min(self.statistics(), key=lambda entry: (entry.load // 4, not is_gpu[entry.index]))


def load(path: Path) -> Image:
    return np.asarray(np.load(path), np.float32)


def blur(arena: pm.Arena, image: Image, *, radius: int = 1) -> pm.ArenaTask[Image]:
    return arena.run(np.roll, image, radius)


def brighten(queue: pm.opencl.Queue, image: Image) -> pm.opencl.Event[NDArray[Any]]:
    pixels = queue.buffer(image, blocking=False)
    done = queue.enqueue(queue.build(SOURCE).brighten, image.size, pixels)
    return queue.enqueue_read(pixels, wait_for=done)


class Service:
    """Reads and blurs on the cores, brightens on OpenCL devices."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.cores = pm.DynamicLoad([pm.Arena(4), pm.Arena(4)])
        self.devices = Nearest(pm.opencl.default_queues())
        self.limited = pm.Token([pm.Arena(1)], tokens=2).with_options(timeout=0.5)

    def images(self) -> Iterable[Image]:
        return self.cores.map(load, self.folder.glob("*.npy"), ordered=False)

    async def edited(self, image: Image) -> NDArray[Any]:
        blurred = await self.cores.submit_async(blur, image, radius=2)
        return await self.devices.submit(brighten, await blurred)

    async def thumbnails(self) -> list[Image]:
        small = await self.limited.run_async(np.zeros, (8, 8), np.float32)
        others = [each async for each in self.limited.map_async(load, self.folder.iterdir())]
        return [small.result(), *others]

    def contrast(self, image: Image) -> float:
        values = pm.sort(pm.par, image.flatten())
        mean = float(pm.reduce(pm.auto, values)) / values.size
        above = pm.count_if(pm.seq, lambda x: x > mean, values)
        return float(values[-1] - values[0]) * above / values.size


def report_on(policy: pm.Policy, service: Service) -> str:
    sharpest = policy.run(max, service.images(), key=service.contrast).result(timeout=60)
    edited = asyncio.run(service.edited(sharpest))
    return f"{policy.submission_group().wait()}: {edited.shape}, {policy.get_resources()}"


def main() -> None:
    service = Service(Path("photographs"))
    for policy in (service.cores, service.limited, service.devices):
        print(report_on(policy, service))
