# SPDX-License-Identifier: Apache-2.0
# Finds what a policy has measured of a callable, for pictures.
"""The measured kinds of task that belong to a callable or a name, and their sizes."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

from pointsman import _core
from pointsman._measured import MeasuredKind
from pointsman.error import InvalidOptionError

_ALL: Final = 1 << 16
_SIZES: Final = re.compile(r"\([^()]*\)$")


def kinds_of(policy: Any, kind: Callable[..., Any] | str) -> list[MeasuredKind]:
    """Return the measured kinds of ``kind``, the most used first.

    kind: a callable; or the name of a callable, for all sizes of its arguments, or of one kind, as
        the policy's table shows it.
    Raises TypeError if the policy does not measure, InvalidOptionError if it has measured nothing
    of the kind.
    """
    if not hasattr(policy, "_measured_kinds"):
        raise TypeError(
            f"{type(policy).__name__} measures no kinds of task: pass an AutoTune or an "
            "EarliestFinish"
        )
    measured: list[MeasuredKind] = policy._measured_kinds(_ALL)
    if isinstance(kind, str):
        found = [each for each in measured if kind in (each[0], name_of_callable(each[0]))]
    else:
        identity = _core._task_identity(kind)
        found = [each for each in measured if each[1] == identity]
    found = [each for each in found if any(history for _, _, history in each[2])]
    if not found:
        names = ", ".join(sorted({repr(name_of_callable(name)) for name, *_ in measured}))
        raise InvalidOptionError(
            f"the policy has measured no task of {kind!r}, but of {names or 'none'}: pass one of "
            "these, or submit some tasks first"
        )
    return found


def name_of_callable(name: str) -> str:
    """Return the name of a kind without the sizes of its arguments."""
    return _SIZES.sub("", name)


def size_of(name: str) -> int:
    """Return the binary logarithm of the product of the sizes in a kind's name."""
    sizes = _SIZES.search(name)
    return sum(map(int, re.findall(r"2\^(\d+)", sizes[0]))) if sizes else 0
