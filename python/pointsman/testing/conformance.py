# SPDX-License-Identifier: Apache-2.0
# The public names of the conformance suite.
"""The conformance suite, as classes of tests for pytest to derive from::

    from pointsman.testing.conformance import BackendConformance, PolicyConformance

    class TestCheapest(PolicyConformance):
        policy_class = Cheapest

    class TestMyBackend(BackendConformance):
        backend_class = MyBackend

For a class whose constructor takes more than resources, override ``make_policy`` or
``make_backend``; for special resources, override ``make_resources``.
"""

from pointsman.testing._conformance import BackendConformance, PolicyConformance

__all__ = ["BackendConformance", "PolicyConformance"]
