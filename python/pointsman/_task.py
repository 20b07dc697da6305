# SPDX-License-Identifier: Apache-2.0
# Callables that state their kind of task and the resources that they run on.
"""``task`` and ``tuned`` name and size tasks; ``variants`` chooses code by type of resource."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from functools import update_wrapper
from types import TracebackType
from typing import Any, Generic, ParamSpec, TypeVar, overload

from pointsman import _core
from pointsman.error import InvalidOptionError, UnsuitableResourcesError

Key = Callable[..., Any]
P = ParamSpec("P")
V = TypeVar("V")


class OnResource:
    """The work that ``policy.run`` submits: runs ``func`` on the resource that the policy chose."""

    __slots__ = ("__wrapped__",)

    def __init__(self, func: Callable[..., Any]) -> None:
        self.__wrapped__ = func

    def __call__(self, resource: Any, /, *args: Any, **kwargs: Any) -> Any:
        return _core._runner_of(resource)(self.__wrapped__, *args, **kwargs)


def add_note_on_run(
    error: TypeError, trace: TracebackType | None, work: Callable[..., Any]
) -> None:
    """Point at ``run`` in the error of a ``submit`` whose callable did not accept its arguments.

    Does nothing if the error was raised inside the callable.
    """
    while trace is not None:
        if trace.tb_frame.f_code not in (Task.__call__.__code__, Variants.__call__.__code__):
            return
        trace = trace.tb_next
    name = getattr(work, "__qualname__", None) or repr(work)
    note = (
        f"submit() called {name}(resource, ...), with the chosen resource as the first argument: "
        f"if {name} takes no resource, write policy.run({name}, ...)"
    )
    if sys.version_info >= (3, 11):
        error.add_note(note)
    else:
        error.args = (f"{error}\n{note}",)


class Task(Generic[P, V]):
    """A callable that defines which calls are the same task; made by ``task`` and ``tuned``."""

    __wrapped__: Callable[P, V]

    def __init__(self, f: Callable[P, V], key: Key | None, name: str | None) -> None:
        if not callable(f):
            raise TypeError(f"a task was made of {f!r}: pass a callable")
        if key is not None and not callable(key):
            raise InvalidOptionError(
                f"key is {key!r}: pass a callable, which receives the arguments of the submission"
            )
        update_wrapper(self, f)
        self.name = name
        self.key = key

    def __call__(self, /, *args: P.args, **kwargs: P.kwargs) -> V:
        return self.__wrapped__(*args, **kwargs)

    def __repr__(self) -> str:
        function = self.__wrapped__
        return f"<Task {self.name or getattr(function, '__qualname__', repr(function))}>"

    @property
    def __pointsman_name__(self) -> Any:
        return self.name or 0

    @property
    def __pointsman_size__(self) -> Key | None:
        return self.key


class PartialTask(Task[P, V]):
    """A task whose callable runs only on some resources, such as the result of ``variants``."""

    def __pointsman_refusal__(self, resource: Any) -> str | None:
        refusal: str | None = self.__wrapped__.__pointsman_refusal__(resource)  # type: ignore[attr-defined]
        return refusal


def _task_of(f: Callable[P, V], key: Key | None, name: str | None) -> Task[P, V]:
    refuses = hasattr(type(f), "__pointsman_refusal__")
    return (PartialTask if refuses else Task)(f, key, name)


def task(f: Callable[P, V], *, key: Key | None = None, name: str | None = None) -> Task[P, V]:
    """Return ``f`` as a task that measuring policies identify by ``name`` and ``key``.

    name: distinguishes it from other tasks with the same code; by default it has no name.
    key: called as ``key(*args, **kwargs)`` with the arguments of the submission, without the
    resource. Tasks with equal keys are expected to take equally long. Integer keys are equal if
    they have the same power of two; other keys must be hashable and are compared by ``==``.
    Without ``key``, the key consists of the power of two of each argument's size.

    Raises TypeError if ``f`` is not callable, InvalidOptionError (a ValueError) if ``key`` is not.

    >>> def total(resource, numbers):
    ...     return sum(numbers)
    >>> policy = pm.AutoTune(["a", "b"])
    >>> policy.submit_and_wait(pm.task(total, key=len, name="total"), [1, 2, 3])
    6
    """
    return _task_of(f, key, name)


@overload
def tuned(f: Callable[P, V], /) -> Task[P, V]: ...
@overload
def tuned(
    *, key: Key | None = None, name: str | None = None
) -> Callable[[Callable[P, V]], Task[P, V]]: ...
def tuned(
    f: Callable[..., Any] | None = None, /, *, key: Key | None = None, name: str | None = None
) -> Task[..., Any] | Callable[[Callable[..., Any]], Task[..., Any]]:
    """``task`` as a decorator; by default, the name is that of the function.

    >>> @pm.tuned(key=lambda image: image.size)
    ... def brightest(resource, image):
    ...     return int(image.max())
    >>> pm.AutoTune(["a", "b"]).submit_and_wait(brightest, np.array([3, 1]))
    3
    """

    def decorate(function: Callable[..., Any]) -> Task[..., Any]:
        return _task_of(function, key, name or getattr(function, "__qualname__", None))

    return decorate if f is None else decorate(f)


class Variants:
    """A task with one implementation for each type of resource; made by ``variants``."""

    def __init__(self, implementations: Mapping[type, Callable[..., Any]]) -> None:
        if not isinstance(implementations, Mapping):
            raise TypeError(
                f"variants were given {implementations!r}: pass a mapping from types of resources "
                "to callables"
            )
        if not implementations:
            raise InvalidOptionError(
                "variants were given no implementation: pass a mapping from types of resources to "
                "callables"
            )
        for kind, f in implementations.items():
            if not isinstance(kind, type) or not callable(f):
                raise TypeError(f"variants map {kind!r} to {f!r}: map a class to a callable")
        self.implementations: dict[type, Callable[..., Any]] = dict(implementations)
        self._name = tuple(
            (kind.__module__, kind.__qualname__, _core._task_identity(f))
            for kind, f in self.implementations.items()
        )

    def __call__(self, resource: Any, /, *args: Any, **kwargs: Any) -> Any:
        implementation = self.implementation_for(resource)
        if implementation is None:
            raise UnsuitableResourcesError(self.__pointsman_refusal__(resource))
        return implementation(resource, *args, **kwargs)

    def __repr__(self) -> str:
        return f"<variants for {', '.join(kind.__qualname__ for kind in self.implementations)}>"

    def implementation_for(self, resource: Any) -> Callable[..., Any] | None:
        """Return the implementation for the nearest class in the MRO of ``resource``, or None."""
        for kind in type(resource).__mro__:
            if kind in self.implementations:
                return self.implementations[kind]
        return None

    @property
    def __pointsman_name__(self) -> Any:
        return self._name

    def __pointsman_refusal__(self, resource: Any) -> str | None:
        if self.implementation_for(resource) is not None:
            return None
        kinds = ", ".join(kind.__qualname__ for kind in self.implementations)
        return (
            f"there is no variant for {resource!r} (a {type(resource).__qualname__}), only for "
            f"{kinds}: add one, or give the policy resources that have one"
        )


def variants(implementations: Mapping[type, Callable[..., Any]]) -> Variants:
    """Return a task that calls the implementation for the type of the chosen resource.

    implementations: maps classes of resources to callables, each called as
    ``f(resource, *args, **kwargs)``. A class includes its subclasses.

    A policy skips resources without an implementation; the submission raises
    UnsuitableResourcesError (a TypeError) if none of its resources has one.

    >>> def in_arena(arena, x):
    ...     return arena.run(pow, x, 2)
    >>> def on_host(name, x):
    ...     return f"{name} got {x}"
    >>> square = pm.variants({pm.Arena: in_arena, str: on_host})
    >>> policy = pm.RoundRobin([pm.Arena(1), "a remote host"])
    >>> [policy.submit_and_wait(square, 3) for _ in range(2)]
    [9, 'a remote host got 3']
    """
    return Variants(implementations)
