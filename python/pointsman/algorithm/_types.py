# SPDX-License-Identifier: Apache-2.0
# `Any` stands where the type of the elements is known only from the expression.
"""The types of arguments and results in the signatures of algorithms."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pointsman.opencl import Buffer

if TYPE_CHECKING:
    from typing_extensions import Buffer as HostBuffer


class DLPack(Protocol):
    """A tensor of another package, in host memory."""

    def __dlpack__(self) -> Any:
        """Return a capsule that describes the memory."""


# Values in host memory, which an algorithm reads.
OnHost: TypeAlias = "ArrayLike | DLPack"
# Values that an algorithm reads, wherever they are.
Array: TypeAlias = "OnHost | Buffer"

D = TypeVar("D", bound=np.generic)
F = TypeVar("F", bound="np.inexact[Any]")  # sums of such values have their type
# Host memory that an algorithm writes to.
HostMemory: TypeAlias = "NDArray[Any] | HostBuffer | DLPack"
# Memory that an algorithm writes to and returns.
Out = TypeVar("Out", bound="HostMemory | Buffer")
Other = TypeVar("Other", bound="HostMemory | Buffer")
