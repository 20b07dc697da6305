# SPDX-License-Identifier: Apache-2.0
"""The policies, types, sizes and values with which the tests call algorithms."""

from __future__ import annotations

import secrets
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import pointsman as pm
from pointsman.algorithm import _axis, _host, _host_histogram

DTYPES = ["bool", "int8", "uint16", "int32", "int64", "uint64", "float16", "float32", "float64"]


@pytest.fixture(scope="session")
def queue_in_groups(opencl_queue: pm.opencl.Queue) -> pm.opencl.Queue:
    """A queue on the first device that runs algorithms in work groups, as a GPU does."""
    from pointsman import _opencl

    return _opencl.with_items_in_groups(opencl_queue.device)


@pytest.fixture(params=["seq", "par", "device", "auto"])
def policy(request: pytest.FixtureRequest) -> Any:
    """Each policy in turn; skips the device policy if there is no device.

    test_policies.py shows that unseq and par_unseq differ from seq and par in their names alone."""
    if request.param == "device":
        return pm.device_policy(request.getfixturevalue("opencl_queue"))
    return getattr(pm, request.param)


@pytest.fixture
def device_policy(opencl_queue: pm.opencl.Queue) -> pm.execution.DevicePolicy:
    """The policy of the first device."""
    return pm.device_policy(opencl_queue)


@pytest.fixture
def random() -> np.random.Generator:
    """Random numbers, whose seed is printed."""
    seed = secrets.randbelow(2**32)
    print(f"seed {seed}")
    return np.random.default_rng(seed)


@pytest.fixture
def in_small_chunks(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Has threads share short arrays, and nobody warned."""
    monkeypatch.setattr(_host, "CHUNK", 4)
    monkeypatch.setattr(_host, "FEW_KEPT", 4)
    monkeypatch.setattr(_host, "FEW_COMPUTED", 4)
    monkeypatch.setattr(_host_histogram, "FEW", 4)
    monkeypatch.setattr(_host, "FOLDED_AT_ONCE", 4)
    monkeypatch.setattr(_host, "LIGHT", 8)
    monkeypatch.setattr(_axis, "AT_ONCE", 4)
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@pytest.fixture(params=DTYPES)
def dtype(request: pytest.FixtureRequest) -> np.dtype[Any]:
    """Each type of values in turn."""
    return np.dtype(request.param)


@pytest.fixture
def values(dtype: np.dtype[Any]) -> Callable[[int], NDArray[Any]]:
    """Makes `size` small values of the type, of both signs if possible; each call the same."""

    def make(size: int) -> NDArray[Any]:
        low = 0 if dtype.kind in "ub" else -5
        return np.random.default_rng(size).integers(low, 6, size).astype(dtype)

    return make
