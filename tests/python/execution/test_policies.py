# SPDX-License-Identifier: Apache-2.0
"""The execution policies: what they are, and how an auto policy chooses."""

from __future__ import annotations

import threading

import numpy as np
import pytest

import fairlead as fl

x = np.arange(1000.0)


def test_policies_are_called_what_users_call_them():
    assert [repr(each) for each in (fl.seq, fl.unseq, fl.par, fl.par_unseq, fl.auto)] == [
        "fl.seq",
        "fl.unseq",
        "fl.par",
        "fl.par_unseq",
        "fl.auto",
    ]


def test_a_device_policy_keeps_its_queue(opencl_queue):
    assert fl.device_policy(opencl_queue).queue is opencl_queue
    assert isinstance(fl.device_policy().queue, fl.opencl.Queue)
    with pytest.raises(TypeError, match=r"fl\.opencl\.Queue"):
        fl.device_policy("gpu")


@pytest.mark.parametrize("policy", ["par", fl.RoundRobin(["a"])], ids=["text", "selection"])
@pytest.mark.parametrize(
    "call",
    [
        lambda policy: fl.transform(policy, "2*x", x),
        lambda policy: fl.fill(policy, np.ones(3), 1),
        lambda policy: fl.reduce(policy, x),
        lambda policy: fl.sort(policy, x),
        lambda policy: fl.merge(policy, x, x),
        lambda policy: fl.max_element(policy, x),
        lambda policy: fl.unique(policy, x),
        lambda policy: fl.histogram(policy, x, 3),
        lambda policy: fl.inclusive_scan(policy, x),
        lambda policy: fl.find_if(policy, "x > 1", x),
        lambda policy: fl.count_if(policy, "x > 1", x),
    ],
    ids=[
        "transform",
        "fill",
        "reduce",
        "sort",
        "merge",
        "max_element",
        "unique",
        "histogram",
        "scan",
        "find_if",
        "count_if",
    ],
)
def test_what_is_no_execution_policy_is_a_type_error_that_names_those_that_are(call, policy):
    with pytest.raises(TypeError, match=r"the first argument is .*: pass fl\.seq, fl\.unseq"):
        call(policy)


def test_an_auto_policy_tries_each_candidate_and_says_which_it_chose():
    policy = fl.AutoPolicy([fl.seq, fl.par])
    assert policy.explain() is None
    for _ in range(10):
        fl.reduce(policy, x)
    why = policy.explain()
    assert why.resource in (fl.seq, fl.par)
    assert [each.resource for each in why.candidates] == [fl.seq, fl.par]
    assert all(each.score > 0 for each in why.candidates)
    assert str(why).startswith("AutoTune chose fl.")


def test_an_auto_policy_learns_for_each_kind_of_call_alone():
    policy = fl.AutoPolicy([fl.seq, fl.par])
    for _ in range(10):
        fl.reduce(policy, x)
    for other in (
        lambda: fl.reduce(policy, x, "max"),
        lambda: fl.reduce(policy, x.astype(np.float32)),
        lambda: fl.reduce(policy, x[:10]),
        lambda: fl.transform(policy, "2.0*x", x),
        lambda: fl.transform(policy, "2*x", x),
    ):
        other()
        assert all(each.score is None for each in policy.explain().candidates)


def test_the_value_that_is_filled_in_makes_no_other_kind_of_call():
    policy = fl.AutoPolicy([fl.seq, fl.par])
    for value in range(10):
        fl.fill(policy, np.empty(1000), value)
    assert all(each.score > 0 for each in policy.explain().candidates)


def test_what_a_devices_compiler_refuses_runs_on_the_host(opencl_queue):
    def refuse(queue):
        queue.build("this is no kernel")

    call = fl.execution.Call("odd", 8, lambda policy: policy, refuse)
    device = fl.device_policy(opencl_queue)
    policy = fl.AutoPolicy([device, fl.par])
    assert [policy.run(call) for _ in range(20)] == [fl.par] * 20
    with pytest.raises(fl.BuildError):
        fl.AutoPolicy([device]).run(call)


def test_explanations_are_of_the_threads_own_calls():
    policy = fl.AutoPolicy([fl.seq])
    fl.reduce(policy, x)
    seen = []
    thread = threading.Thread(target=lambda: seen.append(policy.explain()))
    thread.start()
    thread.join()
    assert seen == [None]


def test_an_auto_policy_takes_32_candidates_and_refuses_more_or_none():
    assert fl.reduce(fl.AutoPolicy([fl.seq] * 32), x) == x.sum()
    with pytest.raises(fl.InvalidOptionError, match="33 candidates"):
        fl.AutoPolicy([fl.seq] * 33)
    with pytest.raises(fl.EmptyResourceSetError):
        fl.AutoPolicy([])
    with pytest.raises(TypeError, match="'par'"):
        fl.AutoPolicy(["par"])


def test_an_exception_of_a_candidate_comes_out():
    with np.errstate(divide="raise"), pytest.raises(FloatingPointError):
        fl.transform(fl.AutoPolicy([fl.seq]), "1 / x", x)


def test_an_auto_policy_without_a_candidate_for_a_call_says_so(opencl_queue):
    with pytest.raises(TypeError, match="complex128"):
        fl.transform(fl.AutoPolicy([fl.device_policy(opencl_queue)]), "x", x * 1j)
