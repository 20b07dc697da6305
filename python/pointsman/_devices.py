# SPDX-License-Identifier: Apache-2.0
# The command `devices`: a table of this machine's resources.
"""Prints one line for each arena and OpenCL queue that ``discover()`` finds."""

from __future__ import annotations

import argparse
import sys
import warnings
from collections.abc import Sequence
from typing import Any

from pointsman import _no_opencl, opencl
from pointsman._discover import discover
from pointsman._resource_table import HEADINGS, describe


def add_command(commands: Any) -> None:
    """Add ``devices`` to argparse's subcommands."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "devices",
        help="list the resources of this machine",
        description="Lists the arenas and the OpenCL devices that policies choose from by default.",
    )
    parser.set_defaults(run=run)


def run(_options: argparse.Namespace) -> int:
    """Print the table, and driver problems to the standard error stream; return 0, for success."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        resources = discover()
    for line in table([HEADINGS, *map(describe, resources)]):
        print(line)
    sys.stdout.flush()
    for text in dict.fromkeys(str(warning.message) for warning in caught):
        print(f"pointsman devices: warning: {text}", file=sys.stderr)
    if not any(isinstance(resource, opencl.Queue) for resource in resources):
        print(f"pointsman devices: no OpenCL device: {_how_to_get_one()}", file=sys.stderr)
    return 0


def table(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the rows as lines with aligned columns."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(f"{cell:{width}}" for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]


def _how_to_get_one() -> str:
    queue: type = opencl.Queue
    if queue is _no_opencl.Queue:
        return _no_opencl.remedy()
    return "install a driver, on Debian pocl-opencl-icd"
