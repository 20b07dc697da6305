# SPDX-License-Identifier: Apache-2.0
"""Traces with invented times, for pictures and tables."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import pointsman as pm
from pointsman import _core

MILLISECOND = 1_000_000  # nanoseconds


@pytest.fixture
def made_trace() -> Callable[..., pm.Trace]:
    """Makes a trace of tasks, each given as name, resource, milliseconds of the submission, the
    start and the end, and whether it succeeded."""

    def make(*tasks: tuple[Any, ...]) -> pm.Trace:
        events = []
        for number, (name, resource, submitted, started, ended, succeeded) in enumerate(tasks, 1):
            at = [round(each * MILLISECOND) for each in (submitted, started, ended)]
            events += [
                ("submission", at[0], 0, number, name, "", "", 1, 0, True, True),
                ("selection", at[0], 0, number, "", resource, "RoundRobin", 1, 0, True, True),
                ("start", at[1], 0, number, "", "", "", 2, 0, True, True),
                ("end", at[2], 0, number, "", "", "", 2, 0, succeeded, True),
            ]
        trace = pm.Trace()
        trace._keep(_core._Recording(events, 0))
        return trace

    return make


@pytest.fixture
def two_resources(made_trace: Callable[..., pm.Trace]) -> pm.Trace:
    """Two tasks that overlap on "gpu", one of which failed, and one on "cpu"."""
    return made_trace(
        ("blur", "gpu", 0, 0, 2, True),
        ("blur", "gpu", 0, 1, 4, False),
        ("total", "cpu", 2, 6, 8, True),
    )
