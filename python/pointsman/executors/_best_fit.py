# SPDX-License-Identifier: Apache-2.0
# One AutoTune policy for each set of executors keeps the measurements.
"""``best_fit()``: runs a function on the fastest of several executors."""

from __future__ import annotations

import functools
import os
import threading
from collections.abc import Callable
from typing import Any, TypeVar

from pointsman._core import AutoTune
from pointsman.error import Error, InvalidOptionError
from pointsman.executors._executor import Executor

_Result = TypeVar("_Result")


class NoExecutorFitsError(Error, RuntimeError):
    """None of the given executors can be used; the message says why for each.

    >>> def loop(executor):
    ...     executor.bulk_execute(print, 2)
    >>> try:
    ...     pm.executors.best_fit(loop, 2)
    ... except pm.executors.NoExecutorFitsError:
    ...     pm.executors.best_fit(loop, 2, pm.executors.inline())
    0
    1
    """


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
    """Call ``f(executor)`` with the executor that is fastest for work of this kind.

    Two calls are of the same kind if they agree in the code of ``f`` and in the size class of
    ``key``: the power of two of a number's magnitude or of an array's bytes. Each executor is tried
    twice; then the fastest is used, and the others are tried again if its times change. If ``f``
    returns a handle, waits for it. Returns the result. Executors that the environment switches off
    (``POINTSMAN_ENABLE_<NAME>_EXEC=OFF``) are left out. May be called from several threads at once.

    Raises NoExecutorFitsError (a RuntimeError) if no executor is left.
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
