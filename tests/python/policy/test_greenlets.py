# SPDX-License-Identifier: Apache-2.0
"""Greenlets that switch during a selection, and callables that drop their own policy."""

from __future__ import annotations

import gc
import weakref
from typing import Any

import pytest
from sanitized import IS_SANITIZED

import pointsman as pm


def imported_greenlet() -> Any:
    """The module; skips the test under AddressSanitizer, which forbids copies of stacks."""
    if IS_SANITIZED:
        pytest.skip("greenlet copies stacks, which AddressSanitizer reports as an error")
    return pytest.importorskip("greenlet")


class Resource:
    pass


def test_a_set_lives_as_long_as_a_rule_chooses_from_it():
    greenlet = imported_greenlet()
    main = greenlet.getcurrent()

    class Switching(pm.PolicyBase):
        def try_select(self, work: Any, /, *args: Any, **kwargs: Any) -> Any:
            if greenlet.getcurrent() in unasked:
                unasked.remove(greenlet.getcurrent())
                main.switch("in the rule")
            return self.get_resources()[0]

    policy = Switching([Resource()])
    first, second = (greenlet.greenlet(lambda: policy.submit(lambda r: r)) for _ in range(2))
    unasked = [first, second]
    assert first.switch() == "in the rule"
    policy.initialize([Resource()])
    assert second.switch() == "in the rule"
    observer = weakref.ref(policy.get_resources()[0])
    assert first.switch().resource is observer()  # not the last to begin
    for _ in range(3):
        policy.initialize([Resource()])
        assert policy.submit(lambda resource: 1).result() == 1
    assert observer() is not None
    assert second.switch().resource in policy.get_resources()


def test_rules_of_many_greenlets_may_be_in_progress_at_once():
    greenlet = imported_greenlet()
    main = greenlet.getcurrent()

    class Switching(pm.PolicyBase):
        def try_select(self, work: Any, /, *args: Any, **kwargs: Any) -> Any:
            main.switch("in the rule")
            return self.get_resources()[0]

    policy = Switching(["a"])
    greenlets = [
        greenlet.greenlet(lambda: policy.submit(lambda resource: resource).result())
        for _ in range(20)
    ]
    for each in greenlets:
        assert each.switch() == "in the rule"
    policy.initialize(["b"])
    found = []
    for each in greenlets:
        answer = each.switch()
        while answer == "in the rule":  # the set was replaced: the rule is called again
            answer = each.switch()
        found.append(answer)
    assert set(found) <= {"a", "b"}
    assert policy.loads() == [0]


def test_work_may_switch_greenlets_in_the_middle_of_a_submission(policy_class: Any):
    greenlet = imported_greenlet()
    main = greenlet.getcurrent()
    policy = policy_class(["a"])
    if policy_class is pm.Token:
        policy = pm.Token(["a"], tokens=2)

    def work(resource: Any) -> Any:
        main.switch("in the work")
        return resource

    inner = greenlet.greenlet(lambda: policy.submit(work).result())
    assert inner.switch() == "in the work"
    assert policy.submit(lambda resource: resource).result() == "a"
    for _ in range(10):
        policy.initialize(["b"])
        assert policy.submit(lambda resource: resource).result() == "b"
        gc.collect()
    assert inner.switch() == "a"
    assert policy.loads() == [0]


@pytest.mark.parametrize("verb", ["submit", "try_submit", "submit_and_wait", "select"])
def test_a_callable_may_drop_the_last_reference_to_its_policy(policy_class: Any, verb: str):
    holder = [policy_class([Resource()])]
    seen: list[Any] = []

    def work(resource: Any) -> Any:
        observer = weakref.ref(resource)
        holder.clear()
        gc.collect()
        seen.append(observer() is resource)
        return 7

    if verb == "select":
        result = holder[0].select(work).submit(work).result()
    else:
        result = getattr(holder[0], verb)(work)
        result = result if verb == "submit_and_wait" else result.result()
    assert result == 7
    assert seen == [True]


def test_a_rule_may_drop_its_policy_and_replace_its_set():
    class Restless(pm.PolicyBase):
        def try_select(self, work: Any, /, *args: Any, **kwargs: Any) -> Any:
            holder.clear()
            chosen = self.get_resources()[0]
            self.initialize([chosen, Resource()])
            gc.collect()
            return chosen

    holder = [Restless([Resource()])]
    assert holder[0].try_submit(lambda resource: 1) is not None
    assert holder == []
