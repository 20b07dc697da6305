# SPDX-License-Identifier: Apache-2.0
"""The project has one name."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

FORMER_NAME = b"fair" + b"lead"


def test_the_former_name_does_not_occur(repository: Path) -> None:
    if not (repository / ".git").exists():
        pytest.skip("only git knows which files belong to the project")
    listed = subprocess.run(
        ["git", "-C", str(repository), "ls-files", "-z"], capture_output=True, check=True
    )
    names = [name for name in listed.stdout.split(b"\0") if name]
    assert len(names) > 100
    files = [repository / name.decode() for name in names]
    holding = [
        file for file in files if file.is_file() and FORMER_NAME in file.read_bytes().lower()
    ]
    assert holding == []
    assert [name for name in names if FORMER_NAME in name.lower()] == []
