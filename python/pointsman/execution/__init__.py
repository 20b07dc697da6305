# SPDX-License-Identifier: Apache-2.0
# An execution policy says where an algorithm runs: the host, a device, or wherever is fastest.
"""``pm.seq``, ``pm.unseq``, ``pm.par``, ``pm.par_unseq``, ``pm.device_policy`` and ``pm.auto``."""

from pointsman.execution._auto_policy import AutoPolicy, auto
from pointsman.execution._policies import (
    Call,
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
