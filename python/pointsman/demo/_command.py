# SPDX-License-Identifier: Apache-2.0
# The parts that need other packages are imported when the command runs.
"""The options of the command ``demo``, and its messages if it cannot run."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any, Final

from pointsman._console import FAILURE
from pointsman._text_table import printable
from pointsman.error import Error

POLICIES: Final = ("fixed", "round_robin", "dynamic_load", "auto_tune", "earliest_finish")
USAGE_ERROR: Final = 2
MOST_PASSES: Final = 1_000_000


def add_command(commands: Any) -> None:
    """Add ``demo`` to argparse's subcommands."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "demo",
        help="filter photographs under every policy",
        description="Filters photographs under every policy, checks every picture, and writes the "
        "pictures and a timeline.",
        epilog="example: pointsman demo --image photo.jpg --policy auto_tune --out pictures",
    )
    parser.add_argument(
        "--image",
        metavar="PATH",
        type=Path,
        nargs="+",
        action="extend",
        default=[],
        help="photographs to filter, or folders of them (default: those inside installed packages)",
    )
    parser.add_argument(
        "--out",
        metavar="DIR",
        type=Path,
        default=Path("pointsman-demo"),
        help="folder for the pictures and the timeline (default: ./pointsman-demo)",
    )
    parser.add_argument(
        "--policy",
        choices=POLICIES,
        nargs="+",
        default=POLICIES,
        help="run these policies alone",
    )
    parser.add_argument(
        "--passes",
        metavar="N",
        type=_count,
        default=9,
        help="passes of each policy; more make the medians more certain (default: 9)",
    )
    parser.add_argument(
        "--json",
        action="store_true",
        help='print an object with "resources", a list of names; "results", a list of objects with '
        "the label, the median, shortest and longest time of a policy's passes in seconds, and how "
        'many photographs each resource filtered; "pictures" and "matching", numbers; and "out", a '
        "path. The texts go to the standard error stream",
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Run the demo.

    Return 0 for success, 1 if a picture is wrong or cannot be written or a resource fails, 2 if the
    demo cannot run with these options.
    """
    try:
        from pointsman.demo import _photographs, _show
    except ModuleNotFoundError as missing:
        if missing.name is None or missing.name.startswith("pointsman"):
            raise
        return _refuse(
            f"the demo needs {missing.name}: install pointsman[demo] (Debian: python3-numpy, "
            "python3-pil, python3-matplotlib and python3-skimage)"
        )
    try:
        pictures = _photographs.read_all(options.image)
        _show.check_output(options.out, pictures)
    except (_photographs.PhotographError, _show.OutputError) as error:
        return _refuse(str(error))
    try:
        return _show.run(
            pictures, options.out, options.policy, options.passes, as_json=options.json
        )
    except (Error, _show.OutputError) as error:
        return _refuse(str(error), FAILURE)
    except MemoryError:
        return _refuse("not enough memory: pass smaller photographs or fewer of them", FAILURE)


def _count(text: str) -> int:
    is_short = len(text) <= len(str(MOST_PASSES))
    count = int(text) if is_short and text.isdecimal() else 0
    if not 1 <= count <= MOST_PASSES:
        raise argparse.ArgumentTypeError(
            f"{text!r} is no number of passes: pass 1 to {MOST_PASSES}"
        )
    return count


def _refuse(reason: str, status: int = USAGE_ERROR) -> int:
    print(f"pointsman demo: error: {printable(reason)}", file=sys.stderr)
    return status
