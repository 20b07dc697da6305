# SPDX-License-Identifier: Apache-2.0
# Why a submission went where it went, as a sentence and as data.
"""What ``submission.explain()`` returns."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from pointsman import _core
from pointsman.representation import names_of


@dataclass(frozen=True)
class Candidate:
    """One resource of which a policy chose.

    score: what the policy compares, in the explanation's ``unit``; the least wins. None when it is
        not known, or the policy compares nothing.
    state: in words.
    """

    resource: Any
    is_chosen: bool
    score: float | None
    state: str


@dataclass(frozen=True)
class Explanation:
    """Why a policy chose a resource; ``str()`` of it is a sentence.

    Resources that look the same are told apart by their number in the policy's list.

    policy: name of the policy's class.
    reason: why this resource, in words.
    unit: of the candidates' scores: ``"submissions"``, ``"seconds"`` or, from a ``ScoredPolicy``,
        ``"score"``; None without scores.
    candidates: all resources of the policy, in their order.
    state: how the work stands: ``"pending"``, ``"done"``, ``"failed"`` or ``"cancelled"``.
    """

    policy: str
    resource: Any
    reason: str
    unit: str | None
    candidates: tuple[Candidate, ...]
    state: str = "pending"

    def __str__(self) -> str:
        names = names_of([c.resource for c in self.candidates])
        known = list(zip(names, self.candidates, strict=True))
        chosen = name_of_resource(self)
        others = [f"{name}: {c.state}" for name, c in known if not c.is_chosen and c.state]
        rest = f" (others: {'; '.join(others)})" if others else ""
        end = _ENDS.get(self.state, "")
        return f"{self.policy} chose {chosen}: {self.reason}{rest}{end}"


def name_of_resource(explanation: Explanation) -> str:
    """Return the ``repr`` of the chosen resource, with its number where several look the same."""
    candidates = explanation.candidates
    names = names_of([c.resource for c in candidates])
    found = (name for name, c in zip(names, candidates, strict=True) if c.is_chosen)
    return next(found, repr(explanation.resource))


CANNOT_RUN = "left out, as it cannot run functions"
NO_VARIANT = "left out, as there is no variant for it"

_ENDS = {"failed": "; the work failed", "cancelled": "; the work was cancelled"}


def explain(policy: Any, resource: Any, known: dict[str, Any] | None, state: str) -> Explanation:
    """Say why ``policy`` chose ``resource``, by what it tells of the choice."""
    return replace(_explain(policy, resource, known), state=state)


def _explain(policy: Any, resource: Any, known: dict[str, Any] | None) -> Explanation:
    name = type(policy).__name__
    if known is None:
        return Explanation(name, resource, "its own rule chose it", None, ())
    resources, index = known["resources"], known["index"]
    if index >= len(resources) or resources[index] is not resource:
        return Explanation(name, resource, "its resources were replaced since", None, ())
    reasons = _reasons_to_leave_out(known)
    if "scores" in known:
        found = _by_score(name, resources, index, known["scores"])
    elif isinstance(policy, _core.CustomPolicy):
        found = _by_own_rule(name, resources, index, known.get("loads", []))
    elif "loads" in known:
        found = _by_load(name, resources, index, known["loads"])
    elif "estimates" in known:
        found = _by_time(policy, resources, index, known, reasons)
    else:
        found = _by_turn(policy, resources, index)
    candidates = tuple(
        c if reason is None else Candidate(c.resource, False, None, reason)
        for c, reason in zip(found.candidates, reasons, strict=True)
    )
    return replace(found, candidates=candidates)


def _reasons_to_leave_out(known: dict[str, Any]) -> list[str | None]:
    """Of each resource, why the work was not for it, whatever the policy's rule."""
    for suits, reason in (("runners", CANNOT_RUN), ("variants", NO_VARIANT)):
        if suits in known:
            return [None if each else reason for each in known[suits]]
    return [None] * len(known["resources"])


_RULES = {
    _core.FixedResource: "it always takes number {number} of {of}",
    _core.RoundRobin: "it was the turn of number {number} of {of}",
    _core.WeightedRoundRobin: "it was the turn of number {number} of {of}, by weight",
    _core.Random: "it was drawn, as each of {of} may be",
}


def _by_turn(policy: Any, resources: list[Any], index: int) -> Explanation:
    candidates = tuple(Candidate(r, i == index, None, "") for i, r in enumerate(resources))
    rule = next(rule for kind, rule in _RULES.items() if isinstance(policy, kind))
    reason = rule.format(number=index + 1, of=len(resources))
    return Explanation(type(policy).__name__, resources[index], reason, None, candidates)


def _by_score(name: str, resources: list[Any], index: int, scores: list[Any]) -> Explanation:
    """What a ScoredPolicy compared: a score, None of what was not free, or why it was left out."""

    def state(score: Any) -> str:
        if isinstance(score, str):
            return score
        return "not free" if score is None else f"score {_text_of(score)}"

    candidates = tuple(
        Candidate(r, i == index, None if isinstance(score, str) else score, state(score))
        for i, (r, score) in enumerate(zip(resources, scores, strict=True))
    )
    reason = f"it had the lowest score, {_text_of(scores[index])}"
    return Explanation(name, resources[index], reason, "score", candidates)


def _text_of(score: Any) -> str:
    return f"{score:.4g}" if isinstance(score, float) else str(score)


def _by_own_rule(name: str, resources: list[Any], index: int, loads: list[int]) -> Explanation:
    known: list[int | None] = [*loads, *[None] * (len(resources) - len(loads))]
    candidates = tuple(
        Candidate(r, i == index, None, "" if load is None else _state_of_load(load))
        for i, (r, load) in enumerate(zip(resources, known, strict=True))
    )
    return Explanation(name, resources[index], "its try_select returned it", None, candidates)


def _state_of_load(load: int) -> str:
    return f"{load} outstanding" if load else "idle"


def _by_load(name: str, resources: list[Any], index: int, loads: list[int]) -> Explanation:
    known: list[int | None] = [*loads, *[None] * (len(resources) - len(loads))]
    candidates = tuple(
        Candidate(r, i == index, load, "not looked at" if load is None else _state_of_load(load))
        for i, (r, load) in enumerate(zip(resources, known, strict=True))
    )
    reason = f"it had the fewest outstanding submissions ({candidates[index].state})"
    return Explanation(name, resources[index], reason, "submissions", candidates)


def _by_time(
    policy: Any,
    resources: list[Any],
    index: int,
    known: dict[str, Any],
    reasons: list[str | None],
) -> Explanation:
    estimates: list[float | None] = known["estimates"]

    def state(seconds: float | None) -> str:
        return "not measured yet" if seconds is None else f"about {seconds:.3g} s"

    candidates = tuple(
        Candidate(r, i == index, seconds, state(seconds))
        for i, (r, seconds) in enumerate(zip(resources, estimates, strict=False))
    )
    rule = "fastest for this kind of task"
    if isinstance(policy, _core.EarliestFinish):
        rule = "the one where this and what was outstanding was expected to end first"
    reason = f"it is {rule}, {candidates[index].state}"
    if any(t is None for t, reason in zip(estimates, reasons, strict=True) if reason is None):
        reason = "it was measured on this kind of task, as not all resources are known yet"
    elif known["measures"] and estimates[index] != min(t for t in estimates if t is not None):
        reason = f"it was measured again on this kind of task, {candidates[index].state}"
    return Explanation(type(policy).__name__, resources[index], reason, "seconds", candidates)
