# SPDX-License-Identifier: Apache-2.0
"""The execution policies: their names and types, and how an auto policy chooses."""

from __future__ import annotations

import re
import threading

import numpy as np
import pytest

import pointsman as pm

x = np.arange(1000.0)


def test_policies_have_the_names_that_users_write():
    assert [repr(each) for each in (pm.seq, pm.unseq, pm.par, pm.par_unseq, pm.auto)] == [
        "pm.seq",
        "pm.unseq",
        "pm.par",
        "pm.par_unseq",
        "pm.auto",
    ]


def test_unsequenced_policies_differ_from_the_others_in_their_names_alone(repository):
    for policy, twin in ((pm.unseq, pm.seq), (pm.par_unseq, pm.par)):
        assert type(policy) is type(twin)
        assert {**vars(policy), "name": twin.name} == vars(twin)
    names = re.compile(r"policy\.name\b|\b(par_)?unseq\b")
    for file in (repository / "python/pointsman/algorithm").glob("*.py"):
        code = re.sub(r'""".*?"""|"(\\.|[^"\\])*"', "", file.read_text(), flags=re.DOTALL)
        assert not names.search(code), f"{file.name} tells the policies apart"


def test_a_device_policy_keeps_its_queue(opencl_queue):
    assert pm.device_policy(opencl_queue).queue is opencl_queue
    assert isinstance(pm.device_policy().queue, pm.opencl.Queue)
    with pytest.raises(TypeError, match=r"pm\.opencl\.Queue"):
        pm.device_policy("gpu")


@pytest.mark.parametrize("policy", ["par", pm.RoundRobin(["a"])], ids=["text", "selection"])
@pytest.mark.parametrize(
    "call",
    [
        lambda policy: pm.transform(policy, "2*x", x),
        lambda policy: pm.fill(policy, np.ones(3), 1),
        lambda policy: pm.reduce(policy, x),
        lambda policy: pm.sort(policy, x),
        lambda policy: pm.merge(policy, x, x),
        lambda policy: pm.max_element(policy, x),
        lambda policy: pm.unique(policy, x),
        lambda policy: pm.histogram(policy, x, 3),
        lambda policy: pm.searchsorted(policy, x, x),
        lambda policy: pm.bincount(policy, [1, 2]),
        lambda policy: pm.inclusive_scan(policy, x),
        lambda policy: pm.reduce_by_segment(policy, x, x),
        lambda policy: pm.find_if(policy, "x > 1", x),
        lambda policy: pm.count_if(policy, "x > 1", x),
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
        "searchsorted",
        "bincount",
        "scan",
        "reduce_by_segment",
        "find_if",
        "count_if",
    ],
)
def test_a_wrong_execution_policy_is_a_type_error_that_names_the_right_ones(call, policy):
    with pytest.raises(TypeError, match=r"the first argument is .*: pass pm\.seq, pm\.unseq"):
        call(policy)


def call_until_known(policy, call):
    """Calls with rising numbers until each candidate has a time: an interruption may put that off,
    but calls of a kind of their own would never get there."""
    for number in range(20_000):
        call(number)
        if all(each.score for each in policy.explain().candidates):
            return
    raise AssertionError(f"not all candidates were measured: {policy.explain()}")


def test_an_auto_policy_tries_each_candidate_and_says_which_it_chose():
    policy = pm.AutoPolicy([pm.seq, pm.par])
    assert policy.explain() is None
    call_until_known(policy, lambda _: pm.reduce(policy, x))
    why = policy.explain()
    assert why.resource in (pm.seq, pm.par)
    assert [each.resource for each in why.candidates] == [pm.seq, pm.par]
    assert str(why).startswith("AutoPolicy chose pm.")


def test_an_auto_policy_learns_for_each_kind_of_call_separately():
    policy = pm.AutoPolicy([pm.seq, pm.par])
    for _ in range(10):
        pm.reduce(policy, x)
    for other in (
        lambda: pm.reduce(policy, x, "max"),
        lambda: pm.reduce(policy, x.astype(np.float32)),
        lambda: pm.reduce(policy, x[:10]),
        lambda: pm.transform(policy, "2.0*x", x),
        lambda: pm.transform(policy, "2*x", x),
    ):
        other()
        assert all(each.score is None for each in policy.explain().candidates)


def test_the_fill_value_does_not_make_another_kind_of_call():
    policy = pm.AutoPolicy([pm.seq, pm.par])
    call_until_known(policy, lambda value: pm.fill(policy, np.empty(1000), value))


def test_code_that_a_devices_compiler_refuses_runs_on_the_host(opencl_queue):
    def refuse(queue):
        queue.build("this is no kernel")

    call = pm.execution.Call("odd", 8, lambda policy: policy, refuse)
    device = pm.device_policy(opencl_queue)
    policy = pm.AutoPolicy([device, pm.par])
    assert [policy.run(call) for _ in range(20)] == [pm.par] * 20
    with pytest.raises(pm.BuildError):
        pm.AutoPolicy([device]).run(call)


def test_explanations_belong_to_the_calls_of_their_thread():
    policy = pm.AutoPolicy([pm.seq])
    pm.reduce(policy, x)
    seen = []
    thread = threading.Thread(target=lambda: seen.append(policy.explain()))
    thread.start()
    thread.join()
    assert seen == [None]


def test_an_auto_policy_takes_32_candidates_and_refuses_more_or_none():
    assert pm.reduce(pm.AutoPolicy([pm.seq] * 32), x) == x.sum()
    with pytest.raises(pm.InvalidOptionError, match="33 candidates"):
        pm.AutoPolicy([pm.seq] * 33)
    with pytest.raises(pm.EmptyResourceSetError):
        pm.AutoPolicy([])
    with pytest.raises(TypeError, match="'par'"):
        pm.AutoPolicy(["par"])


def test_an_exception_of_a_candidate_is_raised():
    with np.errstate(divide="raise"), pytest.raises(FloatingPointError):
        pm.transform(pm.AutoPolicy([pm.seq]), "1 / x", x)


def test_an_auto_policy_without_a_candidate_for_a_call_says_so(opencl_queue):
    with pytest.raises(TypeError, match="complex128"):
        pm.transform(pm.AutoPolicy([pm.device_policy(opencl_queue)]), "x", x * 1j)


def test_an_auto_policy_tries_only_devices_of_the_context_that_has_the_buffer(opencl_queue):
    elsewhere = pm.opencl.Queue(pm.opencl.share_context([opencl_queue.device])[0])
    near, far = pm.device_policy(opencl_queue), pm.device_policy(elsewhere)
    policy = pm.AutoPolicy([pm.seq, near, far, near])
    for _ in range(40):
        assert pm.reduce(policy, opencl_queue.buffer(x)) == x.sum()
        assert [each.resource for each in policy.explain().candidates] == [near, near]
        assert pm.reduce(policy, elsewhere.buffer(x)) == x.sum()
        assert [each.resource for each in policy.explain().candidates] == [far]
        out = elsewhere.empty(x.size, x.dtype)
        pm.transform(policy, "2*x", x, out=out)
        assert [each.resource for each in policy.explain().candidates] == [far]
    with pytest.raises(TypeError, match="the buffer is in a context of other devices"):
        pm.reduce(pm.AutoPolicy([pm.seq, near]), elsewhere.buffer(x))
    with pytest.raises(TypeError, match="values are in an OpenCL buffer: use a device policy"):
        pm.reduce(pm.AutoPolicy([pm.seq]), elsewhere.buffer(x))
    integers = opencl_queue.buffer(np.arange(3))
    with pytest.raises(TypeError, match="power"):
        pm.transform(pm.AutoPolicy([pm.seq, near]), "x ** y", integers, integers)
