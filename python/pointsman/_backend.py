# SPDX-License-Identifier: Apache-2.0
# Base class of user-defined backends, and the source of a policy's resources.
"""A backend runs the work that a policy has placed, and reports its progress to the policy."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import TYPE_CHECKING, Any, Final

from pointsman._discover import discover
from pointsman.error import InvalidOptionError

if TYPE_CHECKING:
    from pointsman._core import Placement

EVENTS: Final = frozenset({"task_submission", "task_completion", "task_time"})


class Backend:
    """Base class of user-defined backends. Pass an instance to any policy:
    ``pm.DynamicLoad(backend=MyBackend(...))``.

    resources: iterable of any objects; default ``pointsman.discover()``.

    Override ``submit``. The engine watches the object that it returns and reports load, time and
    failure to the policy, unless the backend has reported them itself. A backend whose work cannot
    be watched also overrides ``lazy_report``: the policy calls it before each selection, and the
    engine reports nothing. All methods may be called from several threads at once.

    >>> class Counting(pm.Backend):
    ...     count = 0
    ...
    ...     def submit(self, selection, work, /, *args, **kwargs):
    ...         self.count += 1
    ...         return work(selection.resource, *args, **kwargs)
    >>> backend = Counting([pm.Arena(1)])
    >>> pm.DynamicLoad(backend=backend).submit_and_wait(lambda arena: arena.run(pow, 2, 3))
    8
    >>> backend.count
    1
    """

    def __init__(self, resources: Iterable[Any] | None = None) -> None:
        self._resources = discover() if resources is None else _listed(resources)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}>"

    def get_resources(self) -> list[Any]:
        """Return the resources from which a policy chooses."""
        if not hasattr(self, "_resources"):
            name = type(self).__name__
            raise TypeError(
                f"{name} has no resources, because {name}.__init__() did not call "
                "super().__init__(): write super().__init__(resources) in it, or override "
                "get_resources()"
            )
        return list(self._resources)

    def submit(
        self, selection: Placement, work: Callable[..., Any], /, *args: Any, **kwargs: Any
    ) -> Any:
        """Call ``work(selection.resource, *args, **kwargs)`` and return the object to wait for.

        An exception raised here counts as a failure of the work. Use ``selection.report`` for
        events that only the backend knows, such as a time measured by its own clock.
        """
        return work(selection.resource, *args, **kwargs)

    def lazy_report(self) -> None:
        """Report the events of placements that ``submit`` has stored. The policy calls this before
        each selection."""

    def reports(self, resource: Any) -> Collection[str]:
        """Return the names of the events that are reported for work on ``resource``.

        The events are "task_submission", "task_completion" and "task_time"; the default is all
        three. A policy leaves out a resource if an event that it needs is not reported there.
        """
        return EVENTS


def resources_of(resources: Iterable[Any] | None, backend: Backend | None) -> list[Any]:
    """Return a policy's resources: ``resources``, the backend's, or all that the machine has.

    Raises InvalidOptionError when both are given, TypeError when ``backend`` is not a Backend.
    """
    if backend is None:
        return discover() if resources is None else _listed(resources)
    if not isinstance(backend, Backend):
        raise TypeError(f"backend is {backend!r}: pass an instance of a class based on Backend")
    if resources is not None:
        raise InvalidOptionError(
            "resources were given together with a backend: pass them to the backend instead"
        )
    return list(backend.get_resources())


def _listed(resources: Iterable[Any]) -> list[Any]:
    if isinstance(resources, (str, bytes, bytearray)):
        raise TypeError(
            f"resources is {resources!r}, each character of which would be a resource: pass "
            f"[{resources!r}] for a single resource"
        )
    try:
        iterator = iter(resources)
    except TypeError:
        raise TypeError(
            f"resources is {resources!r}, which is not iterable: pass a list, also for a "
            "single resource"
        ) from None
    return list(iterator)


def reports_exact_times(resource: Any) -> bool:
    """Return True if the measured times of work on ``resource`` are exact, not only upper bounds.

    The method ``reports_exact_times()`` of the resource decides, if it has one. A pyopencl queue
    counts as exact if it has profiling; any other resource counts as exact.
    """
    kind = type(resource)
    if hasattr(kind, "reports_exact_times"):
        return bool(resource.reports_exact_times())
    if kind.__module__.partition(".")[0] == "pyopencl" and hasattr(resource, "properties"):
        profiling_enable = 2
        return bool(int(resource.properties) & profiling_enable)
    return True
