# SPDX-License-Identifier: Apache-2.0
"""Arenas from Python: calls, waits, memory and exit."""

from __future__ import annotations

import contextlib
import functools
import gc
import os
import resource
import subprocess
import sys
import threading
import time

import pytest
from sanitized import IS_SANITIZED

import pointsman as pm


def test_a_call_runs_on_another_thread_and_returns_its_value():
    task = pm.Arena(1).run(lambda x, y: (x + y, threading.get_ident()), 3, y=4)
    task.wait()
    assert task.done()
    assert task.result()[0] == 7


def test_result_raises_the_exception_of_a_call_as_the_same_object():
    error = LookupError("mine")

    def work() -> None:
        raise error

    task = pm.Arena(1).run(work)
    task.wait()
    for _ in range(2):
        with pytest.raises(LookupError) as caught:
            task.result()
        assert caught.value is error


def test_a_task_shows_whether_it_is_complete():
    gate = threading.Event()
    task = pm.Arena(1).run(gate.wait)
    try:
        assert repr(task) == "<ArenaTask pending>"
    finally:
        gate.set()
    task.wait()
    assert repr(task) == "<ArenaTask done>"


def test_many_tasks_on_a_narrow_arena_all_run():
    arena = pm.Arena(1)
    tasks = [arena.run(pow, 2, i) for i in range(200)]
    arena.wait()
    assert [task.result() for task in tasks] == [2**i for i in range(200)]


def test_a_task_may_wait_for_another_one_of_its_arena():
    arena = pm.Arena(1)

    def outer() -> int:
        return arena.run(lambda: 20).result() + 1

    assert arena.run(outer).result() == 21


def test_an_arena_may_be_dropped_with_work_in_flight():
    arena = pm.Arena(1)
    tasks = [arena.run(pow, 2, i) for i in range(20)]
    del arena
    gc.collect()
    assert [task.result() for task in tasks] == [2**i for i in range(20)]


@pytest.mark.parametrize("concurrency", [0, -3, 10**6])
def test_an_impossible_concurrency_is_refused_with_value_and_remedy(concurrency: int):
    with pytest.raises(ValueError, match=f"{concurrency}.*pass a number from 1") as caught:
        pm.Arena(concurrency)
    assert isinstance(caught.value, pm.InvalidOptionError)


def test_an_unknown_numa_node_is_refused_with_value_and_remedy():
    with pytest.raises(ValueError, match="NUMA node 4711 is not known: pass"):
        pm.Arena(numa_node=4711)


def test_the_repr_shows_the_concurrency():
    assert repr(pm.Arena(2)) == "Arena(concurrency=2)"


def test_discover_finds_an_arena():
    arenas = [r for r in pm.discover() if isinstance(r, pm.Arena)]
    assert arenas
    assert all(arena.concurrency >= 1 for arena in arenas)


def test_as_many_calls_run_at_once_as_the_arenas_of_the_process_allow():
    arenas = [pm.Arena(1) for _ in range(5)] + [pm.Arena(7)]
    together = threading.Barrier(12)
    tasks = [a.run(together.wait, 30) for a in arenas for _ in range(a.concurrency)]
    assert sorted(task.result(timeout=30) for task in tasks) == list(range(12))


def test_calls_that_block_do_not_delay_other_arenas():
    blocked, other = pm.Arena(64), pm.Arena(1)
    gate = threading.Event()
    tasks = [blocked.run(gate.wait) for _ in range(64)]
    try:
        assert other.run(pow, 2, 2).result(timeout=30) == 4
    finally:
        gate.set()
    blocked.wait()
    assert all(task.done() for task in tasks)


def resident_size_bytes() -> int:
    with open("/proc/self/statm", encoding="ascii") as fields:
        return int(fields.read().split()[1]) * resource.getpagesize()


@pytest.mark.skipif(IS_SANITIZED, reason="AddressSanitizer keeps freed memory")
def test_polling_repeatedly_keeps_no_memory():
    gate = threading.Event()
    task = pm.Arena(1).run(gate.wait)
    try:
        for _ in range(1000):
            task.wait(0)
        before = resident_size_bytes()
        for _ in range(50_000):
            task.wait(0)
            with contextlib.suppress(TimeoutError):
                task.result(0)
        assert resident_size_bytes() - before < 2_000_000
    finally:
        gate.set()
    assert task.wait()


def test_arenas_that_were_used_once_keep_little_memory_and_cost_no_time():
    def used_once() -> list[pm.Arena]:
        arenas = [pm.Arena(1) for _ in range(1000)]
        assert [arena.run(abs, -1).result() for arena in arenas] == [1] * 1000
        return arenas

    kept = used_once()
    threads = len(os.listdir("/proc/self/task"))
    before = resident_size_bytes()
    kept += used_once()
    # About 1 kB each, and up to 5 kB under AddressSanitizer; it once was 13 kB.
    assert resident_size_bytes() - before < 8_000_000
    assert len(os.listdir("/proc/self/task")) < threads + 500


EXIT_WITH_WORK_QUEUED = """
import pointsman as pm

policies = [P([pm.Arena(1), pm.Arena(1)]) for P in (pm.RoundRobin, pm.DynamicLoad, pm.AutoTune)]
for policy in policies:
    for _ in range(500):
        policy.submit(lambda arena: arena.run(sum, range(10_000)))
print("leaving")
"""


def test_the_process_exits_cleanly_with_work_still_queued():
    for _ in range(5):
        run = subprocess.run(
            [sys.executable, "-c", EXIT_WITH_WORK_QUEUED],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert (run.returncode, run.stdout, run.stderr) == (0, "leaving\n", "")


def got_a_turn(kind: str) -> bool:
    """Return whether this thread ran thrice before an arena had run 100,000 calls of 1 us."""
    calls, block = 100_000, range(100)
    seen = bytearray()
    arena = pm.Arena(1)
    gate = threading.Event()
    arena.run(gate.wait)
    call = (
        functools.partial(seen.extend, block) if kind == "builtins" else lambda: seen.extend(block)
    )
    for _ in range(calls):
        arena.run(call)
    gate.set()
    for _ in range(3):
        time.sleep(1e-3)
    ran = len(seen) // len(block)
    arena.wait()
    assert len(seen) == calls * len(block)
    return ran < calls


@pytest.mark.parametrize("kind", ["functions", "builtins"])
def test_threads_get_their_turn_while_an_arena_runs_short_calls(kind):
    # Other work on the machine may take this thread's turn, but not every time.
    assert any(got_a_turn(kind) for _ in range(10))
