# SPDX-License-Identifier: Apache-2.0
"""copy_if and unique keep the values that NumPy keeps, in every kind of output."""

from __future__ import annotations

import array

import numpy as np
import pytest
from algorithm.references import SIZES, assert_identical

import pointsman as pm


def test_copy_if_keeps_the_values_for_which_the_predicate_holds(policy, values):
    for size in SIZES:
        x = values(size)
        assert_identical(pm.copy_if(policy, "x > 1", x), x[x > 1])
        assert_identical(pm.copy_if(policy, lambda v: v == 1, x), x[x == 1])


def test_kept_values_go_to_the_beginning_of_out(policy):
    x, out = np.arange(70_000), np.zeros(70_000, np.int64)
    kept = pm.copy_if(policy, "x % 2 == 1", x, out=out)
    assert np.shares_memory(kept, out)
    assert_identical(out[:35_000], x[1::2])
    assert not out[35_000:].any()
    with pytest.raises(ValueError, match="pass one of one dimension and 35000 elements"):
        pm.copy_if(policy, "x % 2 == 1", x, out=out[:9])


def test_kept_values_may_go_to_any_writable_object(policy):
    out = array.array("q", [0] * 4)
    kept = pm.copy_if(policy, "x > 1", np.arange(4), out=out)
    assert kept.tolist() == [2, 3]
    assert out.tolist() == [2, 3, 0, 0]
    with pytest.raises(TypeError, match="`out` is a list that cannot be written to"):
        pm.unique(policy, np.arange(4), out=[0] * 4)


def test_unique_keeps_the_first_of_each_run(policy, values):
    for size in SIZES:
        x = values(size)
        assert_identical(pm.unique(policy, x), x[np.append(True, x[1:] != x[:-1])[:size]])
        assert_identical(pm.unique(policy, np.sort(x)), np.unique(x))


def test_a_run_across_the_blocks_of_threads_is_one_run(policy):
    assert pm.unique(policy, np.ones(1_000_000, np.int8)).tolist() == [1]
