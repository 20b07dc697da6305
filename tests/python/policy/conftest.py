# SPDX-License-Identifier: Apache-2.0
"""A gate that blocks calls."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest


@pytest.fixture
def gate() -> Iterator[threading.Event]:
    """Blocks calls; opens when the test ends, even if it fails while calls wait."""
    made = threading.Event()
    yield made
    made.set()
