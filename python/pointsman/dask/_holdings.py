# SPDX-License-Identifier: Apache-2.0
# Asking the scheduler takes a message and back, so what it said is remembered.
"""Where results lie on the cluster, and how long it takes to send them."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple


class Holding(NamedTuple):
    """A result: its size, and the addresses of the workers that hold it."""

    size_bytes: int
    addresses: frozenset[str]


class Holdings:
    """Remembers the results that were asked for or heard of last.

    bandwidth: bytes per second between two workers, as the scheduler has measured them.
    **Thread safety**: any thread.
    """

    most = 10_000

    def __init__(self) -> None:
        self.bandwidth: float = 100e6  # Dask's own assumption
        self._lock = threading.Lock()
        self._known: OrderedDict[str, Holding] = OrderedDict()

    def heard(self, key: str, size_bytes: int, addresses: Iterable[str]) -> None:
        """Note that these workers hold a result, besides those known to."""
        with self._lock:
            before = self._known.pop(key, Holding(0, frozenset()))
            self._known[key] = Holding(size_bytes, before.addresses.union(addresses))
            if len(self._known) > self.most:
                self._known.popitem(last=False)

    def sent(self, keys: Iterable[str], addresses: Sequence[str]) -> None:
        """Note that a worker was sent work with these results, which it will keep a copy of."""
        for key in keys:
            known = self._known.get(key)
            if known is not None and len(addresses) == 1:
                self.heard(key, known.size_bytes, addresses)

    def unknown(self, keys: Iterable[str]) -> list[str]:
        """Return the ``keys`` whose place is not known."""
        return [key for key in keys if key not in self._known]

    def seconds_to(self, addresses: Iterable[str], keys: Iterable[str]) -> float:
        """Return how long the results are under way to a worker, or to the best one of a host."""
        found = (self._known.get(key) for key in keys)
        missing = (each for each in found if each and each.addresses.isdisjoint(addresses))
        return sum(each.size_bytes for each in missing) / self.bandwidth


def futures_in(args: Sequence[Any], kwargs: Mapping[str, Any]) -> dict[str, Any]:
    """Return the Dask futures among the arguments, by key; also those within lists, tuples, sets
    and the values of dictionaries, where Dask finds them too."""
    from distributed import Future

    found: dict[str, Any] = {}
    seen: set[int] = set()  # collections, as one may be in itself
    left: list[Any] = [*args, *kwargs.values()]
    while left:
        each = left.pop()
        if isinstance(each, Future):
            found[each.key] = each
        elif type(each) in _COLLECTIONS and id(each) not in seen:
            seen.add(id(each))
            left.extend(each.values() if type(each) is dict else each)
    return found


_COLLECTIONS: Final = (list, tuple, set, frozenset, dict)


def locator(keys: Sequence[str]) -> Callable[..., tuple[float, dict[str, tuple[int, list[str]]]]]:
    """Return the function for ``client.run_on_scheduler`` that returns the bandwidth, and of each
    result the size and the addresses of its workers."""

    def locate(dask_scheduler: Any) -> tuple[float, dict[str, tuple[int, list[str]]]]:
        tasks = [dask_scheduler.tasks[key] for key in keys if key in dask_scheduler.tasks]
        return dask_scheduler.bandwidth, {
            task.key: (task.get_nbytes(), [worker.address for worker in task.who_has or ()])
            for task in tasks
        }

    return locate
