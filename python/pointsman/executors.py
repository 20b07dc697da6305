# SPDX-License-Identifier: Apache-2.0
# Executors: one way to run work, whatever the machine offers.
"""Executors run one function (``execute``) or a function for each index (``bulk_execute``)::

    import numpy as np
    import pointsman as pm

    x, y = np.ones(1000), np.zeros(1000)

    def body(i):
        y[i] += 2 * x[i]

    pm.executors.arena().bulk_execute(body, 1000)
    work = pm.executors.arena().require(pm.executors.blocking.never).bulk_execute(body, 1000)
    work.result()

    def loop(executor):
        executor.bulk_execute(body, 1000)

    pm.executors.best_fit(loop, 1000, pm.executors.inline(), pm.executors.unsequenced())

An executor that always blocks returns ``None`` and raises the first exception of its work, once
all of it has stopped. One that never blocks returns a handle with ``wait()``, ``done()`` and
``result()``.
"""

from __future__ import annotations

import functools
import os
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar, SupportsIndex, TypeVar

import numpy as np

from pointsman import opencl as _opencl
from pointsman._core import Arena, ArenaTask, AutoTune
from pointsman._properties import (
    Property,
    Value,
    blocking,
    mapping,
    occupancy,
    outstanding_work,
)
from pointsman.error import Error, InvalidOptionError, WaitTimeoutError

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = [
    "BulkHandle",
    "Executor",
    "NoExecutorFitsError",
    "Property",
    "arena",
    "best_fit",
    "blocking",
    "bulk_execute",
    "execute",
    "inline",
    "mapping",
    "occupancy",
    "opencl",
    "outstanding_work",
    "prefer",
    "query",
    "require",
    "unsequenced",
]

_Result = TypeVar("_Result")
_Resource = TypeVar("_Resource")


class NoExecutorFitsError(Error, RuntimeError):
    """Each of several executors was refused; the text says why."""


@dataclass(frozen=True)
class Executor:
    """What all executors share: properties. Equal executors run work in the same place."""

    name: ClassVar[str]
    blocks: str = "always"
    allowed: ClassVar[tuple[str, ...]] = ("always",)

    def _answers(self) -> dict[Property, Any]:
        return {blocking: self.blocks}

    def query(self, wanted: Property) -> Any:
        """Return what the executor says of a property: its default where it does not know it."""
        return self._answers().get(wanted, wanted.default)

    def require(self, *wanted: Value) -> Self:
        """Return an executor like this one that has these values, or raise InvalidOptionError."""
        result = self
        for value in wanted:
            if not isinstance(value, Value):
                raise TypeError(f"{value!r} is required: pass a value such as blocking.never")
            if result.query(value.property) == value.value:
                continue
            if value.property is not blocking or value.value not in self.allowed:
                raise InvalidOptionError(
                    f"the executor '{self.name}' cannot have {value}: use prefer(), which leaves "
                    "it as it is then, or another executor"
                )
            result = replace(result, blocks=value.value)
        return result

    def prefer(self, *wanted: Value) -> Self:
        """Return an executor like this one that has those of the values that it can have."""
        result = self
        for value in wanted:
            try:
                result = result.require(value)
            except InvalidOptionError:
                continue
        return result

    def execute(self, f: Callable[..., Any]) -> Any:
        """Have ``f()`` called once."""
        raise NotImplementedError

    def bulk_execute(self, f: Callable[..., Any], shape: Any) -> Any:
        """Have ``f(index)`` called for each index of the shape."""
        raise NotImplementedError


def _checked(shape: int) -> int:
    if not isinstance(shape, SupportsIndex):
        raise TypeError(f"the shape is {shape!r}: pass an int, the number of calls")
    if shape < 0:
        raise InvalidOptionError(f"the shape is {shape}: pass the number of calls, 0 or more")
    return shape


class _Inline(Executor):
    """Runs work on the calling thread, in the order of the indices."""

    name = "inline"

    def execute(self, f: Callable[[], Any]) -> None:
        f()

    def bulk_execute(self, f: Callable[[int], Any], shape: int) -> None:
        for index in range(_checked(shape)):
            f(index)


class _Unsequenced(_Inline):
    """Calls a function once with the array of all indices: NumPy's loops are the vector lanes."""

    name = "unsequenced"

    def _answers(self) -> dict[Property, Any]:
        return {**super()._answers(), mapping: "other"}

    def bulk_execute(self, f: Callable[[Any], Any], shape: int) -> None:
        if _checked(shape) > 0:
            f(np.arange(shape))


@dataclass(frozen=True)
class BulkHandle:
    """The parts of bulk work that goes on after the call."""

    tasks: Sequence[ArenaTask]

    def wait(self, timeout: float | None = None) -> bool:
        """Block until all parts are over; return whether they are.

        timeout: seconds; None for no limit. Their errors come out of ``result()``.
        """
        if timeout is None:
            return all(task.wait() for task in self.tasks)
        deadline = time.monotonic() + timeout
        return all(task.wait(max(deadline - time.monotonic(), 0.0)) for task in self.tasks)

    def done(self) -> bool:
        """Return whether all parts are over. Never blocks."""
        return all(task.done() for task in self.tasks)

    def result(self, timeout: float | None = None) -> None:
        """Block until all parts are over and raise the first exception of the lowest part.

        Raises WaitTimeoutError when they are not over within ``timeout`` seconds.
        """
        if not self.wait(timeout):
            raise WaitTimeoutError(
                f"the parts were not all over within {timeout} s: wait again, or longer"
            )
        for task in self.tasks:
            task.result()


def _run_part(f: Callable[[int], Any], indices: range) -> None:
    for index in indices:
        f(index)


@functools.cache
def _shared_arena() -> Arena:
    return Arena()


@dataclass(frozen=True)
class _Arena(Executor):
    """Runs work on the threads of an ``Arena``: side by side where it releases the GIL."""

    name = "arena"
    allowed = ("always", "never", "possibly")
    context: Arena = field(default_factory=_shared_arena)

    def _answers(self) -> dict[Property, Any]:
        return {**super()._answers(), occupancy: self.context.concurrency}

    def execute(self, f: Callable[[], Any]) -> ArenaTask | None:
        task = self.context.run(f)
        if self.blocks != "always":
            return task
        task.result()
        return None

    def bulk_execute(self, f: Callable[[int], Any], shape: int) -> BulkHandle | None:
        parts = min(_checked(shape), 4 * self.context.concurrency)
        bounds = [shape * part // parts for part in range(parts)] + [shape] if parts > 0 else []
        pairs = zip(bounds, bounds[1:], strict=False)
        handle = BulkHandle([self.context.run(_run_part, f, range(*pair)) for pair in pairs])
        if self.blocks != "always":
            return handle
        handle.result()
        return None


@functools.cache
def _shared_queue() -> _opencl.Queue:
    return _opencl.Queue()


@dataclass(frozen=True)
class _OpenCL(Executor):
    """Runs kernels: its callables are called with a queue and a shape, and return an event."""

    name = "opencl"
    allowed = ("always", "never", "possibly")
    context: _opencl.Queue = field(default_factory=_shared_queue)

    def _answers(self) -> dict[Property, Any]:
        units = self.context.device.compute_units
        return {**super()._answers(), mapping: "other", occupancy: units}

    def execute(self, f: Callable[[_opencl.Queue, Any], _opencl.Event]) -> _opencl.Event | None:
        return self.bulk_execute(f, 1)

    def bulk_execute(
        self, f: Callable[[_opencl.Queue, Any], _opencl.Event], shape: int | Sequence[int]
    ) -> _opencl.Event | None:
        event = f(self.context, shape)
        if self.blocks != "always":
            return event
        event.wait()
        return None


def _checked_resource(where: _Resource, kind: type[_Resource]) -> _Resource:
    if not isinstance(where, kind):
        raise TypeError(f"the executor was to run on {where!r}: pass {kind.__name__}")
    return where


def inline() -> Executor:
    """Return the executor that runs work on the calling thread."""
    return _Inline()


def unsequenced() -> Executor:
    """Return the executor that passes the array of all indices to one call of the function."""
    return _Unsequenced()


def arena(where: Arena | None = None) -> Executor:
    """Return the executor of an arena; without one, of the arena that all such executors share."""
    return _Arena() if where is None else _Arena(context=_checked_resource(where, Arena))


def opencl(where: _opencl.Queue | None = None) -> Executor:
    """Return the executor of a queue; without one, of a queue on the first device.

    Its callables enqueue: ``lambda queue, shape: queue.enqueue(kernel, shape, buffer)``. Raises
    OpenCLError where there is no device.
    """
    return _OpenCL() if where is None else _OpenCL(context=_checked_resource(where, _opencl.Queue))


def execute(executor: Executor, f: Callable[..., Any]) -> Any:
    """Have ``f()`` called once on an executor."""
    return executor.execute(f)


def bulk_execute(executor: Executor, f: Callable[..., Any], shape: Any) -> Any:
    """Have ``f(index)`` called on an executor for each index of the shape."""
    return executor.bulk_execute(f, shape)


def query(executor: Executor, wanted: Property) -> Any:
    """Return what an executor says of a property."""
    return executor.query(wanted)


def require(executor: Executor, *wanted: Value) -> Executor:
    """Return an executor like this one that has these values, or raise InvalidOptionError."""
    return executor.require(*wanted)


def prefer(executor: Executor, *wanted: Value) -> Executor:
    """Return an executor like this one that has those of the values that it can have."""
    return executor.prefer(*wanted)


def _is_switched_on(name: str) -> bool:
    variable = f"POINTSMAN_ENABLE_{name.upper()}_EXEC"
    value = os.environ.get(variable, "").upper()
    if value in ("OFF", "0", "FALSE", "NO"):
        return False
    if value not in ("", "ON", "1", "TRUE", "YES"):
        raise InvalidOptionError(
            f"the environment has {variable}={value}: set it to ON or OFF, or remove it"
        )
    return True


_policies: dict[tuple[Executor, ...], AutoTune] = {}
_policies_lock = threading.Lock()


def best_fit(f: Callable[[Executor], _Result], key: Any, *executors: Executor) -> _Result:
    """Call ``f(executor)`` with the executor that is the fastest for work of this kind.

    The kind is ``f``'s code and the size class of ``key``, a number or an array. Each executor is
    tried twice; then the fastest is used, and measured again now and then. Returns what ``f``
    returns, once that is complete. An executor is left out that the environment switches off
    (``POINTSMAN_ENABLE_<NAME>_EXEC=OFF``); raises NoExecutorFitsError when none is left.
    """
    fitting = tuple(e for e in executors if _is_switched_on(e.name))
    if not fitting:
        lines = [
            f"  {e.name}: switched off by POINTSMAN_ENABLE_{e.name.upper()}_EXEC: set it to ON\n"
            for e in executors
        ]
        raise NoExecutorFitsError(f"no executor fits:\n{''.join(lines)}pass executors.inline() too")
    with _policies_lock:
        policy = _policies.get(fitting)
        if policy is None:
            policy = _policies.setdefault(fitting, AutoTune(fitting))

    @functools.wraps(f)
    def call(executor: Executor, _key: Any) -> _Result:
        return f(executor)

    result: _Result = policy.submit_and_wait(call, key)
    return result
