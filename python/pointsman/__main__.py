# SPDX-License-Identifier: Apache-2.0
# The command line: pointsman COMMAND, or python -m pointsman COMMAND.
"""Entry point of ``pointsman`` and of ``python -m pointsman``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from pointsman import __version__, _devices, demo


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command in ``arguments``, by default ``sys.argv[1:]``; return the exit status."""
    parser = argparse.ArgumentParser(
        prog="pointsman", description="Dynamic selection of compute resources."
    )
    parser.add_argument("--version", action="version", version=f"pointsman {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    demo.add_command(commands)
    _devices.add_command(commands)
    options = parser.parse_args(arguments)
    return int(options.run(options))


if __name__ == "__main__":
    sys.exit(main())
