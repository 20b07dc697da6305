# SPDX-License-Identifier: Apache-2.0
# Base class of user-defined policies, and the policy that compares scores.
"""User-defined policies: a rule in Python, applied by the engine that all policies share."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from math import isnan
from types import FunctionType
from typing import TYPE_CHECKING, Any

from pointsman import _core, _representation
from pointsman._explanation import CANNOT_RUN, NO_VARIANT
from pointsman._policy import R
from pointsman._task import OnResource
from pointsman.error import InvalidOptionError

if TYPE_CHECKING:
    from pointsman._backend import Backend
    from pointsman._core import DeferredInitialization, ResourceStatistics, _Resources
    from pointsman._health import HealthSettings


class PolicyBase(_core.CustomPolicy[R]):
    """Base class of user-defined policies.

    resources: iterable of any objects, or ``deferred_initialization``; by default the resources of
    the backend, or of ``pointsman.discover()`` without a backend.
    backend: instance of a ``Backend`` that runs the work; default the engine's own.
    health: a ``HealthSettings``: when a resource that fails is left out, whatever ``try_select``
    returns.

    A subclass overrides ``try_select``; all other methods use it:

    >>> prices = {"near": 2, "far": 1}
    >>> class Cheapest(pm.PolicyBase):
    ...     def try_select(self, work, *args, **kwargs):
    ...         return min(self.get_resources(), key=prices.get)
    >>> Cheapest(prices).submit_and_wait(lambda resource: resource)
    'far'
    """

    def __init__(
        self,
        resources: _Resources[R] | DeferredInitialization | None = None,
        *,
        backend: Backend | None = None,
        health: HealthSettings | None = None,
    ) -> None:
        super().__init__(_core.deferred_initialization)
        if not isinstance(resources, _core.DeferredInitialization):
            # A subclass whose `initialize` knows no such settings is not asked for them.
            settings: dict[str, Any] = {} if health is None else {"health": health}
            self.initialize(resources, backend=backend, **settings)

    def try_select(self, work: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
        """Return the resource for ``work(resource, *args, **kwargs)``; ``None`` if none is free.

        The result is an element of ``get_resources()`` or of ``statistics()``; the latter tells
        equal resources apart. After ``None``, ``try_submit`` returns ``None``, and ``submit`` asks
        again when a submission completes, when ``notify()`` is called, and after pauses of up to
        5 ms. May be called from several threads at once.
        """
        raise NotImplementedError(
            f"{type(self).__name__} has no rule: write try_select(self, work, *args, **kwargs), "
            "which returns one of self.get_resources(), or None"
        )


class ScoredPolicy(PolicyBase[R]):
    """Chooses the resource with the lowest score; resources with equal scores take turns.

    score: called as ``score(statistics, *args, **kwargs)`` for each resource, with its
    ``ResourceStatistics`` and the work's arguments. It returns a number, or ``None`` for a resource
    that is not free. If it returns NaN, the submission raises InvalidOptionError (a ValueError); if
    it returns anything else, TypeError. Not called for resources on which the work cannot run. May
    be called from several threads at once.
    resources, backend, health: as for ``PolicyBase``.

    >>> prices = {"near": 2, "far": 1}
    >>> def cost(stats, *args):
    ...     return prices[stats.resource] * (stats.load + 1)
    >>> pm.ScoredPolicy(cost, prices).submit_and_wait(lambda resource: resource)
    'far'
    """

    def __init__(
        self,
        score: Callable[..., float | None],
        resources: _Resources[R] | DeferredInitialization | None = None,
        *,
        backend: Backend | None = None,
        health: HealthSettings | None = None,
    ) -> None:
        if not callable(score):
            raise TypeError(
                f"score is {score!r}: pass a callable, which receives the ResourceStatistics of a "
                "resource and the arguments of the work"
            )
        self._score = score
        self._turn = count()
        super().__init__(resources, backend=backend, health=health)

    def __repr__(self) -> str:
        name = getattr(self._score, "__qualname__", None) or repr(self._score)
        return _representation.of_policy(self, f"score={name}")

    def try_select(self, work: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
        """Return the entry of ``statistics()`` with the lowest score."""
        entries = self.statistics()
        first = next(self._turn) % len(entries)
        refusal = None if type(work) is FunctionType else _refusal_of(work)
        scores: list[Any] = []
        lowest: float | None = None
        found: ResourceStatistics | None = None
        for entry in entries[first:] + entries[:first]:
            if refusal is not None and (reason := refusal(entry)) is not None:
                scores.append(reason)
                continue
            score = self._score(entry, *args, **kwargs)
            scores.append(score)
            if score is None:
                continue
            _check_score(score, entry)
            if lowest is None or score < lowest:
                lowest, found = score, entry
        if found is not None:
            found._scores = scores[-first:] + scores[:-first]
        elif refusal is not None and None not in scores:
            return entries[first]  # the engine rejects it and states the reason
        return found


def _check_score(score: Any, entry: ResourceStatistics) -> None:
    """Raise for a score that cannot be compared."""
    error: type[Exception] = InvalidOptionError
    try:
        if not isnan(score):
            return
    except OverflowError:  # an integer beyond all floats
        return
    except TypeError:
        error = TypeError
    raise error(
        f"the score of {entry.resource!r} is {score!r}: return a number (the lowest wins), or "
        "None for a resource that is not free"
    )


def _refusal_of(work: Callable[..., Any]) -> Callable[[ResourceStatistics], str | None] | None:
    """Return a function of a resource's statistics that returns why ``work`` cannot run there, or
    None if it can. Return None instead of the function if ``work`` runs on all resources."""
    kind = type(work)
    if kind is OnResource:
        return lambda entry: None if entry.runs_functions else CANNOT_RUN
    refuses = getattr(kind, "__pointsman_refusal__", None)
    if refuses is not None:
        return lambda entry: NO_VARIANT if refuses(work, entry.resource) else None
    return None
