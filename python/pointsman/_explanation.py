# SPDX-License-Identifier: Apache-2.0
# Why a policy chose a resource for a submission, as a sentence and as data.
"""The explanation that ``submission.explain()`` returns."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from pointsman._html import html_table
from pointsman._representation import names_of, text_of


@dataclass(frozen=True)
class Candidate:
    """One of the resources from which a policy chose.

    score: the value that the policy compares, in the explanation's ``unit``; the lowest wins. None
        if it is not known, or if the policy compares nothing.
    state: the resource's load, estimated time or score, or the reason why the policy left it out.

    >>> submission = pm.DynamicLoad(["a", "b"]).submit(lambda resource: resource)
    >>> for candidate in submission.explain().candidates:
    ...     print(candidate.resource, candidate.is_chosen, candidate.score)
    a True 0
    b False 0
    """

    resource: Any
    is_chosen: bool
    score: float | None
    state: str


@dataclass(frozen=True)
class Explanation:
    """Why a policy chose a resource; ``str()`` of it is a sentence.

    Resources with the same ``repr`` are numbered by their position in the policy's list.

    policy: name of the policy's class.
    reason: why the policy chose this resource.
    unit: unit of the candidates' scores: ``"submissions"``, ``"seconds"`` or, from a
        ``ScoredPolicy``, ``"score"``; None without scores. ``AutoTune`` compares the expected times
        of the task; ``EarliestFinish`` the weighted ends, to which the work before the task adds
        three times its time.
    candidates: all resources of the policy, in their order; empty if the policy recorded nothing
        about the choice, or if its resources have been replaced since. Loads, times and scores are
        those at the time of the choice, of the first eight resources.
    state: the state of the work: ``"pending"``, ``"done"``, ``"failed"`` or ``"cancelled"``.
    inner: what the work told of choices that it made itself where it ran; see
        ``pm.dask.tell_choice``.

    >>> explanation = pm.RoundRobin(["a", "b"]).submit(lambda resource: resource).explain()
    >>> print(explanation)
    RoundRobin chose 'a': ...
    >>> explanation.state
    'done'
    """

    policy: str
    resource: Any
    reason: str
    unit: str | None
    candidates: tuple[Candidate, ...]
    state: str = "pending"
    inner: tuple[str, ...] = ()

    def _repr_html_(self) -> str:
        names = names_of([c.resource for c in self.candidates])
        rows = [
            [name, "yes" if c.is_chosen else "", c.state]
            for name, c in zip(names, self.candidates, strict=True)
        ]
        caption = f"{self.policy} chose {name_of_resource(self)}: {self.reason}"
        there = "".join(f"; there {choice}" for choice in self.inner)
        return html_table(f"{caption}{_ENDS.get(self.state, '')}{there}", _HEADINGS, rows)

    def __str__(self) -> str:
        names = names_of([c.resource for c in self.candidates])
        known = list(zip(names, self.candidates, strict=True))
        chosen = name_of_resource(self)
        others = [f"{name}: {c.state}" for name, c in known if not c.is_chosen and c.state]
        rest = f" (others: {'; '.join(others)})" if others else ""
        end = _ENDS.get(self.state, "")
        there = "".join(f"; there {choice}" for choice in self.inner)
        return f"{self.policy} chose {chosen}: {self.reason}{rest}{end}{there}"


def name_of_resource(explanation: Explanation) -> str:
    """Return the ``repr`` of the chosen resource, numbered if several look the same."""
    candidates = explanation.candidates
    names = names_of([c.resource for c in candidates])
    found = (name for name, c in zip(names, candidates, strict=True) if c.is_chosen)
    return next(found, text_of(explanation.resource))


CANNOT_RUN = "left out, as it cannot run functions"
NO_VARIANT = "left out, as there is no variant for it"
IN_QUARANTINE = "left out, as it was in quarantine"
TRIED = "left out, as the work had failed there"

_HEADINGS = ("resource", "chosen", "state at the choice")
_ENDS = {"failed": "; the work failed", "cancelled": "; the work was cancelled"}


def explain(
    policy: Any,
    resource: Any,
    known: dict[str, Any] | None,
    state: str,
    inner: tuple[str, ...] = (),
) -> Explanation:
    """Explain why ``policy`` chose ``resource``, from the data that it recorded then."""
    return replace(_explain(policy, resource, known), state=state, inner=inner)


def _explain(policy: Any, resource: Any, known: dict[str, Any] | None) -> Explanation:
    name = type(policy).__name__
    if known is None:
        return Explanation(name, resource, "its own rule chose it", None, ())
    resources = known.get("resources")
    if resources is None or len(known.get("scores", resources)) != len(resources):
        then = f"{known['reason']}; " if "reason" in known else ""
        return Explanation(name, resource, f"{then}its resources were replaced since", None, ())
    index = known["index"]
    unit = known.get("unit")
    scores, states = (
        _by_score(known["scores"]) if unit == "score" else zip(*known["compared"], strict=True)
    )
    candidates = tuple(
        Candidate(each, i == index, score, state)
        for i, (each, score, state) in enumerate(zip(resources, scores, states, strict=True))
    )
    reason = known["reason"]
    if unit == "submissions":
        reason += f" ({candidates[index].state})"
    elif unit == "score":
        reason = f"it had the lowest score, {_text_of(scores[index])}"
    return Explanation(name, resource, reason, unit, _with_refusals(candidates, known))


def _with_refusals(
    candidates: tuple[Candidate, ...], known: dict[str, Any]
) -> tuple[Candidate, ...]:
    """Return the candidates; the state of each that was left out is the reason why."""
    for bits, reason in zip(known.get("left_out", ()), (IN_QUARANTINE, TRIED), strict=False):
        candidates = tuple(
            Candidate(c.resource, False, None, reason) if bits >> i & 1 and not c.is_chosen else c
            for i, c in enumerate(candidates)
        )
    for suits, reason in (("runners", CANNOT_RUN), ("variants", NO_VARIANT)):
        if suits in known:
            return tuple(
                c if each else Candidate(c.resource, False, None, reason)
                for c, each in zip(candidates, known[suits], strict=True)
            )
    return candidates


def _by_score(scores: list[Any]) -> tuple[list[Any], list[str]]:
    """Return scores and states from recorded scores: None if a resource was not free, or why it
    was left out."""

    def state(score: Any) -> str:
        if isinstance(score, str):
            return score
        return "not free" if score is None else f"score {_text_of(score)}"

    return [None if isinstance(s, str) else s for s in scores], [state(s) for s in scores]


def _text_of(score: Any) -> str:
    return f"{score:.4g}" if isinstance(score, float) else str(score)
