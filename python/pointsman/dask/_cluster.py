# SPDX-License-Identifier: Apache-2.0
# One object for each client; the scheduler's reports arrive on the client's event loop.
"""What a client knows of its cluster: the workers in it, and the calls outstanding on them."""

from __future__ import annotations

import contextlib
import itertools
import logging
import threading
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary, WeakValueDictionary

from pointsman._trace import note_work_elsewhere
from pointsman.dask._call import Call
from pointsman.dask._errors import ClusterError, WorkerLostError
from pointsman.dask._fetcher import Fetcher
from pointsman.dask._holdings import Holdings, futures_in, locator
from pointsman.dask._local import topic_of
from pointsman.dask._reporter import installer
from pointsman.dask._times import TimeSums
from pointsman.error import InvalidOptionError


class Member(NamedTuple):
    """A worker as the scheduler describes it."""

    address: str
    name: int | str
    host: str
    threads: int
    resources: dict[str, float]


class Cluster:
    """The workers of a cluster and the calls on them, kept up to date by the scheduler's reports.

    Does not keep its client alive. **Thread safety**: any thread.
    """

    _of_clients: WeakKeyDictionary[Any, Cluster] = WeakKeyDictionary()
    _lock = threading.Lock()

    @classmethod
    def of(cls, client: Any) -> Cluster:
        """Return the object of a client; the first time, make the scheduler report."""
        check_usable(client)
        with cls._lock:
            found = cls._of_clients.get(client)
            if found is None:
                found = cls._of_clients[client] = cls(client)
            return found

    def __init__(self, client: Any) -> None:
        check_versions(client.get_versions())
        self.listeners: list[Callable[[], object]] = []
        self._members: dict[str, Member] = {}
        self._mark = f"-{uuid.uuid4().hex}-"  # as `topic_of` finds it
        self._numbers = itertools.count()
        self._calls: WeakValueDictionary[str, Call] = WeakValueDictionary()
        self.fetcher: Fetcher = Fetcher()
        self.holdings: Holdings = Holdings()
        self._sums: dict[tuple[str, ...], TimeSums] = {}
        # Listeners and callbacks may wait for the event loop, so they do not run on it.
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="pointsman-dask")
        self._start(client)

    def _start(self, client: Any) -> None:
        has_members = threading.Event()
        self._thread.submit(has_members.wait)  # before the first report is handled
        topic = topic_of(self._mark)
        client.subscribe_topic(topic, lambda event: self._hear(*event[1]))
        try:
            install = installer(topic, self._mark, client.id)
            for description in client.run_on_scheduler(install):
                self._joined(description)
        except ValueError as error:
            raise ClusterError(
                f"the scheduler cannot report on its workers ({error}): start it with the "
                "configuration distributed.scheduler.pickle: True"
            ) from error
        finally:
            has_members.set()

    def members(self) -> list[Member]:
        """Return the workers in the order in which they joined."""
        return list(self._members.values())

    def times_of(self, addresses: tuple[str, ...]) -> TimeSums:
        """Return the object that sums up the times of calls on these workers."""
        return self._sums.setdefault(addresses, TimeSums())

    def keys_held(self, client: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> list[str]:
        """Return the keys of the complete futures among the arguments.

        Where their results lie is known then, unless the scheduler cannot be asked on this thread.
        """
        futures = futures_in(args, kwargs)
        keys = [key for key, future in futures.items() if future.status == "finished"]
        unknown = self.holdings.unknown(keys)
        if unknown and not client.asynchronous and client.status == "running":
            self.holdings.bandwidth, found = client.run_on_scheduler(locator(unknown))
            for key, (size_bytes, addresses) in found.items():
                self.holdings.heard(key, size_bytes, addresses)
        return keys

    def new_call(self, name: str, place: str, sums: TimeSums) -> Call:
        """Return a call that is to be submitted under its ``key``."""
        call = Call(name, place, f"{name}{self._mark}{next(self._numbers)}", sums)
        self._calls[call.key] = call
        return call

    def _hear(self, event: str, *about: Any) -> None:
        at_once: dict[str, Callable[..., None]]
        at_once = {"took": self._took, "chose": self._chose, "ran": self._ran}
        if event in at_once:  # precedes the end of the call, which so is still alive
            at_once[event](*about)
            return
        with contextlib.suppress(RuntimeError):  # the interpreter shuts down
            self._thread.submit(self._handle, event, *about)

    def _handle(self, event: str, *about: Any) -> None:
        handlers: dict[str, Callable[..., None]]
        handlers = {"joined": self._joined, "left": self._left, "stuck": self._stuck}
        try:
            handlers[event](*about)
            if event != "stuck":
                for listener in list(self.listeners):
                    listener()
        except Exception:
            logging.getLogger("pointsman").exception("a change of the Dask cluster was not handled")

    def _joined(self, description: dict[str, Any]) -> None:
        member = Member(**description)
        self._members[member.address] = member

    def _left(self, address: str) -> None:
        self._members.pop(address, None)

    def _stuck(self, key: str) -> None:
        call = self._calls.get(key)
        if call is not None:
            call.lose(
                WorkerLostError(
                    f"{call.place} has left the cluster with {call.name} or its result: submit the "
                    "work again; pm.dask.follow() keeps a policy's workers up to date"
                )
            )

    def _took(
        self,
        key: str,
        compute: float | None,
        transfer: float | None,
        size_bytes: int,
        address: str,
        bandwidth: float,
    ) -> None:
        self.holdings.bandwidth = bandwidth
        self.holdings.heard(key, size_bytes, [address])
        call = self._calls.get(key)
        if call is not None:
            call.compute = compute
            call.size_bytes = size_bytes
            call.sums.add(compute or 0.0, transfer or 0.0, time.monotonic() - call.begin)

    def _chose(self, key: str, explanation: str) -> None:
        call = self._calls.get(key)
        if call is not None:
            call.choices = (*call.choices, explanation)

    def _ran(self, key: str, *work: Any) -> None:
        call = self._calls.get(key)
        if call is not None:
            resource, policy, end, seconds, succeeded = work
            note_work_elsewhere(
                call.name, f"{resource} of {call.place}", policy, end, seconds, succeeded
            )


def check_usable(client: Any) -> None:
    """Raise for an object that is no running client of ``dask.distributed``."""
    if not hasattr(client, "run_on_scheduler"):
        raise TypeError(f"client is {client!r}: pass a dask.distributed.Client")
    if client.asynchronous:
        raise InvalidOptionError(
            f"{client!r} is asynchronous: pass a client made without asynchronous=True"
        )
    if client.status != "running":
        raise ClusterError(
            f"the client is {client.status}: make a new dask.distributed.Client, and pass its "
            "workers to policy.initialize()"
        )


def check_versions(versions: dict[str, Any]) -> None:
    """Raise if functions of this Python cannot be loaded by that of the scheduler or a worker."""
    others = {"the scheduler": versions["scheduler"], **versions["workers"]}
    mine = _python_of(versions["client"])
    for place, found in others.items():
        if found and _python_of(found) != mine:
            raise ClusterError(
                f"the client runs Python {mine}, {place} Python {_python_of(found)}, which cannot "
                "load its functions: use the same environment for clients, scheduler and workers"
            )


def _python_of(versions: dict[str, Any]) -> str:
    """Return the version of Python without the last part, such as "3.11"."""
    return ".".join(str(versions["host"]["python"]).split(".")[:2])
