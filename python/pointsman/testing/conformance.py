# SPDX-License-Identifier: Apache-2.0
# What every policy and every backend has to do, whoever wrote it.
"""The conformance suite, as classes of tests for pytest to derive from::

    from pointsman.testing.conformance import BackendConformance, PolicyConformance

    class TestCheapest(PolicyConformance):
        policy_class = Cheapest

    class TestMyBackend(BackendConformance):
        backend_class = MyBackend

A class that is made otherwise than from its resources overrides ``make_policy`` or
``make_backend``; one for special resources overrides ``make_resources``.
"""

from pointsman.testing._conformance import BackendConformance, PolicyConformance

__all__ = ["BackendConformance", "PolicyConformance"]
