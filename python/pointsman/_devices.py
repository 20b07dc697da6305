# SPDX-License-Identifier: Apache-2.0
# The command `devices`: this machine's resources as a table or as JSON.
"""Prints each arena and OpenCL queue that ``discover()`` finds."""

from __future__ import annotations

import argparse
import json
import sys
import warnings
from dataclasses import asdict
from typing import Any, Final

from pointsman import _console, _no_opencl, opencl
from pointsman._core import Arena
from pointsman._device_speed import measure_speeds
from pointsman._discover import discover
from pointsman._histories import DeviceSpeed, default_history
from pointsman._representation import text_of_time
from pointsman._resource_table import HEADINGS, describe, memory_of
from pointsman._text_table import printable
from pointsman.error import HistoryError

_SPEED_HEADINGS: Final = ("launch", "bandwidth", "upload", "download")


def add_command(commands: Any) -> None:
    """Add ``devices`` to argparse's subcommands."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "devices",
        help="list the resources of this machine",
        description="Lists the arenas and the OpenCL devices that policies choose from by default.",
        epilog="example: pointsman devices --measure --json",
    )
    parser.add_argument(
        "--measure",
        action="store_true",
        help="measure how soon each starts work and how fast it moves memory, and keep that in the "
        "history, if the environment has one, for the first trials of later policies",
    )
    parser.add_argument(
        "--json",
        action="store_true",
        help='print an object with "resources", a list of objects with the keys of the table, and '
        '"memory_bytes", a number or null; and with "warnings", a list of strings. With --measure '
        '"launch" in seconds, "bandwidth", "upload" and "download" in bytes each second or null',
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print the resources, and driver problems to the standard error stream; return 0."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        resources = discover()
    problems = list(dict.fromkeys(str(warning.message) for warning in caught))
    speeds = _measured(resources) if options.measure else None
    if options.json:
        found = [_record(resource) for resource in resources]
        if speeds is not None:
            for record, speed in zip(found, speeds, strict=True):
                record.update(asdict(speed))
        print(json.dumps({"resources": found, "warnings": problems}, indent=2))
        return 0
    rows = [HEADINGS, *map(describe, resources)]
    if speeds is not None:
        cells = [_SPEED_HEADINGS, *map(_describe_speed, speeds)]
        rows = [(*row, *more) for row, more in zip(rows, cells, strict=True)]
    print("\n".join(_console.table(rows)), flush=True)
    for text in problems:
        print(f"pointsman devices: warning: {printable(text)}", file=sys.stderr)
    if not any(isinstance(resource, opencl.Queue) for resource in resources):
        print(f"pointsman devices: no OpenCL device: {_how_to_get_one()}", file=sys.stderr)
    return 0


def _measured(resources: list[Any]) -> list[DeviceSpeed]:
    """Return the speeds of arenas and queues, which the history keeps, if there is one."""
    try:
        history = default_history()
    except HistoryError as error:
        print(f"pointsman devices: warning: {printable(str(error))}", file=sys.stderr)
        history = None
    speeds = measure_speeds(resources, history=history)
    return [speed for speed in speeds if speed is not None]


def _describe_speed(speed: DeviceSpeed) -> tuple[str, ...]:
    rates = (speed.bandwidth, speed.upload, speed.download)
    return (text_of_time(speed.launch), *(f"{of / 1e9:.1f} GB/s" if of else "-" for of in rates))


def _record(resource: Any) -> dict[str, Any]:
    """Return the row of the resource with numbers in place of their texts."""
    record: dict[str, Any] = dict(zip(HEADINGS, describe(resource), strict=True))
    is_arena = isinstance(resource, Arena)
    record["units"] = resource.concurrency if is_arena else resource.device.compute_units
    del record["memory"]
    record["memory_bytes"] = memory_of(resource)
    return record


def _how_to_get_one() -> str:
    queue: type = opencl.Queue
    if queue is _no_opencl.Queue:
        return _no_opencl.remedy()
    return "install a driver, on Debian pocl-opencl-icd"
