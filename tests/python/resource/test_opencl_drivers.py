# SPDX-License-Identifier: Apache-2.0
# Broken OpenCL drivers, installed for the test.
"""Tests of ``DriverWarning``."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

DISCOVER = """
import warnings
import pointsman as pm
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    print(len(pm.{call}))
for warning in caught:
    print(warning.category.__name__, warning.message)
"""


@pytest.fixture
def vendors(tmp_path: Path) -> Path:
    """A folder of drivers that contains a broken one and nothing else."""
    (tmp_path / "broken.icd").write_text("/nowhere/libbroken.so\n")
    return tmp_path


def run(code: str, vendors: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """Runs ``code`` in a fresh interpreter that finds its drivers in ``vendors``."""
    return subprocess.run(
        [sys.executable, *options, "-c", code],
        env={**os.environ, "OCL_ICD_VENDORS": str(vendors), "OPENCL_VENDOR_PATH": str(vendors)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize("call", ["opencl.devices()", "opencl.default_queues()", "discover()"])
def test_a_broken_driver_causes_a_warning(opencl_queue: Any, vendors: Path, call: str) -> None:
    out = run(DISCOVER.format(call=call), vendors).stdout.splitlines()
    assert len(out) == 2, out
    assert out[1].startswith("DriverWarning the OpenCL driver of ")
    for text in (str(vendors / "broken.icd"), "/nowhere/libbroken.so", "remove that file"):
        assert text in out[1]


def test_a_broken_driver_hides_no_other(opencl_queue: Any, vendors: Path) -> None:
    installed = os.environ.get("OCL_ICD_VENDORS") or os.environ.get("OPENCL_VENDOR_PATH")
    source = Path(installed or "/etc/OpenCL/vendors")
    for file in source.glob("*.icd") if source.is_dir() else [source]:
        shutil.copy(file, vendors)
    out = run(DISCOVER.format(call="opencl.devices()"), vendors).stdout.splitlines()
    assert int(out[0]) > 0
    assert any("broken.icd" in line for line in out[1:])


@pytest.mark.usefixtures("no_driver")
def test_a_queue_without_a_device_reports_the_broken_driver(
    opencl_queue: Any, vendors: Path
) -> None:
    finished = run("import pointsman as pm; pm.opencl.Queue()", vendors)
    assert "no OpenCL device" in finished.stderr
    assert "/nowhere/libbroken.so" in finished.stderr


def test_a_program_may_turn_the_warning_into_an_error(opencl_queue: Any, vendors: Path) -> None:
    finished = run("import pointsman as pm; pm.discover()", vendors, "-W", "error")
    assert finished.returncode == 1
    assert "pointsman.error.DriverWarning: the OpenCL driver of" in finished.stderr


def test_a_warning_shows_bytes_in_no_encoding_as_escapes(opencl_queue: Any, vendors: Path) -> None:
    (vendors / "broken.icd").write_bytes(b"/nowhere/lib\xff\x1b[31m.so\n")
    finished = run(DISCOVER.format(call="discover()"), vendors)
    assert finished.returncode == 0, finished.stderr
    assert r"/nowhere/lib\xff" in finished.stdout


def test_the_command_prints_no_control_characters(opencl_queue: Any, vendors: Path) -> None:
    (vendors / "broken.icd").write_bytes(b"/nowhere/lib\xff\x1b[31m.so\n")
    finished = run("from pointsman.__main__ import main; main(['devices'])", vendors)
    assert finished.returncode == 0, finished.stderr
    assert r"/nowhere/lib\xff\x1b[31m.so" in finished.stderr
    assert all(map(str.isprintable, (finished.stdout + finished.stderr).splitlines()))


@pytest.mark.usefixtures("no_driver")
def test_the_command_prints_the_warning_below_the_table(opencl_queue: Any, vendors: Path) -> None:
    finished = run("from pointsman.__main__ import main; main(['devices'])", vendors)
    assert finished.stdout.splitlines()[1].startswith("arena")
    assert finished.stderr.count("pointsman devices: warning: the OpenCL driver of") == 1
    assert "no OpenCL device" in finished.stderr
