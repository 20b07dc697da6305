# SPDX-License-Identifier: Apache-2.0
"""The notebooks as stored; .ci/run executes them from a clean kernel."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

NOTEBOOKS = sorted((Path(__file__).resolve().parents[3] / "notebooks").glob("*.ipynb"))


@pytest.fixture(params=NOTEBOOKS, ids=lambda path: path.stem)
def path(request: pytest.FixtureRequest) -> Any:
    return request.param


@pytest.fixture
def cells(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))["cells"]


def test_all_notebooks_exist():
    assert [path.stem[:2] for path in NOTEBOOKS] == ["01", "02", "03", "04", "05", "06", "07"]


def test_a_notebook_is_short_and_begins_with_text(cells: Any):
    assert len(cells) <= 15
    assert cells[0]["cell_type"] == "markdown"
    assert cells[0]["source"][0].startswith("# ")


def test_a_notebook_is_stored_as_run_from_top_to_bottom(cells: Any):
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    assert [cell["execution_count"] for cell in code] == list(range(1, len(code) + 1))
    assert any(cell["outputs"] for cell in code)
    assert not any(o["output_type"] == "error" for cell in code for o in cell["outputs"])


def test_a_notebook_is_stored_with_small_outputs(path: Path):
    assert path.stat().st_size < 100_000
