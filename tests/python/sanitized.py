# SPDX-License-Identifier: Apache-2.0
"""Whether AddressSanitizer runs, under which some tests do not end."""

from __future__ import annotations

import os

import pytest

IS_SANITIZED = "libasan" in os.environ.get("LD_PRELOAD", "")

forks_with_threads = pytest.mark.skipif(
    IS_SANITIZED,
    reason="a thread may hold the lock of AddressSanitizer's allocator at the fork",
)
