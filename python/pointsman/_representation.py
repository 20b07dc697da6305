# SPDX-License-Identifier: Apache-2.0
# Shortens long lists of resources and numbers resources with the same repr.
"""The ``repr`` of policies, and distinct names for the resources of a policy."""

from __future__ import annotations

import reprlib
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from pointsman.error import NotInitializedError

if TYPE_CHECKING:
    from pointsman._core import Policy

MOST_RESOURCES: Final = 4

_shortened: Final = reprlib.Repr()
_shortened.maxother = _shortened.maxstring = 60


def of_policy(policy: Policy, *more_options: str) -> str:
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
    names = [repr(resource) for resource in resources]
    times = Counter(names)
    return [
        f"{name} (number {number} of {len(names)})" if times[name] > 1 else name
        for number, name in enumerate(names, 1)
    ]
