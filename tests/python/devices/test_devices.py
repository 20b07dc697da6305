# SPDX-License-Identifier: Apache-2.0
"""The command ``pointsman devices``."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import pointsman as pm
from pointsman import _console, _devices
from pointsman.__main__ import main

BUILT_WITHOUT_OPENCL = """
import sys
sys.modules["pointsman._opencl"] = None
from pointsman.__main__ import main
sys.exit(main(["devices"]))
"""


def test_prints_a_line_for_each_resource(pointsman_command: Any) -> None:
    finished = pointsman_command("devices")
    assert finished.returncode == 0, finished.stderr
    heading, *lines = finished.stdout.splitlines()
    assert heading.split() == list(_devices.HEADINGS)
    assert len(lines) == len(pm.discover())
    assert [line.split()[0] for line in lines] == [
        "arena" if isinstance(resource, pm.Arena) else "queue" for resource in pm.discover()
    ]


def test_prints_what_the_resources_report(
    opencl_queue: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["devices"]) == 0
    out = capsys.readouterr().out
    device = opencl_queue.device
    for text in (device.name, device.type, device.platform, device.driver_version):
        assert text in out


def test_lists_the_arenas_without_opencl() -> None:
    finished = subprocess.run(
        [sys.executable, "-c", BUILT_WITHOUT_OPENCL],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert finished.returncode == 0, finished.stderr
    assert "arena" in finished.stdout
    assert "queue" not in finished.stdout
    assert "no OpenCL device" in finished.stderr
    assert "built without OpenCL: install" in finished.stderr


def test_an_arena_has_the_memory_of_its_node() -> None:
    kind, name, type_, units, memory, driver = _devices.describe(pm.Arena(3))
    assert (kind, name, type_, units, driver) == ("arena", "all cores", "cpu", "3", "oneTBB")
    assert memory.endswith(" GiB")
    assert _devices.describe(pm.Arena(1))[3] == "1"


def test_columns_are_as_wide_as_their_widest_cell() -> None:
    assert _console.table([("a", "bb", "c"), ("aaa", "b", "")]) == ["a    bb  c", "aaa  b"]


def test_the_console_script_is_the_same_command(repository: Path) -> None:
    assert 'pointsman = "pointsman.__main__:console"' in (repository / "pyproject.toml").read_text()
    with pytest.raises(SystemExit) as ended:
        main(["--help"])
    assert ended.value.code == 0
