# SPDX-License-Identifier: Apache-2.0
# pointsman.testing.plugin makes pytest collect this file.
"""A class of tests for each class that was named on the command line."""

from __future__ import annotations

from pointsman.testing._conformance import BackendConformance, PolicyConformance
from pointsman.testing._plugin import chosen

for _policy in chosen["policy"]:
    _name = f"Test{_policy.__name__}"
    globals()[_name] = type(_name, (PolicyConformance,), {"policy_class": _policy})

for _backend in chosen["backend"]:
    _name = f"Test{_backend.__name__}"
    globals()[_name] = type(_name, (BackendConformance,), {"backend_class": _backend})
