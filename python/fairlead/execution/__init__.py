# SPDX-License-Identifier: Apache-2.0
# The execution policies: how an algorithm may run.
"""``fl.seq``, ``fl.unseq``, ``fl.par``, ``fl.par_unseq``, ``fl.device_policy`` and ``fl.auto``."""

from fairlead.execution.auto_policy import AutoPolicy, auto
from fairlead.execution.call import Call
from fairlead.execution.policies import (
    DevicePolicy,
    ExecutionPolicy,
    HostPolicy,
    device_policy,
    par,
    par_unseq,
    seq,
    unseq,
)

__all__ = [
    "AutoPolicy",
    "Call",
    "DevicePolicy",
    "ExecutionPolicy",
    "HostPolicy",
    "auto",
    "device_policy",
    "par",
    "par_unseq",
    "seq",
    "unseq",
]
