# SPDX-License-Identifier: Apache-2.0
"""The build refuses what would give modules that do not work together."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from markdown_pages import REPOSITORY


@pytest.mark.skipif(
    shutil.which("cmake") is None or shutil.which("clang++") is None, reason="no cmake or clang++"
)
def test_compiler_without_unique_symbols_is_refused(tmp_path: Path):
    configured = subprocess.run(
        ["cmake", "-S", REPOSITORY, "-B", tmp_path, "-DCMAKE_CXX_COMPILER=clang++"],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert configured.returncode != 0
    message = " ".join(configured.stderr.split())
    assert "-fgnu-unique, which" in message
    assert "set CXX=g++, or set POINTSMAN_PYTHON=OFF for the C++ library alone" in message
