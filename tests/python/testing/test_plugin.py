# SPDX-License-Identifier: Apache-2.0
"""The pytest plugin, as users run it on their own classes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

CLASSES = """
import pointsman as pm

class Last(pm.PolicyBase):
    def try_select(self, work, *args, **kwargs):
        return self.get_resources()[-1]

class Lost(pm.PolicyBase):
    def try_select(self, work, *args, **kwargs):
        return "elsewhere"

class Forgetful(pm.Backend):
    def submit(self, selection, work, *args, **kwargs):
        work(selection.resource, *args, **kwargs)
"""


def run_plugin(folder: Path, *options: str) -> tuple[int, str]:
    (folder / "mine.py").write_text(CLASSES, encoding="utf-8")
    (folder / "test_of_mine.py").write_text("def test_of_mine(): pass\n", encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-p", "pointsman.testing.plugin", "-p"]
    run = subprocess.run(
        [*command, "no:cacheprovider", "-q", *options],
        capture_output=True,
        text=True,
        cwd=folder,
        timeout=300,
        check=False,
    )
    return run.returncode, run.stdout + run.stderr


def test_a_policy_that_conforms_passes(tmp_path: Path):
    status, output = run_plugin(tmp_path, "--pointsman-policy=mine:Last")
    assert status == 0, output
    assert "17 passed" in output


def test_a_policy_that_leaves_its_set_fails(tmp_path: Path):
    status, output = run_plugin(tmp_path, "--pointsman-policy=mine:Lost")
    assert status == 1
    assert "test_chooses_only_from_its_set" in output
    assert "ForeignResourceError" in output


def test_a_backend_that_loses_results_fails(tmp_path: Path):
    status, output = run_plugin(tmp_path, "--pointsman-backend=mine:Forgetful")
    assert status == 1
    assert "TestForgetful::test_passes_arguments_and_results_through[DynamicLoad]" in output


def test_a_class_that_cannot_be_found_is_a_usage_error(tmp_path: Path):
    for name in ("mine:Nothing", "nowhere:Last", "mine"):
        status, output = run_plugin(tmp_path, f"--pointsman-policy={name}")
        assert status == 4, output
        assert "name a class as MODULE:NAME" in output
