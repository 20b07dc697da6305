# SPDX-License-Identifier: Apache-2.0
"""Counts, positions and yes-or-no answers agree with NumPy's comparisons."""

from __future__ import annotations

import numpy as np
from algorithm.references import SIZES

import pointsman as pm


def test_searches_count_and_find(policy, values):
    for size in SIZES:
        x = values(size)
        holds = x == 1
        positions = np.flatnonzero(holds)
        assert pm.count_if(policy, "x == 1", x) == len(positions)
        assert pm.find_if(policy, "x == 1", x) == (positions[0] if len(positions) else None)
        assert pm.any_of(policy, "x == 1", x) == holds.any()
        assert pm.none_of(policy, lambda v: v == 1, x) == (not holds.any())
        assert pm.all_of(policy, "x <= 5", x)
        assert pm.all_of(policy, "x == 1", x) == holds.all()


def test_the_last_of_many_values_is_found(policy):
    x = np.zeros(100_000, np.int32)
    x[-1] = 7
    assert pm.find_if(policy, "x", x) == 99_999
