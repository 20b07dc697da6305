# SPDX-License-Identifier: Apache-2.0
# The command `devices`: this machine's resources as a table or as JSON.
"""Prints each arena and OpenCL queue that ``discover()`` finds."""

from __future__ import annotations

import argparse
import json
import sys
import warnings
from typing import Any

from pointsman import _console, _no_opencl, opencl
from pointsman._core import Arena
from pointsman._discover import discover
from pointsman._resource_table import HEADINGS, describe, memory_of


def add_command(commands: Any) -> None:
    """Add ``devices`` to argparse's subcommands."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "devices",
        help="list the resources of this machine",
        description="Lists the arenas and the OpenCL devices that policies choose from by default.",
    )
    parser.add_argument(
        "--json",
        action="store_true",
        help='print an object with "resources", a list of objects with the keys of the table, and '
        '"memory_bytes", a number or null; and with "warnings", a list of strings',
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print the resources, and driver problems to the standard error stream; return 0."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        resources = discover()
    problems = list(dict.fromkeys(str(warning.message) for warning in caught))
    if options.json:
        found = [_record(resource) for resource in resources]
        print(json.dumps({"resources": found, "warnings": problems}, indent=2))
        return 0
    rows = [HEADINGS, *map(describe, resources)]
    print("\n".join(_console.table(rows)), flush=True)
    for text in problems:
        print(f"pointsman devices: warning: {text}", file=sys.stderr)
    if not any(isinstance(resource, opencl.Queue) for resource in resources):
        print(f"pointsman devices: no OpenCL device: {_how_to_get_one()}", file=sys.stderr)
    return 0


def _record(resource: Any) -> dict[str, str | int | None]:
    """Return the row of the resource with numbers in place of their texts."""
    record: dict[str, str | int | None] = dict(zip(HEADINGS, describe(resource), strict=True))
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
