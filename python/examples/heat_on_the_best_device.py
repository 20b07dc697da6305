# SPDX-License-Identifier: Apache-2.0
"""A simulation of heat on plates of mixed sizes, each on an arena or on an OpenCL device.

``AutoTune`` measures every size on both and then takes the faster one. ``EarliestFinish`` also
predicts when outstanding work completes; it knows that an arena and a device may share the same
cores. Without OpenCL, two arenas take the tasks.
"""

from __future__ import annotations

import time
from collections import Counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

import pointsman as pm

Plate = NDArray[np.float32]
STEPS = 30
SIZES = (32, 128, 512)

SOURCE = """
kernel void diffuse(global const float* old, global float* new) {
    int x = get_global_id(0), y = get_global_id(1), n = get_global_size(0), i = y * n + x;
    bool is_edge = x == 0 || y == 0 || x == n - 1 || y == n - 1;
    new[i] = is_edge ? old[i] : 0.25f * (old[i - 1] + old[i + 1] + old[i - n] + old[i + n]);
}
"""


def heated(plate: Plate) -> Plate:
    """Return the plate after STEPS steps; its edge keeps its temperature."""
    old: Plate = plate.copy()
    new: Plate = plate.copy()
    for _ in range(STEPS):
        inner = old[1:-1, :-2] + old[1:-1, 2:] + old[:-2, 1:-1] + old[2:, 1:-1]
        new[1:-1, 1:-1] = np.float32(0.25) * inner
        old, new = new, old
    return old


def in_arena(arena: pm.Arena, plate: Plate) -> pm.ArenaTask:
    return arena.run(heated, plate)


def in_queue(queue: pm.opencl.Queue, plate: Plate) -> pm.opencl.Event:
    diffuse = queue.build(SOURCE).kernel("diffuse")  # built once, then found in a cache
    old, new = queue.buffer(plate, blocking=False), queue.buffer(plate, blocking=False)
    for _ in range(STEPS):
        queue.enqueue(diffuse, plate.shape, old, new)
        old, new = new, old
    return queue.enqueue_read(old)  # completes with the array


simulate = pm.variants({pm.Arena: in_arena, pm.opencl.Queue: in_queue})


def kind_of(resource: Any) -> str:
    return "arena" if isinstance(resource, pm.Arena) else "OpenCL device"


def simulated(policy: pm.AutoTune | pm.EarliestFinish, plate: Plate) -> pm.Submission:
    """Submit one plate and wait for it."""
    submission = policy.submit(simulate, plate)
    submission.wait()
    return submission


def main() -> None:
    queues = pm.opencl.default_queues()
    resources = [pm.Arena(1), queues[0] if queues else pm.Arena(1)]
    plates = [np.zeros((size, size), np.float32) for size in SIZES]
    for plate in plates:
        plate[0] = 100.0  # degrees, along one edge
        for resource in resources:  # the first call also compiles the kernel
            result = pm.FixedResource([resource]).submit_and_wait(simulate, plate)
            assert np.allclose(result, heated(plate), atol=1e-3), kind_of(resource)

    for policy in (pm.AutoTune(resources), pm.EarliestFinish(resources)):
        print(f"{type(policy).__name__}, one plate at a time")
        for _ in range(8):
            submissions = [simulated(policy, plate) for plate in plates]
        for plate, last in zip(plates, submissions, strict=True):
            milliseconds = 1000 * (last.elapsed or 0)
            print(f"  {len(plate)} x {len(plate)} took {milliseconds:.2f} ms: {last.explain()}")
        begin = time.perf_counter()
        submissions = [policy.submit(simulate, plate) for plate in plates * 8]
        loads = policy.loads()
        policy.submission_group().wait()
        seconds = time.perf_counter() - begin
        where = Counter(kind_of(each.resource) for each in submissions)
        counts = ", ".join(f"{count} on the {kind}" for kind, count in where.items())
        print(f"  {len(submissions)} plates at once took {1000 * seconds:.1f} ms: {counts}")
        print(f"  outstanding after the last submission: {loads}")


if __name__ == "__main__":
    main()
