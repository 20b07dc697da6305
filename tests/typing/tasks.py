# SPDX-License-Identifier: Apache-2.0
"""A user's program, as mypy --strict sees it: tasks, variants, waitables and fakes. Never run."""

from __future__ import annotations

import threading
from typing import Any

import pointsman as pm
from pointsman.testing import FakeBackend, FakeResource, ManualClock


@pm.tuned(key=lambda image: image.size)
def blur(resource: Any, image: Any) -> Any:
    return image


@pm.tuned
def copy(resource: Any, image: Any) -> Any:
    return image


class Job:
    def __init__(self) -> None:
        self.over = threading.Event()

    def join(self) -> None:
        self.over.wait()


pm.register_waitable(Job, wait=Job.join, done=lambda job: job.over.is_set())

sharpen = pm.task(blur, name="sharpen", key=lambda image: (image.shape, image.dtype))
either = pm.variants({pm.Arena: blur, pm.opencl.Queue: copy})

clock = ManualClock()
resources = [FakeResource("slow", clock), FakeResource("fast", clock)]
policy = pm.AutoTune(backend=FakeBackend(resources))
policy.submit(sharpen, None)
policy.submit(either, None)
clock.advance(1.0)

pm.task(3)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
pm.variants({"arena": blur})  # type: ignore[dict-item]  # pyright: ignore[reportArgumentType]
pm.register_waitable(Job, wait=threading.Event.wait)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
ManualClock(start="now")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
