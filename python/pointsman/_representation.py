# SPDX-License-Identifier: Apache-2.0
# Shortens long lists of resources, numbers resources with the same repr, and writes durations.
"""The ``repr`` of policies, distinct names for the resources of a policy, and durations as text."""

from __future__ import annotations

import reprlib
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from pointsman.error import NotInitializedError

if TYPE_CHECKING:
    from pointsman._core import _Policy

MOST_RESOURCES: Final = 4

_shortened: Final = reprlib.Repr()
_shortened.maxother = _shortened.maxstring = 60


def of_policy(policy: _Policy, *more_options: str) -> str:
    """Return a policy's ``repr``: its class, first resources, their number and its options."""
    name = type(policy).__name__
    try:
        resources = policy.get_resources()
        backend, options = policy._setting()
    except NotInitializedError:
        return f"<{name}, not initialised>"
    shown = [_shortened.repr(resource) for resource in resources[:MOST_RESOURCES]]
    if len(resources) > MOST_RESOURCES:
        shown.append(f"{len(resources) - MOST_RESOURCES} more")
    count = "1 resource" if len(resources) == 1 else f"{len(resources)} resources"
    details = [options] if options else []
    details += more_options
    if backend is not None:
        details.append(f"backend={_shortened.repr(backend)}")
    return f"<{name} of {count}: {', '.join(shown)}{''.join(f'; {text}' for text in details)}>"


def names_of(resources: Sequence[Any]) -> list[str]:
    """Return the ``repr`` of each resource, numbered if several have the same."""
    names = [text_of(resource) for resource in resources]
    times = Counter(names)
    return [
        f"{name} (number {number} of {len(names)})" if times[name] > 1 else name
        for number, name in enumerate(names, 1)
    ]


def text_of(resource: Any) -> str:
    """Return the ``repr`` of a resource; its type if the ``repr`` fails."""
    try:
        return repr(resource)
    except Exception:
        return f"<{type(resource).__name__} without a repr>"


def text_of_time(seconds: float) -> str:
    """Return a duration with three digits and a unit, such as "403 ns" or "1.2 ms".

    From 1,000 s on all digits of the seconds are written.
    """
    first_of_four_digits = 999.5  # after rounding
    for unit, factor in (("ns", 1e9), ("µs", 1e6), ("ms", 1e3), ("s", 1.0)):
        if seconds * factor < first_of_four_digits:
            return f"{seconds * factor:.3g} {unit}"
    return f"{seconds:.0f} s"
