# SPDX-License-Identifier: Apache-2.0
# The command line: pointsman COMMAND, or python -m pointsman COMMAND.
"""Entry point of ``pointsman`` and of ``python -m pointsman``."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import IO, Any, NoReturn

from pointsman import (
    __version__,
    _console,
    _devices,
    _explain,
    _history_command,
    _trace_command,
    demo,
)
from pointsman._text_table import printable


class _Parser(argparse.ArgumentParser):
    """Reports an output that cannot be written, which argparse ignores, and errors in one line; two
    dashes are no value of an option, for which argparse of Python 3.12 passes an empty list."""

    def error(self, message: str) -> NoReturn:
        """Print the message and end the process with status 2."""
        super().error(printable(message))

    def _get_values(self, action: argparse.Action, arg_strings: list[str]) -> Any:
        if action.option_strings and arg_strings == ["--"]:
            raise argparse.ArgumentError(action, "'--' is no value: pass another")
        return super()._get_values(action, arg_strings)

    def _print_message(self, message: str, file: IO[str] | None = None) -> None:
        print(message, end="", file=file)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command in ``arguments``, by default ``sys.argv[1:]``; return the exit status.

    0 for success, 1 if the command failed or its output cannot be written, 130 after Ctrl-C, 141
    if the reader closed the pipe. Raises SystemExit with status 2 for wrong arguments.
    """
    parser = _Parser(
        prog="pointsman",
        description="Dynamic selection of compute resources.",
        epilog="The exit status is 0 for success, 1 for a failure, 2 for wrong arguments, 130 "
        "after Ctrl-C, and 141 if the reader closed the pipe. For the options of a command and an "
        "example: pointsman COMMAND --help",
    )
    parser.add_argument("--version", action="version", version=f"pointsman {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    demo.add_command(commands)
    _devices.add_command(commands)
    _explain.add_command(commands)
    _trace_command.add_command(commands)
    _history_command.add_command(commands)

    def command() -> int:
        options = parser.parse_args(arguments)
        return int(options.run(options))

    return _console.run(command)


def console() -> None:
    """Run the command in ``sys.argv`` and end the process with its status."""
    _console.prepare_streams()
    _console.end_process(main())


if __name__ == "__main__":
    console()
