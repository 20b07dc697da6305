# SPDX-License-Identifier: Apache-2.0
# One call of an algorithm, ready to run under any policy.
"""What an algorithm hands to its policy."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pointsman.execution._policies import HostPolicy
    from pointsman.opencl import Queue


@dataclass(frozen=True)
class Call:
    """An algorithm with its arguments.

    kind: the algorithm and what else its cost hangs on, the size apart.
    size_bytes: of what it reads, or writes where it reads nothing.
    on_host, on_device: run it; None where it cannot run there, which ``obstacle`` explains.
    """

    kind: Hashable
    size_bytes: int
    on_host: Callable[[HostPolicy], Any] | None
    on_device: Callable[[Queue], Any] | None
    obstacle: str = ""

    @property
    def task_key(self) -> Hashable:
        """Calls with the same key should take about as long as each other."""
        return self.kind, self.size_bytes.bit_length()
