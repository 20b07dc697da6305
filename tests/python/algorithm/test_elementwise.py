# SPDX-License-Identifier: Apache-2.0
"""transform, fill and copy write the values that NumPy computes, under every policy."""

from __future__ import annotations

import numpy as np
from algorithm.references import SIZES, assert_equal

import pointsman as pm


def test_transform_computes_one_or_two_arrays(policy, values):
    for size in SIZES:
        x, y = values(size), values(size)[::-1]
        assert_equal(pm.transform(policy, "x + x", x), x + x)
        assert_equal(
            pm.transform(policy, lambda a, b: np.where(a > b, a, b), x, y), np.maximum(x, y)
        )
        assert_equal(pm.transform(policy, "x / 3 == y", x, y), x / 3 == y)


def test_fill_and_copy_write_each_element(policy, values):
    for size in SIZES:
        x = values(size)
        out = np.zeros_like(x)
        assert pm.fill(policy, out, 1) is out
        assert_equal(out, np.ones_like(x))
        assert pm.copy(policy, x, out=out) is out
        assert_equal(out, x)
        copied = pm.copy(policy, x)
        assert_equal(copied, x)
        assert not np.shares_memory(copied, x)


def test_small_integers_wrap_around_as_numpys_do(policy):
    small = np.arange(-128, 128).astype(np.int8)
    assert (pm.transform(policy, "x * x + x", small) == small * small + small).all()
