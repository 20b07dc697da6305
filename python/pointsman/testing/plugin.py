# SPDX-License-Identifier: Apache-2.0
# The pytest plugin that runs the conformance suite on classes named on the command line.
"""Runs the conformance suite together with the requested tests.

``python -m pytest -p pointsman.testing.plugin --pointsman-policy=pricing:Cheapest`` runs it on the
policy ``Cheapest`` of the module ``pricing``; ``--pointsman-backend=cluster:MyBackend`` runs it on
a backend. The class is called with an iterable of resources. Both options may be given several
times. If a class needs more than resources, derive from the classes of
``pointsman.testing.conformance`` in a file of tests instead.
"""

from pointsman.testing._plugin import pytest_addoption, pytest_configure

__all__ = ["pytest_addoption", "pytest_configure"]
