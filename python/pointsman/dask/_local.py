# SPDX-License-Identifier: Apache-2.0
# The second level: the policy of a worker's own process.
"""A policy that a process makes once, over devices of its own."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable
from typing import Any, TypeVar

from pointsman import _core
from pointsman._explanation import name_of_resource

P = TypeVar("P")


class _Made:
    """What a factory has made; the lock is held while the factory is called."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.is_being_made = False
        self.policies: list[Any] = []  # none or one


_made: dict[tuple[str, str, int], _Made] = {}


def local_policy(factory: Callable[[], P], /) -> P:
    """Return ``factory()``, called once in each process; later calls return the same object.

    For functions that run on a worker and choose among its own devices: the cluster's policy
    chooses the worker, this policy the device. Factories are the same if they have the same module,
    name and code. A factory that raises is called again the next time. A factory may call this for
    another one; for itself, it raises RuntimeError.

    >>> def blur(image):
    ...     devices = pm.dask.local_policy(lambda: pm.DynamicLoad([pm.Arena(1)]))
    ...     return devices.run(str.lower, image).result()
    >>> blur("IMAGE"), blur("OTHER")
    ('image', 'other')
    """
    name = getattr(factory, "__qualname__", type(factory).__qualname__)
    key = (factory.__module__, name, _core._task_identity(factory))
    made = _made.setdefault(key, _Made())
    with made.lock:
        if made.is_being_made:
            raise RuntimeError(
                f"the factory {name} of a local_policy asks for the policy that it makes: let it "
                "return a policy that needs no other, or ask with another factory"
            )
        if not made.policies:
            made.is_being_made = True
            try:
                made.policies.append(factory())
            finally:
                made.is_being_made = False
        policy: P = made.policies[0]
        return policy


def tell_choice(submission: Any, /) -> None:
    """Tell the client of a choice that a policy in this worker has made for the call that runs.

    submission: one of ``local_policy(...)``. On the client ``submission.explain()`` then shows both
    levels: why the cluster's policy chose the worker, and why the worker's policy chose the device.
    A ``pm.trace`` of the client gets a task more, on the device, when the work ends; the clocks of
    the two machines must agree for it. Outside of a call that a policy has sent to a worker nothing
    happens.

    >>> def blur(image):
    ...     work = pm.dask.local_policy(lambda: pm.DynamicLoad([pm.Arena(1)])).run(str.lower, image)
    ...     pm.dask.tell_choice(work)
    ...     return work.result()
    >>> blur("IMAGE")
    'image'
    """
    try:
        from distributed import get_worker

        worker = get_worker()
        key = str(worker.get_current_task())
    except (ImportError, ValueError, AttributeError):  # this thread runs no work of a worker
        return
    topic = topic_of(key)
    if not topic:
        return
    explanation = submission.explain()
    worker.log_event(topic, ("chose", key, str(explanation)))

    def tell_end(ended: Any) -> None:
        about = (name_of_resource(explanation), explanation.policy, time.time(), ended.elapsed or 0)
        worker.log_event(topic, ("ran", key, *about, ended._failure() is None))

    submission.add_done_callback(tell_end)


def topic_of(key: str) -> str:
    """Return the topic of reports on a call; empty if the key is not that of a call."""
    mark = re.search("-[0-9a-f]{32}-", key)
    return f"pointsman{mark[0]}" if mark else ""
