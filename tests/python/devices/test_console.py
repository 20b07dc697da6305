# SPDX-License-Identifier: Apache-2.0
"""How commands end: with one line, or none, and the status that shells expect."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

import pointsman as pm
from pointsman import _console
from pointsman.__main__ import main

Run = Callable[[Any, Sequence[str]], subprocess.CompletedProcess[str]]

COMMAND = (sys.executable, "-m", "pointsman")
COMMANDS = (
    ("devices",),
    ("devices", "--json"),
    ("explain", "reduce", "--size", "8"),
    ("--help",),
    ("--version",),
)
INTERRUPTING = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # a background job ignores it
from pointsman import _devices
from pointsman.__main__ import console
_devices.discover = lambda: signal.raise_signal(signal.SIGINT)
sys.argv = ["pointsman", "devices"]
console()
"""
ROWS = [("name", "units"), ("a long name of a device", "16"), ("b", "2")]

needs_full_disk = pytest.mark.skipif(
    not Path("/dev/full").exists(), reason="the system has no /dev/full"
)


@pytest.fixture(params=["", "1"], ids=["buffered", "unbuffered"])
def run_into(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs a command whose standard output is a file."""
    monkeypatch.setenv("PYTHONUNBUFFERED", request.param)
    return lambda output, arguments: subprocess.run(
        [*COMMAND, *arguments],
        stdout=output,
        stderr=subprocess.PIPE,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
def test_a_closed_pipe_ends_a_command_without_a_word(
    run_into: Run, arguments: Sequence[str]
) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with open(writing, "w") as closed:
        result = run_into(closed, arguments)
    assert result.returncode == 128 + signal.SIGPIPE
    assert result.stderr == ""


@needs_full_disk
@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
def test_a_full_disk_is_reported_in_one_line(run_into: Run, arguments: Sequence[str]) -> None:
    with open("/dev/full", "w") as full:
        result = run_into(full, arguments)
    assert result.returncode == 1
    assert result.stderr == ("pointsman: error: cannot write the output: No space left on device\n")


def test_ctrl_c_ends_the_process_by_the_signal_after_one_line() -> None:
    result = subprocess.run(
        [sys.executable, "-c", INTERRUPTING],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert result.returncode == -signal.SIGINT
    assert result.stderr == "pointsman: interrupted\n"


def test_a_closed_output_is_no_error() -> None:
    command = f"exec {sys.executable} -m pointsman devices >&-"
    result = subprocess.run(["sh", "-c", command], stderr=subprocess.PIPE, text=True, check=False)
    assert result.returncode == 0, result.stderr


def test_errors_stay_out_of_the_output_if_stderr_is_closed() -> None:
    command = f"exec {sys.executable} -m pointsman nonsense 2>&-"
    result = subprocess.run(["sh", "-c", command], stdout=subprocess.PIPE, text=True, check=False)
    assert (result.returncode, result.stdout) == (2, "")


def test_characters_that_the_output_lacks_are_escapes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    script = """
from pointsman import _console
_console.prepare_streams()
print("gr\\xfcn")
"""
    result = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    assert (result.returncode, result.stdout) == (0, "gr\\xfcn\n"), result.stderr


def test_errors_that_are_not_of_the_output_are_not_hidden() -> None:
    def command() -> int:
        raise FileNotFoundError(2, "No such file or directory", "kernel.cl")

    with pytest.raises(FileNotFoundError):
        _console.run(command)


def test_json_has_a_record_for_each_resource(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["devices", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert list(found) == ["resources", "warnings"]
    resources = pm.discover()
    assert [each["resource"] for each in found["resources"]] == [
        "arena" if isinstance(each, pm.Arena) else "queue" for each in resources
    ]
    arena = found["resources"][0]
    assert arena["units"] == resources[0].concurrency
    assert arena["memory_bytes"] is None or arena["memory_bytes"] > 2**20
    assert {frozenset(each) for each in found["resources"]} == {
        frozenset({"resource", "name", "type", "units", "memory_bytes", "driver"})
    }


def test_a_table_that_is_too_wide_becomes_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "30")
    assert _console.table(ROWS) == [
        "name                     units",
        "a long name of a device  16",
        "b                        2",
    ]
    monkeypatch.setenv("COLUMNS", "29")
    assert _console.table(ROWS) == ["a long name of a device", "  units: 16", "b", "  units: 2"]


def test_a_table_in_a_file_is_as_wide_as_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "10")
    assert len(_console.table(ROWS, rule=True)) == 4


def test_two_dashes_are_no_value_of_an_option() -> None:
    command = [sys.executable, "-m", "pointsman", "demo", "--passes=--"]
    result = subprocess.run(command, stderr=subprocess.PIPE, text=True, check=False)
    assert result.returncode == 2
    assert "argument --passes: '--' is no value: pass another" in result.stderr
