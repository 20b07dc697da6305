# SPDX-License-Identifier: Apache-2.0
# The demo from photographs in memory to table, timeline and filtered pictures.
"""Runs the policies one after the other and shows the results."""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from PIL import Image

import pointsman as pm
from pointsman.demo import _race, _report, _timeline
from pointsman.demo._filters import Pixels, Workshop, difference, reference
from pointsman.demo._photographs import Photograph

_JOBS = 72
_BYTES = 512 * 2**20  # all pictures of a pass are kept until they have been checked
_TOLERANCE = 1  # grey levels: the implementations add in different orders


def run(photographs: Sequence[Photograph], out: Path, policies: Sequence[str]) -> int:
    """Run ``policies`` over ``photographs``. Return the exit status: 1 when a picture is wrong."""
    resources = _resources()
    names = _names(resources)
    print("resources: " + ", ".join(names))
    jobs = _jobs(photographs)
    smallest, largest = _extremes(photographs)
    print(f"photographs: {len(jobs)} ({len(photographs)} distinct, {smallest} to {largest} pixels)")
    expected = {p.name: reference(p.pixels) for p in photographs}
    workshop = _warmed_up(resources, photographs)

    passes: list[_race.Pass] = []
    wrong: list[str] = []
    entries = list(_policies(policies, resources, names))
    in_flight = 4 * len(resources)
    print(f"each policy has at most {in_flight} photographs in flight")
    with _report.Progress(len(entries) * len(jobs)) as progress:
        for label, policy in entries:
            done = _race.run(label, policy, workshop, jobs, in_flight, progress.step)
            wrong += _mismatches(done, resources, names, expected)
            if not passes:
                _save(done, out)
            for job in done.jobs:
                job.picture = None
            passes.append(done)

    singles = [done.wall for done in passes if done.label.startswith("fixed")]
    print()
    print(_report.table(passes, names, min(singles, default=None)))
    print()
    _timeline.draw(out / "timeline.png", passes, names)
    for line in wrong:
        print(f"pointsman demo: wrong picture: {line}", file=sys.stderr)
    total = sum(len(done.jobs) for done in passes)
    print(f"{total - len(wrong)} of {total} pictures match the NumPy reference")
    print(f"filtered pictures and timeline.png are in {out}")
    return 1 if wrong else 0


def _resources() -> list[Any]:
    found = pm.discover()
    if any(not isinstance(resource, pm.Arena) for resource in found):
        return found
    print("no OpenCL device was found: running over arenas of different widths")
    return [pm.Arena(1), pm.Arena(max(2, sum(arena.concurrency for arena in found)))]


def _names(resources: Sequence[Any]) -> list[str]:
    arenas = sum(isinstance(resource, pm.Arena) for resource in resources)
    names: list[str] = []
    for resource in resources:
        if isinstance(resource, pm.Arena):
            node = resource.numa_node
            where = "" if node is None or arenas == 1 else f", node {node}"
            name = f"arena of {resource.concurrency}{where}"
        else:
            name = f"OpenCL {resource.device.name[:22]}"
        names.append(f"{name} #{len(names)}" if name in names else name)
    return names


def _jobs(photographs: Sequence[Photograph]) -> list[Photograph]:
    """Repeat the photographs to about _JOBS, in a mixed order that is the same in every run."""
    round_bytes = sum(p.pixels.nbytes for p in photographs)
    rounds = max(1, min(_JOBS // len(photographs), _BYTES // round_bytes))
    jobs = list(photographs) * rounds
    random.Random(0).shuffle(jobs)
    return jobs


def _extremes(photographs: Sequence[Photograph]) -> tuple[str, str]:
    by_size = sorted(photographs, key=lambda p: p.pixels.size)
    shapes = [p.pixels.shape for p in (by_size[0], by_size[-1])]
    return f"{shapes[0][1]}x{shapes[0][0]}", f"{shapes[1][1]}x{shapes[1][0]}"


def _warmed_up(resources: Sequence[Any], photographs: Sequence[Photograph]) -> Workshop:
    """Build kernels and filter every photograph once on each resource."""
    begin = time.monotonic()
    workshop = Workshop(resources)
    for index in range(len(resources)):
        policy = pm.FixedResource(resources, index)
        _race.run("warm-up", policy, workshop, photographs, 1, lambda: None)
    print(
        "warm-up, not timed: built kernels and filtered each photograph once on each resource "
        f"({time.monotonic() - begin:.1f} s)"
    )
    return workshop


def _policies(
    policies: Sequence[str], resources: Sequence[Any], names: Sequence[str]
) -> Iterator[tuple[str, Any]]:
    for name in policies:
        if name == "fixed":
            for index, resource in enumerate(names):
                yield f"fixed: {resource}", pm.FixedResource(resources, index)
        elif name == "round_robin":
            yield name, pm.RoundRobin(resources)
        elif name == "dynamic_load":
            yield name, pm.DynamicLoad(resources)
        else:
            yield name, pm.AutoTune(resources)


def _mismatches(
    done: _race.Pass, resources: Sequence[Any], names: Sequence[str], expected: dict[str, Pixels]
) -> Iterator[str]:
    for job in done.jobs:
        off = 255 if job.picture is None else difference(job.picture, expected[job.name])
        if off > _TOLERANCE:
            resource = next(n for r, n in zip(resources, names, strict=True) if r is job.resource)
            yield f"{job.name} under {done.label} on {resource} is {off} grey levels off"


def _save(done: _race.Pass, out: Path) -> None:
    for job in {job.name: job for job in done.jobs}.values():
        assert job.picture is not None
        Image.fromarray(job.picture).save(out / f"{job.name}.jpg", quality=92)
