# SPDX-License-Identifier: Apache-2.0
"""Random folds, of random types, layouts, axes and selections, give NumPy's results."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from algorithm.references import ALL_NUMPYS, assert_equal

import pointsman as pm

pytestmark = pytest.mark.usefixtures("in_small_chunks")

TYPES = "bool int8 uint8 int16 uint16 int32 uint32 int64 uint64 float16 float32 float64".split()
LOGICAL = [np.logical_and, np.logical_or, np.logical_xor]
OF_INTEGERS = [np.bitwise_and, np.bitwise_or, np.bitwise_xor, np.gcd]
TEXTS = {"x + y": np.add, "maximum(x, y)": np.maximum}


def array_of(random: np.random.Generator, policy: Any) -> Any:
    """Returns an array of at most three dimensions, whose folds are exact in every order."""
    others = [] if isinstance(policy, pm.execution.DevicePolicy) else [">i4", ">f8"]
    dtype = np.dtype(str(random.choice([*TYPES, *others])))
    shape = [int(random.choice([0, 1, 2, 3, 11])) for _ in range(random.integers(4))]
    some = [0, 1, 2, 3] if dtype.itemsize == 1 or dtype == np.float16 else [0, 1, 2, 4, 256, 70_000]
    if dtype.kind not in "bu":
        some += [-1, -2]
    if dtype.kind == "f":
        some += [0.5, -0.0, np.nan]
    x = random.choice(some, [2 * length for length in shape]).astype(dtype)
    x = x[tuple(slice(random.integers(2), None, 2) for _ in shape)]
    return x.T if random.random() < 0.3 else np.ascontiguousarray(x) if random.random() < 0.5 else x


def test_random_folds_are_numpys(policy, random):
    for _ in range(100 if isinstance(policy, pm.execution.DevicePolicy) else 400):
        x = array_of(random, policy)
        options: dict[str, Any] = {"keepdims": bool(random.integers(2))}
        first, end = sorted(random.integers(0, x.ndim + 1, 2).tolist())
        options["axis"] = tuple(range(first, end)) if first < end else None
        if random.random() < 0.5:
            op: Any
            op, ufunc = ALL_NUMPYS[random.integers(len(ALL_NUMPYS))]
            if op == "*":
                x = np.sign(x) if x.dtype.kind in "if" else np.minimum(x, 1).astype(x.dtype)
            if random.random() < 0.5:
                lengths = [length if random.random() < 0.8 else 1 for length in x.shape]
                options["where"] = random.random(lengths[random.integers(x.ndim + 1) :]) < 0.7
            has_initial = op in ("min", "max") or random.random() < 0.3
            reference = {}
        else:
            known = LOGICAL if x.dtype.kind in "bf" else LOGICAL + OF_INTEGERS
            ops = [(each, each) for each in known] + list(TEXTS.items())
            op, ufunc = ops[random.integers(len(ops))]
            x = np.abs(x) if ufunc is np.gcd else x  # which NumPy applies to a single value, too
            has_initial = x.size == 0 or random.random() < 0.3
            reference = {} if ufunc in LOGICAL else {"dtype": x.dtype.newbyteorder("=")}
        if has_initial:
            options["initial"] = 1
        print(op, x.dtype, x.shape, x.strides, options)
        assert_equal(pm.reduce(policy, x, op, **options), ufunc.reduce(x, **options, **reference))
