# SPDX-License-Identifier: Apache-2.0
"""``submit_async``, ``run_async`` and ``map_async``: a search suspends only its coroutine."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any

import pytest
from policy.pending_work import Busy, Pending

import pointsman as pm


class Immediate:
    """Runs functions in the thread that submits."""

    def run(self, func: Any, /, *args: Any, **kwargs: Any) -> Any:
        return func(*args, **kwargs)


def bounded() -> Any:
    """Returns a policy with one resource and one token."""
    return pm.Token(["a"], 1)


def test_a_free_resource_is_found_at_once(policy_class: Any, library: Any):
    async def main() -> Any:
        submission = await policy_class([pm.Arena(1)]).run_async(pow, 2, 5)
        return await submission

    assert library.run(main) == 32


def test_the_loop_runs_on_while_a_coroutine_searches(library: Any):
    policy, work = bounded(), Pending()
    results: list[Any] = []

    async def searcher() -> None:
        submission = await policy.submit_async(work)
        work.futures[1].set_result(2)
        results.append(await submission)

    async def holder() -> None:
        while not work.futures:  # the first submission, from outside the loop
            await library.give_way()
        work.futures[0].set_result(1)

    held = policy.submit(work)
    library.run(library.both, searcher, holder)
    assert (held.result(), results) == (1, [2])


def test_coroutines_are_served_in_their_order(library: Any):
    policy, work = bounded(), Pending()
    policy.submit(work)
    searching: list[int] = []
    order: list[int] = []

    async def search(number: int) -> None:
        while len(searching) < number:
            await library.give_way()
        searching.append(number)
        await policy.submit_async(lambda resource: order.append(number))

    async def opener() -> None:
        while len(searching) < 2:
            await library.give_way()
        work.futures[0].set_result(None)

    async def main() -> None:
        async def searchers() -> None:
            await library.both(lambda: search(1), lambda: search(0))

        await library.both(searchers, opener)

    library.run(main)
    assert order == [0, 1]


def test_a_resource_that_becomes_free_unnoticed_is_found(library: Any):
    async def main() -> Any:
        return (await Busy(["a"], refusals=4).submit_async(lambda resource: 7)).result()

    assert library.run(main) == 7


def test_a_search_does_not_wait_for_one_that_needs_another_resource(library: Any):
    policy, work = pm.Token([pm.Arena(1), "a"], 1), Pending()
    policy.submit(pm.variants({pm.Arena: work}))
    begun: list[bool] = []

    async def for_the_arena() -> None:
        begun.append(True)
        await policy.run_async(abs, -1)

    async def for_any() -> None:
        while not begun:
            await library.give_way()
        assert (await policy.submit_async(str)).resource == "a"
        work.futures[0].set_result(None)

    library.run(library.both, for_the_arena, for_any)


def test_a_search_goes_on_although_another_loop_has_ended_with_one():
    policy, work = bounded(), Pending()
    policy.submit(work)

    async def main() -> Any:
        work.futures[0].set_result(None)
        return (await policy.submit_async(str)).resource

    ended = asyncio.new_event_loop()
    left = ended.create_task(policy.submit_async(str))
    ended.run_until_complete(asyncio.sleep(0))
    assert asyncio.run(main()) == "a"
    left.cancel()
    ended.run_until_complete(asyncio.wait([left]))
    ended.close()


def test_a_timeout_of_zero_still_makes_one_attempt(library: Any):
    policy, work = pm.Token([pm.Arena(1), "a"], 1), Pending()
    policy.submit(pm.variants({pm.Arena: work}))

    async def waits() -> None:
        await policy.run_async(abs, -1)

    async def tries() -> None:
        await library.give_way()
        found = await policy.with_options(timeout=0).submit_async(str)
        assert found.resource == "a"
        work.futures[0].set_result(None)

    library.run(library.both, waits, tries)


def test_a_cancelled_search_leaves_the_line_and_calls_nothing(library: Any):
    policy, work = bounded(), Pending()
    policy.submit(work)
    called: list[int] = []

    async def search() -> None:
        await policy.submit_async(lambda resource: called.append(1))

    async def main() -> Any:
        await library.leave_early(search)
        work.futures[0].set_result(None)
        return (await policy.submit_async(lambda resource: 7)).result()

    assert library.run(main) == 7
    assert called == []


def test_the_timeout_of_with_options_bounds_the_search(library: Any):
    policy = pm.Token([pm.Arena(1)], 1)
    held = policy.submit(Pending())
    impatient = policy.with_options(timeout=0.01)

    async def main() -> None:
        with pytest.raises(pm.SubmitTimeoutError, match="raise the timeout"):
            await impatient.submit_async(Pending())
        with pytest.raises(pm.SubmitTimeoutError, match="raise the timeout"):
            await impatient.run_async(pow, 2, 2)

    library.run(main)
    assert not held.done()


def test_an_error_of_the_work_is_raised_once(library: Any):
    calls: list[int] = []

    def broken(resource: Any) -> None:
        calls.append(1)
        raise pm.SubmitTimeoutError

    async def main() -> None:
        with pytest.raises(pm.SubmitTimeoutError):
            await bounded().submit_async(broken)

    library.run(main)
    assert calls == [1]


@pytest.mark.parametrize("ordered", [True, False])
@pytest.mark.parametrize("chunksize", [None, 1, 7])
def test_map_async_gives_every_result(library: Any, ordered: bool, chunksize: int | None):
    async def main() -> list[int]:
        found = pm.Token([pm.Arena(1), pm.Arena(2)], 1).map_async(
            lambda x: x * x, range(100), ordered=ordered, chunksize=chunksize
        )
        return [each async for each in found]

    results = library.run(main)
    assert (results if ordered else sorted(results)) == [x * x for x in range(100)]


def test_map_async_reads_endless_items_as_needed(library: Any):
    async def main() -> list[int]:
        numbers = iter(int, 1)  # endless zeros
        found: list[int] = []
        async with contextlib.aclosing(pm.RoundRobin([pm.Arena(1)]).map_async(abs, numbers)) as all:
            async for each in all:
                found.append(each)
                if len(found) == 10:
                    break
        return found

    assert library.run(main) == [0] * 10


def test_map_async_raises_an_error_in_place_of_its_result(library: Any):
    found: list[float] = []

    async def main() -> None:
        with pytest.raises(ZeroDivisionError):
            policy = pm.RoundRobin([pm.Arena(1)])
            async for each in policy.map_async(lambda x: 6 / x, [1, 2, 3, 0, 5]):
                found.append(each)

    library.run(main)
    assert found == [6, 3, 2]


def test_map_async_leaves_a_resource_to_a_search(library: Any):
    policy = pm.Token([pm.Arena(1)], 1)
    order: list[str] = []

    async def mapping() -> None:
        async for each in policy.map_async(abs, range(2_000), chunksize=1):
            if each == 10:
                order.append("begun")
        order.append("map")

    async def searcher() -> None:
        while not order:
            await library.give_way()
        await policy.run_async(abs, 1)
        order.append("search")

    library.run(library.both, mapping, searcher)
    assert order == ["begun", "search", "map"]


def test_map_async_lets_other_coroutines_run(library: Any):
    turns: list[int] = []

    async def mapping() -> None:
        policy = pm.RoundRobin([Immediate()])
        found = [each async for each in policy.map_async(abs, range(100), chunksize=1)]
        turns.append(-len(found))

    async def other() -> None:
        while not turns or turns[-1] >= 0:
            turns.append(1)
            await library.give_way()

    library.run(library.both, mapping, other)
    assert turns.count(1) > 10


def test_map_async_waits_while_no_resource_is_free(library: Any):
    async def main() -> list[int]:
        policy = Busy([pm.Arena(1)], refusals=4).with_options(timeout=60)
        return [each async for each in policy.map_async(abs, [-1, -2])]

    assert library.run(main) == [1, 2]


@pytest.mark.parametrize("options", [{"chunksize": 0}, {"in_flight": 0}])
def test_map_async_refuses_impossible_options_at_the_call(options: dict[str, int]):
    policy = pm.RoundRobin([pm.Arena(1)])
    with pytest.raises(ValueError, match=f"{next(iter(options))} is 0"):
        policy.map_async(abs, [1], **options)
    with pytest.raises(TypeError, match="at least one iterable"):
        policy.map_async(abs)


@pytest.mark.parametrize("verb", ["submit", "run", "select", "submit_and_wait"])
def test_a_search_that_stops_the_loop_warns(library: Any, verb: str):
    async def main() -> None:
        with pytest.warns(pm.BlockingSelectionWarning, match="submit_async") as caught:
            getattr(Busy([pm.Arena(1)], refusals=4), verb)(str)
        assert caught[0].filename == __file__
        with pytest.warns(pm.BlockingSelectionWarning) as caught:
            Busy([pm.Arena(1)], refusals=4).with_options(timeout=60).run(str)
        assert caught[0].filename == __file__

    library.run(main)


def test_no_warning_without_a_wait_or_without_a_loop(library: Any):
    async def main() -> None:
        assert Busy(["a"], refusals=0).submit(str).resource == "a"
        assert Busy(["a"], refusals=1).try_submit(str) is None
        with pytest.raises(pm.SubmitTimeoutError):
            Busy(["a"], refusals=9).with_options(timeout=0).submit(str)

    library.run(main)  # pytest makes warnings errors
    assert Busy(["a"], refusals=1).submit(str).resource == "a"
