# SPDX-License-Identifier: Apache-2.0
"""Each call is a mistake that type checkers report; an unused comment is an error. Never run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

import pointsman as pm


def scale(arena: pm.Arena, x: float, *, factor: float = 1.0) -> pm.ArenaTask[float]:
    return arena.run(pow, x, factor)


def double(x: float) -> float:
    return 2 * x


class Ours:
    def submit(self, work: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any: ...


cpu, gpu = pm.Arena(), pm.opencl.Queue()
policy = pm.RoundRobin([cpu])
limited = policy.with_options(timeout=1)

policy.run(len, 3)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
limited.run(len, 3)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
pm.run(policy, len, 3)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
policy.run(double)  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
policy.run(double, 1, 2)  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
cpu.run(double, "x")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
policy.as_executor().submit(double, "x")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]

policy.submit(scale, "x")  # type: ignore[call-overload]  # pyright: ignore[reportCallIssue, reportArgumentType]
limited.submit(scale, "x")  # type: ignore[call-overload]  # pyright: ignore[reportCallIssue, reportArgumentType]
pm.submit(policy, scale, "x")  # type: ignore[call-overload]  # pyright: ignore[reportCallIssue, reportArgumentType]
policy.submit(pm.task(scale), "x")  # type: ignore[call-overload]  # pyright: ignore[reportCallIssue, reportArgumentType]
policy.submit(scale)  # type: ignore[call-overload]  # pyright: ignore[reportCallIssue]
policy.submit(scale, 1.0, factr=2.0)  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
policy.submit(double, 1.0)  # type: ignore[call-overload]  # pyright: ignore[reportCallIssue, reportArgumentType]
policy.select().submit(scale, "x")  # type: ignore[call-overload]  # pyright: ignore[reportCallIssue, reportArgumentType]
pm.RoundRobin([gpu]).submit(scale, 1.0)  # type: ignore[call-overload]  # pyright: ignore[reportCallIssue, reportArgumentType]
pm.RoundRobin([cpu, gpu]).submit(scale, 1.0)  # type: ignore[call-overload]  # pyright: ignore[reportCallIssue, reportArgumentType]

text: str = policy.submit(scale, 1.0).result()  # type: ignore[assignment]  # pyright: ignore[reportAssignmentType]
number: int = policy.submit_and_wait(scale, 1.0)  # type: ignore[assignment]  # pyright: ignore[reportAssignmentType]
other: pm.Policy[pm.opencl.Queue] = policy  # type: ignore[assignment]  # pyright: ignore[reportAssignmentType]
listed: pm.Policy = [cpu]  # type: ignore[assignment]  # pyright: ignore[reportAssignmentType]
pooled: pm.Policy = policy.as_executor()  # type: ignore[assignment]  # pyright: ignore[reportAssignmentType]
incomplete: pm.Policy = Ours()  # type: ignore[assignment]  # pyright: ignore[reportAssignmentType]


async def use_coroutines() -> None:
    await policy.run_async(len, 3)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    await policy.submit_async(scale, "x")  # type: ignore[call-overload]  # pyright: ignore[reportCallIssue, reportArgumentType]
    await limited.run_async(len, 3)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    name: str = await policy.run(double, 1.0)  # type: ignore[arg-type]  # pyright: ignore[reportAssignmentType]
    print(name)


x = np.ones(4, np.float32)
pm.sort("par", x)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
pm.sort(pm.par, [3, 1, 2])  # type: ignore[type-var]  # pyright: ignore[reportArgumentType]
pm.sort(pm.par, 3)  # type: ignore[type-var]  # pyright: ignore[reportArgumentType]
pm.fill(pm.par, x, "one")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
pm.reduce(pm.par, object())  # type: ignore[call-overload]  # pyright: ignore[reportCallIssue, reportArgumentType]
values: ArrayLike = gpu.buffer(x)  # type: ignore[assignment]  # pyright: ignore[reportAssignmentType]
