# SPDX-License-Identifier: Apache-2.0
# For tests of user-defined policies and backends, and of programs that use policies.
"""Resources and time under a test's control, and tests for policies and backends.

With ``FakeResource``, ``FakeBackend`` and ``ManualClock`` a test decides when work ends and how
long it took, without sleeping:

>>> from pointsman.testing import FakeBackend, FakeResource, ManualClock
>>> clock = ManualClock()
>>> policy = pm.RoundRobin(backend=FakeBackend([FakeResource("printer", clock)]))
>>> submission = policy.submit(lambda resource: resource.start("printed", seconds=2.0))
>>> submission.done()
False
>>> clock.advance(2.0)
>>> submission.result()
'printed'

``pointsman.testing.conformance`` is the suite that the provided policies pass, as classes to
derive from; ``pointsman.testing.plugin`` is the pytest plugin that runs it on classes named on
the command line. Only these two need pytest.
"""

from pointsman.testing._clock import ManualClock
from pointsman.testing._faults import Dies, Fails, Hangs, Slows, Works
from pointsman.testing._resource import FakeBackend, FakeResource

__all__ = [
    "Dies",
    "Fails",
    "FakeBackend",
    "FakeResource",
    "Hangs",
    "ManualClock",
    "Slows",
    "Works",
]
