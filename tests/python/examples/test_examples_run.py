# SPDX-License-Identifier: Apache-2.0
"""The programs in python/examples run as their readers run them, and print what is true."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

PROGRAMS = {
    "cache_affinity",
    "heat_on_the_best_device",
    "mandelbrot_pyopencl",
    "password_service",
    "sharpest_photographs",
}


@pytest.fixture
def folder(repository: Path) -> Path:
    """The folder of the examples."""
    return repository / "python" / "examples"


@pytest.fixture
def example(folder: Path, tmp_path: Path) -> Any:
    """Runs an example in an empty folder, with warnings as errors; returns what it printed.

    Debian 13's pytools warns that it takes a slower hash.
    """
    warnings = ["-W", "error", "-W", "ignore:Unable to import recommended hash"]

    def run(name: str, *arguments: str, bar: bool = False, **variables: str) -> str:
        command = [sys.executable, *warnings, str(folder / f"{name}.py"), *arguments]
        return output_of(command, tmp_path, bar, variables)

    return run


def output_of(command: list[str], cwd: Path, bar: bool, variables: dict[str, str]) -> str:
    """The output of a command that must succeed and, without a progress bar, report nothing."""
    result = subprocess.run(
        command,
        cwd=cwd,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert result.returncode == 0, result.stdout + result.stderr
    assert bar or not result.stderr, result.stderr
    return result.stdout


def test_every_example_is_run_here(folder: Path):
    files = {path.stem for path in folder.iterdir() if path.suffix == ".py"}
    assert {name for name in files if not name.startswith("test_")} == PROGRAMS


def test_the_documentation_lists_every_example(repository: Path):
    page = (repository / "docs/examples.md").read_text(encoding="utf-8")
    listed = re.findall(r"\(\.\./python/examples/(\w+)\.py\)", page)
    assert {name for name in listed if not name.startswith("test_")} == PROGRAMS


def test_the_converted_pyopencl_program_draws_all_bands(
    example: Any, tmp_path: Path, pyopencl_context: Any
):
    printed = example("mandelbrot_pyopencl", "picture.pgm")
    assert sum(map(int, re.findall(r"drew (\d+) bands", printed))) == 16
    header, pixels = (tmp_path / "picture.pgm").read_bytes().split(b"\n", 1)
    assert header == b"P5 1200 800 255"
    assert len(pixels) == 1200 * 800
    inside, outside = pixels[400 * 1200 + 880], pixels[0]  # the points 0 and -2.2 - 1i
    assert (inside, outside) == (0, 254)
    picture = np.frombuffer(pixels, np.uint8).reshape(800, 1200)
    same = picture[1:400] == picture[:400:-1]
    assert same.mean() > 0.9, "the set is symmetric about the real axis"


def test_the_converted_pyopencl_program_tells_that_there_is_no_device(
    example: Any, no_driver: dict[str, str]
):
    pytest.importorskip("pyopencl")
    assert example("mandelbrot_pyopencl", **no_driver).startswith("nothing was drawn")


def test_photographs_are_sorted_by_sharpness_with_a_progress_bar(example: Any):
    pytest.importorskip("skimage")
    pytest.importorskip("tqdm")
    printed = example("sharpest_photographs", bar=True)
    found = re.findall(r"^ *([\d.]+) %  (\w+)$", printed, re.M)
    percents = [float(percent) for percent, _ in found]
    assert percents == sorted(percents, reverse=True)
    assert len({name for _, name in found}) == 8
    assert "8 photographs in" in printed


def test_a_blurred_photograph_is_less_sharp(example: Any, tmp_path: Path):
    image = pytest.importorskip("PIL.Image")
    image_filter = pytest.importorskip("PIL.ImageFilter")
    pytest.importorskip("skimage")
    pytest.importorskip("tqdm")
    sharp = image.effect_noise((320, 240), 80).convert("RGB")
    sharp.save(tmp_path / "sharp.png")
    sharp.filter(image_filter.GaussianBlur(3)).save(tmp_path / "blurred.png")
    printed = example("sharpest_photographs", "blurred.png", "sharp.png", bar=True)
    assert re.findall(r"(\w+)\.png$", printed, re.M) == ["sharp", "blurred"]


def test_the_service_answers_every_request_and_states_its_longest_stall(example: Any):
    printed = example("password_service", "--requests=12", "--timeout=200", "--stall=200000")
    assert printed.startswith("3 yes, 9 no and 0 timeouts in ")
    assert re.search(r"longest stall of the loop: \d+\.\d ms; accepted: 200000 ms", printed)


def test_equal_keys_load_each_table_once(example: Any):
    loaded = dict(re.findall(r"^(\w+) +loaded +(\d+) tables", example("cache_affinity"), re.M))
    assert int(loaded["Affinity"]) == 3
    assert int(loaded["RoundRobin"]) > 3


def test_the_tests_of_the_policy_and_the_backend_pass(folder: Path, tmp_path: Path):
    for path in folder.glob("*cache_affinity.py"):
        shutil.copy(path, tmp_path)  # away from this tree's settings of pytest
    command = [sys.executable, "-m", "pytest", "-q", "-W", "error", "-p", "no:cacheprovider"]
    assert re.search(r"^\d+ passed in ", output_of(command, tmp_path, False, {}), re.M)


def check_plates(printed: str) -> None:
    """Each policy simulated every size, told why, and where the plates of the batch went."""
    for policy in ("AutoTune", "EarliestFinish"):
        for size in (32, 128, 512):
            assert re.search(rf"  {size} x {size} took [\d.]+ ms: {policy} chose ", printed)
    batches = re.findall(r"24 plates at once took [\d.]+ ms: (.*)", printed)
    assert [sum(map(int, re.findall(r"\d+", batch))) for batch in batches] == [24, 24]
    assert len(re.findall(r"outstanding after the last submission: \[\d+, \d+\]", printed)) == 2


def test_the_simulation_tells_which_device_it_chose_and_why(example: Any, opencl_queue: Any):
    printed = example("heat_on_the_best_device")
    check_plates(printed)
    assert "<Queue on" in printed


def test_the_simulation_uses_two_arenas_without_a_device(example: Any, no_driver: dict[str, str]):
    printed = example("heat_on_the_best_device", **no_driver)
    check_plates(printed)
    assert "Queue" not in printed
