# SPDX-License-Identifier: Apache-2.0
# Waitables written in Python: registered types, asyncio futures, device streams.
"""Lets the engine wait for returned objects whose types it does not know."""

from __future__ import annotations

import os
import threading
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, TypeVar

from pointsman import _core
from pointsman.error import InvalidOptionError

make_class = type

if TYPE_CHECKING:
    import asyncio

T = TypeVar("T")


def register_waitable(
    type: type[T],
    *,
    wait: Callable[[T], object] | None = None,
    result: Callable[[T], object] | None = None,
    done: Callable[[T], bool] | None = None,
    add_done_callback: Callable[[T, Callable[..., None]], object] | None = None,
) -> None:
    """Make submissions wait for returned objects of ``type`` and of its subclasses.

    wait: blocks until the work is complete, and raises its error.
    result: waits like ``wait`` and returns the value for ``Submission.result``; without it, the
    value is the object itself.
    done: returns True, without blocking, if the work is complete. The engine polls it, so that the
    policy is notified of the completion before anyone waits.
    add_done_callback: registers a callable to be called once, from any thread, on completion; the
    policy is then notified without polling.

    Raises InvalidOptionError (a ValueError) if neither ``wait`` nor ``result`` is given, TypeError
    if ``type`` is not a class or a function is not callable. A second call for a type replaces the
    first.
    """
    if not isinstance(type, make_class):
        raise TypeError(f"register_waitable() was given {type!r}: pass a class")
    given = {"wait": wait, "result": result, "done": done, "add_done_callback": add_done_callback}
    for name, f in given.items():
        if f is not None and not callable(f):
            raise TypeError(f"register_waitable(): {name} is {f!r}: pass a callable, or None")
    if wait is None and result is None:
        raise InvalidOptionError(
            f"register_waitable({type.__name__}) was given neither wait nor result: pass one of "
            "them, so that a submission can be waited for"
        )
    members: dict[str, Callable[..., Any]] = {}
    if wait is not None:
        members["wait"] = lambda self: wait(self.work)
    if result is not None:
        members["result"] = lambda self: result(self.work)
    if done is not None:
        members["done"] = lambda self: done(self.work)
    if add_done_callback is not None:
        members["add_done_callback"] = lambda self, tell: add_done_callback(
            self.work, lambda *_: tell(self)
        )
    _core._register_waitable(
        type, make_class(f"Registered{type.__name__}", (_Registered,), members)
    )


class _Registered:
    """Work of a registered type; a subclass holds the registered functions."""

    __slots__ = ("work",)

    def __init__(self, work: Any) -> None:
        self.work = work

    def result(self) -> Any:
        self.wait()  # type: ignore[attr-defined]
        return self.work


def stand_in_for(work: Any) -> Any:
    """Return a waitable for ``work``, or None if it needs none."""
    if getattr(work, "_asyncio_future_blocking", None) is not None:
        return _AsyncioWork(work)
    if callable(getattr(work, "synchronize", None)):
        return _device_work(work)
    if isinstance(work, Awaitable):
        return _started(work)
    return None


class _AsyncioWork:
    """A future of asyncio, which belongs to the thread of its event loop."""

    def __init__(self, future: asyncio.Future[Any]) -> None:
        self._future = future
        self._loop = future.get_loop()
        self.done = future.done
        self.cancelled = future.cancelled
        self.exception = future.exception

    def add_done_callback(self, tell: Callable[[Any], None]) -> None:
        self._in_its_thread(self._future.add_done_callback, lambda _: tell(self))

    def wait(self) -> None:
        if self._future.done():
            return
        if _running_loop() is self._loop:
            raise RuntimeError(
                "this thread runs the event loop of the work, which cannot complete it while the "
                "thread waits: await the work, or wait in another thread"
            )
        completion = threading.Event()
        self._in_its_thread(self._future.add_done_callback, lambda _: completion.set())
        completion.wait()

    def result(self) -> Any:
        self.wait()
        return self._future.result()

    def cancel(self) -> bool:
        """Ask the loop to cancel the work. Return False: whether it stops is not known yet."""
        self._in_its_thread(self._future.cancel)
        return False

    def _in_its_thread(self, call: Callable[..., object], *args: Any) -> None:
        if _running_loop() is self._loop:
            call(*args)
        else:
            self._loop.call_soon_threadsafe(call, *args)


def _running_loop() -> asyncio.AbstractEventLoop | None:
    from asyncio import _get_running_loop

    return _get_running_loop()


def _started(work: Awaitable[Any]) -> Any:
    """Start an awaitable on the loop of this thread, or on pointsman's own."""
    import asyncio

    async def wait_for_it() -> Any:
        return await work

    loop = _running_loop()
    if loop is not None:
        return _AsyncioWork(loop.create_task(wait_for_it()))
    loop = _Background.loop()
    return asyncio.run_coroutine_threadsafe(wait_for_it(), loop)


class _Background:
    """The event loop of awaitables that were returned in a thread without one."""

    _lock = threading.Lock()
    _loop: asyncio.AbstractEventLoop | None = None

    @classmethod
    def forget(cls) -> None:
        """Reset the state in a forked child, which lacks the thread."""
        cls._lock = threading.Lock()
        cls._loop = None

    @classmethod
    def loop(cls) -> asyncio.AbstractEventLoop:
        import asyncio

        with cls._lock:
            if cls._loop is None:
                loop = asyncio.new_event_loop()
                name = "pointsman's event loop"
                try:
                    threading.Thread(target=loop.run_forever, name=name, daemon=True).start()
                except BaseException:  # no thread could be started
                    loop.close()
                    raise
                cls._loop = loop
            return cls._loop


os.register_at_fork(after_in_child=_Background.forget)


class _DeviceWork:
    """An event of a device, such as an event of CuPy or PyTorch."""

    def __init__(self, event: Any) -> None:
        self.wait = event.synchronize


class _PolledDeviceWork(_DeviceWork):
    """An event that reports completion by ``query()``, ``done()`` or a property ``done``."""

    def __init__(self, event: Any) -> None:
        super().__init__(event)
        self._event = event

    def done(self) -> bool:
        query = getattr(self._event, "query", None)
        state = self._event.done if query is None else query
        return bool(state() if callable(state) else state)


def _device_work(work: Any) -> _DeviceWork:
    """Wrap an event; for a stream, an event recorded after all its work so far."""
    event = work
    if hasattr(work, "record_event"):
        event = work.record_event()
    elif hasattr(work, "wait_event") and hasattr(work, "record"):
        event = work.record()
    polled = hasattr(event, "query") or hasattr(event, "done")
    return _PolledDeviceWork(event) if polled else _DeviceWork(event)
