# SPDX-License-Identifier: Apache-2.0
"""The types that type checkers infer for policies, submissions and arrays. Never run."""

from __future__ import annotations

import array
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import Executor, Future
from typing import Any

import numpy as np
from numpy.typing import NDArray
from typing_extensions import assert_type

import pointsman as pm

cpu, gpu = pm.Arena(), pm.opencl.Queue()


def plain(arena: pm.Arena, size: int, name: str = "") -> str:
    return name * size


def task(arena: pm.Arena, x: int) -> pm.ArenaTask[int]:
    return arena.run(abs, x)


def future(arena: pm.Arena) -> Future[bytes]:
    return Future()


async def coroutine(arena: pm.Arena) -> float:
    return 0.5


def device(resource: pm.Arena | pm.opencl.Queue) -> str:
    return repr(resource)


@pm.tuned(key=len)
def tuned(arena: pm.Arena, words: list[str]) -> pm.ArenaTask[str]:
    return arena.run(" ".join, words)


def square(x: int) -> int:
    return x * x


def use_resources(policy: pm.Policy[pm.Arena]) -> None:
    assert_type(pm.RoundRobin([cpu, gpu]), pm.RoundRobin[pm.Arena | pm.opencl.Queue])
    assert_type(pm.Token(["near", "far"], tokens=2), pm.Token[str])
    assert_type(pm.DynamicLoad(), pm.DynamicLoad[Any])
    assert_type(pm.RoundRobin([cpu, gpu]).submit(device), pm.Submission[str])
    assert_type(policy.select(task, 1), pm.Selection[pm.Arena])
    assert_type(policy.select().resource, pm.Arena)
    assert_type(policy.select().submit(task, 1), pm.Submission[int])
    assert_type(pm.get_resources(policy), list[pm.Arena])
    assert_type(pm.AutoTune([cpu]).with_options(timeout=1).get_resources(), list[pm.Arena])
    wider: pm.Policy[pm.Arena | pm.opencl.Queue] = pm.FixedResource([cpu])
    wider.submit(device)


def use_submissions(policy: pm.Policy[pm.Arena]) -> None:
    assert_type(policy.submit(plain, 2, name="x"), pm.Submission[str])
    assert_type(policy.submit(task, 2), pm.Submission[int])
    assert_type(policy.submit(future).result(), bytes)
    assert_type(policy.submit_and_wait(coroutine), float)
    assert_type(policy.submit(tuned, ["a"]), pm.Submission[str])
    assert_type(policy.submit(pm.task(task, name="task"), 2), pm.Submission[int])
    assert_type(policy.try_submit(task, 2), pm.Submission[int] | None)
    assert_type(pm.submit(policy, task, 2), pm.Submission[int])
    assert_type(policy.run(square, 2), pm.Submission[int])
    assert_type(policy.run(sorted, [2, 1]), pm.Submission[list[int]])
    assert_type(policy.map(square, [1, 2]), Iterator[int])
    executor: Executor = policy.as_executor()
    assert_type(executor.submit(square, 2), Future[int])


async def use_coroutines(policy: pm.DynamicLoad[pm.Arena]) -> None:
    assert_type(await policy.submit_async(task, 2), pm.Submission[int])
    assert_type(await policy.run_async(square, 2), pm.Submission[int])
    assert_type(await policy.submit(task, 2), int)
    assert_type(policy.map_async(square, [1, 2]), AsyncIterator[int])


def use_algorithms(x: NDArray[np.float32], n: NDArray[np.int16], y: pm.opencl.Buffer) -> None:
    assert_type(pm.sort(pm.seq, n), NDArray[np.int16])
    assert_type(pm.sort(pm.par, array.array("d")), "array.array[float]")
    assert_type(pm.argsort(pm.par, x), NDArray[np.int64])
    assert_type(pm.argsort(pm.device_policy(gpu), y), pm.opencl.Buffer)
    assert_type(pm.sort_by_key(pm.auto, n, x), tuple[NDArray[np.int16], NDArray[np.float32]])
    assert_type(pm.sort(pm.device_policy(gpu), y), pm.opencl.Buffer)
    assert_type(pm.reduce(pm.par, x), np.float32)
    assert_type(pm.unique(pm.par, n), NDArray[np.int16])
    assert_type(pm.merge(pm.par, n, n), NDArray[np.int16])
    assert_type(pm.inclusive_scan(pm.par, x), NDArray[np.float32])
    assert_type(pm.inclusive_scan(pm.par, x, axis=0), NDArray[np.float32])
    assert_type(pm.exclusive_scan(pm.auto, y, axis=1), pm.opencl.Buffer)
    assert_type(pm.sort(pm.seq, n, axis=-1), NDArray[np.int16])
    assert_type(pm.argsort(pm.device_policy(gpu), y, axis=0), pm.opencl.Buffer)
    assert_type(pm.reduce_by_segment(pm.par, n, x), tuple[NDArray[np.int16], NDArray[np.float32]])
    assert_type(pm.reduce_by_segment(pm.par, n, n), tuple[NDArray[np.int16], NDArray[Any]])
    assert_type(
        pm.reduce_by_segment(pm.auto, n, y, "max"), tuple[pm.opencl.Buffer, pm.opencl.Buffer]
    )
    assert_type(pm.inclusive_scan_by_segment(pm.par, n, x), NDArray[np.float32])
    assert_type(pm.exclusive_scan_by_segment(pm.auto, y, x, 1), pm.opencl.Buffer)
    assert_type(pm.exclusive_scan_by_segment(pm.par, n, x, out=n), NDArray[np.int16])
    assert_type(pm.histogram(pm.par, n)[0].dtype, "np.dtype[np.int64]")
    assert_type(pm.histogram(pm.par, n, density=bool(y))[0], NDArray[Any])
    assert_type(pm.histogram(pm.par, n, weights=x)[0], NDArray[Any])
    assert_type(pm.argmin(pm.par, n), int)
    assert_type(pm.searchsorted(pm.par, x, n, side="right"), NDArray[np.int64])
    assert_type(pm.searchsorted(pm.par, x, 0.5), "NDArray[np.int64] | np.int64")
    assert_type(pm.searchsorted(pm.device_policy(gpu), x, y), pm.opencl.Buffer)
    assert_type(pm.bincount(pm.par, n), NDArray[np.int64])
    assert_type(pm.bincount(pm.par, n, x, minlength=3), NDArray[Any])
    assert_type(pm.copy(pm.par, [1, 2], out=n), NDArray[np.int16])
    assert_type(pm.copy(pm.auto, y), pm.opencl.Buffer)
    assert_type(pm.transform(pm.par, "2*x", x), NDArray[Any])
    assert_type(pm.transform(pm.auto, "x + y", x, y), pm.opencl.Buffer)
    assert_type(pm.transform(pm.par, lambda value: value + 1, x, out=x), NDArray[np.float32])
    assert_type(pm.fill(pm.seq, x, 0.5), NDArray[np.float32])
    assert_type(pm.find_if(pm.seq, "x > 2", n), int | None)
