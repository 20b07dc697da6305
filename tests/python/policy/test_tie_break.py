# SPDX-License-Identifier: Apache-2.0
"""Which of several equally loaded resources is chosen."""

from __future__ import annotations

from typing import Any

import pytest

import pointsman as pm


def choices(policy: Any, n: int) -> list[str]:
    return [policy.submit(lambda r: r).result() for _ in range(n)]


@pytest.mark.parametrize("policy_class", [pm.DynamicLoad, pm.Token])
def test_ties_rotate_by_default_and_go_to_the_first_on_request(policy_class: Any):
    assert choices(policy_class(list("abc")), 4) == list("abca")
    assert choices(policy_class(list("abc"), tie_break="rotate"), 4) == list("abca")
    assert choices(policy_class(list("abc"), tie_break="first"), 4) == list("aaaa")


def test_the_first_is_counted_from_the_offset():
    policy = pm.DynamicLoad(list("abc"), 1, tie_break="first")
    assert choices(policy, 3) == list("bbb")
    policy.initialize(list("xy"), tie_break="first")
    assert choices(policy, 3) == list("xxx")
    policy.initialize(list("xy"))
    assert choices(policy, 3) == list("xyx")


@pytest.mark.parametrize("policy_class", [pm.DynamicLoad, pm.Token])
def test_an_unknown_rule_is_refused_with_the_known_ones(policy_class: Any):
    with pytest.raises(ValueError, match="tie_break is 'last': pass 'rotate' or 'first'") as caught:
        policy_class(list("ab"), tie_break="last")
    assert isinstance(caught.value, pm.InvalidOptionError)
    with pytest.raises(TypeError, match="tie_break is 1: pass 'rotate' or 'first'"):
        policy_class(list("ab"), tie_break=1)


def test_a_rule_beside_deferred_initialization_is_refused():
    with pytest.raises(TypeError, match="tie_break beside deferred_initialization"):
        pm.DynamicLoad(pm.deferred_initialization, tie_break="first")


def test_a_rule_that_was_passed_is_shown():
    policy = pm.DynamicLoad(list("ab"), tie_break="first")
    assert repr(policy) == "<DynamicLoad of 2 resources: 'a', 'b'; offset=0, tie_break='first'>"
