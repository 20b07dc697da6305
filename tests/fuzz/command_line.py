# SPDX-License-Identifier: Apache-2.0
# Any arguments, and resources with any names, for every command of ``python -m pointsman``.
"""Fuzz target: the command line. Passes of the demo and measurements are replaced."""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import warnings
from collections.abc import Iterator
from typing import Any
from unittest import mock

from fuzz_bytes import FuzzBytes

from pointsman import _devices, _explain
from pointsman.__main__ import main
from pointsman.demo import _command

WORDS = (
    "devices", "demo", "--json", "--image", "--out", "--policy", "--passes", "--version", "--help",
    "trace", "show", "plot", "--kind",
    "round_robin", "auto_tune", "9", "0", "-1", "--", "-h", "--passes=3", "--im", "", "@file",
)  # fmt: skip


class NamedDevice:
    """A device and its queue, with texts as a driver supplies them."""

    def __init__(self, given: FuzzBytes) -> None:
        texts = [given.take(given.number() % 16).decode("utf-8", "backslashreplace")] * 4
        self.label, self.type, self.platform, self.driver_version = texts
        self.compute_units = given.number()
        self.global_memory_bytes = given.number(8)
        self.device = self


def run_demo(options: argparse.Namespace) -> int:
    """Check the options instead of running the demo."""
    assert 1 <= options.passes <= _command.MOST_PASSES
    assert set(options.policy) <= set(_command.POLICIES)
    return 0


def run_explain(options: argparse.Namespace) -> int:
    """Check the options instead of measuring."""
    assert options.algorithm in _explain.ALGORITHMS
    assert all(1 <= size <= _explain.MOST_VALUES for size in options.size)
    return 0


def test_one_input(data: bytes) -> None:
    given = FuzzBytes(data)
    devices = [NamedDevice(given) for _ in range(given.number() % 4)]
    arguments = [given.choice(WORDS) for _ in range(given.number() % 4)]
    if given:
        arguments += given.texts()

    def discover() -> list[Any]:
        for device in devices:
            warnings.warn(device.label, stacklevel=1)
        return devices

    with mock.patch.object(_devices, "discover", discover), captured() as (out, err):
        with (
            mock.patch.object(_command, "run", run_demo),
            mock.patch.object(_explain, "run", run_explain),
        ):
            try:
                status = main(arguments)
            except SystemExit as ended:
                status = 0 if ended.code is None else int(ended.code)
                assert status in (0, 2)
    check(arguments, devices, status, out.getvalue(), err.getvalue())


@contextlib.contextmanager
def captured() -> Iterator[tuple[io.StringIO, io.StringIO]]:
    """What is written to the output and the error stream."""
    with contextlib.redirect_stdout(io.StringIO()) as out:
        with contextlib.redirect_stderr(io.StringIO()) as err:
            yield out, err


def check(arguments: list[str], devices: list[Any], status: int, out: str, err: str) -> None:
    """Raise AssertionError unless status and output agree, in lines of printable characters."""
    for line in (out + err).split("\n"):
        assert line.isprintable(), line
    assert "Traceback" not in err
    if status == 2:
        assert out == "" and "error: " in err.splitlines()[-1]
    elif arguments[:2] == ["devices", "--json"] and out.startswith("{"):
        assert len(json.loads(out)["resources"]) == len(devices)
    elif arguments == ["devices"]:
        assert len(out.splitlines()) == 1 + len(devices)
