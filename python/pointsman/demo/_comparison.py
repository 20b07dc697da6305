# SPDX-License-Identifier: Apache-2.0
# Interleaves the policies, so that a change of the machine's speed meets all of them.
"""Runs several passes of every policy and keeps their times."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import pointsman as pm
from pointsman.demo._photographs import Photograph
from pointsman.demo._race import Pass
from pointsman.demo._resources import NamedResource

BEST_FOR_EACH: Final = "each on its best"
_LEARNERS: Final = {"auto_tune": pm.AutoTune, "earliest_finish": pm.EarliestFinish}
_OTHERS: Final = {"round_robin": pm.RoundRobin, "dynamic_load": pm.DynamicLoad}

Choice = Callable[[Photograph], Any]
"""Returns the policy for a photograph."""


@dataclass(frozen=True)
class Entry:
    """One way to distribute the photographs over the resources.

    labels: one for each of the consecutive passes that use the same policies.
    begin: creates new policies.
    """

    labels: tuple[str, ...]
    begin: Callable[[], Choice]


@dataclass
class Result:
    """The passes of one label."""

    label: str
    passes: list[Pass] = field(default_factory=list)

    @property
    def median(self) -> float:
        """Median of the passes' seconds."""
        return statistics.median(each.wall for each in self.passes)

    @property
    def range(self) -> tuple[float, float]:
        """Seconds of the fastest and of the slowest pass."""
        walls = [each.wall for each in self.passes]
        return min(walls), max(walls)

    @property
    def typical(self) -> Pass:
        """The pass whose time is nearest to the median."""
        median = self.median
        return min(self.passes, key=lambda each: abs(each.wall - median))


def entries(
    policies: Sequence[str], resources: Sequence[NamedResource], best: dict[str, int]
) -> list[Entry]:
    """Return the entries of ``policies``; ``best`` maps names of photographs to resources."""
    objects = [each.resource for each in resources]
    found: list[Entry] = []
    for name in policies:
        if name == "fixed":
            found += _fixed(resources, best)
        elif name in _LEARNERS:
            labels = (f"{name}, learning", f"{name}, learnt")
            found.append(Entry(labels, _anew(_LEARNERS[name], objects)))
        else:
            found.append(Entry((name,), _anew(_OTHERS[name], objects)))
    return found


def _fixed(resources: Sequence[NamedResource], best: dict[str, int]) -> Iterator[Entry]:
    objects = [each.resource for each in resources]
    for index, each in enumerate(resources):
        yield Entry((f"fixed: {each.name}",), _anew(pm.FixedResource, objects, index))
    singles = [pm.FixedResource(objects, index) for index in range(len(objects))]
    yield Entry((BEST_FOR_EACH,), lambda: lambda photograph: singles[best[photograph.name]])


def _anew(policy_class: Any, *arguments: Any) -> Callable[[], Choice]:
    return lambda: always(policy_class(*arguments))


def always(policy: Any) -> Choice:
    """Return a choice that is the same policy for every photograph."""
    return lambda _photograph: policy


def run(
    entries: Sequence[Entry], rounds: int, one_pass: Callable[[str, Choice], Pass]
) -> list[Result]:
    """Run every entry ``rounds`` times, each round beginning with another entry."""
    results = {label: Result(label) for entry in entries for label in entry.labels}
    for number in range(rounds):
        first = number % len(entries)
        for entry in [*entries[first:], *entries[:first]]:
            choice = entry.begin()
            for label in entry.labels:
                results[label].passes.append(one_pass(label, choice))
    return list(results.values())
