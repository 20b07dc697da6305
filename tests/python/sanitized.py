# SPDX-License-Identifier: Apache-2.0
"""Marks the tests that AddressSanitizer does not let end."""

from __future__ import annotations

import os

import pytest

forks_with_threads = pytest.mark.skipif(
    "libasan" in os.environ.get("LD_PRELOAD", ""),
    reason="a thread may hold the lock of AddressSanitizer's allocator at the fork",
)
