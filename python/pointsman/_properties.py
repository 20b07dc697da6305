# SPDX-License-Identifier: Apache-2.0
# Executor properties, their values and their defaults.
"""Properties of executors. ``executor.query(blocking)`` returns the value of a property, and
``executor.require(blocking.never)`` an executor with that value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

__all__ = ["Property", "Value", "blocking", "mapping", "occupancy", "outstanding_work"]


@dataclass(frozen=True)
class Property:
    """A property of an executor. Call it with a value to make a requirement.

    A user-defined property has its default value on every executor that does not know it.

    >>> arena = pm.executors.arena(pm.Arena(1))
    >>> arena.query(pm.executors.blocking)
    'always'
    >>> arena.require(pm.executors.blocking("never")).query(pm.executors.blocking)
    'never'
    >>> arena.query(pm.executors.Property("priority", default=0))
    0
    """

    name: str
    default: Any

    def __call__(self, value: Any) -> Value:
        """Return the requirement that the property has this value."""
        return Value(self, value)


@dataclass(frozen=True)
class Value:
    """One value of a property."""

    property: Property
    value: Any

    def __str__(self) -> str:
        return f"{self.property.name}.{self.value}"


class _Blocking(Property):
    """Whether work is complete when a call returns: ``always``, ``never`` or ``possibly``."""

    @property
    def always(self) -> Value:
        return self("always")

    @property
    def never(self) -> Value:
        return self("never")

    @property
    def possibly(self) -> Value:
        return self("possibly")


class _Mapping(Property):
    """What runs each call: a ``thread``, a ``new_thread``, or ``other``, such as vector lanes."""

    @property
    def thread(self) -> Value:
        return self("thread")

    @property
    def new_thread(self) -> Value:
        return self("new_thread")

    @property
    def other(self) -> Value:
        return self("other")


class _OutstandingWork(Property):
    """Whether a live executor counts as outstanding work: ``untracked`` or ``tracked``."""

    @property
    def untracked(self) -> Value:
        return self("untracked")

    @property
    def tracked(self) -> Value:
        return self("tracked")


blocking: Final = _Blocking("blocking", "always")
mapping: Final = _Mapping("mapping", "thread")
outstanding_work: Final = _OutstandingWork("outstanding_work", "untracked")
occupancy: Final = Property("occupancy", 1)
