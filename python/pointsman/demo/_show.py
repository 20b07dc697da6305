# SPDX-License-Identifier: Apache-2.0
# The demo from photographs in memory to table, timeline and filtered pictures.
"""Runs the policies in turn and shows the results."""

from __future__ import annotations

import json
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image

import pointsman as pm
from pointsman.demo import _comparison, _memory, _race, _report, _resources, _timeline
from pointsman.demo._filters import Workshop, difference, reference
from pointsman.demo._photographs import Photograph
from pointsman.demo._progress import Progress
from pointsman.demo._race import Job, Pass
from pointsman.demo._resources import NamedResource

_TOLERANCE = 1  # grey levels: the implementations add in different orders


class OutputError(Exception):
    """The results cannot be written; the message is one line."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(f"cannot write to {path}: {reason}")


def run(
    photographs: Sequence[Photograph],
    out: Path,
    policies: Sequence[str],
    rounds: int,
    *,
    as_json: bool = False,
) -> int:
    """Run ``policies`` over ``photographs``. Return the exit status: 1 when a picture is wrong.

    as_json: print the results as JSON and the texts to the standard error stream.

    Raises OutputError if a picture cannot be written.
    """
    with redirect_stdout(sys.stderr if as_json else sys.stdout):
        record = _run(photographs, out, policies, rounds)
    if as_json:
        print(json.dumps(record, indent=2), flush=True)
    return 0 if record["matching"] == record["pictures"] else 1


def _run(
    photographs: Sequence[Photograph], out: Path, policies: Sequence[str], rounds: int
) -> dict[str, Any]:
    resources = _resources.find()
    workload = Workload(photographs, resources)
    smallest, largest = _extremes(photographs)
    print(f"resources:\n{_resources.listing(resources)}")
    print(
        f"photographs: {len(workload.jobs)}, {len(photographs)} of them distinct, {smallest} to "
        f"{largest} pixels, at most {workload.in_flight} outstanding at a time"
    )
    print(f"passes of each policy: {rounds}, in turn with the other policies")
    entries = _comparison.entries(policies, resources, _warm_up(workload))
    passes = rounds * sum(len(entry.labels) for entry in entries)
    with Progress(passes * len(workload.jobs)) as progress:
        results = _comparison.run(
            entries, rounds, lambda label, choice: workload.run(label, choice, progress.step)
        )
    print(f"\n{_report.table(results, resources)}\n{_report.legend(results)}\n")
    if lesson := _report.lesson(results, resources):
        print(f"{lesson}\n")
    for line in workload.wrong:
        print(f"pointsman demo: wrong picture: {line}", file=sys.stderr)
    total = passes * len(workload.jobs)
    matching = total - len(workload.wrong)
    print(f"{matching} of {total} pictures match the NumPy reference", flush=True)
    workload.save(out)
    with _writing(timeline_path(out)) as path:
        _timeline.draw(path, results, resources)
    print(f"filtered pictures and timeline.png are in {out}")
    record = _report.record(results, resources)
    return {**record, "pictures": total, "matching": matching, "out": str(out)}


def check_output(out: Path, photographs: Sequence[Photograph]) -> None:
    """Create the folder and raise OutputError if it cannot take the results.

    Also raise it if a result would overwrite one of the photographs.
    """
    with _writing(out):
        out.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=out) as trial:
            trial.write(b"a byte, for which a full disk has no room")
    sources = [each.path for each in photographs if each.path is not None]
    for path in [timeline_path(out), *(picture_path(out, each) for each in photographs)]:
        with _writing(path):
            if path.exists():
                path.open("ab").close()
                if any(path.samefile(source) for source in sources):
                    raise OutputError(path, "it is one of the photographs: pass another --out")


@contextmanager
def _writing(path: Path) -> Iterator[Path]:
    """Raise OutputError for errors of the operating system, with the path that they name."""
    try:
        yield path
    except OSError as error:
        raise OutputError(Path(error.filename or path), error.strerror or str(error)) from None


def picture_path(out: Path, photograph: Photograph) -> Path:
    """Return the file for the filtered picture."""
    return out / f"{photograph.name}.jpg"


def timeline_path(out: Path) -> Path:
    """Return the file for the timeline."""
    return out / "timeline.png"


class Workload:
    """The photographs in order, the pictures that are expected, and the differences found."""

    def __init__(
        self, photographs: Sequence[Photograph], resources: Sequence[NamedResource]
    ) -> None:
        self.resources = [each.resource for each in resources]
        self._workshop = Workshop(self.resources)
        self.photographs = [self._loaded(each) for each in photographs]
        self.jobs = [
            Job(each, self._workshop.picture(each.pixels.shape))
            for each in _order(self.photographs)
        ]
        self.wrong: list[str] = []
        self.in_flight = 4 * len(resources)
        self._names = [each.name for each in resources]
        self._expected = {p.name: reference(p.pixels) for p in photographs}

    def _loaded(self, photograph: Photograph) -> Photograph:
        pixels = self._workshop.picture(photograph.pixels.shape)
        pixels[:] = photograph.pixels
        return replace(photograph, pixels=pixels)

    def run(self, label: str, choice: _comparison.Choice, on_finished: Callable[[], None]) -> Pass:
        """Run one pass over all photographs and check the pictures."""
        for job in self.jobs:
            job.out.fill(0)
        done = self._race(choice, self.jobs, on_finished)
        for job, bar in zip(self.jobs, done.bars, strict=True):
            off = difference(job.out, self._expected[job.photograph.name])
            if off > _TOLERANCE:
                self.wrong.append(
                    f"{job.photograph.name} under {label} on {self._names[bar.resource]} is {off} "
                    "grey levels off"
                )
        return done

    def seconds_for_each(self, photograph: Photograph) -> Iterator[float]:
        """Filter the copies of a photograph on each resource; yield the seconds that one takes."""
        copies = [job for job in self.jobs if job.photograph is photograph]
        for index in range(len(self.resources)):
            single = _comparison.always(pm.FixedResource(self.resources, index))
            yield self._race(single, copies, lambda: None).wall / len(copies)

    def save(self, out: Path) -> None:
        """Write the picture of each photograph as a file, with the photograph's EXIF data."""
        for job in {job.photograph.name: job for job in self.jobs}.values():
            photograph = job.photograph
            picture = BytesIO()  # Pillow hides why it cannot write to a file
            Image.fromarray(job.out).save(
                picture,
                "JPEG",
                quality=92,
                exif=photograph.exif,
                icc_profile=photograph.icc_profile,
            )
            with _writing(picture_path(out, photograph)) as path:
                path.write_bytes(picture.getvalue())

    def _race(
        self, choice: _comparison.Choice, jobs: Sequence[Job], on_finished: Callable[[], None]
    ) -> Pass:
        work = self._workshop.work
        return _race.run(choice, work, jobs, self.resources, self.in_flight, on_finished)


def _warm_up(workload: Workload) -> dict[str, int]:
    """Run everything twice on each resource; return by photograph which resource is fastest."""
    begin = time.monotonic()
    best = {}
    for photograph in workload.photographs:
        first = workload.seconds_for_each(photograph)
        second = workload.seconds_for_each(photograph)
        times = [min(pair) for pair in zip(first, second, strict=True)]
        best[photograph.name] = times.index(min(times))
    print(
        "warm-up, not timed: every photograph was filtered twice on each resource "
        f"({time.monotonic() - begin:.1f} s)",
        flush=True,
    )
    return best


def _order(photographs: Sequence[Photograph]) -> list[Photograph]:
    """Repeat the photographs, in a mixed order that is the same in every run."""
    rounds = _memory.rounds([p.pixels.size // 3 for p in photographs])
    order = list(photographs) * rounds
    random.Random(0).shuffle(order)
    return order


def _extremes(photographs: Sequence[Photograph]) -> tuple[str, str]:
    by_size = sorted(photographs, key=lambda p: p.pixels.size)
    shapes = [p.pixels.shape for p in (by_size[0], by_size[-1])]
    return f"{shapes[0][1]}x{shapes[0][0]}", f"{shapes[1][1]}x{shapes[1][0]}"
