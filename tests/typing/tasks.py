# SPDX-License-Identifier: Apache-2.0
"""A user's program, as mypy --strict sees it: tasks, variants, waitables and fakes. Never run."""

from __future__ import annotations

import threading
from typing import Any

import fairlead as fl
from fairlead.testing import FakeBackend, FakeResource, ManualClock


@fl.tuned(key=lambda image: image.size)
def blur(resource: Any, image: Any) -> Any:
    return image


@fl.tuned
def copy(resource: Any, image: Any) -> Any:
    return image


class Job:
    def __init__(self) -> None:
        self.over = threading.Event()

    def join(self) -> None:
        self.over.wait()


fl.register_waitable(Job, wait=Job.join, done=lambda job: job.over.is_set())

sharpen = fl.task(blur, name="sharpen", key=lambda image: (image.shape, image.dtype))
either = fl.variants({fl.Arena: blur, fl.opencl.Queue: copy})

clock = ManualClock()
resources = [FakeResource("slow", clock), FakeResource("fast", clock)]
policy = fl.AutoTune(backend=FakeBackend(resources))
policy.submit(sharpen, None)
policy.submit(either, None)
clock.advance(1.0)

fl.task(3)  # type: ignore[arg-type]
fl.variants({"arena": blur})  # type: ignore[dict-item]
fl.register_waitable(Job, wait=threading.Event.wait)  # type: ignore[arg-type]
ManualClock(start="now")  # type: ignore[arg-type]
