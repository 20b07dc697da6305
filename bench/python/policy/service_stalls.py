#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How long a policy without a free resource stops the event loop of a small service.

Requests arrive together; each runs a function on a Token policy with fewer tokens. Beside them a
task measures how late the loop resumes it. ``run`` blocks the loop while no token is free;
``run_async`` and the policy's executor do not.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import time
import warnings
from collections.abc import Awaitable, Callable
from typing import Any

import pointsman as pm

BEAT = 0.001  # seconds

Serve = Callable[[Any, float], Awaitable[Any]]


async def with_run(policy: Any, seconds: float) -> Any:
    return await policy.run(time.sleep, seconds)


async def with_run_async(policy: Any, seconds: float) -> Any:
    return await (await policy.run_async(time.sleep, seconds))


async def with_executor(policy: Any, seconds: float) -> Any:
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(policy.as_executor(), time.sleep, seconds)


WAYS: dict[str, Serve] = {
    "run": with_run,
    "run_async": with_run_async,
    "run_in_executor": with_executor,
}


async def served(serve: Serve, requests: int, tokens: int, seconds: float) -> tuple[float, float]:
    """Returns the longest stall of the loop and the time of all requests, in seconds."""
    policy = pm.Token([pm.Arena(tokens)], tokens)
    longest = 0.0

    async def heart() -> None:
        nonlocal longest
        while True:
            begin = time.perf_counter()
            await asyncio.sleep(BEAT)
            longest = max(longest, time.perf_counter() - begin - BEAT)

    beating = asyncio.create_task(heart())
    await asyncio.sleep(2 * BEAT)
    begin = time.perf_counter()
    await asyncio.gather(*(serve(policy, seconds) for _ in range(requests)))
    total = time.perf_counter() - begin
    beating.cancel()
    return longest, total


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=20)
    parser.add_argument("--tokens", type=int, default=2)
    parser.add_argument("--milliseconds", type=float, default=50, help="that a request takes")
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    warnings.simplefilter("ignore", pm.BlockingSelectionWarning)
    seconds = options.milliseconds / 1000
    rounds: dict[str, list[tuple[float, float]]] = {way: [] for way in WAYS}
    for _ in range(options.rounds):
        for way, serve in WAYS.items():
            rounds[way].append(
                asyncio.run(served(serve, options.requests, options.tokens, seconds))
            )
    print("| a request uses | longest stall, ms | all requests, ms |")
    print("| --- | ---: | ---: |")
    for way, results in rounds.items():
        stall, total = (1000 * statistics.median(column) for column in zip(*results, strict=True))
        print(f"| `{way}` | {stall:.1f} | {total:.0f} |")


if __name__ == "__main__":
    main()
