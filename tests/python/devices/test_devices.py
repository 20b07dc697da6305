# SPDX-License-Identifier: Apache-2.0
"""The command ``pointsman devices``."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import pointsman as pm
from pointsman import _console, _devices
from pointsman.__main__ import main
from pointsman._resource_identity import identities_of

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


@pytest.mark.parametrize("command", ["demo", "devices", "explain"])
def test_the_help_of_a_command_ends_in_an_example(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main([command, "--help"])
    *_, example = capsys.readouterr().out.splitlines()
    assert example.startswith(f"example: pointsman {command} ")


def test_the_help_lists_the_commands_and_the_exit_statuses(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    text = " ".join(capsys.readouterr().out.split())
    assert all(each in text for each in ("demo", "devices", "explain"))
    assert "The exit status is 0 for success, 1 for a failure, 2 for wrong arguments" in text


def test_a_table_shows_characters_that_control_a_terminal_as_escapes() -> None:
    rows = [("name", "units"), ("GPU\x1b[31m\n\u202e\udcff", "1"), ("Grün", "2")]
    assert _console.table(rows) == [
        "name                       units",
        r"GPU\x1b[31m\n\u202e\udcff  1",
        "Grün                       2",
    ]


def test_wrong_arguments_are_shown_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["devices", "\x1b[31m\n"])
    assert ended.value.code == 2
    assert capsys.readouterr().err.splitlines()[-1].endswith(r"unrecognized arguments: \x1b[31m\n")


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Returns the path of the default history."""
    path = tmp_path / "timings.db"
    monkeypatch.setenv("POINTSMAN_HISTORY", str(path))
    return path


def test_measured_speeds_are_printed_and_kept(
    kept: Path, opencl_queue: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("pointsman._history")
    assert main(["devices", "--measure"]) == 0
    heading, *lines = capsys.readouterr().out.splitlines()
    assert heading.split()[-4:] == ["launch", "bandwidth", "upload", "download"]
    assert len(lines) == len(pm.discover())
    for line, resource in zip(lines, pm.discover(), strict=True):
        assert line.count("GB/s") == (1 if isinstance(resource, pm.Arena) else 3)
    history = pm.History(kept)
    speeds = [history.speed_of(each) for each in identities_of(pm.discover())]
    assert all(speed is not None and 0 < speed.launch < 60 for speed in speeds)


def test_speeds_are_numbers_in_json_and_need_no_history(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("POINTSMAN_HISTORY", "off")
    monkeypatch.setattr(_devices, "discover", lambda: [pm.Arena(2)])
    assert main(["devices", "--measure", "--json"]) == 0
    (arena,) = json.loads(capsys.readouterr().out)["resources"]
    assert arena["bandwidth"] > arena["launch"] > 0
    assert arena["upload"] is arena["download"] is None


def test_the_first_trial_is_on_the_device_that_is_fastest_as_a_rule(
    kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("pointsman._history")
    speeds = {1: pm.DeviceSpeed(1e-6, 1e9, None, None), 2: pm.DeviceSpeed(1e-5, 1e12, 1e11, 1e11)}
    monkeypatch.setattr(
        "pointsman._device_speed._speed_of", lambda arena: speeds.get(arena.concurrency)
    )
    arenas = [pm.Arena(3), pm.Arena(1), pm.Arena(2)]
    measured = pm.measure_speeds(arenas, history=pm.History(kept))
    assert measured == [None, speeds[1], speeds[2]]
    for size, fastest in ((100, arenas[1]), (1_000_000, arenas[2])):
        policy = pm.AutoTune(arenas, history=kept)
        assert policy.submit_and_wait(lambda arena, data: arena, bytes(size)) == fastest
