# SPDX-License-Identifier: Apache-2.0
# The base of backends that users write, and where a policy takes its resources from.
"""A backend runs the work that a policy has placed, and tells the policy what became of it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import TYPE_CHECKING, Any, Final

from pointsman._discover import discover
from pointsman.error import InvalidOptionError

if TYPE_CHECKING:
    from pointsman._core import Placement

EVENTS: Final = frozenset({"task_submission", "task_completion", "task_time"})


class Backend:
    """Base of backends of your own, for any policy: ``pm.DynamicLoad(backend=MyBackend(...))``.

    resources: iterable of any objects; default ``pointsman.discover()``.

    Write ``submit``; the engine then watches what it returns and reports load, time and failure, as
    far as the backend has not done so itself. A backend whose work cannot be watched writes
    ``lazy_report`` too: the policy calls it before each selection, and the engine reports nothing
    by itself. All methods may be called from several threads at once.
    """

    def __init__(self, resources: Iterable[Any] | None = None) -> None:
        self._resources = discover() if resources is None else _listed(resources)

    def get_resources(self) -> list[Any]:
        """Return the resources from which a policy is to choose."""
        return list(self._resources)

    def submit(
        self, selection: Placement, work: Callable[..., Any], /, *args: Any, **kwargs: Any
    ) -> Any:
        """Call ``work(selection.resource, *args, **kwargs)`` and return what is to be waited for.

        An exception that comes out of here counts as a failure of the work. ``selection.report``
        tells the policy what only the backend knows, such as the time on a clock of its own.
        """
        return work(selection.resource, *args, **kwargs)

    def lazy_report(self) -> None:
        """Report on placements that were kept in ``submit``; called before each selection."""

    def reports(self, resource: Any) -> Collection[str]:
        """Return the names of the events that are reported of work on ``resource``.

        A policy leaves out resources of which it needs more: of "task_submission",
        "task_completion" and "task_time", which are all here.
        """
        return EVENTS


def resources_of(resources: Iterable[Any] | None, backend: Backend | None) -> list[Any]:
    """Return the resources that a policy is to take: those given, the backend's, or all.

    Raises InvalidOptionError when both are given, TypeError when ``backend`` is none.
    """
    if backend is None:
        return discover() if resources is None else _listed(resources)
    if not isinstance(backend, Backend):
        raise TypeError(f"backend is {backend!r}: pass an instance of a class based on Backend")
    if resources is not None:
        raise InvalidOptionError(
            "resources were given beside a backend: pass them to the backend, which has its own"
        )
    return list(backend.get_resources())


def _listed(resources: Iterable[Any]) -> list[Any]:
    try:
        iterator = iter(resources)
    except TypeError:
        raise TypeError(
            f"resources is {resources!r}, which is not iterable: pass a list, of one element for "
            "one resource"
        ) from None
    return list(iterator)


def reports_exact_times(resource: Any) -> bool:
    """Return whether the times of work on ``resource`` are exact, not only upper bounds.

    A resource says so itself, in a method ``reports_exact_times()``; a queue of pyopencl needs
    profiling; any other resource is taken to.
    """
    kind = type(resource)
    if hasattr(kind, "reports_exact_times"):
        return bool(resource.reports_exact_times())
    if kind.__module__.partition(".")[0] == "pyopencl" and hasattr(resource, "properties"):
        profiling_enable = 2
        return bool(int(resource.properties) & profiling_enable)
    return True
