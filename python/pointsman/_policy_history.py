# SPDX-License-Identifier: Apache-2.0
# Writes what a policy has learnt to its history, also when the policy or the process ends.
"""Links policies that measure with a ``History``."""

from __future__ import annotations

import atexit
import contextlib
import os
import threading
import time
import warnings
import weakref
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pointsman._histories import History, default_history
from pointsman._resource_identity import identities_of
from pointsman._timer import timer
from pointsman.error import ForkedProcessError, HistoryWarning, InvalidOptionError

if TYPE_CHECKING:
    from pointsman._core import _Learnt
    from pointsman._history import Link


class Linked:
    """What a policy shares with a history; belongs to the policy, and does not know it."""

    def __init__(self, history: History, learnt: _Learnt, resources: Sequence[Any]) -> None:
        identities = identities_of(resources, history._identity)
        self.history = history
        self._process = os.getpid()
        self._link = history._link(learnt, identities)
        self._lock = threading.Lock()
        _open.add(self)
        self._finalizer = weakref.finalize(self, _finish, self._link, history, self._process)
        self._finalizer.atexit = False  # that would be too late: see _finish_all
        with contextlib.suppress(RuntimeError):  # no thread can be started: the end writes it
            _flush_later(weakref.ref(self))

    def flush(self) -> None:
        """Write what was learnt since the last time."""
        if self.is_inherited():
            raise ForkedProcessError(
                "the history was opened before this process was forked, and a child writes "
                "nothing: make a policy in the child, or flush in the parent"
            )
        with self._lock:
            self._link.flush(time.time())

    def flush_now_and_then(self) -> None:
        """Do the same on the timer's thread, and again later, until the process ends."""
        if self._finalizer.alive:
            self.flush()  # a failure is logged, and only the end of the policy tries again
            _flush_later(weakref.ref(self))

    def finish(self) -> None:
        """Do the same at the end of the process, with a warning in place of an error."""
        if not self.is_inherited() and self._finalizer.detach() is not None:
            with self._lock:
                _finish(self._link, self.history, self._process)

    def is_inherited(self) -> bool:
        """Return True in a forked child, which writes nothing: a thread of the parent may have held
        the lock."""
        return os.getpid() != self._process


_open: weakref.WeakSet[Linked] = weakref.WeakSet()
_pause = 60.0  # seconds between two writes of one policy


def _flush_later(of: weakref.ref[Linked]) -> None:
    def flush() -> None:
        linked = of()
        if linked is not None:
            linked.flush_now_and_then()

    timer.call_after(_pause, flush)


def linked(
    given: Any, before: Linked | None, learnt: _Learnt, resources: Sequence[Any]
) -> Linked | None:
    """Link a policy with the ``history`` that it was given; None if it is to have none.

    before: what the policy had for its last set of resources, whose history it keeps if it is given
    no other one. A forked child does not keep that of its parent.
    """
    if before is not None and before.is_inherited():
        before = None
    if before is not None:
        before.flush()
    history = before.history if given is None and before is not None else _history_of(given)
    return None if history is None else Linked(history, learnt, resources)


def _history_of(given: Any) -> History | None:
    if isinstance(given, History):
        return given
    if given is True:
        return default_history()
    if given is None or given is False:
        return None
    if isinstance(given, (str, os.PathLike)):
        return History(given)
    raise InvalidOptionError(
        f"history is {given!r}: pass a History, a path, True for the default file, or None"
    )


def _finish(link: Link, history: History, process: int) -> None:
    if os.getpid() != process:
        return  # a forked child writes nothing
    try:
        link.flush(time.time())
    except Exception as error:
        warnings.warn(
            f"what a policy has learnt was not written to {history.path}: {error}",
            HistoryWarning,
            stacklevel=1,
        )


@atexit.register
def _finish_all() -> None:
    """Called before the interpreter keeps the engine's threads out."""
    for each in list(_open):
        each.finish()
