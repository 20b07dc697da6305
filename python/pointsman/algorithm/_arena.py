# SPDX-License-Identifier: Apache-2.0
"""The threads among which algorithms on the host share their work."""

from __future__ import annotations

from functools import cache

from pointsman._core import Arena


@cache
def arena() -> Arena:
    """An arena of as many threads as the machine has."""
    return Arena()
