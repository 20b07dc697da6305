# SPDX-License-Identifier: Apache-2.0
"""The time to send 64 MiB to a device and fetch it, from ordinary and from pinned memory."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

import pointsman as pm

ELEMENTS = 1 << 24
COMPARED_WITH = "write_pageable"


@cache
def queue() -> pm.opencl.Queue:
    return pm.opencl.Queue()


@cache
def buffer() -> pm.opencl.Buffer:
    return queue().buffer(np.ones(ELEMENTS, np.float32))


def pageable() -> Any:
    return np.ones(ELEMENTS, np.float32)


def pinned() -> Any:
    array = queue().pinned(ELEMENTS, np.float32)
    array[:] = 1
    return array


def write(array: Any) -> Callable[[], object]:
    return lambda: queue().write(buffer(), array)


def read(array: Any) -> Callable[[], object]:
    return lambda: queue().read(buffer(), array)


def bench_write_pageable() -> Callable[[], object]:
    return write(pageable())


def bench_write_pinned() -> Callable[[], object]:
    return write(pinned())


def bench_read_pageable() -> Callable[[], object]:
    return read(pageable())


def bench_read_pinned() -> Callable[[], object]:
    return read(pinned())
