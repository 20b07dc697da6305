# SPDX-License-Identifier: Apache-2.0
# Which work items of a device take which values.
"""Groups of work items, and parts of arrays for items that work alone."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from pointsman.opencl import Queue

MOST_GROUP_ITEMS = 256
LEAST_PART_OF_A_PROCESSOR = 1024
PARTS_OF_A_PROCESSORS_UNIT = 8


@lru_cache(maxsize=256)
def group_of(queue: Queue) -> int:
    """The work items of a group: a power of two."""
    size = MOST_GROUP_ITEMS
    while size > queue.device.max_work_group_size:
        size //= 2
    return size


@lru_cache(maxsize=256)
def works_alone(queue: Queue) -> bool:
    """Whether items do best each by itself: a processor runs those of a group one after the other,
    from one barrier to the next."""
    return queue.device.type == "cpu"


@dataclass(frozen=True)
class Parts:
    """``count`` parts of neighbours, ``size`` in each but the last, for items in groups."""

    size: int
    count: int
    group: int

    @property
    def items(self) -> int:
        """How many work items there are: one for each part, and what fills the last group."""
        return -(-self.count // self.group) * self.group


def parts_of(queue: Queue, values: int, size_elsewhere: int) -> Parts:
    """A few parts for each thread of a processor, on other devices parts of ``size_elsewhere``."""
    if not works_alone(queue):
        return Parts(size_elsewhere, -(-values // size_elsewhere), group_of(queue))
    wanted = PARTS_OF_A_PROCESSORS_UNIT * queue.device.compute_units
    size = max(LEAST_PART_OF_A_PROCESSOR, -(-values // wanted))
    return Parts(size, -(-values // size), 1)
