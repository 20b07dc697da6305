# SPDX-License-Identifier: Apache-2.0
# The public names of the conformance suite.
"""The conformance suite: derive classes from ``PolicyConformance`` and ``BackendConformance`` in a
file of tests, and pytest runs the suite on your policy or backend.

For a class whose constructor takes more than resources, override ``make_policy`` or
``make_backend``; for special resources, override ``make_resources``.
"""

from pointsman.testing._conformance import BackendConformance, PolicyConformance

__all__ = ["BackendConformance", "PolicyConformance"]
