# SPDX-License-Identifier: Apache-2.0
"""User-defined policies: the rule, what follows from it, and how it may fail."""

from __future__ import annotations

import _thread
import gc
import signal
import threading
import weakref
from concurrent.futures import Future
from typing import Any

import pytest

import pointsman as pm


def which(resource: Any, *_: Any, **__: Any) -> Any:
    return resource


class Cheapest(pm.PolicyBase):
    """Takes the shortest name."""

    def try_select(self, work: Any, /, *args: Any, **kwargs: Any) -> Any:
        return min(self.get_resources(), key=len)


class Gate(pm.PolicyBase):
    """Finds nothing until it is opened; records the arguments of its calls."""

    opened = False

    def try_select(self, work: Any, /, *args: Any, **kwargs: Any) -> Any:
        self.asked = (work, args, kwargs)
        return self.get_resources()[0] if self.opened else None


def test_the_rule_chooses_for_every_way_to_submit():
    policy = Cheapest(["long", "s", "middle"])
    assert policy.submit(which).resource == "s"
    attempt = policy.try_submit(which)
    assert attempt is not None
    assert attempt.result() == "s"
    assert policy.submit_and_wait(which) == "s"
    assert pm.submit(policy, which).result() == "s"
    policy.submission_group().wait()
    assert policy.loads() == [0, 0, 0]


def test_the_rule_receives_the_work_and_its_arguments():
    policy = Gate(["a"])
    assert policy.try_submit(which, 1, 2, three=3) is None
    assert policy.asked == (which, (1, 2), {"three": 3})


def test_try_submit_returns_none_when_the_rule_finds_nothing():
    policy = Gate(["a"])
    assert policy.try_submit(which) is None
    policy.opened = True
    assert policy.submit_and_wait(which) == "a"


def test_submit_retries_until_the_rule_finds_a_resource_while_others_run():
    policy = Gate(["a"])
    results: list[Any] = []
    waiter = threading.Thread(target=lambda: results.append(policy.submit(which).result()))
    waiter.start()
    assert results == []
    policy.opened = True
    policy.notify()
    waiter.join(30)
    assert results == ["a"]


def test_outstanding_work_counts_as_load_until_it_ends():
    policy = Cheapest(["a", "bb"])
    future: Future[int] = Future()
    policy.submit(lambda resource: future)
    assert policy.loads() == [1, 0]
    future.set_result(1)
    assert policy.loads() == [0, 0]


def test_statistics_describe_each_resource():
    policy = Cheapest(["a", "bb"])
    for _ in range(3):
        policy.submit_and_wait(which)
    with pytest.raises(ZeroDivisionError):
        policy.submit(lambda resource: 1 // 0)
    seen, unused = policy.statistics()
    assert (seen.resource, seen.index, seen.load) == ("a", 0, 0)
    assert (seen.completed, seen.failed) == (3, 1)
    assert seen.mean_elapsed is not None
    assert 0 < seen.mean_elapsed < 1
    assert (unused.resource, unused.completed, unused.mean_elapsed) == ("bb", 0, None)
    assert repr(seen) == "<ResourceStatistics of 'a': load 0, completed 3, failed 1>"


def test_an_entry_of_the_statistics_distinguishes_equal_resources():
    class Second(pm.PolicyBase):
        def try_select(self, work: Any, /, *args: Any, **kwargs: Any) -> Any:
            return self.statistics()[1]

    policy = Second(["same", "same"])
    future: Future[int] = Future()
    policy.submit(lambda resource: future)
    assert policy.loads() == [0, 1]
    future.set_result(1)


def test_a_resource_may_be_returned_as_an_equal_object():
    class Equal(pm.PolicyBase):
        def try_select(self, work: Any, /, *args: Any, **kwargs: Any) -> Any:
            return (1.0, 2)

    assert Equal([(3, 4), (1, 2)]).submit_and_wait(which) == (1, 2)


def test_a_choice_from_outside_the_set_is_refused_with_value_and_remedy():
    class Lost(pm.PolicyBase):
        def try_select(self, work: Any, /, *args: Any, **kwargs: Any) -> Any:
            return "elsewhere"

    policy = Lost(["a"])
    with pytest.raises(ValueError, match=r"'elsewhere', which is not in .* set of 1: ") as caught:
        policy.submit(which)
    assert isinstance(caught.value, pm.ForeignResourceError)
    assert policy.loads() == [0]


def test_an_exception_of_the_rule_is_raised_from_every_way_to_submit():
    class Broken(pm.PolicyBase):
        def try_select(self, work: Any, /, *args: Any, **kwargs: Any) -> Any:
            raise KeyError("rule")

    policy = Broken(["a"])
    for verb in (policy.submit, policy.try_submit, policy.submit_and_wait):
        with pytest.raises(KeyError, match="rule"):
            verb(which)


def test_a_policy_without_a_rule_says_what_to_define():
    with pytest.raises(NotImplementedError, match="write try_select"):
        pm.PolicyBase(["a"]).submit(which)


def test_a_class_may_have_its_own_settings():
    class From(pm.PolicyBase):
        def __init__(self, index: int, *args: Any, **kwargs: Any) -> None:
            super().__init__(*args, **kwargs)
            self.index = index

        def try_select(self, work: Any, /, *args: Any, **kwargs: Any) -> Any:
            return self.get_resources()[self.index]

    assert From(1, ["a", "b"]).submit_and_wait(which) == "b"


def test_initialize_may_be_extended_for_the_rules_own_state():
    class Ordered(pm.PolicyBase):
        def initialize(self, resources: Any = None, *, backend: Any = None) -> None:
            super().initialize(resources, backend=backend)
            self.order = sorted(self.get_resources())

        def try_select(self, work: Any, /, *args: Any, **kwargs: Any) -> Any:
            return self.order[0]

    policy = Ordered(["b", "a"])
    assert policy.submit_and_wait(which) == "a"
    policy.initialize(["d", "c"])
    assert policy.submit_and_wait(which) == "c"


def test_a_wait_for_the_rule_can_be_interrupted():
    policy = Gate(["a"])
    # A process started in the background ignores SIGINT.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    threading.Timer(0.05, _thread.interrupt_main).start()
    with pytest.raises(KeyboardInterrupt):
        policy.submit(which)
    assert policy.loads() == [0]


def test_a_policy_is_freed_with_its_resources():
    class Device:
        pass

    device = Device()
    seen = weakref.ref(device)

    class First(pm.PolicyBase):
        def try_select(self, work: Any, /, *args: Any, **kwargs: Any) -> Any:
            return self.get_resources()[0]

    policy = First([device])
    policy.submit_and_wait(lambda resource: 1)
    gone = weakref.ref(policy)
    del policy, device
    gc.collect()
    assert gone() is None
    assert seen() is None


def test_the_lowest_score_wins():
    prices = {"a": 3.0, "b": 1.0, "c": 2.0}
    policy = pm.ScoredPolicy(lambda stats: prices[stats.resource], ["a", "b", "c"])
    assert [policy.submit_and_wait(which) for _ in range(3)] == ["b", "b", "b"]


def test_the_score_sees_load_and_arguments():
    policy = pm.ScoredPolicy(lambda stats, n: stats.load * n + stats.index, ["a", "b"])
    future: Future[int] = Future()
    assert policy.submit(lambda resource, n: future, 10).resource == "a"
    assert policy.submit(which, 10).resource == "b"
    future.set_result(1)
    assert policy.submit(which, 10).resource == "a"


def test_equal_scores_take_turns():
    policy = pm.ScoredPolicy(lambda stats: 0, ["a", "b", "c"])
    assert [policy.submit_and_wait(which) for _ in range(4)] == ["a", "b", "c", "a"]


def test_a_resource_without_a_score_is_not_free():
    policy = pm.ScoredPolicy(lambda stats: None if stats.load else 1, ["a"])
    future: Future[int] = Future()
    policy.submit(lambda resource: future)
    assert policy.try_submit(which) is None
    future.set_result(1)
    assert policy.submit_and_wait(which) == "a"
