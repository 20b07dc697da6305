# SPDX-License-Identifier: Apache-2.0
"""The interpreter exits while threads are in the engine: the process exits normally.

Each state that a thread of the engine, or a user's daemon thread, can have at exit is tested in
separate processes; POINTSMAN_EXITS sets their number.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

EXITS = int(os.environ.get("POINTSMAN_EXITS", "1"))

PRELUDE = """
import sys, threading, time
from concurrent.futures import Future
import pointsman as pm

def busy(*_):
    return sum(range(1000))

class Ticket:
    def wait(self):
        threading.Event().wait()

class Asleep:
    def wait(self):
        time.sleep(1000)

class Polled(Ticket):
    def done(self):
        busy()
        return False

class Noisy(Future):
    def __del__(self):
        busy()

class Rule(pm.PolicyBase):
    def try_select(self, work, *args):
        busy()
        return self.get_resources()[0]

class Full(pm.PolicyBase):
    def try_select(self, work, *args):
        busy()

class OwnBackend(pm.Backend):
    def submit(self, placement, work, *args):
        busy()
        return super().submit(placement, work, *args)

class Lazy(OwnBackend):
    def lazy_report(self):
        busy()

policy = pm.DynamicLoad(["a"])

def daemons(call):
    together = threading.Barrier(4)
    def loop():
        together.wait()
        while True:
            call()
    for _ in range(3):
        threading.Thread(target=loop, daemon=True).start()
    together.wait()

def submit(work):
    return policy.submit(lambda resource: work)
"""

ENGINE_THREADS = {
    "waits briefly for a ticket": "submit(Ticket()).wait(0.05)",
    "waits briefly for a sleeper": "submit(Asleep()).wait(0.05)",
    "waits briefly for a group": "s = submit(Ticket()); policy.submission_group().wait(0.05)",
    "watches": "s = [submit(Polled()) for _ in range(9)]; s[0].wait(0.05)",
    "runs a call on an arena": "pm.DynamicLoad([pm.Arena(2)]).run(time.sleep, 0.05)",
    "runs many calls on an arena": "s = [pm.Arena(2).run(busy) for _ in range(999)]",
    "runs an awaitable": """
async def work():
    while True:
        busy()
s = submit(work())
s.wait(0.05)
""",
}

DAEMON_THREADS = {
    "waits for a ticket": "daemons(submit(Ticket()).wait)",
    "waits for polled work": "daemons(submit(Polled()).wait)",
    "waits for a future": "daemons(submit(Future()).wait)",
    "waits briefly for a future": "s = submit(Future()); daemons(lambda: s.wait(0.001))",
    "waits briefly for polled work": "s = submit(Polled()); daemons(lambda: s.wait(0.001))",
    "waits briefly for a group": """
s = submit(Future())
daemons(lambda: policy.submission_group().wait(0.001))
""",
    "asks whether work is done": "daemons(submit(Polled()).done)",
    "chooses by a rule": "p = Rule(['a']); daemons(lambda: p.submit(busy))",
    "selects by a rule": "p = Rule(['a']); daemons(lambda: p.select(busy).submit(busy))",
    "asks a rule that finds nothing": "p = Full(['a']); daemons(lambda: p.submit(busy))",
    "chooses by a score": """
p = pm.ScoredPolicy(busy, ['a'])
daemons(lambda: p.submit(busy))
""",
    "waits for a token": """
p = pm.Token(['a'])
s = p.submit(lambda resource: Future())
daemons(lambda: p.submit(busy))
""",
    "computes the key of a task": """
keyed = pm.task(busy, key=busy)
p = pm.AutoTune(['a', 'b'])
daemons(lambda: p.submit(keyed))
""",
    "asks variants": """
class Slow:
    def __pointsman_refusal__(self, resource):
        busy()
    def __call__(self, resource):
        busy()
slow = Slow()
daemons(lambda: policy.submit(slow))
""",
    "runs the work": "daemons(lambda: policy.submit(busy))",
    "is in a backend": """
p = pm.DynamicLoad(backend=OwnBackend(['a']))
daemons(lambda: p.submit(busy))
""",
    "is in a lazy backend": """
p = pm.DynamicLoad(backend=Lazy(['a']))
daemons(lambda: p.submit(busy))
""",
    "waits for calls on an arena": """
p = pm.DynamicLoad([pm.Arena(2)])
daemons(lambda: p.run(busy).result())
""",
    "waits for an arena": "a = pm.Arena(2); daemons(lambda: (a.run(busy), a.wait()))",
    "maps over an arena": """
p = pm.DynamicLoad([pm.Arena(2)])
daemons(lambda: list(p.map(busy, [1])))
""",
    "is notified of completion": """
def round():
    future = Future()
    submit(future).add_done_callback(busy)
    future.set_result(1)
daemons(round)
""",
    "frees what runs Python code": "daemons(lambda: submit(Noisy()))",
    "replaces the set": "daemons(lambda: policy.initialize(['a', 'b']))",
    "waits for awaitables": """
async def work():
    return busy()
daemons(lambda: submit(work()).result())
""",
    "sorts": """
import numpy as np
x = np.arange(99999.0)[::-1]
daemons(lambda: pm.sort(pm.seq, x.copy()))
""",
}


def exit_of(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", PRELUDE + code],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def assert_exits(code: str, status: int = 0) -> None:
    for _ in range(EXITS):
        finished = exit_of(code)
        assert finished.returncode == status, finished.stderr
        assert "terminate called" not in finished.stderr
        assert "Fatal Python error" not in finished.stderr


@pytest.mark.parametrize("way", ENGINE_THREADS)
def test_a_process_ends_while_a_thread_of_the_engine(way: str):
    assert_exits(ENGINE_THREADS[way])


@pytest.mark.parametrize("way", DAEMON_THREADS)
def test_a_process_ends_while_a_daemon_thread(way: str):
    assert_exits(DAEMON_THREADS[way])


AFTER_THE_INTERPRETER = """
import ctypes
libc = ctypes.CDLL(None)
libc.on_exit(libc.sleep, None)  # calls sleep(1), because that is the exit status
sys.exit(1)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="on_exit is glibc's")
@pytest.mark.parametrize(
    "way",
    [
        "waits briefly for a future",
        "asks whether work is done",
        "waits for a token",
        "runs the work",
    ],
)
def test_a_process_lasts_longer_than_its_interpreter_while_a_daemon_thread(way: str):
    assert_exits(DAEMON_THREADS[way] + AFTER_THE_INTERPRETER, 1)


def test_a_finalizer_may_wait_when_the_interpreter_has_begun_to_end():
    finished = exit_of(
        """
class Last:
    def __del__(self, policy=policy, submission=submit(Future()), busy=busy):
        print(submission.wait(0.01), policy.submit(busy).result() > 0)
last = Last()
import builtins
builtins.last = last  # destroyed after the modules
del last
"""
    )
    assert finished.returncode == 0, finished.stderr
    assert finished.stderr == ""
    assert finished.stdout in ("", "False True\n")  # CPython may not call the finalizer


def test_ctrl_c_ends_a_process_that_waits_for_a_call_at_exit():
    process = subprocess.Popen(
        [
            sys.executable,
            "-c",
            PRELUDE
            + """
import atexit, signal
signal.signal(signal.SIGINT, signal.default_int_handler)
begun = threading.Event()
pm.Arena(1).run(lambda: (begun.set(), threading.Event().wait()))
begun.wait()
print("begun", flush=True)
""",
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "begun\n"
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(0.5)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert "KeyboardInterrupt" in errors
    assert "terminate called" not in errors
    assert process.returncode >= 0
