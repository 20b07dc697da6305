# SPDX-License-Identifier: Apache-2.0
"""Extrema are where NumPy finds them, the first of equal ones and of NaN."""

from __future__ import annotations

import numpy as np
import pytest
from algorithm.references import SIZES

import pointsman as pm


def test_extrema_are_numpys_first_ones(policy, values):
    for size in SIZES[1:]:
        x = values(size)
        least, greatest = int(np.argmin(x)), int(np.argmax(x))
        assert pm.min_element(policy, x) == least
        assert pm.max_element(policy, x) == greatest
        assert pm.minmax_element(policy, x) == (least, greatest)
        assert pm.argmin(policy, x) == least
        assert pm.argmax(policy, x) == greatest


def test_nan_is_the_extremum_of_both_kinds(policy):
    x = np.arange(70_000, dtype=np.float32)
    x[[40_000, 60_000]] = np.nan
    assert pm.minmax_element(policy, x) == (40_000, 40_000)


def test_no_values_have_no_extremum(policy):
    for find in (pm.min_element, pm.max_element, pm.argmin, pm.argmax):
        with pytest.raises(ValueError, match="has no values: pass one at least"):
            find(policy, np.empty(0))
