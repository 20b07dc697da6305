# SPDX-License-Identifier: Apache-2.0
"""Arenas in a forked child: work, or an error with a remedy, never a hang."""

from __future__ import annotations

import subprocess
import sys

import pytest
from sanitized import forks_with_threads

pytestmark = forks_with_threads

IN_A_CHILD = """
import os, signal, sys
import pointsman as pm

def in_a_child(action):
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        signal.alarm(60)
        try:
            print(action())
        except pm.ForkedProcessError as error:
            print(type(error).__name__, "spawn" in str(error), isinstance(error, RuntimeError))
        finally:
            sys.stdout.flush()
            os._exit(0)
    print(os.waitpid(child, 0)[1])
"""
REFUSED = ["ForkedProcessError True True", "0"]


def run(program: str) -> list[str]:
    finished = subprocess.run(
        # from 3.12 on Python warns about any fork with threads
        [sys.executable, "-W", "ignore::DeprecationWarning", "-c", IN_A_CHILD + program],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert finished.stderr == ""
    return finished.stdout.split("\n")[:-1]


@pytest.mark.parametrize(
    "action",
    [
        "pm.Arena(1).run(pow, 2, 3).result(timeout=30)",
        "pm.RoundRobin([pm.Arena(1)]).run(pow, 2, 3).result()",
        "pm.DynamicLoad().map(abs, [-1])",
        "pm.executors.arena(pm.Arena(1)).bulk_execute(print, 1)",
        "arena.run(pow, 2, 3)",
        "unused.run(pow, 2, 3)",
        "policy.submit(lambda arena: arena.run(pow, 2, 3))",
        "pm.RoundRobin([unused]).as_executor().submit(pow, 2, 3)",
    ],
)
def test_a_child_whose_parent_ran_something_on_an_arena_is_told_to_spawn(action: str):
    program = """
arena, unused = pm.Arena(1), pm.Arena(1)
policy = pm.RoundRobin([arena])
policy.run(pow, 2, 3).wait()
"""
    assert run(f"{program}in_a_child(lambda: {action})") == REFUSED


def test_work_of_another_extension_module_on_an_arena_counts_too():
    program = """
import numpy as np
from pointsman import _demo
image = np.zeros((4, 4, 3), np.uint8)
_demo.sepia_blur(pm.Arena(1), image, np.empty_like(image), [1.0], [0.0] * 9).result()
in_a_child(lambda: pm.Arena(1).run(pow, 2, 3).result(timeout=30))
"""
    assert run(program) == REFUSED


def test_a_child_of_a_child_is_told_to_spawn_too():
    program = "pm.Arena(1).run(pow, 2, 3).wait()\n"
    program += "in_a_child(lambda: in_a_child(lambda: pm.Arena(1).run(pow, 2, 3)))"
    assert run(program) == [*REFUSED, "None", "0"]


def test_a_child_whose_parent_ran_nothing_may_use_arenas():
    program = """
made_before = pm.Arena(1)
in_a_child(lambda: made_before.run(pow, 2, 3).result() + pm.Arena(2).run(pow, 2, 4).result())
print(made_before.run(pow, 2, 5).result())
"""
    assert run(program) == ["24", "0", "32"]


def test_a_child_keeps_results_from_before_the_fork():
    program = """
submission = pm.RoundRobin([pm.Arena(1)]).run(pow, 2, 3)
submission.wait()
in_a_child(lambda: (submission.result(), submission.done()))
"""
    assert run(program) == ["(8, True)", "0"]
