# SPDX-License-Identifier: Apache-2.0
"""Random operations on every policy agree with the reference model, with and without Ctrl-C.

``POINTSMAN_MODEL_OPERATIONS`` sets the operations of each run, ``POINTSMAN_MODEL_SEED`` its seed.
"""

from __future__ import annotations

import gc
import logging
import os
import random
from typing import Any

import pytest
from model.interruptions import Interruptions
from model.reference_model import Place
from model.walk import Walk, eventually

OPERATIONS = int(os.environ.get("POINTSMAN_MODEL_OPERATIONS", "1000"))


@pytest.fixture
def seed() -> int:
    """The seed of this run; pytest shows printed output when the test fails."""
    chosen = int(os.environ.get("POINTSMAN_MODEL_SEED", random.randrange(2**32)))
    print(f"to run this again: POINTSMAN_MODEL_SEED={chosen}")
    return chosen


@pytest.fixture(autouse=True)
def _no_log(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keeps pytest from keeping the log of failures that a walk does not look at, and with it
    their frames."""
    monkeypatch.setattr(logging.getLogger("pointsman"), "disabled", True)


def make_steps(walk: Walk) -> None:
    for operation in range(OPERATIONS):
        try:
            walk.step()
        except BaseException:
            print(f"operation {operation}")
            raise
    walk.finish()


def expect_nothing_left() -> None:
    gc.collect()
    eventually(lambda: not Place.is_any_alive())


def test_random_operations_agree_with_the_model(policy_class: Any, seed: int) -> None:
    make_steps(Walk(seed, policy_class))
    expect_nothing_left()


def test_random_operations_agree_under_interruptions(policy_class: Any, seed: int) -> None:
    with Interruptions(seed) as interruptions:
        make_steps(Walk(seed, policy_class, interruptions.allowed))
    expect_nothing_left()
