# SPDX-License-Identifier: Apache-2.0
"""The event loops that coroutines of pointsman run under, with one interface for the tests."""

from __future__ import annotations

import asyncio
import importlib
import warnings
from collections.abc import Callable
from typing import Any

import pytest


class Asyncio:
    """The operations that the tests need of a library."""

    cancelled = asyncio.CancelledError

    def run(self, main: Callable[..., Any], *arguments: Any) -> Any:
        return asyncio.run(main(*arguments))

    async def give_way(self) -> None:
        await asyncio.sleep(0)

    async def leave_early(self, body: Callable[[], Any]) -> None:
        """Await `body()` in a task, and cancel the task once it waits."""
        task = asyncio.ensure_future(body())
        await self.give_way()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    async def both(self, first: Callable[[], Any], second: Callable[[], Any]) -> None:
        await asyncio.gather(first(), second())


class Uvloop(Asyncio):
    def __init__(self) -> None:
        self.uvloop = importlib.import_module("uvloop")

    def run(self, main: Callable[..., Any], *arguments: Any) -> Any:
        loop = self.uvloop.new_event_loop()
        try:
            return loop.run_until_complete(main(*arguments))
        finally:
            loop.close()


class Trio:
    """Trio without asyncio."""

    def __init__(self) -> None:
        self.trio = importlib.import_module("trio")
        self.cancelled = self.trio.Cancelled

    def run(self, main: Callable[..., Any], *arguments: Any) -> Any:
        return self.trio.run(main, *arguments)

    async def give_way(self) -> None:
        await self.trio.sleep(0)

    async def leave_early(self, body: Callable[[], Any]) -> None:
        with self.trio.CancelScope() as scope:
            async with self.trio.open_nursery() as nursery:
                nursery.start_soon(body)
                await self.trio.testing.wait_all_tasks_blocked()
                scope.cancel()
        assert scope.cancelled_caught

    async def both(self, first: Callable[[], Any], second: Callable[[], Any]) -> None:
        async with self.trio.open_nursery() as nursery:
            nursery.start_soon(first)
            nursery.start_soon(second)


class Anyio:
    def __init__(self, backend: str) -> None:
        self.anyio = importlib.import_module("anyio")
        importlib.import_module("anyio.lowlevel")
        with warnings.catch_warnings():  # AnyIO's own use of deprecated parts of Trio
            warnings.simplefilter("ignore")
            importlib.import_module(f"anyio._backends._{backend}")
        self.backend = backend

    def run(self, main: Callable[..., Any], *arguments: Any) -> Any:
        return self.anyio.run(main, *arguments, backend=self.backend)

    async def give_way(self) -> None:
        await self.anyio.lowlevel.checkpoint()

    async def leave_early(self, body: Callable[[], Any]) -> None:
        async with self.anyio.create_task_group() as group:
            group.start_soon(body)
            await self.anyio.wait_all_tasks_blocked()
            group.cancel_scope.cancel()

    async def both(self, first: Callable[[], Any], second: Callable[[], Any]) -> None:
        async with self.anyio.create_task_group() as group:
            group.start_soon(first)
            group.start_soon(second)


LIBRARIES: dict[str, Callable[[], Any]] = {
    "asyncio": Asyncio,
    "uvloop": Uvloop,
    "trio": Trio,
    "anyio-asyncio": lambda: Anyio("asyncio"),
    "anyio-trio": lambda: Anyio("trio"),
}
