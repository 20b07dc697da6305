# SPDX-License-Identifier: Apache-2.0
# What users need to test their own policies, backends and programs.
"""Resources and time under a test's control, and tests for policies and backends.

``FakeResource``, ``FakeBackend`` and ``ManualClock`` let a test decide when work ends and how long
it took, without a sleep::

    clock = ManualClock()
    slow, fast = FakeResource("slow", clock), FakeResource("fast", clock)
    policy = pm.AutoTune(backend=FakeBackend([slow, fast]))
    policy.submit(lambda resource: resource.start(seconds=2.0 if resource is slow else 1.0))
    clock.advance(2.0)

``pointsman.testing.conformance`` has the suite that the provided policies pass, as classes to
derive from; ``pointsman.testing.plugin`` is the pytest plugin that runs it on classes named on
the command line. Only these two need pytest.
"""

from pointsman.testing._clock import ManualClock
from pointsman.testing._resource import FakeBackend, FakeResource

__all__ = ["FakeBackend", "FakeResource", "ManualClock"]
