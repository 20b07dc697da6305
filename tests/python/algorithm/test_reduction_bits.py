# SPDX-License-Identifier: Apache-2.0
"""Python and C++ get the same bits from a device, because both use the same engine."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import pointsman as pm

SIZE = 3_000_000  # enough values for many partial results on a device

ALGORITHMS: dict[str, Callable[[Any, Any, Any], Any]] = {
    "reduce": lambda policy, x, _: pm.reduce(policy, x),
    "transform_reduce": lambda policy, x, y: pm.transform_reduce(policy, "x * y", x, y),
    "count_if": lambda policy, x, _: np.int64(pm.count_if(policy, "x > 0.25", x)),
    "transform": lambda policy, x, y: pm.transform(policy, "x * y", x, y),
    "copy_if": lambda policy, x, _: pm.copy_if(policy, "x > 0.25", x),
    "unique": lambda policy, x, _: pm.unique(policy, x),
}


def arrays_of(dtype: str) -> tuple[NDArray[Any], NDArray[Any]]:
    """Returns numbers whose sums depend on the order; some equal their neighbours."""
    random = np.random.default_rng(1)
    if dtype == "int32":
        x, y = random.integers(-100, 100, (2, SIZE), np.int32)
    else:
        x, y = random.uniform(-1, 1, (2, SIZE)).astype(dtype)
    x[1::5] = x[::5]
    return x, y


@pytest.fixture(scope="module")
def program(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program compiled from device_bits.cpp."""
    compiler = shutil.which("c++")
    if compiler is None:
        pytest.skip("no C++ compiler here")
    file = tmp_path_factory.mktemp("device_bits") / "device_bits"
    source = repository / "tests/python/algorithm/device_bits.cpp"
    include = repository / "cpp/include"
    subprocess.run(
        [compiler, "-std=c++20", "-O1", f"-I{include}", source, "-o", file, "-lOpenCL", "-ltbb"],
        check=True,
    )
    return file


@pytest.mark.parametrize("queue", ["opencl_queue", "queue_in_groups"])
@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "float16"])
def test_results_have_the_bits_of_cpp(
    program: Path, request: pytest.FixtureRequest, tmp_path: Path, dtype: str, queue: str
) -> None:
    policy = pm.device_policy(request.getfixturevalue(queue))
    x, y = arrays_of(dtype)
    x.tofile(tmp_path / "x")
    y.tofile(tmp_path / "y")
    # A driver in this process may have changed the environment, which os.environ does not notice.
    environment = dict(os.environ)
    device = policy.queue.device.name
    subprocess.run([program, dtype, queue, tmp_path, device], check=True, env=environment)
    for name, algorithm in ALGORITHMS.items():
        ours = np.asarray(algorithm(policy, x, y))
        theirs = np.fromfile(tmp_path / name, ours.dtype).reshape(ours.shape)
        assert ours.tobytes() == theirs.tobytes(), f"{name}: {ours} from Python, {theirs} from C++"


def test_sums_depend_on_the_order_of_additions() -> None:
    x, _ = arrays_of("float32")
    assert np.add.reduce(x) != np.add.accumulate(x)[-1]
