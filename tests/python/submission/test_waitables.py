# SPDX-License-Identifier: Apache-2.0
"""Work that can be waited for: registered types, asyncio, awaitables, device streams."""

from __future__ import annotations

import asyncio
import gc
import os
import threading
import weakref
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import pytest
from sanitized import forks_with_threads

import pointsman as pm


@pytest.fixture
def policy() -> pm.DynamicLoad:
    return pm.DynamicLoad(["a"])


class Job:
    """Work whose methods have none of the usual names."""

    def __init__(self, value: int = 0) -> None:
        self.value = value
        self.completed = threading.Event()
        self.callbacks: list[Callable[[], None]] = []

    def end(self) -> None:
        self.completed.set()
        for callback in self.callbacks:
            callback()

    def join(self) -> None:
        self.completed.wait()

    def get(self) -> int:
        self.completed.wait()
        if self.value < 0:
            raise ValueError("negative")
        return self.value


def test_a_registered_type_is_waited_for_by_its_registered_function(policy: pm.DynamicLoad):
    class Joined(Job):
        pass

    pm.register_waitable(Joined, wait=Joined.join)
    job = Joined()
    submission = policy.submit(lambda resource: job)
    assert not submission.done()
    threading.Timer(0.0, job.end).start()
    assert submission.result() is job
    assert submission.unwrap() is job
    assert policy.loads() == [0]


def test_a_registered_result_is_the_result_of_the_submission(policy: pm.DynamicLoad):
    class Got(Job):
        pass

    pm.register_waitable(Got, result=Got.get)
    for value, outcome in ((7, 7), (-1, ValueError)):
        job = Got(value)
        job.end()
        submission = policy.submit(lambda resource, job=job: job)
        if outcome is ValueError:
            with pytest.raises(ValueError, match="negative"):
                submission.result()
        else:
            assert submission.result() == outcome
    assert policy.loads() == [0]


def test_a_registered_done_is_watched_without_a_wait(policy: pm.DynamicLoad):
    class Asked(Job):
        pass

    pm.register_waitable(Asked, result=Asked.get, done=lambda job: job.completed.is_set())
    job = Asked(5)
    submission = policy.submit(lambda resource: job)
    assert not submission.done()
    job.end()
    policy.submission_group().wait()
    assert submission.done()
    assert policy.loads() == [0]


def test_a_registered_callback_reports_completion(policy: pm.DynamicLoad):
    class Telling(Job):
        pass

    pm.register_waitable(
        Telling, wait=Telling.join, add_done_callback=lambda job, tell: job.callbacks.append(tell)
    )
    job = Telling()
    submission = policy.submit(lambda resource: job)
    assert policy.loads() == [1]
    job.end()
    assert policy.loads() == [0]
    assert submission.result() is job


def test_a_registration_covers_derived_types_and_the_nearest_wins(policy: pm.DynamicLoad):
    class Base(Job):
        pass

    class Derived(Base):
        pass

    pm.register_waitable(Base, result=lambda job: "base")
    assert policy.submit_and_wait(lambda resource: Derived()) == "base"
    pm.register_waitable(Derived, result=lambda job: "derived")
    assert policy.submit_and_wait(lambda resource: Derived()) == "derived"


def test_nothing_is_kept_of_registered_work(policy: pm.DynamicLoad):
    class Kept(Job):
        pass

    pm.register_waitable(Kept, result=Kept.get)
    job = Kept()
    seen = weakref.ref(job)
    job.end()
    policy.submit(lambda resource, job=job: job).wait()
    del job
    policy.submission_group().wait()
    gc.collect()
    assert seen() is None


def test_only_classes_are_registered_with_callables():
    with pytest.raises(TypeError, match="given 3: pass a class"):
        pm.register_waitable(3, wait=print)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="wait is 3: pass a callable, or None"):
        pm.register_waitable(Job, wait=3)  # type: ignore[arg-type]


def test_a_registration_without_a_way_to_wait_is_refused():
    with pytest.raises(ValueError, match="pass one of them") as caught:
        pm.register_waitable(Job, done=lambda job: True)
    assert isinstance(caught.value, pm.InvalidOptionError)


async def double(resource: str, x: int) -> int:
    await asyncio.sleep(0)
    return 2 * x


def test_a_coroutine_runs_and_its_value_is_the_result(policy: pm.DynamicLoad):
    submission = policy.submit(double, 21)
    assert submission.result() == 42
    assert policy.loads() == [0]


def test_result_raises_the_exception_of_a_coroutine(policy: pm.DynamicLoad):
    async def fail(resource: str) -> None:
        raise KeyError("late")

    submission = policy.submit(fail)
    submission.wait()
    with pytest.raises(KeyError, match="late"):
        submission.result()
    assert policy.loads() == [0]


def test_an_object_with_await_is_work(policy: pm.DynamicLoad):
    class Later:
        def __await__(self) -> Any:
            yield from asyncio.sleep(0).__await__()
            return 5

    assert policy.submit_and_wait(lambda resource: Later()) == 5


@forks_with_threads
def test_a_forked_child_runs_coroutines_on_its_own_loop(policy: pm.DynamicLoad):
    assert policy.submit_and_wait(double, 1) == 2
    child = os.fork()
    if child == 0:
        status = 1
        try:
            status = 0 if pm.RoundRobin(["a"]).submit_and_wait(double, 2) == 4 else 2
        finally:
            os._exit(status)
    assert os.waitpid(child, 0)[1] == 0


def test_a_coroutine_runs_on_the_loop_of_the_submitting_thread(policy: pm.DynamicLoad):
    async def loop_of(resource: str) -> asyncio.AbstractEventLoop:
        return asyncio.get_running_loop()

    async def main() -> None:
        submission = policy.submit(loop_of)
        assert policy.loads() == [1]
        while not submission.done():
            await asyncio.sleep(0)
        assert submission.result() is asyncio.get_running_loop()

    asyncio.run(main())
    assert policy.loads() == [0]


def test_an_asyncio_future_is_seen_to_complete(policy: pm.DynamicLoad):
    async def main() -> None:
        future = asyncio.get_running_loop().create_future()
        submission = policy.submit(lambda resource: future)
        assert not submission.done()
        future.set_result(3)
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert submission.done()
        assert policy.loads() == [0]
        assert submission.result() == 3

    asyncio.run(main())


def test_another_thread_may_wait_for_an_asyncio_future(policy: pm.DynamicLoad):
    async def main() -> int:
        future = asyncio.get_running_loop().create_future()
        submission = policy.submit(lambda resource: future)
        waiting = asyncio.get_running_loop().run_in_executor(None, submission.result)
        future.set_result(9)
        return int(await waiting)

    assert asyncio.run(main()) == 9
    assert policy.loads() == [0]


def test_waiting_in_the_thread_of_the_loop_is_refused_instead_of_a_deadlock(
    policy: pm.DynamicLoad,
):
    async def main() -> None:
        future = asyncio.get_running_loop().create_future()
        submission = policy.submit(lambda resource: future)
        with pytest.raises(RuntimeError, match="await the work"):
            submission.wait()
        future.cancel()
        await asyncio.sleep(0)

    asyncio.run(main())
    assert policy.loads() == [0]


class CupyEvent:
    """The interface of CuPy's events."""

    def __init__(self) -> None:
        self.done = False

    def record(self, stream: Any = None) -> None: ...

    def synchronize(self) -> None:
        self.done = True


class CupyStream:
    """The interface of CuPy's streams."""

    def __init__(self) -> None:
        self.recorded: list[CupyEvent] = []

    @property
    def done(self) -> bool:
        raise AssertionError("polled the stream, which may have later work")

    def record(self, event: CupyEvent | None = None) -> CupyEvent:
        self.recorded.append(event or CupyEvent())
        return self.recorded[-1]

    def wait_event(self, event: CupyEvent) -> None: ...

    def synchronize(self) -> None:
        raise AssertionError("waited for the whole stream")


class TorchEvent:
    """The interface of PyTorch's events; their ``wait`` makes a stream wait, not the host."""

    def __init__(self) -> None:
        self.completed = False

    def record(self, stream: Any = None) -> None: ...

    def wait(self, stream: Any = None) -> None:
        raise AssertionError("made a stream wait")

    def query(self) -> bool:
        return self.completed

    def synchronize(self) -> None:
        self.completed = True


class TorchStream:
    """The interface of PyTorch's streams."""

    def __init__(self) -> None:
        self.recorded: list[TorchEvent] = []

    def record_event(self, event: TorchEvent | None = None) -> TorchEvent:
        self.recorded.append(event or TorchEvent())
        return self.recorded[-1]

    def wait_event(self, event: TorchEvent) -> None: ...

    def query(self) -> bool:
        raise AssertionError("polled the stream, which may have later work")

    def synchronize(self) -> None:
        raise AssertionError("waited for the whole stream")


@pytest.mark.parametrize("make", [CupyStream, TorchStream])
def test_a_stream_is_work_up_to_an_event_recorded_on_it(make: Any):
    streams = [make(), make()]
    policy = pm.DynamicLoad(streams)
    submission = policy.submit(lambda stream: stream)
    stream = submission.resource
    assert len(stream.recorded) == 1
    assert not submission.done()
    assert submission.result() is stream
    assert submission.done()
    assert policy.loads() == [0, 0]


@pytest.mark.parametrize("make", [CupyEvent, TorchEvent])
def test_a_device_event_is_seen_to_complete_without_a_wait(make: Any, policy: pm.DynamicLoad):
    event = make()
    submission = policy.submit(lambda resource: event)
    assert not submission.done()
    assert policy.loads() == [1]
    event.synchronize()
    policy.submission_group().wait()
    assert policy.loads() == [0]
    assert submission.result() is event


def test_an_object_with_only_synchronize_is_complete_after_a_wait(
    policy: pm.DynamicLoad,
):
    class Plain:
        waits = 0

        def synchronize(self) -> None:
            self.waits += 1

    work = Plain()
    submission = policy.submit(lambda resource: work)
    assert not submission.done()
    assert submission.result() is work
    assert work.waits == 1


class Record:
    """A result with values where work has methods."""

    def __init__(self, **values: Any) -> None:
        vars(self).update(values)


@pytest.mark.parametrize(
    "names",
    [["result"], ["wait"], ["synchronize"], ["done", "result"], ["add_done_callback", "result"]],
)
def test_an_object_with_values_named_like_methods_of_work_is_a_result(names):
    record = Record(**dict.fromkeys([*names, "exception", "cancelled", "cancel"], 3.0))
    policy = pm.RoundRobin(["a"])
    submission = policy.submit(lambda _: record)
    assert submission.wait(10)
    assert submission.result() is record
    assert policy.submit_and_wait(lambda _: record) is record


def test_a_resource_with_a_value_named_run_is_run_by_its_submit():
    pool = ThreadPoolExecutor(1)
    resource = Record(run=3, submit=pool.submit)
    assert pm.RoundRobin([resource]).run(abs, -2).result() == 2
    pool.shutdown()


@pytest.mark.parametrize("error", [SystemExit, KeyboardInterrupt, GeneratorExit])
def test_an_exception_that_ends_work_during_a_wait_does_not_end_the_wait(error):
    class Work(Future):
        """Ends as soon as it is waited for."""

        def result(self, timeout: float | None = None) -> Any:
            if not self.done():
                self.set_exception(error(2))
            return super().result(timeout)

        add_done_callback = None  # type: ignore[assignment]

    submission = pm.RoundRobin(["a"]).submit(lambda _: Work())
    assert submission.wait()
    with pytest.raises(error):
        submission.result()
