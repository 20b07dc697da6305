# SPDX-License-Identifier: Apache-2.0
# How many values there are of each size.
"""``fl.histogram``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairlead.algorithm import host
from fairlead.algorithm.arrays import values_of
from fairlead.algorithm.calls import call_on_host, run_under
from fairlead.execution import ExecutionPolicy, HostPolicy


def histogram(
    policy: ExecutionPolicy,
    a: Any,
    bins: int | Sequence[float] | NDArray[Any] = 10,
    range: tuple[float, float] | None = None,
) -> tuple[NDArray[np.int64], NDArray[Any]]:
    """Return how many values of ``a`` are in each bin, and the edges of the bins.

    bins: how many of the same width, or the edges, which rise. A value on an edge belongs to the
        bin that begins there, on the last one to the last bin.
    range: where the first of so many bins begins and the last one ends; by default at the least
        and the greatest value.

    Both are those of ``numpy.histogram``, bit for bit. Runs on the host. Raises TypeError for the
    names of NumPy's rules for ``bins`` and for a buffer, and ValueError as NumPy does.
    """
    if isinstance(bins, str):
        raise TypeError(
            f"bins is {bins!r}: pass their number or edges, such as those of "
            "numpy.histogram_bin_edges"
        )
    values = values_of(a)

    def on_host(chosen: HostPolicy) -> tuple[NDArray[np.int64], NDArray[Any]]:
        return host.histogram(chosen, values.on_host(), bins, range)

    kind = "histogram", int(np.size(bins)) if np.ndim(bins) else bins
    counted: tuple[NDArray[np.int64], NDArray[Any]] = run_under(
        policy, call_on_host(kind, [values], on_host)
    )
    return counted
