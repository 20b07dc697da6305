# SPDX-License-Identifier: Apache-2.0
# Decides before any picture is decoded whether the demo can run.
"""The memory that filtering needs, and the memory that is available."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

MEMINFO = Path("/proc/meminfo")
LIMIT_OF_CONTAINER = Path("/sys/fs/cgroup/memory.max")
_BYTES_OF_PIXEL = 45  # copies of each picture that exist all the time, here and on devices
_BYTES_OF_LARGEST = 60  # while NumPy filters it for comparison
_BYTES_OF_RESULT = 3
_JOBS = 72
_BYTES_OF_RESULTS = 512 * 2**20


def rounds(pixels: Sequence[int]) -> int:
    """Return how often each of the pictures is filtered in a pass.

    That makes about 72 jobs, or fewer if their results, which all exist at the same time, would
    take more than 512 MiB.
    """
    of_one_round = sum(pixels) * _BYTES_OF_RESULT
    return max(1, min(_JOBS // len(pixels), _BYTES_OF_RESULTS // of_one_round))


def needed_bytes(pixels: Sequence[int]) -> int:
    """Return roughly how much memory filtering pictures of these numbers of pixels needs."""
    results = rounds(pixels) * sum(pixels) * _BYTES_OF_RESULT
    return results + sum(pixels) * _BYTES_OF_PIXEL + max(pixels) * _BYTES_OF_LARGEST


def available_bytes() -> int:
    """Return the memory that can be used without swapping, or the total if Linux does not tell it.

    In a container, the result is at most the container's limit.
    """
    return min(_limits())


def _limits() -> Iterator[int]:
    yield os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    for line in _text(MEMINFO).splitlines():
        if line.startswith("MemAvailable:"):
            yield int(line.split()[1]) * 1024
    limit = _text(LIMIT_OF_CONTAINER).strip()
    if limit.isdecimal():  # "max" is no limit
        yield int(limit)


def _text(path: Path) -> str:
    try:
        return path.read_text("ascii")
    except OSError:
        return ""
